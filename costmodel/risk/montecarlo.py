"""Ten thousand futures for one decision: how often self-hosting wins, and by how much, with one fleet for all of them.

The fleet is decided before the future is known, so it is the same in every draw. Choosing the best fleet for each draw
would answer another question, and overstate the chance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.risk.overterm import MeanMonth
from costmodel.risk.priors import Prior, priors_of
from costmodel.risk.riskmodel import risk_model
from costmodel.units import PERCENT

DRAWS = 10_000
FLEETS = 6
_QUANTILES = (0.05, 0.5, 0.95)
_STEPS_BESIDE = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
"""Fleets that are looked at, as multiples of the rented one; small fleets are the first whole numbers instead."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """What lies in the middle of the draws, and what 5 % of them are below and above."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, kw_only=True)
class FleetOdds:
    """One size of the fleet in all draws."""

    units: int
    win_share: float
    """Of the draws, those in which self-hosting with this fleet is cheaper than the API."""
    mean_saving_usd_per_month: float
    saving_usd_per_month: Spread


@dataclass(frozen=True, kw_only=True)
class MonteCarlo:
    """The draws for the rented fleet, and other fleets for the same draws."""

    seed: int
    priors: tuple[Prior, ...]
    savings_usd_per_month: Floats
    """One for each draw: the mean month of the term."""
    rented: FleetOdds
    tie_share: float
    break_even_utilization: Spread | None
    """None where the API is free."""
    unreachable_share: float
    """Of the draws, those with a break-even above full utilization."""
    own_share: float
    """Of the tokens of all draws, served by own GPUs; the others do not fit, and go to the API."""
    fleets: tuple[FleetOdds, ...]
    """The rented one among them, by size."""
    hindsight_share: float
    """Of the draws, those that at least one of the fleets wins: not a chance anybody has."""

    @property
    def draws(self) -> int:
        return len(self.savings_usd_per_month)

    @property
    def best_fleet(self) -> FleetOdds:
        """The fleet that saves most on average."""
        return max(self.fleets, key=lambda fleet: fleet.mean_saving_usd_per_month)


def triangular(*, low: float, base: float, high: float, uniform: Floats) -> Floats:
    """Draws between a low and a high, most of them near the base.

    Formula: the inverse of the triangular distribution's share below x, at uniform draws
    Assumes: nothing is known but a low, a high and the likeliest value. A triangle keeps more draws near its ends than
    a PERT curve would: the cautious choice for ranges that were judged, not measured. A base outside counts as the
    nearer end.
    Source: the usual three-point estimate.

    >>> [round(float(x), 2) for x in triangular(low=0, base=10, high=40, uniform=np.array([0, 0.25, 0.5, 1]))]
    [0.0, 10.0, 15.51, 40.0]
    """
    if low == high:
        return np.full(uniform.shape, low, dtype=float)
    span, rise = high - low, min(max(base, low), high) - low
    below = low + np.sqrt(uniform * span * rise)
    above = high - np.sqrt((1 - uniform) * span * (span - rise))
    drawn: Floats = np.where(uniform * span < rise, below, above)
    return drawn


def draw(priors: Sequence[Prior], *, seed: int, draws: int = DRAWS, cached_base: float = 0.0) -> dict[str, Floats]:
    """Values of every uncertain input, one for each draw, by link key.

    Assumes: inputs are independent of each other, but for the own cache's hits: where their range is the catalogue's,
    they rise and fall with the API's. Each input has a stream of its own, so that a change of one prior leaves the
    draws of all others as they were.
    """
    values = {
        prior.key: triangular(
            low=prior.low,
            base=prior.base,
            high=prior.high,
            uniform=np.random.default_rng([seed, *prior.key.encode()]).random(draws),
        )
        for prior in priors
    }
    own_is_relative = any(prior.key == "own_cached" and prior.source is not None for prior in priors)
    if own_is_relative and cached_base > 0 and "cached" in values:
        values["own_cached"] = np.minimum(values["own_cached"] * values["cached"] / cached_base, PERCENT)
    return values


def monte_carlo(
    catalog: Catalog, comparison: Comparison, *, draws: int = DRAWS, progress: Callable[[float], None] = lambda _: None
) -> MonteCarlo:
    """The draws of a scenario, at its seed. `progress` is told the share that is done, after each fleet.

    Raises NoDemandError where no API has a price.
    """
    model, priors = risk_model(catalog, comparison), priors_of(catalog, comparison)
    scenario = model.scenario
    values = draw(priors, seed=scenario.seed, draws=draws, cached_base=scenario.cached_percent)
    tolerance = comparison.tie_tolerance_share
    months: dict[int, MeanMonth] = {}
    sizes = fleet_sizes(scenario.units)
    for position, units in enumerate(sizes, start=1):
        months[units] = _wide(model.month(values, units=units), draws)
        progress(position / len(sizes))
    rented = months[scenario.units]
    wins = {units: _wins(month, tolerance) for units, month in months.items()}
    utilization = None
    if np.all(rented.full_usd > 0):
        utilization = rented.own_usd / rented.full_usd
    return MonteCarlo(
        seed=scenario.seed,
        priors=priors,
        savings_usd_per_month=rented.saving_usd,
        rented=_odds(scenario.units, rented, wins[scenario.units]),
        tie_share=float(np.mean(np.abs(rented.saving_usd) <= _tolerated_usd(rented, tolerance))),
        break_even_utilization=None if utilization is None else _spread(utilization),
        unreachable_share=1.0 if utilization is None else float(np.mean(utilization > 1)),
        own_share=_own_share(rented),
        fleets=tuple(_odds(units, month, wins[units]) for units, month in months.items()),
        hindsight_share=float(np.mean(np.any(np.stack(list(wins.values())), axis=0))),
    )


def fleet_sizes(rented: int) -> tuple[int, ...]:
    """Six whole numbers of units around the rented one.

    >>> fleet_sizes(1), fleet_sizes(8), fleet_sizes(100)
    ((1, 2, 3, 4, 5, 6), (4, 6, 8, 10, 12, 16), (50, 75, 100, 125, 150, 200))
    """
    around = sorted({round(rented * step) for step in _STEPS_BESIDE})
    if len(around) == FLEETS and around[0] >= 1:
        return tuple(around)
    first = max(1, rented - FLEETS // 2 + 1)
    return tuple(range(first, first + FLEETS))


def _wide(month: MeanMonth, draws: int) -> MeanMonth:
    """Figures that are the same in every draw, written out for each."""
    return MeanMonth(
        **{name: np.broadcast_to(getattr(month, name), (draws,)) for name in MeanMonth.__dataclass_fields__}
    )


def _tolerated_usd(month: MeanMonth, tolerance_share: float) -> Floats:
    tolerated: Floats = tolerance_share * np.maximum(month.self_host_usd, month.api_usd)
    return tolerated


def _wins(month: MeanMonth, tolerance_share: float) -> NDArray[np.bool_]:
    won: NDArray[np.bool_] = month.saving_usd > _tolerated_usd(month, tolerance_share)
    return won


def _odds(units: int, month: MeanMonth, wins: NDArray[np.bool_]) -> FleetOdds:
    return FleetOdds(
        units=units,
        win_share=float(np.mean(wins)),
        mean_saving_usd_per_month=float(np.mean(month.saving_usd)),
        saving_usd_per_month=_spread(month.saving_usd),
    )


def _spread(values: Floats) -> Spread:
    low, middle, high = (float(each) for each in np.quantile(values, _QUANTILES))
    return Spread(low=low, middle=middle, high=high)


def _own_share(month: MeanMonth) -> float:
    """By what the API would charge for the tokens, so that those of dear hours count more."""
    asked = float(np.sum(month.api_usd))
    return float(np.sum(month.replaced_usd)) / asked if asked else 1.0
