"""Low and high of every uncertain input: from the catalogue, in bounds, with a source; or the reader's own."""

import pytest

from costmodel.risk.priors import idle_ranges, matters, own_ranges, priors_of
from costmodel.risk.ranges import Range, asked_of
from costmodel.risk.settled import settled, value_of
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


@pytest.mark.parametrize("query", SCENARIOS)
def test_every_prior_is_in_bounds_and_has_a_source(query: str) -> None:
    compared = comparison(query)
    scenario = settled(CATALOG, compared)
    priors = priors_of(CATALOG, compared)
    assert len({prior.key for prior in priors}) == len(priors) > 5
    for prior in priors:
        asked = asked_of(prior.key)
        assert asked.low <= prior.low <= prior.base <= prior.high <= asked.high
        assert prior.low < prior.high
        assert prior.base == value_of(scenario, prior.key)
        assert prior.source is not None
        assert matters(scenario, prior.key)


def test_the_load_is_what_the_reader_typed() -> None:
    by_use, by_demand = ({each.key for each in priors_of(CATALOG, comparison(query))} for query in (CLUSTER, NODE))
    assert "util" in by_use
    assert "demand" not in by_use
    assert "demand" in by_demand
    assert "util" not in by_demand


def test_what_costs_nothing_or_has_no_effect_is_not_varied() -> None:
    keys = {each.key for each in priors_of(CATALOG, comparison(NODE))}
    assert not keys & {
        "staff",
        "staff_usd",
        "kwh",
        "capex",
        "spot_off",
        "reserve_off",
        "prefill_tps",
        "own_cached",
        "peak",
    }
    more = {each.key for each in priors_of(CATALOG, comparison(f"{NODE}&staff=1&acquire=buy"))}
    assert {"staff", "staff_usd", "kwh", "capex"} <= more
    assert not more & {"gpu_usd", "gpu_drop"}


def test_proportions_and_points_come_from_the_catalogue() -> None:
    priors = {each.key: each for each in priors_of(CATALOG, comparison(f"{NODE}&staff=2&api_drop=10&eff=90"))}
    ends = {key: (prior.low, prior.high) for key, prior in priors.items()}
    assert ends["tps"] == (1875 * 0.70, pytest.approx(1875 * 1.15))
    assert ends["staff"] == (1, 4)
    assert ends["staff_usd"] == (80_000, 260_000)
    assert ends["api_drop"] == (10 - 40, 10 + 50)
    assert ends["eff"] == (pytest.approx(76.5), pytest.approx(99))


def test_the_readers_own_range_comes_first() -> None:
    compared = comparison(f"{CLUSTER}&range=tps:10000:16000&range=api_drop:0:0&range=kwh:0.1:0.2")
    priors = {each.key: each for each in priors_of(CATALOG, compared)}
    assert (priors["tps"].low, priors["tps"].high, priors["tps"].source) == (10_000, 16_000, None)
    assert priors["api_drop"].is_sure
    assert "kwh" not in priors
    assert own_ranges(compared.scenario)["kwh"] == Range("kwh", 0.1, 0.2)
    assert idle_ranges(compared.scenario, tuple(priors.values())) == ("kwh",)
