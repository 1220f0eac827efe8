"""Pinned scenarios beside the open one: curves on one chart, bills, verdicts, and the inputs that differ."""

from zlib import crc32

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.compared import compared, moved, opened_pin, renamed, without
from costmodel.language import say
from costmodel.link import pinned
from costmodel.pins import LONGEST_PIN_NAME, MOST_PINS
from costmodel.scenario import Scenario
from costmodel.ui.charts_compare import compare_chart, compared_rows
from costmodel.ui.pinning import pin_button
from costmodel.ui.state import go_on_from
from costmodel.ui.text import Money, plain, shown
from costmodel.ui.text_compare import converted_words, differing_table, figures_table, reasons, side_name
from costmodel.ui.views.frame import chart

_NAME_WIDTH = 320
"""Pixels: on a phone a row of its own, with the buttons below."""


def show_compare(catalog: Catalog, comparison: Comparison) -> None:
    scenario = comparison.scenario
    if scenario.pins:
        _side_by_side(catalog, comparison)
    else:
        st.info(
            say(
                "No scenario is pinned yet. Pin this one, change an input, and see both side by side; up to {most} "
                "pinned scenarios travel in the link.",
                most=MOST_PINS,
            )
        )
    st.subheader(say("Pinned scenarios"))
    for position, text in enumerate(scenario.pins):
        _pin(catalog, scenario, text, position)
    pin_button(catalog, scenario, label=say("Pin this scenario"), key="pin_here")


def _side_by_side(catalog: Catalog, comparison: Comparison) -> None:
    found = compared(catalog, comparison)
    chart(
        comparison,
        compare_chart(found, comparison),
        view="compare",
        title=say("Pinned scenarios side by side"),
        alt=say(
            "Curves of self-hosting cost over utilization: {scenarios}.",
            scenarios="; ".join(f"{side_name(side)} {_cost(side.comparison)}" for side in found.sides),
        ),
        table=lambda: compared_rows(found, comparison),
    )
    st.markdown(
        shown(
            say(
                "**How to read it.** Each curve is one scenario, the open one drawn stronger. Its dot is where that "
                "scenario stands, its ring where the cheapest of its APIs costs the same. Grey lines are those API "
                "prices."
            )
        )
    )
    converted = converted_words(found, comparison.scenario)
    if converted:
        st.caption(shown(converted))
    heading = say("Side by side")
    st.subheader(heading)
    st.table(figures_table(found, comparison.scenario), hide_index=True, alt=heading)
    for reason in reasons(found):
        st.markdown(shown(reason))
    heading = say("What differs")
    st.subheader(heading)
    if found.differing:
        st.table(differing_table(catalog, found), hide_index=True, alt=heading)
    else:
        st.markdown(say("Every input is the same."))


def _cost(comparison: Comparison | None) -> str:
    if comparison is None:
        return say("no answer")
    usd = comparison.self_host.usd_per_mtok
    return say("nothing is served") if usd is None else Money(comparison)(usd)


def _pin(catalog: Catalog, scenario: Scenario, text: str, position: int) -> None:
    """One pinned scenario: rename, move, open, remove. Keys are of the pin, so that a moved one keeps its own field."""
    name, key, last = pinned(catalog, text).name, f"{crc32(text.encode()):08x}", len(scenario.pins) - 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            say("Name {number}", number=position + 1),
            value=name,
            max_chars=LONGEST_PIN_NAME,
            key=f"pin_name_{key}",
            width=_NAME_WIDTH,
        ).strip()
        changed = {
            say("Move up"): (moved(scenario, text, by=-1), position == 0),
            say("Move down"): (moved(scenario, text, by=1), position == last),
            say("Open"): (opened_pin(catalog, scenario, text), False),
            say("Remove"): (without(scenario, text), False),
        }
        for number, (label, (found, is_disabled)) in enumerate(changed.items()):
            help_text = shown(plain(f"{label}: {name}"))
            if st.button(label, key=f"pin_{number}_{key}", disabled=is_disabled, help=help_text):
                go_on_from(found)
    if typed and typed != name:
        go_on_from(renamed(catalog, scenario, text, name=typed))
