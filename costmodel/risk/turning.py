"""What would have to be true: for each input alone, the value nearest to the scenario's at which the verdict turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from costmodel.breakeven import Winner
from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.risk.outcome import Outcome, outcome_of
from costmodel.risk.ranges import API_PRICE, asked_of
from costmodel.risk.riskmodel import RiskModel, risk_model
from costmodel.risk.settled import value_of
from costmodel.scenario import INPUTS, Scenario
from costmodel.units import PERCENT
from costmodel.words import count_text

TURNING = (
    API_PRICE,
    *("gpu_usd", "prefill_gpu_usd", "reserve_off", "spot_off", "capex", "kwh"),
    *("tps", "eff", "prefill_tps", "util", "demand"),
    *("ratio", "cached", "own_cached", "peak"),
    *("staff", "units", "growth", "api_drop"),
)
"""Link keys of the inputs that are turned, in the order of the answer."""
_SPEEDS = ("tps", "eff", "prefill_tps")
_POINTS = 256
"""Values tried on either side of the scenario's; between two of them a bill is close to a straight line."""
_ROUNDS = 3
"""How often the step in which the verdict turns is cut into so many again: to a sixteen-millionth of it."""
_GEOMETRIC_ABOVE = 100
"""Inputs whose bounds are further apart than so many times the value are tried in equal ratios."""
_LEAST_RATIO = 1e-6
_MOST_UNITS = 4_096
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One input: its value, and the nearest value at which both bills are equal, or why there is none."""

    key: str
    label: str
    unit: str
    base: float
    at: float | None
    reason: str | None
    """Why no value turns the verdict."""

    @property
    def change_share(self) -> float | None:
        """The change that is needed, relative to the value; None without a turn or for an input at 0."""
        return None if self.at is None or self.base == 0 else self.at / self.base - 1

    @property
    def distance(self) -> float | None:
        """How far the change is in natural logarithms: halving is as far as doubling. None where there is no ratio."""
        return abs(log(self.at / self.base)) if self.at is not None and self.at > 0 and self.base > 0 else None


@dataclass(frozen=True, kw_only=True)
class Turns:
    """All inputs, the scenario's own verdict beside them."""

    base: Outcome
    turns: tuple[Turn, ...]


def turns(catalog: Catalog, comparison: Comparison) -> Turns:
    """The single change of each input at which the verdict turns. Raises NoDemandError where no API has a price."""
    base, model = outcome_of(catalog, comparison), risk_model(catalog, comparison)
    offered = (key for key in TURNING if is_offered(model.scenario, key) and base_of(model, key) is not None)
    return Turns(base=base, turns=tuple(turn_of(model, key, base) for key in offered))


def is_offered(scenario: Scenario, key: str) -> bool:
    """Whether turning an input makes sense in a settled scenario."""
    conditions: dict[str, bool] = {
        "gpu_usd": scenario.acquire != "buy",
        "prefill_gpu_usd": scenario.acquire != "buy" and scenario.prefill_gpu is not None,
        "reserve_off": scenario.acquire in ("rent", "reserve"),
        "spot_off": scenario.acquire == "spot",
        "capex": scenario.acquire == "buy",
        "kwh": scenario.acquire == "buy",
    }
    return conditions.get(key, True)


def base_of(model: RiskModel, key: str) -> float | None:
    """An input's value, counted ones included: the load in both of its forms, the peak share of the traffic."""
    own = model.comparison.self_host
    if key == "demand":
        return value_of(model.scenario, key) or own.output_tok_s
    if key == "util" and model.scenario.demand_output_tok_s is not None:
        return min(model.utilization(), 1.0) * PERCENT
    if key == "peak":
        share = model.token_peak_share()
        return None if share is None else share * PERCENT
    return value_of(model.scenario, key)


def turn_of(model: RiskModel, key: str, base: Outcome) -> Turn:
    """One input turned over all the values the link allows."""
    asked = INPUTS["units"] if key == "units" else asked_of(key)
    value = base_of(model, key) or 0.0
    low, high = bounds_of(model, key, value)
    at = value if base.winner == "tie" else turn_between(model, key, low=low, base=value, high=high)
    reason = None if at is not None else _reason(model, key, base.winner, value)
    return Turn(key=key, label=asked.label, unit=asked.unit, base=value, at=at, reason=reason)


def bounds_of(model: RiskModel, key: str, base: float) -> tuple[float, float]:
    """The least and the highest value an input may have beside the others as they are. A bound it must stay above is
    stood in for by a small part of its value."""
    asked = INPUTS["units"] if key == "units" else asked_of(key)
    high = PERCENT - model.scenario.cache_write_percent if key == "cached" else float(asked.high)
    return base * _LEAST_RATIO if asked.low_is_open else float(asked.low), high


def turn_between(model: RiskModel, key: str, *, low: float, base: float, high: float) -> float | None:
    """The value between low and high nearest to the base at which both bills are equal; None where there is none.

    Assumes: between two of the values tried the verdict turns at most once.
    """
    found = []
    ways = [_values(key, base, end) for end in (low, high)]
    for values, savings in zip(ways, _savings_on(model, key, ways), strict=True):
        turned = np.flatnonzero(np.sign(savings) != np.sign(savings[0]))
        if turned.size:
            found.append(_refined(model, key, values[turned[0] - 1], values[turned[0]]))
    return min(found, key=lambda value: _distance(base, value), default=None)


def _values(key: str, base: float, end: float) -> Floats:
    """Values from the base to an end, close together near the base where the way is long."""
    if key == "units":
        last = min(end, _MOST_UNITS)
        return np.linspace(base, last, round(abs(last - base)) + 1)
    steps = np.linspace(0, 1, _POINTS)
    if base > 0 and (end <= 0 or max(base / end, end / base) > _GEOMETRIC_ABOVE):
        far = max(end, base * _LEAST_RATIO)
        return np.append(base * (far / base) ** steps, end)
    if base == 0:
        return np.append(base, end * _LEAST_RATIO ** (1 - steps))
    return base + (end - base) * steps


def _savings(model: RiskModel, key: str, values: Floats) -> Floats:
    month = model.month({}, units=values) if key == "units" else model.month({key: values})
    savings: Floats = np.broadcast_to(month.saving_usd, values.shape)
    return savings


def _savings_on(model: RiskModel, key: str, ways: Sequence[Floats]) -> list[Floats]:
    """The savings along several ways, asked for at once: a question takes long, its number of values hardly counts."""
    ends = np.cumsum([way.size for way in ways])[:-1]
    return np.split(_savings(model, key, np.concatenate(ways)), ends)


def _refined(model: RiskModel, key: str, start: float, end: float) -> float:
    """The turn in a step, by cutting the step into small ones again and again. Whole units need no cutting."""
    if key == "units":
        return float(end)
    for _ in range(_ROUNDS):
        values = np.linspace(start, end, _POINTS)
        savings = _savings(model, key, values)
        turned = np.flatnonzero(np.sign(savings) != np.sign(savings[0]))
        if not turned.size:
            break
        start, end = values[turned[0] - 1], values[turned[0]]
    return float(end)


def _distance(base: float, value: float) -> float:
    """How far a change is: as a ratio where there is one."""
    if base > 0 and value > 0:
        return abs(log(value / base))
    return inf if base > 0 else abs(value - base)


def _reason(model: RiskModel, key: str, side: Winner, base: float) -> str:
    """Why an input cannot turn the verdict, with the value at which the other side comes nearest."""
    scenario = model.scenario
    if key in ("cached", "own_cached") and scenario.input_per_output == 0:
        return say("there is no input to be cached")
    if key == "own_cached" and scenario.input_tok_s_per_prefill_gpu is None:
        return say("no prefill rate is given, so reading prompts is taken to cost nothing, cached or not")
    low, high = bounds_of(model, key, base)
    values = np.concatenate([_values(key, base, end) for end in (low, high)])
    savings = _savings(model, key, values)
    best = float(values[np.argmax(savings) if side == "api" else np.argmin(savings)])
    is_best = abs(best - base) <= abs(base) * _LEAST_RATIO
    if np.ptp(savings) <= abs(savings[0]) * _LEAST_RATIO:
        return say("it does not change what the two bills differ by")
    if is_best and side == "api" and key in _SPEEDS:
        return say("your tokens stay the same, so faster GPUs serve them for the same money")
    if is_best and side == "api":
        return say("{value} is already the best value for self-hosting", value=_said(key, base))
    if is_best:
        return say("{value} is already the best value for the API", value=_said(key, base))
    if side == "api":
        return say("even at {value} the API stays cheaper", value=_said(key, best))
    return say("even at {value} self-hosting stays cheaper", value=_said(key, best))


def _said(key: str, value: float) -> str:
    """A value with the sign of its unit."""
    unit = "" if key == "units" else asked_of(key).unit
    if unit.startswith("$"):
        return say("${amount}", amount=count_text(value))
    return f"{count_text(value)} %" if unit.startswith("%") else count_text(value)
