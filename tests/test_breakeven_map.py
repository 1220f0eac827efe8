"""The map agrees with compare() at its points, and its sides are inputs that make a map."""

import random

import numpy as np
import pytest

from costmodel.risk.breakeven_map import BreakEvenMap, break_even_map, default_keys, map_keys, why_no_map
from costmodel.risk.outcome import outcome
from costmodel.risk.priors import priors_of
from costmodel.risk.ranges import asked_of
from costmodel.risk.riskmodel import risk_model
from costmodel.risk.settled import with_value
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


def map_of(query: str, across: str, up: str) -> BreakEvenMap:
    compared = comparison(query)
    return break_even_map(risk_model(CATALOG, compared), priors_of(CATALOG, compared), across=across, up=up)


@pytest.mark.parametrize("query", SCENARIOS)
def test_it_agrees_with_compare_at_its_points(query: str) -> None:
    compared, random_numbers = comparison(query), random.Random(query)
    model, priors = risk_model(CATALOG, compared), priors_of(CATALOG, compared)
    keys = [key for key in map_keys(model, priors) if asked_of(key).kind != "whole"]
    pairs = [default_keys(model)] + [tuple(random_numbers.sample(keys, 2)) for _ in range(5)]
    for across, up in pairs:
        if why_no_map(across, up):
            continue
        found = break_even_map(model, priors, across=across, up=up)
        for _ in range(3):
            column, row = random_numbers.randrange(200), random_numbers.randrange(200)
            values = {across: float(found.across.values[column]), up: float(found.up.values[row])}
            scenario = model.scenario
            for key, value in values.items():
                scenario = with_value(scenario, key, value)
            expected = outcome(CATALOG, scenario, api_price_percent=values.get("api_price", 100.0))
            assert found.saving_usd_per_month[row, column] == pytest.approx(
                expected.saving_usd_per_month, rel=1e-7, abs=1e-4
            )
            assert found.break_even_utilization[row, column] == pytest.approx(expected.break_even_utilization, rel=1e-7)
            ratio = expected.self_host_usd_per_month / expected.api_usd_per_month
            assert found.cost_ratio[row, column] == pytest.approx(ratio, rel=1e-7)


def test_the_published_cluster_over_utilization_and_rent() -> None:
    found = map_of(CLUSTER, "util", "gpu_usd")
    assert found.across.base == 60
    assert found.across.turns_at == pytest.approx(76.4084, abs=1e-4)
    assert found.up.turns_at == pytest.approx(6.39835, abs=1e-5)
    for axis in (found.across, found.up):
        assert axis.values[0] < min(axis.base, axis.turns_at or axis.base)
        assert axis.values[-1] > max(axis.base, axis.turns_at or axis.base)
    assert found.break_even_utilization.shape == (200, 200)
    # Down a column the rent falls, along a row the load rises: self-hosting gets cheaper beside the API.
    assert np.all(np.diff(found.cost_ratio, axis=0) > 0)
    assert np.all(np.diff(found.cost_ratio, axis=1) < 0)


def test_sides_that_make_no_map_are_refused() -> None:
    for across, up, reason in (
        ("util", "util", "the same input"),
        ("util", "demand", "one thing said in two ways"),
        ("util", "kwh", "Electricity has no effect"),
    ):
        with pytest.raises(ValueError, match=reason):
            map_of(CLUSTER, across, up)


@pytest.mark.parametrize("query", SCENARIOS)
def test_the_default_sides_are_offered(query: str) -> None:
    compared = comparison(query)
    model, priors = risk_model(CATALOG, compared), priors_of(CATALOG, compared)
    keys = map_keys(model, priors)
    assert set(default_keys(model)) <= set(keys)
    assert why_no_map(*default_keys(model)) is None
    assert "storage" not in keys or compared.scenario.storage_gb > 0


def test_without_demand_there_is_no_ratio() -> None:
    found = map_of(f"{CLUSTER}&range=util:0:90", "util", "gpu_usd")
    assert found.across.values[0] == 0
    assert np.all(np.isnan(found.cost_ratio[:, 0]))
    assert np.all(np.isfinite(found.cost_ratio[:, 1:]))


def test_the_readers_range_is_on_the_map() -> None:
    found = map_of(f"{NODE}&range=demand:100:20000", "demand", "api_price")
    assert found.across.values[0] <= 100
    assert found.across.values[-1] >= 20_000
