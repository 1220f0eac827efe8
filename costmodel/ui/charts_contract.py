"""What each way has cost by the end of each month of a contract, as a plain plotly dict."""

from typing import Any

from costmodel.contracts.contract import cumulative_usd
from costmodel.contracts.contract_answer import ContractReport
from costmodel.contracts.contract_options import Kind
from costmodel.contracts.contract_ways import Way
from costmodel.language import say
from costmodel.scenario import Scenario
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout, money_axis
from costmodel.ui.text import Money, chart_text
from costmodel.ui.text_contract import kind_name
from costmodel.units import MONTHS_PER_YEAR

_DASHES: dict[Kind, str] = {"rent": "solid", "spot": "dot", "reserve": "dash", "buy": "dashdot"}
_STRONG, _THIN, _API = 3.5, 1.8, 2.5
_HEADROOM = 1.08
_HEIGHT = 460


def lines_of(report: ContractReport) -> dict[str, Way]:
    """Every way by its name, the API first."""
    return {report.api.name: report.api_way} | {kind_name(option.kind): option.way for option in report.options}


def contract_chart(report: ContractReport, money: Money) -> Figure:
    """Cumulative cost over the months: the API, each way to get the GPUs, where each has paid back, the term."""
    paid = {name: [money.amount(usd) for usd in cumulative_usd(way.paid_usd)] for name, way in lines_of(report).items()}
    high = max(max(amounts) for amounts in paid.values()) * _HEADROOM or 1.0
    styles = [{"color": MUTED, "width": _API}] + [
        {
            "color": OWN,
            "width": _STRONG if option.kind == report.chosen else _THIN,
            "dash": _DASHES[option.kind],
        }
        for option in report.options
    ]
    months = list(range(report.chart_months + 1))
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": months,
            "y": amounts,
            "line": style,
            "name": chart_text(name),
            "hovertemplate": hover(
                say(
                    "{name}, month {month}: {amount}",
                    name="%{fullData.name}",
                    month="%{x}",
                    amount=money.marked("%{y:,.4~r}"),
                )
            ),
        }
        for (name, amounts), style in zip(paid.items(), styles, strict=True)
    ]
    return {
        "data": [*traces, _paybacks(report, paid)],
        "layout": layout(
            margin={"l": 8, "r": 12, "t": 30, "b": 8},
            xaxis=axis(
                say("Months from signing"),
                range=[0, report.chart_months],
                tickvals=list(range(0, report.chart_months + 1, MONTHS_PER_YEAR)),
            ),
            yaxis=money_axis(say("Paid so far, {currency}", currency=money.name), money, high=high),
            shapes=[_term_line(report)],
            annotations=[_term_label(report), *_payback_labels(report, paid), *_end_labels(paid, styles)],
            height=_HEIGHT,
        ),
    }


def _marked(report: ContractReport) -> list[tuple[int, str]]:
    """(month, name) of each way that pays back after the start."""
    return [(option.payback_month, kind_name(option.kind)) for option in report.options if option.payback_month]


def _paybacks(report: ContractReport, paid: dict[str, list[float]]) -> dict[str, Any]:
    """The points from which a way has cost no more than the API, for good."""
    marked = _marked(report)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [month for month, _ in marked],
        "y": [paid[name][month] for month, name in marked],
        "marker": {"color": "#ffffff", "size": 10, "line": {"color": OWN, "width": 2.5}},
        "hovertext": [_payback_text(name, month) for month, name in marked],
        "hovertemplate": hover("%{hovertext}"),
        "cliponaxis": False,
    }


def _payback_text(name: str, month: int) -> str:
    return say("{name}: month {month}", name=name, month=month)


def _payback_labels(report: ContractReport, paid: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Below and right of their points; as annotations they make room for each other."""
    return [
        {
            "xref": "x",
            "yref": "y",
            "x": month,
            "y": paid[name][month],
            "xanchor": "left",
            "yanchor": "top",
            "xshift": 8,
            "yshift": -4,
            "text": _payback_text(name, month),
            "showarrow": False,
            "font": {"color": OWN, "size": 13},
        }
        for month, name in _marked(report)
    ]


def _term_line(report: ContractReport) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": report.term_months,
        "x1": report.term_months,
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"color": READER, "width": 2, "dash": "dash"},
    }


def _term_label(report: ContractReport) -> dict[str, Any]:
    is_late = report.term_months > report.chart_months / 2
    return {
        "xref": "x",
        "yref": "paper",
        "x": report.term_months,
        "y": 1,
        "xanchor": "right" if is_late else "left",
        "yanchor": "bottom",
        "yshift": 2,
        "text": say("term: {months} months", months=report.term_months),
        "showarrow": False,
        "font": {"color": READER, "size": 13},
    }


def _end_labels(paid: dict[str, list[float]], styles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The name of each line at its end, right of the plot."""
    return [
        {
            "xref": "paper",
            "yref": "y",
            "x": 1,
            "y": amounts[-1],
            "xanchor": "left",
            "yanchor": "middle",
            "xshift": 4,
            "text": chart_text(name),
            "showarrow": False,
            "font": {"color": style["color"], "size": 12},
        }
        for (name, amounts), style in zip(paid.items(), styles, strict=True)
    ]


def contract_table(report: ContractReport, scenario: Scenario, money: Money) -> list[list[Any]]:
    """What each way has paid by the end of each month; below it the costs of one to five years."""
    ways = lines_of(report)
    paid = [cumulative_usd(way.paid_usd) for way in ways.values()]
    rows: list[list[Any]] = [["month", *(f"paid_{scenario.currency}: {name}" for name in ways)]]
    rows += [[month, *(money.amount(usd) for usd in amounts)] for month, amounts in enumerate(zip(*paid, strict=True))]
    costs = [report.api_costs, *(option.costs for option in report.options)]
    for what, of_cost in (("total", "total_usd"), ("net_present_value", "npv_usd")):
        rows += [[], ["months", *(f"{what}_{scenario.currency}: {name}" for name in ways)]]
        rows += [
            [at[0].months, *(money.amount(getattr(cost, of_cost)) for cost in at)] for at in zip(*costs, strict=True)
        ]
    rows += [[], ["way", "payback_month", "survives_api_price_fall", "break_even_today", "break_even_at_end"]]
    rows += [
        [
            kind_name(option.kind),
            option.payback_month,
            option.limit.yearly_fall_share,
            option.break_even_today,
            option.break_even_at_end,
        ]
        for option in report.options
    ]
    return rows
