"""One way to get the GPUs over the years of a contract: its price today, and all it pays until it ends."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from costmodel.breakeven import break_even_utilization
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, vat_share
from costmodel.contracts.contract import (
    PriceLimit,
    break_even_later,
    cumulative_usd,
    level,
    level_when_signed,
    payback_month,
)
from costmodel.contracts.contract_ways import Outlook, Way, api_only, bought, rented, reserved
from costmodel.defaults import given
from costmodel.gpu_prices import gpu_price, on_demand_price
from costmodel.language import say
from costmodel.ledger import CostLine, comparable_usd
from costmodel.load.demand_answer import planning_limit_of
from costmodel.load.timed import ServedWeek
from costmodel.ownbill import own_bill
from costmodel.pools import Pool
from costmodel.purchase import annuity_usd_per_year
from costmodel.records import Commitment, Rent
from costmodel.scenario import Scenario
from costmodel.units import MONTHS_PER_YEAR
from costmodel.workload import output_mtok, share

Kind = Literal["rent", "spot", "reserve", "buy"]
KINDS: tuple[Kind, ...] = ("rent", "spot", "reserve", "buy")
HORIZONS = tuple(MONTHS_PER_YEAR * years for years in (1, 2, 3, 4, 5))
KIND_OF: dict[Commitment, Kind] = {
    "on_demand": "rent",
    "spot": "spot",
    "cluster": "reserve",
    "reserved_1y": "reserve",
    "reserved_3y": "reserve",
}


@dataclass(frozen=True)
class Cost:
    """What a way costs over some months: all that is paid less what is left at the end, and that at today's worth."""

    months: int
    total_usd: float
    npv_usd: float


@dataclass(frozen=True, kw_only=True)
class Option:
    """One way to get the GPUs."""

    kind: Kind
    lines: tuple[CostLine, ...]
    """Today's bill of a month for own GPUs; a purchase as an annuity, set-up spread over the term."""
    usd_per_month: float
    """The same, with what the API serves beside them."""
    api_share_today: float
    commitment_months: int | None
    """How long the first contract binds. None: one may stop in any month, or sell."""
    way: Way
    """To the end of the chart."""
    costs: tuple[Cost, ...]
    over_term: Cost
    payback_month: int | None
    """From which month on it has cost no more than the API, for good; after the term where it is not before."""
    left_usd: float
    """What the hardware is still worth at the end of the term."""
    limit: PriceLimit
    """The fall of the API's price a year that it survives over the term."""
    break_even_today: float | None
    break_even_at_end: float | None
    """Utilization at which own GPUs cost as much as the API, today and at the end of the term."""


@dataclass(frozen=True)
class NotOffered:
    """A way that has no price here."""

    kind: Kind
    reason: str


@dataclass(frozen=True)
class Setting:
    """The reader's scenario, ready to lay out any way over any number of months."""

    catalog: Catalog
    comparison: Comparison
    load: ServedWeek
    """The week that has to be served."""
    api: ApiAnswer
    term_months: int
    rate: float

    @property
    def scenario(self) -> Scenario:
        return self.comparison.scenario

    @property
    def horizons(self) -> tuple[int, ...]:
        return tuple(sorted({*HORIZONS, self.term_months}))

    @property
    def api_level_at_end(self) -> float:
        return level(yearly_change_share=-share(self.scenario.api_price_fall_percent), month=self.term_months)

    def outlook(self, months: int, *, other_usd_per_month: float = 0.0) -> Outlook:
        scenario, own = self.scenario, self.comparison.self_host
        demand_mtok = output_mtok(output_tok_s=self.load.mean_output_tok_s, hours=scenario.hours_per_month)
        usable_tok_s = own.capacity_output_tok_s * planning_limit_of(self.comparison)
        return Outlook(
            months=months,
            api_usd_per_month=demand_mtok * (self.api.usd_per_bundle or 0.0),
            demand_over_capacity=self.load.mean_output_tok_s / usable_tok_s,
            traffic=_levels(self.load),
            other_usd_per_month=other_usd_per_month,
            once_usd=scenario.setup_usd,
            api_fall_share=share(scenario.api_price_fall_percent),
            gpu_fall_share=share(scenario.gpu_price_fall_percent),
            growth_share=share(scenario.demand_growth_percent),
        )

    def usd(self, lines: tuple[CostLine, ...]) -> float:
        return comparable_usd(lines, vat_share=vat_share(self.scenario))

    def value(self, key: str) -> float:
        return given(self.catalog, self.scenario, key).value

    def cost(self, way: Way) -> Cost:
        return Cost(way.outlook.months, way.total_usd, way.npv_usd(yearly_rate_share=self.rate))

    def option(self, kind: Kind) -> Option | NotOffered:
        pools = _pools_at(self.catalog, self.scenario, self.comparison.self_host.pools, kind)
        if isinstance(pools, str):
            return NotOffered(kind, pools)
        scenario = self.scenario.model_copy(update={"acquire": kind})
        bill = own_bill(self.catalog, scenario, pools)
        # Set-up is on the bill, spread over the term; over the years it is what is paid at the start.
        running = own_bill(self.catalog, scenario.model_copy(update={"setup_usd": 0.0}), pools)
        bill_usd, gpus_usd = self.usd(bill.lines), self.usd(bill.gpu_lines)
        other_usd = self.usd(running.lines) - gpus_usd
        commitment = self._commitment_months(scenario, pools) if kind == "reserve" else None
        lost = share(self.value("spot_lost")) if kind == "spot" else 0.0
        annuity_usd = self._annuity_usd_per_month() if kind == "buy" else 0.0

        def lay_out(outlook: Outlook) -> Way:
            if commitment is not None:
                return reserved(outlook, usd_per_month=gpus_usd, term_months=commitment)
            if kind != "buy":
                return rented(outlook, usd_per_month=gpus_usd, interrupted_share=lost)
            return bought(
                outlook,
                purchase_usd=self.value("capex") * self.comparison.self_host.gpus,
                residual_share=share(self.value("residual")),
                life_months=round(self.value("life")),
                running_usd_per_month=gpus_usd - annuity_usd,
            )

        ways = {months: lay_out(self.outlook(months, other_usd_per_month=other_usd)) for months in self.horizons}
        costs = {months: self.cost(way) for months, way in ways.items()}
        over_term, to_the_end = ways[self.term_months], ways[self.horizons[-1]]
        api_share_today = over_term.outlook.api_share(0, interrupted_share=lost)
        fixed_usd = bill_usd - (annuity_usd if kind == "buy" else gpus_usd)
        at_end_usd = fixed_usd + (bill_usd - fixed_usd) * self._gpu_level_at_end(kind, commitment)
        today, at_end = (self._break_even(usd, bill.paid_hours) for usd in (bill_usd, at_end_usd))
        return Option(
            kind=kind,
            lines=bill.lines,
            usd_per_month=bill_usd + api_share_today * over_term.outlook.api_usd_per_month,
            api_share_today=api_share_today,
            commitment_months=commitment,
            way=to_the_end,
            costs=tuple(costs.values()),
            over_term=costs[self.term_months],
            payback_month=_payback(over_term, to_the_end),
            left_usd=over_term.left_usd,
            limit=over_term.price_limit(yearly_rate_share=self.rate),
            break_even_today=today,
            break_even_at_end=None
            if at_end is None
            else break_even_later(today_share=at_end, own_cost_level=1, api_price_level=self.api_level_at_end),
        )

    def _break_even(self, usd_per_month: float, paid_hours: float) -> float | None:
        """The utilization at which a monthly bill is that of the API at today's price."""
        return break_even_utilization(
            usd_per_hour=usd_per_month / paid_hours,
            capacity_output_tok_s=self.comparison.self_host.capacity_output_tok_s,
            api_usd_per_bundle=self.api.usd_per_bundle or 0.0,
        )

    def _commitment_months(self, scenario: Scenario, pools: tuple[Pool, ...]) -> int:
        """How long a reservation binds: as its list price says, else for the reader's term."""
        terms = (gpu_price(self.catalog, scenario, pool)[0].term_months for pool in pools)
        return max(term or self.term_months for term in terms)

    def _gpu_level_at_end(self, kind: Kind, commitment_months: int | None) -> float:
        """What GPUs cost in the last month of the term over what they cost today."""
        change = -share(self.scenario.gpu_price_fall_percent)
        if kind in ("rent", "spot"):
            return level(yearly_change_share=change, month=self.term_months)
        fixed_for = commitment_months or round(self.value("life"))
        return level_when_signed(yearly_change_share=change, month=self.term_months, term_months=fixed_for)

    def _annuity_usd_per_month(self) -> float:
        price_usd = self.value("capex") * self.comparison.self_host.gpus
        yearly = annuity_usd_per_year(
            purchase_usd=price_usd,
            residual_usd=price_usd * share(self.value("residual")),
            cost_of_capital_share=self.rate,
            life_years=self.value("life") / MONTHS_PER_YEAR,
        )
        return yearly / MONTHS_PER_YEAR


def _pools_at(catalog: Catalog, scenario: Scenario, pools: tuple[Pool, ...], kind: Kind) -> tuple[Pool, ...] | str:
    """The pools at their price in one way to get them, or why there is none."""
    if kind == "buy":
        return pools
    if kind != "rent":
        of_kind = scenario.model_copy(update={"acquire": kind})
        for pool in pools:
            _, notes = gpu_price(catalog, of_kind, pool)
            is_that = pool.rent is not None and KIND_OF[pool.offer.entry.commitment] == kind
            if notes and not is_that and scenario.acquire != kind:
                return notes[0]
        return pools
    on_demand: list[Pool] = []
    for pool in pools:
        price = on_demand_price(catalog, scenario, pool)
        if price is None:
            return say(
                "{rental} is at a price that is not on demand, and {provider}'s on-demand price is not known here",
                rental=pool.offer.name,
                provider=pool.offer.provider_name,
            )
        rent = next((source for source in price.sources if isinstance(source, Rent)), None)
        offer = price.offer or pool.offer
        on_demand.append(replace(pool, offer=offer, usd_per_gpu_hour=price.usd_per_gpu_hour, rent=rent))
    return tuple(on_demand)


@lru_cache(maxsize=64)
def _levels(load: ServedWeek) -> tuple[tuple[float, float], ...]:
    """The levels of a week over its mean, each with its share of all hours."""
    shares: dict[float, float] = {}
    for tok_s, share_of_hours in zip(load.output_tok_s, load.hour_shares, strict=True):
        level_over_mean = tok_s / load.mean_output_tok_s
        shares[level_over_mean] = shares.get(level_over_mean, 0.0) + share_of_hours
    return tuple(shares.items())


def _payback(over_term: Way, to_the_end: Way) -> int | None:
    """Within the term, or else after it."""
    for way in (over_term, to_the_end):
        api = api_only(way.outlook)
        month = payback_month(own_usd=cumulative_usd(way.paid_usd), other_usd=cumulative_usd(api.paid_usd))
        if month is not None:
            return month
    return None
