"""Both monthly bills, line by line, every price with its source and date."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison
from costmodel.language import say
from costmodel.ledger import CostLine, comparable_usd
from costmodel.ui.charts import Figure, priced
from costmodel.ui.charts_bars import bills_chart
from costmodel.ui.text import Money, as_typed, left_out, plain, quantity, shown, source_link
from costmodel.ui.text_lines import line_name, line_unit
from costmodel.ui.views.frame import chart
from costmodel.words import percent_text


def show_bills(catalog: Catalog, comparison: Comparison) -> None:
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    chart(
        comparison,
        bills_chart(comparison),
        view="bills",
        title=say("The monthly bill for the same tokens"),
        alt=say(
            "Bars of monthly bills: own GPUs {amount}; {apis}",
            amount=money(own.usd_per_month),
            apis="; ".join(f"{api.name} {money(api.usd_per_month or 0)}" for api in priced(comparison)),
        ),
        table=lambda: _bills_table(comparison),
    )
    millions, hours = quantity(own.output_mtok_per_month), as_typed(scenario.hours_per_month)
    if scenario.input_per_output:
        reading = say(
            "**How to read it.** Each bar is a month's bill for the same {millions} million output tokens and their "
            "input, over {hours} hours. Below, every bill line by line; each total is the sum of its lines.",
            millions=millions,
            hours=hours,
        )
    else:
        reading = say(
            "**How to read it.** Each bar is a month's bill for the same {millions} million output tokens, over "
            "{hours} hours. Below, every bill line by line; each total is the sum of its lines.",
            millions=millions,
            hours=hours,
        )
    bills = [_bill_markdown(say("Own GPUs"), own.lines, money), *(_api_bill(api, money) for api in comparison.apis)]
    st.markdown(shown("\n\n".join([reading, *bills])))
    st.caption(shown(left_out(scenario)))


def bills_figure(_: Catalog, comparison: Comparison) -> Figure:
    """The chart at one utilization."""
    return bills_chart(comparison)


def _api_bill(api: ApiAnswer, money: Money) -> str:
    if api.usd_per_month is None:
        return f"### {plain(api.name)}\n\n" + say("No bill: {reason}.", reason=plain(api.break_even.reason or ""))
    return _bill_markdown(plain(api.name), api.lines, money)


def _bill_markdown(name: str, lines: Sequence[CostLine], money: Money) -> str:
    """A bill as a table narrow enough for a phone, and below it where each price comes from."""
    rows = [f"### {name}", "", say("| Line | Quantity and price | Amount |"), "|---|---|--:|"]
    lines_of: dict[str, list[str]] = {}
    for line in lines:
        item = plain(line_name(line))
        if line.unit.startswith("USD"):
            priced = say(
                "{share} of {amount}, the lines above",
                share=percent_text(line.usd_per_unit),
                amount=money.exact(line.quantity),
            )
        else:
            priced = f"{quantity(line.quantity)} {line_unit(line)} × {money.of_line(line).price(line.usd_per_unit)}"
        rows.append(f"| {item} | {priced} | {money.of_line(line).exact(line.usd)} |")
        source = "; ".join(source_link(each) for each in line.sources) or say("typed in by you")
        lines_of.setdefault(source, []).append(item)
    total = comparable_usd(lines, vat_share=money.vat_share)
    rows.append(say("| **Total a month** | | **{amount}** |", amount=money.exact(total)))
    sources = [f"- {'; '.join(items)}: {source}" for source, items in lines_of.items()]
    return "\n".join([*rows, "", say("Prices from:"), "", *sources])


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
