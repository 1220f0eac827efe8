"""The week as a heatmap with the APIs' peak windows over it, as a plain plotly dict."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from costmodel.language import say
from costmodel.load.traffic import DAYS
from costmodel.load.traffic_answer import PeakHours, TrafficReport
from costmodel.ui.charts import READER, Figure, axis, hover, layout
from costmodel.ui.text import chart_text, number
from costmodel.ui.traffic_inputs import day_label
from costmodel.units import HOURS_PER_DAY
from costmodel.words import percent_text

OUTLINES = (READER, "#8a4fbf", "#1f8a5b", "#b8860b")
_WHOLE = 0.98
"""Fraction from which an hour counts as peak throughout, clock changes within it aside."""
_SHADES = [[0, "rgba(47,127,214,0.06)"], [1, "rgba(47,127,214,0.6)"]]


class Block(NamedTuple):
    """Hours of some days in a row that are all peak, or all peak in part."""

    first_day: int
    last_day: int
    start_hour: int
    end_hour: int
    whole: bool


def blocks(fractions: Sequence[float]) -> tuple[Block, ...]:
    """Peak hours of a week as rectangles: the same hours on days in a row are one.

    >>> blocks(([0.0] * 6 + [1.0] * 4 + [0.0] * 14) * 5 + [0.0] * 48)
    (Block(first_day=0, last_day=4, start_hour=6, end_hour=10, whole=True),)
    """
    found: dict[tuple[int, int, bool], list[int]] = {}
    for day in range(len(DAYS)):
        hours = fractions[day * HOURS_PER_DAY : (day + 1) * HOURS_PER_DAY]
        start = 0
        for kind, run in groupby(hours, key=lambda fraction: (fraction > 0) + (fraction >= _WHOLE)):
            end = start + len(list(run))
            if kind:
                found.setdefault((start, end, kind > 1), []).append(day)
            start = end
    result = []
    for (start, end, whole), days in found.items():
        for _, together in groupby(enumerate(days), key=lambda pair: pair[1] - pair[0]):
            run_of_days = [day for _, day in together]
            result.append(Block(run_of_days[0], run_of_days[-1], start, end, whole))
    return tuple(result)


def week_chart(report: TrafficReport) -> Figure:
    """Tokens in each hour of the week, darker where more, and each API's peak hours outlined."""
    demand, busiest = report.week.output_tok_s, report.week.busiest_output_tok_s or 1.0
    names = [day_label(day) for day in DAYS]
    days = range(len(DAYS))

    def by_day(values: Sequence[Any]) -> list[list[Any]]:
        return [list(values[day * HOURS_PER_DAY : (day + 1) * HOURS_PER_DAY]) for day in days]

    return {
        "data": [
            {
                "type": "heatmap",
                "x": [hour + 0.5 for hour in range(HOURS_PER_DAY)],
                "y": list(days),
                "z": by_day([each / busiest for each in demand]),
                "zmin": 0,
                "zmax": 1,
                "colorscale": _SHADES,
                "showscale": False,
                "xgap": 1,
                "ygap": 1,
                "text": by_day(_hour_texts(report, names)),
                "hovertemplate": hover("%{text}"),
            }
        ],
        "layout": layout(
            margin={"l": 8, "r": 12, "t": 12 + 22 * len(report.peaks), "b": 8},
            xaxis=axis(
                say("Hour of the day, {zone}", zone=report.week.traffic.timezone),
                range=[0, HOURS_PER_DAY],
                tickvals=list(range(0, HOURS_PER_DAY + 1, 3)),
                showgrid=False,
                fixedrange=True,
            ),
            yaxis={
                "tickvals": list(days),
                "ticktext": names,
                "range": [len(DAYS) - 0.5, -0.5],
                "showgrid": False,
                "zeroline": False,
                "automargin": True,
                "fixedrange": True,
            },
            shapes=[
                _outline(block, OUTLINES[index % len(OUTLINES)])
                for index, peak in enumerate(report.peaks)
                for block in blocks(peak.fractions_without_holidays)
            ],
            annotations=[_legend(peak, index) for index, peak in enumerate(report.peaks)],
            height=330 + 22 * len(report.peaks),
        ),
    }


def _hour_texts(report: TrafficReport, days: Sequence[str]) -> list[str]:
    """What each hour of the week says: few different sentences for the many hours."""
    rates = {rate: say("{rate} output tok/s", rate=number(rate, 0)) for rate in set(report.week.output_tok_s)}
    peaks = {
        (peak.name, fraction): "<br>"
        + say("{api}: {share} of this hour is peak", api=chart_text(peak.name), share=percent_text(fraction))
        for peak in report.peaks
        for fraction in set(peak.fractions)
        if fraction > 0
    }
    texts = []
    for hour, rate in enumerate(report.week.output_tok_s):
        day, start = divmod(hour, HOURS_PER_DAY)
        in_peak = (peaks.get((peak.name, peak.fractions[hour]), "") for peak in report.peaks)
        texts.append(f"{days[day]} {start:02}–{start + 1:02}: {rates[rate]}{''.join(in_peak)}")
    return texts


def _outline(block: Block, colour: str) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": block.start_hour,
        "x1": block.end_hour,
        "y0": block.first_day - 0.5,
        "y1": block.last_day + 0.5,
        "line": {"color": colour, "width": 3, "dash": "solid" if block.whole else "dot"},
    }


def _legend(peak: PeakHours, index: int) -> dict[str, Any]:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "yshift": 4 + 22 * index,
        "xanchor": "left",
        "yanchor": "bottom",
        "text": say(
            "▭ peak hours of {api}: {share} of your tokens",
            api=chart_text(peak.name),
            share=percent_text(peak.peak_share),
        ),
        "showarrow": False,
        "font": {"color": OUTLINES[index % len(OUTLINES)], "size": 13},
    }


def week_table(report: TrafficReport) -> list[list[Any]]:
    """Each hour of the week, and below it the shares."""
    head = [
        "day",
        "from_hour",
        "share_of_month",
        "output_tok_s",
        *(f"peak_fraction {peak.id}" for peak in report.peaks),
    ]
    rows: list[list[Any]] = [head]
    for hour, (demand, share) in enumerate(zip(report.week.output_tok_s, report.week.hour_shares, strict=True)):
        day, start = divmod(hour, HOURS_PER_DAY)
        rows.append([DAYS[day], start, share, demand, *(peak.fractions[hour] for peak in report.peaks)])
    rows += [[], ["api", "peak_share_of_tokens", "peak_share_of_hours", "peak_share_of_tokens_without_holidays"]]
    rows += [[peak.id, peak.peak_share, peak.clock_share, peak.peak_share_without_holidays] for peak in report.peaks]
    return rows
