"""A promised speed moves throughput, cost and break-even; above what was measured there is no answer."""

import json

import pytest

from costmodel.answer import answer_dict
from costmodel.catalog import Catalog, catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.link import decode, link, query_of
from costmodel.machine.speed_answer import speed_report
from costmodel.machine.throughput import throughput_of


def answer(more: str, example: str = "deepinfer-128") -> Comparison:
    read = decode(catalog(), query_of(f"?scenario={example}{more}"))
    assert read.problems == ()
    return compare(catalog(), read.scenario)


@pytest.mark.parametrize(("speed", "usd"), [(100, 0.253), (200, 0.423), (250, 0.634), (300, 1.271)])
def test_what_speed_costs(speed: int, usd: float) -> None:
    assert answer(f"&slo={speed}").self_host.usd_per_mtok_at_full == pytest.approx(usd, abs=0.0006)


def test_300_tok_s_per_user_has_no_break_even() -> None:
    """5,218 tok/s per GPU: 212 % output only off-peak, 116 % around the clock at 4:1 half cached."""
    own = answer("&slo=300")
    assert own.self_host.throughput.output_tok_s_per_gpu == pytest.approx(5_218, abs=1)
    off_peak = own.apis[0].break_even
    assert off_peak.utilization == pytest.approx(2.12, abs=0.005)
    assert not off_peak.reachable
    mixed = answer("&slo=300&ratio=4&cached=50&own_cached=50").apis[-1]
    assert mixed.id == "deepseek:deepseek-flash"
    assert mixed.break_even.utilization == pytest.approx(1.16, abs=0.005)


@pytest.mark.parametrize(
    ("more", "example", "why"),
    [
        ("&slo=360", "deepinfer-128", "360 tok/s per user is not possible on this hardware"),
        ("&slo=340", "deepinfer-128", "340 tok/s per user was not measured"),
        ("&slo=325.1", "deepinfer-128", "was not measured"),
        ("&slo=200", "gpt-oss-120b-1xh200", "not possible on this hardware"),
        ("&loads=8:50&slo=51", "deepinfer-128", "is not known: your own measurement has a single load"),
    ],
)
def test_above_the_measured_speeds_there_is_no_answer(more: str, example: str, why: str) -> None:
    with pytest.raises(NoAnswerError, match=why):
        answer(more, example)


def test_a_slower_promise_never_delivers_less() -> None:
    outputs = [answer(f"&slo={speed}").self_host.capacity_output_tok_s for speed in (325, 300, 200, 101, 100, 50, 1)]
    assert outputs == sorted(outputs)
    assert outputs[-1] == outputs[-3]


def test_without_a_curve_the_promise_is_said_to_be_open() -> None:
    """The EP8 figure is read off a chart without the speed of a user."""
    own = answer("&slo=100", "deepinfer-16")
    assert own.self_host.capacity_output_tok_s == answer("", "deepinfer-16").self_host.capacity_output_tok_s
    assert any("can be kept is not known" in note for note in own.notes)


def test_draft_acceptance_scales_the_throughput() -> None:
    base, lower = answer("").self_host, answer("&accept=60").self_host
    assert lower.capacity_output_tok_s / base.capacity_output_tok_s - 1 == pytest.approx(-0.275, abs=0.0005)
    assert answer("&accept=75").self_host.capacity_output_tok_s == pytest.approx(base.capacity_output_tok_s)
    with pytest.raises(NoAnswerError):
        answer("&accept=60&slo=300")
    unaffected = answer("&accept=60", "gpt-oss-120b-1xh200")
    assert unaffected.self_host.throughput.acceptance_factor == 1
    assert any("acceptance has no effect" in note for note in unaffected.notes)


def test_own_loads_take_the_place_of_the_library() -> None:
    own = answer("&loads=8:325,256:101.5625&slo=300").self_host.throughput
    assert own.output_tok_s_per_gpu == pytest.approx(5_218, abs=1)
    assert own.curve_name == "your own measurement"


def test_long_requests_end_the_curve() -> None:
    long = answer("&request=1000000&slo=100")
    assert long.self_host.capacity_output_tok_s < answer("&slo=100").self_host.capacity_output_tok_s
    assert any("KV memory ends the curve" in note for note in long.notes)


def test_links_without_the_new_keys_mean_what_they_meant() -> None:
    new = ("bench", "loads", "accept", "tables", "kv_tb", "kv_usd", "slo")
    query = query_of(link(answer("").scenario))
    old = {key: value for key, value in query.items() if key not in new}
    read = decode(catalog(), old)
    assert read.problems == ()
    assert read.scenario == answer("").scenario
    own = compare(catalog(), read.scenario).self_host
    assert (own.usd_per_hour, own.capacity_output_tok_s) == (pytest.approx(1_222.40), pytest.approx(740_659.2))


def test_a_plain_comparison_reads_no_throughput() -> None:
    fresh = Catalog()
    scenario = decode(fresh, query_of("?scenario=deepinfer-128")).scenario
    comparison = compare(fresh, scenario)
    assert fresh._read_benchmarks == {}
    answer_dict(comparison)
    assert set(fresh._read_benchmarks) <= {scenario.model, f"{scenario.model}-modelled"}
    assert throughput_of(fresh, scenario).is_typed


@pytest.mark.parametrize(
    ("more", "key"),
    [("&bench=gpt-oss-120b-h200x1-vllm-0.18.0-fp4-1k-1k", "bench"), ("&loads=x", "loads"), ("&accept=101", "accept")],
)
def test_what_cannot_be_used_is_named(more: str, key: str) -> None:
    read = decode(catalog(), query_of(f"?scenario=deepinfer-128{more}"))
    assert [problem.key for problem in read.problems] == [key]


def test_own_loads_and_a_benchmark_do_not_stand_together() -> None:
    read = decode(catalog(), query_of("?scenario=deepinfer-128&loads=8:325&bench=deepseek-v4.1-flash-ep64"))
    assert [problem.key for problem in read.problems] == ["bench"]
    assert (read.scenario.own_loads, read.scenario.benchmark) == ("8:325", None)


def test_tables_in_host_memory_and_public_recipes() -> None:
    with pytest.raises(NoAnswerError, match=r"does not fit.*host memory.*NVIDIA Dynamo 1.7"):
        answer("&gpus=4", "node-8xh200")
    assert answer("&gpus=4&tables=host", "node-8xh200").self_host.pools[0].fit == "fits"
    below = answer("&gpu=lambda-b200-2x&gpus=2&tables=host", "node-8xh200")
    assert below.self_host.pools[0].fit == "tight"
    assert any("a public recipe runs it there" in note for note in below.notes)


def test_a_cluster_total_as_one_gpu_is_asked_about() -> None:
    assert any("the total of all 64 GPUs" in note for note in answer("&tps=740659.2").notes)
    assert not any("the total of all" in note for note in answer("").notes)


def test_another_model_and_a_licence_with_conditions_are_marked() -> None:
    own = answer("", "llama-70b-2xh100")
    assert any("Licence of Llama" in note and "700 M" in note for note in own.notes)
    assert any("serve another model" in note for note in own.notes)
    assert {api.same_model for api in own.apis} == {False}
    assert {api.same_model for api in answer("&api=custom:Ours:1::2").apis} == {None}
    assert not any("Licence" in note or "another model" in note for note in answer("").notes)


def test_the_answer_holds_what_serving_rests_on() -> None:
    data = json.loads(json.dumps(answer_dict(answer("&slo=300&ratio=20&kv_tb=14.4"))))
    serving = data["serving"]
    assert serving["follows_from"] == "speed"
    assert serving["output_tok_s_per_gpu"] == pytest.approx(5_218, abs=1)
    assert serving["line_fastest_tok_s_per_user"] == pytest.approx(349.8, abs=0.05)
    assert serving["curve"] == "deepseek-v4.1-flash-ep64"
    assert serving["uncached_input_per_output"] == 20
    assert [pool["fit"] for pool in serving["pools"]] == ["fits", "fits"]
    assert serving["kv_store_usd_per_month"] == pytest.approx(110_592)
    assert "storage for KV cache" not in data["not_included"]
    plain = answer_dict(answer(""))["serving"]
    assert plain["follows_from"] == "typed"
    assert plain["curve"] is None
    assert plain["curve_reason"]


def test_the_speed_report_agrees_with_the_comparison() -> None:
    """The view's table and the answer at the same promise are one number."""
    report = speed_report(catalog(), answer(""), points=10)
    for row in report.rows:
        own = answer(f"&slo={row.tok_s_per_user:.6f}")
        assert own.self_host.usd_per_mtok_at_full == pytest.approx(row.usd_per_mtok_at_full, rel=1e-6)
        assert own.cheapest_api is not None
        assert own.cheapest_api.break_even.utilization == pytest.approx(row.break_even_utilization, rel=1e-6)
    assert report.at_typed is not None
    assert report.at_typed.tok_s_per_user == pytest.approx(212, abs=0.5)
    low, high = report.apis[0].speed.output_tok_s_low, report.apis[0].speed.output_tok_s_high
    assert (low, high) == (190, 214)
    assert low <= report.at_typed.tok_s_per_user <= high
