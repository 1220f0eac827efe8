"""Memory against price of every node, as a plain plotly dict."""

from math import log10
from typing import Any

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.hardware import HardwareReport, Node, State
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout, money_ticks, text_label
from costmodel.ui.text import Money, chart_text, number

_STATE_MARKS: dict[State, dict[str, Any]] = {
    "fits": {"color": OWN, "size": 8, "opacity": 0.85},
    "tight": {"color": READER, "size": 8, "opacity": 0.85},
    "no": {"color": MUTED, "size": 7, "opacity": 0.5},
    "no_engine": {"color": MUTED, "size": 7, "opacity": 0.7, "symbol": "x-thin-open"},
    "unknown": {"color": MUTED, "size": 8, "opacity": 0.7},
}


def state_names() -> dict[State, str]:
    """Whether a node can run the model, in words."""
    return {
        "fits": say("fits"),
        "tight": say("tight"),
        "no": say("does not fit"),
        "no_engine": say("no engine known on this GPU"),
        "unknown": say("need not known"),
    }


def hardware_chart(report: HardwareReport, comparison: Comparison) -> Figure:
    """Monthly rent over GPU memory of every node that cannot be taken away, with the floor of the model."""
    money = Money(comparison)
    nodes = [node for node in report.nodes if not node.can_be_taken_away]
    traces = [
        _node_marks([node for node in nodes if node.state == state], state, name, money)
        for state, name in state_names().items()
        if any(node.state == state for node in nodes)
    ]
    with_recipe = [node for node in nodes if node.recipes and node.fit != "fits"]
    if with_recipe:
        traces.append(_recipe_rings(with_recipe, money))
    low, high = min(node.memory_gb for node in nodes), max(node.memory_gb for node in nodes)
    amounts = [money.amount(node.usd_per_month) for node in nodes]
    bottom, top = min(amounts) / 1.5, max(amounts) * 1.6
    labels = []
    if report.cheapest is not None:
        best = report.cheapest
        name = say(
            "cheapest that works: {node}, {amount}",
            node=f"{best.gpus} × {best.offer.name}",
            amount=money(best.usd_per_month),
        )
        labels.append(
            text_label(
                log10(best.memory_gb), log10(money.amount(best.usd_per_month)), name, OWN, yanchor="top", yshift=-10
            )
        )
    shapes = []
    if report.floor_gb is not None:
        shapes.append(
            {
                "type": "line",
                "xref": "x",
                "yref": "paper",
                "x0": report.floor_gb,
                "x1": report.floor_gb,
                "y0": 0,
                "y1": 1,
                "line": {"color": MUTED, "width": 1.5, "dash": "dash"},
            }
        )
        floor = say("floor {gigabytes} GB", gigabytes=number(report.floor_gb, 0))
        labels.append(text_label(log10(report.floor_gb), 0.94, floor, MUTED, yref="paper", xanchor="right", xshift=-4))
    ticks = [each for each in (50, 100, 200, 500, 1_000, 3_000) if low / 1.3 <= each <= high * 1.3]
    return {
        "data": traces,
        "layout": layout(
            margin={"l": 8, "r": 12, "t": 28, "b": 8},
            xaxis=axis(
                say("GPU memory of the node, GB"),
                type="log",
                range=[log10(low / 1.3), log10(high * 1.3)],
                tickvals=ticks,
                ticktext=[number(each, 0) for each in ticks],
            ),
            yaxis=axis(
                say("{currency} a month", currency=money.name),
                type="log",
                range=[log10(bottom), log10(top)],
                **money_ticks(bottom, top, money),
            ),
            shapes=shapes,
            annotations=labels,
            showlegend=True,
            legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
            height=450,
        ),
    }


def _node_marks(nodes: list[Node], state: State, name: str, money: Money) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [node.memory_gb for node in nodes],
        "y": [money.amount(node.usd_per_month) for node in nodes],
        "text": [chart_text(f"{node.gpus} × {node.offer.name}") for node in nodes],
        "marker": _STATE_MARKS[state],
        "hovertemplate": hover(
            say(
                "{node}: {gigabytes} GB, {amount} a month, {state}",
                node="%{text}",
                gigabytes="%{x:,.0f}",
                amount=money.marked("%{y:,.0f}"),
                state=name,
            )
        ),
    }


def _recipe_rings(nodes: list[Node], money: Money) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": say("a public recipe runs it there"),
        "x": [node.memory_gb for node in nodes],
        "y": [money.amount(node.usd_per_month) for node in nodes],
        "text": [chart_text(f"{node.gpus} × {node.offer.name}: {node.recipes[0].name}") for node in nodes],
        "marker": {"color": "rgba(0,0,0,0)", "size": 14, "line": {"color": READER, "width": 2}},
        "hovertemplate": "%{text}<extra></extra>",
    }


def hardware_table(report: HardwareReport, comparison: Comparison) -> list[list[Any]]:
    """Every node, spot included, cheapest first."""
    money, currency = Money(comparison), comparison.scenario.currency
    head: list[Any] = [
        "rental",
        "provider",
        "sku",
        "gpus",
        "commitment",
        "region",
        "memory_gb",
        "floor_gb",
        "fit",
        "kv_tokens",
        "engines",
        "public_recipes",
        f"{currency}_per_month",
        "source",
    ]
    rows = [
        [
            node.offer.id,
            node.offer.provider_name,
            node.offer.entry.name,
            node.gpus,
            node.offer.entry.commitment,
            node.offer.entry.region or "",
            node.memory_gb,
            "" if node.floor_gb is None else node.floor_gb,
            node.fit,
            "" if node.kv_tokens is None else node.kv_tokens,
            "; ".join(node.engines),
            "; ".join(recipe.name for recipe in node.recipes),
            money.amount(node.usd_per_month),
            node.rent.source.label,
        ]
        for node in report.nodes
    ]
    return [head, *rows]
