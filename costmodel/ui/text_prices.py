"""The sentences of the Prices view: what is in use, how old it is, what has changed."""

from collections.abc import Iterator, Sequence
from datetime import date

from costmodel.choices import window_label
from costmodel.defaults import ASSUMED_BY
from costmodel.in_use import MEMORY, PER_GPU_HOUR, PER_MTOK, PER_USD, REQUESTS, STREAM, SURCHARGE, Figure, Kind, State
from costmodel.language import number_text, say, say_count
from costmodel.ledger import CostLine
from costmodel.pricefiles.price_history import INPUT_RATE, OUTPUT_RATE, Row
from costmodel.prices_answer import SinceThen
from costmodel.scenario import INPUTS
from costmodel.ui.text import Money, as_typed, basis_word, plain, source_link, verdict
from costmodel.ui.text_lines import line_name
from costmodel.words import percent_text

_EACH = "$ × "
_INPUT_OF = {assumption: INPUTS[key] for key, assumption in ASSUMED_BY.items()}
_MANY = 1_000
"""From here on a figure is said without the digits behind the first."""


def kind_words(kind: Kind) -> str:
    """A part of the catalogue, as a heading."""
    return {
        "rental": say("GPU rents"),
        "api": say("API prices"),
        "model": say("Models"),
        "gpu": say("GPUs"),
        "throughput": say("Throughput"),
        "assumption": say("Assumptions"),
        "currency": say("Exchange rates"),
        "bill": say("Typed by you"),
    }[kind]


def part_words(what: str, where: str = "") -> str:
    """Which figure of a record it is, and where it holds."""
    known = {
        "rent": "",
        "rate": "",
        "value": "",
        "low": say("low"),
        "high": say("high"),
        "input": say("input"),
        "cached input": say("cached input"),
        "cache write": say("cache write"),
        "cache write, 1 hour": say("cache write, 1 hour"),
        "output": say("output"),
        "memory": say("memory"),
        "least GPU memory": say("least GPU memory"),
        "checkpoint": say("checkpoint"),
        "concurrency limit": say("concurrency limit"),
        "speed": say("speed"),
    }
    return ", ".join(filter(None, (known.get(what, _in_bill(what)), _in_bill(where) if where else "")))


def _in_bill(text: str) -> str:
    """A word that bills use, too."""
    return line_name(CostLine(text, 0, "", 0))


def unit_words(unit: str) -> str:
    """A unit of the catalogue."""
    known = {
        PER_GPU_HOUR: say("$ per GPU-hour"),
        PER_MTOK: say("$ per 1M tokens"),
        PER_USD: say("per US dollar"),
        SURCHARGE: say("% on the bill"),
        MEMORY: say("GB"),
        REQUESTS: say("requests at a time"),
        STREAM: say("output tok/s per stream"),
        OUTPUT_RATE: say("output tok/s per GPU"),
        INPUT_RATE: say("input tok/s per GPU"),
        INPUTS["tps"].unit: say(INPUTS["tps"].unit),
        INPUTS["prefill_tps"].unit: say(INPUTS["prefill_tps"].unit),
    }
    if unit.startswith(_EACH):
        return f"$ {_each(unit.removeprefix(_EACH))}"
    # Units of assumptions are words of the catalogue; inputs have many of them, too.
    return known.get(unit) or say(unit)


def _each(counted: str) -> str:
    """What a price of a bill's line is per."""
    return {
        "GPU-hours": say("per GPU-hour"),
        "GPU-months": say("per GPU-month"),
        "kWh": say("per kWh"),
        "kW-months": say("per kW-month"),
        "GB-months": say("per GB-month"),
        "person-months": say("per person and month"),
        "GB": say("per GB"),
    }.get(counted, "")


def figure_words(value: float) -> str:
    """A figure with all the digits its source has.

    >>> figure_words(6.305), figure_words(0.0028), figure_words(30_000)
    ('6.305', '0.0028', '30,000')
    """
    text = f"{value:,.6f}" if abs(value) < _MANY else f"{value:,.1f}"
    return number_text(text.rstrip("0").rstrip("."))


def known_words(figure: Figure, state: State, *, today: date) -> str:
    """How a figure is known and how old it is, in words: a colour alone would not say it."""
    days = figure.age_days(today)
    if figure.entry is None or days is None:
        return say("typed in by you")
    basis = basis_word(figure.entry.basis)
    if state == "replaced" and figure.replaced is not None:
        return say("{basis}, replaced on {day}", basis=basis, day=figure.replaced.isoformat())
    if state == "stale":
        return say_count(
            "{basis}, **stale**: confirmed {count} day ago",
            "{basis}, **stale**: confirmed {count} days ago",
            days,
            basis=basis,
        )
    if days == 0:
        return say("{basis}, confirmed today", basis=basis)
    return say_count("{basis}, confirmed {count} day ago", "{basis}, confirmed {count} days ago", days, basis=basis)


def state_words(row: Row, state: State) -> str:
    """Whether a figure of the catalogue can be relied on, in words."""
    if not row.is_in_force:
        return say("only from {day}", day=row.entry.since.isoformat())
    if state == "replaced" and row.replaced is not None:
        return say("replaced on {day}", day=row.replaced.isoformat())
    return say("stale: read it again") if state == "stale" else say("current")


def stale_words(states: Sequence[State], *, limit_days: float) -> str:
    """How many of the figures in use should be read again."""
    count, limit = states.count("stale"), as_typed(limit_days)
    if count == 0:
        return say("Every price in use was confirmed within the last {limit} days, or is one of the past.", limit=limit)
    return say_count(
        "**{count} price in use is stale**: it was last confirmed more than {limit} days ago.",
        "**{count} prices in use are stale**: they were last confirmed more than {limit} days ago.",
        count,
        limit=limit,
    )


def heading(what: str, slot: str, unit: str) -> str:
    """A column of the catalogue: which figure, where it holds, in which unit."""
    words = ", ".join(filter(None, (part_words(what), window_label(slot) if slot else "", unit_words(unit))))
    return words[:1].upper() + words[1:]


def values_words(row: Row) -> str:
    """The figures of an assumption as one text: they have no unit in common with others."""
    values = {part.what: figure_words(part.value) for part in row.parts}
    between = f" ({values['low']}–{values['high']})" if "low" in values and "high" in values else ""
    return f"{values['value']} {unit_words(row.record.unit)}{between}"


def in_use_table(figures: tuple[Figure, ...], states: tuple[State, ...], *, today: date) -> str:
    """The figures in use as a table narrow enough for a phone, and below it where each comes from."""
    rows = [say("| Figure | Value | Basis and age |"), "|---|--:|---|"]
    figures_of: dict[str, list[str]] = {}
    for figure, state in zip(figures, states, strict=True):
        name = plain(figure_name(figure))
        value = f"{figure_words(figure.value)} {plain(_unit_of(figure))}"
        rows.append(f"| {name} | {value} | {known_words(figure, state, today=today)} |")
        if figure.entry is not None:
            figures_of.setdefault(source_link(figure.entry), []).append(name)
    sources = [f"- {'; '.join(dict.fromkeys(names))}: {source}" for source, names in figures_of.items()]
    return "\n".join([*rows, "", say("Read here:"), "", *sources])


def _unit_of(figure: Figure) -> str:
    asked = _INPUT_OF.get(figure.record)
    return say(asked.unit) if asked else unit_words(figure.unit)


def figure_name(figure: Figure) -> str:
    """What a figure in use is. An assumption that stands in for an input is called as the input is."""
    asked = _INPUT_OF.get(figure.record)
    if asked:
        return say(asked.label)
    if figure.kind == "throughput":
        name = say(figure.name)
        return f"{name} ({figure.part})" if figure.part else name
    if figure.kind == "bill":
        return _in_bill(figure.name)
    part = part_words(figure.part) if figure.part else ""
    return f"{figure.name}, {part}" if part else figure.name


def changed_words(since: SinceThen) -> str:
    """What has changed since the scenario's date, and what today's prices would say."""
    listed = "; ".join(
        say("{name} {before} then, {now} today ({each})", name=name, before=before, now=now, each=each)
        for name, each, before, now, _ in _changes(since)
    )
    return say(
        "**Prices have changed** since {day}: {listed}. Today's prices would say: {verdict}",
        day=since.then.scenario.price_date.isoformat(),
        listed=listed,
        verdict=verdict(since.now),
    )


def changes_table(since: SinceThen) -> str:
    """What has changed, price by price."""
    day = since.then.scenario.price_date.isoformat()
    rows = [say("| Price | On {day} | Today | Change |", day=day), "|---|--:|--:|--:|"]
    rows += [f"| {name} ({each}) | {before} | {now} | {by} |" for name, each, before, now, by in _changes(since)]
    return "\n".join(rows)


def _changes(since: SinceThen) -> Iterator[tuple[str, str, str, str, str]]:
    """Each change as name, what the price is per, then, today, and by how much of what it was."""
    for change in since.changes:
        line = CostLine(change.name, 1, change.unit, change.usd_now, bears_vat=change.bears_vat)
        money = Money(since.then).of_line(line)
        name, each = plain(_in_bill(change.name)), _each(change.unit) or say("per 1M tokens of this mix")
        now = money.price(change.usd_now)
        if change.usd_then is None:
            yield name, each, say("no price"), now, ""
        else:
            by = _signed(change.usd_now / change.usd_then - 1) if change.usd_then else ""
            yield name, each, money.price(change.usd_then), now, by


def _signed(share: float) -> str:
    return f"{'−' if share < 0 else '+'}{percent_text(abs(share))}"
