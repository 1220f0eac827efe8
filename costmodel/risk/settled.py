"""A scenario in which every uncertain input is a typed number, so that one of them can be changed and nothing else."""

from math import isclose
from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.defaults import ASSUMED_BY, given
from costmodel.gpu_prices import gpu_price
from costmodel.risk.ranges import API_PRICE
from costmodel.scenario import INPUTS, Scenario
from costmodel.units import PERCENT
from costmodel.workload import share

DISCOUNT_OF = {"reserve": "reserve_off", "spot": "spot_off"}
"""The discount of a way to rent, by link key."""


def settled(catalog: Catalog, comparison: Comparison) -> Scenario:
    """The scenario with prices, throughput and assumptions written out as what they came to.

    A list price becomes a typed price, an assumption a typed value, and a throughput that follows from a promised speed
    becomes that throughput. It compares like the original: a property the tests hold.
    """
    scenario = comparison.scenario
    values: dict[str, Any] = {key: _typed(key, given(catalog, scenario, key).value) for key in ASSUMED_BY}
    values |= {"slo": None, "bench": None, "loads": None, "accept": None}
    values["tps"] = comparison.self_host.throughput.output_tok_s_per_gpu
    keys = ("gpu_usd",) if scenario.prefill_gpu is None else ("prefill_gpu_usd", "gpu_usd")
    pools = dict(zip(keys, comparison.self_host.pools, strict=True))
    values |= {key: pool.usd_per_gpu_hour for key, pool in pools.items()}
    discount = DISCOUNT_OF.get(scenario.acquire)
    if discount is not None:
        paid = {key: gpu_price(catalog, scenario, pool)[0].usd_per_gpu_hour for key, pool in pools.items()}
        kept = 1 - share(values[discount])
        if not all(isclose(paid[key], pool.usd_per_gpu_hour * kept) for key, pool in pools.items()):
            # A price that is the reserved or spot price itself: the discount is in it already.
            values |= {**paid, discount: 0.0}
    return scenario.model_copy(update={INPUTS[key].name: value for key, value in values.items()})


def with_value(scenario: Scenario, key: str, value: float) -> Scenario:
    """The scenario with one input changed. The API price is none: it is scaled after the comparison."""
    if key == API_PRICE:
        return scenario
    update: dict[str, Any] = {INPUTS[key].name: _typed(key, value)}
    if key == "reserve_off":
        update["acquire"] = "reserve"
    elif key == "util":
        update["demand_output_tok_s"] = None
    elif key == "demand" and scenario.demand_output_tok_s is None:
        update["demand_at"] = "mean"
    return scenario.model_copy(update=update)


def value_of(scenario: Scenario, key: str) -> float | None:
    """An input's value in a settled scenario; None where it has none: no demand typed, a peak share that is counted."""
    if key == API_PRICE:
        return PERCENT
    if key == "reserve_off" and scenario.acquire == "rent":
        return 0.0
    value = getattr(scenario, INPUTS[key].name)
    return None if value is None or value == "auto" else float(value)


def _typed(key: str, value: float) -> float:
    return round(value) if INPUTS[key].kind == "whole" else value
