"""Demand: both bills, where they cross, and what the reader's own demand takes."""

import math
import random
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.load.demand import demand_view, usd_per_month
from costmodel.load.fleet import Range, duty, winning_ranges
from costmodel.load.supply import Supply

CLUSTER = Supply(unit_usd_per_hour=1222.40, unit_tok_s=740_659.2)
OFFICE = [1.0] * 40 + [0.0] * 128


def view(supply=CLUSTER, *, demand=900_000.0, api=0.60, points=(1e3, 1e7), hours=720.0):
    return demand_view(
        points_tok_s=points, demand_tok_s=demand, supply=supply, api_usd_per_bundle=api, hours_per_month=hours
    )


@st.composite
def supplies(draw):
    return Supply(
        unit_usd_per_hour=draw(st.floats(1, 100)),
        unit_tok_s=1000.0,
        planning_limit=draw(st.sampled_from([0.8, 1.0])),
        spare_units=draw(st.integers(0, 2)),
        fixed_usd_per_hour=draw(st.sampled_from([0.0, 5.0])),
        duty=duty(
            demand_tok_s=draw(st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any)),
            mode=draw(st.sampled_from(["always", "scheduled"])),
            pre_warm_hours=0.5,
        ),
    )


@settings(deadline=None)
@given(supplies(), st.floats(1, 30))
def test_self_hosting_is_cheaper_inside_the_winning_ranges_and_nowhere_else(supply, api):
    points = [20.0 * step + 7 for step in range(1, 300)]
    found = view(supply, demand=6_000.0, api=api, points=points)
    assert found.points[-1].demand_tok_s <= found.followed_to_tok_s
    for demand, own, rented in found.points:
        if not math.isclose(own, rented, rel_tol=1e-6):
            assert any(start < demand <= end for start, end in found.wins) == (own < rented)


@settings(deadline=None)
@given(supplies(), st.floats(1, 30))
def test_from_so_many_units_on_it_never_falls_behind_again(supply, api):
    found = view(supply, demand=1.0, api=api, points=[1.0])
    if found.ahead_from_units is None:
        far = view(supply, demand=1e6, api=api, points=[1e6])
        assert far.wins == ()
        assert "not reachable at any demand" in far.reason
    else:
        start = found.ahead_from_units * supply.mean_unit_tok_s
        later = [start * (1 + step / 40) for step in range(1, 120)]
        far = view(supply, demand=start, api=api, points=later)
        assert all(own <= rented * (1 + 1e-9) for _, own, rented in far.points)


@settings(deadline=None)
@given(st.floats(0.05, 0.97))
def test_ranges_of_sustained_demand_are_those_of_whole_units(share):
    api = CLUSTER.unit_usd_per_hour / (share * CLUSTER.unit_tok_s * 3600e-6)
    up_to = 8
    window = up_to * CLUSTER.unit_tok_s
    expected = [
        Range(start * CLUSTER.unit_tok_s, end * CLUSTER.unit_tok_s)
        for start, end in winning_ranges(break_even_share=share, up_to_units=up_to)
    ]
    found = [
        Range(start, min(end, window))
        for start, end in view(api=api, demand=window, points=[window]).wins
        if start < window
    ]
    assert [edge for each in found for edge in each] == pytest.approx([edge for each in expected for edge in each])


@settings(deadline=None)
@given(supplies(), st.floats(1, 30), st.floats(0, 5000))
def test_the_answer_is_the_point_of_its_demand(supply, api, demand):
    found = view(supply, demand=demand, api=api, points=[demand, 5000.0])
    assert found.points[0] == (
        found.answer.demand_tok_s,
        found.answer.self_host_usd_per_month,
        found.answer.api_usd_per_month,
    )
    assert 0 <= found.answer.utilization <= 1 + 1e-9
    assert found.gaps == tuple(Range(before.end, after.start) for before, after in pairwise(found.wins))


# Worked numbers


def test_a_node_at_300_tok_s():
    """50.44 $/h against 1.20 $: 46.70 $ a bundle, 2.57 % of 11,676 tok/s (pikas.systems, September 2026)."""
    node = Supply(unit_usd_per_hour=50.44, unit_tok_s=20_000)
    found = view(node, demand=300.0, api=1.20, hours=730.0)
    assert found.answer.usd_per_bundle == pytest.approx(46.70, abs=0.005)
    assert found.answer.self_host_usd_per_month == pytest.approx(36_821.20)
    assert found.answer.api_usd_per_month == pytest.approx(946.08)
    assert found.one_unit_break_even_tok_s == found.turns_at_tok_s == pytest.approx(11_675.9, abs=0.05)
    assert found.answer.demand_over_break_even == pytest.approx(0.0257, abs=5e-5)
    assert found.one_unit_reason is None


def test_demand_above_one_unit_means_two():
    answer = view(demand=900_000.0).answer
    assert answer.demand_in_units == pytest.approx(1.215, abs=5e-4)
    assert (answer.units, answer.units_paid) == (2, 2)
    assert answer.usd_per_bundle == pytest.approx(0.7546, abs=5e-5)
    assert answer.utilization == pytest.approx(1.2151 / 2, abs=5e-5)


@pytest.mark.parametrize(("api", "units"), [(0.60, 4), (0.906, 2)])
def test_without_gaps_from_so_many_units(api, units):
    """76.4 % → 4 units, 50.6 % → 2 units."""
    found = view(api=api)
    assert found.ahead_from_units == units
    assert len(found.gaps) == units - 1
    assert found.wins[-1].start == pytest.approx(units * found.turns_at_tok_s)
    assert found.wins[-1].end == 1e7


def test_two_nodes_for_failover_double_the_break_even():
    """36,821 $ each against 1.20 $: 23,352 tok/s sustained over both."""
    pair = Supply(unit_usd_per_hour=50.44, unit_tok_s=30_000, spare_units=1)
    assert view(pair, api=1.20).turns_at_tok_s == pytest.approx(23_351.9, abs=0.05)


def test_office_hours_always_on_never_pay_but_scheduled_ones_do():
    """23.8 % load against 50.6 %: 2.13 times the API; switched on for its hours the same fleet wins."""
    always = view(
        Supply(unit_usd_per_hour=1222.40, unit_tok_s=740_659.2, duty=duty(demand_tok_s=OFFICE, mode="always")),
        api=0.906,
    )
    assert always.wins == ()
    assert "24% full" in always.reason
    assert "2.13 times" in always.reason
    scheduled = Supply(
        unit_usd_per_hour=1222.40,
        unit_tok_s=740_659.2,
        duty=duty(demand_tok_s=OFFICE, mode="scheduled", pre_warm_hours=0.5),
    )
    found = view(scheduled, api=0.906)
    paid_hours = 40 + 0.5  # one block of 40 hours here, one start
    assert found.turns_at_tok_s == pytest.approx(1222.40 * paid_hours / 168 / (0.906 * 3600e-6))
    assert found.answer.units == 6
    assert found.answer.units_paid == pytest.approx(6 * paid_hours / 168)


def test_eight_hours_at_300_tok_s_on_the_api():
    """22 days: 190.08M output, 228.10 $."""
    assert usd_per_month(usd_per_bundle=1.20, demand_tok_s=300, hours_per_month=8 * 22) == pytest.approx(228.096)


# Faults


def test_no_demand_has_a_bill_but_no_cost_per_token():
    answer = view(demand=0.0).answer
    assert answer.usd_per_bundle is None
    assert answer.reason == "no tokens are served, so a cost per token does not exist"
    assert answer.self_host_usd_per_month == pytest.approx(880_128)
    assert (answer.units, answer.utilization, answer.api_usd_per_month) == (1, 0, 0)


def test_a_price_below_full_cost_is_not_reachable():
    """16 B200 at 137.60 $/h and 80,640 tok/s against 0.30 $: 158 %."""
    found = view(Supply(unit_usd_per_hour=137.60, unit_tok_s=80_640), api=0.30)
    assert (found.turns_at_tok_s, found.ahead_from_units, found.wins) == (None, None, ())
    assert "1.58 times" in found.reason
    assert "one unit serves at most 80,640 tok/s" in found.one_unit_reason


def test_a_free_api_has_no_break_even():
    found = view(api=0.0)
    assert found.one_unit_break_even_tok_s is None
    assert found.answer.demand_over_break_even is None
    assert found.reason == found.one_unit_reason == "the API is free for this token mix, so no rent can match it"


def test_fixed_costs_may_put_the_turn_beyond_one_unit():
    """One unit earns at most 1,599.82 - 1,222.40 = 377.42 $/h over its rent: three of them carry 1,000 $/h."""
    found = view(Supply(unit_usd_per_hour=1222.40, unit_tok_s=740_659.2, fixed_usd_per_hour=1_000))
    assert found.one_unit_reason is not None
    assert found.wins[0].end == pytest.approx(3 * 740_659.2)
    assert found.turns_at_tok_s == pytest.approx((3 * 1222.40 + 1_000) / (0.60 * 3600e-6))


def test_exactly_full_units_are_not_one_more():
    for units in range(1, 20):
        answer = view(demand=units * 740_659.2).answer
        assert (answer.units, answer.units_paid) == (units, units)


def test_a_turn_beyond_all_steps_is_told():
    tight = Supply(unit_usd_per_hour=1.0, unit_tok_s=1.0, fixed_usd_per_hour=50.0)
    found = view(tight, demand=1.0, api=1.01 / 3600e-6, points=[1.0])
    assert found.turns_at_tok_s is None
    assert "at the latest from 5,1" in found.reason


@pytest.mark.parametrize("points", [[0.0], [-1.0, 5.0], [math.nan, 5.0], [math.inf]])
def test_demands_that_are_no_numbers_are_refused(points):
    with pytest.raises(ValueError, match="demands are numbers from 0 tok/s on"):
        view(points=points, demand=0.0)


def test_the_view_takes_less_than_twenty_milliseconds():
    chance = random.Random(2)
    points = [10 ** (1 + 6 * step / 199) for step in range(200)]
    took = []
    for _ in range(10):
        started = time.process_time()
        shape = duty(demand_tok_s=[chance.random() for _ in range(168)], mode="scheduled", pre_warm_hours=0.5)
        view(Supply(unit_usd_per_hour=1222.40, unit_tok_s=740_659.2, duty=shape), api=0.906, points=points)
        took.append(time.process_time() - started)
    assert min(took) < 0.020
