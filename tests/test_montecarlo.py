"""Monte Carlo: the same seed, the same draws; one fleet; P that follows the prices; compare() in every draw."""

from functools import cache

import numpy as np
import pytest

from costmodel.compare import compare
from costmodel.risk.montecarlo import DRAWS, MonteCarlo, draw, fleet_sizes, monte_carlo, triangular
from costmodel.risk.outcome import outcome, outcome_of
from costmodel.risk.priors import Prior, priors_of
from costmodel.risk.riskmodel import risk_model
from costmodel.risk.settled import with_value
from tests.risk_scenarios import CATALOG, CLUSTER, HOURLY, NODE, SCENARIOS, comparison

UNSURE = (*SCENARIOS, f"{HOURLY}&demand=500000&ratio=4&cached=50&own_cached=40")


@cache
def drawn(query: str) -> MonteCarlo:
    return monte_carlo(CATALOG, comparison(query))


def all_sure(query: str) -> str:
    ends = (f"&range={prior.key}:{prior.base:.9f}:{prior.base:.9f}" for prior in priors_of(CATALOG, comparison(query)))
    return query + "".join(ends)


@pytest.mark.parametrize("query", UNSURE)
def test_the_seed_decides_the_draws(query: str) -> None:
    again, other = monte_carlo(CATALOG, comparison(query)), monte_carlo(CATALOG, comparison(f"{query}&seed=2"))
    assert np.array_equal(again.savings_usd_per_month, drawn(query).savings_usd_per_month)
    assert not np.array_equal(again.savings_usd_per_month, other.savings_usd_per_month)
    assert other.rented.win_share == pytest.approx(again.rented.win_share, abs=0.03)
    assert again.draws == DRAWS


@pytest.mark.parametrize("query", SCENARIOS)
def test_each_draw_is_a_comparison(query: str) -> None:
    compared = comparison(query)
    model, priors, found = risk_model(CATALOG, compared), priors_of(CATALOG, compared), drawn(query)
    values = draw(priors, seed=model.scenario.seed, cached_base=model.scenario.cached_percent)
    whole = {"life"}  # months: a draw may lie between two of them, a scenario may not
    if whole & set(values):
        values |= {key: np.round(values[key]) for key in whole}
        savings = model.month(values).saving_usd
    else:
        savings = found.savings_usd_per_month
    for index in (0, 1, 4_999, 9_999):
        scenario = model.scenario
        for key in values:
            scenario = with_value(scenario, key, float(values[key][index]))
        expected = outcome(CATALOG, scenario, api_price_percent=float(values["api_price"][index]))
        assert savings[index] == pytest.approx(expected.saving_usd_per_month, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("query", [CLUSTER, NODE, f"{CLUSTER}&util=90", f"{NODE}&demand=14000&acquire=buy&staff=0.5"])
def test_where_nothing_is_uncertain_it_is_the_verdict(query: str) -> None:
    compared, found = comparison(query), monte_carlo(CATALOG, comparison(all_sure(query)))
    api, base = compared.cheapest_api, outcome_of(CATALOG, compared)
    assert api is not None
    assert found.rented.win_share == (1.0 if base.winner == "self_host" else 0.0)
    assert found.rented.mean_saving_usd_per_month == pytest.approx(base.saving_usd_per_month, rel=1e-6)
    assert found.break_even_utilization is not None
    assert found.break_even_utilization.low == pytest.approx(base.break_even_utilization, rel=1e-6)
    if "demand" not in query:
        assert (api.winner == "self_host") == (found.rented.win_share == 1)


def test_a_dearer_api_never_lowers_the_chance() -> None:
    shares = [
        drawn(f"{CLUSTER}&range=api_price:{percent}:{percent}").rented.win_share
        for percent in (50, 80, 100, 125, 160, 300)
    ]
    assert shares == sorted(shares)
    assert shares[0] < 0.05
    assert shares[-1] > 0.95


@pytest.mark.parametrize("query", UNSURE)
def test_hindsight_overstates_the_chance(query: str) -> None:
    found = drawn(query)
    assert found.rented in found.fleets
    assert found.hindsight_share >= max(fleet.win_share for fleet in found.fleets)
    assert found.best_fleet.mean_saving_usd_per_month >= found.rented.mean_saving_usd_per_month
    for fleet in found.fleets:
        spread = fleet.saving_usd_per_month
        assert spread.low <= spread.middle <= spread.high


def test_hindsight_is_more_than_the_chance_of_the_fleet_that_is_decided_on() -> None:
    found = drawn(f"{NODE}&demand=60000&units=4&range=demand:12000:120000&range=api_price:70:110")
    assert found.hindsight_share > found.rented.win_share + 0.05


@pytest.mark.parametrize("query", UNSURE)
def test_what_does_not_fit_is_bought(query: str) -> None:
    found = drawn(query)
    assert 0 < found.own_share <= 1 + 1e-9
    assert 0 <= found.unreachable_share <= 1
    assert 0 <= found.rented.win_share + found.tie_share <= 1


def test_a_free_api_always_wins_and_has_no_break_even() -> None:
    found = drawn(f"{CLUSTER}&api=custom:Free:0:0:0")
    assert (found.rented.win_share, found.break_even_utilization, found.unreachable_share) == (0, None, 1)


def test_one_prior_leaves_the_draws_of_the_others() -> None:
    some = (Prior("tps", "", "", 1, 2, 3, None), Prior("util", "", "", 10, 20, 30, None))
    other = (Prior("util", "", "", 10, 20, 30, None), Prior("eff", "", "", 10, 20, 30, None))
    assert np.array_equal(draw(some, seed=7)["util"], draw(other, seed=7)["util"])
    assert not np.array_equal(draw(some, seed=7)["util"], draw(some, seed=8)["util"])


def test_the_own_cache_follows_that_of_the_api() -> None:
    compared = comparison(f"{CLUSTER}&ratio=8&cached=60&own_cached=40")
    values = draw(priors_of(CATALOG, compared), seed=1, cached_base=60)
    assert np.corrcoef(values["cached"], values["own_cached"])[0, 1] > 0.3
    typed = draw(
        priors_of(CATALOG, comparison(f"{CLUSTER}&ratio=8&cached=60&own_cached=40&range=own_cached:20:60")), seed=1
    )
    assert abs(np.corrcoef(typed["cached"], typed["own_cached"])[0, 1]) < 0.05


def test_a_triangle_has_its_ends_its_mean_and_its_peak() -> None:
    uniform = np.random.default_rng(1).random(200_000)
    for low, base, high in ((0, 10, 40), (-40, 0, 50), (5, 5, 9), (5, 9, 9)):
        values = triangular(low=low, base=base, high=high, uniform=uniform)
        assert low <= values.min() <= values.max() <= high
        assert values.mean() == pytest.approx((low + base + high) / 3, abs=0.1)
        assert np.mean(values < base) == pytest.approx((base - low) / (high - low), abs=0.01)
    assert set(triangular(low=3, base=3, high=3, uniform=uniform[:9])) == {3}
    assert triangular(low=10, base=50, high=20, uniform=uniform).mean() == pytest.approx(50 / 3, abs=0.1)


@pytest.mark.parametrize("rented", [1, 2, 3, 5, 6, 7, 10, 64, 1000])
def test_six_fleets_hold_the_rented_one(rented: int) -> None:
    sizes = fleet_sizes(rented)
    assert len(set(sizes)) == 6
    assert list(sizes) == sorted(sizes)
    assert rented in sizes
    assert sizes[0] >= 1


def test_progress_is_told_fleet_by_fleet() -> None:
    told: list[float] = []
    monte_carlo(CATALOG, comparison(NODE), draws=50, progress=told.append)
    assert told == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1])


def test_the_seed_of_the_link_is_used() -> None:
    assert compare(CATALOG, comparison(f"{NODE}&seed=7").scenario).scenario.seed == drawn(f"{NODE}&seed=7").seed == 7
