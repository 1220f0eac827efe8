"""Whole units: how many a demand needs, how long they run, how full they may be, and where they beat a price."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from typing import Literal, NamedTuple

FleetMode = Literal["always", "scheduled"]

RELATIVE_TOLERANCE = 1e-9
"""Differences below this share are rounding of the arithmetic, not demand."""
_HALVINGS = 30


def units_needed(*, demand_tok_s: float, capacity_tok_s: float) -> int:
    """Least number of whole units that serve a demand.

    Formula: N = ceil(demand / capacity); exactly full does not round up.

    >>> units_needed(demand_tok_s=740_659.2, capacity_tok_s=740_659.2)
    1
    >>> units_needed(demand_tok_s=900_000, capacity_tok_s=740_659.2)
    2
    """
    if not 0 < capacity_tok_s < math.inf:
        raise ValueError(f"a unit with a capacity of {capacity_tok_s} tok/s: give a number above 0")
    if not 0 <= demand_tok_s < math.inf:
        raise ValueError(f"a demand of {demand_tok_s} tok/s: give a number from 0 on")
    return _whole(demand_tok_s / capacity_tok_s)


def fleet(
    *,
    demand_tok_s: Sequence[float],
    capacity_tok_s: float,
    mode: FleetMode,
    spare_units: int = 0,
    planning_limit: float = 1.0,
    spare_always_on: bool = True,
) -> tuple[int, ...]:
    """Units that run in each hour.

    Formula: N_t = ceil(d_t / (ρ_max·C)) + spare; always-on runs max N_t in every hour, scheduled runs N_t.
    Assumes: spare units stand by in every hour, unless spare_always_on is False: then they are off with the fleet in
    hours without demand.

    >>> fleet(demand_tok_s=[0, 100, 250], capacity_tok_s=100, mode="scheduled")
    (0, 1, 3)
    >>> fleet(demand_tok_s=[0, 100, 250], capacity_tok_s=100, mode="always", spare_units=1)
    (4, 4, 4)
    """
    usable = capacity_tok_s * planning_limit
    needed = [units_needed(demand_tok_s=demand, capacity_tok_s=usable) for demand in demand_tok_s]
    units = tuple(each + spare_units if each or spare_always_on else 0 for each in needed)
    return units if mode == "scheduled" else (max(units, default=0),) * len(units)


def capacity_gaps(*, demand_tok_s: Sequence[float], usable_tok_s: float) -> tuple[tuple[int, float], ...]:
    """Hours in which demand exceeds what the fleet can deliver, each with the tok/s that are missing.

    >>> capacity_gaps(demand_tok_s=[50, 100, 130], usable_tok_s=100)
    ((2, 30),)
    """
    return tuple(
        (hour, demand - usable_tok_s)
        for hour, demand in enumerate(demand_tok_s)
        if demand > usable_tok_s * (1 + RELATIVE_TOLERANCE)
    )


def scheduled_hours(*, busy_hours: float, starts: float, pre_warm_hours: float) -> float:
    """Hours paid for a unit that is switched on for its busy hours only.

    Formula: hours = busy hours + starts · pre-warm; a unit is paid while it starts and loads the weights.
    Source: 8 h on 22 days with half an hour to warm up are 187 h: at $50.44 an hour, $9,432.28 instead of $36,821.20.

    >>> scheduled_hours(busy_hours=8 * 22, starts=22, pre_warm_hours=0.5)
    187.0
    """
    return busy_hours + starts * pre_warm_hours


class DutyLevel(NamedTuple):
    """A slice of the week: for this share of its hours, paid units must cover this multiple of the mean demand."""

    level: float
    hours_share: float


Duty = tuple[DutyLevel, ...]


def duty(
    *,
    demand_tok_s: Sequence[float],
    mode: FleetMode,
    pre_warm_hours: float = 0.0,
    hour_shares: Sequence[float] | None = None,
) -> Duty:
    """What a fleet must cover over the week, independent of the size of the demand and of the units.

    Formula: always-on covers max/mean in every hour. Scheduled covers at every moment the highest demand from then
    until the pre-warm time has passed: a unit is paid while it warms up, and one that would warm up longer than it
    pauses stays on.
    Assumes: the week repeats; each hour of it takes its hour_share of the time, all the same where none are given.
    Raises ValueError for a week without demand.

    >>> duty(demand_tok_s=[0, 0, 3, 1], mode="scheduled", pre_warm_hours=0.5)
    (DutyLevel(level=1.0, hours_share=0.25), DutyLevel(level=3.0, hours_share=0.375))
    >>> duty(demand_tok_s=[0, 0, 3, 1], mode="always")
    (DutyLevel(level=3.0, hours_share=1.0),)
    """
    shares = hour_shares or [1 / len(demand_tok_s) for _ in demand_tok_s]
    mean = math.fsum(map(mul, shares, demand_tok_s))
    if not 0 < mean < math.inf:
        raise ValueError("no hour has any demand, so there is no fleet to plan")
    if not 0 <= pre_warm_hours < math.inf:
        raise ValueError(f"a pre-warm time of {pre_warm_hours} hours: give a number from 0 on")
    if mode == "always":
        return (DutyLevel(max(demand_tok_s) / mean, 1.0),)
    whole, part = divmod(pre_warm_hours, 1)
    covered: dict[float, float] = {}
    # The last part of each hour already sees one hour further ahead than the rest of it.
    for hours_ahead, hour_part in ((int(whole), 1 - part), (int(whole) + 1, part)):
        for demand, share in zip(_highest_ahead(demand_tok_s, hours_ahead), shares, strict=True) if hour_part else ():
            covered[demand] = covered.get(demand, 0.0) + hour_part * share
    return tuple(DutyLevel(demand / mean, share) for demand, share in sorted(covered.items()) if demand)


def _highest_ahead(demand_tok_s: Sequence[float], hours: int) -> list[float]:
    """Highest demand from each hour to so many hours later, in a week that repeats."""
    shown = min(hours, len(demand_tok_s) - 1)
    again = [*demand_tok_s, *demand_tok_s[:shown]]
    return [max(again[hour : hour + shown + 1]) for hour in range(len(demand_tok_s))]


def paid_units(*, duty: Duty, mean_demand_tok_s: float, usable_tok_s: float) -> float:
    """Units paid for on average over the week.

    Formula: Σ hours_share · ceil(mean demand · level / usable capacity of a unit)

    >>> week = duty(demand_tok_s=[300.0] * 40 + [0.0] * 128, mode="scheduled", pre_warm_hours=0.0)
    >>> round(168 * paid_units(duty=week, mean_demand_tok_s=300 * 40 / 168, usable_tok_s=200), 6)  # 2 units for 40 h
    80.0
    """
    return math.fsum(
        share * units_needed(demand_tok_s=mean_demand_tok_s * level, capacity_tok_s=usable_tok_s)
        for level, share in duty
    )


def erlang_c(*, slots: int, offered_load: float) -> float:
    """Probability that a request has to wait for one of the slots.

    Formula: C = B / (1 - ρ·(1 - B)), ρ = load/slots, 1/B = Σ_j Π_{i<j} (slots - i)/load (Erlang B)
    Assumes: requests arrive at random (Poisson), queue without limit, and hold a slot for an exponential time.
    offered_load is the mean number of slots in use (erlangs); from `slots` on the queue only grows and the answer is 1.

    >>> erlang_c(slots=1, offered_load=0.5)
    0.5
    >>> round(erlang_c(slots=64, offered_load=0.8 * 64), 3)
    0.056
    """
    if slots < 1:
        raise ValueError(f"{slots} slots: give a whole number from 1 on")
    if not 0 <= offered_load < math.inf:
        raise ValueError(f"an offered load of {offered_load} erlangs: give a number from 0 on")
    if offered_load == 0:
        return 0.0
    if offered_load >= slots:
        return 1.0
    term = inverse_blocking = 1.0
    for busy in range(slots, 0, -1):
        term *= busy / offered_load
        inverse_blocking += term
        if term < inverse_blocking * math.ulp(1.0) or inverse_blocking == math.inf:
            break
    blocking = 1 / inverse_blocking
    return blocking / (1 - offered_load / slots * (1 - blocking))


@lru_cache(maxsize=256)
def planning_limit(*, slots: int, wait_limit: float) -> float:
    """Highest utilization at which fewer than wait_limit of the requests wait for one of a unit's slots.

    Formula: ρ_max = max ρ with ErlangC(slots, ρ·slots) < wait_limit
    Source: with a limit of 5 %: 8 slots 48 %, 64 slots 79 % (at 80 % it would be 5.6 %), 256 slots 89 %, 1,024 95 %.

    >>> [round(planning_limit(slots=slots, wait_limit=0.05), 2) for slots in (8, 64, 256, 1024)]
    [0.48, 0.79, 0.89, 0.95]
    """
    if not 0 < wait_limit <= 1:
        raise ValueError(
            f"a limit of {wait_limit} on the share of requests that wait: give a fraction above 0, up to 1"
        )
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if erlang_c(slots=slots, offered_load=middle * slots) < wait_limit:
            low = middle
        else:
            high = middle
    return low


def contiguous_from_units(*, break_even_share: float, overhead: float = 0.0) -> int | None:
    """Number of units from which on whole-unit self-hosting never falls behind the API again; None if it always does.

    Formula: N ≥ (u* + f)/(1 - u*): then N full units still win where N + 1 begin to.
    break_even_share is the break-even u* as a share of the demand that one unit serves; overhead f is the demand, in
    units, that the API would serve for what is paid once whatever the number of units (staff, spare units).
    Source: 76.4 % → 4 units, 50.6 % → 2 units.

    >>> contiguous_from_units(break_even_share=0.764087), contiguous_from_units(break_even_share=0.506018)
    (4, 2)
    >>> contiguous_from_units(break_even_share=1.58) is None
    True
    """
    if not 0 <= break_even_share < math.inf:
        raise ValueError(f"a break-even at {break_even_share} of a unit: give a number from 0 on")
    if break_even_share >= 1:
        return None
    return max(1, _whole((break_even_share + overhead) / (1 - break_even_share)))


class Range(NamedTuple):
    """Where self-hosting wins: above `start`, up to and including `end`."""

    start: float
    end: float


def winning_ranges(*, break_even_share: float, up_to_units: int, overhead: float = 0.0) -> tuple[Range, ...]:
    """Demand, counted in units, that N whole always-on units serve for less than the API, up to so many units.

    Formula: (N·u* + f, N] for each N, joined where they touch

    >>> [(round(start, 2), end) for start, end in winning_ranges(break_even_share=0.764087, up_to_units=9)]
    [(0.76, 1), (1.53, 2), (2.29, 3), (3.06, 9)]
    """
    return joined(
        Range(units * break_even_share + overhead, units)
        for units in range(1, up_to_units + 1)
        if units * break_even_share + overhead < units * (1 - RELATIVE_TOLERANCE)
    )


def joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Ranges in ascending order, with those that touch or overlap made one."""
    result: list[Range] = []
    for start, end in ranges:
        if result and start <= result[-1].end * (1 + RELATIVE_TOLERANCE):
            result[-1] = Range(result[-1].start, end)
        else:
            result.append(Range(start, end))
    return tuple(result)


def _whole(quantity: float) -> int:
    """Rounded up, unless it is a whole number but for the arithmetic's own error."""
    nearest = round(quantity)
    return nearest if math.isclose(quantity, nearest, rel_tol=RELATIVE_TOLERANCE) else math.ceil(quantity)
