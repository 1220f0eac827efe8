"""Own the base, rent the peak: the cheapest whole number of units with the API above it, hour by hour."""

import math
from dataclasses import dataclass
from functools import cache
from operator import mul

from costmodel.breakeven import break_even_utilization
from costmodel.load.fleet import units_needed
from costmodel.load.loadcurve import MTOK_PER_HOUR_AND_TOK_S, Week, best_level_tok_s, check_unit, week_of

__all__ = ["Hybrid", "api_usd_per_hour", "hybrid", "units_to_own_all", "week_of"]


def api_usd_per_hour(week: Week, *, owned_tok_s: float) -> float:
    """Mean API bill of an hour for what an owned capacity leaves over.

    Formula: [Σ share_t·price_t·max(0, d_t - K) + p_deferrable·max(0, V - Σ share_t·max(0, K - d_t))]·3600e-6

    >>> round(api_usd_per_hour(week_of(demand_tok_s=[1000, 3000], usd_per_bundle=0.5), owned_tok_s=1000), 6)
    1.8
    """
    above, idle = [], []
    for demand, price, share in zip(week.interactive_tok_s, week.usd_per_bundle, week.hour_shares, strict=True):
        if demand > owned_tok_s:
            above.append(share * price * (demand - owned_tok_s))
        else:
            idle.append(share * (owned_tok_s - demand))
    waiting = max(0.0, week.deferrable_tok_s - math.fsum(idle))
    return (math.fsum(above) + week.deferrable_usd_per_bundle * waiting) * MTOK_PER_HOUR_AND_TOK_S


def units_to_own_all(week: Week, *, unit_tok_s: float) -> int:
    """Always-on units that serve everything: the busiest hour at once, deferrable tokens in what is idle.

    >>> units_to_own_all(week_of(demand_tok_s=[100, 300], usd_per_bundle=1), unit_tok_s=100)
    3
    >>> units_to_own_all(week_of(demand_tok_s=[100, 300], usd_per_bundle=1, deferrable_share=0.5), unit_tok_s=100)
    2
    """
    at_least = max(*week.interactive_tok_s, week.mean_tok_s)
    return units_needed(demand_tok_s=at_least, capacity_tok_s=unit_tok_s)


@dataclass(frozen=True, kw_only=True)
class Hybrid:
    """The three bills of a week's demand, per month, and why the units of the cheapest mix are the right number."""

    units: int
    """Owned in the cheapest mix; 0 = all API."""
    best_level_tok_s: float
    """What would be owned if units could be cut to any size."""
    break_even_share: float | None
    """Worth of a tok/s (as in worth_steps) at which it pays its rent; None where the API is free."""
    all_api_usd_per_month: float
    all_own_usd_per_month: float
    all_own_units: int
    """Spare units included."""
    hybrid_usd_per_month: float
    hybrid_api_usd_per_month: float
    """The API's part of the hybrid bill."""
    unit_usd_per_month: float
    last_unit_saves_usd_per_month: float | None
    """API bill the last owned unit saves: at least a unit's rent. None without owned units."""
    next_unit_saves_usd_per_month: float
    """API bill one unit more would save: less than a unit's rent."""
    own_tok_s: tuple[float, ...]
    """Served by own units in each hour, deferrable tokens included."""
    api_tok_s: tuple[float, ...]
    """Served at once by the API in each hour."""
    deferred_to_api_tok_s: float
    """Mean rate of the deferrable tokens that the own units have no room for."""


def hybrid(
    week: Week,
    *,
    unit_usd_per_hour: float,
    unit_tok_s: float,
    hours_per_month: float,
    fixed_usd_per_hour: float = 0.0,
    spare_units: int = 0,
) -> Hybrid:
    """The best whole number of owned units under an API that takes the rest, beside all API and all own.

    Formula: cost(N) = F·N + fixed·[N > 0] + API bill above N·C, convex in N apart from the fixed cost, so the best N
    is 0 or next to best level / C. All own pays fixed cost, spare units and the units of the busiest hour.
    Assumes: units are always on; unit_tok_s is what may be planned on (capacity times planning limit); the API stands
    in for owned units that fail, so only all-own pays spare units. Deferrable tokens fill own idle hours first.

    >>> week = week_of(demand_tok_s=[700e3] * 100 + [200e3] * 68, usd_per_bundle=0.6)
    >>> answer = hybrid(week, unit_usd_per_hour=122.24, unit_tok_s=74_065.92, hours_per_month=720)
    >>> answer.units, answer.all_own_units
    (3, 10)
    >>> [round(usd) for usd in (answer.all_api_usd_per_month, answer.all_own_usd_per_month,
    ...                         answer.hybrid_usd_per_month)]
    [773897, 880128, 706347]
    """
    check_unit(unit_usd_per_hour=unit_usd_per_hour, unit_tok_s=unit_tok_s)
    own_all = units_to_own_all(week, unit_tok_s=unit_tok_s)
    level = best_level_tok_s(week, unit_usd_per_hour=unit_usd_per_hour, unit_tok_s=unit_tok_s)
    near = units_needed(demand_tok_s=level, capacity_tok_s=unit_tok_s)

    @cache
    def api_usd(units: int) -> float:
        # Rounding must not leave a crumb of demand to the API where the units serve all of it.
        return 0.0 if units >= own_all else api_usd_per_hour(week, owned_tok_s=units * unit_tok_s)

    def total_usd(units: int) -> float:
        return units * unit_usd_per_hour + (fixed_usd_per_hour if units else 0.0) + api_usd(units)

    candidates = sorted({0, max(0, near - 1), near, own_all})
    units = min(candidates, key=total_usd)
    owned = units * unit_tok_s
    idle = [max(0.0, owned - demand) for demand in week.interactive_tok_s]
    room = math.fsum(map(mul, week.hour_shares, idle))
    filled = min(1.0, week.deferrable_tok_s / room) if room else 0.0
    all_own_units = own_all + spare_units if own_all else 0
    return Hybrid(
        units=units,
        best_level_tok_s=level,
        break_even_share=break_even_utilization(
            usd_per_hour=unit_usd_per_hour,
            capacity_output_tok_s=unit_tok_s,
            api_usd_per_bundle=week.mean_usd_per_bundle,
        ),
        all_api_usd_per_month=total_usd(0) * hours_per_month,
        all_own_usd_per_month=(all_own_units * unit_usd_per_hour + (fixed_usd_per_hour if own_all else 0.0))
        * hours_per_month,
        all_own_units=all_own_units,
        hybrid_usd_per_month=total_usd(units) * hours_per_month,
        hybrid_api_usd_per_month=api_usd(units) * hours_per_month,
        unit_usd_per_month=unit_usd_per_hour * hours_per_month,
        last_unit_saves_usd_per_month=(api_usd(units - 1) - api_usd(units)) * hours_per_month if units else None,
        next_unit_saves_usd_per_month=(api_usd(units) - api_usd(units + 1)) * hours_per_month,
        own_tok_s=tuple(
            min(demand, owned) + filled * spare for demand, spare in zip(week.interactive_tok_s, idle, strict=True)
        ),
        api_tok_s=tuple(max(0.0, demand - owned) for demand in week.interactive_tok_s),
        deferred_to_api_tok_s=max(0.0, week.deferrable_tok_s - room),
    )
