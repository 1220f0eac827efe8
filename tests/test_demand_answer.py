"""The reader's demand end to end: a link in, units, bills and turning points out."""

import math
import time
from typing import Any

import pytest

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import ApiAtDemand, DemandReport, NoDemandError, demand_answer

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
OFF_PEAK = "deepseek:deepseek-flash@off_peak"
OFFICE = "traffic=business&tz=Europe/Berlin&busy_days=22&demand_at=busiest&prewarm=0.5"


def report(query: str) -> DemandReport:
    opened = decode(CATALOG, query_of(query))
    assert opened.problems == (), opened.problems
    return demand_answer(compare(CATALOG, opened.scenario))


def against(found: DemandReport, identifier: str) -> ApiAtDemand:
    return next(each for each in found.apis if each.api.id == identifier)


# Properties

VARIATIONS = [
    "",
    "&traffic=business&calendar=year&schedule=scheduled&prewarm=1",
    "&traffic=diurnal&tz=Asia/Tokyo&calendar=2026-02&slots=64&spare=1",
    "&units=3&basis=total&ratio=4&cached=50",
    "&batch=40&region=eu&api=openai:gpt-5.6-sol",
]


@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize("demand", [1, 5_000, 2_000_000])
def test_the_bills_are_what_the_tokens_cost(variation: str, demand: float) -> None:
    query = f"{CLUSTER}&demand={demand}{variation}"
    found = report(query)
    comparison = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    months = found.week.mean_output_tok_s * 3600e-6 * comparison.scenario.hours_per_month
    for each in found.apis:
        assert each.view.answer.api_usd_per_month == pytest.approx((each.api.usd_per_bundle or 0) * months)
        assert each.view.answer.self_host_usd_per_month == pytest.approx(found.fleet.usd_per_month)
    bundles = months * (1 + comparison.scenario.input_per_output if comparison.scenario.basis == "total" else 1)
    assert found.fleet.usd_per_mtok * bundles == pytest.approx(found.fleet.usd_per_month)
    unit_usd = comparison.self_host.unit_usd_per_hour
    assert found.fleet.usd_per_month == pytest.approx(found.fleet.hours_paid_per_month * unit_usd)


@pytest.mark.parametrize("variation", VARIATIONS)
def test_scheduled_never_costs_more_than_always_on(variation: str) -> None:
    found = report(f"{CLUSTER}&demand=900000{variation}")
    bills = {each.mode: each.usd_per_month for each in (found.fleet, found.other_fleet)}
    assert bills["scheduled"] <= bills["always"] * (1 + 1e-9)
    assert set(bills) == {"always", "scheduled"}


@pytest.mark.parametrize("units", [1, 2, 7])
def test_the_units_of_the_sidebar_move_only_where_they_fall_short(units: int) -> None:
    one, many = report(f"{CLUSTER}&demand=900000"), report(f"{CLUSTER}&demand=900000&units={units}")
    assert many.fleet.usd_per_month == pytest.approx(one.fleet.usd_per_month)
    assert (many.short_hours_per_month > 0) == (units == 1)


def test_no_figure_is_nan_or_infinite() -> None:
    def numbers(value: Any) -> list[float]:
        if isinstance(value, float):
            return [value]
        fields = vars(value).values() if hasattr(value, "__dict__") else value
        return [each for part in fields for each in numbers(part)] if not isinstance(value, str | int | None) else []

    for demand in ("0.001", "1000000000"):
        found = report(f"{CLUSTER}&demand={demand}")
        for each in (found.fleet, found.other_fleet, *(api.view.answer for api in found.apis)):
            assert all(math.isfinite(value) for value in numbers(each))


# Published numbers


def test_a_node_at_300_tok_s() -> None:
    """pikas.systems, September 2026: 46.70 $ a bundle; 11,676 tok/s turns it, 300 are 2.57 % of that."""
    found = report(NODE)
    assert found.is_typed
    assert (found.fleet.units, found.fleet.usd_per_mtok) == (1, pytest.approx(46.70, abs=0.005))
    assert found.fleet.usd_per_month == pytest.approx(36_821.20)
    assert found.compared is not None
    assert found.compared.api.id == OFF_PEAK
    view = found.compared.view
    assert view.turns_at_tok_s == pytest.approx(11_676, abs=0.5)
    assert view.answer.demand_over_break_even == pytest.approx(0.0257, abs=5e-5)
    assert view.answer.api_usd_per_month == pytest.approx(946.08)
    assert found.compared.winner == "api"


def test_demand_above_one_unit_means_two() -> None:
    found = report(f"{CLUSTER}&demand=900000")
    assert found.demand_in_units == pytest.approx(1.215, abs=5e-4)
    assert (found.fleet.units, found.fleet.units_paid) == (2, 2)
    assert found.fleet.usd_per_mtok == pytest.approx(0.7546, abs=5e-5)
    assert found.fleet.utilization == pytest.approx(0.6076, abs=5e-5)
    assert (found.short_hours_per_month, found.short_output_tok_s) == (
        pytest.approx(720),
        pytest.approx(900_000 - 740_659.2),
    )


def test_whole_units_win_without_gaps_from_four_and_from_two() -> None:
    """76.4 % against 0.60, 50.6 % against 0.906 (4:1, half cached)."""
    output_only = against(report(f"{CLUSTER}&demand=900000"), OFF_PEAK).view
    assert (output_only.ahead_from_units, len(output_only.gaps)) == (4, 3)
    assert output_only.gaps[0] == (pytest.approx(740_659.2), pytest.approx(2 * 565_926, abs=1))
    mixed = against(report(f"{CLUSTER}&demand=900000&ratio=4&cached=50"), OFF_PEAK).view
    assert (mixed.ahead_from_units, len(mixed.gaps)) == (2, 1)


def test_eight_hours_on_twenty_two_days() -> None:
    """190.08M output: API 228.10 $, the node 36,821 $ always on, 9,432 $ scheduled with half an hour to warm up."""
    always, scheduled = report(f"{NODE}&{OFFICE}"), report(f"{NODE}&{OFFICE}&schedule=scheduled")
    assert always.week.mean_output_tok_s * 3600e-6 * 730 == pytest.approx(190.08)
    assert against(always, OFF_PEAK).view.answer.api_usd_per_month == pytest.approx(228.10, abs=0.005)
    assert always.fleet.usd_per_month == pytest.approx(36_821.20)
    assert scheduled.fleet.usd_per_month == pytest.approx(9_432.28)
    assert scheduled.fleet.hours_paid_per_month == pytest.approx(187)
    assert always.other_fleet.usd_per_month == pytest.approx(scheduled.fleet.usd_per_month)


def test_slots_set_the_planning_limit() -> None:
    """Erlang C, 5 % may wait: 64 slots 79 %, 1,024 slots 95 %."""
    few, many = report(f"{CLUSTER}&demand=700000&slots=64"), report(f"{CLUSTER}&demand=700000&slots=1024")
    assert few.fleet.supply.planning_limit == pytest.approx(0.79, abs=0.005)
    assert many.fleet.supply.planning_limit == pytest.approx(0.95, abs=0.005)
    assert (few.fleet.units, many.fleet.units) == (2, 1)
    assert report(f"{CLUSTER}&demand=700000").fleet.supply.planning_limit == 1


def test_office_hours_always_on_can_never_win() -> None:
    """A load factor of 23.8 % is below the break-even of 50.6 %."""
    found = report(f"{CLUSTER}&demand=900000&ratio=4&cached=50&traffic=business")
    view = against(found, OFF_PEAK).view
    assert view.turns_at_tok_s is None
    assert "not reachable at any demand" in (view.reason or "")
    scheduled = report(f"{CLUSTER}&demand=900000&ratio=4&cached=50&traffic=business&schedule=scheduled&prewarm=0.5")
    assert against(scheduled, OFF_PEAK).view.turns_at_tok_s is not None


# Faults


def test_the_reader_chooses_the_api_to_compare_with() -> None:
    chosen = report(f"{CLUSTER}&against=tokely:deepseek-v4.1-flash")
    assert chosen.compared is not None
    assert chosen.compared.api.id == "tokely:deepseek-v4.1-flash"
    assert [each.api.usd_per_mtok for each in chosen.apis] == sorted(each.api.usd_per_mtok or 0 for each in chosen.apis)


def test_without_demand_and_without_use_there_is_nothing_to_plan() -> None:
    with pytest.raises(NoDemandError, match="no tokens are served"):
        report(f"{CLUSTER}&util=0")
    assert not report(CLUSTER).is_typed
    assert report(f"{CLUSTER}&util=0&demand=300").fleet.units == 1


def test_without_a_known_price_the_units_are_still_told() -> None:
    found = report(
        f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash&demand=900000"
    )
    assert (found.apis, found.compared, found.fleet.units) == ((), None, 2)


def test_a_term_contract_cannot_be_switched_off() -> None:
    on_demand = report(f"{NODE}&{OFFICE}&schedule=scheduled")
    term = report(f"{NODE}&{OFFICE}&schedule=scheduled&gpu=lambda-b200-cluster-1y&asof=2026-11-01")
    assert not any("rented for a term" in note for note in on_demand.notes)
    assert any("rented for a term (cluster)" in note and "save nothing" in note for note in term.notes)


def test_an_apis_own_limit_is_told_at_the_busiest_hour() -> None:
    quiet, busy = report(f"{CLUSTER}&demand=400000"), report(f"{CLUSTER}&demand=400000&traffic=business")
    assert quiet.notes == ()
    assert "2,500 concurrent requests" in busy.notes[0]


def test_the_whole_demand_answer_takes_less_than_twenty_milliseconds() -> None:
    query = f"{CLUSTER}&demand=5000000&traffic=diurnal&tz=Europe/Berlin&calendar=year&schedule=scheduled&prewarm=0.5"
    comparison = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    took = []
    for _ in range(15):
        started = time.process_time()
        demand_answer(comparison)
        took.append(time.process_time() - started)
    assert min(took) < 0.020
