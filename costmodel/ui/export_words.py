"""The words of an export, from the same sentences that the page shows and in the reader's language."""

import re

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.dated import Dated
from costmodel.exports.words import Labels, Words
from costmodel.language import number_text, say
from costmodel.scenario import INPUTS
from costmodel.ui.figures import figures_of
from costmodel.ui.text import (
    APP_NAME,
    Money,
    basis_word,
    export_notes,
    number,
    scenario_in_words,
    second_look,
    tokens_word,
    verdict,
)
from costmodel.ui.text_beyond import decided_by
from costmodel.ui.text_lines import line_name
from costmodel.words import percent_text

_TOLD_ELSEWHERE = ("title", "view", "lang", "pin", "api", "cur", "fx", "vat", "profile", "loads", "range", "seed")
"""Inputs that are no assumption, that stand elsewhere on the page, or that only a program can read."""
_DIGITS = 12


def words_of(catalog: Catalog, comparison: Comparison) -> Words:
    """Everything an export of this comparison says."""
    scenario, money = comparison.scenario, Money(comparison)
    decided, more = decided_by(comparison), second_look(comparison)
    headline, *rest = [unmarked(each) for each in (decided, verdict(comparison), more) if each]
    return Words(
        title=scenario.title or f"{APP_NAME} {catalog.models[scenario.model].name}",
        scenario=scenario_in_words(comparison),
        verdict=headline,
        second_look=" ".join(rest) or None,
        figures=figures_of(comparison),
        assumptions=_assumptions(catalog, comparison),
        notes=tuple(export_notes(comparison)),
        good_to_know=comparison.notes,
        per=tokens_word(scenario),
        currency=scenario.currency,
        amount=money,
        exact=money.exact,
        line_name=line_name,
        line=lambda line: money.of_line(line).exact(line.usd),
        source=_source,
        labels=_labels(),
    )


def unmarked(markdown: str) -> str:
    """Words of the page without their markup.

    >>> unmarked("**The API is cheaper**; self\\\\-hosting wins above 76.4 %.")
    'The API is cheaper; self-hosting wins above 76.4 %.'
    """
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown.replace("**", "")).replace("\u2060", "")


def _labels() -> Labels:
    return Labels(
        own=say("Own GPUs"),
        reader=say("this scenario"),
        break_even=say("Break-even"),
        chart=say("Cost per {per} over utilization"),
        utilization_axis=say("Utilization, % of capacity"),
        assumptions=say("Assumptions"),
        compared=say("Prices and bills"),
        price=say("per {per}"),
        month=say("a month"),
        own_bill=say("Own GPUs, a month"),
        api_bill=say("{name}, a month"),
        total=say("Total"),
        good_to_know=say("Good to know"),
        sources=say("Sources"),
        link=say("Open this scenario"),
        not_reachable=say("not reachable"),
        api_is_free=say("none: the API is free"),
        unknown=say("no price known"),
        more=say("and {count} more, in the spreadsheet and the data"),
        unprintable=say("This file has no font for some characters of the text, shown as {mark}: {characters}."),
    )


def _source(entry: Dated) -> str:
    """A source in plain words, its address written out."""
    place = entry.source
    source = place.document or place.url or ""
    if place.via:
        source = say("{source}, via {place}", source=source, place=place.via)
    return say(
        "{source}, read {day} ({basis}; in force since {since})",
        source=source,
        day=place.seen.isoformat(),
        basis=basis_word(entry.basis),
        since=entry.since.isoformat(),
    )


def _assumptions(catalog: Catalog, comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """What the deployment delivers and costs, and every input that is not neutral, by its name."""
    own, money, scenario = comparison.self_host, Money(comparison), comparison.scenario
    limits = {
        "decode": say("limited by generating output"),
        "prefill": say("limited by reading prompts"),
        "shared": say("limited by prompts and output together"),
    }
    derived = [
        (say("Output when full"), f"{number(own.capacity_output_tok_s, 0)} tok/s, {limits[own.binding]}"),
        (say("Cost of an hour"), money.exact(own.usd_per_hour)),
    ]
    for api in comparison.apis:
        if api.peak_share is not None and api.quote is not None and api.quote.choice.window is None:
            derived.append((say("Peak share at {name}", name=api.name), percent_text(api.peak_share)))
    inputs = [
        (say(asked.label), _value_text(catalog, comparison, key))
        for key, asked in INPUTS.items()
        if key not in _TOLD_ELSEWHERE and getattr(scenario, asked.name) != asked.default
    ]
    return (*derived, *inputs)


def _value_text(catalog: Catalog, comparison: Comparison, key: str) -> str:
    asked = INPUTS[key]
    value = getattr(comparison.scenario, asked.name)
    if key == "model":
        return catalog.models[value].name
    if key in ("gpu", "prefill_gpu"):
        return catalog.rentals[value].name
    if isinstance(value, int | float):
        return f"{number_text(f'{value:,.{_DIGITS}g}')} {say(asked.unit) if asked.unit else ''}".strip()
    return str(value)
