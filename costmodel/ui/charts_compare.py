"""The cost curves of several scenarios on one chart, each marked at its own utilization and its break-even."""

from math import log10
from typing import Any

from costmodel.compare import Comparison, cost_curve
from costmodel.compared import Compared, Side
from costmodel.language import say
from costmodel.ui.charts import (
    FROM_UTILIZATION,
    LOG_ABOVE_RATIO,
    MUTED,
    Figure,
    axis,
    hover,
    layout,
    money_format,
    money_ticks,
)
from costmodel.ui.charts_prices import DASHES, PALETTE
from costmodel.ui.text import Money, chart_text, tokens_word
from costmodel.ui.text_compare import short_name
from costmodel.units import PERCENT
from costmodel.words import percent_text

_POINTS = 80
_FULL_COSTS_SHOWN = 2.5


def compare_chart(found: Compared, open_one: Comparison) -> Figure:
    """One curve for each scenario that has an answer; grey lines are the cheapest API of each."""
    money = Money(open_one)
    sides = [(side, side.comparison) for side in found.answered if side.comparison is not None]
    low, high, is_log = _range([comparison for _, comparison in sides])
    traces: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    prices: dict[str, float] = {}
    for index, (side, comparison) in enumerate(sides):
        colour, dash = PALETTE[index % len(PALETTE)], DASHES[index % len(DASHES)]
        traces.append(_curve(side, comparison, money, colour, dash, up_to=high * 1.5))
        traces += _marks(side, comparison, money, colour)
        api = comparison.cheapest_api
        if api is not None and api.usd_per_mtok is not None:
            price = Money(comparison).amount(api.usd_per_mtok)
            prices[f"{api.name} {Money(comparison)(api.usd_per_mtok)}"] = price
    for name, price in prices.items():
        traces.insert(0, _api_line(name, price))
        if price > 0 or not is_log:
            annotations.append(_api_label(name, log10(price) if is_log else price))
    return {
        "data": traces,
        "layout": layout(
            xaxis=axis(say("Utilization, % of capacity"), range=[0, 101], ticksuffix=" %"),
            yaxis=axis(
                say("{currency} per {tokens}", currency=money.name, tokens=tokens_word(open_one.scenario)),
                range=[log10(low), log10(high)] if is_log else [low, high],
                type="log" if is_log else "linear",
                **(money_ticks(low, high, money) if is_log else money_format(high, money)),
            ),
            annotations=annotations,
            height=460,
        ),
    }


def _range(comparisons: list[Comparison]) -> tuple[float, float, bool]:
    """Lowest and highest amount on the axis, and whether it is logarithmic; every mark is in sight."""
    at_full = [Money(each).amount(each.self_host.usd_per_mtok_at_full) for each in comparisons]
    marks = [Money(each).amount(each.self_host.usd_per_mtok) for each in comparisons if each.self_host.usd_per_mtok]
    apis = [(each, each.cheapest_api) for each in comparisons]
    prices = [Money(each).amount(api.usd_per_mtok) for each, api in apis if api and api.usd_per_mtok is not None]
    high = max(*at_full, *marks, *prices, _FULL_COSTS_SHOWN * max(at_full))
    least = min([*at_full, *(price for price in prices if price > 0)])
    if high / least > LOG_ABOVE_RATIO:
        return least / 1.6, high * 1.6, True
    return 0.0, high * 1.22, False


def _points(comparison: Comparison) -> list[tuple[float, float]]:
    """The curve of a scenario, from 1 % or from where its own mark stands."""
    marked = [comparison.scenario.utilization_percent / PERCENT]
    api = comparison.cheapest_api
    marked += [api.break_even.utilization] if api and api.break_even.reachable and api.break_even.utilization else []
    return cost_curve(comparison, points=_POINTS, from_utilization=min([FROM_UTILIZATION, *filter(None, marked)]))


def _curve(side: Side, comparison: Comparison, money: Money, colour: str, dash: str, *, up_to: float) -> dict[str, Any]:
    own = Money(comparison)
    points = [(use, own.amount(usd)) for use, usd in _points(comparison) if own.amount(usd) <= up_to]
    name = chart_text(short_name(side))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [use * PERCENT for use, _ in points],
        "y": [amount for _, amount in points],
        "line": {"color": colour, "width": 3.5 if side.is_open else 2.5, "dash": dash},
        "hovertemplate": hover(
            say("{name} at {share} %: {amount}", name=name, share="%{x:.1f}", amount=money.marked("%{y:,.4~r}"))
        ),
    }


def _marks(side: Side, comparison: Comparison, money: Money, colour: str) -> list[dict[str, Any]]:
    """A dot at the scenario's own utilization, with its name; a ring where the cheapest API costs the same."""
    own, api, name = Money(comparison), comparison.cheapest_api, chart_text(short_name(side))
    percent, marks = comparison.scenario.utilization_percent, []
    if comparison.self_host.usd_per_mtok is not None:
        text = f"{name}: {percent_text(percent / PERCENT)}, {own(comparison.self_host.usd_per_mtok)}"
        place = "top left" if percent > PERCENT / 2 else "top right"
        marks.append(_mark(percent, own.amount(comparison.self_host.usd_per_mtok), text, place, colour))
    point = api.break_even if api else None
    if api and api.usd_per_mtok and point and point.reachable and point.utilization:
        at = percent_text(point.utilization)
        ring = _mark(point.utilization * PERCENT, own.amount(api.usd_per_mtok), at, "bottom left", colour)
        ring["marker"] = {"color": "#ffffff", "size": 10, "line": {"color": colour, "width": 2.5}}
        ring["hovertemplate"] = hover(
            say("{name}: break-even with {api} at {share}", name=name, api=chart_text(api.name), share=at)
        )
        marks.append(ring)
    return marks


def _mark(x: float, y: float, text: str, place: str, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x],
        "y": [y],
        "text": [text],
        "textposition": [place],
        "textfont": {"color": colour, "size": 13},
        "marker": {"color": colour, "size": 12},
        "hovertemplate": hover("%{text}"),
        "cliponaxis": False,
    }


def _api_line(name: str, price: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [0, PERCENT],
        "y": [price, price],
        "line": {"color": MUTED, "width": 1.5, "dash": "dash"},
        "name": chart_text(name),
        "hovertemplate": hover("%{fullData.name}"),
    }


def _api_label(name: str, y: float) -> dict[str, Any]:
    return {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yref": "y",
        "y": y,
        "yanchor": "bottom",
        "text": chart_text(name),
        "showarrow": False,
        "font": {"color": MUTED, "size": 12},
    }


def compared_rows(found: Compared, open_one: Comparison) -> list[list[Any]]:
    """The figures of each scenario, and below them the curves: one row for each utilization."""
    currency = open_one.scenario.currency
    own, api = f"self_host_{currency}", f"api_{currency}"
    head = ["scenario", "is_open", "utilization", f"{own}_per_mtok", f"{own}_per_month"]
    rows: list[list[Any]] = [
        [*head, "api", f"{api}_per_mtok", f"{api}_per_month", "break_even_utilization", "winner", "reason"]
    ]
    for side in found.sides:
        rows.append([side.name or "open", side.is_open, *_figures(side.comparison), side.reason or ""])
    for side in found.answered:
        if side.comparison is not None:
            money = Money(side.comparison)
            rows += [[], [f"utilization of {side.name or 'open'}", f"{own}_per_mtok"]]
            rows += [[use, money.amount(usd)] for use, usd in _points(side.comparison)]
    return rows


def _figures(comparison: Comparison | None) -> list[Any]:
    if comparison is None:
        return [""] * 8
    money, own, api = Money(comparison), comparison.self_host, comparison.cheapest_api
    per_mtok = "" if own.usd_per_mtok is None else money.amount(own.usd_per_mtok)
    cells = [comparison.scenario.utilization_percent / PERCENT, per_mtok, money.amount(own.usd_per_month)]
    if api is None or api.usd_per_mtok is None or api.usd_per_month is None:
        return [*cells, "", "", "", "", ""]
    turn = "" if api.break_even.utilization is None else api.break_even.utilization
    return [*cells, api.id, money.amount(api.usd_per_mtok), money.amount(api.usd_per_month), turn, api.winner]
