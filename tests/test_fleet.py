"""Fleet: whole units, the hours they are paid for, how full they may be, and where they win."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.load.fleet import (
    DutyLevel,
    Range,
    capacity_gaps,
    contiguous_from_units,
    duty,
    erlang_c,
    fleet,
    joined,
    paid_units,
    planning_limit,
    scheduled_hours,
    units_needed,
    winning_ranges,
)
from tests.model_cases import model_cases

UNIT = 740_659.2
OFFICE_WEEK = tuple(300.0 if hour // 24 < 5 and 9 <= hour % 24 < 17 else 0.0 for hour in range(168))

demands = st.lists(st.integers(0, 50), min_size=1, max_size=24).filter(any)


# Properties


@given(st.integers(1, 10_000), st.floats(1e-3, 1e9))
def test_exactly_full_units_do_not_round_up(units, capacity):
    assert units_needed(demand_tok_s=units * capacity, capacity_tok_s=capacity) == units
    assert units_needed(demand_tok_s=units * capacity * 1.0001, capacity_tok_s=capacity) == (
        units + max(1, math.ceil(units * 0.0001 - 1e-6))
    )


@given(st.just(0.0) | st.floats(1e-6, 1e9), st.floats(1e-3, 1e6))
def test_units_are_enough_and_one_less_is_not(demand, capacity):
    units = units_needed(demand_tok_s=demand, capacity_tok_s=capacity)
    assert units * capacity >= demand * (1 - 1e-9)
    assert units == 0 or (units - 1) * capacity < demand


@given(demands, st.integers(1, 9), st.integers(0, 3), st.sampled_from([0.5, 0.8, 1.0]))
def test_scheduled_never_runs_more_than_always_on(demand, capacity, spare, limit):
    inputs = {"demand_tok_s": demand, "capacity_tok_s": capacity, "spare_units": spare, "planning_limit": limit}
    always, scheduled = fleet(mode="always", **inputs), fleet(mode="scheduled", **inputs)
    assert set(always) == {max(scheduled)}
    assert all(units >= spare for units in scheduled)
    for tok_s, units in zip(demand, scheduled, strict=True):
        assert capacity_gaps(demand_tok_s=[tok_s], usable_tok_s=(units - spare) * capacity * limit) == ()


def paid_minute_by_minute(demand, capacity, pre_warm_minutes):
    """Units paid for, averaged over the minutes of a repeating week: those that some minute until then needs."""
    needed = [units_needed(demand_tok_s=tok_s, capacity_tok_s=capacity) for tok_s in demand for _ in range(60)]
    minutes = len(needed)
    paid = [
        max(needed[(minute + ahead) % minutes] for ahead in range(pre_warm_minutes + 1)) for minute in range(minutes)
    ]
    return sum(paid) / minutes


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(any),
    st.integers(1, 4),
    st.sampled_from([0, 15, 30, 60, 90, 150]),
)
def test_paid_units_match_a_count_of_minutes_pre_warm_included(demand, capacity, pre_warm_minutes):
    shape = duty(demand_tok_s=demand, mode="scheduled", pre_warm_hours=pre_warm_minutes / 60)
    mean = sum(demand) / len(demand)
    found = paid_units(duty=shape, mean_demand_tok_s=mean, usable_tok_s=capacity)
    assert found == pytest.approx(paid_minute_by_minute(demand, capacity, pre_warm_minutes))


@given(demands, st.integers(1, 9))
def test_paid_units_of_a_fleet_without_pre_warm_are_the_mean_of_its_hours(demand, capacity):
    for mode in ("always", "scheduled"):
        running = fleet(demand_tok_s=demand, capacity_tok_s=capacity, mode=mode)
        shape = duty(demand_tok_s=demand, mode=mode)
        paid = paid_units(duty=shape, mean_demand_tok_s=sum(demand) / len(demand), usable_tok_s=capacity)
        assert paid == pytest.approx(sum(running) / len(running))


@given(demands, st.floats(0, 400))
def test_pre_warm_only_adds_and_never_beyond_always_on(demand, pre_warm_hours):
    def paid(hours, mode="scheduled"):
        shape = duty(demand_tok_s=demand, mode=mode, pre_warm_hours=hours)
        return paid_units(duty=shape, mean_demand_tok_s=sum(demand) / len(demand), usable_tok_s=1)

    assert paid(0) <= paid(pre_warm_hours) * (1 + 1e-9)
    assert paid(pre_warm_hours) <= paid(0, mode="always") * (1 + 1e-9)


def erlang_c_by_recursion(slots, load):
    blocking = 1.0
    for busy in range(1, slots + 1):
        blocking = load * blocking / (busy + load * blocking)
    return blocking / (1 - load / slots * (1 - blocking))


@settings(deadline=None)
@given(st.integers(1, 1_500), st.floats(1e-6, 0.9999))
def test_erlang_c_agrees_with_the_recursion(slots, utilization):
    load = utilization * slots
    expected = erlang_c_by_recursion(slots, load)
    assert erlang_c(slots=slots, offered_load=load) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("slots", [1, 2, 8, 64, 500])
def test_waiting_rises_with_load_and_the_limit_with_slots(slots):
    waits = [erlang_c(slots=slots, offered_load=slots * step / 50) for step in range(51)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (0, 1)
    assert planning_limit(slots=slots, wait_limit=0.05) < planning_limit(slots=slots + 1, wait_limit=0.05)


@settings(deadline=None)
@given(st.floats(0.01, 0.98), st.floats(0, 5))
def test_contiguous_units_are_the_first_without_a_gap_ever_after(share, overhead):
    first = contiguous_from_units(break_even_share=share, overhead=overhead)

    def gap_after(units):
        return (units + 1) * share + overhead > units * (1 + 1e-9)

    assert not any(gap_after(units) for units in (first, first + 1, first + 50))
    if first > 1:
        assert gap_after(first - 1)


@given(st.floats(0.01, 0.97), st.floats(0, 3), st.integers(1, 60))
def test_winning_ranges_are_where_the_bill_is_lower(share, overhead, up_to):
    """In units of what the API charges for a full unit, N units cost N·share + overhead."""
    ranges = winning_ranges(break_even_share=share, overhead=overhead, up_to_units=up_to)
    for step in range(1, 40 * up_to, 7):
        demand = step / 40
        bill = math.ceil(demand) * share + overhead
        if abs(bill - demand) > 1e-6:
            assert any(start < demand <= end for start, end in ranges) == (bill < demand)


# Worked numbers


@model_cases("fleet")
def test_published_fleet(case):
    found = fleet(
        demand_tok_s=case.inputs["demand"],
        capacity_tok_s=case.inputs["cap"],
        mode=case.inputs["mode"],
        spare_units=case.inputs["nplus"],
    )
    case.check(list(found))


@model_cases("erlang_c")
def test_published_erlang_c(case):
    case.check(erlang_c(slots=case.inputs["k"], offered_load=case.inputs["a"]))


@model_cases("sawtooth_contiguous")
def test_published_contiguous_units(case):
    case.check(contiguous_from_units(break_even_share=case.inputs["u"]))


def test_half_cached_price_is_contiguous_from_two_units():
    assert contiguous_from_units(break_even_share=0.506018) == 2
    assert contiguous_from_units(break_even_share=0.75) == 3  # exactly 3, not 4
    assert contiguous_from_units(break_even_share=0.5) == 1
    assert winning_ranges(break_even_share=0.5, up_to_units=3) == (Range(0.5, 3),)


@pytest.mark.parametrize(("slots", "limit"), [(8, 0.48), (64, 0.80), (256, 0.89), (1024, 0.95)])
def test_planning_limits_at_five_percent_waiting(slots, limit):
    """Published to two digits; 64 slots give 0.7945."""
    assert planning_limit(slots=slots, wait_limit=0.05) == pytest.approx(limit, abs=0.006)


def test_a_node_switched_on_for_eight_hours_on_twenty_two_days():
    """50.44 $/h, half an hour to warm up: 9,432 $ instead of 36,821 $."""
    hours = scheduled_hours(busy_hours=8 * 22, starts=22, pre_warm_hours=0.5)
    assert hours * 50.44 == pytest.approx(9432.28)


def test_an_office_week_is_paid_for_its_hours_and_five_starts():
    assert duty(demand_tok_s=OFFICE_WEEK, mode="scheduled", pre_warm_hours=0.5) == (
        DutyLevel(pytest.approx(4.2), pytest.approx((40 + 5 * 0.5) / 168)),
    )
    assert duty(demand_tok_s=OFFICE_WEEK, mode="always") == (DutyLevel(pytest.approx(4.2), 1.0),)


def test_hours_that_come_more_often_count_more():
    """Office hours on 22 of 30.4 days: 187 of 730 hours are paid."""
    shares = [22 / 5 / 730] * 120 + [(730 - 22 * 24) / 48 / 730] * 48
    office = [float(hour % 24 in range(9, 17) and hour < 120) for hour in range(168)]
    (level,) = duty(demand_tok_s=office, mode="scheduled", pre_warm_hours=0.5, hour_shares=shares)
    assert level == (pytest.approx(730 / 176), pytest.approx(187 / 730))
    assert duty(demand_tok_s=office, mode="always", hour_shares=shares) == (DutyLevel(pytest.approx(730 / 176), 1.0),)


def test_a_unit_that_warms_up_longer_than_it_pauses_stays_on():
    assert paid_units(
        duty=duty(demand_tok_s=[1, 0, 1, 0, 0, 0], mode="scheduled", pre_warm_hours=1.5),
        mean_demand_tok_s=1 / 3,
        usable_tok_s=1,
    ) == pytest.approx((2 + 1 + 1.5) / 6)


def test_spare_units_stand_by_or_are_switched_off_with_the_fleet():
    inputs = {"demand_tok_s": [0, 150], "capacity_tok_s": 100, "mode": "scheduled", "spare_units": 1}
    assert fleet(**inputs) == (1, 3)
    assert fleet(**inputs, spare_always_on=False) == (0, 3)


def test_the_planning_limit_asks_for_more_units():
    assert fleet(demand_tok_s=[UNIT], capacity_tok_s=UNIT, mode="always", planning_limit=0.8) == (2,)


def test_capacity_gaps_name_the_hour_and_what_is_missing():
    assert capacity_gaps(demand_tok_s=[900_000, UNIT, 0], usable_tok_s=UNIT) == ((0, pytest.approx(159_340.8)),)


# Faults


def test_a_break_even_above_one_is_never_reached():
    """16 B200 at 0.4740 $ against 0.30 $: 158 %."""
    assert contiguous_from_units(break_even_share=1.58) is None
    assert contiguous_from_units(break_even_share=1.0) is None
    assert winning_ranges(break_even_share=1.58, up_to_units=50) == ()
    assert winning_ranges(break_even_share=1.0, up_to_units=50) == ()


def test_no_demand_needs_no_unit():
    assert fleet(demand_tok_s=[0, 0], capacity_tok_s=1, mode="always") == (0, 0)
    assert fleet(demand_tok_s=[], capacity_tok_s=1, mode="always") == ()
    assert joined([]) == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: units_needed(demand_tok_s=1, capacity_tok_s=0), "a capacity of 0 tok/s"),
        (lambda: units_needed(demand_tok_s=1, capacity_tok_s=math.nan), "a capacity of nan"),
        (lambda: units_needed(demand_tok_s=-1, capacity_tok_s=1), "a demand of -1 tok/s"),
        (lambda: units_needed(demand_tok_s=math.inf, capacity_tok_s=1), "a demand of inf"),
        (lambda: duty(demand_tok_s=[0, 0], mode="always"), "no hour has any demand"),
        (lambda: duty(demand_tok_s=[], mode="scheduled"), "no hour has any demand"),
        (lambda: duty(demand_tok_s=[1], mode="scheduled", pre_warm_hours=-1), "a pre-warm time of -1"),
        (lambda: erlang_c(slots=0, offered_load=1), "0 slots"),
        (lambda: erlang_c(slots=1, offered_load=-1), "an offered load of -1"),
        (lambda: planning_limit(slots=8, wait_limit=0), "a limit of 0"),
        (lambda: contiguous_from_units(break_even_share=-0.1), "a break-even at -0.1"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
