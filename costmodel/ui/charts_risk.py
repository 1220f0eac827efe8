"""The draws, and below them on the same axis the tornado, as one plain plotly dict."""

from math import ceil, floor, log10
from typing import Any

import numpy as np

from costmodel.language import number_text, say
from costmodel.risk.montecarlo import MonteCarlo
from costmodel.risk.tornado import Swing, Tornado
from costmodel.scenario import Scenario
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout
from costmodel.ui.charts_demand import short_number
from costmodel.ui.text import Money, chart_text
from costmodel.ui.text_risk import label_of, more_or_less, value_text

_BARS = 12
"""Inputs of the tornado that are drawn; the table has them all."""
_ROW_HEIGHT, _DRAWS_HEIGHT, _GAP_HEIGHT, _MARGINS_HEIGHT = 52, 150, 34, 86
_THICKNESS, _NAME_ABOVE, _ABOVE, _BELOW = 0.36, 0.36, 0.6, 0.4
"""Of a row: the bar, from its middle up to the name, and what is free above the first and below the last."""
_BINS = 48
_TAILS = (0.005, 0.995)
"""Draws beyond these shares lie outside the picture."""
_STEPS = 5
_ROOM = 0.22
"""Of the axis, kept at either end for the labels of the bars."""


def risk_chart(found: Tornado, draws: MonteCarlo, money: Money) -> Figure:
    """How the draws are spread, and below, on the same axis, what each input alone does to the result."""
    swings = [swing for swing in found.swings if swing.swing_usd_per_month > 0][:_BARS]
    low, high = _span(found, swings, draws, money)
    bars, plot = _ROW_HEIGHT * len(swings), _DRAWS_HEIGHT + _GAP_HEIGHT + _ROW_HEIGHT * len(swings)
    base = money.amount(found.base.saving_usd_per_month)
    return {
        "data": [_histogram(draws, money, low, high), *_tornado_bars(swings, found, money)],
        "layout": layout(
            xaxis=axis(
                say("What self-hosting saves, {currency} a month", currency=money.name),
                domain=[0, 1],
                anchor="y2" if swings else "y",
                range=[low, high],
                fixedrange=True,
                **_amount_ticks(low, high, money),
            ),
            yaxis={
                "domain": [1 - _DRAWS_HEIGHT / plot, 1],
                "visible": False,
                "fixedrange": True,
                "anchor": "x",
            },
            yaxis2={
                "domain": [0, bars / plot],
                "range": [len(swings) - 1 + _BELOW, -_ABOVE],
                "visible": False,
                "fixedrange": True,
                "anchor": "x",
            },
            shapes=[upright(0.0, MUTED, "solid"), upright(base, READER, "dash")],
            annotations=[
                *_sides(draws),
                *_names(swings),
                _as_entered(found, base, (low + high) / 2, (bars + _GAP_HEIGHT / 2) / plot, money),
            ],
            height=plot + _MARGINS_HEIGHT,
        ),
    }


def _span(found: Tornado, swings: list[Swing], draws: MonteCarlo, money: Money) -> tuple[float, float]:
    ends = [money.amount(end.saving_usd_per_month) for swing in swings for end in (swing.at_low, swing.at_high) if end]
    tails = (money.amount(float(usd)) for usd in np.quantile(draws.savings_usd_per_month, _TAILS))
    marks = [0.0, money.amount(found.base.saving_usd_per_month), *ends, *tails]
    room = (max(marks) - min(marks) or 1.0) * _ROOM
    return min(marks) - room, max(marks) + room


def _histogram(draws: MonteCarlo, money: Money, low: float, high: float) -> dict[str, Any]:
    """Shares of the draws; an edge lies at 0, so that no bar belongs to both sides."""
    width = (high - low) / _BINS
    edges = [width * step for step in range(floor(low / width), ceil(high / width) + 1)]
    counts, _ = np.histogram(draws.savings_usd_per_month * money.factor, bins=edges)
    middles = [edge + width / 2 for edge in edges[:-1]]
    shares = [float(count) / draws.draws for count in counts]
    return {
        "type": "bar",
        "x": middles,
        "y": shares,
        "width": [width * 0.96] * len(middles),
        "xaxis": "x",
        "yaxis": "y",
        "marker": {"color": [OWN if middle > 0 else MUTED for middle in middles]},
        "text": [number_text(f"{share * 100:.1f}") for share in shares],
        "textposition": "none",
        "hovertemplate": hover(say("{share} % of the draws", share="%{text}")),
    }


def _tornado_bars(swings: list[Swing], found: Tornado, money: Money) -> list[dict[str, Any]]:
    base, rows = found.base.saving_usd_per_month, list(range(len(swings)))
    traces: list[dict[str, Any]] = []
    for is_low in (True, False):
        ends = [swing.at_low if is_low else swing.at_high for swing in swings]
        lengths = [money.amount((end.saving_usd_per_month if end else base) - base) for end in ends]
        values = [swing.prior.low if is_low else swing.prior.high for swing in swings]
        texts = [value_text(swing.prior.key, value) for swing, value in zip(swings, values, strict=True)]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "base": money.amount(base),
                "x": lengths,
                "y": rows,
                "width": _THICKNESS,
                "offset": -_THICKNESS / 2,
                "xaxis": "x",
                "yaxis": "y2",
                "marker": {"color": [OWN if swing.flips_at is not None else MUTED for swing in swings]},
                "hovertext": [
                    _hover_text(swing, text, end.saving_usd_per_month if end else None, money)
                    for swing, text, end in zip(swings, texts, ends, strict=True)
                ],
                "hovertemplate": hover("%{hovertext}"),
            }
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [money.amount(base) + length for length in lengths],
                "y": rows,
                "xaxis": "x",
                "yaxis": "y2",
                "text": [chart_text(f" {text} ") for text in texts],
                "textposition": [_side(length, is_low, swing) for length, swing in zip(lengths, swings, strict=True)],
                "textfont": {"size": 11},
                "hoverinfo": "skip",
                "cliponaxis": False,
            }
        )
    return traces


def _side(length: float, is_low: bool, swing: Swing) -> str:
    """A value stands outside its end of the bar; an end without length, where the other one is not."""
    if length == 0:
        other = swing.at_high if is_low else swing.at_low
        return "middle left" if other and other.saving_usd_per_month > 0 else "middle right"
    return "middle right" if length > 0 else "middle left"


def _hover_text(swing: Swing, value: str, saving_usd: float | None, money: Money) -> str:
    key, name = swing.prior.key, label_of(swing.prior.key)
    if saving_usd is None:
        words = say("{name} {value}: no answer", name=name, value=value)
    else:
        result = more_or_less(saving_usd, money)
        words = say("{name} {value}: {result} a month", name=name, value=value, result=result)
    if swing.flips_at is not None:
        words = say("{words}; the verdict turns at {at}", words=words, at=value_text(key, swing.flips_at))
    return chart_text(words)


def upright(at: float, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "layer": "above",
        "line": {"color": colour, "width": 1.5, "dash": dash},
    }


def _sides(draws: MonteCarlo) -> list[dict[str, Any]]:
    """What lies on either side of 0."""
    wins = number_text(f"{draws.rented.win_share * 100:.1f}")
    common = {"xref": "paper", "yref": "paper", "y": 1, "yanchor": "bottom", "showarrow": False}
    return [
        {
            **common,
            "x": 0,
            "xanchor": "left",
            "text": say("the API is cheaper"),
            "font": {"color": MUTED, "size": 12},
        },
        {
            **common,
            "x": 1,
            "xanchor": "right",
            "text": say("self-hosting is cheaper: {share} %", share=wins),
            "font": {"color": OWN, "size": 12},
        },
    ]


def _names(swings: list[Swing]) -> list[dict[str, Any]]:
    return [name_above(row, chart_text(label_of(swing.prior.key)), axis_of="y2") for row, swing in enumerate(swings)]


def name_above(row: int, name: str, *, axis_of: str) -> dict[str, Any]:
    """The name of a bar, above it at the left: beside it a phone has no room."""
    return {
        "xref": "paper",
        "yref": axis_of,
        "x": 0,
        "y": row - _NAME_ABOVE,
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "text": name,
        "font": {"size": 12},
    }


def _as_entered(found: Tornado, base: float, middle: float, height: float, money: Money) -> dict[str, Any]:
    """Where the scenario itself stands, between the two parts of the picture."""
    is_right = base > middle
    return {
        "xref": "x",
        "yref": "paper",
        "x": base,
        "y": height,
        "xanchor": "right" if is_right else "left",
        "yanchor": "middle",
        "xshift": -4 if is_right else 4,
        "showarrow": False,
        "text": say("as entered: {result}", result=more_or_less(found.base.saving_usd_per_month, money)),
        "font": {"color": READER, "size": 12},
    }


def _amount_ticks(low: float, high: float, money: Money) -> dict[str, Any]:
    """A few round amounts on both sides of 0."""
    power = 10.0 ** floor(log10((high - low) / _STEPS))
    step = next(by * power for by in (1, 2, 5, 10) if by * power >= (high - low) / _STEPS)
    values = [step * count for count in range(ceil(low / step), floor(high / step) + 1)]
    texts = ["0" if value == 0 else ("−" if value < 0 else "+") + money.marked(_short(abs(value))) for value in values]
    return {"tickvals": values, "ticktext": texts, "tickangle": 0}


def _short(value: float) -> str:
    return number_text(f"{value:.2f}") if value < 1 else short_number(value)


def risk_table(found: Tornado, draws: MonteCarlo, scenario: Scenario, money: Money) -> list[list[Any]]:
    """The tornado, the fleets and the spread of the draws."""
    currency = scenario.currency
    rows: list[list[Any]] = [
        ["input", "unit", "low", "in_use", "high", f"saves_at_low_{currency}", f"saves_at_high_{currency}", "turns_at"]
    ]
    for swing in found.swings:
        prior = swing.prior
        savings = (
            None if end is None else money.amount(end.saving_usd_per_month) for end in (swing.at_low, swing.at_high)
        )
        rows.append([prior.key, prior.unit, prior.low, prior.base, prior.high, *savings, swing.flips_at])
    rows += [[], ["units", "win_share", *(f"saves_{part}_{currency}" for part in ("mean", "p5", "p50", "p95"))]]
    for fleet in draws.fleets:
        spread = fleet.saving_usd_per_month
        amounts = (fleet.mean_saving_usd_per_month, spread.low, spread.middle, spread.high)
        rows.append([fleet.units, fleet.win_share, *(money.amount(usd) for usd in amounts)])
    rows += [[], ["share_of_draws_below", f"saves_{currency}"]]
    steps = np.linspace(0, 1, 101)
    quantiles = np.quantile(draws.savings_usd_per_month, steps)
    rows += [[float(step), money.amount(float(usd))] for step, usd in zip(steps, quantiles, strict=True)]
    return rows
