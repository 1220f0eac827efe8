"""Where every figure of an answer comes from: the entries of the catalogue it rests on, and the reader's own inputs."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.dated import Dated, NotInForceError, in_force
from costmodel.language import say
from costmodel.ledger import CostLine
from costmodel.machine.library import Match
from costmodel.machine.throughput import match_of
from costmodel.scenario import INPUTS

OWN_INPUT = "your input"
NOT_SET = "not set"


@dataclass(frozen=True)
class Used:
    """An entry of the catalogue and what it was used for."""

    what: str
    entry: Dated


def entry_text(entry: Dated) -> str:
    """Where and when an entry was read, how it is known, since when it holds."""
    return f"{entry.source.label}; {entry.basis}, in force since {entry.since.isoformat()}"


def sources_of(
    catalog: Catalog, comparison: Comparison, *, name_of: Callable[[CostLine], str] = attrgetter("name")
) -> tuple[Used, ...]:
    """Every entry the answer rests on, once, in the order of the bills. `name_of` names a line in other words."""
    found = [(name_of(line), entry) for line in comparison.self_host.lines for entry in line.sources]
    benchmark = benchmark_of(catalog, comparison)
    if benchmark is not None:
        what = say("Throughput per GPU ({benchmark})", benchmark=benchmark.benchmark.id)
        found.append((what, benchmark.benchmark))
    found += [(api.name, entry) for api in comparison.apis for line in api.lines for entry in line.sources]
    rate = exchange_rate_of(catalog, comparison)
    if rate is not None:
        found.append((say("{currency} per US dollar", currency=comparison.scenario.currency), rate))
    names: dict[int, dict[str, None]] = {}
    for name, entry in found:
        names.setdefault(id(entry), {})[name] = None
    entries = {id(entry): entry for _, entry in found}
    return tuple(Used(", ".join(names[key]), entry) for key, entry in entries.items())


def benchmark_of(catalog: Catalog, comparison: Comparison) -> Match | None:
    """The benchmark that the throughput was taken from: asked for by the scenario, or one that says the same."""
    scenario, throughput = comparison.scenario, comparison.self_host.throughput
    if throughput.match is not None and not throughput.is_typed:
        return throughput.match
    match = match_of(catalog, scenario)
    if match is None or round(match.output_tok_s_per_gpu, 1) != round(scenario.output_tok_s_per_gpu, 1):
        return None
    return match


def exchange_rate_of(catalog: Catalog, comparison: Comparison) -> Dated | None:
    """The catalogue's exchange rate, where the scenario uses that."""
    scenario = comparison.scenario
    currency = catalog.currencies.get(scenario.currency)
    if currency is None:
        return None
    try:
        rate = in_force(currency.history, on=scenario.price_date, what=scenario.currency)
    except NotInForceError:
        return None
    return rate if rate.per_usd == scenario.currency_per_usd else None


def origin_of(catalog: Catalog, comparison: Comparison, key: str) -> str:
    """Where the value of one input comes from: the catalogue, or the reader."""
    scenario = comparison.scenario
    value = getattr(scenario, INPUTS[key].name)
    prices = {pool.role == "prefill": pool.rent for pool in comparison.self_host.pools}
    list_price = prices.get(key.startswith("prefill"))
    if key in ("gpu_usd", "prefill_gpu_usd") and value is None and list_price is not None:
        return f"{NOT_SET}: the list price is used"
    if value is None or value == "":
        return NOT_SET
    if key in ("gpu", "prefill_gpu") and list_price is not None:
        return f"price: {entry_text(list_price)}"
    benchmark = benchmark_of(catalog, comparison) if key == "tps" else None
    if benchmark is not None:
        return f"benchmark {benchmark.benchmark.id}: {entry_text(benchmark.benchmark)}"
    rate = exchange_rate_of(catalog, comparison) if key == "fx" else None
    return OWN_INPUT if rate is None else entry_text(rate)
