"""Where self-hosting wins over any two inputs: both bills at every point of a grid, at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from costmodel.language import say
from costmodel.risk.priors import Prior, matters
from costmodel.risk.ranges import UNCERTAIN, asked_of
from costmodel.risk.riskmodel import RiskModel
from costmodel.risk.turning import TURNING, base_of, bounds_of, is_offered, turn_between

POINTS = 200
_PADDING = 0.15
"""Of the span of an axis, added at either end so that nothing lies on the edge."""
_FARTHEST = 10.0
"""A turn at more than so many times the scenario's value is left off the map."""
_LOADS = ("util", "demand")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An input along one side of the map."""

    key: str
    label: str
    unit: str
    base: float
    values: Floats
    turns_at: float | None
    """Where the verdict turns if this input alone changes; it may lie off the map."""


@dataclass(frozen=True, kw_only=True)
class BreakEvenMap:
    """Figures of the mean month over two inputs; the first index runs up, the second across."""

    across: Axis
    up: Axis
    saving_usd_per_month: Floats
    cost_ratio: Floats
    """What self-hosting costs over what the API costs; below 1 self-hosting wins. Not a number without a bill."""
    break_even_utilization: Floats


def map_keys(model: RiskModel, priors: tuple[Prior, ...]) -> tuple[str, ...]:
    """Link keys of the inputs that a map can have along its sides."""
    return tuple(key for key in UNCERTAIN if is_map_key(model, priors, key))


def is_map_key(model: RiskModel, priors: tuple[Prior, ...], key: str) -> bool:
    """Whether a map can have an input along a side: one that has an effect and a span."""
    is_ranged = any(prior.key == key for prior in priors)
    if key not in UNCERTAIN or not (is_ranged or key in TURNING):
        return False
    base = base_of(model, key)
    # Only an input without a range needs its turn, which takes time, to have a span.
    turn = None if is_ranged or base is None else _turn(model, key, base)
    return _span(model, priors, key, turn) is not None


def default_keys(model: RiskModel) -> tuple[str, str]:
    """The load across, the price of the GPUs up."""
    scenario = model.scenario
    load = "util" if scenario.demand_output_tok_s is None else "demand"
    return load, "capex" if scenario.acquire == "buy" else "gpu_usd"


def why_no_map(across: str, up: str) -> str | None:
    """Why two inputs make no map, or None where they do."""
    if across == up:
        return say("both sides of the map are the same input")
    if {across, up} == set(_LOADS):
        return say("utilization and demand are one thing said in two ways")
    return None


def break_even_map(
    model: RiskModel, priors: tuple[Prior, ...], *, across: str, up: str, points: int = POINTS
) -> BreakEvenMap:
    """Both bills over a grid of two inputs. Raises ValueError where they make no map.

    The span of each input holds the scenario's value, its low and high, and the value at which it alone turns the
    verdict, where that is not too far.
    """
    reason = why_no_map(across, up)
    if reason:
        raise ValueError(reason)
    axes = tuple(_axis(model, priors, key, points) for key in (across, up))
    month = model.month({across: axes[0].values[np.newaxis, :], up: axes[1].values[:, np.newaxis]})
    shape = (points, points)
    saving, own, api, full = (
        np.broadcast_to(each, shape) for each in (month.saving_usd, month.self_host_usd, month.api_usd, month.full_usd)
    )
    return BreakEvenMap(
        across=axes[0],
        up=axes[1],
        saving_usd_per_month=saving,
        cost_ratio=_ratio(own, api),
        break_even_utilization=_ratio(np.broadcast_to(month.own_usd, shape), full),
    )


def _ratio(above: Floats, below: Floats) -> Floats:
    quotient: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return quotient


def _axis(model: RiskModel, priors: tuple[Prior, ...], key: str, points: int) -> Axis:
    asked, base = asked_of(key), base_of(model, key) or 0.0
    turn = _turn(model, key, base)
    span = _span(model, priors, key, turn)
    if span is None:
        raise ValueError(
            say(
                "{input} has no effect in this scenario, or no range: give it one, like {key}:1:10",
                input=say(asked.label),
                key=key,
            )
        )
    return Axis(
        key=key, label=asked.label, unit=asked.unit, base=base, values=np.linspace(*span, points), turns_at=turn
    )


def _turn(model: RiskModel, key: str, base: float) -> float | None:
    low, high = bounds_of(model, key, base)
    return turn_between(model, key, low=low, base=base, high=high)


def _span(model: RiskModel, priors: tuple[Prior, ...], key: str, turn: float | None) -> tuple[float, float] | None:
    """From where to where an axis goes; None where an input has no effect, or nothing says how far it may go."""
    base = base_of(model, key)
    if base is None or not is_offered(model.scenario, key) or not (key in _LOADS or matters(model.scenario, key)):
        return None
    marks = [base, *(end for prior in priors if prior.key == key for end in (prior.low, prior.high))]
    if turn is not None and (base == 0 or abs(turn) <= _FARTHEST * abs(base)):
        marks.append(turn)
    if min(marks) == max(marks):
        return None
    padding, (low, high) = (max(marks) - min(marks)) * _PADDING, bounds_of(model, key, base)
    return max(min(marks) - padding, low), min(max(marks) + padding, high)
