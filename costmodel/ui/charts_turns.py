"""How far each input is from the value that turns the verdict, as a plain plotly dict."""

from math import floor, log2
from typing import Any

from costmodel.language import say
from costmodel.risk.turning import Turn, Turns
from costmodel.ui.charts import OWN, READER, Figure, axis, distinct, hover, layout
from costmodel.ui.charts_risk import name_above, upright
from costmodel.ui.text import chart_text
from costmodel.ui.text_risk import by_distance, change_text, label_of, value_text, with_unit

_TURNS_ACROSS = 4
"""Turns are drawn up to so many doublings or halvings."""
_TURN_HEIGHT, _MARGINS_HEIGHT = 52, 90
_THICKNESS = 0.3
"""Of a row: the bar; its name is above it."""
_FEW = 2
_ROOM = 1.06


def turns_chart(found: Turns) -> Figure | None:
    """How far each input is from the value that turns the verdict, in halvings and doublings; None where none is."""
    drawn = [turn for turn in by_distance(found) if turn.distance is not None]
    if not drawn:
        return None
    lengths = [max(-_TURNS_ACROSS, min(_TURNS_ACROSS, _doublings(turn))) for turn in drawn]
    most = max(1.0, *(abs(length) for length in lengths))
    step = 1 if most <= _FEW else 2
    ticks = [*range(-step * (floor(most) // step), floor(most) + 1, step)]
    names = distinct([label_of(turn.key) for turn in drawn])
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": lengths,
                "y": names,
                "width": _THICKNESS,
                "marker": {"color": OWN},
                "hovertext": [_turn_hover(turn) for turn in drawn],
                "hovertemplate": hover("%{hovertext}"),
            },
            {
                "type": "scatter",
                "mode": "text",
                "x": [0.0] * len(drawn),
                "y": names,
                "text": [
                    chart_text(f" {value_text(turn.key, turn.at or 0.0)} ({change_text(turn)}) ") for turn in drawn
                ],
                # Across the line from its bar there is always room.
                "textposition": ["middle left" if length > 0 else "middle right" for length in lengths],
                "textfont": {"size": 12},
                "hoverinfo": "skip",
                "cliponaxis": False,
            },
        ],
        "layout": layout(
            xaxis=axis(
                say("Change that turns the verdict"),
                range=[-most * _ROOM, most * _ROOM],
                tickvals=ticks,
                ticktext=[_times(tick) for tick in ticks],
                tickangle=0,
                fixedrange=True,
            ),
            yaxis={"visible": False, "fixedrange": True, "type": "category", "autorange": "reversed"},
            shapes=[upright(0.0, READER, "solid")],
            annotations=[name_above(row, name, axis_of="y") for row, name in enumerate(names)],
            height=_MARGINS_HEIGHT + _TURN_HEIGHT * len(drawn),
        ),
    }


def _doublings(turn: Turn) -> float:
    """From the value of now to that of the turn; both are above 0."""
    return log2((turn.at or turn.base) / turn.base)


def _times(doublings: int) -> str:
    if doublings == 0:
        return say("now")
    return f"× {2**doublings}" if doublings > 0 else f"÷ {2**-doublings}"


def _turn_hover(turn: Turn) -> str:
    words = say(
        "{name}: {base} now, the verdict turns at {at}",
        name=with_unit(turn.key),
        base=value_text(turn.key, turn.base),
        at=value_text(turn.key, turn.at or 0.0),
    )
    return chart_text(words)


def turns_table_data(found: Turns) -> list[list[Any]]:
    """Every input with its turn, or the reason why there is none."""
    rows: list[list[Any]] = [["input", "unit", "now", "turns_at", "change_share", "reason"]]
    return rows + [
        [turn.key, turn.unit, turn.base, turn.at, turn.change_share, turn.reason or ""] for turn in found.turns
    ]
