"""Money over time: prices that move month by month, what later money is worth, and how far a price may fall.

Month 0 is the day of signing. The bill of month t = 1, 2, … is paid at the end of that month, at the prices reached by
then. Nothing here knows of GPUs or APIs; contract_ways.py lays out what each way of serving the demand pays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from costmodel.language import say
from costmodel.units import MONTHS_PER_YEAR
from costmodel.words import percent_text

_MOST_TIMES_A_YEAR = 10
"""A price that has to rise tenfold every year is no path anybody plans with."""
_HALVINGS = 60
_ROUNDING = 1e-9


def level(*, yearly_change_share: float, month: float) -> float:
    """Where a price or a demand of 1 stands after some months.

    Formula: level = (1 + change a year) ^ (months / 12)
    Assumes: the same change every year, month by month; a change of -1 or less is refused, nothing would be left.
    Source: compound growth.

    >>> [round(level(yearly_change_share=-0.2, month=month), 4) for month in (0, 6, 12, 24)]
    [1.0, 0.8944, 0.8, 0.64]
    """
    if yearly_change_share <= -1:
        raise ValueError("a fall of 100 % a year or more leaves nothing: enter less than 100 %")
    return float((1 + yearly_change_share) ** (month / MONTHS_PER_YEAR))


def level_when_signed(*, yearly_change_share: float, month: int, term_months: int) -> float:
    """Where a price stands that is fixed for a term and agreed anew at the end of each.

    Formula: level at month floor((month - 1) / term) · term
    Assumes: month 1 or later; each new term starts at the price of its first day.
    Source: what a reservation is.

    >>> [level_when_signed(yearly_change_share=-0.2, month=month, term_months=12) for month in (1, 12, 13)]
    [1.0, 1.0, 0.8]
    """
    return level(yearly_change_share=yearly_change_share, month=(month - 1) // term_months * term_months)


def discount_factor(*, yearly_rate_share: float, month: float) -> float:
    """What a dollar paid in some months is worth today.

    Formula: factor = (1 + rate a year) ^ (-months / 12)
    Assumes: the same rate at all times.
    Source: the usual net present value, month by month.

    >>> round(discount_factor(yearly_rate_share=0.08, month=12), 4)
    0.9259
    """
    return float((1 + yearly_rate_share) ** (-month / MONTHS_PER_YEAR))


def npv_usd(payments_usd: Sequence[float], *, yearly_rate_share: float) -> float:
    """What payments are worth today; the first of them is made today, the others a month apart.

    Formula: NPV = Σ payment_t · (1 + rate) ^ (-t / 12)
    Assumes: costs count as positive, so the lowest NPV is the cheapest way.
    Source: the usual net present value.

    >>> round(npv_usd([0] + [100] * 12, yearly_rate_share=0.08), 2)
    1151.29
    """
    return sum(
        usd * discount_factor(yearly_rate_share=yearly_rate_share, month=month)
        for month, usd in enumerate(payments_usd)
    )


def cumulative_usd(payments_usd: Sequence[float]) -> tuple[float, ...]:
    """What has been paid by the end of each month, not discounted.

    Formula: paid_t = Σ payments up to t
    Source: addition.

    >>> cumulative_usd([500, 10, 10])
    (500, 510, 520)
    """
    return tuple(accumulate(payments_usd))


def payback_month(*, own_usd: Sequence[float], other_usd: Sequence[float]) -> int | None:
    """The month from which one way has cost no more than another, for good. None where that never comes to pass.

    Formula: the first t with own_s ≤ other_s for every s ≥ t
    Assumes: both are cumulative, month 0 first, and equally long; what comes after the last month is not looked at.
    Source: the usual payback period, not discounted.

    >>> payback_month(own_usd=(30, 40, 50, 60), other_usd=(0, 20, 40, 60))
    3
    >>> payback_month(own_usd=(30, 60), other_usd=(0, 20)) is None
    True
    """
    since: int | None = None
    for month, (own, other) in enumerate(zip(own_usd, other_usd, strict=True)):
        if own > other:
            since = None
        elif since is None:
            since = month
    return since


def value_left_usd(*, purchase_usd: float, residual_share: float, life_months: int, age_months: float) -> float:
    """What bought hardware would bring if it were sold at some age.

    Formula: value = price · (1 - (1 - residual) · age / life)
    Assumes: it loses the same each month from its price to its residual value; an age of at most its life.
    Source: straight-line depreciation.

    >>> [round(value_left_usd(purchase_usd=1_000, residual_share=0.1, life_months=60, age_months=age))
    ...  for age in (0, 36, 60)]
    [1000, 460, 100]
    """
    return purchase_usd * (1 - (1 - residual_share) * age_months / life_months)


def break_even_later(*, today_share: float, own_cost_level: float, api_price_level: float) -> float:
    """The break-even utilization after prices have moved.

    Formula: u*(t) = u*(today) · own cost level / API price level
    Assumes: own cost and API price per token move by these factors, and nothing else does.
    Source: own arithmetic: an output price that falls from $30 to $20 within a twelve-month commitment.

    >>> round(break_even_later(today_share=0.40, own_cost_level=1, api_price_level=20 / 30), 4)
    0.6
    """
    return today_share * own_cost_level / api_price_level


@dataclass(frozen=True)
class PriceLimit:
    """How far the API's price may fall, the same share each year, before the API would have been cheaper."""

    yearly_fall_share: float | None
    """At most this fall is survived. None: see `reason`."""
    yearly_rise_share: float | None
    """Where today's price is too low already: the rise each year that would be needed."""
    reason: str | None
    """Why there is no fall that is survived."""


def price_limit(*, fixed_usd: float, worth_usd: Sequence[float]) -> PriceLimit:
    """The yearly fall of a price at which a commitment costs as much as what it replaces.

    Formula: Σ worth_t · (1 - fall) ^ (t / 12) = fixed, solved for the fall
    Assumes: `fixed` and each `worth_t` (what month t, from 0, would cost at today's price) are discounted already.
    Source: both net present values set equal; growth is inside worth, every other payment inside fixed.

    >>> limit = price_limit(fixed_usd=800, worth_usd=[0] * 12 + [1_000])
    >>> round(limit.yearly_fall_share, 4)
    0.2
    """
    if fixed_usd <= 0:
        return PriceLimit(None, None, say("it costs nothing that the API does not, so no fall makes it the dearer way"))
    # In x, the change of the price in a month, the sum is a polynomial that grows with x: its root is found by halving.
    low, high = 0.0, 1.0
    highest = level(yearly_change_share=_MOST_TIMES_A_YEAR - 1, month=1)
    if _polynomial(worth_usd, high) < fixed_usd:
        low, high = high, highest
    if _polynomial(worth_usd, high) < fixed_usd:
        return PriceLimit(
            None,
            None,
            say("not even a price that rises {times}-fold each year would pay for it", times=_MOST_TIMES_A_YEAR),
        )
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _polynomial(worth_usd, middle) < fixed_usd:
            low = middle
        else:
            high = middle
    fall = 1 - high**MONTHS_PER_YEAR
    if fall > -_ROUNDING:
        return PriceLimit(max(fall, 0.0), None, None)
    reason = say("it would pay only if the API's price rose by {rise} a year", rise=percent_text(-fall))
    return PriceLimit(None, -fall, reason)


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    total = 0.0
    for each in reversed(coefficients):
        total = total * x + each
    return total


def survivable_price_fall(*, saving_share: float, months: int, yearly_rate_share: float) -> PriceLimit:
    """The API price fall a year that eats up what a commitment saves today.

    Formula: Σ (1 - fall)^(t/12) · disc_t = (self / API) · Σ disc_t over months t = 1 … T, self / API = 1 - saving
    Assumes: the commitment costs the same each month and replaces the whole API bill; demand stays as it is.
    Source: own arithmetic: a 30 % saving over 36 months at 8 % survives 23 % a year.

    >>> limit = survivable_price_fall(saving_share=0.30, months=36, yearly_rate_share=0.08)
    >>> round(limit.yearly_fall_share, 2)
    0.23
    >>> survivable_price_fall(saving_share=-0.10, months=36, yearly_rate_share=0.08).reason
    "it would pay only if the API's price rose by 6.53 % a year"
    """
    worth = [
        discount_factor(yearly_rate_share=yearly_rate_share, month=month) if month else 0.0
        for month in range(months + 1)
    ]
    return price_limit(fixed_usd=(1 - saving_share) * sum(worth), worth_usd=worth)
