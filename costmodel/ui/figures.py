"""The four figures that answer, for the page and for every export."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from costmodel.breakeven import BreakEven
from costmodel.compare import Comparison
from costmodel.exports.words import Figure
from costmodel.language import say
from costmodel.ui.text import Money, number, tax_word, tokens_word
from costmodel.words import percent_text

_HERE = Path(__file__).parent

_figures = st.components.v2.component(
    "self_host_or_api_figures",
    html="<dl></dl>",
    css=(_HERE / "figures.css").read_text(encoding="utf-8"),
    js=(_HERE / "figures.js").read_text(encoding="utf-8"),
)


def show_figures(figures: Sequence[Figure]) -> None:
    """The figures in frames side by side, in one piece: as columns, metrics and captions they are thirteen."""
    _figures(key="figures", data={"figures": [asdict(figure) for figure in figures]})


def figures_of(comparison: Comparison) -> tuple[Figure, ...]:
    """Both costs per token, the break-even, and what a month's bills differ by, in plain text."""
    money, own, api = Money(comparison), comparison.self_host, comparison.cheapest_api
    per, tax = tokens_word(comparison.scenario), tax_word(comparison.scenario)
    unit = say("per {tokens}", tokens=per) + (f", {tax}" if tax else "")
    own_cost = Figure(
        say("Own GPUs"),
        say("none") if own.usd_per_mtok is None else money(own.usd_per_mtok),
        say("{unit}; {cost} when fully used", unit=unit, cost=money(own.usd_per_mtok_at_full)),
    )
    if api is None or api.usd_per_mtok is None or api.usd_per_month is None:
        return (own_cost,)
    label = say("Own GPUs cost more") if api.winner == "api" else say("Own GPUs save")
    return (
        own_cost,
        Figure(say("Cheapest API"), money(api.usd_per_mtok), f"{api.name}, {unit}"),
        Figure(say("Break-even"), *_break_even_words(api.break_even)),
        Figure(
            say("Monthly bills") if api.winner == "tie" else label,
            say("are equal") if api.winner == "tie" else money(abs(api.usd_per_month - own.usd_per_month)),
            say("a month: {own} against {api}", own=money(own.usd_per_month), api=money(api.usd_per_month)),
        ),
    )


def _break_even_words(point: BreakEven) -> tuple[str, str]:
    """The break-even as a figure, and what it is of."""
    if point.utilization is None or point.output_tok_s is None:
        return say("none"), say("the API is free")
    utilization = percent_text(point.utilization)
    if not point.reachable:
        return say("none"), say("not reachable: would be {utilization}", utilization=utilization)
    output = number(point.output_tok_s, 0)
    return utilization, say("utilization, or {output} output tok/s", output=output)
