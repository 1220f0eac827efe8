"""A scenario's traffic in time: the hours of its week, how much of the month each takes, and the demand in each."""

import math
from dataclasses import dataclass
from operator import mul

from costmodel.hours import load_factor, parse_days, week_demand, week_hour_shares
from costmodel.load.profile import profile_weights
from costmodel.load.traffic import DAYS, Traffic, hour_weights
from costmodel.records import Day
from costmodel.scenario import Scenario
from costmodel.units import HOURS_PER_DAY
from costmodel.workload import share


@dataclass(frozen=True, kw_only=True)
class ServedWeek:
    """A demand over the week, hour by hour from Monday 00:00 on the clock of the people who send it."""

    traffic: Traffic
    hour_shares: tuple[float, ...]
    """Share of the month's time that falls on each of the 168 hours."""
    output_tok_s: tuple[float, ...]
    mean_output_tok_s: float

    @property
    def busiest_output_tok_s(self) -> float:
        return max(self.output_tok_s)

    @property
    def load_factor(self) -> float:
        """Mean over busiest hour of the week's shape, whatever the size of the demand; at most 1."""
        return min(1.0, load_factor(hour_weights(self.traffic), hour_shares=self.hour_shares) or 0.0)


def traffic_of(scenario: Scenario) -> Traffic:
    """The shape of a scenario's week."""
    if scenario.traffic == "flat":
        return Traffic.flat(timezone=scenario.timezone)
    if scenario.traffic == "imported":
        return Traffic.imported(timezone=scenario.timezone, weights=profile_weights(scenario.profile or ""))
    is_wave = scenario.traffic == "diurnal"
    quiet, rest_day = scenario.quiet_percent, scenario.rest_day_percent
    return Traffic(
        kind=scenario.traffic,
        timezone=scenario.timezone,
        start_hour=scenario.start_hour,
        end_hour=scenario.end_hour,
        days=parse_days(scenario.days),
        quiet_level=share(quiet) if is_wave and quiet is not None else None,
        rest_day_level=share(rest_day) if is_wave and rest_day is not None else None,
    )


def with_busy_days(
    *, hour_shares: tuple[float, ...], days: tuple[Day, ...], busy_days: float, hours_per_month: float
) -> tuple[float, ...]:
    """Hour shares of a month with a given number of busy days.

    Formula: hours of busy days share out busy days · 24 / hours in the month, the other hours the rest.
    Assumes: within either kind the hours keep their proportions.
    Source: 22 days of 8 hours in a month of 730 hours are 176 of them (pikas.systems, September 2026).

    >>> shares = with_busy_days(hour_shares=(1 / 168,) * 168, days=parse_days("mon-fri"), busy_days=22,
    ...                         hours_per_month=730)
    >>> round(730 * sum(shares[day * 24 + hour] for day in range(5) for hour in range(9, 17)), 6)
    176.0
    """
    is_busy = [day in days for day in DAYS for _ in range(HOURS_PER_DAY)]
    busy = math.fsum(part for part, inside in zip(hour_shares, is_busy, strict=True) if inside)
    wanted = busy_days * HOURS_PER_DAY / hours_per_month
    scale = {True: wanted / busy, False: (1 - wanted) / (1 - busy)}
    return tuple(part * scale[inside] for part, inside in zip(hour_shares, is_busy, strict=True))


def hour_shares_of(scenario: Scenario) -> tuple[float, ...]:
    """Share of the month's time on each of the 168 hours: the calendar's, or with the busy days the reader counts."""
    shares = week_hour_shares(on=scenario.price_date, calendar=scenario.calendar, clock=scenario.timezone)
    if scenario.busy_days_per_month is None or scenario.traffic != "business":
        return shares
    return with_busy_days(
        hour_shares=shares,
        days=parse_days(scenario.days),
        busy_days=scenario.busy_days_per_month,
        hours_per_month=scenario.hours_per_month,
    )


def served_week(scenario: Scenario, *, served_output_tok_s: float) -> ServedWeek:
    """The demand over the week: as typed, or what the deployment serves where no demand is typed."""
    traffic, shares = traffic_of(scenario), hour_shares_of(scenario)
    weights = hour_weights(traffic)
    mean = served_output_tok_s if scenario.demand_output_tok_s is None else scenario.demand_output_tok_s
    if scenario.demand_output_tok_s is not None and scenario.demand_at == "busiest":
        mean *= load_factor(weights, hour_shares=shares) or 0.0
    return ServedWeek(
        traffic=traffic,
        hour_shares=shares,
        output_tok_s=week_demand(
            traffic=traffic,
            mean_output_tok_s=mean,
            on=scenario.price_date,
            clock=traffic.timezone,
            hour_shares=shares,
        ),
        mean_output_tok_s=mean,
    )


def mean_over_hours(hour_shares: tuple[float, ...], values: tuple[float, ...]) -> float:
    """Mean of hourly values, each hour with its share of the time.

    >>> mean_over_hours((0.25, 0.75), (100.0, 200.0))
    175.0
    """
    return math.fsum(map(mul, hour_shares, values))
