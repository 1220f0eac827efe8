"""The whole comparison: properties first, then the published numbers, then the faults other tools had."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import ApiAnswer, Comparison, NoAnswerError, compare, cost_curve
from costmodel.ledger import total_usd
from costmodel.link import decode, query_of
from costmodel.selfhost import usd_per_bundle

CATALOG = catalog()
OFF_PEAK, PEAK = "deepseek:deepseek-flash@off_peak", "deepseek:deepseek-flash@peak"
AUTO, TOKELY = "deepseek:deepseek-flash", "tokely:deepseek-v4.1-flash"


def answer(query: str) -> Comparison:
    decoded = decode(CATALOG, query_of(query))
    assert decoded.problems == (), decoded.problems
    return compare(CATALOG, decoded.scenario)


def api(comparison: Comparison, identifier: str) -> ApiAnswer:
    return next(each for each in comparison.apis if each.id == identifier)


def break_even_percent(query: str, identifier: str) -> float:
    utilization = api(answer(query), identifier).break_even.utilization
    assert utilization is not None
    return utilization * 100


# Properties


@pytest.mark.parametrize("identifier", sorted(CATALOG.examples))
def test_every_bill_is_the_sum_of_its_lines_and_matches_its_price(identifier: str) -> None:
    comparison = answer(f"?scenario={identifier}&ratio=3&cached=40&batch=30&region=eu&cache_write=10")
    own = comparison.self_host
    assert own.usd_per_month == total_usd(own.lines)
    for each in comparison.apis:
        assert each.usd_per_month == total_usd(each.lines)
        assert each.usd_per_bundle is not None
        assert each.usd_per_month == pytest.approx(each.usd_per_bundle * own.output_mtok_per_month)


@given(
    gpu_usd=st.floats(0.5, 20),
    tps=st.floats(100, 50_000),
    ratio=st.floats(0, 30),
    cached=st.integers(0, 100),
    peak=st.integers(0, 100),
)
@settings(max_examples=60, deadline=None)
def test_at_the_break_even_both_bills_are_equal(
    gpu_usd: float, tps: float, ratio: float, cached: int, peak: int
) -> None:
    query = (
        f"?v=1&gpu=coreweave-h200&gpus=8&gpu_usd={gpu_usd:.4f}&tps={tps:.2f}&ratio={ratio:.3f}&cached={cached}"
        f"&peak={peak}&hours=730&api={AUTO}"
    )
    first = answer(f"{query}&util=50")
    utilization = first.apis[0].break_even.utilization
    assert utilization is not None
    assert first.apis[0].break_even.reachable == (utilization <= 1)
    if utilization <= 1:
        even = answer(f"{query}&util={utilization * 100:.12f}")
        assert even.apis[0].usd_per_month == pytest.approx(even.self_host.usd_per_month)
        assert even.apis[0].winner == "tie"


def test_dearer_apis_lower_the_break_even_and_dearer_gpus_raise_it() -> None:
    prices = [break_even_percent(f"?api=custom:Own:0::{usd}", f"custom:Own:0::{usd}") for usd in (0.5, 0.8, 1.2, 3)]
    assert all(dearer < cheaper for cheaper, dearer in pairwise(prices))
    rents = [break_even_percent(f"?scenario=deepinfer-128&gpu_usd={usd}", OFF_PEAK) for usd in (2, 5, 9, 15)]
    assert all(cheaper < dearer for cheaper, dearer in pairwise(rents))


def test_cost_per_token_falls_with_utilization() -> None:
    costs = [answer(f"?util={percent}").self_host.usd_per_mtok or 0 for percent in (1, 20, 50, 100)]
    assert costs == sorted(costs, reverse=True)


def test_units_scale_the_bill_and_the_capacity_alike() -> None:
    one, three = answer("?scenario=deepinfer-16"), answer("?scenario=deepinfer-16&units=3")
    assert three.self_host.usd_per_month == pytest.approx(3 * one.self_host.usd_per_month)
    assert three.self_host.capacity_output_tok_s == pytest.approx(3 * one.self_host.capacity_output_tok_s)
    assert three.self_host.usd_per_mtok == pytest.approx(one.self_host.usd_per_mtok)


def test_the_basis_changes_prices_and_nothing_else() -> None:
    output, total = answer("?ratio=4&basis=output"), answer("?ratio=4&basis=total")
    assert total.self_host.usd_per_mtok == pytest.approx((output.self_host.usd_per_mtok or 0) / 5)
    for one, other in zip(output.apis, total.apis, strict=True):
        assert (one.usd_per_month, one.break_even, one.winner) == (other.usd_per_month, other.break_even, other.winner)
        assert other.usd_per_mtok == pytest.approx((one.usd_per_mtok or 0) / 5)


def test_the_curve_passes_through_every_break_even() -> None:
    comparison = answer("")
    curve = dict(cost_curve(comparison, points=200, from_utilization=0.01))
    assert max(curve) == 1
    for each in comparison.apis:
        assert each.break_even.utilization is not None
        assert curve[each.break_even.utilization] == pytest.approx(each.usd_per_mtok)


# The published numbers


def test_deepinfer_128() -> None:
    own = answer("?scenario=deepinfer-128").self_host
    assert own.usd_per_hour == pytest.approx(1_222.40)
    assert own.usd_per_hour * 24 == pytest.approx(29_337.60)
    assert own.usd_per_month == pytest.approx(880_128)
    assert own.capacity_output_tok_s == pytest.approx(740_659.2)
    assert own.binding == "decode"
    costs = [answer(f"?scenario=deepinfer-128&util={percent}").self_host.usd_per_mtok for percent in (100, 50, 20)]
    assert costs == pytest.approx([0.4585, 0.9169, 2.2923], abs=5e-5)


@pytest.mark.parametrize(
    ("change", "identifier", "percent"),
    [
        ("", OFF_PEAK, 76.41),
        ("", TOKELY, 57.31),
        ("", PEAK, 38.20),
        ("&calendar=week", AUTO, 63.23),
        ("&calendar=year", AUTO, 64.03),
        ("&ratio=4&cached=50", OFF_PEAK, 50.60),
    ],
)
def test_deepinfer_128_break_even(change: str, identifier: str, percent: float) -> None:
    assert break_even_percent(f"?scenario=deepinfer-128{change}", identifier) == pytest.approx(percent, abs=0.006)


def test_deepinfer_rack_and_smallest_unit() -> None:
    rack = answer("?scenario=deepinfer-136-rack").self_host
    assert (rack.usd_per_hour, rack.usd_per_month) == pytest.approx((1_306.40, 940_608))
    small = answer("?scenario=deepinfer-16").self_host
    assert (small.usd_per_hour, small.usd_per_month) == pytest.approx((137.60, 99_072))
    assert small.capacity_output_tok_s == pytest.approx(80_640)
    assert small.usd_per_mtok_at_full == pytest.approx(0.4740, abs=5e-5)
    assert break_even_percent("?scenario=deepinfer-16", OFF_PEAK) == pytest.approx(79.00, abs=0.006)


@pytest.mark.parametrize(
    ("rental", "percent"), [("lambda-b200", 61.5), ("lambda-b200-cluster-1y", 81.5), ("lambda-b200-cluster-2w", 90.6)]
)
def test_deepinfer_16_at_lambda(rental: str, percent: float) -> None:
    query = f"?scenario=deepinfer-16&gpu={rental}&prefill_gpu={rental}"
    assert break_even_percent(query, OFF_PEAK) == pytest.approx(percent, abs=0.06)


def test_not_reachable_says_so_and_by_how_much() -> None:
    cheap = answer("?scenario=deepinfer-16&api=custom:Cheap:0::0.30").apis[0]
    assert cheap.break_even.utilization == pytest.approx(1.58, abs=0.001)
    assert not cheap.break_even.reachable
    assert "not reachable (158 %)" in (cheap.break_even.reason or "")
    assert cheap.winner == "api"


def test_node_8xh200() -> None:
    node = answer("?scenario=node-8xh200")
    assert node.self_host.usd_per_month == pytest.approx(36_821.20)
    assert node.self_host.output_mtok_per_month == pytest.approx(788.4)
    assert node.self_host.usd_per_mtok == pytest.approx(46.70, abs=0.005)
    months = {each.id: each.usd_per_month for each in node.apis}
    assert months[OFF_PEAK] == pytest.approx(946.08)
    assert months[AUTO] == pytest.approx(1_143.18)
    assert months["openai:gpt-5.6-terra"] == pytest.approx(15_768)
    assert months["openai:gpt-5.6-sol"] == pytest.approx(28_382.40)
    assert months["anthropic:claude-sonnet-5"] == pytest.approx(14_191.20)
    assert months["anthropic:claude-opus-5"] == pytest.approx(35_478)
    assert api(node, OFF_PEAK).break_even.output_tok_s == pytest.approx(11_676, abs=0.5)
    half = answer("?scenario=node-8xh200&cached=50")
    assert api(half, OFF_PEAK).usd_per_month == pytest.approx(714, abs=0.5)


def test_eu_residency_adds_ten_percent_where_it_is_known() -> None:
    eu = answer("?scenario=node-8xh200&region=eu")
    assert api(eu, "openai:gpt-5.6-terra").usd_per_month == pytest.approx(17_344.80)
    assert api(eu, "openai:gpt-5.6-sol").usd_per_month == pytest.approx(31_220.64)
    assert api(eu, OFF_PEAK).usd_per_month == pytest.approx(946.08)
    assert any("DeepSeek" in note and "EU" in note for note in eu.notes)


def test_the_price_date_decides() -> None:
    query = "?scenario=node-8xh200&api=openai:gpt-5.6-sol&asof="
    assert answer(f"{query}2026-08-20").apis[0].usd_per_mtok == pytest.approx(50)
    assert answer(f"{query}2026-08-21").apis[0].usd_per_mtok == pytest.approx(36)


def test_own_cache_decides_at_long_inputs() -> None:
    query = "?scenario=deepinfer-128&ratio=20&cached=95"
    equal, none = answer(f"{query}&own_cached=95"), answer(f"{query}&own_cached=0")
    assert equal.self_host.binding == "decode"
    assert (none.self_host.binding, none.self_host.capacity_output_tok_s) == ("prefill", pytest.approx(192_000))
    assert api(equal, OFF_PEAK).break_even.utilization == pytest.approx(0.57, abs=0.005)
    assert api(none, OFF_PEAK).break_even.utilization == pytest.approx(2.19, abs=0.005)
    assert "reading prompts" in (api(none, OFF_PEAK).break_even.reason or "")


# Faults other tools had


def test_batch_needs_a_batch_price() -> None:
    with_batch = answer("?scenario=node-8xh200&asof=2026-11-15&batch=100&api=openai:gpt-5.6-terra").apis[0]
    assert with_batch.usd_per_mtok == pytest.approx(10)
    assert answer(f"?scenario=node-8xh200&batch=100&api={AUTO}").notes[-1].startswith("DeepSeek")


def test_a_long_request_moves_to_the_long_price_and_a_month_never_does() -> None:
    query = "?scenario=node-8xh200&api=openai:gpt-5.6-terra"
    base, at, above = (answer(f"{query}&request={tokens}").apis[0] for tokens in (4_000, 272_000, 272_001))
    assert base.usd_per_mtok == at.usd_per_mtok == answer(query).apis[0].usd_per_mtok == pytest.approx(20)
    assert above.usd_per_mtok == pytest.approx(4 * 4 + 18)


def test_cached_share_of_the_api_leaves_the_own_cost_alone() -> None:
    assert answer("?ratio=4&cached=95").self_host == answer("?ratio=4&cached=0").self_host


def test_a_missing_cached_price_is_the_input_price() -> None:
    one = answer("?ratio=4&cached=100&api=custom:Own:0.15::0.60")
    assert one.apis[0].usd_per_mtok == pytest.approx(1.20)
    assert any("no cached price" in note for note in one.notes)


def test_a_free_api_has_no_break_even() -> None:
    free = answer("?api=custom:Free:0:0:0").apis[0]
    assert (free.break_even.utilization, free.break_even.reachable, free.winner) == (None, False, "api")
    assert "free" in (free.break_even.reason or "")


def test_idle_hardware_has_no_cost_per_token() -> None:
    idle = answer("?util=0")
    assert idle.self_host.usd_per_mtok is None
    assert idle.self_host.usd_per_month == pytest.approx(880_128)
    assert any("undefined" in note and "880,128" in note for note in idle.notes)
    assert all(each.winner == "api" for each in idle.apis)


def test_whole_instances_are_billed() -> None:
    odd = answer("?scenario=deepinfer-128&gpus=65")
    assert odd.self_host.gpus == 68 + 64
    assert any("68 GPUs are billed for the 65" in note for note in odd.notes)


def test_a_node_price_is_not_multiplied_twice() -> None:
    own = answer("?v=1&asof=2026-10-25&gpu=coreweave-b200&gpus=8&tps=1000&util=50&ratio=1&hours=720").self_host
    assert own.usd_per_hour == pytest.approx(68.80)


def test_hours_apply_to_rent_and_tokens_alike() -> None:
    node = answer("?scenario=node-8xh200&hours=176")
    assert node.self_host.usd_per_month == pytest.approx(8_877.44)
    assert api(node, OFF_PEAK).break_even.output_tok_s == pytest.approx(11_676, abs=0.5)


def test_a_model_that_does_not_fit_gets_no_cost() -> None:
    with pytest.raises(NoAnswerError, match=r"does not fit.*564 GB.*614 GB"):
        answer("?scenario=node-8xh200&gpus=4")
    tight = answer("?scenario=node-8xh200&gpu=coreweave-h100")
    assert any("tight" in note and "640 GB" in note for note in tight.notes)


def test_before_the_first_known_price_there_is_no_answer() -> None:
    with pytest.raises(NoAnswerError, match=r"2025-01-01.*price date"):
        answer("?scenario=deepinfer-128&asof=2025-01-01")
    own = answer("?scenario=deepinfer-128&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash")
    assert own.apis[0].usd_per_mtok is None
    assert "2025-01-01" in (own.apis[0].break_even.reason or "")


def test_odd_inputs_are_questioned() -> None:
    assert any("single stream" in note for note in answer("?tps=40").notes)
    assert any("below every listed rent" in note for note in answer("?gpu_usd=0.01").notes)
    assert any("above every listed rent" in note for note in answer("?gpu_usd=550.4").notes)
    assert any("per token?" in note for note in answer("?api=custom:Own:0.0000001::0.0000006").notes)


def test_a_concurrency_limit_is_a_capacity_too() -> None:
    assert any("2,500 concurrent" in note for note in answer("?scenario=deepinfer-128&util=100").notes)
    assert not any("concurrent" in note for note in answer("?scenario=deepinfer-16").notes)


def test_a_full_comparison_is_fast() -> None:
    lines = "&".join(f"api=custom:Own {number}:0.1::0.{number + 1}" for number in range(11))
    scenario = decode(CATALOG, query_of(f"?{lines}&api={AUTO}&calendar=year")).scenario

    def once() -> float:
        start = time.process_time()
        cost_curve(compare(CATALOG, scenario), points=200, from_utilization=0.01)
        return time.process_time() - start

    assert min(once() for _ in range(20)) < 0.005


def test_the_curve_is_the_equation() -> None:
    own = answer("").self_host
    at_half = usd_per_bundle(
        usd_per_hour=own.usd_per_hour, capacity_output_tok_s=own.capacity_output_tok_s, utilization=0.5
    )
    assert answer("?util=50").self_host.usd_per_mtok == pytest.approx(at_half)
