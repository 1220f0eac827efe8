"""Week table: a clock is followed through every change of its UTC offset."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from costmodel.load.weektable import WindowClock, in_plain_week, offset_on, on_real_dates


@pytest.mark.parametrize("year", [2023, 2026, 2030])
@pytest.mark.parametrize(
    "name", ["Africa/Casablanca", "Australia/Lord_Howe", "Europe/Berlin", "Asia/Gaza", "Asia/Tokyo"]
)
def test_a_year_has_the_hours_its_clock_shows(name, year):
    """Counted in half hours, the smallest step any of these clocks makes."""
    zone, minutes = ZoneInfo(name), [0] * 168
    moment, end = (datetime(each, 1, 1, tzinfo=zone).astimezone(UTC) for each in (year, year + 1))
    while moment < end:
        local = moment.astimezone(zone)
        minutes[local.weekday() * 24 + local.hour] += 30
        moment += timedelta(minutes=30)
    assert on_real_dates((), name, date(year, 1, 1), 12).minutes == tuple(minutes)


def test_months_add_up_to_their_year():
    clock = WindowClock("Asia/Shanghai", ("mon", "sat"), ((0, 90), (1380, 1440)), "CN")
    months = [on_real_dates((clock,), "America/New_York", date(2026, month, 1), 1) for month in range(1, 13)]
    year = on_real_dates((clock,), "America/New_York", date(2026, 1, 1), 12)
    assert year.inside == tuple(map(sum, zip(*(month.inside for month in months), strict=True)))
    assert year.minutes == tuple(map(sum, zip(*(month.minutes for month in months), strict=True)))


def test_a_plain_week_has_sixty_minutes_an_hour_and_no_holidays():
    clock = WindowClock("UTC", ("thu",), ((60, 240),), "CN")
    table = in_plain_week((clock,), "UTC", date(2026, 10, 1))  # National Day, a Thursday
    assert set(table.minutes) == {60}
    assert [hour for hour, inside in enumerate(table.inside) if inside] == [3 * 24 + hour for hour in (1, 2, 3)]


def test_the_offset_of_a_day_is_that_of_its_noon():
    """Berlin's clock goes back at 03:00 on 25 October 2026."""
    assert [offset_on("Europe/Berlin", date(2026, 10, day)) for day in (24, 25)] == [120, 60]
