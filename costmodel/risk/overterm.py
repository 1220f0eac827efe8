"""Both bills over the whole term, as one mean month, for one set of inputs or for thousands at once.

Every quantity is a number or an array with one value per draw; the equations are the same.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from costmodel.risk.weekfill import WeekFill
from costmodel.units import MONTHS_PER_YEAR, SECONDS_PER_HOUR, TOKENS_PER_MTOK

Numbers = Any
"""A number, or an array with one number per draw."""


@dataclass(frozen=True, kw_only=True)
class ApiMonth:
    """An API's prices of a bundle today: the mean over this traffic, and what the peak hours add to the other ones."""

    usd_per_bundle: Numbers
    off_peak_usd_per_bundle: Numbers
    peak_extra_usd_per_bundle: Numbers
    fill: WeekFill
    """How the week fills a capacity, with the peak hours of this API."""


@dataclass(frozen=True, kw_only=True)
class OwnMonth:
    """A month of the own deployment at today's prices."""

    gpu_usd: Numbers
    """What follows the prices of GPUs."""
    other_usd: Numbers
    demand_tok_s: Numbers
    """Mean output to serve."""
    usable_tok_s: Numbers
    """Output the units may be planned on to deliver; what exceeds it in an hour goes to the API."""
    capacity_tok_s: Numbers
    hours: Numbers
    """Hours in which there are GPUs."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The months ahead: how demand and prices move, and how much less later money counts."""

    months: int
    growth_share: Numbers = 0.0
    api_fall_share: Numbers = 0.0
    gpu_fall_share: Numbers = 0.0
    yearly_rate_share: Numbers = 0.0

    @property
    def is_still(self) -> bool:
        """Whether every month is like the first."""
        return not any(np.any(each) for each in (self.growth_share, self.api_fall_share, self.gpu_fall_share))


@dataclass(frozen=True, kw_only=True)
class MeanMonth:
    """What a month costs on average over the term, US dollars."""

    own_usd: Numbers
    """The own deployment, used or not."""
    replaced_usd: Numbers
    """What the API would charge for the tokens the own deployment serves."""
    api_usd: Numbers
    """What the API would charge for all tokens."""
    full_usd: Numbers
    """What the API would charge for the whole capacity."""

    @property
    def saving_usd(self) -> Numbers:
        """What own GPUs save; tokens that do not fit are bought from the API on both sides."""
        return self.replaced_usd - self.own_usd

    @property
    def self_host_usd(self) -> Numbers:
        """The own deployment, and the API for the tokens that do not fit."""
        return self.own_usd + self.api_usd - self.replaced_usd


def monthly_factor(yearly_change_share: Numbers) -> Numbers:
    """What a yearly change is each month.

    Formula: (1 + change a year)^(1/12)

    >>> round(monthly_factor(0.08) ** 12, 6)
    1.08
    """
    return (1 + yearly_change_share) ** (1 / MONTHS_PER_YEAR)


def mean_month(own: OwnMonth, api: ApiMonth, outlook: Outlook) -> MeanMonth:
    """Both bills, averaged over the months of the term.

    Formula: mean = Σ w_t · month_t / Σ w_t over months t = 1 … T, w_t = (1 + rate)^(-t/12); in month t the GPUs cost
    gpu · (1 - fall)^(t/12), the API A · (1 - fall)^(t/12), and demand is D · (1 + growth)^(t/12), of which the part
    that fits hour by hour is served by own GPUs.
    Assumes: one fleet for the whole term; a month's bill is paid at its end at the prices reached by then. The rate is
    the cost of capital, so that the sign of the saving is that of its net present value.
    Source: the contract’s own months (contract.py); the overflow as in the hybrid view.

    >>> from costmodel.risk.weekfill import week_fill
    >>> flat = week_fill(levels=(1.0,), hour_shares=(1.0,))
    >>> own = OwnMonth(gpu_usd=880_128, other_usd=0, demand_tok_s=900_000, usable_tok_s=740_659.2,
    ...                capacity_tok_s=740_659.2, hours=720)
    >>> price = ApiMonth(usd_per_bundle=0.6, off_peak_usd_per_bundle=0.6, peak_extra_usd_per_bundle=0, fill=flat)
    >>> mean = mean_month(own, price, Outlook(months=36))
    >>> round(float(mean.replaced_usd)), round(float(mean.api_usd)), round(float(mean.saving_usd))
    (1151873, 1399680, 271745)
    """
    usd_per_tok_s = own.hours * SECONDS_PER_HOUR / TOKENS_PER_MTOK
    growth, rate = monthly_factor(outlook.growth_share), 1 / monthly_factor(outlook.yearly_rate_share)
    api_factor, gpu_factor = monthly_factor(-outlook.api_fall_share), monthly_factor(-outlook.gpu_fall_share)
    grows = bool(np.any(outlook.growth_share))
    served_usd_per_bundle = _usd_per_bundle_served(own, api, own.demand_tok_s)
    weight, demand, api_level, gpu_level = 1.0, own.demand_tok_s, 1.0, 1.0
    weights = gpu_levels = api_levels = demanded = replaced = 0.0
    for _ in range(1 if outlook.is_still else outlook.months):
        weight, api_level, gpu_level = weight * rate, api_level * api_factor, gpu_level * gpu_factor
        if grows:
            demand = demand * growth
            served_usd_per_bundle = _usd_per_bundle_served(own, api, demand)
        price_level = weight * api_level
        weights, gpu_levels = weights + weight, gpu_levels + weight * gpu_level
        api_levels, demanded = api_levels + price_level, demanded + price_level * demand
        replaced = replaced + price_level * demand * served_usd_per_bundle
    return MeanMonth(
        own_usd=own.gpu_usd * gpu_levels / weights + own.other_usd,
        replaced_usd=usd_per_tok_s * replaced / weights,
        api_usd=usd_per_tok_s * demanded * api.usd_per_bundle / weights,
        full_usd=usd_per_tok_s * api_levels * own.capacity_tok_s * api.usd_per_bundle / weights,
    )


def _usd_per_bundle_served(own: OwnMonth, api: ApiMonth, demand_tok_s: Numbers) -> Numbers:
    """What the API would charge for the part of a bundle of demand that fits."""
    # The room ends at the busiest hour: so it is a number without demand, too.
    room = own.usable_tok_s / np.maximum(demand_tok_s, own.usable_tok_s / api.fill.busiest)
    served = api.off_peak_usd_per_bundle * api.fill.served_share(room)
    if np.any(api.peak_extra_usd_per_bundle):
        served = served + api.peak_extra_usd_per_bundle * api.fill.peak_share(room)
    return served
