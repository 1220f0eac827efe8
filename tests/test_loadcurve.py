"""Load curve: what each further tok/s of own capacity is worth, and the level where that meets the rent."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.hybrid import api_usd_per_hour
from costmodel.load.loadcurve import best_level_tok_s, price_multipliers, week_of, worth_steps
from tests.model_cases import model_cases


@st.composite
def weeks(draw):
    hours = draw(st.integers(1, 12))
    demand = draw(st.lists(st.integers(0, 60), min_size=hours, max_size=hours))
    multipliers = draw(st.lists(st.sampled_from([1.0, 1.5, 2.0]), min_size=hours, max_size=hours))
    lengths = draw(st.lists(st.integers(1, 5), min_size=hours, max_size=hours))
    return week_of(
        demand_tok_s=demand,
        usd_per_bundle=draw(st.sampled_from([0.6, 0.906])),
        price_multipliers=multipliers,
        hour_shares=[length / sum(lengths) for length in lengths],
        deferrable_share=draw(st.sampled_from([0.0, 0.3, 1.0])),
    )


@settings(deadline=None)
@given(weeks())
def test_worth_falls_and_its_area_is_the_api_bill(week):
    steps = worth_steps(week)
    worth = [step.worth_share for step in steps]
    assert all(after <= before * (1 + 1e-9) for before, after in pairwise(worth))
    saved = math.fsum((step.to_tok_s - step.from_tok_s) * step.worth_share for step in steps)
    usd_of_one_tok_s = week.mean_usd_per_bundle * 3600e-6
    assert saved * usd_of_one_tok_s == pytest.approx(api_usd_per_hour(week, owned_tok_s=0), abs=1e-12)


@settings(deadline=None)
@given(weeks(), st.integers(0, 120))
def test_worth_is_the_slope_of_the_api_bill(week, level):
    middle = level + 0.5 + 1e-4
    step = next(
        (each for each in worth_steps(week) if each.from_tok_s < middle - 1e-3 < middle + 1e-3 < each.to_tok_s), None
    )
    if step is not None:
        saved = api_usd_per_hour(week, owned_tok_s=middle - 1e-3) - api_usd_per_hour(week, owned_tok_s=middle + 1e-3)
        assert saved / 2e-3 == pytest.approx(step.worth_share * week.mean_usd_per_bundle * 3600e-6, abs=1e-8)


@settings(deadline=None)
@given(weeks(), st.floats(0.05, 1.5))
def test_no_level_on_a_fine_grid_is_cheaper_than_the_best(week, break_even):
    usd_per_tok_s = break_even * week.mean_usd_per_bundle * 3600e-6
    best = best_level_tok_s(week, unit_usd_per_hour=usd_per_tok_s, unit_tok_s=1)

    def usd(level):
        return usd_per_tok_s * level + api_usd_per_hour(week, owned_tok_s=level)

    assert all(usd(best) <= usd(tenth / 10) + 1e-12 for tenth in range(0, 1_300, 3))


@model_cases("hybrid")
def test_published_case(case):
    inputs = case.inputs
    if inputs["demand"] == "flat":
        demand = [inputs["level"]] * 168
    else:
        demand = [inputs["hi"]] * inputs["hi_hours"] + [inputs["lo"]] * (168 - inputs["hi_hours"])
    peak_hours = [1.0 if hour // 24 < 5 and hour % 24 in (1, 2, 3, 6, 7, 8, 9) else 0.0 for hour in range(168)]
    week = week_of(
        demand_tok_s=demand,
        usd_per_bundle=inputs["A"],
        price_multipliers=price_multipliers(peak_fractions=peak_hours, peak_multiplier=inputs["peak_mult"]),
    )
    case.check(best_level_tok_s(week, unit_usd_per_hour=inputs["F_per_toks"], unit_tok_s=1))


@pytest.mark.parametrize(("busy_hours", "worth_percent", "level"), [(100, 59.5, 200e3), (130, 77.4, 700e3)])
def test_a_two_level_week_owns_the_base_at_100_hours_and_the_peak_too_at_130(busy_hours, worth_percent, level):
    """Against the 76.4 % of 1,222.40 $/h at 740,659.2 tok/s and 0.60 $."""
    week = week_of(demand_tok_s=[700e3] * busy_hours + [200e3] * (168 - busy_hours), usd_per_bundle=0.6)
    base, peak = worth_steps(week)
    assert (base.worth_share, 100 * peak.worth_share) == (1, pytest.approx(worth_percent, abs=0.05))
    assert best_level_tok_s(week, unit_usd_per_hour=1222.40, unit_tok_s=740_659.2) == level


def test_peak_hours_weigh_more():
    cheap = week_of(demand_tok_s=[1, 2], usd_per_bundle=1, price_multipliers=[1, 1])
    dear = week_of(demand_tok_s=[1, 2], usd_per_bundle=1, price_multipliers=[1, 3])
    assert [step.worth_share for step in worth_steps(cheap)] == [1, 0.5]
    assert [step.worth_share for step in worth_steps(dear)] == [1, 0.75]


def test_deferrable_tokens_make_idle_hours_worth_owning():
    """Half of [0, 200] can wait: 50 on average fill the empty hour, and after it the rest of both."""
    week = week_of(demand_tok_s=[0, 200], usd_per_bundle=1, deferrable_share=0.5)
    assert worth_steps(week) == ((0, 100, 1.0),)
    assert best_level_tok_s(week, unit_usd_per_hour=0.9 * 3600e-6, unit_tok_s=1) == 100


def test_a_batch_price_above_the_cheapest_hour_is_not_taken():
    week = week_of(demand_tok_s=[1, 1], usd_per_bundle=1, deferrable_share=0.5, deferrable_usd_per_bundle=1.4)
    assert week.deferrable_usd_per_bundle == 1
    week = week_of(demand_tok_s=[1, 1], usd_per_bundle=1, deferrable_share=0.5, deferrable_usd_per_bundle=0.5)
    assert week.deferrable_usd_per_bundle == 0.5


def test_equal_worth_and_rent_is_owned():
    week = week_of(demand_tok_s=[500e3] * 168, usd_per_bundle=0.1)
    assert best_level_tok_s(week, unit_usd_per_hour=0.1 * 3600e-6, unit_tok_s=1) == 500e3


def test_a_free_api_leaves_nothing_worth_owning():
    week = week_of(demand_tok_s=[1, 2], usd_per_bundle=0)
    assert worth_steps(week) == ()
    assert best_level_tok_s(week, unit_usd_per_hour=1, unit_tok_s=1) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"demand_tok_s": []}, "0 hours of demand"),
        ({"price_multipliers": [1]}, "1 price multipliers"),
        ({"hour_shares": [0.5, 0.25, 0.25]}, "3 hour shares"),
        ({"hour_shares": [0.5, 0.6]}, "add up to 1.1"),
        ({"demand_tok_s": [1, math.nan]}, "numbers from 0 on"),
        ({"usd_per_bundle": -1}, "numbers from 0 on"),
        ({"deferrable_share": 1.2}, "a deferrable share of 1.2"),
    ],
)
def test_nonsense_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        week_of(**{"demand_tok_s": [1, 2], "usd_per_bundle": 1, **changes})


@pytest.mark.parametrize(("usd", "tok_s"), [(1, 0), (-1, 1), (math.inf, 1), (1, math.nan)])
def test_a_unit_without_capacity_or_price_is_refused(usd, tok_s):
    with pytest.raises(ValueError, match="give a capacity above 0"):
        best_level_tok_s(week_of(demand_tok_s=[1], usd_per_bundle=1), unit_usd_per_hour=usd, unit_tok_s=tok_s)
