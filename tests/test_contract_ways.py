"""The ways of serving a demand over years: what each pays, and at which price fall it turns."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.contracts.contract import cumulative_usd, payback_month
from costmodel.contracts.contract_ways import Outlook, Way, api_only, api_share, bought, rented, reserved

RATE = 0.08
PURCHASE: dict[str, Any] = {
    "purchase_usd": 2_000,
    "residual_share": 0.1,
    "life_months": 36,
    "running_usd_per_month": 12,
}


def ways_of(outlook: Outlook) -> dict[str, Way]:
    return {
        "rent": rented(outlook, usd_per_month=80),
        "spot": rented(outlook, usd_per_month=40, interrupted_share=0.1),
        "reserve": reserved(outlook, usd_per_month=56, term_months=36),
        "buy": bought(outlook, **PURCHASE),
    }


@st.composite
def outlooks(draw: st.DrawFn) -> Outlook:
    return Outlook(
        months=draw(st.integers(1, 72)),
        api_usd_per_month=draw(st.floats(1, 500)),
        demand_over_capacity=draw(st.floats(0.05, 3)),
        other_usd_per_month=draw(st.sampled_from([0.0, 7.5])),
        once_usd=draw(st.sampled_from([0.0, 300.0])),
        api_fall_share=draw(st.floats(-1, 0.9)),
        gpu_fall_share=draw(st.floats(-0.5, 0.9)),
        growth_share=draw(st.floats(-0.9, 2)),
    )


@settings(max_examples=100)
@given(outlooks())
def test_at_its_price_limit_a_way_is_worth_as_much_as_the_api(outlook: Outlook) -> None:
    for way in ways_of(outlook).values():
        limit = way.price_limit(yearly_rate_share=RATE)
        fall = limit.yearly_fall_share
        if fall is None and limit.yearly_rise_share is not None:
            fall = -limit.yearly_rise_share
        if fall is None or fall > 0.9999:
            assert fall is not None or limit.reason
            continue
        at_limit = replace(outlook, api_fall_share=fall)
        own = replace(way, outlook=at_limit).npv_usd(yearly_rate_share=RATE)
        assert own == pytest.approx(api_only(at_limit).npv_usd(yearly_rate_share=RATE), rel=1e-5)


@given(outlooks(), st.floats(0.01, 0.5))
def test_the_api_and_whatever_buys_from_it_cost_less_when_its_price_falls_faster(outlook: Outlook, more: float) -> None:
    faster = replace(outlook, api_fall_share=outlook.api_fall_share * (1 - more) + 0.95 * more)
    for slow, fast in zip(ways_of(outlook).values(), ways_of(faster).values(), strict=True):
        before, after = slow.npv_usd(yearly_rate_share=RATE), fast.npv_usd(yearly_rate_share=RATE)
        assert after <= before + 1e-9 * abs(before)
    assert api_only(faster).npv_usd(yearly_rate_share=RATE) < api_only(outlook).npv_usd(yearly_rate_share=RATE)


@given(outlooks())
def test_every_way_pays_for_every_month_and_buying_pays_at_once(outlook: Outlook) -> None:
    for way in (api_only(outlook), *ways_of(outlook).values()):
        assert len(way.paid_usd) == outlook.months + 1
        assert way.total_usd == pytest.approx(way.npv_usd(yearly_rate_share=0))
    ways = ways_of(outlook)
    assert cumulative_usd(ways["buy"].paid_usd)[0] == 2_000 + outlook.once_usd
    for name in ("rent", "spot", "reserve"):
        assert ways[name].paid_usd[0] == outlook.once_usd
    assert api_only(outlook).paid_usd[0] == 0


@pytest.mark.parametrize("months", [1, 12, 36, 60])
def test_without_paths_a_total_is_so_many_equal_bills(months: int) -> None:
    outlook = Outlook(
        months=months, api_usd_per_month=100, demand_over_capacity=0.6, other_usd_per_month=5, once_usd=90
    )
    ways = ways_of(outlook)
    assert api_only(outlook).total_usd == pytest.approx(months * 100)
    assert ways["rent"].total_usd == pytest.approx(90 + months * 85)
    assert ways["spot"].total_usd == pytest.approx(90 + months * (40 + 5 + 0.1 * 100))
    assert ways["reserve"].total_usd == pytest.approx(90 + max(months, 36) * 56 + months * 5)


def test_prices_move_as_they_are_said_to() -> None:
    outlook = Outlook(
        months=24, api_usd_per_month=100, demand_over_capacity=0.5, api_fall_share=0.3, gpu_fall_share=0.2
    )
    assert api_only(outlook).paid_usd[12] == pytest.approx(70)
    assert rented(outlook, usd_per_month=80).paid_usd[24] == pytest.approx(80 * 0.64)
    assert reserved(outlook, usd_per_month=60, term_months=36).paid_usd[24] == 60
    yearly = reserved(outlook, usd_per_month=60, term_months=12).paid_usd
    assert [yearly[month] for month in (1, 12, 13, 24)] == pytest.approx([60, 60, 48, 48])
    rising = replace(outlook, api_fall_share=-0.3, growth_share=0.2)
    assert api_only(rising).paid_usd[12] == pytest.approx(100 * 1.3 * 1.2)


def test_a_purchase_keeps_a_value_until_its_life_is_over() -> None:
    for months, left in ((1, 1_950), (18, 1_100), (36, 200)):
        outlook = Outlook(months=months, api_usd_per_month=100, demand_over_capacity=0.6)
        way = bought(outlook, **PURCHASE)
        assert way.left_usd == pytest.approx(left)
        assert way.total_usd == pytest.approx(2_000 + 12 * months - left)


def test_beyond_its_life_it_is_bought_again_at_the_price_of_that_day() -> None:
    outlook = Outlook(months=48, api_usd_per_month=100, demand_over_capacity=0.6, gpu_fall_share=0.5)
    way = bought(outlook, **PURCHASE)
    new_price = 2_000 * 0.5**3
    assert way.paid_usd[36] == pytest.approx(12 - 200 + new_price)
    assert way.left_usd == pytest.approx(new_price - 0.9 * new_price * 12 / 36)
    # To sell and buy anew at the end of a horizon, or only to sell: it costs the same.
    to_the_day = bought(replace(outlook, months=36), **PURCHASE)
    assert cumulative_usd(way.paid_usd)[36] - new_price == pytest.approx(to_the_day.total_usd)
    assert to_the_day.paid_usd[36] == 12


def test_a_life_of_one_month_and_a_horizon_of_one_month() -> None:
    outlook = Outlook(months=1, api_usd_per_month=100, demand_over_capacity=0.6)
    assert bought(outlook, **PURCHASE | {"life_months": 1}).total_usd == pytest.approx(2_000 - 200 + 12)
    three = bought(replace(outlook, months=3), **PURCHASE | {"life_months": 1})
    assert three.total_usd == pytest.approx(3 * (2_000 - 200 + 12))


def test_who_stops_within_a_term_owes_the_rest_of_it() -> None:
    outlook = Outlook(months=12, api_usd_per_month=100, demand_over_capacity=0.6)
    assert reserved(outlook, usd_per_month=70, term_months=36).left_usd == -24 * 70
    assert reserved(outlook, usd_per_month=70, term_months=12).left_usd == 0
    assert reserved(replace(outlook, months=18), usd_per_month=70, term_months=12).total_usd == pytest.approx(18 * 70)


def test_demand_above_the_capacity_is_bought_at_the_price_of_that_month() -> None:
    outlook = Outlook(months=12, api_usd_per_month=100, demand_over_capacity=0.8, growth_share=1.0, api_fall_share=0.5)
    way = rented(outlook, usd_per_month=10)
    # In month 12 demand is 1.6 capacities: 0.6 of 1.6 is bought; the whole bill would be 100 · 2 · 0.5.
    assert way.api_shares[12] == pytest.approx(0.6 / 1.6)
    assert way.paid_usd[12] == pytest.approx(10 + 100 * 0.6 / 1.6)
    assert way.api_shares[1] == 0


@given(st.floats(0.001, 100), st.floats(0, 0.95))
def test_own_and_api_serve_all_of_the_demand(demand: float, lost: float) -> None:
    own_served = (1 - lost) * min(demand, 1)
    assert api_share(demand_over_capacity=demand, interrupted_share=lost) * demand + own_served == pytest.approx(demand)


def test_payback_of_a_purchase() -> None:
    """500 at the start and 10 a month against 30 a month: 500 / 20 = 25 months."""
    outlook = Outlook(months=36, api_usd_per_month=30, demand_over_capacity=0.6)
    way = bought(outlook, purchase_usd=500, residual_share=0, life_months=36, running_usd_per_month=10)
    own, other = cumulative_usd(way.paid_usd), cumulative_usd(api_only(outlook).paid_usd)
    assert payback_month(own_usd=own, other_usd=other) == 25


def test_a_free_api_is_said_as_such() -> None:
    outlook = Outlook(months=12, api_usd_per_month=0, demand_over_capacity=0.6)
    limit = rented(outlook, usd_per_month=10).price_limit(yearly_rate_share=RATE)
    assert (limit.yearly_fall_share, limit.yearly_rise_share) == (None, None)
    assert limit.reason == "the API is free for this token mix"
