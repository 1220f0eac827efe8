"""The outcome over the term: compare() where nothing moves, and the published numbers where something does."""

import pytest

from costmodel.compare import NoAnswerError
from costmodel.load.demand_answer import NoDemandError
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.risk.outcome import outcome, outcome_of
from tests.risk_scenarios import CATALOG, CLUSTER, HOURLY, NODE, comparison


@pytest.mark.parametrize("query", [CLUSTER, NODE, f"{CLUSTER}&util=100&ratio=4&cached=50", f"{CLUSTER}&util=0"])
def test_where_nothing_moves_it_is_the_comparison(query: str) -> None:
    compared = comparison(query)
    found, api = outcome_of(CATALOG, compared), compared.cheapest_api
    assert api is not None
    assert api.usd_per_month is not None
    assert found.winner == api.winner
    assert found.saving_usd_per_month == pytest.approx(api.usd_per_month - compared.self_host.usd_per_month)
    assert found.break_even_utilization == pytest.approx(api.break_even.utilization)
    assert found.own_share == pytest.approx(1)


def test_a_term_without_changes_is_its_month() -> None:
    short, long = (outcome_of(CATALOG, comparison(f"{CLUSTER}&term={months}")) for months in (1, 120))
    assert short == long


def test_what_does_not_fit_is_bought_on_both_sides() -> None:
    """The hybrid view's bill with the same one unit."""
    compared = comparison(f"{HOURLY}&demand=600000")
    found, mixed = outcome_of(CATALOG, compared), hybrid_answer(compared)
    assert mixed.result.units == 1
    assert 0 < mixed.own_share < 1
    assert found.own_share == pytest.approx(mixed.own_share)
    assert found.self_host_usd_per_month == pytest.approx(mixed.result.hybrid_usd_per_month)
    assert found.api_usd_per_month == pytest.approx(mixed.result.all_api_usd_per_month)


def test_a_saving_of_30_percent_survives_a_fall_of_23_percent_a_year() -> None:
    """A 30 % saving today survives an API price fall of at most 23 % a year over 36 months at 8 %."""
    query = f"{NODE}&demand=300&api=custom:Flat:0:0:66.72062659&ratio=0&acquire=reserve&reserve_off=0&term=36&wacc=8"
    assert outcome_of(CATALOG, comparison(f"{query}&api_drop=0")).saving_usd_per_month == pytest.approx(
        0.3 / 0.7 * 36_821.2, rel=1e-3
    )
    assert outcome_of(CATALOG, comparison(f"{query}&api_drop=22.5")).winner == "self_host"
    assert outcome_of(CATALOG, comparison(f"{query}&api_drop=22.8")).winner == "api"


def test_the_api_price_scales_the_api_bill_alone() -> None:
    scenario = comparison(CLUSTER).scenario
    base, dearer = outcome(CATALOG, scenario), outcome(CATALOG, scenario, api_price_percent=127.3473517298)
    assert dearer.api_usd_per_month == pytest.approx(1.273473517298 * base.api_usd_per_month)
    assert dearer.self_host_usd_per_month == pytest.approx(base.self_host_usd_per_month)
    assert dearer.winner == "tie"


def test_rents_follow_the_price_of_gpus_unless_they_are_fixed() -> None:
    def cost(query: str) -> float:
        return outcome_of(CATALOG, comparison(query)).self_host_usd_per_month

    assert cost(f"{CLUSTER}&gpu_drop=20") < cost(CLUSTER)
    for fixed in ("&acquire=reserve", "&acquire=buy"):
        assert cost(f"{CLUSTER}{fixed}&gpu_drop=20") == cost(f"{CLUSTER}{fixed}")


def test_without_an_answer_it_says_why() -> None:
    with pytest.raises(NoDemandError, match="no API with a known price"):
        outcome_of(CATALOG, comparison(f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5"))
    scenario = comparison(NODE).scenario
    with pytest.raises(NoAnswerError, match="does not fit"):
        outcome(CATALOG, scenario.model_copy(update={"gpus": 4}))
