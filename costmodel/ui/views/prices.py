"""Every figure in use and the whole catalogue: value, basis, source, age, history; and what today's prices change."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.in_use import Kind, days_since, figures_in_use, stale_limit_days, state_at, state_of
from costmodel.language import say, say_count
from costmodel.pricefiles.price_history import KINDS, Row, records, rows, series_in_use, series_of
from costmodel.prices_answer import since_then
from costmodel.scenario import Scenario
from costmodel.ui.charts_prices import history_chart, history_table
from costmodel.ui.text import Money, basis_word, shown
from costmodel.ui.text_prices import (
    changes_table,
    heading,
    in_use_table,
    kind_words,
    stale_words,
    state_words,
    values_words,
)
from costmodel.ui.views.frame import chart, write

IN_USE = "in_use"
WITH_HISTORY: tuple[Kind, ...] = ("rental", "api", "model", "gpu", "assumption", "currency")
"""Benchmarks are measured once; all else can change."""


def show_prices(catalog: Catalog, comparison: Comparison) -> None:
    """What the answer rests on. `show_catalogue` draws what stands below."""
    today = date.today()
    how_to_read = _history(catalog, comparison, today)
    write(how_to_read, *_since_then(catalog, comparison, today), *_figures(catalog, comparison, today))


def _history(catalog: Catalog, comparison: Comparison, today: date) -> str | None:
    """The chart, and in words how to read it where there is one."""
    known = {f"{kind}:{key}": record for kind in WITH_HISTORY for key, record in records(catalog, kind).items()}
    chosen: str = st.selectbox(
        say("History of"),
        [IN_USE, *known],
        key="prices_record",
        # Names that are the same in every language: by them a browser knows what is chosen.
        format_func=lambda text: (
            f"{known[text].name} · {known[text].id}" if text in known else say("the prices in use")
        ),
    )
    record = known.get(chosen)
    series = series_of(record) if record else series_in_use(catalog, comparison)
    if not series:
        nothing = say("Every price here was typed by you, so the catalogue has no history of it.")
        st.info(say("Of this record there is no figure to draw.") if record else nothing)
        return None
    chart(
        comparison,
        history_chart(series, Money(comparison), price_date=comparison.scenario.price_date, today=today),
        view="prices",
        title=say("History of {name}", name=record.name if record else say("the prices in use")),
        alt=say_count("Steps of {count} price over time.", "Steps of {count} prices over time.", len(series)),
        table=lambda: history_table(series),
    )
    return say(
        "**How to read it.** Each line is one price, level until an entry of the catalogue replaces it (dot). "
        "The orange upright line is this link's price date, the grey one today. Of an API in use the output "
        "price is drawn; choose a record above to see all its figures."
    )


def _since_then(catalog: Catalog, comparison: Comparison, today: date) -> tuple[str, ...]:
    """What has changed, price by price. Today's verdict and the button that takes it stand above every view."""
    day = comparison.scenario.price_date
    if day == today:
        return ()
    since = since_then(catalog, comparison, today=today)
    if since is None:
        found = say("Today's prices give no answer for this scenario.")
    elif since.changes:
        found = changes_table(since)
    else:
        found = say("No price in use has changed: today's prices would say the same.")
    return f"### {say('Since {day}', day=day.isoformat())}", found


def _figures(catalog: Catalog, comparison: Comparison, today: date) -> tuple[str | None, ...]:
    figures = figures_in_use(catalog, comparison, today=today)
    limit = stale_limit_days(catalog, today=today)
    states = tuple(state_of(figure, today=today, limit_days=limit) for figure in figures)
    table = in_use_table(figures, states, today=today)
    return f"### {say('Figures in use')}", stale_words(states, limit_days=limit), table


def show_catalogue(catalog: Catalog, scenario: Scenario) -> None:
    """All that the price files hold, whether or not there is an answer."""
    today = date.today()
    st.subheader(say("The whole catalogue"))
    st.caption(
        shown(
            say(
                "As published: US dollars before tax, in force on {day}. Click a heading to sort.",
                day=scenario.price_date.isoformat(),
            )
        )
    )
    wanted = st.text_input(say("Find"), key="prices_find", placeholder=say("a name, an id or a source"))
    limit = stale_limit_days(catalog, today=today)
    for kind in KINDS:
        part = st.expander(kind_words(kind), key=f"prices_{kind}", on_change="rerun")
        if part.open:
            with part:
                of_kind = rows(catalog, kind, on=scenario.price_date, today=today)
                _table(of_kind, wanted, today=today, limit_days=limit)


def _table(of_kind: Sequence[Row], wanted: str, *, today: date, limit_days: float) -> None:
    found = [row for row in of_kind if _is_wanted(row, wanted)]
    st.caption(say_count("{count} of {all} record", "{count} of {all} records", len(found), all=len(of_kind)))
    if found:
        st.dataframe(
            _columns(found, today=today, limit_days=limit_days),
            hide_index=True,
            placeholder="",
            column_config={
                _name(): st.column_config.TextColumn(pinned=True, width="medium"),
                _source(): st.column_config.LinkColumn(display_text=r"https?://(?:www\.)?([^/]+)"),
            },
        )


def _is_wanted(row: Row, wanted: str) -> bool:
    place = row.entry.source
    text = " ".join(filter(None, (row.record.name, row.record.id, place.url, place.document, place.via))).lower()
    return all(word in text for word in wanted.lower().split())


def _name() -> str:
    return say("Name")


def _source() -> str:
    return say("Source")


def _columns(found: Sequence[Row], *, today: date, limit_days: float) -> dict[str, list[Any]]:
    """The table by columns: figures as numbers, so that they can be sorted; units in the headings."""
    parts = list(dict.fromkeys((part.what, part.slot, part.unit) for row in found for part in row.parts))
    columns: dict[str, list[Any]] = {_name(): [row.record.name for row in found]}
    has_one_unit = len({row.record.unit for row in found}) == 1
    for what, slot, unit in parts if has_one_unit else ():
        columns[heading(what, slot, unit)] = [
            next((part.value for part in row.parts if (part.what, part.slot) == (what, slot)), None) for row in found
        ]
    if not has_one_unit:
        columns[say("Value")] = [values_words(row) for row in found]
    return columns | {
        say("State"): [_state(row, today=today, limit_days=limit_days) for row in found],
        say("Age, days"): [days_since(row.confirmed, today) for row in found],
        say("Basis"): [basis_word(row.entry.basis) for row in found],
        say("In force since"): [row.entry.since for row in found],
        say("Read on"): [row.entry.source.seen for row in found],
        say("Entries"): [len(row.record.histories[0]) for row in found],
        _source(): [row.entry.source.url for row in found],
        say("Document"): [row.entry.source.document or row.entry.source.via for row in found],
        say("Id"): [row.record.id for row in found],
        say("Note"): [row.entry.note for row in found],
    }


def _state(row: Row, *, today: date, limit_days: float) -> str:
    age, is_replaced = days_since(row.confirmed, today), row.replaced is not None
    return state_words(row, state_at(row.record.kind, age_days=age, is_replaced=is_replaced, limit_days=limit_days))
