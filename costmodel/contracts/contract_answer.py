"""Rent, reserve, spot or buy against the API over the years of a contract, for the reader's deployment and demand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison
from costmodel.contracts.contract_options import KIND_OF, KINDS, Cost, Kind, NotOffered, Option, Setting
from costmodel.contracts.contract_ways import Way, api_only
from costmodel.defaults import given
from costmodel.language import say
from costmodel.load.demand_answer import NO_PRICE, NoDemandError, demand_week
from costmodel.records import Assumed
from costmodel.scenario import INPUTS, Scenario
from costmodel.workload import share

_ROUNDING = 1e-9
_PURCHASE = ("capex", "residual", "life", "kw", "pue", "kwh", "colo", "maint")


@dataclass(frozen=True)
class InUse:
    """An input with the value in use, and its assumption where the reader typed none."""

    key: str
    value: float
    assumed: Assumed | None


@dataclass(frozen=True)
class PurchaseLimit:
    """The purchase price up to which buying costs no more than the API over the term."""

    usd_per_gpu: float | None
    reason: str | None
    """Why there is no such price."""


@dataclass(frozen=True, kw_only=True)
class ContractReport:
    """Every way to serve the demand, over one to five years and over the reader's term."""

    api: ApiAnswer
    demand_output_tok_s: float
    """Mean of the week that has to be served: the typed demand, or what the GPUs serve at their utilization."""
    term_months: int
    yearly_rate_share: float
    api_way: Way
    """To the end of the chart: five years, or the term where it is longer."""
    api_costs: tuple[Cost, ...]
    api_over_term: Cost
    api_price_level_at_end: float
    """The API's price at the end of the term over today's."""
    options: tuple[Option, ...]
    missing: tuple[NotOffered, ...]
    chosen: Kind
    """How the reader gets the GPUs in this scenario."""
    cheapest: Kind | Literal["api"]
    """By net present value over the term."""
    purchase_limit: PurchaseLimit
    in_use: tuple[InUse, ...]
    notes: tuple[str, ...]

    @property
    def chart_months(self) -> int:
        return self.api_way.outlook.months

    def option(self, kind: Kind) -> Option | None:
        return next((each for each in self.options if each.kind == kind), None)


def contract_answer(catalog: Catalog, comparison: Comparison) -> ContractReport:
    """All ways over the years. Raises NoDemandError without a served token or a known API price."""
    scenario, api = comparison.scenario, _compared_with(comparison)
    term = round(given(catalog, scenario, "term").value)
    rate = share(given(catalog, scenario, "wacc").value)
    setting = Setting(catalog, comparison, demand_week(comparison), api, term, rate)
    api_ways = [api_only(setting.outlook(months)) for months in setting.horizons]
    api_costs = {way.outlook.months: setting.cost(way) for way in api_ways}
    options: list[Option] = []
    missing: list[NotOffered] = []
    for kind in KINDS:
        found = setting.option(kind)
        if isinstance(found, Option):
            options.append(found)
        else:
            missing.append(found)
    api_over_term = api_costs[term]
    npv = {"api": api_over_term.npv_usd} | {each.kind: each.over_term.npv_usd for each in options}
    return ContractReport(
        api=api,
        demand_output_tok_s=setting.load.mean_output_tok_s,
        term_months=term,
        yearly_rate_share=rate,
        api_way=api_ways[-1],
        api_costs=tuple(api_costs.values()),
        api_over_term=api_over_term,
        api_price_level_at_end=setting.api_level_at_end,
        options=tuple(options),
        missing=tuple(missing),
        chosen=chosen_kind(comparison),
        cheapest=min(npv, key=npv.__getitem__),  # type: ignore[arg-type]
        purchase_limit=_purchase_limit(setting, api_over_term),
        in_use=tuple(_in_use(catalog, scenario, options)),
        notes=tuple(_notes(options, setting)),
    )


def chosen_kind(comparison: Comparison) -> Kind:
    """How the reader gets the GPUs: as typed; a rental that is listed as reserved or spot is just that."""
    acquire = comparison.scenario.acquire
    serving = comparison.self_host.pools[-1]
    if acquire != "rent" or serving.rent is None:
        return acquire
    return KIND_OF[serving.offer.entry.commitment]


def _compared_with(comparison: Comparison) -> ApiAnswer:
    """The API line of the reader's choice, or the cheapest."""
    chosen = (
        api for api in comparison.apis if api.id == comparison.scenario.against and api.usd_per_bundle is not None
    )
    api = next(chosen, comparison.cheapest_api)
    if api is None:
        raise NoDemandError(say(NO_PRICE))
    return api


def _purchase_limit(setting: Setting, api_over_term: Cost) -> PurchaseLimit:
    """Where buying is worth as much as the API: its net present value is linear in the purchase price."""
    price_usd = setting.value("capex") or 1.0
    for_free, at_price = (_npv_of_buying(setting, usd) for usd in (0.0, price_usd))
    if api_over_term.npv_usd < for_free:
        reason = say("the running costs of bought GPUs alone are above the API bill")
        return PurchaseLimit(None, reason)
    cost_of_a_dollar = (at_price - for_free) / (price_usd * setting.comparison.self_host.gpus)
    if cost_of_a_dollar < _ROUNDING:
        return PurchaseLimit(None, say("GPUs that keep their whole value cost nothing at any price"))
    return PurchaseLimit(price_usd * (api_over_term.npv_usd - for_free) / (at_price - for_free), None)


def _npv_of_buying(setting: Setting, usd_per_gpu: float) -> float:
    scenario = setting.scenario.model_copy(update={"purchase_usd_per_gpu": usd_per_gpu})
    option = replace(setting, comparison=replace(setting.comparison, scenario=scenario)).option("buy")
    assert isinstance(option, Option)
    return option.over_term.npv_usd


def _in_use(catalog: Catalog, scenario: Scenario, options: list[Option]) -> Iterator[InUse]:
    """Every assumption the figures rest on, and every figure the reader typed in its place."""
    rests_on = {id(source) for option in options for line in option.lines for source in line.sources}
    kinds = {option.kind for option in options}
    keys = ["term", "wacc"]
    for key, kind in (("reserve_off", "reserve"), ("spot_off", "spot")):
        assumed = given(catalog, scenario, key).assumed
        if kind in kinds and (assumed is None or id(assumed) in rests_on):
            keys.append(key)
    keys += ["spot_lost"] if "spot" in kinds else []
    for key in (*keys, *_PURCHASE):
        found = given(catalog, scenario, key)
        yield InUse(key, found.value, found.assumed)
    for key in ("api_drop", "gpu_drop", "growth"):
        yield InUse(key, getattr(scenario, INPUTS[key].name), None)


def _notes(options: list[Option], setting: Setting) -> Iterator[str]:
    """What the figures do not say themselves."""
    window = setting.api.quote.choice.window if setting.api.quote else None
    if window:
        yield say(
            "The price of {api} holds in some hours only: traffic at all hours pays more, and own GPUs look worse here "
            "than they are.",
            api=setting.api.name,
        )
    if any(max(option.way.api_shares) > option.api_share_today for option in options):
        yield say(
            "Demand outgrows the own GPUs: what they cannot serve is bought from the API at the price of that month. "
            "More units may be cheaper."
        )
    elif any(option.kind != "spot" and option.api_share_today > 0 for option in options):
        yield say(
            "The own GPUs cannot serve all of the demand: the rest is bought from the API. More units may be cheaper."
        )
