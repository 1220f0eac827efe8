"""Which part of a demand fits into a capacity, hour by hour of the week. What does not fit goes to the API."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WeekFill:
    """The served share of a week's tokens over the capacity, as a line with corners.

    `capacities` are multiples of the mean demand, `served` the share of all tokens that fits at each, `served_at_peak`
    the share of all tokens that fits and falls into the API's peak hours.
    """

    capacities: tuple[float, ...]
    served: tuple[float, ...]
    served_at_peak: tuple[float, ...]

    @property
    def busiest(self) -> float:
        """The busiest hour, as a multiple of the mean: a capacity from which on everything fits."""
        return self.capacities[-1]

    def served_share(self, capacity: Any) -> Any:
        """Share of the tokens that fits into a capacity (multiples of the mean demand; numbers or arrays of them)."""
        return np.interp(capacity, self._corners[0], self._corners[1])

    def peak_share(self, capacity: Any) -> Any:
        """Share of the tokens that fits and is sent in the API's peak hours."""
        return np.interp(capacity, self._corners[0], self._corners[2])

    @cached_property
    def _corners(self) -> tuple[NDArray[np.float64], ...]:
        return np.array(self.capacities), np.array(self.served), np.array(self.served_at_peak)


@lru_cache(maxsize=32)
def week_fill(
    *, levels: tuple[float, ...], hour_shares: tuple[float, ...], peak_fractions: tuple[float, ...] = ()
) -> WeekFill:
    """How a week fills a capacity.

    Formula: served(z) = Σ share_t · min(level_t, z); in peak hours Σ share_t · peak_t · min(level_t, z)
    Assumes: `levels` are multiples of the mean, so that Σ share_t · level_t = 1; what exceeds z in an hour is not
    served later.
    Source: the load-duration curve of the week; exact, as min() is straight between the levels.

    >>> fill = week_fill(levels=(0.5, 1.5), hour_shares=(0.5, 0.5), peak_fractions=(0, 1))
    >>> [float(fill.served_share(z)) for z in (0.5, 1, 1.5, 9)], float(fill.peak_share(1))
    ([0.5, 0.75, 1.0, 1.0], 0.5)
    """
    peaks = peak_fractions or (0.0,) * len(levels)
    hours: dict[float, tuple[float, float]] = {}
    for level, share, peak in zip(levels, hour_shares, peaks, strict=True):
        of_level = hours.get(level, (0.0, 0.0))
        hours[level] = of_level[0] + share, of_level[1] + share * peak
    corners = sorted(level for level in hours if level > 0)

    def filled(which: int) -> tuple[float, ...]:
        shares = [hours[level][which] for level in corners]
        reach_higher = [sum(shares[position:]) for position in range(len(corners))]
        steps = (
            (level - below) * share for below, level, share in zip((0.0, *corners), corners, reach_higher, strict=False)
        )
        return (0.0, *accumulate(steps))

    return WeekFill((0.0, *corners), filled(0), filled(1))
