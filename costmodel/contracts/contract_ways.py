"""What each way of serving the demand pays, month by month: the API alone, rented GPUs, a reservation, bought GPUs.

Own GPUs keep their size. What they cannot serve (hours without a spot instance, demand that outgrows them) is bought
from the API at the price of that month.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add

from costmodel.contracts.contract import (
    PriceLimit,
    cumulative_usd,
    discount_factor,
    level,
    level_when_signed,
    npv_usd,
    price_limit,
    value_left_usd,
)
from costmodel.language import say

ROUND_THE_CLOCK = ((1.0, 1.0),)
"""Traffic that is the same in all hours."""


def api_share(
    *,
    demand_over_capacity: float,
    interrupted_share: float = 0.0,
    traffic: Sequence[tuple[float, float]] = ROUND_THE_CLOCK,
) -> float:
    """Share of the tokens that the API serves beside own GPUs.

    Formula: s = l + (1 - l) · Σ share_h · max(0, level_h - 1 / demand), demand in capacities of the deployment
    Assumes: interruptions (l of all hours) fall on every hour alike. Traffic is given as (level over the mean, share of
    all hours); what exceeds the capacity in an hour is bought in that hour.
    Source: own arithmetic: a tenth of the hours lost, demand 1.25 times the capacity in all hours.

    >>> round(api_share(demand_over_capacity=1.25, interrupted_share=0.1), 4)
    0.28
    >>> api_share(demand_over_capacity=0.6), api_share(demand_over_capacity=0.6, traffic=[(2.0, 0.5), (0.0, 0.5)])
    (0.0, 0.16666666666666663)
    """
    room = 1 / demand_over_capacity if demand_over_capacity > 0 else float("inf")
    above = sum(share * (level - room) for level, share in traffic if level > room)
    return interrupted_share + (1 - interrupted_share) * above


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What is the same for every way: demand and API bill today, what else own GPUs cost, and the years ahead."""

    months: int
    """How far ahead, at least 1."""
    api_usd_per_month: float
    """The API's bill for today's demand at today's price."""
    demand_over_capacity: float
    """Today's mean demand over what the own GPUs can serve."""
    traffic: tuple[tuple[float, float], ...] = ROUND_THE_CLOCK
    """Levels of the demand over its mean, each with its share of all hours."""
    other_usd_per_month: float = 0.0
    """What own GPUs cost besides rent or purchase; it stays as it is."""
    once_usd: float = 0.0
    """Paid for own GPUs at the start."""
    api_fall_share: float = 0.0
    """By how much the API's price falls a year; negative where it rises."""
    gpu_fall_share: float = 0.0
    """By how much prices of GPUs fall a year, rented or new."""
    growth_share: float = 0.0
    """By how much demand grows a year."""

    def demand_level(self, month: int) -> float:
        return level(yearly_change_share=self.growth_share, month=month)

    def api_usd(self, month: int) -> float:
        """The API's bill of a month for the whole demand.

        >>> outlook = Outlook(months=12, api_usd_per_month=100, demand_over_capacity=1, api_fall_share=0.2,
        ...                   growth_share=0.5)
        >>> round(outlook.api_usd(12), 2)
        120.0
        """
        price = level(yearly_change_share=-self.api_fall_share, month=month)
        return self.api_usd_per_month * self.demand_level(month) * price

    def api_share(self, month: int, *, interrupted_share: float = 0.0) -> float:
        """Share of a month's tokens that the API serves beside own GPUs."""
        return api_share(
            demand_over_capacity=self.demand_over_capacity * self.demand_level(month),
            interrupted_share=interrupted_share,
            traffic=self.traffic,
        )

    @property
    def bill_months(self) -> range:
        return range(1, self.months + 1)


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way of serving the demand: what it pays whatever the API costs, and how much it still buys from the API."""

    outlook: Outlook
    own_usd: tuple[float, ...]
    """Paid for own GPUs: at the start, then at the end of each month."""
    api_shares: tuple[float, ...]
    """Share of each month's tokens bought from the API; that of the start is 0, nothing is served yet."""
    left_usd: float = 0.0
    """What the hardware is still worth at the end, less what is still owed of a contract."""

    @cached_property
    def paid_usd(self) -> tuple[float, ...]:
        """All that is paid: at the start, then at the end of each month; the value left is not in it."""
        return tuple(map(add, self.own_usd, self.api_part_usd))

    @cached_property
    def api_part_usd(self) -> tuple[float, ...]:
        bills = (self.outlook.api_usd(month) for month in range(self.outlook.months + 1))
        return tuple(share * usd for share, usd in zip(self.api_shares, bills, strict=True))

    @property
    def total_usd(self) -> float:
        """What the whole time costs: all that is paid, less what is left at the end."""
        return cumulative_usd(self.paid_usd)[-1] - self.left_usd

    def npv_usd(self, *, yearly_rate_share: float) -> float:
        """The same at today's worth."""
        return npv_usd(self._with_end(self.paid_usd), yearly_rate_share=yearly_rate_share)

    def price_limit(self, *, yearly_rate_share: float) -> PriceLimit:
        """The yearly fall of the API's price, from today's, at which this way costs as much as the API alone.

        Formula: NPV of own payments = NPV of the API bills they replace, solved for the fall
        Assumes: the same fall each year in place of the outlook's; growth and prices of GPUs as in the outlook.

        >>> outlook = Outlook(months=36, api_usd_per_month=100, demand_over_capacity=1)
        >>> limit = reserved(outlook, usd_per_month=70, term_months=36).price_limit(yearly_rate_share=0.08)
        >>> round(limit.yearly_fall_share, 4)
        0.2264
        """
        outlook, months = self.outlook, range(self.outlook.months + 1)
        if outlook.api_usd_per_month <= 0:
            return PriceLimit(None, None, say("the API is free for this token mix"))
        worth = (
            (1 - share) * outlook.api_usd_per_month * outlook.demand_level(month) if month else 0.0
            for month, share in zip(months, self.api_shares, strict=True)
        )
        factors = (discount_factor(yearly_rate_share=yearly_rate_share, month=month) for month in months)
        return price_limit(
            fixed_usd=npv_usd(self._with_end(self.own_usd), yearly_rate_share=yearly_rate_share),
            worth_usd=[usd * factor for usd, factor in zip(worth, factors, strict=True)],
        )

    def _with_end(self, payments_usd: tuple[float, ...]) -> tuple[float, ...]:
        return (*payments_usd[:-1], payments_usd[-1] - self.left_usd)


def api_only(outlook: Outlook) -> Way:
    """Everything is bought from the API.

    >>> round(api_only(Outlook(months=12, api_usd_per_month=100, demand_over_capacity=1)).total_usd)
    1200
    """
    return Way(
        outlook=outlook, own_usd=(0.0,) * (outlook.months + 1), api_shares=(0.0, *(1.0 for _ in outlook.bill_months))
    )


def rented(outlook: Outlook, *, usd_per_month: float, interrupted_share: float = 0.0) -> Way:
    """GPUs at the price of each month, on demand; or spot instances, which are at times not to be had.

    Formula: month t pays rent · (1 - fall)^(t/12) + other costs, and the API for what is not served
    Assumes: the rent is that of the hours in which there are instances; anybody may stop in any month.
    Source: how on-demand and spot instances are billed.

    >>> outlook = Outlook(months=12, api_usd_per_month=100, demand_over_capacity=0.5)
    >>> round(rented(outlook, usd_per_month=72, interrupted_share=0.1).total_usd)
    984
    """
    rents = (
        usd_per_month * level(yearly_change_share=-outlook.gpu_fall_share, month=month) for month in outlook.bill_months
    )
    return _own(outlook, rents, interrupted_share=interrupted_share)


def reserved(outlook: Outlook, *, usd_per_month: float, term_months: int) -> Way:
    """GPUs at a price fixed for a term, paid in use or not.

    Formula: month t pays the price of the day on which its term was signed + other costs
    Assumes: renewed at the same discount off the price of that day; who stops within the first term owes the rest of
    it at once, a later one is signed for the months that are left.
    Source: what a reservation is; terms differ, read yours.

    >>> outlook = Outlook(months=24, api_usd_per_month=100, demand_over_capacity=0.5, gpu_fall_share=0.5)
    >>> round(reserved(outlook, usd_per_month=70, term_months=12).total_usd)
    1260
    >>> round(reserved(outlook, usd_per_month=70, term_months=36).total_usd)
    2520
    """
    rents = (
        usd_per_month
        * level_when_signed(yearly_change_share=-outlook.gpu_fall_share, month=month, term_months=term_months)
        for month in outlook.bill_months
    )
    owed_usd = usd_per_month * max(0, term_months - outlook.months)
    return _own(outlook, rents, left_usd=-owed_usd)


def bought(
    outlook: Outlook, *, purchase_usd: float, residual_share: float, life_months: int, running_usd_per_month: float
) -> Way:
    """GPUs that are owned: the purchase at the start, then power, space and maintenance.

    Formula: month 0 pays the price, every month its running and other costs; at the end the value left comes back
    Assumes: after each life the old GPUs are sold at their residual value and new ones bought at the price of that day,
    which follows that of rented GPUs; running costs stay. The value left falls in a straight line.
    Source: the usual appraisal of an investment: outlay, running costs, value left.

    >>> outlook = Outlook(months=12, api_usd_per_month=100, demand_over_capacity=0.5)
    >>> way = bought(outlook, purchase_usd=1_000, residual_share=0.1, life_months=36, running_usd_per_month=10)
    >>> round(way.total_usd)
    420
    """
    payments = [running_usd_per_month] * outlook.months
    price_usd, bought_in = purchase_usd, 0
    for month in range(life_months, outlook.months, life_months):
        payments[month - 1] -= residual_share * price_usd
        price_usd, bought_in = purchase_usd * level(yearly_change_share=-outlook.gpu_fall_share, month=month), month
        payments[month - 1] += price_usd
    left_usd = value_left_usd(
        purchase_usd=price_usd,
        residual_share=residual_share,
        life_months=life_months,
        age_months=outlook.months - bought_in,
    )
    return _own(outlook, iter(payments), start_usd=purchase_usd, left_usd=left_usd)


def _own(
    outlook: Outlook,
    gpus_usd: Iterator[float],
    *,
    start_usd: float = 0.0,
    left_usd: float = 0.0,
    interrupted_share: float = 0.0,
) -> Way:
    """Own GPUs at what they cost each month, with everything else that own GPUs cost."""
    shares = (outlook.api_share(month, interrupted_share=interrupted_share) for month in outlook.bill_months)
    return Way(
        outlook=outlook,
        own_usd=(start_usd + outlook.once_usd, *(usd + outlook.other_usd_per_month for usd in gpus_usd)),
        api_shares=(0.0, *shares),
        left_usd=left_usd,
    )
