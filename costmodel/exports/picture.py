"""The chart of the handout and the slide as numbers: cost over utilization, price lines, break-even points."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from costmodel.compare import Comparison, cost_at
from costmodel.units import PERCENT

POINTS = 60
FROM_UTILIZATION = 0.01
LOG_ABOVE_RATIO = 12
_ROOM_ABOVE, _ROOM_LOG, _TIMES_FULL = 1.2, 1.6, 2.5
_MOST_STEPS = 5
_POWERS_ONLY_ABOVE_RATIO = 1_000


@dataclass(frozen=True)
class Marked:
    """A point of the chart or, with the percent of its right end, a level line."""

    name: str
    percent: float
    amount: float


@dataclass(frozen=True)
class CostPicture:
    """Utilization in percent, amounts in the scenario's currency per its basis, tax included."""

    curve: tuple[tuple[float, float], ...]
    """The own deployment from where it enters the picture to full use."""
    lines: tuple[Marked, ...]
    """API prices, the lowest first."""
    crossings: tuple[Marked, ...]
    reader: Marked | None
    """The scenario's own utilization and cost; None where nothing is served."""
    low: float
    high: float
    is_log: bool
    factor: float
    """What one US dollar is in these amounts."""

    def height(self, amount: float) -> float:
        """Where an amount lies on the axis, from 0 at its foot to 1 at its top."""
        if self.is_log:
            return (log10(amount) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (amount - self.low) / (self.high - self.low)

    def ticks(self) -> tuple[float, ...]:
        """A few round amounts within the axis."""
        if self.is_log:
            steps = (1,) if self.high / self.low > _POWERS_ONLY_ABOVE_RATIO else (1, 2, 5)
            powers = range(floor(log10(self.low)), ceil(log10(self.high)))
            ticks = (step * 10.0**power for power in powers for step in steps)
            return tuple(tick for tick in ticks if self.low <= tick <= self.high)
        step = round_step(self.high / _MOST_STEPS)
        return tuple(step * index for index in range(floor(self.high / step) + 1))


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is no less.

    >>> [round_step(least) for least in (0.31, 2, 700)]
    [0.5, 2.0, 1000.0]
    """
    power = 10.0 ** floor(log10(least))
    return next(by * power for by in (1.0, 2.0, 5.0, 10.0) if by * power >= least)


def cost_picture(comparison: Comparison) -> CostPicture:
    """The picture of a comparison, clipped so that the steep end of the curve does not flatten the rest."""
    own, factor = comparison.self_host, comparison.money_factor
    at_full = own.usd_per_mtok_at_full * factor
    percent = comparison.scenario.utilization_percent
    reader = None if own.usd_per_mtok is None else Marked("", percent, own.usd_per_mtok * factor)
    priced = [(api, api.usd_per_mtok * factor) for api in comparison.apis if api.usd_per_mtok is not None]
    priced.sort(key=lambda pair: pair[1])
    at_reader = at_full if reader is None else reader.amount
    high = max([*(amount for _, amount in priced), _TIMES_FULL * at_full])
    low = min([*(amount for _, amount in priced if amount > 0), at_full])
    is_log = max(high, at_reader) / low > LOG_ABOVE_RATIO
    high = max(high, at_reader) * (_ROOM_LOG if is_log else _ROOM_ABOVE)
    low = low / _ROOM_LOG if is_log else 0.0
    crossings = [
        Marked(api.name, api.break_even.utilization * PERCENT, amount)
        for api, amount in priced
        if api.break_even.reachable and api.break_even.utilization is not None
    ]
    return CostPicture(
        curve=_curve(comparison, high=high),
        lines=tuple(Marked(api.name, PERCENT, amount) for api, amount in priced if amount > 0 or not is_log),
        crossings=tuple(crossings),
        reader=reader,
        low=low,
        high=high,
        is_log=is_log,
        factor=factor,
    )


def _curve(comparison: Comparison, *, high: float) -> tuple[tuple[float, float], ...]:
    """From the top edge of the picture, or from the smallest utilization that is marked, to full use.

    Points lie closer where the curve is steep, and the break-even points are among them.
    """
    at_full, factor = comparison.self_host.usd_per_mtok_at_full, comparison.money_factor
    marked = [api.break_even.utilization for api in comparison.apis if api.break_even.reachable]
    crossings = [each for each in marked if each]
    start = max(at_full * factor / high, min([FROM_UTILIZATION, *crossings]))
    grid = {start ** (1 - index / POINTS) for index in range(POINTS + 1)} | {each for each in crossings if each > start}
    return tuple(
        (use * PERCENT, cost_at(usd_per_mtok_at_full=at_full, utilization=use) * factor) for use in sorted(grid)
    )


def spread(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places for labels at least `gap` apart between low and high, each as near its own place as that allows.

    `places` ascend. Labels that would lie closer are moved apart, those at the top down where there is no more room.

    >>> spread([50, 51, 90], gap=10, low=0, high=100)
    [50, 60, 90]
    >>> spread([96, 100], gap=10, low=0, high=100)
    [90, 100]
    """
    feet: list[float] = []
    for place in places:
        feet.append(max(place, feet[-1] + gap) if feet else max(place, low))
    ceiling = high
    for index in reversed(range(len(feet))):
        feet[index] = min(feet[index], ceiling)
        ceiling = feet[index] - gap
    return feet
