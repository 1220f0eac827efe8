"""The comparison on arrays is the comparison: input by input, against compare()."""

import random

import numpy as np
import pytest

from costmodel.purchase import annuity_usd_per_year
from costmodel.risk.outcome import outcome, outcome_of
from costmodel.risk.priors import matters
from costmodel.risk.ranges import UNCERTAIN, asked_of
from costmodel.risk.riskmodel import RiskModel, risk_model
from costmodel.risk.settled import value_of, with_value
from costmodel.risk.turning import is_offered
from costmodel.scenario import Scenario
from tests.risk_scenarios import CATALOG, CLUSTER, SCENARIOS, comparison

MODELS = {query: risk_model(CATALOG, comparison(query)) for query in SCENARIOS}
VALUES_PER_INPUT = 3
YEARLY = ("growth", "api_drop", "gpu_drop")


def values_of(model: RiskModel, key: str, random_numbers: random.Random) -> list[float]:
    """Values of an input inside its bounds, around that of the scenario."""
    asked, base = asked_of(key), value_of(model.scenario, key) or 50.0
    spans = (-40.0, 60.0) if key in YEARLY else (base / 2, base * 1.6)
    values = [min(max(random_numbers.uniform(*spans), asked.low), asked.high) for _ in range(VALUES_PER_INPUT)]
    return [round(value) if asked.kind == "whole" else value for value in values]


@pytest.mark.parametrize("query", SCENARIOS)
def test_without_changes_it_is_the_outcome(query: str) -> None:
    expected, month = outcome_of(CATALOG, comparison(query)), MODELS[query].month({})
    assert float(month.saving_usd) == pytest.approx(expected.saving_usd_per_month, rel=1e-9)
    assert float(month.self_host_usd) == pytest.approx(expected.self_host_usd_per_month, rel=1e-9)
    assert float(month.own_usd / month.full_usd) == pytest.approx(expected.break_even_utilization, rel=1e-9)


def has_effect(scenario: Scenario, key: str) -> bool:
    return is_offered(scenario, key) and (key in ("util", "demand") or matters(scenario, key))


@pytest.mark.parametrize(
    ("query", "key"),
    [(query, key) for query in SCENARIOS for key in UNCERTAIN if has_effect(MODELS[query].scenario, key)],
)
def test_every_input_changes_it_as_it_changes_compare(query: str, key: str) -> None:
    model = MODELS[query]
    values = values_of(model, key, random.Random(f"{query} {key}"))
    found = np.broadcast_to(model.month({key: np.array(values)}).saving_usd, (VALUES_PER_INPUT,))
    for value, saving in zip(values, found, strict=True):
        changed = with_value(model.scenario, key, value)
        expected = outcome(CATALOG, changed, api_price_percent=value if key == "api_price" else 100)
        assert saving == pytest.approx(expected.saving_usd_per_month, rel=1e-7, abs=1e-4)


def test_every_uncertain_input_was_tried() -> None:
    assert {key for key in UNCERTAIN for model in MODELS.values() if has_effect(model.scenario, key)} == set(UNCERTAIN)


@pytest.mark.parametrize("query", SCENARIOS)
def test_several_inputs_at_once_too(query: str) -> None:
    model, random_numbers = MODELS[query], random.Random(query)
    load = "util" if model.scenario.demand_output_tok_s is None else "demand"
    keys = [load, "tps", "eff", "ratio", "cached", "growth", "api_drop", "staff_usd", "kwh"]
    values = {key: values_of(model, key, random_numbers)[0] for key in keys}
    scenario = model.scenario
    for key, value in values.items():
        scenario = with_value(scenario, key, value)
    expected = outcome(CATALOG, scenario, api_price_percent=110).saving_usd_per_month
    assert float(model.month({**values, "api_price": 110.0}).saving_usd) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("query", SCENARIOS)
def test_another_fleet_meets_the_same_demand(query: str) -> None:
    model = MODELS[query]
    rented = model.scenario.units
    scenario, served = model.scenario, model.comparison.self_host.output_tok_s
    if scenario.demand_output_tok_s is None:
        scenario = with_value(scenario, "demand", served)
    for units in (rented, rented + 1, 2 * rented + 3):
        expected = outcome(CATALOG, scenario.model_copy(update={"units": units})).saving_usd_per_month
        assert float(model.month({}, units=units).saving_usd) == pytest.approx(expected, rel=1e-9)


def test_each_draw_takes_its_own_cheapest_api() -> None:
    query = f"{CLUSTER}&api=custom:Cheap_input:0.05:0.05:1&api=custom:Cheap_output:0.5:0.5:0.4&cached=0"
    model, ratios = risk_model(CATALOG, comparison(query)), np.array([0.0, 0.5, 1.0, 2.0, 8.0])
    found = model.month({"ratio": ratios}).api_usd
    outcomes = [outcome(CATALOG, with_value(model.scenario, "ratio", ratio)) for ratio in ratios]
    assert len({each.api_id for each in outcomes}) == 2
    assert list(found) == pytest.approx([each.api_usd_per_month for each in outcomes])


def test_without_interest_a_purchase_is_spread_evenly() -> None:
    model = risk_model(CATALOG, comparison(f"{CLUSTER}&acquire=buy&capex=30000&residual=10&life=36&maint=0&kw=0"))
    for rate in (0.0, 1e-9, 8.0, 100.0):
        expected = annuity_usd_per_year(
            purchase_usd=30_000, residual_usd=3_000, cost_of_capital_share=rate / 100, life_years=3
        )
        assert float(model.month({"wacc": rate}).own_usd) == pytest.approx(128 * expected / 12, rel=1e-6)
