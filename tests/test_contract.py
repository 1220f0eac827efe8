"""Money over time: what a fall, a discount rate and a payback mean, and the fall a saving survives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.contracts.contract import (
    break_even_later,
    cumulative_usd,
    discount_factor,
    level,
    level_when_signed,
    npv_usd,
    payback_month,
    price_limit,
    survivable_price_fall,
    value_left_usd,
)
from costmodel.words import percent_text

RATES = st.floats(0, 0.5)


@given(st.floats(-0.99, 10), st.integers(0, 120))
def test_a_level_compounds_year_by_year(change: float, month: int) -> None:
    year_later = level(yearly_change_share=change, month=month + 12)
    assert year_later == pytest.approx((1 + change) * level(yearly_change_share=change, month=month))


@pytest.mark.parametrize("change", [-1, -1.5])
def test_a_fall_of_everything_is_refused(change: float) -> None:
    with pytest.raises(ValueError, match="less than 100 %"):
        level(yearly_change_share=change, month=1)


@given(st.floats(-0.9, 2), st.integers(1, 60))
def test_a_price_is_fixed_within_its_term(change: float, term: int) -> None:
    levels = [level_when_signed(yearly_change_share=change, month=month, term_months=term) for month in range(1, 61)]
    assert set(levels[:term]) == {1.0}
    starts = levels[::term]
    assert starts == [level(yearly_change_share=change, month=month) for month in range(0, 60, term)]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), RATES)
def test_npv_without_a_rate_is_the_sum_and_a_rate_only_lowers_it(payments: list[float], rate: float) -> None:
    total = cumulative_usd(payments)[-1]
    assert npv_usd(payments, yearly_rate_share=0) == pytest.approx(total)
    assert npv_usd(payments, yearly_rate_share=rate) <= total * (1 + 1e-9)


def test_npv_is_that_of_a_spreadsheet() -> None:
    """=100+NPV(1.08^(1/12)-1; 10; 20; 30) in a spreadsheet, whose NPV discounts its first value once."""
    monthly = 1.08 ** (1 / 12) - 1
    expected = 100 + 10 / (1 + monthly) + 20 / (1 + monthly) ** 2 + 30 / (1 + monthly) ** 3
    assert npv_usd([100, 10, 20, 30], yearly_rate_share=0.08) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_payback_holds_from_its_month_on_and_not_before(payments: list[tuple[int, int]]) -> None:
    own = cumulative_usd([each for each, _ in payments])
    other = cumulative_usd([each for _, each in payments])
    month = payback_month(own_usd=own, other_usd=other)
    if month is None:
        assert own[-1] > other[-1]
    else:
        assert all(mine <= theirs for mine, theirs in zip(own[month:], other[month:], strict=True))
        assert month == 0 or own[month - 1] > other[month - 1]


def test_a_payback_that_is_lost_again_does_not_count() -> None:
    assert payback_month(own_usd=(50, 50, 50, 120, 120), other_usd=(0, 40, 80, 110, 140)) == 4
    assert payback_month(own_usd=(50, 50, 50, 170, 170), other_usd=(0, 40, 80, 110, 140)) is None


@given(st.floats(1, 1e6), st.floats(0, 1), st.integers(1, 120))
def test_hardware_is_worth_its_price_at_first_and_its_residual_at_last(price: float, left: float, life: int) -> None:
    given_ = {"purchase_usd": price, "residual_share": left, "life_months": life}
    values = [value_left_usd(**given_, age_months=age) for age in range(life + 1)]
    assert values[0] == price
    assert values[-1] == pytest.approx(price * left, abs=1e-9 * price)
    assert values == sorted(values, reverse=True)


# The fall that is survived


@settings(max_examples=150)
@given(st.floats(0, 0.6), st.integers(1, 120), RATES)
def test_at_the_limit_both_sides_are_worth_the_same(saving: float, months: int, rate: float) -> None:
    limit = survivable_price_fall(saving_share=saving, months=months, yearly_rate_share=rate)
    assert limit.yearly_fall_share is not None
    prices = [0.0] + [(1 - limit.yearly_fall_share) ** (month / 12) for month in range(1, months + 1)]
    own = [0.0] + [1 - saving] * months
    api_npv, own_npv = (npv_usd(payments, yearly_rate_share=rate) for payments in (prices, own))
    assert api_npv == pytest.approx(own_npv, rel=1e-6)


@given(st.floats(0.01, 0.9), st.integers(2, 100), RATES)
def test_a_longer_or_a_poorer_commitment_survives_less(saving: float, months: int, rate: float) -> None:
    def fall(saving: float, months: int) -> float:
        limit = survivable_price_fall(saving_share=saving, months=months, yearly_rate_share=rate)
        assert limit.yearly_fall_share is not None
        return limit.yearly_fall_share

    assert fall(saving, months) <= fall(saving, months - 1)
    assert fall(saving, months) >= fall(saving * 0.9, months)


def test_worked_numbers() -> None:
    """30 % saving, 36 months, 8 %: 23 % a year; without a rate the cheap late months count more, and it is 22 %."""
    fall = survivable_price_fall(saving_share=0.30, months=36, yearly_rate_share=0.08).yearly_fall_share
    assert fall == pytest.approx(0.2264, abs=1e-4)
    undiscounted = survivable_price_fall(saving_share=0.30, months=36, yearly_rate_share=0).yearly_fall_share
    assert undiscounted == pytest.approx(0.2181, abs=1e-4)
    # One month, one payment: (1 - fall)^(1/12) = 0.9.
    one = survivable_price_fall(saving_share=0.1, months=1, yearly_rate_share=0.08).yearly_fall_share
    assert one == pytest.approx(1 - 0.9**12)


def test_without_a_saving_nothing_is_survived() -> None:
    assert survivable_price_fall(saving_share=0, months=36, yearly_rate_share=0.08).yearly_fall_share == 0
    limit = survivable_price_fall(saving_share=-0.5, months=24, yearly_rate_share=0.08)
    assert limit.yearly_fall_share is None
    assert limit.yearly_rise_share is not None
    rising = [0.0] + [(1 + limit.yearly_rise_share) ** (month / 12) for month in range(1, 25)]
    assert npv_usd(rising, yearly_rate_share=0.08) == pytest.approx(
        npv_usd([0.0] + [1.5] * 24, yearly_rate_share=0.08), rel=1e-9
    )
    assert (
        limit.reason == f"it would pay only if the API's price rose by {percent_text(limit.yearly_rise_share)} a year"
    )


def test_no_price_path_is_said_as_such() -> None:
    assert "10-fold" in (survivable_price_fall(saving_share=-100, months=2, yearly_rate_share=0).reason or "")
    assert "costs nothing" in (survivable_price_fall(saving_share=1, months=12, yearly_rate_share=0).reason or "")
    assert "10-fold" in (price_limit(fixed_usd=1, worth_usd=[0.0, 0.0]).reason or "")


@pytest.mark.parametrize("month", [0, 1, 12, 120])
def test_without_a_rate_later_money_counts_fully(month: int) -> None:
    assert discount_factor(yearly_rate_share=0, month=month) == 1


def test_a_break_even_moves_against_the_price_and_with_the_own_cost() -> None:
    """Output from $30 to $20 within a twelve-month term: 40 % of the capacity becomes 60 %."""
    assert break_even_later(today_share=0.4, own_cost_level=1, api_price_level=20 / 30) == pytest.approx(0.6)
    assert break_even_later(today_share=0.4, own_cost_level=0.5, api_price_level=0.5) == pytest.approx(0.4)
