"""Which pool binds over input and cache share, as a plain plotly dict."""

from typing import Any

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.prefill import own_cached_share_at
from costmodel.machine.prefill_answer import PrefillReport
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout, text_label
from costmodel.ui.text import number
from costmodel.words import percent_text

_SHARES = (1.0, 0.75, 0.5, 0.25)
"""Shares of decode's output whose lines the map of prefill shows."""
_MAP_POINTS = 60


def prefill_chart(report: PrefillReport, comparison: Comparison) -> Figure:
    """Which pool binds over input:output and own cache share: the lines on which the output falls to a share."""
    side, scenario = report.side, comparison.scenario
    assert side is not None
    shares = [each for each in _SHARES if side.q_at(each) > 0]
    most_q = side.q_at(min(shares))
    high = max(scenario.input_per_output * 1.5, min(most_q * 1.6, max(40.0, side.q_at(shares[0]) * 3)))
    ratios = [high * index / _MAP_POINTS for index in range(1, _MAP_POINTS + 1)]
    traces: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for each in shares:
        q = side.q_at(each)
        points = [
            (q, 0.0),
            *((r, own_cached_share_at(uncached_input_per_output=q, input_per_output=r)) for r in ratios if r > q),
        ]
        if q >= high:
            continue
        is_edge = each == shares[0]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [x for x, _ in points],
                "y": [y * 100 for _, y in points],
                "line": {"color": OWN if is_edge else MUTED, "width": 3 if is_edge else 1.5},
                **({"fill": "tozeroy", "fillcolor": "rgba(217,122,30,0.10)"} if is_edge else {}),
                "hovertemplate": hover(
                    say(
                        "{ratio} input per output, {cached} % from the own cache: output {share} of decode's",
                        ratio="%{x:,.1f}",
                        cached="%{y:.0f}",
                        share=percent_text(each),
                    )
                ),
            }
        )
        x, y = points[-1]
        if is_edge and not side.shares_gpus:
            name = say("prefill starts to bind")
        else:
            name = say("output {share}", share=percent_text(each))
        labels.append(text_label(x, y * 100, name, OWN if is_edge else MUTED, xanchor="right"))
    traces.append(_you(report, comparison))
    return {
        "data": traces,
        "layout": layout(
            xaxis=axis(say("Input tokens per output token"), range=[0, high * 1.02]),
            yaxis=axis(say("Input served from the own cache, %"), range=[-3, 104], ticksuffix=" %"),
            annotations=labels,
            height=420,
        ),
    }


def _you(report: PrefillReport, comparison: Comparison) -> dict[str, Any]:
    scenario, own = comparison.scenario, comparison.self_host
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [scenario.input_per_output],
        "y": [scenario.own_cached_percent],
        "text": [say("you: {rate} tok/s", rate=number(own.capacity_output_tok_s, 0))],
        "textposition": "top right" if scenario.own_cached_percent < 90 else "bottom right",
        "textfont": {"color": READER, "size": 13},
        "marker": {"color": READER, "size": 12},
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
    }


def prefill_table(report: PrefillReport) -> list[list[Any]]:
    """The lines of the prefill map: the uncached input per output at which the output falls to each share."""
    side = report.side
    assert side is not None
    return [["output_share_of_decode", "uncached_input_per_output"], *([each, side.q_at(each)] for each in _SHARES)]
