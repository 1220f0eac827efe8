"""The supply of a demand: whole units, what is paid once, and the staircase of units over demand."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from costmodel.load.fleet import RELATIVE_TOLERANCE, Duty, DutyLevel, units_needed

SUSTAINED: Duty = (DutyLevel(level=1.0, hours_share=1.0),)
"""Demand that is the same in every hour."""
_MOST_STEPS = 1_000
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
        if self.spare_units < 0:
            raise ValueError(f"{self.spare_units} spare units: give a whole number from 0 on")
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

    @property
    def highest_utilization(self) -> float:
        """Share of the paid capacity in use when every paid unit is as full as traffic and planning limit allow."""
        return self.planning_limit / math.fsum(level * share for level, share in self.duty)

    def usd_per_hour(self, units_paid: float) -> float:
        """Rent of so many units and the spare ones, and what is paid once."""
        return (units_paid + self.spare_units) * self.unit_usd_per_hour + self.fixed_usd_per_hour


class Stair(NamedTuple):
    """Demand above `from_tok_s`, up to and including `to_tok_s`, and the units paid for it, as a mean over the week."""

    from_tok_s: float
    to_tok_s: float
    units_paid: float


@lru_cache(maxsize=32)
def staircase(*, supply: Supply, up_to_tok_s: float) -> tuple[Stair, ...]:
    """Units paid for over mean demand, step by step, up to a demand (or to where the steps get too many to follow).

    Formula: units paid rise by a duty level's share of the hours above D = n · usable capacity / level, n = 0, 1, 2…

    >>> supply = Supply(unit_usd_per_hour=10, unit_tok_s=100)
    >>> staircase(supply=supply, up_to_tok_s=250)  # doctest: +NORMALIZE_WHITESPACE
    (Stair(from_tok_s=0.0, to_tok_s=100.0, units_paid=1.0),
     Stair(from_tok_s=100.0, to_tok_s=200.0, units_paid=2.0),
     Stair(from_tok_s=200.0, to_tok_s=250, units_paid=3.0))
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
    return tuple(
        Stair(start, until, units)
        for (start, until), units in zip(pairwise(edges), paid, strict=True)
        if start < until * (1 - RELATIVE_TOLERANCE)
    )
