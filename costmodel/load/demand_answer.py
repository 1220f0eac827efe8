"""The reader's demand: units, bills and cost per token at it, and where self-hosting wins against each API."""

from dataclasses import dataclass

from costmodel.api import concurrency_note
from costmodel.breakeven import Winner, winner
from costmodel.compare import ApiAnswer, Comparison, in_basis
from costmodel.language import say
from costmodel.load.demand import DemandView, demand_view
from costmodel.load.fleet import FleetMode, capacity_gaps, duty, planning_limit
from costmodel.load.supply import Supply
from costmodel.load.timed import ServedWeek, served_week
from costmodel.words import commitment_label
from costmodel.workload import share

NO_PRICE = "no API with a known price on this day is chosen"
"""Said where it is raised."""
_WINDOW = 6
"""Demand is followed up to so many times the reader's, or one unit's."""


class NoDemandError(ValueError):
    """Why there is no answer in time: no demand, or no API price to set against it."""


@dataclass(frozen=True, kw_only=True)
class ApiAtDemand:
    """Self-hosting against one API over demand."""

    api: ApiAnswer
    view: DemandView
    usd_per_mtok: float
    winner: Winner


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """What one way of running the units costs at the reader's demand."""

    mode: FleetMode
    supply: Supply
    units: int
    """For the busiest hour, spare units not included."""
    units_paid: float
    """Mean over the month, spare units included."""
    hours_paid_per_month: float
    """Unit-hours."""
    utilization: float
    usd_per_month: float
    usd_per_mtok: float
    """In the scenario's basis."""


@dataclass(frozen=True, kw_only=True)
class DemandReport:
    """The demand, the fleet that serves it, the other way to run it, and each API beside it."""

    week: ServedWeek
    is_typed: bool
    """False: no demand is typed, so it is what the deployment serves at its utilization."""
    fleet: Fleet
    other_fleet: Fleet
    """The same demand, scheduled instead of always on, or the other way round."""
    demand_in_units: float
    """Mean demand over the capacity of one unit."""
    short_hours_per_month: float
    """Hours in which demand exceeds what the units of the scenario can deliver."""
    short_output_tok_s: float
    """Most that is missing in such an hour."""
    apis: tuple[ApiAtDemand, ...]
    """Those with a known price, cheapest first."""
    compared: ApiAtDemand | None
    """The one the reader chose, or the cheapest; None where no price is known."""
    notes: tuple[str, ...]
    """Where an API's own limits are below the busiest hour, and where a contract is paid whether units run or not."""


def demand_week(comparison: Comparison) -> ServedWeek:
    """The demand over the week. Raises NoDemandError where nothing is demanded and nothing served."""
    week = served_week(comparison.scenario, served_output_tok_s=comparison.self_host.output_tok_s)
    if week.mean_output_tok_s <= 0:
        raise NoDemandError(say("no tokens are served at 0 % utilization, so there is no demand: type one"))
    return week


def demand_answer(comparison: Comparison) -> DemandReport:
    """What serving the demand takes and costs. Raises NoDemandError where there is no demand."""
    scenario, week = comparison.scenario, demand_week(comparison)
    mode: FleetMode = scenario.schedule
    supply = supply_of(comparison, week, mode)
    priced = sorted(
        (api for api in comparison.apis if api.usd_per_mtok is not None), key=lambda api: api.usd_per_mtok or 0
    )
    apis = tuple(_against(api, comparison, week, supply) for api in priced)
    rented = comparison.self_host.capacity_output_tok_s
    gaps = capacity_gaps(demand_tok_s=week.output_tok_s, usable_tok_s=rented)
    chosen = (each for each in apis if each.api.id == scenario.against)
    limits = (
        concurrency_note(api.quote.choice, on=scenario.price_date, output_tok_s=week.busiest_output_tok_s)
        for api in priced
        if api.quote
    )
    return DemandReport(
        week=week,
        is_typed=scenario.demand_output_tok_s is not None,
        fleet=fleet_at_demand(comparison, week, mode),
        other_fleet=fleet_at_demand(comparison, week, "scheduled" if mode == "always" else "always"),
        demand_in_units=week.mean_output_tok_s / supply.unit_tok_s,
        short_hours_per_month=scenario.hours_per_month * sum(week.hour_shares[hour] for hour, _ in gaps),
        short_output_tok_s=max((missing for _, missing in gaps), default=0.0),
        apis=apis,
        compared=next(chosen, apis[0] if apis else None),
        notes=tuple(dict.fromkeys([*contract_notes(comparison), *(limit for limit in limits if limit)])),
    )


def contract_notes(comparison: Comparison) -> list[str]:
    """Pools that are rented for a term: switching them off saves nothing."""
    return [
        say(
            "{rental} is rented for a term ({term}): it is paid whether it runs or not, so hours switched off save "
            "nothing. Choose an on-demand rental to schedule it.",
            rental=pool.offer.name,
            term=commitment_label(pool.offer.entry.commitment),
        )
        for pool in comparison.self_host.pools
        if pool.offer.entry.commitment not in ("on_demand", "spot")
    ]


def supply_of(comparison: Comparison, week: ServedWeek, mode: FleetMode) -> Supply:
    """Units as the scenario rents them: price and capacity of one, planning limit, spare units, and the week's duty."""
    scenario, own = comparison.scenario, comparison.self_host
    return Supply(
        unit_usd_per_hour=own.unit_usd_per_hour,
        fixed_usd_per_hour=own.once_usd_per_hour,
        unit_tok_s=own.capacity_output_tok_s / scenario.units,
        duty=duty(
            demand_tok_s=week.output_tok_s,
            mode=mode,
            pre_warm_hours=scenario.prewarm_hours if mode == "scheduled" else 0.0,
            hour_shares=week.hour_shares,
        ),
        planning_limit=planning_limit_of(comparison),
        spare_units=scenario.spare_units,
    )


def planning_limit_of(comparison: Comparison) -> float:
    """Share of a unit's capacity that may be planned on: from its slots, or all of it where they are not given."""
    slots, wait_percent = comparison.scenario.slots_per_unit, comparison.scenario.wait_percent
    if slots is None or wait_percent is None:
        return 1.0
    return planning_limit(slots=slots, wait_limit=share(wait_percent))


def fleet_at_demand(comparison: Comparison, week: ServedWeek, mode: FleetMode) -> Fleet:
    """The units that serve a demand, run in one of the two ways, and their bill."""
    scenario, supply = comparison.scenario, supply_of(comparison, week, mode)
    answer = demand_view(
        points_tok_s=(),
        demand_tok_s=week.mean_output_tok_s,
        supply=supply,
        api_usd_per_bundle=0.0,
        hours_per_month=scenario.hours_per_month,
    ).answer
    return Fleet(
        mode=mode,
        supply=supply,
        units=answer.units,
        units_paid=answer.units_paid,
        hours_paid_per_month=answer.units_paid * scenario.hours_per_month,
        utilization=answer.utilization,
        usd_per_month=answer.self_host_usd_per_month,
        usd_per_mtok=in_basis(scenario, answer.usd_per_bundle or 0.0),
    )


def _against(api: ApiAnswer, comparison: Comparison, week: ServedWeek, supply: Supply) -> ApiAtDemand:
    demand = week.mean_output_tok_s
    view = demand_view(
        points_tok_s=(_WINDOW * max(demand, supply.mean_unit_tok_s),),
        demand_tok_s=demand,
        supply=supply,
        api_usd_per_bundle=api.usd_per_bundle or 0.0,
        hours_per_month=comparison.scenario.hours_per_month,
    )
    return ApiAtDemand(
        api=api,
        view=view,
        usd_per_mtok=api.usd_per_mtok or 0.0,
        winner=winner(
            self_host_usd=view.answer.self_host_usd_per_month,
            api_usd=view.answer.api_usd_per_month,
            tolerance_share=comparison.tie_tolerance_share,
        ),
    )
