"""The figures an answer rests on, each with its entry in the catalogue, its age, and whether to read it again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Literal

from costmodel.api import concurrency_note
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, compare
from costmodel.dated import Dated, NotInForceError, in_force
from costmodel.exports.sources import benchmark_of, exchange_rate_of
from costmodel.ledger import CostLine
from costmodel.pricefiles.stale import confirmed, needed_assumption
from costmodel.records import ApiOffer, Assumed, Assumption, Rent, RentalOffer, Residency
from costmodel.scenario import INPUTS, Scenario
from costmodel.units import PERCENT

Kind = Literal["rental", "api", "throughput", "model", "gpu", "assumption", "currency", "bill"]
"""What a figure is of; "bill" is a line the reader typed the price of."""
State = Literal["typed", "current", "stale", "replaced"]
STALE_LIMIT = "stale_after_days"
_GOES_STALE: tuple[Kind, ...] = ("rental", "api", "currency")
"""Prices change without notice; what was measured or assumed once stays what it was."""
PER_GPU_HOUR, PER_MTOK, PER_USD = "$ per GPU-hour", "$ per 1M tokens", "per US dollar"
SURCHARGE, MEMORY, REQUESTS, STREAM = "% on the bill", "GB", "requests at a time", "output tok/s per stream"


@dataclass(frozen=True)
class Figure:
    """A figure in use. Where `entry` is None the reader typed it."""

    kind: Kind
    record: str
    """Its id in the catalogue; empty where the reader typed it."""
    name: str
    part: str
    """Which figure of the record; empty where it has one only."""
    value: float
    unit: str
    entry: Dated | None = None
    confirmed: date | None = None
    """The day on which it was last known to be true."""
    replaced: date | None = None
    """The day from which a newer entry holds, if that has come."""
    used_for: tuple[str, ...] = ()

    def age_days(self, today: date) -> int | None:
        """Days since it was last confirmed. A figure of the reader's own has none."""
        return None if self.confirmed is None else days_since(self.confirmed, today)


@dataclass(frozen=True)
class Owner:
    """The record of the catalogue that an entry stands in."""

    kind: Kind
    id: str
    name: str
    history: Sequence[Dated]
    record: object = field(repr=False)


def days_since(day: date, today: date) -> int:
    """Days from a day to today; none where it has not come yet.

    >>> days_since(date(2026, 10, 25), date(2026, 11, 30)), days_since(date(2026, 12, 1), date(2026, 11, 30))
    (36, 0)
    """
    return max(0, (today - day).days)


def stale_limit_days(catalog: Catalog, *, today: date) -> float:
    """From which age on a price is stale. Raises CatalogError where the catalogue does not say."""
    return needed_assumption(catalog, STALE_LIMIT, on=today)


def state_of(figure: Figure, *, today: date, limit_days: float) -> State:
    """Whether a figure can be relied on today."""
    age = figure.age_days(today)
    if age is None:
        return "typed"
    return state_at(figure.kind, age_days=age, is_replaced=figure.replaced is not None, limit_days=limit_days)


def state_at(kind: Kind, *, age_days: int, is_replaced: bool, limit_days: float) -> State:
    """Whether a figure of the catalogue can be relied on. One that was replaced does not age: at its time it was true.

    >>> state_at("api", age_days=61, is_replaced=False, limit_days=60)
    'stale'
    """
    if is_replaced:
        return "replaced"
    return "stale" if kind in _GOES_STALE and age_days > limit_days else "current"


def confirmed_on(record: object, history: Sequence[Dated], entry: Dated, *, today: date) -> date:
    """The day on which an entry was last known to be true: a price in force, when its record was last looked at."""
    if isinstance(record, RentalOffer | ApiOffer) and replaced_on(history, entry, today=today) is None:
        return confirmed(record, on=today)
    return entry.source.seen


def replaced_on(history: Sequence[Dated], entry: Dated, *, today: date) -> date | None:
    """The day from which a newer entry holds; None where none does yet."""
    return min((each.since for each in history if entry.since < each.since <= today), default=None)


@lru_cache(maxsize=4)
def owners(catalog: Catalog) -> Mapping[int, Owner]:
    """The record of every entry a bill can rest on, by the entry's identity."""
    found: dict[int, Owner] = {}

    def put(kind: Kind, identifier: str, name: str, record: object, *histories: Sequence[Dated]) -> None:
        for history in histories:
            found.update((id(entry), Owner(kind, identifier, name, history, record)) for entry in history)

    for key, rental in catalog.rentals.items():
        put("rental", key, rental.name, rental, rental.entry.history)
    for key, api in catalog.apis.items():
        entry = api.entry
        regions = {place.region for place in entry.residency}
        surcharges = [tuple(place for place in entry.residency if place.region == region) for region in regions]
        parts = (entry.history, entry.batch, entry.long_context, entry.concurrency_limit, entry.speed)
        put("api", key, api.name, api, *parts, *surcharges)
    for key, assumption in catalog.assumptions.items():
        put("assumption", key, assumption.name, assumption, assumption.history)
    for key, currency in catalog.currencies.items():
        put("currency", key, currency.name, currency, currency.history)
    for key, model in catalog.models.items():
        put("model", key, model.name, model, model.history)
    for key, gpu in catalog.gpus.items():
        put("gpu", key, gpu.name, gpu, gpu.history)
    return found


def figures_in_use(catalog: Catalog, comparison: Comparison, *, today: date) -> tuple[Figure, ...]:
    """Every figure the bills, the throughput, the exchange rate and the notes of an answer rest on, each once."""
    merged: dict[tuple[object, ...], Figure] = {}
    for figure in _figures(catalog, comparison):
        key = (figure.kind, figure.record, figure.name, id(figure.entry), figure.part, figure.value, figure.unit)
        before = merged.get(key)
        used_for = (*(before.used_for if before else ()), *figure.used_for)
        merged[key] = replace(before or figure, used_for=tuple(dict.fromkeys(used_for)))
    return tuple(_with_age(catalog, figure, today=today) for figure in merged.values())


def _with_age(catalog: Catalog, figure: Figure, *, today: date) -> Figure:
    entry = figure.entry
    if entry is None:
        return figure
    owner = owners(catalog).get(id(entry))
    if owner is None:
        return replace(figure, confirmed=entry.source.seen)
    # Models of a vendor share its surcharges, so the entry alone does not say whose it is here.
    record = catalog.apis[figure.record] if figure.kind == "api" else owner.record
    return replace(
        figure,
        confirmed=confirmed_on(record, owner.history, entry, today=today),
        replaced=replaced_on(owner.history, entry, today=today),
    )


def _figures(catalog: Catalog, comparison: Comparison) -> Iterator[Figure]:
    scenario = comparison.scenario
    yield from _of_own_lines(catalog, comparison.self_host.lines)
    yield from _throughput(catalog, comparison)
    for api in comparison.apis:
        yield from _of_api(api, comparison)
    if scenario.currency != "USD":
        rate = exchange_rate_of(catalog, comparison)
        currency = catalog.currencies.get(scenario.currency)
        name = currency.name if currency else scenario.currency
        record = scenario.currency if rate else ""
        yield Figure("currency", record, name, "", scenario.currency_per_usd, PER_USD, rate)
    yield from _memory(catalog, comparison)
    yield from _assumptions(catalog, scenario)


def _of_own_lines(catalog: Catalog, lines: Iterable[CostLine]) -> Iterator[Figure]:
    for line in lines:
        if not line.sources:
            yield Figure("bill", "", line.name, "", line.usd_per_unit, f"$ × {line.unit}", used_for=(line.name,))
        for entry in line.sources:
            owner = owners(catalog)[id(entry)]
            if isinstance(entry, Rent):
                figure = Figure(owner.kind, owner.id, owner.name, "", entry.usd_per_gpu_hour, PER_GPU_HOUR, entry)
                yield replace(figure, used_for=(line.name,))
            elif isinstance(entry, Assumed):
                yield replace(_assumption(catalog, owner.id, entry), used_for=(line.name,))


def _throughput(catalog: Catalog, comparison: Comparison) -> Iterator[Figure]:
    scenario, found = comparison.scenario, benchmark_of(catalog, comparison)
    asked = INPUTS["tps"]
    value = comparison.self_host.throughput.output_tok_s_per_gpu
    benchmark = found.benchmark if found else None
    record = benchmark.id if benchmark else ""
    yield Figure("throughput", record, asked.label, record, value, asked.unit, benchmark)
    rate = scenario.input_tok_s_per_prefill_gpu
    if rate is None:
        return
    asked = INPUTS["prefill_tps"]
    measured = next(
        (
            each
            for each in catalog.benchmarks_of(scenario.model).values()
            if any(rate in (point.input_tok_s_per_gpu_low, point.input_tok_s_per_gpu_high) for point in each.points)
        ),
        None,
    )
    record = measured.id if measured else ""
    yield Figure("throughput", record, asked.label, record, rate, asked.unit, measured)


def _of_api(api: ApiAnswer, comparison: Comparison) -> Iterator[Figure]:
    if api.quote is None:
        return
    offer, choice = api.quote.choice.offer, api.quote.choice
    record, name = (offer.id, offer.name) if offer else ("", api.name)
    for line in api.lines:
        value, unit = line.usd_per_unit, PER_MTOK
        if any(isinstance(entry, Residency) for entry in line.sources):
            value, unit = line.usd_per_unit * PERCENT, SURCHARGE
        for entry in line.sources or (None,):
            yield Figure("api", record, name, line.name, value, unit, entry, used_for=(api.name,))
    on, output = comparison.scenario.price_date, comparison.self_host.output_tok_s
    if offer and concurrency_note(choice, on=on, output_tok_s=output):
        limit = in_force(offer.entry.concurrency_limit, on=on, what=offer.name)
        speed = in_force(offer.entry.speed, on=on, what=offer.name)
        yield Figure("api", offer.id, offer.name, "concurrency limit", limit.requests, REQUESTS, limit)
        yield Figure("api", offer.id, offer.name, "speed", speed.output_tok_s_high, STREAM, speed)


def _memory(catalog: Catalog, comparison: Comparison) -> Iterator[Figure]:
    """Whether the model fits: what a GPU holds, and what the model asks for."""
    model = catalog.models[comparison.scenario.model]
    for pool in comparison.self_host.pools:
        gpu = catalog.gpus[pool.offer.entry.gpu]
        entry = max(gpu.history, key=lambda each: each.since)
        yield Figure("gpu", gpu.id, gpu.name, "memory", entry.memory_gb, MEMORY, entry)
        if pool.memory_floor_gb is not None:
            facts = max(model.history, key=lambda each: each.since)
            yield Figure("model", model.id, model.name, "least GPU memory", pool.memory_floor_gb, MEMORY, facts)


def _assumption(catalog: Catalog, name: str, entry: Assumed) -> Figure:
    assumption = catalog.assumptions[name]
    return Figure("assumption", name, assumption.name, "", entry.value, assumption.unit, entry)


class _Watched(Mapping[str, Assumption]):
    """The assumptions of a catalogue, and which of them were asked for."""

    def __init__(self, assumptions: Mapping[str, Assumption]) -> None:
        self._assumptions = assumptions
        self.asked: dict[str, None] = {}

    def __getitem__(self, name: str) -> Assumption:
        self.asked[name] = None
        return self._assumptions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._assumptions)

    def __len__(self) -> int:
        return len(self._assumptions)


def _assumptions(catalog: Catalog, scenario: Scenario) -> Iterator[Figure]:
    """Those that the comparison asks for when it is made; nobody has to keep a list of them."""
    watched = _Watched(catalog.assumptions)
    observed = copy(catalog)
    observed.__dict__["assumptions"] = watched
    compare(observed, scenario)
    for name in watched.asked:
        try:
            entry = in_force(catalog.assumptions[name].history, on=scenario.price_date, what=name)
        except NotInForceError:
            continue
        yield _assumption(catalog, name, entry)
