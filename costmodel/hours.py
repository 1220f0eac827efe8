"""The hour of the week: which share of a traffic's tokens falls into an API's price windows, and demand by hour."""

import math
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from operator import mul

from costmodel.language import say
from costmodel.load.traffic import Traffic, format_days, hour_weights, parse_days, zone
from costmodel.load.weektable import WeekTable, WindowClock, in_plain_week, is_open_on, offset_on, on_real_dates
from costmodel.records import PriceWindow
from costmodel.units import HOURS_PER_WEEK, MINUTES_PER_HOUR, MONTHS_PER_YEAR

__all__ = [
    "Traffic",
    "check_calendar",
    "clock_share",
    "format_days",
    "in_window",
    "load_factor",
    "parse_days",
    "peak_share",
    "week_demand",
    "week_hour_shares",
    "week_peak_fractions",
]


def in_window(window: PriceWindow, *, at: datetime) -> bool:
    """Whether a moment is inside a price window.

    The vendor's clock decides: weekday, public holiday and minute are those of the moment's local date and time there.
    Windows are half-open: the first minute is inside, the end minute is not.
    Assumes: half-open edges (a vendor that states hours does not state the edge).
    Raises ValueError for a datetime without a time zone.

    >>> peak = PriceWindow(name="peak", timezone="UTC", days=parse_days("mon-fri"),
    ...                    hours=("01:00-04:00", "06:00-10:00"), usd_per_mtok={"input": 0.3, "output": 1.2})
    >>> from datetime import UTC
    >>> [in_window(peak, at=datetime(2026, 10, 26, 3, 59, 59, tzinfo=UTC)),
    ...  in_window(peak, at=datetime(2026, 10, 26, 4, 0, tzinfo=UTC)),
    ...  in_window(peak, at=datetime(2026, 10, 24, 2, 0, tzinfo=UTC))]
    [True, False, False]
    """
    if at.utcoffset() is None:
        raise ValueError(f"the moment {at.isoformat()} has no time zone; give one, such as +00:00")
    local = at.astimezone(zone(window.timezone))
    day = local.date().toordinal() - 1
    minute = local.hour * MINUTES_PER_HOUR + local.minute
    return is_open_on(day, _clock(window)) and any(start <= minute < end for start, end in window.hours)


def peak_share(*, windows: Sequence[PriceWindow], traffic: Traffic, on: date, calendar: str) -> float:
    """Share (0..1) of a traffic's tokens that falls into any of the windows.

    Formula: s = Σ d_t·[t is inside] / Σ d_t over the minutes t of the calendar, d_t the traffic's rate.
    calendar 'year' is the calendar year of `on` and 'YYYY-MM' a month, on real dates: daylight saving of both clocks
    and the windows' public holidays count. calendar 'week' is a plain week without holidays, both clocks at the
    UTC offset they have at noon on `on`.
    Assumes: the given windows hold throughout the calendar; years and months begin at the traffic's local midnight.
    Source: office hours 09-17 in Berlin reach 3 of their 8 hours into DeepSeek's peak (Monday to Friday 01-04 and
    06-10 UTC) in summer, 2 of 8 in winter. Over 2026 that is 32.2 %, and 29.8 % with Chinese public holidays, which
    DeepSeek bills as off-peak. Days off that a year's official calendar moves are known once it is published;
    for later years the holidays library computes the dates without them.
    Raises ValueError for another calendar, an unknown zone or a country whose holidays are not known.

    >>> peak = PriceWindow(name="peak", timezone="UTC", days=parse_days("mon-fri"),
    ...                    hours=("01:00-04:00", "06:00-10:00"), usd_per_mtok={"input": 0.3, "output": 1.2})
    >>> office = Traffic.business(timezone="Europe/Berlin", start_hour=9, end_hour=17, days=parse_days("mon-fri"))
    >>> peak_share(windows=[peak], traffic=office, on=date(2026, 10, 19), calendar="week")
    0.375
    >>> peak_share(windows=[peak], traffic=office, on=date(2026, 10, 26), calendar="week")
    0.25
    >>> round(peak_share(windows=[peak], traffic=office, on=date(2026, 10, 26), calendar="year"), 3)
    0.322
    """
    table = _table(windows, clock=traffic.timezone, on=on, calendar=calendar)
    weights = hour_weights(traffic)
    return math.fsum(map(mul, weights, table.inside)) / math.fsum(map(mul, weights, table.minutes))


def clock_share(*, windows: Sequence[PriceWindow], on: date, calendar: str, clock: str = "UTC") -> float:
    """Share (0..1) of all hours that lies inside any of the windows: the peak share of flat traffic.

    >>> peak = PriceWindow(name="peak", timezone="UTC", days=parse_days("mon-fri"),
    ...                    hours=("01:00-04:00", "06:00-10:00"), usd_per_mtok={"input": 0.3, "output": 1.2})
    >>> round(clock_share(windows=[peak], on=date(2026, 10, 25), calendar="week"), 4)  # 35 of 168 hours
    0.2083
    """
    return peak_share(windows=windows, traffic=Traffic.flat(timezone=clock), on=on, calendar=calendar)


def week_peak_fractions(
    *, windows: Sequence[PriceWindow], on: date, calendar: str = "week", clock: str = "UTC"
) -> tuple[float, ...]:
    """Fraction (0..1) of each of the 168 hours from Monday 00:00 on a clock that lies inside any of the windows.

    calendar 'week' gives a plain week without holidays; 'year' and 'YYYY-MM' the mean over that hour's real dates.
    On the traffic's own clock Σ share·demand·fraction / Σ share·demand is exactly its peak_share, with the shares of
    week_hour_shares.

    >>> peak = PriceWindow(name="peak", timezone="UTC", days=parse_days("mon-fri"),
    ...                    hours=("01:00-04:00", "06:00-10:00"), usd_per_mtok={"input": 0.3, "output": 1.2})
    >>> week_peak_fractions(windows=[peak], on=date(2026, 10, 25), clock="Asia/Kolkata")[5:10]
    (0.0, 0.5, 1.0, 1.0, 0.5)
    """
    table = _table(windows, clock=clock, on=on, calendar=calendar)
    return tuple(inside / minutes for inside, minutes in zip(table.inside, table.minutes, strict=True))


def week_hour_shares(*, on: date, calendar: str = "week", clock: str = "UTC") -> tuple[float, ...]:
    """Share of a period's time that falls on each of the 168 hours from Monday 00:00 on a clock (they add up to 1).

    1/168 each in a plain week; a year has 53 of one or two weekdays, and daylight saving takes and gives an hour.

    >>> shares = week_hour_shares(on=date(2026, 10, 25), calendar="year")
    >>> round(shares[3 * 24] / shares[4 * 24], 4) == round(53 / 52, 4)  # 2026 has 53 Thursdays and 52 Fridays
    True
    """
    minutes = _table((), clock=clock, on=on, calendar=calendar).minutes
    total = sum(minutes)
    return tuple(value / total for value in minutes)


def week_demand(
    *,
    traffic: Traffic,
    mean_output_tok_s: float,
    on: date,
    clock: str = "UTC",
    hour_shares: Sequence[float] | None = None,
) -> tuple[float, ...]:
    """Demand in output tok/s in each of the 168 hours from Monday 00:00 on a clock.

    Its mean is mean_output_tok_s: over the plain week, or weighted with the hour_shares of a year or month.
    Between zones that differ by part of an hour, an hour's traffic is shared out in proportion.
    Assumes: both clocks keep the UTC offset they have at noon on `on`.

    >>> office = Traffic.business(timezone="Asia/Kolkata", start_hour=9, end_hour=17, days=parse_days("mon-fri"))
    >>> week_demand(traffic=office, mean_output_tok_s=100.0, on=date(2026, 10, 25))[2:5]
    (0.0, 210.0, 420.0)
    """
    if not 0 <= mean_output_tok_s < math.inf:
        raise ValueError(f"mean demand of {mean_output_tok_s} output tok/s: give a number from 0 on")
    weights = hour_weights(traffic)
    hours, minutes = divmod(offset_on(traffic.timezone, on) - offset_on(clock, on), MINUTES_PER_HOUR)
    late = minutes / MINUTES_PER_HOUR
    shape = [
        (1 - late) * weights[(hour + hours) % HOURS_PER_WEEK] + late * weights[(hour + hours + 1) % HOURS_PER_WEEK]
        for hour in range(HOURS_PER_WEEK)
    ]
    mean = math.fsum(map(mul, hour_shares, shape)) if hour_shares else 1.0
    return tuple(mean_output_tok_s / mean * level for level in shape)


def load_factor(demand_tok_s: Sequence[float], *, hour_shares: Sequence[float] | None = None) -> float | None:
    """Mean over maximum of a demand: the utilization that always-on capacity for its busiest hour reaches.

    Each hour takes its hour_share of the time, all the same where none are given. None without any demand.

    >>> round(load_factor([1.0] * 40 + [0.0] * 128), 3)
    0.238
    """
    busiest = max(demand_tok_s, default=0.0)
    if busiest <= 0:
        return None
    shares = hour_shares or [1 / len(demand_tok_s)] * len(demand_tok_s)
    return math.fsum(map(mul, shares, demand_tok_s)) / busiest


def check_calendar(calendar: str) -> None:
    """Raises ValueError unless a calendar is 'year', 'week' or a month as YYYY-MM.

    >>> check_calendar("2026-13")
    Traceback (most recent call last):
    ValueError: calendar '2026-13': write year, week or a month as YYYY-MM
    """
    if calendar not in ("year", "week") and not re.fullmatch(r"(19|20)[0-9]{2}-(0[1-9]|1[0-2])", calendar):
        raise ValueError(say("calendar '{calendar}': write year, week or a month as YYYY-MM", calendar=calendar))


def _table(windows: Iterable[PriceWindow], *, clock: str, on: date, calendar: str) -> WeekTable:
    check_calendar(calendar)
    clocks = tuple(_clock(window) for window in windows)
    if calendar == "week":
        return in_plain_week(clocks, clock, on)
    if calendar == "year":
        return on_real_dates(clocks, clock, date(on.year, 1, 1), MONTHS_PER_YEAR)
    return on_real_dates(clocks, clock, date.fromisoformat(f"{calendar}-01"), 1)


def _clock(window: PriceWindow) -> WindowClock:
    return WindowClock(window.timezone, window.days, window.hours, window.holidays)
