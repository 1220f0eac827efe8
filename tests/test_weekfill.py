"""Filling a capacity with a week: the corners give exactly the sum over all hours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.risk.weekfill import week_fill

HOURS = st.lists(st.tuples(st.floats(0, 50), st.floats(0.01, 1), st.floats(0, 1)), min_size=1, max_size=40).filter(
    lambda hours: sum(level * share for level, share, _ in hours) > 0.01
)


@given(HOURS, st.floats(0, 100))
def test_it_is_the_sum_over_the_hours(hours: list[tuple[float, float, float]], capacity: float) -> None:
    total = sum(share for _, share, _ in hours)
    shares = [share / total for _, share, _ in hours]
    mean = sum(level * share for (level, _, _), share in zip(hours, shares, strict=True))
    levels, peaks = [level / mean for level, _, _ in hours], [peak for _, _, peak in hours]
    fill = week_fill(levels=tuple(levels), hour_shares=tuple(shares), peak_fractions=tuple(peaks))
    each = [share * min(level, capacity) for level, share in zip(levels, shares, strict=True)]
    assert fill.served_share(capacity) == pytest.approx(sum(each), abs=1e-9)
    at_peak = sum(peak * part for peak, part in zip(peaks, each, strict=True))
    assert fill.peak_share(capacity) == pytest.approx(at_peak, abs=1e-9)
    assert fill.served_share(fill.busiest) == pytest.approx(1)


def test_round_the_clock_fits_up_to_its_capacity() -> None:
    fill = week_fill(levels=(1.0,) * 168, hour_shares=(1 / 168,) * 168)
    assert fill.busiest == 1
    assert fill.served_share(np.array([0.25, 1, 2])) == pytest.approx([0.25, 1, 1])
    assert fill.peak_share(2.0) == 0


def test_office_hours_fill_a_quarter_of_the_week() -> None:
    levels = [4.2 if 9 <= hour % 24 < 17 and hour < 120 else 0 for hour in range(168)]
    fill = week_fill(levels=tuple(levels), hour_shares=(1 / 168,) * 168)
    assert fill.busiest == 4.2
    assert fill.served_share(2.1) == pytest.approx(0.5)
