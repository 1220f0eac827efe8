"""Traffic in time: which hours of the week the tokens fall into, on the clock of the people who send them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from costmodel.language import say
from costmodel.records import Day
from costmodel.units import HOURS_PER_DAY, HOURS_PER_WEEK

TrafficKind = Literal["flat", "business", "diurnal", "imported"]

DAYS: tuple[Day, ...] = get_args(Day)
_SHORTEST_RANGE = 3


def parse_days(text: str) -> tuple[Day, ...]:
    """Days of the week from 'mon-fri', 'sat,sun' or 'mon-wed,fri', in week order.

    Raises ValueError for anything else: other spellings, spaces, repeated days, ranges that run backwards.

    >>> parse_days("mon-wed,fri")
    ('mon', 'tue', 'wed', 'fri')
    >>> parse_days("fri-mon")
    Traceback (most recent call last):
    ValueError: days 'fri-mon': the range 'fri-mon' runs backwards; write 'mon,fri-sun'
    """
    found: list[Day] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        names = (first, last) if dash else (first,)
        unknown = [name for name in names if name not in DAYS]
        if unknown:
            raise ValueError(
                say(
                    "days '{days}': '{unknown}' is no day; write days as mon-fri, sat,sun or mon-wed,fri",
                    days=text,
                    unknown=unknown[0],
                )
            )
        start, end = (DAYS.index(name) for name in (names[0], names[-1]))
        if start > end:
            remedy = format_days((*DAYS[: end + 1], *DAYS[start:]))
            raise ValueError(
                say(
                    "days '{days}': the range '{range}' runs backwards; write '{remedy}'",
                    days=text,
                    range=part,
                    remedy=remedy,
                )
            )
        found.extend(DAYS[start : end + 1])
    repeated = next((day for day in DAYS if found.count(day) > 1), None)
    if repeated:
        raise ValueError(say("days '{days}': '{day}' is named twice; name each day once", days=text, day=repeated))
    return _in_week_order(found)


def format_days(days: Sequence[Day]) -> str:
    """The shortest spelling that parse_days reads back as the same days.

    >>> format_days(("mon", "tue", "wed", "thu", "fri")), format_days(("sun", "sat"))
    ('mon-fri', 'sat,sun')
    """
    runs: list[list[Day]] = []
    for day in _in_week_order(days):
        if runs and DAYS.index(runs[-1][-1]) + 1 == DAYS.index(day):
            runs[-1].append(day)
        else:
            runs.append([day])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) >= _SHORTEST_RANGE else ",".join(run) for run in runs)


def zone(name: str) -> ZoneInfo:
    """The IANA time zone of that name.

    >>> zone("Europe/Berlin").key
    'Europe/Berlin'
    >>> zone("Berlin")
    Traceback (most recent call last):
    ValueError: 'Berlin' is no IANA time zone; write a name such as Europe/Berlin or UTC
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"'{name}' is no IANA time zone; write a name such as Europe/Berlin or UTC") from error


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """The shape of a week of demand, hour by hour, on a local clock. Build one with flat, business, diurnal, imported.

    Assumes: the rate is constant within an hour, and every week looks the same on the local clock. Public
    holidays of the senders are not modelled; daylight saving is (the shape follows the local clock).
    """

    kind: TrafficKind
    timezone: str
    start_hour: int | None = None
    end_hour: int | None = None
    days: tuple[Day, ...] = ()
    quiet_level: float | None = None
    rest_day_level: float | None = None
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        zone(self.timezone)
        if self.kind in ("business", "diurnal"):
            self._check_busy_hours()
        if self.kind == "diurnal":
            _check_level("quiet_level", self.quiet_level)
            _check_level("rest_day_level", self.rest_day_level)
        if self.kind == "imported":
            _check_weights(self.weights)

    def _check_busy_hours(self) -> None:
        start, end = self.start_hour, self.end_hour
        if start is None or end is None or not 0 <= start < end <= HOURS_PER_DAY:
            raise ValueError(
                f"{self.kind} traffic from hour {start} to {end}: whole hours from 0 to {HOURS_PER_DAY}, the end after "
                "the start; for hours that cross midnight import the 168 hours of the week"
            )
        if not self.days or self.days != _in_week_order(self.days):
            raise ValueError(f"{self.kind} traffic on days {self.days}: name each of its days once, in week order")

    @classmethod
    def flat(cls, *, timezone: str = "UTC") -> Self:
        """The same rate in every hour.

        >>> set(hour_weights(Traffic.flat()))
        {1.0}
        """
        return cls(kind="flat", timezone=timezone)

    @classmethod
    def business(cls, *, timezone: str, start_hour: int, end_hour: int, days: Sequence[Day]) -> Self:
        """The same rate from start_hour to end_hour (exclusive, may be 24) on the given days, nothing else.

        >>> office = Traffic.business(timezone="UTC", start_hour=9, end_hour=17, days=parse_days("mon-fri"))
        >>> hour_weights(office)[8:10], hour_weights(office)[16:18]
        ((0.0, 4.2), (4.2, 0.0))
        """
        return cls(
            kind="business",
            timezone=timezone,
            start_hour=start_hour,
            end_hour=end_hour,
            days=tuple(days),
        )

    @classmethod
    def diurnal(
        cls,
        *,
        timezone: str,
        start_hour: int,
        end_hour: int,
        days: Sequence[Day],
        quiet_level: float,
        rest_day_level: float,
    ) -> Self:
        """A smooth day: one wave, highest in the middle of the busy hours, lowest twelve hours away.

        Formula: rate(x) = q + (1-q)·(1 + cos(2π·(x-m)/24))/2 at local hour x, m = (start_hour + end_hour)/2,
        averaged over each hour; days that are not named run at rest_day_level times that.
        Assumes: quiet_level q (0..1) is the rate of the quietest moment over that of the busiest, rest_day_level
        (0..1) that of a day not named over that of a named one. Both are inputs.

        >>> day = Traffic.diurnal(timezone="UTC", start_hour=9, end_hour=17, days=parse_days("mon-fri"),
        ...                       quiet_level=0.25, rest_day_level=0.5)
        >>> weights = hour_weights(day)
        >>> round(weights[0] / weights[13], 3), round(weights[5 * 24] / weights[0], 3)
        (0.255, 0.5)
        """
        return cls(
            kind="diurnal",
            timezone=timezone,
            start_hour=start_hour,
            end_hour=end_hour,
            days=tuple(days),
            quiet_level=quiet_level,
            rest_day_level=rest_day_level,
        )

    @classmethod
    def imported(cls, *, timezone: str, weights: Sequence[float]) -> Self:
        """168 hourly values from Monday 00:00 on the local clock, in any unit (their proportions count).

        >>> hour_weights(Traffic.imported(timezone="UTC", weights=[3.0] + [1.0] * 167))[0] > 2.9
        True
        >>> Traffic.imported(timezone="UTC", weights=[1.0] * 24)
        Traceback (most recent call last):
        ValueError: imported traffic has 24 hourly values; give 168, from Monday 00:00 on
        """
        return cls(kind="imported", timezone=timezone, weights=tuple(weights))


@lru_cache(maxsize=64)
def hour_weights(traffic: Traffic) -> tuple[float, ...]:
    """Demand in each of the 168 hours from Monday 00:00 local, as a multiple of the week's mean.

    >>> round(sum(hour_weights(Traffic.flat())))
    168
    """
    raw = _raw_weights(traffic)
    total = math.fsum(raw)
    return tuple(value / total * HOURS_PER_WEEK for value in raw)


def _raw_weights(traffic: Traffic) -> tuple[float, ...]:
    if traffic.kind == "flat":
        return (1.0,) * HOURS_PER_WEEK
    if traffic.kind == "imported":
        return traffic.weights
    start, end = traffic.start_hour or 0, traffic.end_hour or 0
    if traffic.kind == "business":
        busy_day = tuple(float(start <= hour < end) for hour in range(HOURS_PER_DAY))
    else:
        busy_day = tuple(_wave(hour, (start + end) / 2, traffic.quiet_level or 0.0) for hour in range(HOURS_PER_DAY))
    rest_day_level = traffic.rest_day_level or 0.0
    return tuple((1.0 if day in traffic.days else rest_day_level) * value for day in DAYS for value in busy_day)


def _wave(hour: int, busiest_hour: float, quiet_level: float) -> float:
    """Mean of the raised cosine over [hour, hour + 1)."""
    turn = 2 * math.pi / HOURS_PER_DAY
    mean_cosine = (math.sin(turn * (hour + 1 - busiest_hour)) - math.sin(turn * (hour - busiest_hour))) / turn
    return quiet_level + (1 - quiet_level) * (1 + mean_cosine) / 2


def _in_week_order(days: Sequence[Day]) -> tuple[Day, ...]:
    return tuple(day for day in DAYS if day in days)


def _check_level(name: str, level: float | None) -> None:
    if level is None or not 0 <= level <= 1:
        raise ValueError(f"diurnal traffic: {name} is {level}; give a fraction from 0 to 1")


def _check_weights(weights: Sequence[float]) -> None:
    if len(weights) != HOURS_PER_WEEK:
        raise ValueError(
            f"imported traffic has {len(weights)} hourly values; give {HOURS_PER_WEEK}, from Monday 00:00 on"
        )
    bad = next((hour for hour, value in enumerate(weights) if not 0 <= value < math.inf), None)
    if bad is not None:
        raise ValueError(f"imported traffic: hour {bad} has the value {weights[bad]}; give numbers from 0 on")
    if not 0 < sum(weights) < math.inf:
        raise ValueError(f"imported traffic: the hourly values add up to {sum(weights)}; there is no traffic to place")
