"""What a GPU-hour of this deployment earns at each API price, against its rent."""

from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.dated import NotInForceError, in_force
from costmodel.language import say
from costmodel.ui.charts import Figure
from costmodel.ui.charts_bars import earnings, gpu_hour_chart
from costmodel.ui.text import Money, as_typed, left_out, shown
from costmodel.ui.views.frame import chart, write


def show_gpu_hour(catalog: Catalog, comparison: Comparison) -> None:
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    claim = _vendor_claim(catalog, comparison)
    chart(
        comparison,
        gpu_hour_figure(catalog, comparison),
        view="gpu_hour",
        title=say("What a GPU-hour earns at API prices, against its rent"),
        alt=say(
            "Bars of what one GPU-hour of this deployment earns at each API's price: {apis}",
            apis="; ".join(
                say("{api} {amount} fully used", api=api.name, amount=money(full))
                for api, full, _ in earnings(comparison)
            ),
        ),
        table=lambda: _earnings_table(comparison),
    )
    write(
        say(
            "**How to read it.** If this deployment's output were sold at an API's price, each of its {gpus} GPUs "
            "would earn the blue bar per hour when fully used and the orange bar at {percent} %. The grey band is "
            "what they cost to rent, {rent} on average: a bar beyond it pays for its rent.",
            gpus=own.gpus,
            percent=as_typed(scenario.utilization_percent),
            rent=money(own.usd_per_hour / own.gpus),
        ),
        claim
        and say(
            "The grey bar, {amount}, is what DeepSeek reports to earn per GPU-hour at off-peak prices. It is "
            "the vendor's own figure, unaudited, and gross revenue: it counts input tokens too, and pools the "
            "demand of all its users.",
            amount=money(claim[1]),
        ),
    )
    st.caption(shown(left_out(scenario)))


def gpu_hour_figure(catalog: Catalog, comparison: Comparison) -> Figure:
    """The chart at one utilization."""
    return gpu_hour_chart(comparison, vendor_claim=_vendor_claim(catalog, comparison))


def _vendor_claim(catalog: Catalog, comparison: Comparison) -> tuple[str, float] | None:
    """DeepSeek's own figure, beside deployments of the model it speaks of."""
    claim = catalog.assumptions.get("deepseek_revenue_usd_per_gpu_hour")
    if claim is None or comparison.scenario.model != "deepseek-v4.1-flash":
        return None
    try:
        return say("DeepSeek's own claim"), in_force(claim.history, on=comparison.scenario.price_date, what="").value
    except NotInForceError:
        return None


def _earnings_table(comparison: Comparison) -> list[list[Any]]:
    money, currency = Money(comparison), comparison.scenario.currency
    own = comparison.self_host
    head: list[Any] = ["api", f"earned_{currency}_per_gpu_hour_full", f"earned_{currency}_per_gpu_hour_at_utilization"]
    rows = [[api.id, money.amount(full), money.amount(at)] for api, full, at in earnings(comparison)]
    return [head, *rows, ["rent, mean of all GPUs", money.amount(own.usd_per_hour / own.gpus), ""]]
