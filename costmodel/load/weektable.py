"""The week table: for each hour of the week on a clock, how many minutes lie inside price windows.

Time is counted in whole minutes from Monday 0001-01-01, so weekday and hour of the week are remainders; windows become
intervals of UTC minutes, and no loop visits single minutes.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from costmodel.load.public_holidays import holiday_numbers
from costmodel.load.traffic import DAYS, zone
from costmodel.records import Day
from costmodel.units import (
    DAYS_PER_WEEK,
    HOURS_PER_DAY,
    HOURS_PER_WEEK,
    MINUTES_PER_DAY,
    MINUTES_PER_HOUR,
    MONTHS_PER_YEAR,
)

_FIRST_MOMENT = datetime(1, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
_MINUTES_PER_WEEK = MINUTES_PER_DAY * DAYS_PER_WEEK
_NOON = HOURS_PER_DAY // 2


class WindowClock(NamedTuple):
    """When a price window is open. Without the prices, so that a price change computes nothing anew."""

    timezone: str
    days: tuple[Day, ...]
    spans: tuple[tuple[int, int], ...]
    """Minutes of the day, half-open."""
    holidays: str | None


class WeekTable(NamedTuple):
    """Minutes of a period that fall on each of the 168 hours from Monday 00:00, and how many are inside windows."""

    minutes: tuple[int, ...]
    inside: tuple[int, ...]


class _Span(NamedTuple):
    """UTC minutes [start, end) during which a zone keeps one offset."""

    start: int
    end: int
    offset: int


@lru_cache(maxsize=256)
def on_real_dates(clocks: tuple[WindowClock, ...], timezone: str, first: date, months: int) -> WeekTable:
    """The table of whole months from a first of the month: daylight saving and public holidays on their dates."""
    years, month = divmod(first.month - 1 + months, MONTHS_PER_YEAR)
    start, end = _local_midnight(timezone, first), _local_midnight(timezone, date(first.year + years, month + 1, 1))
    return _fill(
        _offset_spans(timezone, start, end),
        [(clock, span) for clock in clocks for span in _offset_spans(clock.timezone, start, end)],
    )


@lru_cache(maxsize=256)
def in_plain_week(clocks: tuple[WindowClock, ...], timezone: str, on: date) -> WeekTable:
    """The table of one week without holidays, every clock at the UTC offset it has on a day."""
    offset = offset_on(timezone, on)
    start = _MINUTES_PER_WEEK - offset
    end = start + _MINUTES_PER_WEEK
    return _fill(
        [_Span(start, end, offset)],
        [(clock._replace(holidays=None), _Span(start, end, offset_on(clock.timezone, on))) for clock in clocks],
    )


def _fill(clock_spans: Sequence[_Span], window_spans: Sequence[tuple[WindowClock, _Span]]) -> WeekTable:
    minutes, inside = [0] * HOURS_PER_WEEK, [0] * HOURS_PER_WEEK
    opened = _merged(opening for clock, span in window_spans for opening in _openings(clock, span))
    for start, end, offset in clock_spans:
        _spread(minutes, start + offset, end + offset)
        for opens, closes in opened:
            _spread(inside, max(opens, start) + offset, min(closes, end) + offset)
    return WeekTable(tuple(minutes), tuple(inside))


def _spread(hours: list[int], start: int, end: int) -> None:
    """Add the local minutes [start, end) to the hours of the week they belong to."""
    if end <= start:
        return
    weeks, rest = divmod(end - start, _MINUTES_PER_WEEK)
    if weeks:
        hours[:] = [minutes + weeks * MINUTES_PER_HOUR for minutes in hours]
    end = start + rest
    while start < end:
        hour = start // MINUTES_PER_HOUR
        until = min(end, (hour + 1) * MINUTES_PER_HOUR)
        hours[hour % HOURS_PER_WEEK] += until - start
        start = until


def _openings(clock: WindowClock, span: _Span) -> Iterator[tuple[int, int]]:
    """UTC minutes [opens, closes) of a window while its own clock keeps one offset."""
    first, last = span.start + span.offset, span.end + span.offset
    for day in range(first // MINUTES_PER_DAY, -(-last // MINUTES_PER_DAY)):
        if is_open_on(day, clock):
            for start, end in clock.spans:
                opens = max(day * MINUTES_PER_DAY + start, first)
                closes = min(day * MINUTES_PER_DAY + end, last)
                if opens < closes:
                    yield opens - span.offset, closes - span.offset


def _merged(openings: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same minutes without overlaps: a moment inside two windows counts once."""
    merged: list[tuple[int, int]] = []
    for opens, closes in sorted(openings):
        if merged and opens <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(closes, merged[-1][1]))
        else:
            merged.append((opens, closes))
    return merged


def is_open_on(day: int, clock: WindowClock) -> bool:
    """Whether a window opens on a day (number of days since 0001-01-01) of its own clock."""
    if DAYS[day % DAYS_PER_WEEK] not in clock.days:
        return False
    return clock.holidays is None or day not in holiday_numbers(clock.holidays, date.fromordinal(day + 1).year)


@lru_cache(maxsize=256)
def _offset_spans(timezone: str, start: int, end: int) -> tuple[_Span, ...]:
    """UTC minutes [start, end) cut where the zone's UTC offset changes."""
    place = zone(timezone)

    def offset(minute: int) -> int:
        moved = (_FIRST_MOMENT + minute * _MINUTE).astimezone(place).utcoffset()
        return (moved or timedelta()) // _MINUTE

    spans, opened_at, current = [], start, offset(start)
    # Zones stay on an offset for weeks (Morocco's four around Ramadan are the shortest), so one look a week finds all.
    for week_start in range(start, end, _MINUTES_PER_WEEK):
        week_end = min(week_start + _MINUTES_PER_WEEK, end)
        after = offset(week_end)
        if after != current:
            change = week_start + bisect_left(range(week_start, week_end), True, key=lambda at: offset(at) != current)
            spans.append(_Span(opened_at, change, current))
            opened_at, current = change, after
    return (*spans, _Span(opened_at, end, current))


def offset_on(timezone: str, on: date) -> int:
    """UTC offset in minutes at local noon: no zone changes its clock at noon."""
    noon = datetime(on.year, on.month, on.day, _NOON, tzinfo=zone(timezone))
    return (noon.utcoffset() or timedelta()) // _MINUTE


def _local_midnight(timezone: str, day: date) -> int:
    """UTC minute at which a local date begins."""
    return (datetime(day.year, day.month, day.day, tzinfo=zone(timezone)) - _FIRST_MOMENT) // _MINUTE
