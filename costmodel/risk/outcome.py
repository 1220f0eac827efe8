"""What a scenario comes to over its term: the verdict that the risk views vary, each time through compare()."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from costmodel.api import quote, quote_usd_per_bundle
from costmodel.breakeven import Winner, winner
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, compare, terms_of
from costmodel.defaults import given
from costmodel.hours import week_peak_fractions
from costmodel.language import say
from costmodel.load.demand_answer import NO_PRICE, NoDemandError, planning_limit_of
from costmodel.load.timed import ServedWeek, served_week
from costmodel.load.traffic_answer import windows_of
from costmodel.risk.overterm import ApiMonth, MeanMonth, Outlook, OwnMonth, mean_month
from costmodel.risk.weekfill import WeekFill, week_fill
from costmodel.scenario import Scenario
from costmodel.units import PERCENT
from costmodel.workload import share


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Both bills as the mean month of the term, US dollars, and which is lower."""

    api_id: str
    api_name: str
    self_host_usd_per_month: float
    """Own GPUs, and the API for tokens that do not fit."""
    api_usd_per_month: float
    saving_usd_per_month: float
    """What self-hosting saves; negative where it costs more."""
    winner: Winner
    break_even_utilization: float | None
    """None for a free API."""
    utilization: float
    """At the start, of the units that are rented."""
    own_share: float
    """Of the tokens of the start, served by own GPUs."""


def outcome(catalog: Catalog, scenario: Scenario, *, api_price_percent: float = PERCENT) -> Outcome:
    """Compare, over the term, at the scenario's load and with all API prices at a share of those in force.

    The load is the demand where one is typed, else what the units serve at the utilization. An API price is scaled
    after the comparison, which is exact: every API bill is proportional to its prices.
    Raises NoAnswerError like compare(), NoDemandError where no API has a known price.
    """
    return outcome_of(catalog, compare(catalog, scenario), api_price_percent=api_price_percent)


def outcome_of(catalog: Catalog, comparison: Comparison, *, api_price_percent: float = PERCENT) -> Outcome:
    """The same for a comparison that is made already."""
    own = own_month(comparison)
    outlook = outlook_of(catalog, comparison.scenario)
    chosen = cheapest_of(comparison)
    price = api_month(comparison, chosen)
    month = mean_month(own, _scaled(price, share(api_price_percent)), outlook)
    return Outcome(
        api_id=chosen.id,
        api_name=chosen.name,
        self_host_usd_per_month=float(month.self_host_usd),
        api_usd_per_month=float(month.api_usd),
        saving_usd_per_month=float(month.saving_usd),
        winner=winner_of(month, tolerance_share=comparison.tie_tolerance_share),
        break_even_utilization=float(month.own_usd / month.full_usd) if month.full_usd else None,
        utilization=own.demand_tok_s * served_share(own, price.fill) / own.capacity_tok_s,
        own_share=served_share(own, price.fill),
    )


def winner_of(month: MeanMonth, *, tolerance_share: float) -> Winner:
    """Which of the two bills is lower."""
    return winner(
        self_host_usd=float(month.self_host_usd), api_usd=float(month.api_usd), tolerance_share=tolerance_share
    )


def served_share(own: OwnMonth, fill: WeekFill) -> float:
    """Share of today's demand that fits into the units."""
    return float(fill.served_share(own.usable_tok_s / own.demand_tok_s)) if own.demand_tok_s else 1.0


def compared_apis(comparison: Comparison) -> Sequence[ApiAnswer]:
    """The APIs self-hosting is set against: the one the reader chose, or all with a known price.

    Raises NoDemandError where there is none.
    """
    against = comparison.scenario.against
    priced = [api for api in comparison.apis if api.usd_per_bundle is not None]
    chosen = [api for api in priced if api.id == against] or priced
    if not chosen:
        raise NoDemandError(say(NO_PRICE))
    return chosen


def cheapest_of(comparison: Comparison) -> ApiAnswer:
    """The cheapest of them for this traffic."""
    return min(compared_apis(comparison), key=lambda api: api.usd_per_bundle or 0.0)


def load_of(comparison: Comparison) -> ServedWeek:
    """The week that has to be served: the typed demand, or what the units serve at their utilization."""
    return served_week(comparison.scenario, served_output_tok_s=comparison.self_host.output_tok_s)


def own_month(comparison: Comparison) -> OwnMonth:
    """The own deployment's month of a comparison."""
    own = comparison.self_host
    hours = own.paid_hours_per_month
    other = own.other_usd_per_hour * hours
    follows = gpu_prices_move(comparison)
    gpus = own.usd_per_month - other
    return OwnMonth(
        gpu_usd=gpus if follows else 0.0,
        other_usd=other if follows else own.usd_per_month,
        demand_tok_s=load_of(comparison).mean_output_tok_s,
        usable_tok_s=own.capacity_output_tok_s * planning_limit_of(comparison),
        capacity_tok_s=own.capacity_output_tok_s,
        hours=hours,
    )


def gpu_prices_move(comparison: Comparison) -> bool:
    """Whether the rent follows the price of GPUs: on demand and spot it does, reserved or bought it does not."""
    on_the_day = all(pool.offer.entry.commitment in ("on_demand", "spot") for pool in comparison.self_host.pools)
    return comparison.scenario.acquire in ("rent", "spot") and on_the_day


def outlook_of(catalog: Catalog, scenario: Scenario) -> Outlook:
    """The months ahead, as the scenario has them."""
    return Outlook(
        months=round(given(catalog, scenario, "term").value),
        growth_share=share(scenario.demand_growth_percent),
        api_fall_share=share(scenario.api_price_fall_percent),
        gpu_fall_share=share(scenario.gpu_price_fall_percent),
        yearly_rate_share=share(given(catalog, scenario, "wacc").value),
    )


def api_month(comparison: Comparison, api: ApiAnswer) -> ApiMonth:
    """An API's prices in and out of its peak hours, with the hours of the week."""
    assert api.quote is not None
    assert api.usd_per_bundle is not None
    hourly = is_hourly(comparison, api)
    fill = fill_of(comparison, api, hourly=hourly)
    if not hourly:
        return ApiMonth(
            usd_per_bundle=api.usd_per_bundle,
            off_peak_usd_per_bundle=api.usd_per_bundle,
            peak_extra_usd_per_bundle=0.0,
            fill=fill,
        )
    terms, choice = terms_of(comparison.scenario), api.quote.choice

    def usd_at(part: float) -> float:
        return quote_usd_per_bundle(quote(choice, replace(terms, peak_share=lambda _: part)), terms.mix)

    off_peak = usd_at(0.0)
    return ApiMonth(
        usd_per_bundle=api.usd_per_bundle,
        off_peak_usd_per_bundle=off_peak,
        peak_extra_usd_per_bundle=usd_at(1.0) - off_peak,
        fill=fill,
    )


def is_hourly(comparison: Comparison, api: ApiAnswer) -> bool:
    """Whether an API's price depends on the hour: it has peak hours, and which tokens fall into them is counted."""
    assert api.quote is not None
    has_peak = api.quote.choice.window is None and api.quote.peak_share is not None
    return has_peak and comparison.scenario.peak_percent == "auto"


def fill_of(comparison: Comparison, api: ApiAnswer, *, hourly: bool) -> WeekFill:
    """How the scenario's week fills a capacity, with an API's peak hours where its price is hourly."""
    scenario = comparison.scenario
    week = served_week(scenario, served_output_tok_s=1.0)
    fractions: tuple[float, ...] = ()
    if hourly:
        assert api.quote is not None
        fractions = week_peak_fractions(
            windows=windows_of(api.quote.choice, scenario),
            on=scenario.price_date,
            calendar=scenario.calendar,
            clock=scenario.timezone,
        )
    levels = tuple(each / week.mean_output_tok_s for each in week.output_tok_s)
    return week_fill(levels=levels, hour_shares=week.hour_shares, peak_fractions=fractions)


def _scaled(price: ApiMonth, factor: float) -> ApiMonth:
    return replace(
        price,
        usd_per_bundle=price.usd_per_bundle * factor,
        off_peak_usd_per_bundle=price.off_peak_usd_per_bundle * factor,
        peak_extra_usd_per_bundle=price.peak_extra_usd_per_bundle * factor,
    )
