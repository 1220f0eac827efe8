"""Both monthly bills over sustained demand: the API's straight line and the staircase of whole units."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from costmodel.breakeven import break_even_output_tok_s, break_even_utilization, free_api
from costmodel.language import number_text, say
from costmodel.load.fleet import RELATIVE_TOLERANCE, Range, contiguous_from_units, joined, paid_units, units_needed
from costmodel.load.supply import Stair, Supply, staircase
from costmodel.units import SECONDS_PER_HOUR, TOKENS_PER_MTOK


class DemandPoint(NamedTuple):
    """Both monthly bills at one sustained demand."""

    demand_tok_s: float
    self_host_usd_per_month: float
    api_usd_per_month: float


@dataclass(frozen=True, kw_only=True)
class DemandAnswer:
    """What serving one demand takes and costs."""

    demand_tok_s: float
    units: int
    """Units that serve the busiest hour, spare units not included; at least one."""
    units_paid: float
    """Units paid for as a mean over the week, spare units included."""
    demand_in_units: float
    """Mean demand over the capacity of one unit; above 1 one unit cannot be enough."""
    utilization: float
    """Delivered over paid capacity."""
    self_host_usd_per_month: float
    api_usd_per_month: float
    usd_per_bundle: float | None
    """Whole bill over the bundles of this demand; None without demand."""
    reason: str | None
    """Why there is no cost per bundle."""
    demand_over_break_even: float | None
    """Demand as a share of the break-even demand of one unit; None where the API or the unit is free."""


@dataclass(frozen=True, kw_only=True)
class DemandView:
    """Both bills over demand, where self-hosting wins, and the answer for the reader's own demand."""

    points: tuple[DemandPoint, ...]
    stairs: tuple[Stair, ...]
    """Up to followed_to_tok_s, which may lie beyond the points."""
    wins: tuple[Range, ...]
    """Mean demand in tok/s for which self-hosting is cheaper: above start, up to end."""
    gaps: tuple[Range, ...]
    """Demand between two winning ranges: the units of the first are full, one more does not yet pay for itself."""
    followed_to_tok_s: float
    """Demand up to which every step was followed; wins and gaps beyond are known only from ahead_from_units on."""
    one_unit_break_even_tok_s: float | None
    """Demand that pays for one unit, spare units and fixed costs at the API's price; None for a free API."""
    one_unit_reason: str | None
    """Why one unit cannot reach that demand."""
    turns_at_tok_s: float | None
    """Lowest demand above which self-hosting is cheaper; None where there is none, or none was found: see reason."""
    ahead_from_units: int | None
    """From so many units in the busiest hour on self-hosting never falls behind again; exact for an always-on fleet,
    the latest point for a scheduled one."""
    reason: str | None
    """Why there is no demand at which it turns."""
    answer: DemandAnswer


def usd_per_month(*, usd_per_bundle: float, demand_tok_s: float, hours_per_month: float) -> float:
    """API bill of a sustained demand.

    Formula: A · D · 3,600 · hours / 1,000,000
    Source: 300 tok/s around the clock for 730 h are 788.4 Mtok: at $1.20 a bundle $946.08.

    >>> round(usd_per_month(usd_per_bundle=1.20, demand_tok_s=300, hours_per_month=730), 2)
    946.08
    """
    return usd_per_bundle * demand_tok_s * SECONDS_PER_HOUR * hours_per_month / TOKENS_PER_MTOK


def demand_view(
    *,
    points_tok_s: Sequence[float],
    demand_tok_s: float,
    supply: Supply,
    api_usd_per_bundle: float,
    hours_per_month: float,
) -> DemandView:
    """Both monthly bills over the given demands, where self-hosting wins, and the answer for one demand.

    Formula: self-hosting F·(N(D) + spare) + fixed per hour, API A·D·3,600e-6 per hour, N(D) the staircase of whole
    units; self-hosting wins above the demand at which a stair's bill equals the API's, up to the stair's end.
    Assumes: api_usd_per_bundle is the mean price of this traffic, peak hours included; the week keeps its shape as
    demand grows. Raises ValueError unless demands are numbers from 0 on and one is above 0.

    >>> node = Supply(unit_usd_per_hour=50.44, unit_tok_s=20_000)
    >>> view = demand_view(points_tok_s=[100, 100_000], demand_tok_s=300, supply=node, api_usd_per_bundle=1.20,
    ...                    hours_per_month=730)
    >>> round(view.answer.usd_per_bundle, 2), round(view.turns_at_tok_s), round(view.answer.demand_over_break_even, 4)
    (46.7, 11676, 0.0257)
    """
    demands = (*points_tok_s, demand_tok_s)
    if not all(0 <= demand < math.inf for demand in demands) or not any(demands):
        raise ValueError("demands are numbers from 0 tok/s on, at least one above 0")
    ahead_from = _ahead_from_units(supply, api_usd_per_bundle)
    window = max(*demands, (ahead_from or 0) * supply.mean_unit_tok_s)
    stairs = staircase(supply=supply, up_to_tok_s=window)
    followed_to = stairs[-1].to_tok_s
    wins = _wins(stairs, supply, api_usd_per_bundle)
    if wins and ahead_from and wins[-1].end == followed_to >= ahead_from * supply.mean_unit_tok_s:
        wins = (*wins[:-1], Range(wins[-1].start, window))

    one_unit_at = _one_unit_break_even_tok_s(supply, api_usd_per_bundle)

    def bills(demand: float) -> DemandPoint:
        return DemandPoint(
            demand,
            supply.usd_per_hour(_units_paid(demand, stairs, supply)) * hours_per_month,
            usd_per_month(usd_per_bundle=api_usd_per_bundle, demand_tok_s=demand, hours_per_month=hours_per_month),
        )

    return DemandView(
        points=tuple(bills(demand) for demand in points_tok_s),
        stairs=stairs,
        wins=wins,
        gaps=tuple(Range(before.end, after.start) for before, after in pairwise(wins)),
        followed_to_tok_s=followed_to,
        one_unit_break_even_tok_s=one_unit_at,
        one_unit_reason=_why_not_one_unit(one_unit_at, supply),
        turns_at_tok_s=wins[0].start if wins else None,
        ahead_from_units=ahead_from,
        reason=None if wins else _why_none(ahead_from, supply, api_usd_per_bundle),
        answer=_answer(bills(demand_tok_s), stairs, supply, api_usd_per_bundle, hours_per_month),
    )


def _answer(
    bills: DemandPoint, stairs: Sequence[Stair], supply: Supply, api_usd_per_bundle: float, hours_per_month: float
) -> DemandAnswer:
    demand = bills.demand_tok_s
    paid = _units_paid(demand, stairs, supply) + supply.spare_units
    busiest = units_needed(demand_tok_s=demand * supply.highest_level, capacity_tok_s=supply.usable_tok_s)
    break_even = _one_unit_break_even_tok_s(supply, api_usd_per_bundle)
    bundles = usd_per_month(usd_per_bundle=1, demand_tok_s=demand, hours_per_month=hours_per_month)
    return DemandAnswer(
        demand_tok_s=demand,
        units=max(1, busiest),
        units_paid=paid,
        demand_in_units=demand / supply.unit_tok_s,
        utilization=demand / (paid * supply.unit_tok_s),
        self_host_usd_per_month=bills.self_host_usd_per_month,
        api_usd_per_month=bills.api_usd_per_month,
        usd_per_bundle=bills.self_host_usd_per_month / bundles if bundles else None,
        reason=None if bundles else say("no tokens are served, so a cost per token does not exist"),
        demand_over_break_even=demand / break_even if break_even else None,
    )


def _units_paid(demand_tok_s: float, stairs: Sequence[Stair], supply: Supply) -> float:
    """As paid_units, but read off the staircase where it reaches, and the first stair for no demand at all."""
    if demand_tok_s > stairs[-1].to_tok_s:
        return paid_units(duty=supply.duty, mean_demand_tok_s=demand_tok_s, usable_tok_s=supply.usable_tok_s)
    exactly_full = demand_tok_s * (1 - RELATIVE_TOLERANCE)
    return stairs[bisect_left(stairs, exactly_full, key=lambda stair: stair.to_tok_s)].units_paid


def _wins(stairs: Sequence[Stair], supply: Supply, api_usd_per_bundle: float) -> tuple[Range, ...]:
    tok_s_per_usd = break_even_output_tok_s(usd_per_hour=1, api_usd_per_bundle=api_usd_per_bundle)
    if tok_s_per_usd is None:
        return ()
    return joined(
        Range(max(equal_at, start), end)
        for start, end, units in stairs
        if (equal_at := supply.usd_per_hour(units) * tok_s_per_usd) < end * (1 - RELATIVE_TOLERANCE)
    )


def _one_unit_break_even_tok_s(supply: Supply, api_usd_per_bundle: float) -> float | None:
    one_unit = math.fsum(share for _, share in supply.duty)
    return break_even_output_tok_s(usd_per_hour=supply.usd_per_hour(one_unit), api_usd_per_bundle=api_usd_per_bundle)


def _ahead_from_units(supply: Supply, api_usd_per_bundle: float) -> int | None:
    """Units of the busiest hour from which on the API's bill stays above that of N(D) ≤ Σ share·(D·level/C + 1)."""
    tok_s_per_usd = break_even_output_tok_s(usd_per_hour=1, api_usd_per_bundle=api_usd_per_bundle)
    if tok_s_per_usd is None:
        return None
    unit_share = supply.unit_usd_per_hour * tok_s_per_usd / (supply.highest_utilization * supply.unit_tok_s)
    started = math.fsum(share for _, share in supply.duty)
    started_share = supply.usd_per_hour(started) * tok_s_per_usd / supply.mean_unit_tok_s
    return contiguous_from_units(break_even_share=unit_share, overhead=started_share - unit_share)


def _why_not_one_unit(break_even_tok_s: float | None, supply: Supply) -> str | None:
    if break_even_tok_s is None:
        return free_api()
    if break_even_tok_s <= supply.mean_unit_tok_s:
        return None
    return say(
        "one unit serves at most {most} tok/s of this traffic on average, below the {needed} tok/s that would pay for "
        "it",
        most=number_text(f"{supply.mean_unit_tok_s:,.0f}"),
        needed=number_text(f"{break_even_tok_s:,.0f}"),
    )


def _why_none(ahead_from: int | None, supply: Supply, api_usd_per_bundle: float) -> str:
    if api_usd_per_bundle <= 0:
        return free_api()
    if ahead_from is not None:
        return say(
            "self-hosting wins only with many units, at the latest from {units} on",
            units=number_text(f"{ahead_from:,}"),
        )
    filled = supply.highest_utilization
    at_best = break_even_utilization(
        usd_per_hour=supply.unit_usd_per_hour,
        capacity_output_tok_s=filled * supply.unit_tok_s,
        api_usd_per_bundle=api_usd_per_bundle,
    )
    return say(
        "not reachable at any demand: with paid units {filled} full, which is the most this traffic and the planning "
        "limit allow, self-hosting still costs {times} times the API's bill",
        filled=number_text(f"{filled:.0%}"),
        times=number_text(f"{at_best:.2f}"),
    )
