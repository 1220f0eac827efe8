"""The closed forms: each really equalises both bills, and says why where it cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.breakeven import (
    break_even,
    break_even_api_usd_per_bundle,
    break_even_output_tok_s,
    break_even_usd_per_gpu_hour,
    break_even_utilization,
    winner,
)
from costmodel.selfhost import usd_per_bundle

usd = st.floats(0.01, 10_000)
tok_s = st.floats(1, 1e6)


@given(rent=usd, capacity=tok_s, price=usd)
def test_utilization_equalises_the_cost_per_token(rent: float, capacity: float, price: float) -> None:
    share = break_even_utilization(usd_per_hour=rent, capacity_output_tok_s=capacity, api_usd_per_bundle=price)
    assert share is not None
    cost = usd_per_bundle(usd_per_hour=rent, capacity_output_tok_s=capacity, utilization=share)
    assert cost == pytest.approx(price)


@given(rent=usd, price=usd)
def test_output_and_price_are_two_sides_of_one_equation(rent: float, price: float) -> None:
    output = break_even_output_tok_s(usd_per_hour=rent, api_usd_per_bundle=price)
    assert output is not None
    assert break_even_api_usd_per_bundle(usd_per_hour=rent, output_tok_s=output) == pytest.approx(price)
    per_gpu = break_even_usd_per_gpu_hour(api_usd_per_bundle=price, output_tok_s=output, other_usd_per_hour=0, gpus=8)
    assert per_gpu is not None
    assert per_gpu * 8 == pytest.approx(rent)


def test_there_is_none_where_something_is_free_or_nothing_served() -> None:
    assert break_even_utilization(usd_per_hour=1, capacity_output_tok_s=1, api_usd_per_bundle=0) is None
    assert break_even_output_tok_s(usd_per_hour=1, api_usd_per_bundle=0) is None
    assert break_even_api_usd_per_bundle(usd_per_hour=1, output_tok_s=0) is None
    assert break_even_usd_per_gpu_hour(api_usd_per_bundle=1, output_tok_s=1, other_usd_per_hour=9, gpus=1) is None


def test_failover_doubles_the_break_even() -> None:
    assert break_even_output_tok_s(usd_per_hour=2 * 50.44, api_usd_per_bundle=1.20) == pytest.approx(23_352, abs=0.5)


def test_just_above_full_is_not_reachable_and_never_shown_as_100() -> None:
    point = break_even(usd_per_hour=3.6004, capacity_output_tok_s=1_000, api_usd_per_bundle=1, binding="decode")
    assert not point.reachable
    assert "(100.01 %)" in (point.reason or "")
    assert break_even(usd_per_hour=3.6, capacity_output_tok_s=1_000, api_usd_per_bundle=1, binding="decode").reachable


@pytest.mark.parametrize(
    ("own", "api", "expected"),
    [(100, 100, "tie"), (100.05, 100, "tie"), (99, 100, "self_host"), (101, 100, "api"), (0, 0, "tie"), (5, 0, "api")],
)
def test_winner(own: float, api: float, expected: str) -> None:
    assert winner(self_host_usd=own, api_usd=api, tolerance_share=0.001) == expected
