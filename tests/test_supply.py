"""Supply: the staircase of whole units over demand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.load.fleet import duty, paid_units
from costmodel.load.supply import Supply, staircase

shapes = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any)


@settings(deadline=None)
@given(shapes, st.sampled_from(["always", "scheduled"]), st.sampled_from([0.6, 1.0]), st.floats(0.001, 0.999))
def test_every_stair_has_the_units_paid_for_within_it(shape, mode, limit, place):
    supply = Supply(
        unit_usd_per_hour=1,
        unit_tok_s=100,
        planning_limit=limit,
        duty=duty(demand_tok_s=shape, mode=mode, pre_warm_hours=0.5),
    )
    stairs = staircase(supply=supply, up_to_tok_s=450)
    assert stairs[0].from_tok_s == 0
    assert stairs[-1].to_tok_s == 450
    for stair in stairs:
        for demand in (stair.from_tok_s + place * (stair.to_tok_s - stair.from_tok_s), stair.to_tok_s):
            paid = paid_units(duty=supply.duty, mean_demand_tok_s=demand, usable_tok_s=supply.usable_tok_s)
            assert stair.units_paid == pytest.approx(paid)


def test_a_long_staircase_is_followed_only_so_far():
    supply = Supply(unit_usd_per_hour=1, unit_tok_s=1)
    stairs = staircase(supply=supply, up_to_tok_s=1e9)
    assert stairs[-1].to_tok_s == len(stairs) < 1e9


def test_office_hours_fill_an_always_on_unit_to_their_share_of_the_week():
    shape = [300.0] * 40 + [0.0] * 128
    always = Supply(unit_usd_per_hour=1, unit_tok_s=100, duty=duty(demand_tok_s=shape, mode="always"))
    assert always.highest_utilization == pytest.approx(40 / 168)
    assert always.mean_unit_tok_s == pytest.approx(100 * 40 / 168)
    scheduled = Supply(unit_usd_per_hour=1, unit_tok_s=100, duty=duty(demand_tok_s=shape, mode="scheduled"))
    assert scheduled.highest_utilization == pytest.approx(1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unit_tok_s": 0}, "a capacity of 0 tok/s"),
        ({"unit_tok_s": math.nan}, "a capacity of nan"),
        ({"planning_limit": 0}, "a planning limit of 0"),
        ({"planning_limit": 1.1}, "a planning limit of 1.1"),
        ({"unit_usd_per_hour": -1}, "-1 \\$ an hour"),
        ({"fixed_usd_per_hour": math.inf}, "inf \\$ fixed"),
        ({"spare_units": -1}, "-1 spare units"),
    ],
)
def test_nonsense_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Supply(**{"unit_usd_per_hour": 1, "unit_tok_s": 1, **changes})
