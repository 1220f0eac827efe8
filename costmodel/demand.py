"""Both monthly bills over sustained demand: the API's straight line and the staircase of whole units."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from costmodel.breakeven import break_even_output_tok_s, break_even_utilization
from costmodel.fleet import (
    RELATIVE_TOLERANCE,
    Duty,
    DutyLevel,
    Range,
    contiguous_from_units,
    joined,
    paid_units,
    units_needed,
)
from costmodel.units import SECONDS_PER_HOUR, TOKENS_PER_MTOK

SUSTAINED: Duty = (DutyLevel(level=1.0, hours_share=1.0),)
"""Demand that is the same in every hour."""
_MOST_STEPS = 4_000
"""Steps of a staircase that are followed one by one; beyond that no chart shows them."""


@dataclass(frozen=True, kw_only=True)
class Supply:
    """What is rented to serve a demand: whole units, and what is paid once whatever their number.

    unit_tok_s is the capacity of a unit, planning_limit the share of it that may be planned on in the busiest hour.
    duty is the week's shape (fleet.duty), fixed_usd_per_hour staff and set-up, spare_units stand by in every hour.
    """

    unit_usd_per_hour: float
    unit_tok_s: float
    duty: Duty = SUSTAINED
    planning_limit: float = 1.0
    spare_units: int = 0
    fixed_usd_per_hour: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.unit_tok_s < math.inf:
            raise ValueError(f"a unit with a capacity of {self.unit_tok_s} tok/s: give a number above 0")
        if not 0 < self.planning_limit <= 1:
            raise ValueError(f"a planning limit of {self.planning_limit}: give a fraction above 0, up to 1")
        if not (0 <= self.unit_usd_per_hour < math.inf and 0 <= self.fixed_usd_per_hour < math.inf):
            raise ValueError(
                f"{self.unit_usd_per_hour} $ an hour for a unit and {self.fixed_usd_per_hour} $ fixed: give numbers "
                "from 0 on"
            )

    @property
    def usable_tok_s(self) -> float:
        """Output tok/s that may be planned on per unit."""
        return self.unit_tok_s * self.planning_limit

    @property
    def highest_level(self) -> float:
        """Busiest hour over mean hour."""
        return max(level for level, _ in self.duty)

    @property
    def mean_unit_tok_s(self) -> float:
        """Mean demand whose busiest hour fills one unit up to the planning limit."""
        return self.usable_tok_s / self.highest_level

    def usd_per_hour(self, units_paid: float) -> float:
        return (units_paid + self.spare_units) * self.unit_usd_per_hour + self.fixed_usd_per_hour


class Stair(NamedTuple):
    """Demand above `from_tok_s`, up to and including `to_tok_s`, is served by so many units, as a mean over the week."""

    from_tok_s: float
    to_tok_s: float
    units_paid: float


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
    utilization: float | None
    """Delivered over paid capacity; None where nothing runs."""
    self_host_usd_per_month: float
    api_usd_per_month: float
    usd_per_bundle: float | None
    """Whole bill over the bundles of this demand; None without demand."""
    reason: str | None
    """Why there is no cost per bundle."""
    demand_over_break_even: float | None
    """Demand as a share of the break-even demand of one unit; None for a free API."""


@dataclass(frozen=True, kw_only=True)
class DemandView:
    """Both bills over demand, where self-hosting wins, and the answer for the reader's own demand."""

    points: tuple[DemandPoint, ...]
    stairs: tuple[Stair, ...]
    wins: tuple[Range, ...]
    """Mean demand in tok/s for which self-hosting is cheaper: above start, up to end."""
    gaps: tuple[Range, ...]
    """Demand between two winning ranges: the units of the first are full, one more does not yet pay for itself."""
    followed_to_tok_s: float
    """Demand up to which every step was followed; wins and gaps beyond are known only from ahead_from_units on."""
    one_unit_break_even_tok_s: float | None
    """Demand that pays for one unit, spare units and fixed costs at the API's price; None for a free API."""
    turns_at_tok_s: float | None
    """Lowest demand above which self-hosting is cheaper; None where it never is."""
    ahead_from_units: int | None
    """From so many always-on units on self-hosting never falls behind again (a scheduled fleet at the latest)."""
    reason: str | None
    """Why self-hosting never wins in the range of demand looked at."""
    answer: DemandAnswer


def usd_per_month(*, usd_per_bundle: float, demand_tok_s: float, hours_per_month: float) -> float:
    """API bill of a sustained demand.

    Formula: A · D · 3,600 · hours / 1,000,000
    Source: 300 tok/s around the clock for 730 h are 788.4 Mtok: at $1.20 a bundle $946.08.

    >>> round(usd_per_month(usd_per_bundle=1.20, demand_tok_s=300, hours_per_month=730), 2)
    946.08
    """
    return usd_per_bundle * demand_tok_s * SECONDS_PER_HOUR * hours_per_month / TOKENS_PER_MTOK


def staircase(*, supply: Supply, up_to_tok_s: float) -> tuple[Stair, ...]:
    """Units paid for over mean demand, step by step, up to a demand (or to where the steps get too many to follow).

    Formula: units paid rise by a duty level's share of the hours above D = n · usable capacity / level, n = 0, 1, 2…

    >>> staircase(supply=Supply(unit_usd_per_hour=10, unit_tok_s=100), up_to_tok_s=250)
    (Stair(from_tok_s=0.0, to_tok_s=100.0, units_paid=1.0), Stair(from_tok_s=100.0, to_tok_s=200.0, units_paid=2.0), \
Stair(from_tok_s=200.0, to_tok_s=250.0, units_paid=3.0))
    """
    usable = supply.usable_tok_s
    end = min(up_to_tok_s, _MOST_STEPS * usable / math.fsum(level for level, _ in supply.duty))
    rises = sorted(
        (units * usable / level, share)
        for level, share in supply.duty
        for units in range(max(1, units_needed(demand_tok_s=end * level, capacity_tok_s=usable)))
    )
    paid = accumulate(share for _, share in rises)
    edges = [*(demand for demand, _ in rises), end]
    return tuple(Stair(start, until, units) for (start, until), units in zip(pairwise(edges), paid, strict=True) if start < until)
