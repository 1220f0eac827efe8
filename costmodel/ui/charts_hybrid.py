"""Three bills and the load-duration curve with its optimum, as one plain plotly dict."""

from typing import Any

from costmodel.language import say
from costmodel.load.hybrid_answer import HybridReport
from costmodel.load.traffic import DAYS
from costmodel.scenario import Scenario
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout
from costmodel.ui.charts_demand import short_number
from costmodel.ui.text import Money, number
from costmodel.ui.text_timed import mix_text, units_text
from costmodel.units import HOURS_PER_DAY, PERCENT
from costmodel.words import percent_text

_BAR_HEIGHT, _GAP_HEIGHT, _CURVE_HEIGHT, _MARGINS_HEIGHT = 44, 72, 320, 90
_WIDEST = 1.6
"""Share of the week up to which the axis goes where no hour pays for a unit."""


def bills_of(report: HybridReport) -> list[tuple[str, float, float]]:
    """(name, own part, API part) of each way to serve the demand, $ a month."""
    result = report.result
    rows = [
        (say("All API"), 0.0, result.all_api_usd_per_month),
        (say("All own: {units}", units=units_text(result.all_own_units)), result.all_own_usd_per_month, 0.0),
    ]
    if report.scheduled:
        rows.append((say("All own, scheduled"), report.scheduled.usd_per_month, 0.0))
    own = result.hybrid_usd_per_month - result.hybrid_api_usd_per_month
    rows.append((say("Best mix: {units}", units=mix_text(result.units)), own, result.hybrid_api_usd_per_month))
    return rows


def hybrid_chart(report: HybridReport, money: Money) -> Figure:
    """The bills as bars above; below them how much of the week demand lasts, and from where on a unit pays."""
    rows = bills_of(report)
    needed = report.result.break_even_share or 0.0
    widest = max(1.02, min(needed, _WIDEST) * 1.08) * PERCENT
    highest = max(report.steps[-1].to_tok_s, report.result.units * report.unit_tok_s) * 1.15
    bars, plot = _BAR_HEIGHT * len(rows), _BAR_HEIGHT * len(rows) + _GAP_HEIGHT + _CURVE_HEIGHT
    most = max(money.amount(own + api) for _, own, api in rows)
    return {
        "data": [*_bars(rows, money), *_curve(report, needed)],
        "layout": layout(
            barmode="stack",
            xaxis={
                "domain": [0, 1],
                "anchor": "y",
                "range": [0, most * 1.3 or 1],
                "visible": False,
                "fixedrange": True,
            },
            yaxis={
                "domain": [1 - bars / plot, 1],
                "anchor": "x",
                "type": "category",
                "autorange": "reversed",
                "automargin": True,
                "fixedrange": True,
            },
            xaxis2=axis(
                _axis_title(report),
                domain=[0, 1],
                anchor="y2",
                range=[0, widest],
                ticksuffix=" %",
                fixedrange=True,
            ),
            yaxis2=axis(
                say("Output tok/s"),
                domain=[0, _CURVE_HEIGHT / plot],
                anchor="x2",
                range=[0, highest],
                fixedrange=True,
                **_ticks(highest),
            ),
            shapes=_lines(report, needed, widest),
            annotations=_labels(report, needed, widest),
            height=plot + _MARGINS_HEIGHT,
        ),
    }


def _axis_title(report: HybridReport) -> str:
    title = say("Share of the week with such demand")
    if min(report.week.usd_per_bundle) == max(report.week.usd_per_bundle):
        return title
    return f"{title}<br>{say('(dear hours of the API count more)')}"


def _bars(rows: list[tuple[str, float, float]], money: Money) -> list[dict[str, Any]]:
    names = [name for name, _, _ in rows]

    def bars(values: list[float], colour: str, what: str) -> dict[str, Any]:
        return {
            "type": "bar",
            "orientation": "h",
            "x": [money.amount(value) for value in values],
            "y": names,
            "marker": {"color": colour},
            "hovertext": [say("{name}: {amount} a month", name=what, amount=money(value)) for value in values],
            "hovertemplate": "%{y}, %{hovertext}<extra></extra>",
        }

    totals = {
        "type": "scatter",
        "mode": "text",
        "x": [money.amount(own + api) for _, own, api in rows],
        "y": names,
        "text": [f" {money(own + api)}" for _, own, api in rows],
        "textposition": "middle right",
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return [
        bars([own for _, own, _ in rows], OWN, say("rent")),
        bars([api for _, _, api in rows], MUTED, say("API")),
        totals,
    ]


def _curve(report: HybridReport, needed: float) -> list[dict[str, Any]]:
    """The area under the curve: what the owned units serve, and what the API takes above them."""
    owned = report.result.units * report.unit_tok_s
    traces = []
    for low, high, colour, what in (
        (0.0, owned, "rgba(47,127,214,0.45)", say("served by own units")),
        (owned, float("inf"), "rgba(139,146,156,0.45)", say("bought from the API")),
    ):
        corners = [
            (step.worth_share * PERCENT, edge)
            for step in report.steps
            if step.to_tok_s > low and step.from_tok_s < high
            for edge in (max(step.from_tok_s, low), min(step.to_tok_s, high))
        ]
        if corners:
            outline = [(0.0, corners[0][1]), *corners, (0.0, corners[-1][1])]
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": [x for x, _ in outline],
                    "y": [y for _, y in outline],
                    "xaxis": "x2",
                    "yaxis": "y2",
                    "fill": "toself",
                    "fillcolor": colour,
                    "line": {"width": 0},
                    "text": what,
                    "hoveron": "fills",
                    "hoverinfo": "text",
                }
            )
    level = report.result.best_level_tok_s
    if level > 0:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [needed * PERCENT],
                "y": [level],
                "xaxis": "x2",
                "yaxis": "y2",
                "marker": {"color": "#ffffff", "size": 11, "line": {"color": READER, "width": 2.5}},
                "hovertemplate": hover(say("Best level if units could be cut to size: {rate} tok/s", rate="%{y:,.0f}")),
            }
        )
    return traces


def _lines(report: HybridReport, needed: float, widest: float) -> list[dict[str, Any]]:
    """The share of the week that pays for a tok/s, and the owned level."""
    style = {"type": "line", "layer": "above"}
    owned = report.result.units * report.unit_tok_s
    lines = []
    if needed * PERCENT < widest:
        at = needed * PERCENT
        lines.append(
            {
                **style,
                "xref": "x2",
                "yref": "y2 domain",
                "x0": at,
                "x1": at,
                "y0": 0,
                "y1": 1,
                "line": {"color": READER, "width": 2, "dash": "dash"},
            }
        )
    if owned:
        lines.append(
            {
                **style,
                "xref": "x2 domain",
                "yref": "y2",
                "x0": 0,
                "x1": 1,
                "y0": owned,
                "y1": owned,
                "line": {"color": OWN, "width": 2.5},
            }
        )
    return lines


def _labels(report: HybridReport, needed: float, widest: float) -> list[dict[str, Any]]:
    owned = report.result.units * report.unit_tok_s
    beyond, share = needed * PERCENT >= widest, percent_text(needed)
    if beyond:
        text = say("own capacity pays beyond {share} of the week: never", share=share)
    else:
        text = say("own capacity pays beyond {share} of the week", share=share)
    labels = [
        {
            "xref": "x2",
            "yref": "y2 domain",
            "x": widest if beyond else needed * PERCENT,
            "y": 1,
            "xanchor": "right" if beyond or needed * PERCENT > widest / 2 else "left",
            "yanchor": "bottom",
            "yshift": 2,
            "text": text,
            "showarrow": False,
            "font": {"color": READER, "size": 13},
        }
    ]
    if owned:
        labels.append(
            {
                "xref": "x2",
                "yref": "y2",
                "x": 0,
                "y": owned,
                "xanchor": "left",
                "yanchor": "bottom",
                "xshift": 4,
                "text": say(
                    "{units} owned: {rate} tok/s", units=units_text(report.result.units), rate=number(owned, 0)
                ),
                "showarrow": False,
                "font": {"color": OWN, "size": 13},
            }
        )
    return labels


def _ticks(highest: float) -> dict[str, Any]:
    """Five round steps or so, written out."""
    power = 10.0 ** (len(str(int(highest))) - 1)
    step = next(size * power for size in (0.2, 0.5, 1, 2) if highest / (size * power) <= 6)
    values = [step * count for count in range(int(highest / step) + 1)]
    return {"tickvals": values, "ticktext": [short_number(value) for value in values]}


def hybrid_table(report: HybridReport, scenario: Scenario, money: Money) -> list[list[Any]]:
    """Each hour of the week: demand, who serves it, and the API's price; below it the bills."""
    result, currency = report.result, scenario.currency
    rows: list[list[Any]] = [
        ["day", "from_hour", "demand_tok_s", "own_tok_s", "api_tok_s", f"api_{currency}_per_mtok_output_with_input"]
    ]
    served = zip(
        report.served.output_tok_s, result.own_tok_s, result.api_tok_s, report.week.usd_per_bundle, strict=True
    )
    for hour, (demand, own, api, usd) in enumerate(served):
        day, start = divmod(hour, HOURS_PER_DAY)
        rows.append([DAYS[day], start, demand, own, api, money.amount(usd)])
    rows += [[], ["way", f"own_{currency}_per_month", f"api_{currency}_per_month"]]
    rows += [[name, money.amount(own), money.amount(api)] for name, own, api in bills_of(report)]
    return rows
