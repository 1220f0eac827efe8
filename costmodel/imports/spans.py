"""The time an upload covers, its step, and what that allows to be said: a mean rate and a profile of the week."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from costmodel.imports.book import Book, Part
from costmodel.imports.formats import Repeats
from costmodel.imports.times import SECONDS_PER_DAY, DateOrder
from costmodel.units import HOURS_PER_DAY, HOURS_PER_WEEK, SECONDS_PER_HOUR

EPOCH_HOUR_OF_WEEK = 3 * HOURS_PER_DAY  # 1970-01-01 was a Thursday; weeks start on Monday 00:00 UTC

Kind = Literal["request", "hour", "day"]


@dataclass(frozen=True)
class Span:
    """The time of one file or upload in UTC seconds; `starts` are the hours in which rows start."""

    kind: Kind
    start: int
    end: int
    starts: frozenset[int]


def span(book: Book, parts: Sequence[Part], order: DateOrder) -> Span | None:
    """The time that some files of a book cover together; None where it is unknown or undecided.

    Assumes: requests span from the first start to the last end; a row of a whole hour or day lasts that long.
    """
    indexes = {index for part in parts for index in set(book.hour_of[part.first_entry : part.end_entry])}
    hours = []
    for hour in (book.hours[index] for index in indexes):
        start = None if hour.moment is None else order.resolve(hour.moment)
        if start is None:
            return None
        hours.append((start, hour))
    if not hours:
        return None
    starts = frozenset(start for start, _ in hours)
    kind = kind_of_rows(book, parts, starts)
    length = (
        0
        if all(part.seconds is not None for part in parts)
        else {"request": 0, "hour": SECONDS_PER_HOUR}.get(kind, SECONDS_PER_DAY)
    )
    first = min(start + hour.first_second for start, hour in hours)
    last = max(start + hour.last_second for start, hour in hours)
    return Span(kind, first, last + length, starts)


def kind_of_rows(book: Book, parts: Sequence[Part], starts: frozenset[int]) -> Kind:
    """Whether rows are requests, hours or days (or longer).

    Assumes: rows that do not give their length are hours or requests only if some day has more than one hour with
    rows; a time per day that is always 22:00 UTC is a day of another time zone, not traffic at 22:00.
    """
    if book.format.repeats is Repeats.LAST_WINS:
        return "request"
    given = [part.seconds for part in parts if part.seconds is not None]
    if len(given) == len(parts):
        return "hour" if max(given) <= SECONDS_PER_HOUR else "day"
    step = max(part.times.step for part in parts)
    days = {start // SECONDS_PER_DAY for start in starts}
    if step == SECONDS_PER_DAY or len(starts) == len(days) > 1:
        return "day"
    return "hour" if step == SECONDS_PER_HOUR else "request"


def hour_of_week(second: int) -> int:
    """Hours since Monday 00:00 UTC, 0 to 167.

    >>> hour_of_week(1790035200)  # Tuesday 22 September 2026, 00:00 UTC
    24
    """
    return (second // SECONDS_PER_HOUR + EPOCH_HOUR_OF_WEEK) % HOURS_PER_WEEK


def week_profile(*, output_by_hour: Iterable[tuple[int, int]], start: int, end: int) -> tuple[tuple[float, ...], int]:
    """Mean output tokens in each hour of the week, and how many of the 168 hours the time covers.

    Formula: output of the hour of the week / how often that hour lies between start and end (UTC seconds)
    Assumes: an hour without a row had no traffic; hours the time does not reach are 0.
    >>> tuesdays = [(1790035200, 600), (1790640000, 400)]
    >>> profile, covered = week_profile(output_by_hour=tuesdays, start=1790035200, end=1791244800)
    >>> profile[24], covered
    (500.0, 168)
    """
    tokens = [0] * HOURS_PER_WEEK
    for second, output_tokens in output_by_hour:
        tokens[hour_of_week(second)] += output_tokens
    first_hour = start // SECONDS_PER_HOUR
    hours = max(1, -(-end // SECONDS_PER_HOUR) - first_hour)
    weeks, rest = divmod(hours, HOURS_PER_WEEK)
    occurrences = [weeks] * HOURS_PER_WEEK
    for hour in range(first_hour, first_hour + rest):
        occurrences[(hour + EPOCH_HOUR_OF_WEEK) % HOURS_PER_WEEK] += 1
    profile = tuple(total / times if times else 0.0 for total, times in zip(tokens, occurrences, strict=True))
    return profile, min(hours, HOURS_PER_WEEK)


def empty_days(known: Span) -> int:
    """Days between the first and the last in which no row starts."""
    days = {start // SECONDS_PER_DAY for start in known.starts}
    return max(days) - min(days) + 1 - len(days)
