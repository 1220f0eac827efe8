"""Both monthly bills, line by line, every price with its source and date."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.ledger import CostLine, comparable_usd
from costmodel.ui import charts
from costmodel.ui.text import Money, left_out, plain, quantity, shown, source_link
from costmodel.ui.views.frame import chart
from costmodel.words import percent_text


def show_bills(catalog: Catalog, comparison: Comparison) -> None:
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    chart(
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
            f"**How to read it.** Each bar is a month's bill for the same {quantity(own.output_mtok_per_month)} "
            f"million output tokens{' and their input' if scenario.input_per_output else ''}, over "
            f"{scenario.hours_per_month:g} hours. Below, every bill line by line; each total is the sum of its lines."
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
    st.caption(shown(left_out(scenario)))


def _bill_markdown(lines: Sequence[CostLine], money: Money) -> str:
    """The lines as a table narrow enough for a phone, and below it where each price comes from."""
    rows = ["| Line | Quantity and price | Amount |", "|---|---|--:|"]
    lines_of: dict[str, list[str]] = {}
    for line in lines:
        if line.unit.startswith("USD"):
            priced = f"{percent_text(line.usd_per_unit)} of {money.exact(line.quantity)}, the lines above"
        else:
            priced = f"{quantity(line.quantity)} {line.unit} × {money.of_line(line).price(line.usd_per_unit)}"
        rows.append(f"| {plain(line.name)} | {priced} | {money.of_line(line).exact(line.usd)} |")
        source = "; ".join(source_link(each) for each in line.sources) or "typed in by you"
        lines_of.setdefault(source, []).append(plain(line.name))
    total = comparable_usd(lines, vat_share=money.vat_share)
    rows.append(f"| **Total a month** | | **{money.exact(total)}** |")
    sources = [f"- {'; '.join(names)}: {source}" for source, names in lines_of.items()]
    return "\n".join([*rows, "", "Prices from:", "", *sources])


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
                [
                    name,
                    line.name,
                    line.quantity,
                    line.unit,
                    line.usd_per_unit,
                    line.usd,
                    money.of_line(line).amount(line.usd),
                    source,
                ]
            )
    return rows
