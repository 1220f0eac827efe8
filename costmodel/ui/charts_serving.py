"""What the hardware can do, as plain plotly dicts: cost over speed, the pool that binds, memory against price."""

from math import floor, log10
from typing import Any

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.hardware import HardwareReport, Node, State
from costmodel.machine.prefill import own_cached_share_at
from costmodel.machine.prefill_answer import PrefillReport
from costmodel.machine.speed_answer import ApiSpeed, AtSpeed, SpeedReport, cost_at_utilization
from costmodel.ui.charts import MUTED, OWN, READER, Figure, axis, hover, layout, money_axis, money_ticks
from costmodel.ui.text import Money, as_typed, chart_text, number, tokens_word
from costmodel.words import count_text, percent_text

SPEEDS = 60
_CLIPPED_ABOVE = 6
"""Times the lowest cost beyond which a curve leaves the chart, so that its end does not flatten the rest."""
_SHARES = (1.0, 0.75, 0.5, 0.25)
"""Shares of decode's output whose lines the map of prefill shows."""
_MAP_POINTS = 60
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


def _label(x: float, y: float, text: str, colour: str, **more: Any) -> dict[str, Any]:
    return {
        "x": x,
        "y": y,
        "text": chart_text(text),
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "font": {"color": colour, "size": 12},
        **more,
    }


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
        _label(
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
    return [line], [_label(at, 0.9, text, READER, yref="paper", xshift=4)]


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
        labels.append(_label(x, y * 100, name, OWN if is_edge else MUTED, xanchor="right"))
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
            _label(log10(best.memory_gb), log10(money.amount(best.usd_per_month)), name, OWN, yanchor="top", yshift=-10)
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
        labels.append(_label(log10(report.floor_gb), 0.94, floor, MUTED, yref="paper", xanchor="right", xshift=-4))
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
