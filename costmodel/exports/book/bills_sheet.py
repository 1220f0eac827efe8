"""The sheet Bills: a month's bill of the own deployment and of each API, line by line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from costmodel.api import TokenMix
from costmodel.compare import Comparison, terms_of, vat_share
from costmodel.dated import Dated
from costmodel.exports.book.cells import AMOUNT, COUNT, PRICE, Book, Sheet
from costmodel.exports.book.inputs_sheet import used
from costmodel.exports.book.looked_up import PoolFacts
from costmodel.exports.book.prices_sheet import ApiCells, PartCells
from costmodel.exports.sources import OWN_INPUT, entry_text
from costmodel.exports.words import Words
from costmodel.purchase import annuity_usd_per_year
from costmodel.units import GB_PER_TB, MONTHS_PER_YEAR, PERCENT

_LINE, _QUANTITY, _UNIT, _PRICE, _USD, _VAT, _COMPARABLE, _AMOUNT, _SOURCE = range(9)
_ASSUMED_SOURCE = "see Inputs: your input, or the assumption beside it"


@dataclass(frozen=True)
class Line:
    """A line of the own bill as formulas, with the values they have now."""

    name: str
    quantity: str
    quantity_now: float
    unit: str
    usd: str
    usd_now: float
    source: str
    bears_vat: bool = True


def write_bills(
    book: Book, comparison: Comparison, words: Words, pools: tuple[PoolFacts, ...], apis: Sequence[ApiCells]
) -> dict[str, str]:
    """The sheet; returns where each API's total in dollars stands, by its id."""
    sheet = book.sheet("Bills", (56, 16, 22, 16, 18, 8, 20, 20, 80))
    currency = comparison.scenario.currency
    sheet.text(_LINE, "Each total is the sum of its lines. A dash is a line that is not in use.")
    sheet.next(2)
    sheet.text(_LINE, words.labels.own, bold=True)
    sheet.next()
    amount = f"{currency}, VAT where due"
    sheet.heads(
        "Line",
        "Quantity",
        "Unit",
        "$ per unit",
        "$ a month",
        "VAT",
        "$ to set beside an API bill",
        amount,
        "Price from",
    )
    _own_bill(sheet, comparison, pools)
    return {each.facts.answer.id: _api_bill(sheet, comparison, each, amount) for each in apis}


def _own_bill(sheet: Sheet, comparison: Comparison, pools: tuple[PoolFacts, ...]) -> None:
    tax, factor = vat_share(comparison.scenario), comparison.money_factor
    gpu_lines = list(_gpu_lines(sheet, comparison, pools))
    first = sheet.row
    totals = [0.0, 0.0, 0.0]
    for line in (*gpu_lines, *_other_lines(sheet, comparison)):
        usd = line.quantity_now * line.usd_now
        comparable = usd if line.bears_vat else usd / (1 + tax)
        sheet.text(_LINE, line.name)
        cells = [sheet.live(_QUANTITY, line.quantity, line.quantity_now, COUNT)]
        sheet.text(_UNIT, line.unit, "muted")
        cells.append(sheet.live(_PRICE, line.usd, line.usd_now, PRICE))
        dollars = sheet.live(_USD, "*".join(cells), usd, AMOUNT)
        sheet.text(_VAT, "yes" if line.bears_vat else "no")
        beside = sheet.live(_COMPARABLE, dollars if line.bears_vat else f"{dollars}/(1+vat_share)", comparable, AMOUNT)
        sheet.live(_AMOUNT, f"{beside}*money_factor", comparable * factor, AMOUNT)
        sheet.text(_SOURCE, line.source, "muted")
        sheet.next()
        totals = [total + more for total, more in zip(totals, (usd, comparable, comparable * factor), strict=True)]
    last = sheet.row - 1
    gpus_end = first + len(gpu_lines) - 1
    sheet.text(_LINE, "Total", bold=True)
    for column, total in zip((_USD, _COMPARABLE, _AMOUNT), totals, strict=True):
        sheet.live(column, f"SUM({sheet.span(column, first, last)})", total, AMOUNT, bold=True)
    sheet.call("own_usd_per_month", _COMPARABLE, totals[1])
    sheet.next()
    other = comparison.self_host.other_usd_per_hour * comparison.self_host.paid_hours_per_month
    sheet.text(_LINE, "of it beside the GPUs", "muted")
    sheet.live(_COMPARABLE, f"own_usd_per_month-SUM({sheet.span(_COMPARABLE, first, gpus_end)})", other, AMOUNT)
    sheet.call("other_usd_per_month", _COMPARABLE, other)
    sheet.next(2)


def _gpu_lines(sheet: Sheet, comparison: Comparison, pools: tuple[PoolFacts, ...]) -> Iterator[Line]:
    """The GPUs of each pool, spare ones apart: their rent or, where they are bought, what takes its place."""
    scenario, values = comparison.scenario, sheet.book.values
    buys = scenario.acquire == "buy"
    life, capex = used("life_months"), used("purchase_usd_per_gpu")
    years, interest = f"({life}/{MONTHS_PER_YEAR})", f"{used('cost_of_capital_percent')}/{PERCENT}"
    left = f"{capex}*{used('residual_percent')}/{PERCENT}"
    # The annuity's own formula loses its digits where interest is tiny; there it is that without interest.
    annuity = (
        f"IF({interest}<1E-7,({capex}-{left})/{years},"
        f"({capex}-{left}*(1+{interest})^-{years})*{interest}/(1-(1+{interest})^-{years}))/{MONTHS_PER_YEAR}"
    )
    price, residual, wacc, months, power, pue, kwh, colocation, upkeep = (
        float(values[used(name)])
        for name in (
            "purchase_usd_per_gpu", "residual_percent", "cost_of_capital_percent", "life_months", "power_kw_per_gpu",
            "pue", "electricity_usd_per_kwh", "colocation_usd_per_kw_month", "maintenance_percent_per_year",
        )
    )  # fmt: skip
    annuity_now = annuity_usd_per_year(
        purchase_usd=price,
        residual_usd=price * residual / PERCENT,
        cost_of_capital_share=wacc / PERCENT,
        life_years=months / MONTHS_PER_YEAR,
    )
    kw, hours = used("power_kw_per_gpu"), comparison.self_host.paid_hours_per_month
    service = f"{capex}*{used('maintenance_percent_per_year')}/{PERCENT}/{MONTHS_PER_YEAR}"
    for facts in pools:
        prefix = facts.key.removesuffix("gpus")
        rent, rent_now = f"{prefix}rent_usd_per_gpu_hour", float(values[f"{prefix}rent_usd_per_gpu_hour"])
        for units, count, spare in (("units", scenario.units, ""), ("spare_units", scenario.spare_units, ", spare")):
            gpus, gpus_now = f"{prefix}billed_gpus*{units}", facts.pool.billed_gpus * count
            bought, bought_now = f'IF(acquire="buy",{gpus},0)', gpus_now if buys else 0
            name = f"{facts.pool.offer.name} ({facts.pool.role}{spare})"
            owned = f"{facts.gpu_name} ({facts.pool.role}{spare})"
            rented = f'IF(acquire="buy",0,{gpus}*paid_hours)'
            rented_now = 0 if buys else gpus_now * hours
            where = "; ".join(entry_text(each) for each in facts.sources) or OWN_INPUT
            yield Line(f"{name}{facts.words}", rented, rented_now, "GPU-hours", rent, rent_now, where)
            purchase = f"Purchase: {owned}"
            yield Line(
                purchase, bought, bought_now, "GPU-months", annuity, annuity_now / MONTHS_PER_YEAR, _ASSUMED_SOURCE
            )
            energy, energy_now = f"{bought}*{kw}*{used('pue')}*paid_hours", bought_now * power * pue * hours
            electricity = used("electricity_usd_per_kwh")
            yield Line(f"Electricity: {owned}", energy, energy_now, "kWh", electricity, kwh, _ASSUMED_SOURCE)
            room, room_now = f"{bought}*{kw}", bought_now * power
            housing = used("colocation_usd_per_kw_month")
            yield Line(f"Colocation: {owned}", room, room_now, "kW-months", housing, colocation, _ASSUMED_SOURCE)
            service_now = price * upkeep / PERCENT / MONTHS_PER_YEAR
            yield Line(f"Maintenance: {owned}", bought, bought_now, "GPU-months", service, service_now, _ASSUMED_SOURCE)


def _other_lines(sheet: Sheet, comparison: Comparison) -> Iterator[Line]:
    """What goes with the GPUs, and what is paid once."""
    scenario, values = comparison.scenario, sheet.book.values
    pools = comparison.self_host.pools
    billed = "(billed_gpus+prefill_billed_gpus)" if len(pools) > 1 else "billed_gpus"
    gpus, gpus_now = f"{billed}*(units+spare_units)", float(comparison.self_host.gpus)

    def value(name: str) -> float:
        return float(values[used(name)])

    store = scenario.kv_store_tb_per_gpu
    yield Line(
        "KV cache store",
        f"{gpus}*kv_store_tb_per_gpu*{GB_PER_TB}",
        gpus_now * store * GB_PER_TB,
        "GB-months",
        used("kv_store_usd_per_gb_month"),
        value("kv_store_usd_per_gb_month"),
        _ASSUMED_SOURCE,
    )
    for name, field, usd in (
        ("Network between racks", "network_usd_per_gpu_month", scenario.network_usd_per_gpu_month),
        ("Support and licences", "support_usd_per_gpu_month", scenario.support_usd_per_gpu_month),
    ):
        yield Line(name, gpus, gpus_now, "GPU-months", field, usd, OWN_INPUT)
    yield Line(
        "People who operate it",
        "staff_fte",
        scenario.staff_fte,
        "person-months",
        f"{used('staff_usd_per_year')}/{MONTHS_PER_YEAR}",
        value("staff_usd_per_year") / MONTHS_PER_YEAR,
        _ASSUMED_SOURCE,
        bears_vat=False,
    )
    for name, field, quantity, unit, price in (
        ("Storage for weights", "storage_gb", scenario.storage_gb, "GB-months", "storage_usd_per_gb_month"),
        ("Data egress", "egress_gb_per_month", scenario.egress_gb_per_month, "GB", "egress_usd_per_gb"),
    ):
        yield Line(name, field, quantity, unit, used(price), value(price), _ASSUMED_SOURCE)
    term = used("term_months")
    months = value("term_months")
    setup = scenario.setup_usd
    yield Line("Set-up, spread over the term", f"1/{term}", 1 / months, "of it", "setup_usd", setup, _ASSUMED_SOURCE)


def _api_bill(sheet: Sheet, comparison: Comparison, api: ApiCells, amount: str) -> str:
    """One API's bill; returns where its total in dollars stands."""
    factor, mix = comparison.money_factor, terms_of(comparison.scenario).mix
    output = comparison.self_host.output_mtok_per_month
    sheet.text(_LINE, api.facts.answer.name, bold=True)
    sheet.next()
    sheet.heads("Line", "Quantity", "Unit", "$ per unit", "$ a month", "VAT", "", amount, "Price from")
    first, total = sheet.row, 0.0
    for part in api.parts:
        for kind, quantity, mtok, price, usd in _kinds(part, mix, output):
            name = f"{kind}, {part.part.name}" if part.part.name else kind
            total += mtok * usd
            _api_line(sheet, name, (quantity, mtok, "1M tokens"), (price, usd), factor, part.part.source)
    if api.facts.surcharge:
        region = f"Surcharge for processing in {api.facts.surcharge.region.upper()}"
        lines = f"SUM({sheet.span(_USD, first, sheet.row - 1)})"
        rate = (f"{api.surcharge}/{PERCENT}", api.surcharge_share)
        _api_line(sheet, region, (lines, total, "$ of the lines above"), rate, factor, api.facts.surcharge.source)
        total *= 1 + api.surcharge_share
    last = sheet.row - 1
    sheet.text(_LINE, "Total", bold=True)
    cell = sheet.live(_USD, f"SUM({sheet.span(_USD, first, last)})", total, AMOUNT, bold=True)
    sheet.live(_AMOUNT, f"SUM({sheet.span(_AMOUNT, first, last)})", total * factor, AMOUNT, bold=True)
    sheet.next(2)
    return cell


def _api_line(
    sheet: Sheet,
    name: str,
    quantity: tuple[str, float, str],
    price: tuple[str, float],
    factor: float,
    source: Dated | None,
) -> None:
    usd = quantity[1] * price[1]
    sheet.text(_LINE, name)
    count = sheet.live(_QUANTITY, quantity[0], quantity[1], COUNT)
    sheet.text(_UNIT, quantity[2], "muted")
    each = sheet.live(_PRICE, price[0], price[1], PRICE)
    dollars = sheet.live(_USD, f"{count}*{each}", usd, AMOUNT)
    sheet.text(_VAT, "yes")
    sheet.live(_AMOUNT, f"{dollars}*money_factor", usd * factor, AMOUNT)
    sheet.text(_SOURCE, entry_text(source) if source else OWN_INPUT, "muted")
    sheet.next()


def _kinds(part: PartCells, mix: TokenMix, output_mtok: float) -> Iterator[tuple[str, str, float, str, float]]:
    """Each kind of token of a part: its name, how many as formula and number, its price as formula and number."""
    prices = part.part.prices
    cached = prices.input if prices.cached_input is None else prices.cached_input
    write = prices.input if prices.cache_write is None else prices.cache_write
    plain_share = 1 - mix.cached_share - mix.cache_write_share
    for kind, percent, share, price, usd in (
        ("Input", f"({PERCENT}-cached_percent-cache_write_percent)", plain_share, part.usd_input, prices.input),
        ("Cached input", "cached_percent", mix.cached_share, part.usd_cached, cached),
        ("Input written to the cache", "cache_write_percent", mix.cache_write_share, part.usd_write, write),
    ):
        mtok = output_mtok * mix.input_per_output * share * part.share_now
        tokens = f"output_mtok_per_month*input_per_output*{percent}/{PERCENT}*{part.share}/{PERCENT}"
        yield kind, tokens, mtok, price, usd
    yield (
        "Output",
        f"output_mtok_per_month*{part.share}/{PERCENT}",
        output_mtok * part.share_now,
        part.usd_output,
        prices.output,
    )
