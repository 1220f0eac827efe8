"""The month's bill of the own deployment, line by line: GPUs as they are got, what goes with each unit, what is paid
once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.defaults import Given, given
from costmodel.gpu_prices import GpuPrice, gpu_price
from costmodel.language import say
from costmodel.ledger import CostLine
from costmodel.machine.prefill import kv_store_gb
from costmodel.pools import Pool
from costmodel.purchase import annuity_usd_per_year, colocation_kw, maintenance_usd_per_month, power_kwh
from costmodel.scenario import Scenario
from costmodel.units import MONTHS_PER_YEAR
from costmodel.words import count_text, percent_text
from costmodel.workload import share

KV_STORE = "KV cache store"


@dataclass(frozen=True)
class OwnBill:
    """A month of the own deployment."""

    unit_lines: tuple[CostLine, ...]
    """What grows with the units, spare ones included."""
    gpu_lines: tuple[CostLine, ...]
    """Those of them that are the price of the GPUs."""
    once_lines: tuple[CostLine, ...]
    """What is paid whatever the number of units."""
    paid_hours: float
    """Hours of the month in which there are GPUs: all, but for spot instances that are taken away."""
    notes: tuple[str, ...]

    @property
    def lines(self) -> tuple[CostLine, ...]:
        return self.unit_lines + self.once_lines


def own_bill(catalog: Catalog, scenario: Scenario, pools: Sequence[Pool]) -> OwnBill:
    """The bill of a scenario's month. Raises NotInForceError where an assumption it needs is not known on the day."""
    lost = share(given(catalog, scenario, "spot_lost").value) if scenario.acquire == "spot" else 0.0
    hours = scenario.hours_per_month * (1 - lost)
    gpu_lines: list[CostLine] = []
    notes: list[str] = []
    for pool in pools:
        price, said = gpu_price(catalog, scenario, pool)
        notes += said
        for units, spare in ((scenario.units, ""), (scenario.spare_units, ", spare")):
            if units:
                gpu_lines += _gpu_lines(catalog, scenario, pool, price, units=units, spare=spare, hours=hours)
    if scenario.acquire == "buy":
        notes += _purchase_notes(catalog, scenario)
    if lost:
        notes.append(
            say(
                "Spot instances are missing {share} of the time. Those hours are not paid for, and the API serves "
                "their tokens: both bills leave them out. The view Contract counts them.",
                share=percent_text(lost),
            )
        )
    gpus = sum(pool.billed_gpus for pool in pools) * (scenario.units + scenario.spare_units)
    return OwnBill(
        unit_lines=(*gpu_lines, *_lines_of_units(catalog, scenario, gpus)),
        gpu_lines=tuple(gpu_lines),
        once_lines=tuple(_lines_paid_once(catalog, scenario)),
        paid_hours=hours,
        notes=tuple(dict.fromkeys(notes)),
    )


def _gpu_lines(
    catalog: Catalog, scenario: Scenario, pool: Pool, price: GpuPrice, *, units: int, spare: str, hours: float
) -> Iterator[CostLine]:
    gpus = pool.billed_gpus * units
    name = f"{pool.offer.name} ({pool.role}{spare})"
    if scenario.acquire != "buy":
        yield CostLine(
            name=f"{name}{price.words}",
            quantity=gpus * hours,
            unit="GPU-hours",
            usd_per_unit=price.usd_per_gpu_hour,
            sources=price.sources,
        )
        return
    # Bought GPUs have no landlord: the rental that was chosen only says which GPU it is, and how many a server holds.
    name = f"{catalog.gpus[pool.offer.entry.gpu].name} ({pool.role}{spare})"
    use = {key: given(catalog, scenario, key) for key in ("capex", "residual", "life", "wacc", "kw", "pue", "kwh")}
    use |= {key: given(catalog, scenario, key) for key in ("colo", "maint")}

    def sources(*keys: str) -> tuple[Given, ...]:
        return tuple(use[key] for key in keys)

    capex, life_months = use["capex"].value, use["life"].value
    annuity = annuity_usd_per_year(
        purchase_usd=capex,
        residual_usd=capex * share(use["residual"].value),
        cost_of_capital_share=share(use["wacc"].value),
        life_years=life_months / MONTHS_PER_YEAR,
    )
    upkeep = maintenance_usd_per_month(purchase_usd=capex, maintenance_percent_per_year=use["maint"].value)
    kwh = power_kwh(gpus=gpus, power_kw_per_gpu=use["kw"].value, pue=use["pue"].value, hours=hours)
    kw = colocation_kw(gpus=gpus, power_kw_per_gpu=use["kw"].value)
    parts = (
        (f"Purchase over {life_months:g} months", gpus, "GPU-months", annuity / MONTHS_PER_YEAR, sources("capex")),
        ("Electricity", kwh, "kWh", use["kwh"].value, sources("kwh", "pue", "kw")),
        ("Colocation", kw, "kW-months", use["colo"].value, sources("colo", "kw")),
        ("Maintenance", gpus, "GPU-months", upkeep, sources("maint", "capex")),
    )
    for what, quantity, unit, usd, rests_on in parts:
        if usd and quantity:
            yield CostLine(
                name=f"{what}: {name}",
                quantity=quantity,
                unit=unit,
                usd_per_unit=usd,
                sources=tuple(source for each in rests_on for source in each.sources),
            )


def _purchase_notes(catalog: Catalog, scenario: Scenario) -> list[str]:
    price = given(catalog, scenario, "capex")
    if price.assumed is None:
        return []
    return [
        say(
            "The purchase price of {usd} $ per GPU is an assumption that fits no GPU in particular: type your quote, "
            "server and network included.",
            usd=count_text(price.value),
        )
    ]


def _lines_of_units(catalog: Catalog, scenario: Scenario, gpus: int) -> Iterator[CostLine]:
    """What goes with the GPUs, whatever their price."""
    if scenario.kv_store_tb_per_gpu:
        price = given(catalog, scenario, "kv_usd")
        gigabytes = kv_store_gb(gpus=gpus, tb_per_gpu=scenario.kv_store_tb_per_gpu)
        yield CostLine(KV_STORE, gigabytes, "GB-months", price.value, price.sources)
    if scenario.network_usd_per_gpu_month:
        yield CostLine("Network between racks", gpus, "GPU-months", scenario.network_usd_per_gpu_month)
    if scenario.support_usd_per_gpu_month:
        yield CostLine("Support and licences", gpus, "GPU-months", scenario.support_usd_per_gpu_month)


def _lines_paid_once(catalog: Catalog, scenario: Scenario) -> Iterator[CostLine]:
    """What does not grow with the units."""
    if scenario.staff_fte:
        pay = given(catalog, scenario, "staff_usd")
        people_months = scenario.staff_fte
        monthly = pay.value / MONTHS_PER_YEAR
        yield CostLine("People who operate it", people_months, "person-months", monthly, pay.sources, bears_vat=False)
    if scenario.storage_gb:
        price = given(catalog, scenario, "storage_usd")
        yield CostLine("Storage for weights", scenario.storage_gb, "GB-months", price.value, price.sources)
    if scenario.egress_gb_per_month:
        price = given(catalog, scenario, "egress_usd")
        yield CostLine("Data egress", scenario.egress_gb_per_month, "GB", price.value, price.sources)
    if scenario.setup_usd:
        term = given(catalog, scenario, "term")
        yield CostLine(
            f"Set-up, spread over {term.value:g} months", 1 / term.value, "of it", scenario.setup_usd, term.sources
        )
