"""Both monthly bills over demand, as a plain plotly dict: the API's straight line, the staircase of whole units."""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Any

from costmodel.language import number_text, say
from costmodel.load.demand import usd_per_month
from costmodel.load.demand_answer import ApiAtDemand, DemandReport
from costmodel.scenario import Scenario
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout
from costmodel.ui.text import Money, chart_text, number

_MOST_UNITS = 30
"""Units up to which a chart shows the point from which self-hosting never falls behind again."""
_RIGHT_OF = 0.7
"""Share of the axis up to which the reader's labels stand right of their points."""
_FINEST_STEP = 1.01
"""Steps closer than this ratio are one line on the screen."""


def short_number(value: float) -> str:
    """A demand on an axis.

    >>> [short_number(value) for value in (0.5, 300, 20_000, 740_000, 5e6, 3e9)]
    ['0.5', '300', '20k', '740k', '5M', '3B']
    """
    for size, letter in ((1e9, say("B")), (1e6, say("M")), (1e3, say("k"))):
        if value >= size:
            return number_text(f"{value / size:g}") + letter
    return number_text(f"{value:g}")


def demand_range(report: DemandReport, against: ApiAtDemand) -> tuple[float, float]:
    """Lowest and highest demand on the chart: the reader's, the turn and a few whole units are in sight."""
    supply, view = report.fleet.supply, against.view
    unit, demand = supply.mean_unit_tok_s, report.week.mean_output_tok_s
    turns = view.turns_at_tok_s or unit
    ahead = min(view.ahead_from_units or 1, _MOST_UNITS) * unit
    return min(demand, turns, unit) / 3, max(demand * 2, turns * 1.5, ahead * 1.2, unit * 3)


def demand_chart(report: DemandReport, against: ApiAtDemand, scenario: Scenario, money: Money) -> Figure:
    """Monthly bills over sustained demand, both axes logarithmic; the winning ranges of self-hosting are shaded."""
    low, high = demand_range(report, against)
    hours, amount = scenario.hours_per_month, money.marked("%{y:,.4~r}")

    def api_amount(api: ApiAtDemand, demand: float) -> float:
        usd = usd_per_month(usd_per_bundle=api.api.usd_per_bundle or 0, demand_tok_s=demand, hours_per_month=hours)
        return money.amount(usd)

    stairs = _stairs(report, against, low, high, hours, money)
    amounts = [y for _, y in stairs] + [api_amount(against, demand) for demand in (low, high)]
    bottom, top = min(each for each in amounts if each > 0) / 1.6, max(amounts) * 1.8
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [low, high],
            "y": [api_amount(each, low), api_amount(each, high)],
            "line": {
                "color": MUTED,
                "width": 2.5 if each is against else 1,
                "dash": "solid" if each is against else "dot",
            },
            "name": chart_text(each.api.name),
            "hovertemplate": hover(say("{name}: {amount} a month", name="%{fullData.name}", amount=amount)),
        }
        for each in report.apis
        if each.api.usd_per_bundle
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": [x for x, _ in stairs],
            "y": [y for _, y in stairs],
            "line": {"color": OWN, "width": 3.5, "shape": "hv"},
            "hovertemplate": hover(
                say("Own units above {rate} tok/s: {amount} a month", rate="%{x:,.0f}", amount=amount)
            ),
        }
    )
    traces += _marks(report, against, money, high)
    wins = [(max(win.start, low), min(win.end, high)) for win in against.view.wins if win.start < high]
    return {
        "data": traces,
        "layout": layout(
            margin={"l": 8, "r": 12, "t": 30, "b": 8},
            xaxis=axis(
                say("Demand, mean output tok/s"),
                type="log",
                range=[log10(low), log10(high)],
                **_log_ticks(low, high),
            ),
            yaxis=axis(
                say("{currency} a month", currency=money.name),
                type="log",
                range=[log10(bottom), log10(top)],
                **_log_ticks(bottom, top, money.marked),
            ),
            shapes=[_shade(start, end) for start, end in wins],
            annotations=_labels(against, wins, api_amount(against, low), high),
            height=460,
        ),
    }


def _stairs(
    report: DemandReport, against: ApiAtDemand, low: float, high: float, hours: float, money: Money
) -> list[tuple[float, float]]:
    """(demand from which it holds, monthly amount) of each step, those too close to tell apart left out."""
    supply = report.fleet.supply
    points: list[tuple[float, float]] = []
    for start, end, paid in against.view.stairs:
        if end < low or start > high:
            continue
        amount = money.amount(supply.usd_per_hour(paid) * hours)
        if points and start < points[-1][0] * _FINEST_STEP:
            points[-1] = (points[-1][0], amount)
        else:
            points.append((max(start, low), amount))
    return [*points, (min(high, against.view.followed_to_tok_s), points[-1][1])]


def _marks(report: DemandReport, against: ApiAtDemand, money: Money, high: float) -> list[dict[str, Any]]:
    """Rings where self-hosting turns cheaper, and the reader's demand on both bills."""
    answer, view = against.view.answer, against.view
    turns = [win.start for win in view.wins if win.start < high]
    usd_per_tok_s = answer.api_usd_per_month / answer.demand_tok_s
    labels = [f"{number(turn, 0)} tok/s" if index == 0 else "" for index, turn in enumerate(turns)]
    demand = answer.demand_tok_s
    low = demand_range(report, against)[0]
    side = "right" if log10(demand / low) < _RIGHT_OF * log10(high / low) else "left"
    mine, theirs = answer.self_host_usd_per_month, answer.api_usd_per_month
    mine_side, their_side = ("top", "bottom") if mine >= theirs else ("bottom", "top")
    mine_text, their_text = say("you: {amount} own", amount=money(mine)), say("{amount} API", amount=money(theirs))
    points = [(mine, mine_text, f"{mine_side} {side}"), (theirs, their_text, f"{their_side} {side}")]
    # An amount of nothing has no place on a logarithmic axis.
    points = [point for point in points if point[0] > 0]
    return [
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": turns,
            "y": [money.amount(turn * usd_per_tok_s) for turn in turns],
            "text": labels,
            "textposition": "bottom right",
            "textfont": {"color": OWN, "size": 13},
            "marker": {"color": "#ffffff", "size": 10, "line": {"color": OWN, "width": 2.5}},
            "hovertemplate": hover(say("Self-hosting is cheaper above {rate} tok/s", rate="%{x:,.0f}")),
        },
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": [demand] * len(points),
            "y": [money.amount(usd) for usd, _, _ in points],
            "text": [text for _, text, _ in points],
            "textposition": [position for _, _, position in points],
            "textfont": {"color": READER, "size": 13},
            "marker": {"color": READER, "size": 11},
            "hovertemplate": hover(say("{amount} a month", amount="%{text}")),
        },
    ]


def _shade(start: float, end: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": start,
        "x1": end,
        "y0": 0,
        "y1": 1,
        "fillcolor": OWN,
        "opacity": 0.13,
        "line": {"width": 0},
        "layer": "below",
    }


def _labels(
    against: ApiAtDemand, wins: list[tuple[float, float]], api_at_low: float, high: float
) -> list[dict[str, Any]]:
    """The API's name at its line, and what the shading means above its widest part."""
    labels: list[dict[str, Any]] = []
    if api_at_low > 0:
        labels.append(
            {
                "xref": "paper",
                "yref": "y",
                "x": 0.005,
                "y": log10(api_at_low),
                "xanchor": "left",
                "yanchor": "top",
                "yshift": -4,
                "text": chart_text(against.api.name),
                "showarrow": False,
                "font": {"color": MUTED, "size": 12},
            }
        )
    if wins:
        start, end = max(wins, key=lambda win: win[1] / win[0])
        labels.append(
            {
                "xref": "x",
                "yref": "paper",
                "x": log10(end) if end >= high else log10(start * end) / 2,
                "y": 1,
                "xanchor": "right" if end >= high else "center",
                "yanchor": "bottom",
                "yshift": 4,
                "text": say("shaded: self-hosting is cheaper"),
                "showarrow": False,
                "font": {"color": OWN, "size": 12},
            }
        )
    return labels


def _log_ticks(low: float, high: float, marked: Callable[[str], str] = str) -> dict[str, Any]:
    """Whole amounts as ticks: 1, 2, 5 of each power of ten, the powers alone where there are many."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    steps = (1,) if len(powers) > 4 else (1, 3) if len(powers) > 3 else (1, 2, 5)
    values = [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
    return {"tickvals": values, "ticktext": [marked(short_number(value)) for value in values]}


def demand_table(report: DemandReport, against: ApiAtDemand, scenario: Scenario, money: Money) -> list[list[Any]]:
    """Each step of the staircase with both bills at its ends."""
    hours, currency = scenario.hours_per_month, scenario.currency
    head: list[Any] = ["above_output_tok_s", "up_to_output_tok_s", "units_paid", f"own_{currency}_per_month"]
    head += [f"{each.api.id} {currency}_per_month_at_upper_end" for each in report.apis]
    rows = [head]
    for start, end, paid in against.view.stairs:
        own = money.amount(report.fleet.supply.usd_per_hour(paid) * hours)
        bills = (
            usd_per_month(usd_per_bundle=each.api.usd_per_bundle or 0, demand_tok_s=end, hours_per_month=hours)
            for each in report.apis
        )
        rows.append([start, end, paid + report.fleet.supply.spare_units, own, *map(money.amount, bills)])
    rows += [[], ["self-hosting is cheaper above_output_tok_s", "up_to_output_tok_s"]]
    rows += [[win.start, win.end] for win in against.view.wins]
    return rows
