"""The sentences of the Compare view: names, short verdicts, and what differs."""

from datetime import date
from typing import Any

from costmodel.catalog import Catalog
from costmodel.choices import ApiChoiceError, parse_api_choice
from costmodel.compare import Comparison
from costmodel.compared import Compared, Differing, Side, differing
from costmodel.language import say
from costmodel.link import pinned
from costmodel.scenario import Input, Scenario
from costmodel.ui.text import Money, plain, shown, tokens_word
from costmodel.ui.text_beyond import decided_by
from costmodel.ui.text_prices import figure_words
from costmodel.words import percent_text
from costmodel.workload import share

_MOST_NAMED = 2
_LONGEST_LABEL = 28
_LONGEST_VALUE = 60


def side_name(side: Side) -> str:
    """What a scenario is called beside others."""
    if not side.name:
        return say("open now")
    return say("{name} (open now)", name=side.name) if side.is_open else side.name


def short_name(side: Side) -> str:
    """A name that fits on a chart."""
    name = side_name(side)
    return name if len(name) <= _LONGEST_LABEL else f"{name[: _LONGEST_LABEL - 1].rstrip()}…"


def default_name(catalog: Catalog, scenario: Scenario) -> str:
    """What a scenario is pinned as: its title, what it changes of the last one pinned, or its hardware and model."""
    pins = [pinned(catalog, text) for text in scenario.pins]
    if scenario.title and scenario.title not in (pin.name for pin in pins):
        return scenario.title
    if pins:
        found = differing([pins[-1].scenario, scenario])
        changed = [f"{say(each.asked.label)} {value_words(catalog, scenario, each, 1)}" for each in found]
        return ", ".join(changed[:_MOST_NAMED])
    gpus = scenario.units * scenario.gpus
    return f"{gpus} × {catalog.rentals[scenario.gpu].name}, {catalog.models[scenario.model].name}"


def value_words(catalog: Catalog, scenario: Scenario, differs: Differing, index: int) -> str:
    """The value that one scenario has for an input that differs."""
    value = differs.values[index]
    if isinstance(value, tuple):
        return "; ".join(_one_value(catalog, scenario, differs.asked, each) for each in value) or say("none")
    return _one_value(catalog, scenario, differs.asked, value)


def _one_value(catalog: Catalog, scenario: Scenario, asked: Input, value: Any) -> str:
    if value is None or value == "":
        return say("not set")
    if asked.key == "model":
        return catalog.models[value].name
    if asked.key in ("gpu", "prefill_gpu"):
        return catalog.rentals[value].name
    if asked.key in ("api", "against"):
        return _api_name(catalog, scenario, value)
    if asked.key == "profile":
        return say("an imported week")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float):
        return figure_words(value)
    return value if len(value) <= _LONGEST_VALUE else f"{value[: _LONGEST_VALUE - 1]}…"


def _api_name(catalog: Catalog, scenario: Scenario, text: str) -> str:
    try:
        return parse_api_choice(catalog, text, on=scenario.price_date).name
    except ApiChoiceError:
        return text


def short_verdict(comparison: Comparison) -> str:
    """Who wins, and where that turns; or what decides besides money."""
    decided = decided_by(comparison)
    if decided:
        return decided
    api = comparison.cheapest_api
    if comparison.self_host.usd_per_mtok is None:
        return say("nothing is served")
    if api is None:
        return say("no API price")
    turn = api.break_even.utilization
    if api.winner == "tie":
        return say("**the same**")
    if turn is None or not api.break_even.reachable:
        return say("**API**, at any utilization")
    if api.winner == "api":
        return say("**API**; own GPUs above {turn}", turn=percent_text(turn))
    return say("**own GPUs**; the API below {turn}", turn=percent_text(turn))


def figures_table(found: Compared, open_scenario: Scenario) -> dict[str, list[str]]:
    """Verdicts, prices and bills: the names of the rows, then one column for each scenario, in markdown."""
    per = tokens_word(open_scenario)
    labels = [
        say("Cheaper"),
        say("Utilization"),
        say("Own GPUs, per {tokens}", tokens=per),
        say("Cheapest API, per {tokens}", tokens=per),
        say("Break-even"),
        say("Own GPUs, a month"),
        say("Cheapest API, a month"),
        say("Own GPUs cost more (+) or less (−)"),
    ]
    return _table(say("Figure"), found, labels, [_column(side, len(labels)) for side in found.sides])


def _column(side: Side, rows: int) -> list[str]:
    comparison = side.comparison
    if comparison is None:
        why = (side.reason or "").partition(". ")[0].rstrip(".")
        return [say("no answer: {reason}", reason=plain(why)), *["–"] * (rows - 1)]
    money, own, api = Money(comparison), comparison.self_host, comparison.cheapest_api
    column = [
        short_verdict(comparison),
        percent_text(share(comparison.scenario.utilization_percent)),
        "–" if own.usd_per_mtok is None else money(own.usd_per_mtok),
    ]
    if api is None or api.usd_per_mtok is None or api.usd_per_month is None:
        return [*column, "–", "–", money(own.usd_per_month), "–", "–"]
    turn = api.break_even.utilization
    at = say("none") if turn is None else percent_text(turn)
    more = own.usd_per_month - api.usd_per_month
    return [
        *column,
        f"{money(api.usd_per_mtok)} {plain(api.name)}",
        at if api.break_even.reachable or turn is None else say("not reachable ({turn})", turn=at),
        money(own.usd_per_month),
        money(api.usd_per_month),
        f"{'+' if more > 0 else ''}{money(more)}",
    ]


def reasons(found: Compared) -> list[str]:
    """Why a scenario has no answer, in full."""
    return [
        say("**{name}**: no answer. {reason}", name=plain(side_name(side)), reason=plain(side.reason))
        for side in found.sides
        if side.reason
    ]


def differing_table(catalog: Catalog, found: Compared) -> dict[str, list[str]]:
    """The inputs that are not the same in all scenarios, with the value of each."""
    labels = []
    for each in found.differing:
        unit = f", {say(each.asked.unit)}" if each.asked.unit else ""
        labels.append(plain(f"{say(each.asked.label)}{unit}"))
    columns = [
        [plain(value_words(catalog, side.scenario, each, index)) for each in found.differing]
        for index, side in enumerate(found.sides)
    ]
    return _table(say("Field"), found, labels, columns)


def _table(corner: str, found: Compared, labels: list[str], columns: list[list[str]]) -> dict[str, list[str]]:
    names = [shown(plain(name)) for name in _distinct([corner, *(side_name(side) for side in found.sides)])[1:]]
    return {corner: labels} | {
        name: [shown(cell) for cell in column] for name, column in zip(names, columns, strict=True)
    }


def _distinct(names: list[str]) -> list[str]:
    """Names as headings of columns: two of one name would be one column."""
    found: list[str] = []
    for name in names:
        numbered = (name, *(f"{name} ({count})" for count in range(2, len(names) + 2)))
        found.append(next(each for each in numbered if each not in found))
    return found


def converted_words(found: Compared, open_scenario: Scenario) -> str | None:
    """Which scenarios are shown in other terms than they were pinned in."""
    names = [plain(side.name) for side in found.sides if side.was_in]
    if not names:
        return None
    return say(
        "Shown in the open scenario's currency ({currency}, at its rate) and per {tokens}, though pinned otherwise: "
        "{names}.",
        currency=open_scenario.currency,
        tokens=tokens_word(open_scenario),
        names=", ".join(names),
    )
