"""The break-even map as a plain plotly dict: colours, the line where both cost the same, the reader's point."""

from functools import cache
from typing import Any

import numpy as np

from costmodel.language import say
from costmodel.risk.breakeven_map import Axis, BreakEvenMap
from costmodel.scenario import Scenario
from costmodel.ui.charts import OWN, READER, Figure, axis, hover, layout
from costmodel.ui.text import Money, chart_text
from costmodel.ui.text_risk import asked_name, axis_name, more_or_less

MAP_POINTS = 60
"""Columns and rows of the map that is drawn: the line between them is interpolated."""
_MAP_LIMIT = 2.0
"""The map's colours end where one side costs four times the other: two doublings."""


def map_chart(found: BreakEvenMap, money: Money) -> Figure:
    """What self-hosting costs beside the API over two inputs, the line where both cost the same, and the reader."""
    xs, ys = (side.values.tolist() for side in (found.across, found.up))
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.clip(np.log2(found.cost_ratio), -_MAP_LIMIT, _MAP_LIMIT)
    # Without a bill of either side there is nothing to colour, and plotly has no number for it.
    grid = [[None if np.isnan(value) else round(float(value), 4) for value in row] for row in doublings]
    # Many savings round to the same words.
    in_words = cache(lambda rounded: chart_text(more_or_less(float(rounded), money)))
    words = [[in_words(f"{usd:.4g}") for usd in row] for row in found.saving_usd_per_month.tolist()]
    common = {"x": xs, "y": ys, "z": grid, "zmin": -_MAP_LIMIT, "zmax": _MAP_LIMIT}
    return {
        "data": [
            {
                "type": "heatmap",
                **common,
                "colorscale": [[0.0, OWN], [0.5, "#f4f5f7"], [1.0, "#6b7280"]],
                # Scaled by the browser: "best" interpolates in a script, for half as long as all else.
                "zsmooth": "fast",
                "text": words,
                "hovertemplate": hover(
                    say(
                        "{across} {x}, {up} {y}: {difference} a month",
                        **_names(found),
                        x="%{x:,.4~r}",
                        y="%{y:,.4~r}",
                        difference="%{text}",
                    )
                ),
                "colorbar": _colour_bar(),
            },
            {
                "type": "contour",
                **common,
                "autocontour": False,
                "contours": {"start": 0, "end": 0, "size": 1, "coloring": "none"},
                "line": {"color": OWN, "width": 3.5},
                "showscale": False,
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [found.across.base],
                "y": [found.up.base],
                "text": [say("you")],
                "textposition": "top center",
                "textfont": {"color": READER, "size": 13},
                "marker": {"color": READER, "size": 12, "line": {"color": "#ffffff", "width": 2}},
                "hovertemplate": hover(say("you")),
                "cliponaxis": False,
            },
        ],
        "layout": layout(
            xaxis=_map_axis(found.across),
            yaxis=_map_axis(found.up),
            annotations=_sides(doublings, xs, ys),
            height=480,
        ),
    }


def _sides(doublings: Any, xs: list[float], ys: list[float]) -> list[dict[str, Any]]:
    """Who is cheaper, written where each side is ahead most."""
    labels: list[dict[str, Any]] = []
    for is_own, words in ((True, say("self-hosting is cheaper")), (False, say("the API is cheaper"))):
        ahead = np.where(np.isnan(doublings), 0.0, -doublings if is_own else doublings)
        if ahead.max() <= 0:
            continue
        row, column = np.unravel_index(np.argmax(ahead), ahead.shape)
        is_left, is_low = column < len(xs) / 2, row < len(ys) / 2
        labels.append(
            {
                "x": xs[column],
                "y": ys[row],
                "xanchor": "left" if is_left else "right",
                "yanchor": "bottom" if is_low else "top",
                "xshift": 6 if is_left else -6,
                "yshift": 4 if is_low else -4,
                "text": words,
                "showarrow": False,
                "font": {"size": 12},
            }
        )
    return labels


def _names(found: BreakEvenMap) -> dict[str, str]:
    return {"across": chart_text(asked_name(found.across.key)), "up": chart_text(asked_name(found.up.key))}


def _map_axis(side: Axis) -> dict[str, Any]:
    return axis(
        chart_text(axis_name(side.key)),
        range=[float(side.values[0]), float(side.values[-1])],
        tickformat=",~r" if abs(side.values[-1]) < 1e6 else ",.3~s",
        fixedrange=True,
        constrain="domain",
    )


def _colour_bar() -> dict[str, Any]:
    ticks = [-_MAP_LIMIT, -1, 0, 1, _MAP_LIMIT]
    texts = [say("a quarter"), say("half"), say("the same"), say("double"), say("four times")]
    return {
        "orientation": "h",
        "y": 1.02,
        "yanchor": "bottom",
        "x": 0.5,
        "xanchor": "center",
        "len": 0.9,
        "thickness": 10,
        "outlinewidth": 0,
        "tickvals": ticks,
        "ticktext": texts,
        "title": {"text": say("Self-hosting costs … of the API"), "side": "top"},
    }


def map_table(found: BreakEvenMap, scenario: Scenario, money: Money) -> list[list[Any]]:
    """A row for each point."""
    currency = scenario.currency
    rows: list[list[Any]] = [
        [found.across.key, found.up.key, f"saves_{currency}_per_month", "cost_over_api", "break_even_utilization"]
    ]
    for row in range(len(found.up.values)):
        for column in range(len(found.across.values)):
            ratio, use = (
                None if np.isnan(grid[row, column]) else float(grid[row, column])
                for grid in (found.cost_ratio, found.break_even_utilization)
            )
            saving = money.amount(float(found.saving_usd_per_month[row, column]))
            rows.append([float(found.across.values[column]), float(found.up.values[row]), saving, ratio, use])
    return rows
