"""Hybrid: never dearer than all API or all own, and the best whole number of units by brute force."""

import math
import random
import time
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.hybrid import api_usd_per_hour, hybrid, units_to_own_all
from costmodel.load.loadcurve import price_multipliers, week_of

UNIT = {"unit_usd_per_hour": 137.60, "unit_tok_s": 80_640, "hours_per_month": 720}


@st.composite
def situations(draw):
    hours = draw(st.integers(1, 24))
    week = week_of(
        demand_tok_s=draw(st.lists(st.floats(0, 1e6), min_size=hours, max_size=hours)),
        usd_per_bundle=draw(st.floats(0, 2)),
        price_multipliers=draw(st.lists(st.floats(1, 3), min_size=hours, max_size=hours)),
        deferrable_share=draw(st.sampled_from([0.0, 0.25, 1.0])),
        deferrable_usd_per_bundle=draw(st.sampled_from([None, 0.1])),
    )
    rent = {
        "unit_usd_per_hour": draw(st.floats(0, 500)),
        "unit_tok_s": draw(st.floats(2e4, 5e5)),
        "fixed_usd_per_hour": draw(st.sampled_from([0.0, 60.0])),
    }
    return week, rent


@settings(max_examples=150, deadline=None)
@given(situations(), st.integers(0, 2))
def test_hybrid_is_never_dearer_than_all_api_or_all_own(situation, spare):
    week, rent = situation
    answer = hybrid(week, **rent, spare_units=spare, hours_per_month=730)
    assert answer.hybrid_usd_per_month <= answer.all_api_usd_per_month
    assert answer.hybrid_usd_per_month <= answer.all_own_usd_per_month


@settings(max_examples=150, deadline=None)
@given(situations())
def test_no_other_whole_number_of_units_is_cheaper(situation):
    week, rent = situation
    answer = hybrid(week, **rent, hours_per_month=1)
    for units in range(units_to_own_all(week, unit_tok_s=rent["unit_tok_s"]) + 3):
        fixed = rent["fixed_usd_per_hour"] if units else 0
        api = api_usd_per_hour(week, owned_tok_s=units * rent["unit_tok_s"])
        cost = units * rent["unit_usd_per_hour"] + fixed + api
        assert answer.hybrid_usd_per_month <= cost * (1 + 1e-9) + 1e-9


@settings(max_examples=100, deadline=None)
@given(situations())
def test_every_token_is_served_once(situation):
    week, rent = situation
    answer = hybrid(week, **rent, hours_per_month=1)
    own = math.fsum(map(mul, week.hour_shares, answer.own_tok_s))
    api = math.fsum(map(mul, week.hour_shares, answer.api_tok_s)) + answer.deferred_to_api_tok_s
    assert own + api == pytest.approx(week.mean_tok_s, rel=1e-9, abs=1e-9)
    assert max(answer.own_tok_s) <= answer.units * rent["unit_tok_s"] * (1 + 1e-9)


@settings(max_examples=100, deadline=None)
@given(situations())
def test_the_last_unit_pays_its_rent_and_one_more_would_not(situation):
    week, rent = situation
    rent["fixed_usd_per_hour"] = 0.0
    answer = hybrid(week, **rent, hours_per_month=730)
    slack = 1e-7 * (1 + answer.all_api_usd_per_month)
    if answer.units:
        assert answer.last_unit_saves_usd_per_month >= answer.unit_usd_per_month - slack
    assert answer.next_unit_saves_usd_per_month <= answer.unit_usd_per_month + slack


def test_a_two_level_week_on_16_gpu_units():
    """700k for 100 h, 200k else, at 0.906: the third unit is busy 200,000/80,640 - 2 = 48 % of the base and 100 h."""
    week = week_of(demand_tok_s=[700e3] * 100 + [200e3] * 68, usd_per_bundle=0.906)
    answer = hybrid(week, **UNIT)
    # A fully used unit-hour is worth 80,640·3600e-6·0.906 = 263.02 $; 137.60 $ is 52.3 %, less than 100/168 = 59.5 %.
    assert answer.best_level_tok_s == 700e3
    assert answer.break_even_share == pytest.approx(0.52316, abs=1e-5)
    assert (answer.units, answer.all_own_units) == (8, 9)
    served = 8 * 80_640
    left_to_api = (700e3 - served) * 100 / 168 * 3600e-6 * 0.906
    assert answer.hybrid_usd_per_month == pytest.approx((8 * 137.60 + left_to_api) * 720)
    assert answer.all_own_usd_per_month == pytest.approx(9 * 137.60 * 720)


def test_whole_units_may_leave_even_the_base_to_the_api():
    """One 740,659.2 tok/s unit for a base of 200,000: 27 % of it, below the 76.4 % it must sell."""
    week = week_of(demand_tok_s=[200e3] * 168, usd_per_bundle=0.6)
    answer = hybrid(week, unit_usd_per_hour=1222.40, unit_tok_s=740_659.2, hours_per_month=720)
    assert answer.best_level_tok_s == 200e3
    assert answer.units == 0
    assert answer.last_unit_saves_usd_per_month is None
    assert answer.hybrid_usd_per_month == answer.all_api_usd_per_month == pytest.approx(200e3 * 0.6 * 3600e-6 * 720)


def test_exactly_full_units_own_everything():
    week = week_of(demand_tok_s=[2 * 80_640] * 168, usd_per_bundle=0.906)
    answer = hybrid(week, **UNIT)
    assert (answer.units, answer.all_own_units) == (2, 2)
    assert answer.hybrid_api_usd_per_month == 0
    assert answer.hybrid_usd_per_month == answer.all_own_usd_per_month == pytest.approx(2 * 137.60 * 720)


def test_deferrable_tokens_fill_idle_hours_before_the_api_sees_them():
    week = week_of(demand_tok_s=[200.0, 0.0], usd_per_bundle=1, deferrable_share=0.5)
    answer = hybrid(week, unit_usd_per_hour=0.3, unit_tok_s=100, hours_per_month=1)
    assert (answer.units, answer.all_own_units) == (1, 1)
    assert answer.own_tok_s == (100, pytest.approx(50 * 2))
    assert answer.deferred_to_api_tok_s == 0
    assert answer.hybrid_api_usd_per_month == 0


def test_spare_units_and_fixed_costs_are_paid_with_own_units_only():
    week = week_of(demand_tok_s=[80_640.0] * 168, usd_per_bundle=0.906)
    answer = hybrid(week, **UNIT, spare_units=1, fixed_usd_per_hour=50)
    assert answer.all_own_usd_per_month == pytest.approx((2 * 137.60 + 50) * 720)
    assert answer.hybrid_usd_per_month == pytest.approx((137.60 + 50) * 720)
    answer = hybrid(week, **UNIT, fixed_usd_per_hour=200)
    assert answer.units == 0
    assert answer.hybrid_usd_per_month == answer.all_api_usd_per_month


def test_without_demand_there_is_nothing_to_own():
    answer = hybrid(week_of(demand_tok_s=[0.0] * 168, usd_per_bundle=1), **UNIT)
    assert (answer.units, answer.all_own_units, answer.all_own_usd_per_month) == (0, 0, 0)


def test_a_free_api_takes_everything():
    answer = hybrid(week_of(demand_tok_s=[1e6] * 168, usd_per_bundle=0), **UNIT)
    assert (answer.units, answer.break_even_share) == (0, None)


def test_a_week_of_168_hours_takes_less_than_two_milliseconds():
    chance = random.Random(1)
    demand = [chance.random() * 1e6 for _ in range(168)]
    fractions = [chance.random() for _ in range(168)]
    took = []
    for _ in range(20):
        started = time.process_time()
        multipliers = price_multipliers(peak_fractions=fractions, peak_multiplier=2)
        week = week_of(demand_tok_s=demand, usd_per_bundle=0.906, price_multipliers=multipliers, deferrable_share=0.2)
        hybrid(week, **UNIT)
        took.append(time.process_time() - started)
    assert min(took) < 0.002
