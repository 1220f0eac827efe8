"""Charts as plain plotly dicts: few traces and points, labels at the lines, colours for white and for black ground."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, floor, log10
from typing import Any

from costmodel.compare import ApiAnswer, Comparison, cost_at, cost_curve
from costmodel.language import marks, number_text, say, spoken
from costmodel.ui.text import Money, chart_text, tokens_word
from costmodel.units import PERCENT
from costmodel.words import percent_text

OWN, MUTED, READER = "#2f7fd6", "#8b929c", "#d97a1e"
POINTS = 160
FROM_UTILIZATION = 0.01
UTILIZATION_STEP_PERCENT = 0.5
LOG_ABOVE_RATIO = 12
_POWERS_ONLY_ABOVE_RATIO = 1_000
_READER_BELOW_FROM = 62
_MOST_STEPS = 4
_SIDES = {"top right": 0.035, "middle right": 0.0, "bottom right": -0.035}
_LABEL_GAP = 0.055

Figure = dict[str, Any]
Point = tuple[float, float, str, str]
"""x, y, label, side of the label."""


def axis(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, "zeroline": False, "automargin": True, "fixedrange": False, **more}


def hover(text: str) -> str:
    """A hover text, without the box that plotly puts beside it."""
    return f"{text}<extra></extra>"


def money_axis(title: str, money: Money, *, high: float) -> dict[str, Any]:
    """A few round amounts from 0, short enough for a phone: plotly's own would be turned there, and billions G."""
    power = 10.0 ** floor(log10(high / _MOST_STEPS))
    step = next(by * power for by in (1, 2, 5, 10) if by * power >= high / _MOST_STEPS)
    values = [step * index for index in range(floor(high / step) + 1)]
    short = ((say("B"), 9, 1e9), (say("M"), 6, 1e6), (say("k"), 3, 1e4))
    unit, zeros = next(((unit, zeros) for unit, zeros, least in short if high >= least), ("", 0))
    digits = 0 if step >= 1 else max(2, -floor(log10(step)))
    texts = [
        number_text(f"{value / 10**zeros:g}") + unit if value and unit else number_text(f"{value:,.{digits}f}")
        for value in values
    ]
    # Where a language has a word for the unit, the title alone names the currency: there is no room for both.
    marked = str if len(unit) > 1 else money.marked
    return axis(title, range=[0, high], tickvals=values, ticktext=[marked(text) for text in texts])


def money_format(high: float, money: Money) -> dict[str, Any]:
    """Amounts written out (plotly's own format turns billions into G), with cents where the axis needs them."""
    before, after = money.around
    return {"tickformat": ",.2f" if 0.5 <= high < 10 else ",~r", "tickprefix": before, "ticksuffix": after}


def distinct(names: list[str]) -> list[str]:
    """Names as categories of an axis, where two bars of one name would be drawn over each other."""
    counted = [(name, names[:index].count(name)) for index, name in enumerate(names)]
    return [chart_text(f"{name} ({before + 1})" if before else name) for name, before in counted]


def layout(**more: Any) -> dict[str, Any]:
    return {
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "showlegend": False,
        "hovermode": "closest",
        "font": {"size": 13},
        "separators": "".join(reversed(marks())),
        **more,
    }


def text_label(x: float, y: float, text: str, colour: str, **more: Any) -> dict[str, Any]:
    """A text without an arrow, right of and above its point unless `more` says otherwise."""
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


def priced(comparison: Comparison) -> list[ApiAnswer]:
    """The APIs that have a price on the day, cheapest first."""
    with_price = [api for api in comparison.apis if api.usd_per_mtok is not None]
    return sorted(with_price, key=lambda api: api.usd_per_mtok or 0)


def _price_range(comparison: Comparison, money: Money) -> tuple[float, float, bool]:
    """Lowest and highest amount on the price axis, and whether it is logarithmic.

    Clipped so that the spike at low utilization does not flatten the rest; the reader's own cost stays in sight.
    """
    own = comparison.self_host
    prices = [money.amount(api.usd_per_mtok or 0) for api in priced(comparison)]
    at_full = money.amount(own.usd_per_mtok_at_full)
    at_reader = money.amount(own.usd_per_mtok) if own.usd_per_mtok is not None else at_full
    high = max([*prices, 2.5 * at_full])
    positive = [price for price in prices if price > 0] + [at_full]
    is_log = max(high, at_reader) / min(positive) > LOG_ABOVE_RATIO
    if is_log:
        return min(positive) / 1.6, max(high, at_reader) * 1.6, True
    return 0.0, max(high, at_reader) * 1.22, False


def _label_feet(heights: list[float], lines: list[float]) -> list[float]:
    """Where the label of each of these lines stands, from bottom to top; `lines` are all lines of the chart.

    Above its line, or below it, where it covers no label and no line crosses it; else above the label before.
    """
    feet: list[float] = []
    for own in heights:
        free_from = feet[-1] + _LABEL_GAP if feet else float("-inf")
        clear = [
            foot
            for foot in (own, own - _LABEL_GAP)
            if foot >= free_from and not any(foot < line < foot + _LABEL_GAP for line in lines if line != own)
        ]
        feet.append(clear[0] if clear else max(own, free_from))
    return feet


def _break_even_sides(
    comparison: Comparison, crossing: list[ApiAnswer], money: Money, height: Callable[[float], float]
) -> list[str]:
    """Where the label of each break-even stands: left below the flat part of the curve, right of its steep part.

    On the steep part it goes up or down until it covers no other, nor the reader's. Near the reader's label, where that
    hangs below the curve, it stands above.
    """
    sides: list[str] = []
    own, reader = comparison.self_host, comparison.scenario.utilization_percent
    taken = [] if own.usd_per_mtok is None else [height(money.amount(own.usd_per_mtok)) + _SIDES["top right"]]
    for api in crossing:
        percent, at = (api.break_even.utilization or 0) * 100, height(money.amount(api.usd_per_mtok or 0))
        if percent > 20:
            is_beside_reader = reader > _READER_BELOW_FROM and abs(percent - reader) < 15
            sides.append("top right" if is_beside_reader else "bottom left")
            continue
        free = [side for side, by in _SIDES.items() if all(abs(at + by - other) > 0.04 for other in taken)]
        sides.append(free[0] if free else "bottom right")
        taken.append(at + _SIDES[sides[-1]])
    return sides


def _line_labels(comparison: Comparison, money: Money, height: Callable[[float], float]) -> list[dict[str, Any]]:
    """Names at the API lines, on the side where the curve is not: left of it, or right where it crosses early."""
    labels: list[dict[str, Any]] = []
    lines = [height(money.amount(api.usd_per_mtok or 0)) for api in priced(comparison)]
    for on_left in (True, False):
        apis = [api for api in priced(comparison) if _crosses_late(api) == on_left]
        feet = _label_feet([height(money.amount(api.usd_per_mtok or 0)) for api in apis], lines)
        labels += [
            {
                "xref": "paper",
                "yref": "paper",
                "x": 0.005 if on_left else 1,
                "y": foot,
                "xanchor": "left" if on_left else "right",
                "yanchor": "bottom",
                "text": chart_text(f"{api.name} {money(api.usd_per_mtok or 0)}"),
                "showarrow": False,
                "font": {"color": MUTED, "size": 12},
            }
            for api, foot in zip(apis, feet, strict=True)
        ]
    return labels


def _crosses_late(api: ApiAnswer) -> bool:
    utilization = api.break_even.utilization
    return utilization is not None and utilization > 0.5


def money_ticks(low: float, high: float, money: Money) -> dict[str, Any]:
    """Ticks of a logarithmic price axis, each with its whole amount (plotly would write 20 as a bare 2)."""
    steps = (1,) if high / low > _POWERS_ONLY_ABOVE_RATIO else (1, 2, 5)
    powers = range(floor(log10(low)), ceil(log10(high)))
    ticks = [(step * 10.0**power, max(0, -power)) for power in powers for step in steps]
    inside = [(value, digits) for value, digits in ticks if low <= value <= high]
    return {
        "tickvals": [value for value, _ in inside],
        "ticktext": [money.marked(number_text(f"{value:,.{digits}f}")) for value, digits in inside],
    }


def cost_chart(comparison: Comparison) -> Figure:
    """Cost per token over utilization, API price lines, break-even points, the reader's utilization."""
    money, own = Money(comparison), comparison.self_host
    low, high, is_log = _price_range(comparison, money)

    def height(amount: float) -> float:
        """Where an amount lies on the price axis, 0 bottom to 1 top."""
        if is_log:
            return (log10(max(amount, low)) - log10(low)) / (log10(high) - log10(low))
        return amount / high

    curve = [(use, money.amount(usd)) for use, usd in _curve(comparison) if money.amount(usd) <= high * 1.5]
    apis = priced(comparison)
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [0, 100],
            "y": [money.amount(api.usd_per_mtok or 0)] * 2,
            "line": {"color": MUTED, "width": 1.5, "dash": "dash"},
            "name": chart_text(f"{api.name} {money(api.usd_per_mtok or 0)}"),
            "hovertemplate": "%{fullData.name}<extra></extra>",
        }
        for api in apis
    ]
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "x": [use * 100 for use, _ in curve],
            "y": [amount for _, amount in curve],
            "line": {"color": OWN, "width": 3.5},
            "hovertemplate": hover(
                say("Own GPUs at {share} %: {amount}", share="%{x:.1f}", amount=money.marked("%{y:,.4~r}"))
            ),
        }
    )
    crossing = [api for api in reversed(apis) if api.break_even.reachable and api.break_even.utilization]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": [(api.break_even.utilization or 0) * 100 for api in crossing],
            "y": [money.amount(api.usd_per_mtok or 0) for api in crossing],
            "text": [percent_text(api.break_even.utilization or 0) for api in crossing],
            "textposition": _break_even_sides(comparison, crossing, money, height),
            "textfont": {"color": OWN, "size": 13},
            "marker": {"color": "#ffffff", "size": 10, "line": {"color": OWN, "width": 2.5}},
            "hovertext": [chart_text(api.name) for api in crossing],
            "hovertemplate": hover(say("Break-even with {api}: {share}", api="%{hovertext}", share="%{text}")),
            "cliponaxis": False,
        }
    )
    if own.usd_per_mtok is not None:
        traces.append(_reader_marker(comparison, money))
    return {
        "data": traces,
        "layout": layout(
            xaxis=axis(say("Utilization, % of capacity"), range=[0, 101], ticksuffix=" %"),
            yaxis=axis(
                say("{currency} per {tokens}", currency=money.name, tokens=tokens_word(comparison.scenario)),
                range=[log10(low), log10(high)] if is_log else [low, high],
                type="log" if is_log else "linear",
                **(money_ticks(low, high, money) if is_log else money_format(high, money)),
            ),
            annotations=_line_labels(comparison, money, height),
            height=430,
        ),
    }


def _curve(comparison: Comparison) -> list[tuple[float, float]]:
    """The cost curve from 1 %, or from the reader's utilization or a break-even point that lies below."""
    marked = [api.break_even.utilization for api in comparison.apis if api.break_even.reachable]
    marked.append(comparison.scenario.utilization_percent / 100)
    return cost_curve(comparison, points=POINTS, from_utilization=min([FROM_UTILIZATION, *filter(None, marked)]))


def _reader_marker(comparison: Comparison, money: Money) -> dict[str, Any]:
    at_full, percent = comparison.self_host.usd_per_mtok_at_full, comparison.scenario.utilization_percent
    x, y, label, place = _reader_point(at_full, money, percent)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x],
        "y": [y],
        "text": [label],
        "textposition": place,
        "textfont": {"color": READER, "size": 13},
        "marker": {"color": READER, "size": 12},
        "hovertemplate": "%{text}<extra></extra>",
        "cliponaxis": False,
    }


def _reader_point(usd_at_full: float, money: Money, percent: float) -> Point:
    """Where the reader stands at a utilization: x, y, the label, and the side of the label."""
    usd = cost_at(usd_per_mtok_at_full=usd_at_full, utilization=percent / PERCENT)
    place = "bottom left" if percent > _READER_BELOW_FROM else "top right"
    label = say("you: {share}, {amount}", share=percent_text(percent / PERCENT), amount=money(usd))
    return percent, money.amount(usd), label, place


def reader_track(usd_at_full: float, money: Money) -> dict[str, Point]:
    """The reader's point for every step of the utilization slider, so that the chart can follow it at once.

    The words above the chart follow when the server has answered; the points are of the same equation.
    """
    return _track(usd_at_full, money, spoken())


@lru_cache(maxsize=256)
def _track(usd_at_full: float, money: Money, language: str) -> dict[str, Point]:
    """`language` is the one in use; it keeps the labels of each apart."""
    steps = range(1, round(PERCENT / UTILIZATION_STEP_PERCENT) + 1)
    percents = (step * UTILIZATION_STEP_PERCENT for step in steps)
    return {f"{percent:g}": _reader_point(usd_at_full, money, percent) for percent in percents}


def cost_table(comparison: Comparison) -> list[list[Any]]:
    """The main chart's data: one row for each utilization, one column for each price."""
    money, apis = Money(comparison), priced(comparison)
    currency = comparison.scenario.currency
    head = ["utilization", f"self_host_{currency}_per_mtok", *(f"{api.id} {currency}" for api in apis)]
    prices = [money.amount(api.usd_per_mtok or 0) for api in apis]
    return [head, *([use, money.amount(usd), *prices] for use, usd in _curve(comparison))]
