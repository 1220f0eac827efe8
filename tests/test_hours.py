"""Hours: price windows on the vendor's clock, and the share of a traffic's tokens inside them."""

import math
import time
from datetime import UTC, date, datetime, timedelta
from operator import mul
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.hours import (
    Traffic,
    clock_share,
    in_window,
    load_factor,
    parse_days,
    peak_share,
    week_demand,
    week_hour_shares,
    week_peak_fractions,
)
from costmodel.load import weektable
from costmodel.load.traffic import hour_weights
from costmodel.records import PriceWindow
from tests.model_cases import model_cases

OCTOBER = date(2026, 10, 25)
PRICES = {"input": 0.3, "output": 1.2}


def window(*hours, days="mon-fri", timezone="UTC", holidays=None):
    return PriceWindow(
        name="peak", timezone=timezone, days=parse_days(days), hours=hours, holidays=holidays, usd_per_mtok=PRICES
    )


PEAK = window("01:00-04:00", "06:00-10:00")
PEAK_WITH_HOLIDAYS = window("01:00-04:00", "06:00-10:00", holidays="CN")


def office(timezone, start_hour=9, end_hour=17):
    return Traffic.business(timezone=timezone, start_hour=start_hour, end_hour=end_hour, days=parse_days("mon-fri"))


# Properties


zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Kathmandu",
     "Pacific/Apia", "Africa/Casablanca", "America/St_Johns"]
)  # fmt: skip
spans = st.tuples(st.integers(0, 1439), st.integers(1, 1440)).filter(lambda span: span[0] < span[1])
windows = st.builds(
    lambda hours, days, timezone, holidays: window(
        *(f"{a // 60:02}:{a % 60:02}-{b // 60:02}:{b % 60:02}" for a, b in hours),
        days=",".join(days),
        timezone=timezone,
        holidays=holidays,
    ),
    st.lists(spans, min_size=1, max_size=2),
    st.lists(st.sampled_from(parse_days("mon-sun")), min_size=1, max_size=7, unique=True),
    zones,
    st.sampled_from([None, "CN", "US"]),
)
traffics = st.builds(
    lambda timezone, weights: Traffic.imported(timezone=timezone, weights=weights),
    zones,
    st.lists(st.integers(0, 9), min_size=168, max_size=168).filter(any),
)


def counted(found_windows, traffic, first, after):
    """Tokens inside and in all, minute by minute with in_window: slow and plain."""
    local = ZoneInfo(traffic.timezone)
    moment = datetime(first.year, first.month, first.day, tzinfo=local).astimezone(UTC)
    end = datetime(after.year, after.month, after.day, tzinfo=local).astimezone(UTC)
    weights, inside, total = hour_weights(traffic), 0.0, 0.0
    while moment < end:
        here = moment.astimezone(local)
        weight = weights[here.weekday() * 24 + here.hour]
        total += weight
        inside += weight * any(in_window(each, at=moment) for each in found_windows)
        moment += timedelta(minutes=1)
    return inside / total


@settings(max_examples=3, deadline=None)
@given(st.lists(windows, min_size=1, max_size=2), traffics, st.sampled_from(["2026-03", "2026-10", "2026-04"]))
def test_the_share_of_a_month_is_that_of_its_minutes_counted_one_by_one(found_windows, traffic, month):
    first = date.fromisoformat(f"{month}-01")
    share = peak_share(windows=found_windows, traffic=traffic, on=OCTOBER, calendar=month)
    after = (first + timedelta(days=31)).replace(day=1)
    assert share == pytest.approx(counted(found_windows, traffic, first, after), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.lists(windows, max_size=3), traffics, st.sampled_from(["year", "week", "2026-02"]))
def test_shares_are_fractions_and_a_further_window_never_lowers_them(found_windows, traffic, calendar):
    shares = [
        peak_share(windows=found_windows[:count], traffic=traffic, on=OCTOBER, calendar=calendar)
        for count in range(len(found_windows) + 1)
    ]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] <= 1


@settings(max_examples=30, deadline=None)
@given(windows, traffics, st.sampled_from(["year", "week", "2026-03"]))
def test_hour_fractions_and_hour_shares_give_the_peak_share_back(each, traffic, calendar):
    when = {"on": OCTOBER, "calendar": calendar, "clock": traffic.timezone}
    shares = week_hour_shares(**when)
    demand = week_demand(traffic=traffic, mean_output_tok_s=300, on=OCTOBER, clock=traffic.timezone, hour_shares=shares)
    fractions = week_peak_fractions(windows=[each], **when)
    assert math.fsum(shares) == pytest.approx(1)
    assert math.fsum(map(mul, shares, demand)) == pytest.approx(300)
    in_peak = math.fsum(share * tok_s * part for share, tok_s, part in zip(shares, demand, fractions, strict=True))
    expected = peak_share(windows=[each], traffic=traffic, on=OCTOBER, calendar=calendar)
    assert in_peak / 300 == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(traffics, zones)
def test_demand_on_another_clock_keeps_its_mean(traffic, clock):
    demand = week_demand(traffic=traffic, mean_output_tok_s=42, on=OCTOBER, clock=clock)
    assert math.fsum(demand) / 168 == pytest.approx(42)


@settings(max_examples=30, deadline=None)
@given(windows, st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)), zones)
def test_a_moment_is_inside_or_not_whatever_clock_names_it(each, moment, clock):
    at = moment.replace(tzinfo=UTC)
    assert in_window(each, at=at) == in_window(each, at=at.astimezone(ZoneInfo(clock)))


def test_windows_that_overlap_count_once():
    overlapping = [window("01:00-04:00"), window("03:00-10:00"), window("03:00-10:00", timezone="Etc/GMT-1")]
    assert clock_share(windows=overlapping, on=OCTOBER, calendar="week") == pytest.approx(5 * 9 / 168)


def test_a_window_open_around_the_clock_holds_all_tokens():
    always = window("00:00-24:00", days="mon-sun", timezone="America/New_York")
    for calendar in ("year", "week", "2026-11"):
        assert peak_share(windows=[always], traffic=office("Europe/Berlin"), on=OCTOBER, calendar=calendar) == 1


# Worked numbers


def share_of(traffic, *, calendar="week", on=OCTOBER, windows=(PEAK,)):
    return peak_share(windows=windows, traffic=traffic, on=on, calendar=calendar)


@model_cases("peak_share")
def test_published_case(case):
    zone = {"UTC": "UTC", "fixed+2": "Etc/GMT-2"}[case.inputs["tz"]]
    if case.inputs["profile"] == "flat":
        traffic = Traffic.flat(timezone=zone)
    else:
        traffic = office(zone, case.inputs["start"], case.inputs["end"])
    case.check(share_of(traffic, windows=(PEAK_WITH_HOLIDAYS,)))


def test_office_hours_in_berlin_follow_daylight_saving():
    """09-17 is 07-15 UTC in summer (3 of 8 hours at peak), 08-16 UTC in winter (2 of 8); read as UTC it is 1 of 8."""
    assert share_of(office("Europe/Berlin"), on=date(2026, 10, 19)) == 3 / 8
    assert share_of(office("Europe/Berlin"), on=date(2026, 10, 26)) == 2 / 8
    assert share_of(office("UTC")) == 1 / 8


@pytest.mark.parametrize(
    ("zone", "end_hour", "percent", "percent_with_holidays"),
    [
        ("Europe/Madrid", 17, 32.2, 29.8),
        ("Europe/London", 17, 19.7, 18.2),
        ("Europe/Helsinki", 17, 44.7, 41.4),
        ("Asia/Kolkata", 17, 56.25, 52.2),
        ("Asia/Shanghai", 18, 77.8, 72.1),
        ("America/New_York", 17, 0, 0),
    ],
)
def test_office_hours_over_2026(zone, end_hour, percent, percent_with_holidays):
    """The published city figures leave Chinese public holidays out; with them all are lower."""
    traffic = office(zone, 9, end_hour)
    assert 100 * share_of(traffic, calendar="year") == pytest.approx(percent, abs=0.05)
    with_holidays = share_of(traffic, calendar="year", windows=(PEAK_WITH_HOLIDAYS,))
    assert 100 * with_holidays == pytest.approx(percent_with_holidays, abs=0.05)


def test_flat_traffic_with_chinese_holidays():
    """2026: 261 weekdays less 19 holidays on weekdays, 7 h each; October: 22 less 5."""
    year = clock_share(windows=[PEAK_WITH_HOLIDAYS], on=OCTOBER, calendar="year")
    assert year == pytest.approx((261 - 19) * 7 / 8760)
    october = clock_share(windows=[PEAK_WITH_HOLIDAYS], on=OCTOBER, calendar="2026-10")
    assert october == pytest.approx((22 - 5) * 7 / (31 * 24))
    assert (round(100 * year, 1), round(100 * october, 1)) == (19.3, 16.0)


def test_half_hour_zones_are_exact():
    """09-17 in Kolkata is 03:30-11:30 UTC: half an hour, then four hours of the peak."""
    assert share_of(office("Asia/Kolkata")) == 4.5 / 8
    demand = week_demand(traffic=office("Asia/Kolkata"), mean_output_tok_s=40 / 168, on=OCTOBER)
    assert demand[3:12] == pytest.approx([0.5, 1, 1, 1, 1, 1, 1, 1, 0.5])


def test_a_year_has_its_skipped_and_repeated_hours():
    shares = week_hour_shares(on=OCTOBER, calendar="year", clock="Europe/Berlin")
    sunday_two, sunday_three = 6 * 24 + 2, 6 * 24 + 3
    assert shares[sunday_two] == pytest.approx(52 / 8760)  # one hour skipped in March, one repeated in October
    assert shares[sunday_three] == pytest.approx(52 / 8760)
    march = week_hour_shares(on=OCTOBER, calendar="2026-03", clock="Europe/Berlin")
    assert march[sunday_two] == pytest.approx(4 / (31 * 24 - 1))
    assert march[sunday_three] == pytest.approx(5 / (31 * 24 - 1))


def test_load_factor_of_office_hours():
    demand = week_demand(traffic=office("Europe/Berlin"), mean_output_tok_s=300, on=OCTOBER)
    assert load_factor(demand) == pytest.approx(40 / 168)
    assert load_factor([0.0] * 168) is None


# Faults


@pytest.mark.parametrize(
    ("at", "inside"),
    [
        ("2026-10-24T02:00:00+00:00", False),  # Saturday
        ("2026-10-26T01:30:00+00:00", True),
        ("2026-10-26T00:59:59+00:00", False),
        ("2026-10-26T01:00:00+00:00", True),
        ("2026-10-26T03:59:59+00:00", True),
        ("2026-10-26T04:00:00+00:00", False),
        ("2026-10-26T10:00:00+00:00", False),
        ("2026-10-26T09:00:00+08:00", True),
        ("2026-10-01T02:00:00+00:00", False),  # National Day, a Thursday
        ("2026-10-10T02:00:00+00:00", False),  # a Saturday that is worked instead is still a Saturday
    ],
)
def test_windows_are_half_open_on_the_vendors_clock(at, inside):
    assert in_window(PEAK_WITH_HOLIDAYS, at=datetime.fromisoformat(at)) is inside


def test_weekday_and_holiday_are_those_of_the_windows_own_date():
    late = window("22:00-24:00", days="mon", timezone="America/New_York")
    assert in_window(late, at=datetime(2026, 10, 27, 3, 0, tzinfo=UTC))  # Tuesday in UTC, Monday 23:00 there
    beijing = window("00:00-02:00", timezone="Asia/Shanghai", holidays="CN")
    assert in_window(beijing, at=datetime(2026, 9, 29, 16, 30, tzinfo=UTC))
    assert not in_window(beijing, at=datetime(2026, 9, 30, 16, 30, tzinfo=UTC))  # 1 October there


def test_the_weekend_is_not_billed_at_peak():
    """29.17 % = every day of the week counted."""
    assert share_of(Traffic.flat()) == pytest.approx(35 / 168)
    assert share_of(Traffic.flat(), windows=[window("01:00-04:00", "06:00-10:00", days="mon-sun")]) == 49 / 168


def test_a_moment_without_a_time_zone_is_refused():
    with pytest.raises(ValueError, match="has no time zone; give one"):
        in_window(PEAK, at=datetime(2026, 10, 26, 2, 0))


@pytest.mark.parametrize("calendar", ["", "month", "2026", "2026-1", "2026-13", "2026-00", "0000-01", "2026-10-01"])
def test_other_calendars_are_refused(calendar):
    with pytest.raises(ValueError, match="write year, week or a month as YYYY-MM"):
        share_of(Traffic.flat(), calendar=calendar)


def test_the_load_factor_counts_each_hour_with_its_share():
    assert load_factor([4.0, 0.0], hour_shares=[0.25, 0.75]) == 0.25
    assert load_factor([4.0, 0.0]) == 0.5
    assert load_factor([0.0, 0.0], hour_shares=[0.25, 0.75]) is None


def test_a_country_without_known_holidays_is_refused():
    with pytest.raises(ValueError, match="no public holidays are known for 'QQ'"):
        share_of(Traffic.flat(), calendar="year", windows=[window("01:00-02:00", holidays="QQ")])


@pytest.mark.parametrize("demand", [-1.0, math.nan, math.inf])
def test_a_demand_that_is_no_number_is_refused(demand):
    with pytest.raises(ValueError, match="give a number from 0 on"):
        week_demand(traffic=Traffic.flat(), mean_output_tok_s=demand, on=OCTOBER)


# Speed


def test_a_year_takes_less_than_ten_milliseconds():
    share_of(Traffic.flat(), calendar="year", windows=(PEAK_WITH_HOLIDAYS,))  # loads the holidays
    took = []
    for zone in ("Europe/Berlin", "Asia/Kolkata", "America/New_York", "Europe/London", "Asia/Tokyo"):
        weektable.on_real_dates.cache_clear()
        started = time.process_time()
        share_of(office(zone), calendar="year", windows=(PEAK_WITH_HOLIDAYS,))
        took.append(time.process_time() - started)
    assert min(took) < 0.010
