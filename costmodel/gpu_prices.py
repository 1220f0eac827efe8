"""What a GPU-hour costs in each way to get it: the provider's own list price, or a discount where there is none."""

from dataclasses import dataclass, replace

from costmodel.catalog import Catalog
from costmodel.dated import Dated, NotInForceError, in_force
from costmodel.defaults import Given, given
from costmodel.language import say
from costmodel.pools import Pool
from costmodel.records import Commitment, RentalOffer
from costmodel.scenario import Scenario
from costmodel.units import MONTHS_PER_YEAR
from costmodel.words import commitment_label
from costmodel.workload import share

RESERVED: dict[Commitment, int] = {"reserved_1y": MONTHS_PER_YEAR, "reserved_3y": 3 * MONTHS_PER_YEAR}
"""Commitments with a term, and its months."""


@dataclass(frozen=True)
class GpuPrice:
    """The rent of a pool as it is got, and what it rests on."""

    usd_per_gpu_hour: float
    words: str = ""
    """How it is got, to follow the rental's name on a bill: data, like every name of a line."""
    sources: tuple[Dated, ...] = ()
    """Empty where the reader typed everything."""
    given: tuple[Given, ...] = ()
    """The discount that is in it."""
    offer: RentalOffer | None = None
    """Whose list price it is, where it is not the pool's."""
    term_months: int | None = None
    """Of a list price that holds for a term only."""


def gpu_price(catalog: Catalog, scenario: Scenario, pool: Pool) -> tuple[GpuPrice, list[str]]:
    """$ per GPU-hour of a pool in the scenario's way to get it, with a note where that is the pool's own price.

    Reserved or spot: the typed discount; else the provider's own list price of the same machine; else the assumed
    discount. No assumed discount is taken off a price that is not a listed on-demand price.
    """
    of_pool = GpuPrice(pool.usd_per_gpu_hour, sources=(pool.rent,) if pool.rent else ())
    if scenario.acquire not in ("reserve", "spot"):
        return of_pool, []
    is_spot = scenario.acquire == "spot"
    key, word = ("spot_off", "spot") if is_spot else ("reserve_off", "reserved")
    off, commitment = given(catalog, scenario, key), pool.offer.entry.commitment
    if off.assumed and (pool.rent is None or commitment != "on_demand"):
        why = say("your own price")
        if pool.rent is not None:
            why = say("a {commitment} price", commitment=commitment_label(commitment))
        note = say(
            "{rental} is at {why}, so no {word} discount is taken off it. To take one off, type the discount.",
            rental=pool.offer.name,
            why=why,
            word=say("spot") if is_spot else say("reserved"),
        )
        term = None if pool.rent is None else RESERVED.get(commitment)
        return replace(of_pool, words=f", {word}", term_months=term), [note]
    if off.assumed:
        listed = _cheapest_listed(catalog, scenario, pool, ("spot",) if is_spot else tuple(RESERVED))
        if listed:
            return replace(listed, words=f", {word} (list price)"), []
    usd = pool.usd_per_gpu_hour * (1 - share(off.value))
    return GpuPrice(usd, f", {word} {off.value:.3g} % off", (*of_pool.sources, *off.sources), (off,)), []


def on_demand_price(catalog: Catalog, scenario: Scenario, pool: Pool) -> GpuPrice | None:
    """What the pool's machine costs on demand, whatever way it is got in the scenario. None where nobody says.

    A price the reader typed is one on demand, unless it is the quote for a reservation or for spot.
    """
    is_quote = scenario.acquire in ("reserve", "spot") and _discount_is_assumed(catalog, scenario)
    if pool.rent is None and not is_quote:
        return GpuPrice(pool.usd_per_gpu_hour)
    if pool.rent is not None and pool.offer.entry.commitment == "on_demand":
        return GpuPrice(pool.usd_per_gpu_hour, sources=(pool.rent,))
    return _cheapest_listed(catalog, scenario, pool, ("on_demand",))


def _discount_is_assumed(catalog: Catalog, scenario: Scenario) -> bool:
    return given(catalog, scenario, "spot_off" if scenario.acquire == "spot" else "reserve_off").assumed is not None


def _cheapest_listed(
    catalog: Catalog, scenario: Scenario, pool: Pool, commitments: tuple[Commitment, ...]
) -> GpuPrice | None:
    """The provider's lowest price in force of the same machine under one of these commitments.

    The same machine: the same GPU, as many of them in an instance, and no other region.
    """
    own = pool.offer
    found: list[GpuPrice] = []
    for offer in catalog.rentals.values():
        same = (offer.provider, offer.entry.gpu, offer.entry.gpus_per_instance) == (
            own.provider,
            own.entry.gpu,
            own.entry.gpus_per_instance,
        )
        regions = {offer.entry.region, own.entry.region} - {None}
        if not same or len(regions) > 1 or offer.entry.commitment not in commitments:
            continue
        try:
            rent = in_force(offer.entry.history, on=scenario.price_date, what=offer.name)
        except NotInForceError:
            continue
        term = RESERVED.get(offer.entry.commitment)
        found.append(GpuPrice(rent.usd_per_gpu_hour, sources=(rent,), offer=offer, term_months=term))
    return min(found, key=lambda price: price.usd_per_gpu_hour, default=None)
