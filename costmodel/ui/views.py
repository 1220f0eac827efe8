"""The open view: one chart, how to read it, what it assumes, its exports."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.dated import NotInForceError, in_force
from costmodel.ledger import CostLine
from costmodel.link import link
from costmodel.ui import charts, method
from costmodel.ui.share import png_button
from costmodel.ui.text import (
    Money,
    export_notes,
    left_out,
    number,
    plain,
    scenario_in_words,
    shown,
    source_link,
    tokens_word,
)
from costmodel.words import percent_text

NAMES = {"cost": "Cost per token", "bills": "Bills", "gpu_hour": "What a GPU-hour earns", "method": "Method"}
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "responsive": True}


def show_view(catalog: Catalog, comparison: Comparison) -> None:
    """Compute and draw the open view, and no other."""
    view: Callable[[Catalog, Comparison], None] = {
        "cost": _cost,
        "bills": _bills,
        "gpu_hour": _gpu_hour,
        "method": method.show_method,
    }[comparison.scenario.view]
    view(catalog, comparison)


def _chart(
    comparison: Comparison,
    figure: dict[str, Any],
    *,
    view: str,
    title: str,
    alt: str,
    table: Callable[[], Sequence[Sequence[Any]]],
) -> None:
    """A chart with its two exports: the picture for a slide, the data as CSV."""
    key = f"chart_{view}"
    with st.container(key=f"{key}_box"):
        st.plotly_chart(figure, key=key, config=_CONFIG, alt=alt)
    shown_title = comparison.scenario.title or title
    with st.container(horizontal=True, vertical_alignment="center"):
        png_button(
            chart_key=f"{key}_box",
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
            "Download CSV",
            data=lambda: csv_text(comparison, table()),
            file_name=f"{file_stem(comparison, view)}.csv",
            mime="text/csv",
            key=f"csv_{view}",
            on_click="ignore",
        )


def file_stem(comparison: Comparison, view: str) -> str:
    """A file name that says which scenario and view it holds.

    Only letters, digits and hyphens, whatever the title holds.
    """
    words = comparison.scenario.title or f"{comparison.scenario.model} {comparison.scenario.gpu}"
    stem = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:60] or "scenario"
    return f"{stem}-{view.replace('_', '-')}-{comparison.scenario.price_date.isoformat()}"


def csv_text(comparison: Comparison, table: Sequence[Sequence[Any]]) -> str:
    """A table as CSV with, below it, what must stand beside the figures. No cell can be read as a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in table:
        writer.writerow([_inert(cell) for cell in row])
    writer.writerow([])
    notes = [scenario_in_words(comparison), *export_notes(comparison), *comparison.notes, link(comparison.scenario)]
    for note in notes:
        writer.writerow([_inert(note)])
    return out.getvalue()


def _inert(cell: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell


def _cost(catalog: Catalog, comparison: Comparison) -> None:
    money, own = Money(comparison), comparison.self_host
    per = tokens_word(comparison.scenario)
    _chart(
        comparison,
        charts.cost_chart(comparison),
        view="cost",
        title=f"Cost per {per} over GPU utilization",
        alt=_cost_alt(comparison),
        table=lambda: charts.cost_table(comparison),
    )
    st.markdown(
        shown(
            f"**How to read it.** The blue curve is what {per} cost on your own GPUs: the rent is the same however "
            "busy they are, so the emptier they run, the dearer each token. The dashed lines are API prices. Where the "
            "curve dips below a line (ring), self-hosting is the cheaper of the two from there on to the right."
        )
    )
    for api in comparison.apis:
        if not api.break_even.reachable and api.break_even.reason:
            st.markdown(shown(f"- {plain(api.name)}: no break-even, because {plain(api.break_even.reason)}."))
    binding = {
        "decode": "generating output",
        "prefill": "reading prompts (prefill)",
        "shared": "prompts and output on the same GPUs",
    }[own.binding]
    st.caption(
        shown(
            f"Assumes {number(own.capacity_output_tok_s, 0)} output tok/s when full, limited by {binding}, and "
            f"{money.exact(own.usd_per_hour)} an hour for {own.gpus} GPUs. {left_out()}"
        )
    )


def _cost_alt(comparison: Comparison) -> str:
    money = Money(comparison)
    points = [
        f"{api.name} at {money(api.usd_per_mtok or 0)}, break-even "
        + (percent_text(api.break_even.utilization or 0) if api.break_even.reachable else "not reachable")
        for api in charts.priced(comparison)
    ]
    return f"Curve of self-hosting cost over utilization, falling. API price lines: {'; '.join(points) or 'none'}."


def _bills(catalog: Catalog, comparison: Comparison) -> None:
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    _chart(
        comparison,
        charts.bills_chart(comparison),
        view="bills",
        title="The monthly bill for the same tokens",
        alt=f"Bars of monthly bills: own GPUs {money(own.usd_per_month)}; "
        + "; ".join(f"{api.name} {money(api.usd_per_month or 0)}" for api in charts.priced(comparison)),
        table=lambda: _bills_table(comparison),
    )
    st.markdown(
        shown(
            f"**How to read it.** Each bar is a month's bill for the same {number(own.output_mtok_per_month, 0)} "
            f"million output tokens and their input, over {scenario.hours_per_month:g} hours. Below, every bill line "
            "by line; each total is the sum of its lines."
        )
    )
    st.subheader(shown("Own GPUs"))
    st.markdown(shown(_bill_markdown(own.lines, money)))
    for api in comparison.apis:
        st.subheader(shown(plain(api.name)))
        if api.usd_per_month is None:
            st.markdown(shown(f"No bill: {plain(api.break_even.reason or '')}."))
        else:
            st.markdown(shown(_bill_markdown(api.lines, money)))
    st.caption(shown(left_out()))


def _bill_markdown(lines: Sequence[CostLine], money: Money) -> str:
    rows = ["| Line | Quantity | Price | Amount | Source |", "|---|--:|--:|--:|---|"]
    for line in lines:
        price = percent_text(line.usd_per_unit) if line.unit.startswith("USD") else money.price(line.usd_per_unit)
        unit = "of the lines above" if line.unit.startswith("USD") else line.unit
        quantity = money.exact(line.quantity) if line.unit.startswith("USD") else number(line.quantity, 1)
        source = "; ".join(source_link(each) for each in line.sources) or "typed in by you"
        rows.append(f"| {plain(line.name)} | {quantity} {unit} | {price} | {money.exact(line.usd)} | {source} |")
    total = sum(line.usd for line in lines)
    rows.append(f"| **Total a month** | | | **{money.exact(total)}** | |")
    return "\n".join(rows)


def _bills_table(comparison: Comparison) -> list[list[Any]]:
    money, currency = Money(comparison), comparison.scenario.currency
    rows: list[list[Any]] = [
        ["bill", "line", "quantity", "unit", "usd_per_unit", "usd", f"amount_{currency}", "source"]
    ]
    bills = [("Own GPUs", comparison.self_host.lines), *((api.name, api.lines) for api in comparison.apis)]
    for name, lines in bills:
        for line in lines:
            source = "; ".join(each.source.label for each in line.sources) or "typed in by the reader"
            rows.append(
                [name, line.name, line.quantity, line.unit, line.usd_per_unit, line.usd, money.amount(line.usd), source]
            )
    return rows


def _gpu_hour(catalog: Catalog, comparison: Comparison) -> None:
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    claim = _vendor_claim(catalog, comparison)
    _chart(
        comparison,
        charts.gpu_hour_chart(comparison, vendor_claim=claim),
        view="gpu_hour",
        title="What a GPU-hour earns at API prices, against its rent",
        alt="Bars of what one GPU-hour of this deployment earns at each API's price: "
        + "; ".join(f"{api.name} {money(full)} fully used" for api, full, _ in charts.earnings(comparison)),
        table=lambda: _earnings_table(comparison),
    )
    st.markdown(
        shown(
            f"**How to read it.** If this deployment's output were sold at an API's price, each of its {own.gpus} "
            "GPUs would earn the blue bar per hour when fully used and the orange bar at "
            f"{scenario.utilization_percent:g} %. The grey band is what they cost to rent, "
            f"{money(own.usd_per_hour / own.gpus)} on average: a bar beyond it pays for its rent."
        )
    )
    if claim:
        st.markdown(
            shown(
                f"The grey bar, {money(claim[1])}, is what DeepSeek reports to earn per GPU-hour at off-peak prices. "
                "It is the vendor's own figure, unaudited, and gross revenue: it counts input tokens too, and pools "
                "the demand of all its users."
            )
        )
    st.caption(shown(left_out()))


def _vendor_claim(catalog: Catalog, comparison: Comparison) -> tuple[str, float] | None:
    """DeepSeek's own figure, beside deployments of the model it speaks of."""
    claim = catalog.assumptions.get("deepseek_revenue_usd_per_gpu_hour")
    if claim is None or comparison.scenario.model != "deepseek-v4.1-flash":
        return None
    try:
        return "DeepSeek's own claim", in_force(claim.history, on=comparison.scenario.price_date, what="").value
    except NotInForceError:
        return None


def _earnings_table(comparison: Comparison) -> list[list[Any]]:
    money, currency = Money(comparison), comparison.scenario.currency
    own = comparison.self_host
    head: list[Any] = ["api", f"earned_{currency}_per_gpu_hour_full", f"earned_{currency}_per_gpu_hour_at_utilization"]
    rows = [[api.id, money.amount(full), money.amount(at)] for api, full, at in charts.earnings(comparison)]
    return [head, *rows, ["rent, mean of all GPUs", money.amount(own.usd_per_hour / own.gpus), ""]]
