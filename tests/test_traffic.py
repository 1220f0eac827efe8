"""Traffic: days are read strictly, shapes are what their formula says, nonsense is refused with a remedy."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.load.traffic import DAYS, Traffic, format_days, hour_weights, parse_days

OFFICE = parse_days("mon-fri")


def diurnal(**changes):
    inputs = {"timezone": "UTC", "start_hour": 9, "end_hour": 17, "days": OFFICE, "quiet_level": 0.2}
    return Traffic.diurnal(**{**inputs, "rest_day_level": 0.5, **changes})


def test_every_set_of_days_survives_formatting_and_parsing():
    for size in range(1, len(DAYS) + 1):
        for days in combinations(DAYS, size):
            assert parse_days(format_days(days)) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("mon-fri", ("mon", "tue", "wed", "thu", "fri")),
        ("sat,sun", ("sat", "sun")),
        ("mon-wed,fri", ("mon", "tue", "wed", "fri")),
        ("sun,mon-thu", ("mon", "tue", "wed", "thu", "sun")),
        ("mon-sun", DAYS),
        ("wed-wed", ("wed",)),
    ],
)
def test_days_are_read(text, days):
    assert parse_days(text) == days


@pytest.mark.parametrize(
    "text",
    ["", "Mon", "monday", "mon - fri", "mon, fri", "fri-mon", "mon,mon", "mon-wed,tue", "mon-", "-fri", "mon-tue-wed",
     "mon,", "1-5", "mon–fri", "mon;tue"],
)  # fmt: skip
def test_other_spellings_of_days_are_refused_with_the_text_named(text):
    with pytest.raises(ValueError, match=r"^days '"):
        parse_days(text)


weeks = st.lists(st.floats(0, 1e300, allow_subnormal=True), min_size=168, max_size=168).filter(lambda w: sum(w) > 0)


@settings(max_examples=30, deadline=None)
@given(weeks.filter(lambda values: sum(values) < math.inf))
def test_imported_weights_have_the_mean_one_whatever_their_size(values):
    weights = hour_weights(Traffic.imported(timezone="UTC", weights=values))
    assert math.fsum(weights) / 168 == pytest.approx(1)
    assert all((weight > 0) <= (value > 0) for weight, value in zip(weights, values, strict=True))


def test_business_hours_exclude_their_end_and_may_reach_midnight():
    weights = hour_weights(Traffic.business(timezone="UTC", start_hour=20, end_hour=24, days=("sat",)))
    assert [hour for hour, weight in enumerate(weights) if weight] == [5 * 24 + hour for hour in (20, 21, 22, 23)]


def test_a_diurnal_day_is_one_wave_around_the_middle_of_the_busy_hours():
    day = hour_weights(diurnal())[:24]
    assert day[12] == pytest.approx(day[13])
    assert max(day) == pytest.approx(day[12])
    assert min(day) == pytest.approx(day[0])
    assert list(day[13:24]) == sorted(day[13:24], reverse=True)
    for hour in range(12):
        assert day[12 - hour] == pytest.approx(day[(13 + hour) % 24])


def test_a_diurnal_day_matches_its_formula_integrated_numerically():
    steps = 2_000
    for hour in (0, 5, 9, 12, 20):
        moments = (hour + (step + 0.5) / steps for step in range(steps))
        mean = sum(0.2 + 0.8 * (1 + math.cos(2 * math.pi * (x - 13) / 24)) / 2 for x in moments) / steps
        weights = hour_weights(diurnal())
        # Over a whole day the wave's mean is (1 + quiet level)/2, over the week two of seven days are halved.
        assert weights[hour] == pytest.approx(mean / (0.6 * 6 / 7), rel=1e-6)


def test_diurnal_levels_turn_into_flat_and_into_no_weekend():
    assert hour_weights(diurnal(quiet_level=1, rest_day_level=1)) == pytest.approx([1.0] * 168)
    assert set(hour_weights(diurnal(rest_day_level=0))[5 * 24 :]) == {0.0}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Traffic.flat(timezone="Berlin"), "no IANA time zone; write a name such as"),
        (lambda: Traffic.flat(timezone="../etc/passwd"), "no IANA time zone"),
        (lambda: Traffic.flat(timezone=""), "no IANA time zone"),
        (lambda: Traffic.business(timezone="UTC", start_hour=17, end_hour=9, days=OFFICE), "cross midnight"),
        (lambda: Traffic.business(timezone="UTC", start_hour=9, end_hour=25, days=OFFICE), "from 0 to 24"),
        (lambda: Traffic.business(timezone="UTC", start_hour=-1, end_hour=5, days=OFFICE), "from 0 to 24"),
        (lambda: Traffic.business(timezone="UTC", start_hour=9, end_hour=17, days=()), "name each of its days once"),
        (lambda: Traffic.business(timezone="UTC", start_hour=9, end_hour=17, days=("mon", "moon")), "name each"),
        (lambda: Traffic.business(timezone="UTC", start_hour=9, end_hour=17, days=("mon", "mon")), "name each"),
        (lambda: Traffic(kind="business", timezone="UTC"), "whole hours from 0 to 24"),
        (lambda: diurnal(quiet_level=1.5), "quiet_level is 1.5; give a fraction"),
        (lambda: diurnal(rest_day_level=math.nan), "rest_day_level is nan"),
        (lambda: Traffic.imported(timezone="UTC", weights=[1.0] * 167), "167 hourly values; give 168"),
        (lambda: Traffic.imported(timezone="UTC", weights=[0.0] * 168), "no traffic to place"),
        (lambda: Traffic.imported(timezone="UTC", weights=[1.0] * 167 + [-1.0]), "hour 167 has the value -1.0"),
        (lambda: Traffic.imported(timezone="UTC", weights=[math.nan] + [1.0] * 167), "hour 0 has the value nan"),
        (lambda: Traffic.imported(timezone="UTC", weights=[math.inf] + [1.0] * 167), "hour 0 has the value inf"),
        (lambda: Traffic.imported(timezone="UTC", weights=[1e308] * 168), "add up to inf"),
    ],
)
def test_nonsense_is_refused_with_a_remedy(make, message):
    with pytest.raises(ValueError, match=message):
        make()
