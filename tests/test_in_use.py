"""Every figure an answer rests on is named, with its age; what is old is marked, what was replaced is not."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.in_use import (
    Figure,
    State,
    days_since,
    figures_in_use,
    replaced_on,
    stale_limit_days,
    state_at,
    state_of,
)
from costmodel.link import decode, query_of
from costmodel.pricefiles.stale import stale_figures
from costmodel.records import Residency

CATALOG = catalog()
TODAY = date(2026, 11, 30)
QUERIES = [
    *(f"?scenario={identifier}" for identifier in sorted(CATALOG.examples)),
    "?scenario=node-8xh200&acquire=buy",
    "?scenario=node-8xh200&acquire=spot&staff=1&storage=614&egress=100&setup=9000&kv_tb=2",
    "?scenario=deepinfer-128&cur=EUR&region=eu&batch=30&api=openai:gpt-5.6-sol&request=300000&ratio=4",
    "?scenario=node-8xh200&gpu_usd=4&api=custom:Mine:0.1::0.3",
]


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def figures(query: str, today: date = TODAY) -> tuple[Figure, ...]:
    return figures_in_use(CATALOG, comparison(query), today=today)


def named(query: str, name: str, part: str = "") -> Figure:
    (found,) = [each for each in figures(query) if each.name == name and each.part == part]
    return found


@pytest.mark.parametrize("query", QUERIES)
def test_every_source_of_both_bills_is_there(query: str) -> None:
    answer = comparison(query)
    lines = [*answer.self_host.lines, *(line for api in answer.apis for line in api.lines)]
    found = figures_in_use(CATALOG, answer, today=TODAY)
    entries = {id(each.entry) for each in found}
    assert {id(entry) for line in lines for entry in line.sources} <= entries
    typed = {each.used_for for each in found if each.kind == "bill"}
    assert typed == {(line.name,) for line in answer.self_host.lines if not line.sources}


@pytest.mark.parametrize("query", QUERIES)
def test_each_figure_is_there_once_with_all_it_is_used_for(query: str) -> None:
    found = figures(query)
    keys = [(each.kind, each.record, each.name, each.part, each.value, each.unit) for each in found]
    assert len(set(keys)) == len(keys)
    for each in found:
        assert len(set(each.used_for)) == len(each.used_for)
        assert (each.entry is None) == (each.confirmed is None) == (each.record == "")


@pytest.mark.parametrize("query", QUERIES)
def test_api_prices_are_those_of_the_bill(query: str) -> None:
    answer = comparison(query)
    found = {
        (each.name, each.part): each.value
        for each in figures_in_use(CATALOG, answer, today=TODAY)
        if each.kind == "api" and not isinstance(each.entry, Residency) and each.unit == "$ per 1M tokens"
    }
    for api in answer.apis:
        offer = api.quote.choice.offer if api.quote else None
        for line in api.lines:
            if not any(isinstance(entry, Residency) for entry in line.sources):
                assert found[offer.name if offer else api.name, line.name] == line.usd_per_unit


def test_assumptions_are_those_the_comparison_asks_for() -> None:
    def names(query: str) -> set[str]:
        return {each.record for each in figures(query) if each.kind == "assumption"}

    always = {"tie_tolerance_percent", "memory_headroom_factor", "memory_tight_percent"}
    rented, bought = names("?scenario=node-8xh200"), names("?scenario=node-8xh200&acquire=buy")
    assert always <= rented & bought
    of_purchase = {"purchase_usd_per_gpu", "residual_percent", "purchase_life_months", "cost_of_capital_percent"}
    assert of_purchase <= bought
    assert not of_purchase & rented
    assert "purchase_usd_per_gpu" not in names("?scenario=node-8xh200&acquire=buy&capex=30000")
    assert "spot_interrupted_percent" in names("?scenario=node-8xh200&acquire=spot")


def test_worked_figures_of_the_cluster() -> None:
    rent = named("?scenario=deepinfer-128", "CoreWeave HGX B200")
    assert (rent.value, rent.unit, rent.record) == (8.6, "$ per GPU-hour", "coreweave-b200")
    assert rent.confirmed == date(2026, 10, 25)
    assert rent.age_days(TODAY) == 36
    peak = named("?scenario=deepinfer-128", "DeepSeek V4.1 Flash", "Output, peak")
    assert peak.value == 1.2
    assert peak.used_for == ("DeepSeek V4.1 Flash, peak", "DeepSeek V4.1 Flash")
    throughput = named("?scenario=deepinfer-128", "Throughput per GPU", "deepseek-v4.1-flash-ep64")
    assert (throughput.value, throughput.kind) == (14_466, "throughput")


def test_what_the_reader_typed_says_so() -> None:
    found = figures("?scenario=node-8xh200&gpu_usd=4&api=custom:Mine:0.1::0.3&cur=EUR&fx=0.5")
    states = {each.name: state_of(each, today=TODAY, limit_days=60) for each in found if each.entry is None}
    assert states == dict.fromkeys(("CoreWeave HGX H200 (serving)", "Throughput per GPU", "Mine", "Euro"), "typed")


def test_the_rate_of_the_catalogue_has_its_source() -> None:
    euro = named("?scenario=deepinfer-128&cur=EUR", "Euro")
    assert euro.entry is not None
    assert euro.replaced == date(2026, 10, 30)
    assert state_of(euro, today=TODAY, limit_days=60) == "replaced"


def test_a_surcharge_belongs_to_the_api_that_bears_it() -> None:
    """Models of a vendor share its surcharges: one entry, yet each has its own day of confirmation."""
    query = "?scenario=node-8xh200&region=eu&api=openai:gpt-5.6-sol&api=openai:gpt-5.6-terra"
    found = [each for each in figures(query) if each.unit == "% on the bill"]
    assert {each.record for each in found} == {"openai:gpt-5.6-sol", "openai:gpt-5.6-terra"}
    assert {each.value for each in found} == {10.0}


def test_stale_means_the_same_as_in_the_check() -> None:
    later = TODAY + timedelta(days=45)
    limit = stale_limit_days(CATALOG, today=later)
    checked = {line.split(": ")[1] for line in stale_figures(CATALOG, on=later)}
    seen: set[State] = set()
    for query in QUERIES:
        for each in figures(query, later):
            state = state_of(each, today=later, limit_days=limit)
            if each.kind in ("rental", "api", "currency") and state in ("stale", "current"):
                assert (state == "stale") == (each.record in checked), each
                seen.add(state)
    assert seen == {"stale", "current"}


@given(st.integers(0, 4_000), st.integers(0, 4_000))
def test_a_price_once_stale_stays_stale(days: int, more: int) -> None:
    def state(age_days: int) -> State:
        return state_at("rental", age_days=age_days, is_replaced=False, limit_days=60)

    if state(days) == "stale":
        assert state(days + more) == "stale"
    assert state_at("rental", age_days=days, is_replaced=True, limit_days=60) == "replaced"
    assert state_at("throughput", age_days=days, is_replaced=False, limit_days=60) == "current"


def test_an_entry_is_replaced_only_when_the_newer_one_holds() -> None:
    history = CATALOG.currencies["EUR"].history
    assert replaced_on(history, history[0], today=date(2026, 10, 29)) is None
    assert replaced_on(history, history[0], today=date(2026, 10, 30)) == date(2026, 10, 30)
    assert replaced_on(history, history[-1], today=TODAY) is None


def test_a_clock_that_is_behind_makes_nothing_younger_than_today() -> None:
    rent = named("?scenario=deepinfer-128", "CoreWeave HGX B200")
    assert rent.age_days(date(2020, 1, 1)) == 0
    assert days_since(date(2026, 1, 1), date(2026, 1, 3)) == 2
    assert replace(rent, confirmed=None).age_days(TODAY) is None
