"""Own the base, rent the peak, end to end: never dearer than either pure way, and the worked weeks."""

import time
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.hybrid import hybrid
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import NoDemandError, demand_answer
from costmodel.load.hybrid_answer import HybridReport, hybrid_answer
from costmodel.load.profile import profile_text

CATALOG = catalog()
CLUSTER, NODE, SMALL = "?scenario=deepinfer-128", "?scenario=node-8xh200", "?scenario=deepinfer-16"
FLASH = "deepseek:deepseek-flash"


def report(query: str) -> HybridReport:
    opened = decode(CATALOG, query_of(query))
    assert opened.problems == (), opened.problems
    return hybrid_answer(compare(CATALOG, opened.scenario))


def two_levels(busy_hours: int) -> str:
    return profile_text([700.0] * busy_hours + [200.0] * (168 - busy_hours))


# Properties


@settings(max_examples=60, deadline=None)
@given(
    st.floats(1_000, 5e6),
    st.sampled_from(["flat", "business", "diurnal", f"imported&profile={two_levels(60)}"]),
    st.sampled_from(["week", "year", "2026-10"]),
    st.integers(0, 100),
    st.integers(0, 2),
    st.sampled_from(["", "&slots=64", "&schedule=scheduled&prewarm=0.5", "&batch=30", "&peak=40"]),
)
def test_the_mix_is_never_dearer_than_either_pure_way_and_serves_every_token(
    demand: float, traffic: str, calendar: str, defer: int, spare: int, more: str
) -> None:
    query = f"{SMALL}&demand={demand:.3f}&traffic={traffic}&calendar={calendar}&defer={defer}&spare={spare}{more}"
    found = report(query)
    result = found.result
    assert result.hybrid_usd_per_month <= result.all_api_usd_per_month * (1 + 1e-12)
    assert result.hybrid_usd_per_month <= result.all_own_usd_per_month * (1 + 1e-12)
    own, api = (sum(map(mul, found.served.hour_shares, each)) for each in (result.own_tok_s, result.api_tok_s))
    assert own + api + result.deferred_to_api_tok_s == pytest.approx(found.served.mean_output_tok_s)
    assert 0 <= found.own_share <= 1
    if found.scheduled is None:
        assert (found.cheapest == "all_api") == (result.units == 0)


@pytest.mark.parametrize("traffic", ["flat", "business", "diurnal"])
@pytest.mark.parametrize("calendar", ["week", "year", "2026-02"])
@pytest.mark.parametrize(
    "more", ["", "&region=eu", "&peak=35", "&batch=30&api=openai:gpt-5.6-sol", "&cached=50&ratio=4"]
)
def test_all_api_hour_by_hour_is_the_bill_of_the_mean_price(traffic: str, calendar: str, more: str) -> None:
    query = f"{NODE}&traffic={traffic}&tz=Europe/Berlin&calendar={calendar}{more}"
    query += "" if "api=" in more else f"&api={FLASH}"
    comparison = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    by_hour, by_mean = hybrid_answer(comparison), demand_answer(comparison)
    assert by_mean.compared is not None
    assert by_hour.result.all_api_usd_per_month == pytest.approx(by_mean.compared.view.answer.api_usd_per_month)


def test_tokens_that_can_wait_only_lower_the_bills() -> None:
    bills = [report(f"{SMALL}&demand=300000&traffic=diurnal&defer={percent}").result for percent in (0, 25, 50, 100)]
    for ways in ("hybrid_usd_per_month", "all_own_usd_per_month", "all_api_usd_per_month"):
        found = [getattr(each, ways) for each in bills]
        assert found == sorted(found, reverse=True)


# Worked numbers


@pytest.mark.parametrize(("busy_hours", "level"), [(100, 200_000), (130, 700_000)])
def test_a_two_level_week(busy_hours: int, level: float) -> None:
    """59.5 % of the hours are below the 76.4 % that pay: own the base only; 77.4 % are above: own the peak too."""
    found = report(
        f"{CLUSTER}&traffic=imported&profile={two_levels(busy_hours)}&demand=700000&demand_at=busiest"
        "&api=custom:Flat:0::0.6"
    )
    assert found.result.break_even_share == pytest.approx(0.764, abs=5e-4)
    assert found.result.best_level_tok_s == pytest.approx(level)
    assert found.steps[-1].worth_share == pytest.approx(busy_hours / 168)


def test_a_demand_above_one_unit_owns_one_and_buys_the_rest() -> None:
    """159,340.8 tok/s of 900,000 are left to the API at 0.725."""
    found = report(f"{CLUSTER}&demand=900000")
    assert (found.result.units, found.result.all_own_units, found.cheapest) == (1, 2, "hybrid")
    left = (900_000 - 740_659.2) * 3600e-6 * 720 * 0.725
    assert found.result.hybrid_usd_per_month == pytest.approx(880_128 + left)
    assert found.result.all_own_usd_per_month == pytest.approx(2 * 880_128)


def test_a_window_line_stands_for_its_vendors_price_of_each_hour() -> None:
    """The cheapest line holds off-peak only; the API above the owned units must be bought at all hours."""
    found = report(f"{CLUSTER}&demand=900000")
    assert (found.api_id, found.is_hour_by_hour) == (FLASH, False)
    alone = report(f"{CLUSTER}&demand=900000&api={FLASH}@off_peak")
    assert (alone.api_id, alone.is_hour_by_hour) == (FLASH, True)
    assert alone.result == found.result
    chosen = report(f"{CLUSTER}&demand=900000&against=tokely:deepseek-v4.1-flash")
    assert chosen.api_id == "tokely:deepseek-v4.1-flash"


def test_dear_hours_are_worth_owning_first() -> None:
    """Flash costs twice as much in 35 of 168 hours: a tok/s busy in those alone earns 2·35/(168 + 35) of the whole."""
    peak = [0.0] * 168
    for day in range(5):
        for hour in (1, 2, 3, 6, 7, 8, 9):
            peak[day * 24 + hour] = 1.0
    found = report(f"{CLUSTER}&traffic=imported&profile={profile_text(peak)}&demand=1000&api={FLASH}")
    assert [step.worth_share for step in found.steps] == [pytest.approx(70 / 203)]


def test_batch_tokens_fill_idle_hours_where_the_vendor_sells_batch() -> None:
    sold = report(f"{NODE}&asof=2026-11-15&batch=50&api=openai:gpt-5.6-terra")
    assert sold.deferrable_share == pytest.approx(0.5)
    assert sold.week.deferrable_usd_per_bundle == pytest.approx(10)
    assert report(f"{NODE}&batch=50&api={FLASH}").deferrable_share == 0


# Faults


def test_without_demand_or_price_there_is_no_mix() -> None:
    with pytest.raises(NoDemandError, match="no tokens are served"):
        report(f"{CLUSTER}&util=0")
    with pytest.raises(NoDemandError, match="no API with a known price"):
        report(f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash")


def test_a_free_api_takes_everything() -> None:
    free = report(f"{CLUSTER}&demand=900000&api=custom:Free:0:0:0")
    assert (free.cheapest, free.result.units, free.steps) == ("all_api", 0, ())


def test_a_scheduled_fleet_is_shown_beside_the_mix() -> None:
    found = report(f"{NODE}&traffic=business&busy_days=22&demand_at=busiest&schedule=scheduled&prewarm=0.5")
    assert found.scheduled is not None
    assert found.scheduled.usd_per_month == pytest.approx(9_432.28)
    assert report(NODE).scheduled is None
    assert found.cheapest == "all_api"


def test_a_fleet_that_is_switched_off_may_be_the_cheapest_of_all() -> None:
    query = f"{SMALL}&traffic=imported&profile={two_levels(70)}&tz=UTC&demand=400000&api=tokely:deepseek-v4.1-flash"
    always, scheduled = report(query), report(f"{query}&schedule=scheduled&prewarm=0.5")
    assert always.cheapest == "hybrid"
    assert scheduled.cheapest == "all_own_scheduled"
    assert scheduled.scheduled is not None
    assert scheduled.scheduled.usd_per_month < scheduled.result.hybrid_usd_per_month


def test_the_mix_of_a_scenario_takes_less_than_two_milliseconds() -> None:
    query = f"{CLUSTER}&demand=900000&traffic=diurnal&tz=Europe/Berlin&calendar=year"
    found = report(query)
    own = compare(CATALOG, decode(CATALOG, query_of(query)).scenario).self_host
    took = []
    for _ in range(30):
        started = time.process_time()
        hybrid(
            found.week,
            unit_usd_per_hour=own.usd_per_hour,
            unit_tok_s=own.capacity_output_tok_s,
            hours_per_month=720,
        )
        took.append(time.process_time() - started)
    assert min(took) < 0.002
