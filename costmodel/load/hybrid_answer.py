"""Own the base, rent the peak, for the reader's week: the three bills against one API, priced hour by hour."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from costmodel.api import Terms, concurrency_note, quote, quote_usd_per_bundle
from costmodel.choices import ApiChoice
from costmodel.compare import ApiAnswer, Comparison, terms_of
from costmodel.hours import week_peak_fractions
from costmodel.hybrid import Hybrid, hybrid
from costmodel.language import say
from costmodel.load.demand_answer import (
    NO_PRICE,
    Fleet,
    NoDemandError,
    contract_notes,
    demand_week,
    fleet_at_demand,
    planning_limit_of,
)
from costmodel.load.loadcurve import Week, WorthStep, price_multipliers, week_of, worth_steps
from costmodel.load.timed import ServedWeek, mean_over_hours
from costmodel.load.traffic_answer import windows_of
from costmodel.workload import share

Cheapest = Literal["all_api", "all_own", "all_own_scheduled", "hybrid"]


@dataclass(frozen=True, kw_only=True)
class HybridReport:
    """The best whole number of owned units under one API, and why it is the best."""

    api_id: str
    api_name: str
    is_hour_by_hour: bool
    """The chosen line holds in some hours only; here each hour is billed at the vendor's price of that hour."""
    served: ServedWeek
    week: Week
    steps: tuple[WorthStep, ...]
    result: Hybrid
    cheapest: Cheapest
    unit_tok_s: float
    """What may be planned on per unit."""
    deferrable_share: float
    own_share: float
    """Of the tokens, served by owned units."""
    own_utilization: float | None
    """Delivered over the owned capacity; None without owned units."""
    scheduled: Fleet | None
    """All own, switched off in hours that do not need it, where the scenario is scheduled."""
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Offer:
    choice: ApiChoice
    usd_per_bundle: float
    is_hour_by_hour: bool


def hybrid_answer(comparison: Comparison) -> HybridReport:
    """Own the base, rent the peak. Raises NoDemandError without demand or without a known API price."""
    scenario, terms = comparison.scenario, terms_of(comparison.scenario)
    served = demand_week(comparison)
    offer = _offer(comparison, terms)
    week = _priced_week(comparison, served, offer.choice, terms)
    own = comparison.self_host
    unit_tok_s = own.capacity_output_tok_s / scenario.units * planning_limit_of(comparison)
    result = hybrid(
        week,
        unit_usd_per_hour=own.unit_usd_per_hour,
        fixed_usd_per_hour=own.once_usd_per_hour,
        unit_tok_s=unit_tok_s,
        hours_per_month=scenario.hours_per_month,
        spare_units=scenario.spare_units,
    )
    own_tok_s = mean_over_hours(served.hour_shares, result.own_tok_s)
    owned_tok_s = result.units * own.capacity_output_tok_s / scenario.units
    scheduled = fleet_at_demand(comparison, served, "scheduled") if scenario.schedule == "scheduled" else None
    limit = concurrency_note(offer.choice, on=scenario.price_date, output_tok_s=max(result.api_tok_s))
    return HybridReport(
        api_id=offer.choice.id,
        api_name=offer.choice.name,
        is_hour_by_hour=offer.is_hour_by_hour,
        served=served,
        week=week,
        steps=worth_steps(week),
        result=result,
        cheapest=_cheapest(result, scheduled),
        unit_tok_s=unit_tok_s,
        deferrable_share=week.deferrable_tok_s / served.mean_output_tok_s,
        own_share=min(1.0, own_tok_s / served.mean_output_tok_s),
        own_utilization=own_tok_s / owned_tok_s if owned_tok_s else None,
        scheduled=scheduled,
        notes=(*(contract_notes(comparison) if scheduled else ()), *((limit,) if limit else ())),
    )


def _offer(comparison: Comparison, terms: Terms) -> _Offer:
    """The API above the owned units: the reader's, or the cheapest that sells at all hours."""
    chosen = comparison.scenario.against
    offers = [
        _at_all_hours(api, terms)
        for api in comparison.apis
        if api.quote is not None and (chosen is None or api.id == chosen)
    ]
    if not offers:
        raise NoDemandError(say(NO_PRICE))
    return min(offers, key=lambda offer: (offer.usd_per_bundle, offer.is_hour_by_hour))


def _at_all_hours(api: ApiAnswer, terms: Terms) -> _Offer:
    """A price line as it can be bought round the clock: that of one window stands for its vendor's whole price."""
    assert api.quote is not None
    choice = api.quote.choice
    if choice.window is None or choice.offer is None:
        return _Offer(choice, api.usd_per_bundle or 0.0, False)
    whole = ApiChoice(id=choice.offer.id, name=choice.offer.name, offer=choice.offer)
    return _Offer(whole, quote_usd_per_bundle(quote(whole, terms), terms.mix), True)


def _priced_week(comparison: Comparison, served: ServedWeek, choice: ApiChoice, terms: Terms) -> Week:
    """The demand with the API's price in each hour; tokens that may wait go at its batch price, where it has one."""
    scenario = comparison.scenario

    def usd(**changed: Any) -> float:
        return quote_usd_per_bundle(quote(choice, replace(terms, **changed)), terms.mix)

    windows = windows_of(choice, scenario)
    multipliers = None
    if windows and scenario.peak_percent == "auto":
        off_peak = usd(batch_share=0.0, peak_share=lambda _: 0.0)
        at_peak = usd(batch_share=0.0, peak_share=lambda _: 1.0)
        multipliers = price_multipliers(
            peak_fractions=week_peak_fractions(
                windows=windows, on=scenario.price_date, calendar=scenario.calendar, clock=scenario.timezone
            ),
            peak_multiplier=at_peak / off_peak,
        )
    else:
        off_peak = usd(batch_share=0.0)
    sells_batch = quote(choice, replace(terms, batch_share=1.0)).batch_share > 0
    batch_share = terms.batch_share if sells_batch else 0.0
    return week_of(
        demand_tok_s=served.output_tok_s,
        usd_per_bundle=off_peak,
        price_multipliers=multipliers,
        hour_shares=served.hour_shares,
        deferrable_share=max(share(scenario.deferrable_percent), batch_share),
        deferrable_usd_per_bundle=usd(batch_share=1.0) if sells_batch else None,
    )


def _cheapest(result: Hybrid, scheduled: Fleet | None) -> Cheapest:
    if scheduled is not None and scheduled.usd_per_month < result.hybrid_usd_per_month:
        return "all_own_scheduled"
    if result.units == 0:
        return "all_api"
    return "all_own" if result.hybrid_usd_per_month == result.all_own_usd_per_month else "hybrid"
