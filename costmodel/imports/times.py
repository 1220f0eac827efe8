"""When a row happened, in UTC. Slash dates are decided on the whole column, and no zone is invented in silence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from costmodel.imports.numbers import unwrap
from costmodel.imports.usage import RowDamagedError, UsageError
from costmodel.language import say
from costmodel.units import HOURS_PER_DAY, MINUTES_PER_HOUR, SECONDS_PER_HOUR

SECONDS_PER_MINUTE = SECONDS_PER_HOUR // MINUTES_PER_HOUR
SECONDS_PER_DAY = SECONDS_PER_HOUR * HOURS_PER_DAY
NAIVE_EPOCH = datetime(1970, 1, 1)
EPOCH = NAIVE_EPOCH.replace(tzinfo=UTC)
FIRST_YEAR, LAST_YEAR = 2020, 2099  # nothing was sold by the token before; a date outside is a damaged cell
CACHE_SIZE = 4_096
LONGEST_DATE = 48  # characters
SECONDS_DIGITS = 10  # of a Unix time between 2001 and 2286; with milliseconds it has 13

UNIX = re.compile(r"(\d{10}|\d{13})(?:\.\d*)?", re.ASCII)
DAY_MONTH = re.compile(
    r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AaPp][Mm])?)?"
    r"\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)
ZULU = re.compile(r"\s*(?:UTC|GMT|Z)$")
OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})")

Moment = int | tuple[int | None, int | None]  # UTC seconds; a slash date keeps (day first, month first) until decided


@dataclass
class DateOrder:
    """What the slash dates of one upload have shown so far: which of the two orders fits every one of them."""

    day_first: bool = True
    month_first: bool = True

    @property
    def decided(self) -> bool:
        return self.day_first != self.month_first

    def resolve(self, moment: Moment) -> int | None:
        """The instant of a moment; None while both orders are possible and give different days."""
        if isinstance(moment, int):
            return moment
        if self.decided:
            return moment[0] if self.day_first else moment[1]
        return moment[0] if moment[0] == moment[1] else None


class Times:
    """Reads the times of one file. `step` is the coarsest step they all sit on: a day, an hour or a second."""

    def __init__(self, *, file: str, order: DateOrder, naive_is_utc: bool = False) -> None:
        self.file = file
        self.order = order
        self.naive_is_utc = naive_is_utc  # the column itself says UTC: no note needed
        self.naive_seen = False
        self.part_hours_seen = False
        self.step = SECONDS_PER_DAY
        self._known: dict[str, Moment] = {}

    def read(self, cell: str, *, column: str, row: int) -> Moment:
        """A moment. Raises RowDamagedError for what is no date, UsageError where the column contradicts itself.

        >>> Times(file="a.csv", order=DateOrder()).read("2026-09-22T08:00:00+08:00", column="start", row=1)
        1790035200
        """
        moment = self._known.get(cell)
        if moment is None:
            moment = self._parse(cell if _looks_iso(cell) else unwrap(cell), column, row)
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            self._known[cell] = moment
        return moment

    def notes(self) -> tuple[str, ...]:
        """How times without a zone and hours that straddle UTC hours were read."""
        notes = []
        if self.naive_seen and not self.naive_is_utc:
            notes.append(say("{file}: the times carry no zone and were read as UTC.", file=self.file))
        if self.part_hours_seen and self.step == SECONDS_PER_HOUR:
            notes.append(
                say(
                    "{file}: its hours start between two UTC hours; each counts in the one it starts in.",
                    file=self.file,
                )
            )
        return tuple(notes)

    def _parse(self, text: str, column: str, row: int) -> Moment:
        if len(text) > LONGEST_DATE:
            raise _no_time(column, text)
        if not _looks_iso(text):
            if UNIX.fullmatch(text):
                seconds = int(text[:SECONDS_DIGITS])
                self._note_step(seconds)
                return self._in_range(seconds, column, text)
            slashed = DAY_MONTH.fullmatch(text)
            if slashed:
                return self._either_order(slashed, column, row)
        try:
            moment = _iso(text)
        except ValueError:
            raise _no_time(column, text) from None
        self._note_step((moment.hour * MINUTES_PER_HOUR + moment.minute) * SECONDS_PER_MINUTE + moment.second)
        if moment.tzinfo is None:
            self.naive_seen = True
        return self._in_range(seconds_utc(moment), column, text)

    def _either_order(self, slashed: re.Match[str], column: str, row: int) -> Moment:
        first, mark, second, year, hour, minute, second_of_minute, half, zone = slashed.groups()
        time = _time_of_day(hour, minute, second_of_minute, half)
        day_first = _day(int(year), int(second), int(first))
        month_first = day_first if mark == "." else _day(int(year), int(first), int(second))
        if time is None or day_first is month_first is None:
            raise _no_time(column, slashed[0])
        self._note_step(time)
        self.naive_seen |= zone is None
        self.order.day_first &= day_first is not None
        self.order.month_first &= month_first is not None
        if not (self.order.day_first or self.order.month_first):
            raise UsageError(
                say(
                    "“{date}” in {column}: some dates only exist day first, others only month first. Write all of them "
                    "as 2026-06-05.",
                    date=slashed[0],
                    column=column,
                ),
                file=self.file,
                row=row,
            )
        shift = time - _offset_seconds(zone)
        instants = [
            None if day is None else self._in_range(day + shift, column, slashed[0]) for day in (day_first, month_first)
        ]
        return instants[0], instants[1]

    def _note_step(self, second_of_day: int) -> None:
        if second_of_day % SECONDS_PER_HOUR:
            self.step = 1
        elif second_of_day % SECONDS_PER_DAY:
            self.step = min(self.step, SECONDS_PER_HOUR)

    def _in_range(self, seconds: int, column: str, text: str) -> int:
        if not FIRST_SECOND <= seconds < END_SECOND:
            raise RowDamagedError(
                say("{column} is outside the years {low} to {high}", column=column, low=FIRST_YEAR, high=LAST_YEAR),
                text,
            )
        self.part_hours_seen |= seconds % SECONDS_PER_HOUR != 0
        return seconds


def _no_time(column: str, text: str) -> RowDamagedError:
    return RowDamagedError(say("{column} is not a date or time this program reads", column=column), text)


def _looks_iso(text: str) -> bool:
    return text[4:5] == "-" and text[:4].isdigit()


def _iso(text: str) -> datetime:
    """An ISO time, also with blanks before its offset, "UTC" after it or slashes in it. Raises ValueError."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(ZULU.sub("+00:00", text.strip()).replace(" +", "+").replace("/", "-"))


def seconds_utc(moment: datetime) -> int:
    """Whole seconds since 1970 UTC, rounded down: 00:59:59.9 belongs to hour 0. A time without a zone is UTC."""
    since = moment - (NAIVE_EPOCH if moment.tzinfo is None else EPOCH)
    return since.days * SECONDS_PER_DAY + since.seconds


def length(start: Moment, end: Moment) -> int:
    """Seconds from one moment to another, both read in the same order of day and month; 0 where that is backwards.

    >>> length(1790035200, 1790038800)
    3600
    """
    if isinstance(start, int) and isinstance(end, int):
        return max(0, end - start)
    starts, ends = ((moment, moment) if isinstance(moment, int) else moment for moment in (start, end))
    lengths = [last - first for first, last in zip(starts, ends, strict=True) if first is not None and last is not None]
    return max(0, *lengths) if lengths else 0


FIRST_SECOND = seconds_utc(datetime(FIRST_YEAR, 1, 1, tzinfo=UTC))
END_SECOND = seconds_utc(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC))


def _day(year: int, month: int, day: int) -> int | None:
    try:
        return seconds_utc(datetime(year, month, day, tzinfo=UTC))
    except ValueError:
        return None


def _time_of_day(hour: str | None, minute: str | None, second: str | None, half: str | None) -> int | None:
    if hour is None:
        return 0
    hours = int(hour)
    if half:
        if not 1 <= hours <= HOURS_PER_DAY // 2:
            return None
        hours = hours % (HOURS_PER_DAY // 2) + (HOURS_PER_DAY // 2 if half.lower() == "pm" else 0)
    minutes, seconds = int(minute or 0), int(second or 0)
    if hours >= HOURS_PER_DAY or minutes >= MINUTES_PER_HOUR or seconds >= SECONDS_PER_MINUTE:
        return None
    return (hours * MINUTES_PER_HOUR + minutes) * SECONDS_PER_MINUTE + seconds


def _offset_seconds(zone: str | None) -> int:
    parts = OFFSET.fullmatch(zone or "")
    if parts is None:
        return 0
    size = (int(parts[2]) * MINUTES_PER_HOUR + int(parts[3])) * SECONDS_PER_MINUTE
    return -size if parts[1] == "-" else size
