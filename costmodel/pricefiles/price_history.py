"""What the catalogue holds, record by record: the figures of each with their history, and what is in force on a day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from costmodel.api import PricePart
from costmodel.catalog import Catalog
from costmodel.choices import window_name
from costmodel.compare import Comparison
from costmodel.dated import Dated, NotInForceError, in_force
from costmodel.in_use import MEMORY, PER_GPU_HOUR, PER_MTOK, PER_USD, Kind, confirmed_on, owners, replaced_on
from costmodel.machine.library import output_per_gpu
from costmodel.records import (
    ApiPrice,
    Assumed,
    BatchPrice,
    Benchmark,
    ExchangeRate,
    GpuFacts,
    LongContext,
    ModelFacts,
    Rent,
    TokenPrices,
)

KINDS: tuple[Kind, ...] = ("rental", "api", "model", "gpu", "throughput", "assumption", "currency")
"""The parts of the catalogue, in the order they are shown."""
OUTPUT_RATE, INPUT_RATE = "output tok/s per GPU", "input tok/s per GPU"
TOKENS = {
    "input": "input",
    "cached_input": "cached input",
    "cache_write": "cache write",
    "cache_write_1h": "cache write, 1 hour",
    "output": "output",
}
"""What a price list tells apart, by the name it has there."""
BATCH, LONG = "batch", "long"


@dataclass(frozen=True)
class Part:
    """One figure of an entry: which it is, where it holds, how much, in which unit."""

    what: str
    where: str
    """The hours or the kind of request, as the vendor calls them; empty where it holds for all."""
    value: float
    unit: str
    slot: str = ""
    """What stays the same where names change: a base price is one even before it is called off-peak."""


@dataclass(frozen=True)
class Step:
    """A figure from a day on; None where the entry of that day does not have it."""

    since: date
    value: float | None
    entry: Dated


@dataclass(frozen=True)
class Series:
    """The history of one figure of a record."""

    record: str
    what: str
    where: str
    unit: str
    slot: str
    steps: tuple[Step, ...]

    @property
    def is_money(self) -> bool:
        """Whether it is in dollars, and can be shown in another currency."""
        return self.unit in (PER_GPU_HOUR, PER_MTOK)


@dataclass(frozen=True)
class Record:
    """A record of the catalogue. Its histories are independent of each other: list price, batch price, …"""

    kind: Kind
    id: str
    name: str
    unit: str
    """Of an assumption; the figures of all other records have units of their own."""
    histories: tuple[Sequence[Dated], ...]
    source: object = field(repr=False)
    """The record itself."""


@dataclass(frozen=True)
class Row:
    """A record as of a day: its entry in force, or its first one where none is in force yet."""

    record: Record
    entry: Dated
    parts: tuple[Part, ...]
    is_in_force: bool
    confirmed: date
    replaced: date | None


@lru_cache(maxsize=16)
def records(catalog: Catalog, kind: Kind) -> Mapping[str, Record]:
    """The records of a part of the catalogue, by id."""
    return {each.id: each for each in _records(catalog, kind)}


def _records(catalog: Catalog, kind: Kind) -> Iterator[Record]:
    if kind == "rental":
        for key, rental in catalog.rentals.items():
            yield Record(kind, key, rental.name, "", (rental.entry.history,), rental)
    elif kind == "api":
        for key, api in catalog.apis.items():
            entry = api.entry
            histories = (entry.history, *filter(None, (entry.batch, entry.long_context)))
            yield Record(kind, key, api.name, "", histories, api)
    elif kind == "model":
        for key, model in catalog.models.items():
            yield Record(kind, key, model.name, "", (model.history,), model)
    elif kind == "gpu":
        for key, gpu in catalog.gpus.items():
            yield Record(kind, key, gpu.name, "", (gpu.history,), gpu)
    elif kind == "throughput":
        for key, benchmark in catalog.benchmarks.items():
            yield Record(kind, key, key, "", ((benchmark,),), benchmark)
    elif kind == "assumption":
        for key, assumption in catalog.assumptions.items():
            yield Record(kind, key, assumption.name, assumption.unit, (assumption.history,), assumption)
    else:
        for key, currency in catalog.currencies.items():
            yield Record("currency", key, currency.name, "", (currency.history,), currency)


def parts_of(entry: Dated, *, unit: str = "") -> tuple[Part, ...]:
    """The figures of an entry, in the order of its file. `unit` is that of an assumption."""
    return tuple(part for part in _parts(entry, unit) if part is not None)


def _part(what: str, value: float | None, unit: str, *, where: str = "", slot: str = "") -> Part | None:
    return None if value is None else Part(what, where, value, unit, slot)


def _parts(entry: Dated, unit: str) -> Iterator[Part | None]:
    if isinstance(entry, Rent):
        yield _part("rent", entry.usd_per_gpu_hour, PER_GPU_HOUR)
    elif isinstance(entry, ApiPrice):
        yield from _token_parts(entry.usd_per_mtok, window_name(entry.base_name) if entry.windows else "", "")
        for window in entry.windows:
            yield from _token_parts(window.usd_per_mtok, window_name(window.name), window.name)
    elif isinstance(entry, BatchPrice):
        yield from _token_parts(entry.usd_per_mtok, BATCH, BATCH)
    elif isinstance(entry, LongContext):
        yield from _token_parts(entry.usd_per_mtok, f"requests above {entry.above_input_tokens:,} tokens", LONG)
    elif isinstance(entry, ModelFacts):
        yield _part("checkpoint", entry.checkpoint_gb, MEMORY)
        yield _part("least GPU memory", entry.memory_floor_gb, MEMORY)
    elif isinstance(entry, GpuFacts):
        yield _part("memory", entry.memory_gb, MEMORY)
    elif isinstance(entry, ExchangeRate):
        yield _part("rate", entry.per_usd, PER_USD)
    elif isinstance(entry, Assumed):
        for what, value in (("value", entry.value), ("low", entry.low), ("high", entry.high)):
            yield _part(what, value, unit)
    elif isinstance(entry, Benchmark):
        yield _part("output", output_per_gpu(entry), OUTPUT_RATE)
        yield _part("input", entry.points[0].input_tok_s_per_gpu_low, INPUT_RATE)


def _token_parts(prices: TokenPrices, where: str, slot: str) -> Iterator[Part | None]:
    for name, what in TOKENS.items():
        yield _part(what, getattr(prices, name), PER_MTOK, where=where, slot=slot)


def series_of(record: Record) -> tuple[Series, ...]:
    """The history of each figure of a record, from the first entry that has it, under its newest name."""
    found: list[Series] = []
    for history in record.histories:
        by_entry = [{(part.what, part.slot): part for part in parts_of(entry, unit=record.unit)} for entry in history]
        for key in dict.fromkeys(key for parts in by_entry for key in parts):
            of_entries = list(zip(history, (parts.get(key) for parts in by_entry), strict=True))
            steps = [Step(entry.since, part.value if part else None, entry) for entry, part in of_entries]
            newest = next(part for _, part in reversed(of_entries) if part)
            first = next(index for index, step in enumerate(steps) if step.value is not None)
            found.append(Series(record.name, key[0], newest.where, newest.unit, key[1], tuple(steps[first:])))
    return tuple(found)


def _slot(part: PricePart) -> str:
    """Where a price of a quote stands in its record's history."""
    if isinstance(part.source, LongContext):
        return LONG
    if isinstance(part.source, BatchPrice):
        return BATCH
    if not isinstance(part.source, ApiPrice) or part.prices is part.source.usd_per_mtok:
        return ""
    return next(window.name for window in part.source.windows if window.usd_per_mtok is part.prices)


def series_in_use(catalog: Catalog, comparison: Comparison) -> tuple[Series, ...]:
    """The rents and the output prices in use, each with its whole history."""
    found: dict[tuple[str, str], Series] = {}
    entries = [entry for line in comparison.self_host.lines for entry in line.sources if isinstance(entry, Rent)]
    for entry in entries:
        rental = records(catalog, "rental")[owners(catalog)[id(entry)].id]
        found[rental.id, ""] = series_of(rental)[0]
    for api in comparison.apis:
        offer = api.quote.choice.offer if api.quote else None
        if api.quote is None or offer is None:
            continue
        slots = {_slot(part) for part in api.quote.parts}
        for series in series_of(records(catalog, "api")[offer.id]):
            if series.what == TOKENS["output"] and series.slot in slots:
                found[offer.id, series.slot] = series
    return tuple(found.values())


def rows(catalog: Catalog, kind: Kind, *, on: date, today: date) -> tuple[Row, ...]:
    """Every record of a part of the catalogue, with its entry in force on a day and what is known of it today."""
    return tuple(_row(record, on=on, today=today) for record in records(catalog, kind).values())


def _row(record: Record, *, on: date, today: date) -> Row:
    history = record.histories[0]
    try:
        entry, is_in_force = in_force(history, on=on, what=record.name), True
    except NotInForceError:
        entry, is_in_force = history[0], False
    return Row(
        record=record,
        entry=entry,
        parts=parts_of(entry, unit=record.unit),
        is_in_force=is_in_force,
        confirmed=confirmed_on(record.source, history, entry, today=today),
        replaced=replaced_on(history, entry, today=today),
    )
