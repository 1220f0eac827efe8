"""Speed against throughput."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costmodel.machine.speed import (
    Load,
    affine_fit,
    expected_tokens_per_step,
    frontier,
    inter_token_s,
    output_tok_s_per_gpu_at,
    requests_at,
    tok_s_per_user_at,
)
from tests.model_cases import Case, model_cases

PUBLISHED = (Load(8, 325), Load(256, 101.5625))


def limits(first: Load = PUBLISHED[0], second: Load = PUBLISHED[1]) -> tuple[float, float]:
    base, slope = affine_fit(first, second)
    return 1 / base, 1 / slope


def case_limits(case: Case) -> tuple[float, float]:
    given_ = case.inputs
    return limits(Load(given_["n1"], given_["v1"]), Load(given_["n2"], given_["v2"]))


@model_cases("curve_speed")
def test_speed_at_a_load(case: Case) -> None:
    fastest, most = case_limits(case)
    case.check(1 / inter_token_s(base_s=1 / fastest, s_per_request=1 / most, requests_per_gpu=case.inputs["n"]))


@model_cases("curve_tput")
def test_throughput_at_a_load(case: Case) -> None:
    fastest, most = case_limits(case)
    requests = case.inputs["n"]
    case.check(requests / inter_token_s(base_s=1 / fastest, s_per_request=1 / most, requests_per_gpu=requests))


@model_cases("curve_speed_at_tput")
def test_speed_at_a_throughput(case: Case) -> None:
    fastest, most = case_limits(case)
    case.check(tok_s_per_user_at(output_tok_s_per_gpu=case.inputs["X"], fastest_tok_s=fastest, most_output_tok_s=most))


@given(speed=st.floats(1, 349))
def test_speed_and_throughput_are_inverse(speed: float) -> None:
    fastest, most = limits()
    output = output_tok_s_per_gpu_at(tok_s_per_user=speed, fastest_tok_s=fastest, most_output_tok_s=most)
    assert tok_s_per_user_at(
        output_tok_s_per_gpu=output, fastest_tok_s=fastest, most_output_tok_s=most
    ) == pytest.approx(speed)


def test_the_published_fit() -> None:
    fastest, most = limits()
    assert (fastest, most) == (pytest.approx(349.8, abs=0.05), pytest.approx(36_636, abs=1))
    at_300 = output_tok_s_per_gpu_at(tok_s_per_user=300, fastest_tok_s=fastest, most_output_tok_s=most)
    assert at_300 == pytest.approx(5_218, abs=1)
    assert output_tok_s_per_gpu_at(tok_s_per_user=360, fastest_tok_s=fastest, most_output_tok_s=most) == 0


@given(low=st.floats(0, 1), high=st.floats(0, 1), drafted=st.integers(1, 10))
def test_more_acceptance_never_yields_less(low: float, high: float, drafted: int) -> None:
    assume(low <= high)
    less = expected_tokens_per_step(acceptance=low, drafted_tokens=drafted)
    more = expected_tokens_per_step(acceptance=high, drafted_tokens=drafted)
    assert 1 <= less <= more + 1e-9 <= drafted + 1 + 1e-6


@given(
    st.lists(st.tuples(st.floats(0.1, 500), st.floats(5, 400)).map(lambda pair: Load(*pair)), min_size=1, max_size=8),
    st.floats(1, 500),
)
def test_a_frontier_never_leaves_what_was_measured(loads: list[Load], speed: float) -> None:
    measured = frontier(loads)
    speeds = [load.tok_s_per_user for load in measured.loads]
    assert speeds == sorted(speeds, reverse=True)
    output = measured.output_tok_s_at(speed)
    if speed > measured.fastest_tok_s:
        assert output is None
    else:
        assert output is not None
        best = max(load.requests_per_gpu for load in loads) * max(load.tok_s_per_user for load in loads)
        assert 0 < output <= best * (1 + 1e-9)


def test_a_frontier_passes_through_its_loads() -> None:
    measured = frontier([Load(4, 100), Load(16, 80), Load(64, 40)])
    for load in measured.loads:
        assert measured.output_tok_s_at(load.tok_s_per_user) == pytest.approx(
            load.requests_per_gpu * load.tok_s_per_user
        )
    assert requests_at(measured.loads, tok_s_per_user=60) == pytest.approx(32, rel=0.01)


def test_a_single_load_is_flat() -> None:
    one = frontier([Load(64, 30)])
    assert one.output_tok_s_at(10) == one.output_tok_s_at(30) == 64 * 30
    assert one.output_tok_s_at(31) is None
