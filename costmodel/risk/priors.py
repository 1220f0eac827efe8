"""How low and how high each uncertain input may turn out: the reader's own range, or that of the catalogue."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.dated import in_force
from costmodel.defaults import ASSUMED_BY
from costmodel.records import Assumed
from costmodel.risk.ranges import API_PRICE, UNCERTAIN, Range, asked_of, parse_range
from costmodel.risk.settled import DISCOUNT_OF, settled, value_of
from costmodel.scenario import Scenario

_RELATIVE_TO = {
    API_PRICE: "api_price_low_high_percent",
    "util": "demand_low_high_percent",
    "demand": "demand_low_high_percent",
    "tps": "throughput_low_high_percent",
    "prefill_tps": "throughput_low_high_percent",
    "eff": "efficiency_low_high_percent",
    "prefill_eff": "efficiency_low_high_percent",
    "ratio": "input_per_output_low_high_percent",
    "cached": "cached_low_high_percent",
    "own_cached": "own_cached_low_high_percent",
    "peak": "peak_share_low_high_percent",
    "gpu_usd": "gpu_price_low_high_percent",
    "prefill_gpu_usd": "gpu_price_low_high_percent",
    "staff": "staff_low_high_percent",
}
"""The assumption that gives low and high in % of the value in use; other costs have one of their own."""
_OTHER_COSTS = "other_cost_low_high_percent"
_ABSOLUTE = {
    "api_drop": "api_price_fall_low_high_percent",
    "gpu_drop": "gpu_price_fall_low_high_percent",
    "growth": "demand_growth_low_high_percent",
}
"""The assumption that gives low and high beside the value in use, in points."""
_DIGITS = 12
_BUYING = ("capex", "residual", "life", "wacc", "kw", "pue", "kwh", "colo", "maint")
_MATTERS: Mapping[str, Callable[[Scenario], object]] = {
    "util": lambda scenario: scenario.demand_output_tok_s is None,
    "demand": lambda scenario: scenario.demand_output_tok_s is not None,
    "prefill_tps": lambda scenario: scenario.input_tok_s_per_prefill_gpu is not None,
    "prefill_eff": lambda scenario: scenario.prefill_gpu is not None,
    "own_cached": lambda scenario: scenario.input_tok_s_per_prefill_gpu is not None,
    "gpu_usd": lambda scenario: scenario.acquire != "buy",
    "prefill_gpu_usd": lambda scenario: scenario.acquire != "buy" and scenario.prefill_gpu is not None,
    "gpu_drop": lambda scenario: scenario.acquire in ("rent", "spot"),
    "reserve_off": lambda scenario: DISCOUNT_OF.get(scenario.acquire) == "reserve_off",
    "spot_off": lambda scenario: DISCOUNT_OF.get(scenario.acquire) == "spot_off",
    "spot_lost": lambda scenario: scenario.acquire == "spot",
    "peak": lambda scenario: scenario.peak_percent != "auto",
    "staff_usd": lambda scenario: scenario.staff_fte,
    "storage_usd": lambda scenario: scenario.storage_gb,
    "egress_usd": lambda scenario: scenario.egress_gb_per_month,
    "kv_usd": lambda scenario: scenario.kv_store_tb_per_gpu,
    **{key: lambda scenario: scenario.acquire == "buy" for key in _BUYING},
}
"""Where an input has an effect at all; those not named always may have one."""


@dataclass(frozen=True)
class Prior:
    """An uncertain input: its value in the scenario, and how low and how high it may turn out. Link units."""

    key: str
    label: str
    unit: str
    low: float
    base: float
    high: float
    source: Assumed | None
    """The entry of the catalogue that says so; None where the reader does."""

    @property
    def is_sure(self) -> bool:
        """Whether low and high leave it no room."""
        return self.low == self.high


def priors_of(catalog: Catalog, comparison: Comparison) -> tuple[Prior, ...]:
    """Every input that is uncertain in a scenario, in the order of the list of ranges.

    Inputs that have no effect in this scenario are left out, and those that are 0: nothing is varied around nothing.
    """
    scenario = settled(catalog, comparison)
    own = own_ranges(scenario)
    priors = []
    for key in UNCERTAIN:
        base = value_of(scenario, key)
        if base is not None and matters(scenario, key):
            prior = _prior(catalog, scenario, key, base, own.get(key))
            if key in own or not prior.is_sure:
                priors.append(prior)
    return tuple(priors)


def own_ranges(scenario: Scenario) -> dict[str, Range]:
    """The reader's own ranges, by link key."""
    return {each.key: each for each in map(parse_range, scenario.ranges)}


def idle_ranges(scenario: Scenario, priors: tuple[Prior, ...]) -> tuple[str, ...]:
    """Link keys of ranges the reader gave for inputs that have no effect in this scenario."""
    return tuple(key for key in own_ranges(scenario) if key not in {prior.key for prior in priors})


def matters(scenario: Scenario, key: str) -> bool:
    """Whether an input can have an effect in a settled scenario."""
    condition = _MATTERS.get(key)
    return condition is None or bool(condition(scenario))


def _prior(catalog: Catalog, scenario: Scenario, key: str, base: float, own: Range | None) -> Prior:
    asked = asked_of(key)
    if own is not None:
        return Prior(key, asked.label, asked.unit, own.low, base, own.high, None)
    entry = _entry(catalog, scenario, key)
    low, high = _ends(key, base, entry)
    return Prior(key, asked.label, asked.unit, max(low, asked.low), base, min(high, asked.high), entry)


def _entry(catalog: Catalog, scenario: Scenario, key: str) -> Assumed:
    name = _ABSOLUTE.get(key) or ASSUMED_BY.get(key) or _RELATIVE_TO.get(key, _OTHER_COSTS)
    assumption = catalog.assumptions[name]
    return in_force(assumption.history, on=scenario.price_date, what=assumption.name)


def _ends(key: str, base: float, entry: Assumed) -> tuple[float, float]:
    """Low and high of an entry, around the value in use.

    Points around it for yearly changes; else in the proportion the entry has them to its own value.
    """
    low, high = (entry.value if end is None else end for end in (entry.low, entry.high))
    if key in _ABSOLUTE or entry.value == 0:
        return base + low - entry.value, base + high - entry.value
    return _typable(base / entry.value * low), _typable(base / entry.value * high)


def _typable(value: float) -> float:
    """Without the digits that only rounding put there.

    >>> _typable(14_466 / 100 * 70)
    10126.2
    """
    return float(f"{value:.{_DIGITS}g}")
