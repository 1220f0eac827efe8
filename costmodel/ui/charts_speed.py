"""Cost over the speed each user gets, as a plain plotly dict."""

from math import floor, log10
from typing import Any

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.speed_answer import ApiSpeed, AtSpeed, SpeedReport, cost_at_utilization
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout, money_axis, text_label
from costmodel.ui.text import Money, as_typed, chart_text, tokens_word
from costmodel.words import count_text, percent_text

SPEEDS = 60
_CLIPPED_ABOVE = 6
"""Times the lowest cost beyond which a curve leaves the chart, so that its end does not flatten the rest."""


def speed_chart(report: SpeedReport, comparison: Comparison) -> Figure:
    """Cost per token over the speed each user gets, the measured loads on it, and the APIs whose speed is known."""
    money, scenario = Money(comparison), comparison.scenario
    full = [(row.tok_s_per_user, money.amount(row.usd_per_mtok_at_full)) for row in report.rows]
    used = [
        (row.tok_s_per_user, money.amount(cost))
        for row in report.rows
        if (cost := cost_at_utilization(row, scenario.utilization_percent)) is not None
    ]
    prices = [money.amount(each.api.usd_per_mtok or 0) for each in report.apis]
    ceiling = max([min(amount for _, amount in full) * _CLIPPED_ABOVE, *(price * 1.15 for price in prices)])
    high = min(max(amount for _, amount in full), ceiling) * 1.08
    high = max([high, *(price * 1.15 for price in prices)])
    # A nearly idle deployment is so dear that its curve would flatten everything else.
    used = used if used and used[0][1] < high else []
    if used:
        high = max(high, min(max(amount for _, amount in used), ceiling) * 1.08)
    traces = [_cost_line(full, OWN, say("fully used"), money, width=3.5)]
    if used and scenario.utilization_percent < 100:
        at = say("at {share}", share=percent_text(scenario.utilization_percent / 100))
        traces.append(_cost_line(used, READER, at, money, width=2))
    traces.append(_measured_marks(report, money))
    traces += [_api_mark(each, money) for each in report.apis]
    fastest = max([report.rows[-1].tok_s_per_user, *(each.speed.output_tok_s_high for each in report.apis)])
    slowest = min([report.rows[0].tok_s_per_user, *(each.speed.output_tok_s_low for each in report.apis)])
    margin = (fastest - slowest) * 0.06
    most_output = max(row.output_tok_s_per_gpu for row in report.rows)
    shapes, labels = _promise(report, comparison)
    labels += [
        text_label(
            (each.speed.output_tok_s_low + each.speed.output_tok_s_high) / 2,
            money.amount(each.api.usd_per_mtok or 0),
            each.api.name,
            MUTED,
            xanchor="center",
            yshift=5,
        )
        for each in report.apis
    ]
    return {
        "data": [*traces, _throughput_line(report)],
        "layout": layout(
            margin={"l": 8, "r": 12, "t": 28, "b": 8},
            xaxis=axis(say("Output tok/s each user gets"), range=[max(0, slowest - margin), fastest + margin]),
            yaxis=money_axis(
                say("{currency} per {tokens}", currency=money.name, tokens=tokens_word(scenario)), money, high=high
            ),
            yaxis2=axis(
                say("Output tok/s per GPU"),
                overlaying="y",
                side="right",
                showgrid=False,
                range=[0, most_output * 1.1],
                dtick=10 ** floor(log10(most_output)) / 2,
                tickformat=",~r",
                tickfont={"color": MUTED},
            ),
            shapes=shapes,
            annotations=labels,
            showlegend=True,
            legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
            height=450,
        ),
    }


def _cost_line(
    points: list[tuple[float, float]], colour: str, name: str, money: Money, *, width: float
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": say("Own GPUs, {use}", use=name),
        "x": [speed for speed, _ in points],
        "y": [amount for _, amount in points],
        "line": {"color": colour, "width": width},
        "hovertemplate": hover(
            say(
                "Own GPUs {use}, {speed} tok/s per user: {amount}",
                use=name,
                speed="%{x:,.0f}",
                amount=money.marked("%{y:,.4~r}"),
            )
        ),
    }


def _measured_marks(report: SpeedReport, money: Money) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": say("measured loads"),
        "x": [load.tok_s_per_user for load, _ in report.measured],
        "y": [money.amount(row.usd_per_mtok_at_full) for _, row in report.measured],
        "text": [
            say("{requests} requests per GPU", requests=as_typed(load.requests_per_gpu)) for load, _ in report.measured
        ],
        "marker": {"color": "#ffffff", "size": 9, "line": {"color": OWN, "width": 2.5}},
        "hovertemplate": hover(
            say(
                "Measured with {load}: {speed} tok/s per user, {amount}",
                load="%{text}",
                speed="%{x:,.0f}",
                amount=money.marked("%{y:,.4~r}"),
            )
        ),
    }


def _api_mark(each: ApiSpeed, money: Money) -> dict[str, Any]:
    low, high = each.speed.output_tok_s_low, each.speed.output_tok_s_high
    speeds = count_text(low)
    if low != high:
        speeds = say("{low} to {high}", low=speeds, high=count_text(high))
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "showlegend": False,
        "x": [low, high] if low != high else [low],
        "y": [money.amount(each.api.usd_per_mtok or 0)] * (2 if low != high else 1),
        "line": {"color": MUTED, "width": 4},
        "marker": {"color": MUTED, "size": 9, "symbol": "diamond"},
        "hovertemplate": hover(chart_text(f"{each.api.name}: {speeds} tok/s, {money(each.api.usd_per_mtok or 0)}")),
    }


def _throughput_line(report: SpeedReport) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": say("tok/s per GPU (right)"),
        "yaxis": "y2",
        "x": [row.tok_s_per_user for row in report.rows],
        "y": [row.output_tok_s_per_gpu for row in report.rows],
        "line": {"color": MUTED, "width": 1.5, "dash": "dot"},
        "hovertemplate": hover(
            say("{rate} output tok/s per GPU at {speed} per user", rate="%{y:,.0f}", speed="%{x:,.0f}")
        ),
    }


def _promise(report: SpeedReport, comparison: Comparison) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The reader's promise as an upright line; without one, where the typed throughput lies."""
    slo = comparison.scenario.slo_tok_s_per_user
    if slo is not None:
        at, text = slo, say("promised: {speed}", speed=count_text(slo))
    elif report.at_typed is not None:
        at = report.at_typed.tok_s_per_user
        text = say("as typed: {speed}", speed=count_text(at))
    else:
        return [], []
    line = {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "line": {"color": READER, "width": 1.5, "dash": "dash"},
    }
    return [line], [text_label(at, 0.9, text, READER, yref="paper", xshift=4)]


def speed_table(report: SpeedReport, comparison: Comparison) -> list[list[Any]]:
    """The speed chart's data: one row for each speed."""
    money, currency = Money(comparison), comparison.scenario.currency
    percent = comparison.scenario.utilization_percent
    head = [
        "tok_s_per_user",
        "output_tok_s_per_gpu",
        f"self_host_{currency}_per_mtok_full",
        f"self_host_{currency}_per_mtok_at_utilization",
        "break_even_utilization_against_cheapest_api",
    ]
    return [head, *(_speed_row(row, money, percent) for row in report.rows)]


def _speed_row(row: AtSpeed, money: Money, percent: float) -> list[Any]:
    used = cost_at_utilization(row, percent)
    turn = row.break_even_utilization
    return [
        row.tok_s_per_user,
        row.output_tok_s_per_gpu,
        money.amount(row.usd_per_mtok_at_full),
        "" if used is None else money.amount(used),
        "" if turn is None else turn,
    ]
