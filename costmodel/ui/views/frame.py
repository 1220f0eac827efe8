"""What every view's chart comes with: the picture for a slide, the data as CSV, and what must stand beside both."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from costmodel.compare import Comparison
from costmodel.exports.data import BYTE_ORDER_MARK, inert
from costmodel.language import in_this_language, say, speaking
from costmodel.link import link
from costmodel.ui.ahead import keep_figure, slider_of
from costmodel.ui.live_chart import Follow, live_chart
from costmodel.ui.share import png_button
from costmodel.ui.text import export_notes, scenario_in_words, shown


def chart(
    comparison: Comparison,
    figure: dict[str, Any],
    *,
    view: str,
    title: str,
    alt: str,
    table: Callable[[], Sequence[Sequence[Any]]],
    follow: Follow | None = None,
) -> None:
    """A chart with its two exports: the picture for a slide, the data as CSV."""
    key, address = chart_key(view), page_address()
    slider = slider_of(comparison.scenario)
    live_chart(figure, key=key, alt=alt, height=figure["layout"]["height"], follow=follow, slider=slider)
    keep_figure(comparison.scenario, figure)
    shown_title = comparison.scenario.title or title
    with st.container(horizontal=True, vertical_alignment="center"):
        png_button(
            chart_key=key,
            title=shown_title,
            subtitle=f"{title}. {scenario_in_words(comparison)}"
            if comparison.scenario.title
            else scenario_in_words(comparison),
            notes=export_notes(comparison),
            link=link(comparison.scenario),
            file_name=f"{file_stem(comparison, view)}.png",
            key=f"png_{view}",
        )
        st.download_button(
            say("Download CSV"),
            data=in_this_language(lambda: BYTE_ORDER_MARK + csv_text(comparison, _as_data(table), address=address)),
            file_name=f"{file_stem(comparison, view)}.csv",
            mime="text/csv",
            key=f"csv_{view}",
            on_click="ignore",
        )


def chart_key(view: str) -> str:
    """The key of the chart of a view."""
    return f"chart_{view}"


def write(*parts: str | None) -> None:
    """Paragraphs, lists, tables and headings in markdown, in one piece: a browser draws one faster than many."""
    st.markdown(shown("\n\n".join(filter(None, parts))))


def _as_data(table: Callable[[], Sequence[Sequence[Any]]]) -> Sequence[Sequence[Any]]:
    """Tables are for programs, too: the same in every language."""
    with speaking("en"):
        return table()


def page_address() -> str:
    """Where this page is, for links that are to work elsewhere; empty where that is not known."""
    url = st.context.url
    return f"{url.partition('?')[0].rstrip('/')}/" if url else ""


def file_stem(comparison: Comparison, view: str) -> str:
    """A file name that says which scenario and view it holds.

    Only letters, digits and hyphens, whatever the title holds.
    """
    words = comparison.scenario.title or f"{comparison.scenario.model} {comparison.scenario.gpu}"
    stem = re.sub(r"[\W_]+", "-", words.lower()).strip("-")[:60].strip("-") or "scenario"
    return f"{stem}-{view.replace('_', '-')}-{comparison.scenario.price_date.isoformat()}"


def csv_text(comparison: Comparison, table: Sequence[Sequence[Any]], *, address: str = "") -> str:
    """A table as CSV with, below it, what must stand beside the figures and the link at this address.

    No cell can be read as a formula.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    for row in table:
        writer.writerow([inert(cell) for cell in row])
    writer.writerow([])
    scenario = comparison.scenario
    notes = [scenario.title, scenario_in_words(comparison), *export_notes(comparison), *comparison.notes]
    for note in [*filter(None, notes), f"{address}{link(scenario)}"]:
        writer.writerow([inert(note)])
    return out.getvalue()
