"""The load curve of a week: demand and API price by hour, and what each further tok/s of own capacity is worth.

A tok/s of capacity is worth owning while the API bill it saves over the week is at least its rent. Hours with little
demand save little, so the worth of another tok/s only falls, and the best level is where it crosses the rent.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul
from typing import NamedTuple

from costmodel.breakeven import break_even_utilization
from costmodel.load.fleet import RELATIVE_TOLERANCE
from costmodel.units import SECONDS_PER_HOUR, TOKENS_PER_MTOK

MTOK_PER_HOUR_AND_TOK_S = SECONDS_PER_HOUR / TOKENS_PER_MTOK
"""Mtok that one tok/s makes in an hour."""


class WorthStep(NamedTuple):
    """Between two capacities, what one more tok/s saves: its share of the API bill of a tok/s that is always busy."""

    from_tok_s: float
    to_tok_s: float
    worth_share: float


@dataclass(frozen=True, kw_only=True)
class Week:
    """A week of demand and what the API asks for it, hour by hour (or any other steps of a load-duration curve).

    interactive_tok_s must be served at once; deferrable_tok_s is the mean rate of tokens that may wait within the week.
    usd_per_bundle is the API's price in each hour, hour_shares the share of the time each takes (they add up to 1).
    """

    interactive_tok_s: tuple[float, ...]
    usd_per_bundle: tuple[float, ...]
    hour_shares: tuple[float, ...]
    deferrable_tok_s: float
    deferrable_usd_per_bundle: float

    @property
    def mean_usd_per_bundle(self) -> float:
        """Price of a tok/s that is sold in every hour."""
        return math.fsum(map(mul, self.hour_shares, self.usd_per_bundle))

    @property
    def mean_tok_s(self) -> float:
        return math.fsum(map(mul, self.hour_shares, self.interactive_tok_s)) + self.deferrable_tok_s


def week_of(
    *,
    demand_tok_s: Sequence[float],
    usd_per_bundle: float,
    price_multipliers: Sequence[float] | None = None,
    hour_shares: Sequence[float] | None = None,
    deferrable_share: float = 0.0,
    deferrable_usd_per_bundle: float | None = None,
) -> Week:
    """Demand and API prices of a week, checked.

    Formula: price in hour t = usd_per_bundle · multiplier_t
    Assumes: deferrable tokens that the API serves are sent in its cheapest hour, or at deferrable_usd_per_bundle
    (a batch price) where that is less; usd_per_bundle itself holds no batch discount.
    Without multipliers the price is the same in all hours, without hour_shares all hours take equally long.

    >>> week_of(demand_tok_s=[10, 30], usd_per_bundle=0.5, price_multipliers=[1, 2], deferrable_share=0.5)
    ... # doctest: +NORMALIZE_WHITESPACE
    Week(interactive_tok_s=(5.0, 15.0), usd_per_bundle=(0.5, 1.0), hour_shares=(0.5, 0.5),
         deferrable_tok_s=10.0, deferrable_usd_per_bundle=0.5)
    """
    hours = len(demand_tok_s)
    multipliers = [1.0] * hours if price_multipliers is None else price_multipliers
    shares = [1 / hours for _ in demand_tok_s] if hour_shares is None else hour_shares
    if not hours == len(multipliers) == len(shares) > 0:
        raise ValueError(
            f"{hours} hours of demand, {len(multipliers)} price multipliers and {len(shares)} hour shares: give one of "
            "each for every hour"
        )
    if not all(0 <= value < math.inf for value in (*demand_tok_s, *multipliers, *shares, usd_per_bundle)):
        raise ValueError("demand, prices, multipliers and hour shares are numbers from 0 on")
    if not math.isclose(math.fsum(shares), 1, rel_tol=RELATIVE_TOLERANCE):
        raise ValueError(f"the hour shares add up to {math.fsum(shares)}; they are shares of the whole time")
    if not 0 <= deferrable_share <= 1:
        raise ValueError(f"a deferrable share of {deferrable_share}: give a fraction from 0 to 1")
    prices = tuple(usd_per_bundle * multiplier for multiplier in multipliers)
    cheapest = min(prices)
    return Week(
        interactive_tok_s=tuple((1 - deferrable_share) * demand for demand in demand_tok_s),
        usd_per_bundle=prices,
        hour_shares=tuple(shares),
        deferrable_tok_s=deferrable_share * math.fsum(map(mul, shares, demand_tok_s)),
        deferrable_usd_per_bundle=cheapest
        if deferrable_usd_per_bundle is None
        else min(cheapest, deferrable_usd_per_bundle),
    )


def price_multipliers(*, peak_fractions: Sequence[float], peak_multiplier: float) -> tuple[float, ...]:
    """Mean price of each hour as a multiple of the base price.

    Formula: 1 + f·(m - 1), f the fraction of the hour inside the peak window, m peak price over base price.

    >>> price_multipliers(peak_fractions=[0, 0.5, 1], peak_multiplier=2)
    (1, 1.5, 2)
    """
    return tuple(1 + fraction * (peak_multiplier - 1) for fraction in peak_fractions)


def worth_steps(week: Week) -> tuple[WorthStep, ...]:
    """What each further tok/s of owned capacity saves: a falling staircase, to be set against the break-even u*.

    Formula: worth(K) = Σ_t share_t·price_t·[d_t > K] / Σ_t share_t·price_t; in hours that do not reach K an own tok/s
    still takes over deferrable tokens, at their price, until all are served.
    Source: a week with 700,000 tok/s in 100 hours and 200,000 in the others at one price: 59.5 % above 200,000.

    >>> steps = worth_steps(week_of(demand_tok_s=[700e3] * 100 + [200e3] * 68, usd_per_bundle=0.6))
    >>> [(step.from_tok_s, step.to_tok_s, round(step.worth_share, 3)) for step in steps]
    [(0.0, 200000.0, 1.0), (200000.0, 700000.0, 0.595)]
    """
    hours = sorted(zip(week.interactive_tok_s, week.hour_shares, week.usd_per_bundle, strict=True))
    demands = [demand for demand, _, _ in hours]
    idle_share = list(accumulate((share for _, share, _ in hours), initial=0.0))
    busy_usd = list(accumulate((share * price for _, share, price in reversed(hours)), initial=0.0))[::-1]
    if busy_usd[0] == 0:
        return ()
    full_at = _deferrable_served_at(week)
    steps = []
    for level, until in pairwise(sorted({0.0, *demands, full_at})):
        reached = bisect_right(demands, level)
        idle_usd = idle_share[reached] * week.deferrable_usd_per_bundle if level < full_at else 0.0
        steps.append(WorthStep(level, until, (busy_usd[reached] + idle_usd) / busy_usd[0]))
    return tuple(steps)


def best_level_tok_s(week: Week, *, unit_usd_per_hour: float, unit_tok_s: float) -> float:
    """Capacity worth owning if units could be cut to any size, output tok/s.

    Formula: the highest K with Σ_{t: d_t > K} share_t·price_t·3600e-6 ≥ F/C, i.e. worth(K) ≥ u*
    Source: with 700,000 tok/s in 100 hours of the week the base only (59.5 % < 76.4 %), in 130 hours the peak too
    (77.4 %).

    >>> rent = {"unit_usd_per_hour": 1222.40, "unit_tok_s": 740_659.2}
    >>> best_level_tok_s(week_of(demand_tok_s=[700e3] * 100 + [200e3] * 68, usd_per_bundle=0.6), **rent)
    200000.0
    >>> best_level_tok_s(week_of(demand_tok_s=[700e3] * 130 + [200e3] * 38, usd_per_bundle=0.6), **rent)
    700000.0
    """
    check_unit(unit_usd_per_hour=unit_usd_per_hour, unit_tok_s=unit_tok_s)
    needed = break_even_utilization(
        usd_per_hour=unit_usd_per_hour, capacity_output_tok_s=unit_tok_s, api_usd_per_bundle=week.mean_usd_per_bundle
    )
    if needed is None:
        return 0.0
    worthwhile = [step.to_tok_s for step in worth_steps(week) if step.worth_share >= needed * (1 - RELATIVE_TOLERANCE)]
    return max(worthwhile, default=0.0)


def check_unit(*, unit_usd_per_hour: float, unit_tok_s: float) -> None:
    """Raises ValueError for a unit without capacity or with a negative price."""
    if not 0 <= unit_usd_per_hour < math.inf or not 0 < unit_tok_s < math.inf:
        raise ValueError(
            f"a unit of {unit_tok_s} tok/s at {unit_usd_per_hour} $ an hour: give a capacity above 0, a price from 0 on"
        )


def _deferrable_served_at(week: Week) -> float:
    """Capacity whose idle hours have room for all deferrable tokens, tok/s; 0 where there are none."""
    waiting, idle_share, level = week.deferrable_tok_s, 0.0, 0.0
    if not waiting:
        return 0.0
    for demand, share in sorted(zip(week.interactive_tok_s, week.hour_shares, strict=True)):
        room = idle_share * (demand - level)
        if room >= waiting:
            break
        waiting, idle_share, level = waiting - room, idle_share + share, demand
    return level + waiting / idle_share
