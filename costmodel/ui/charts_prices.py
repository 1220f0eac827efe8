"""Prices over time as steps: one panel for each unit, one line for each price, marked where an entry begins."""

from collections.abc import Sequence
from datetime import date, timedelta
from math import log10
from typing import Any

from costmodel.language import say
from costmodel.pricefiles.price_history import Series, Step
from costmodel.ui.charts import LOG_ABOVE_RATIO, MUTED, READER, Figure, axis, hover, layout, money_format, money_ticks
from costmodel.ui.text import Money, basis_word, chart_text
from costmodel.ui.text_prices import figure_words, part_words, unit_words

PALETTE = ("#2f7fd6", "#8e63ce", "#2a9d5c", "#d1495b", "#1d9aa8", "#a9772e", "#c65bb0", "#6b8e23")
"""Colours of lines that stand beside each other, for white and for black ground."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_PANEL_HEIGHT, _GAP_HEIGHT, _MARGINS_HEIGHT, _LINE_HEIGHT = 210, 46, 70, 24
_PLAIN = "$ "
_LEAST_DAYS, _MONTHS_FROM_DAYS = 30, 150


def history_chart(series: Sequence[Series], money: Money, *, price_date: date, today: date) -> Figure:
    """The histories of some prices, up to today; the scenario's price date and today as upright lines."""
    panels = [[each for each in series if each.unit == unit] for unit in dict.fromkeys(each.unit for each in series)]
    first, last = _span(series, price_date, today)
    heights = [max(_PANEL_HEIGHT, _MARGINS_HEIGHT + _LINE_HEIGHT * len(lines)) for lines in panels]
    height = sum(heights) + (len(panels) - 1) * _GAP_HEIGHT
    traces: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    for index, lines in enumerate(panels):
        suffix = "" if index == 0 else str(index + 1)
        top = 1 - (sum(heights[:index]) + index * _GAP_HEIGHT) / height
        domain = [max(0.0, top - heights[index] / height), top]
        y_axis = _amounts(lines, money)
        axes[f"yaxis{suffix}"] = {**y_axis, "domain": domain, "anchor": f"x{suffix}"}
        axes[f"xaxis{suffix}"] = {**_days(first, last, is_last=lines is panels[-1]), "anchor": f"y{suffix}"}
        for number, line in enumerate(lines):
            colour = PALETTE[number % len(PALETTE)]
            dash = DASHES[number // len(PALETTE) % len(DASHES)]
            trace = _trace(line, money, end=last, colour=colour, dash=dash)
            traces.append(trace | {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
            annotations.append(_label(line, money, colour, f"y{suffix}", is_log=y_axis["type"] == "log"))
    return {
        "data": traces,
        "layout": layout(
            **axes,
            shapes=[_upright(day, colour) for day, colour in _marked(price_date, today)],
            annotations=annotations,
            height=height + _MARGINS_HEIGHT,
        ),
    }


def _marked(price_date: date, today: date) -> list[tuple[date, str]]:
    return [(today, MUTED)] if price_date == today else [(price_date, READER), (today, MUTED)]


def _span(series: Sequence[Series], price_date: date, today: date) -> tuple[date, date]:
    """From the first entry to today or the price date, whichever is later; wide enough for a step to be seen."""
    begun = [step.since for each in series for step in each.steps]
    last = max([*begun, price_date, today])
    first = min([*begun, price_date, last - timedelta(days=_LEAST_DAYS)])
    margin = (last - first) / 40
    return first - margin, last + margin


def _amount(value: float, line: Series, money: Money) -> float:
    return money.amount(value) if line.is_money else value


def _words(value: float, line: Series, money: Money) -> str:
    """A price with all its digits where it is shown as published, else with those that matter."""
    if not line.is_money:
        return figure_words(value)
    return money.price(value) if money.factor == 1 else money(value)


def _amounts(lines: Sequence[Series], money: Money) -> dict[str, Any]:
    """The axis of a panel: from 0, or in powers where the prices are too far apart for that."""
    values = [_amount(step.value, line, money) for line in lines for step in line.steps if step.value is not None]
    low, high = min(values), max(values)
    is_money, unit = lines[0].is_money, lines[0].unit
    title = f"{money.name} {unit_words(unit).removeprefix(_PLAIN)}" if is_money else unit_words(unit)
    if low > 0 and high / low > LOG_ABOVE_RATIO:
        low, high = low / 1.6, high * 1.8
        ticks = money_ticks(low, high, money) if is_money else {}
        return axis(title, type="log", range=[log10(low), log10(high)], **ticks)
    form = money_format(high, money) if is_money else {"tickformat": ",~r"}
    return axis(title, type="linear", range=[min(0.0, low * 1.25), high * 1.25 or 1.0], nticks=5, **form)


def _days(first: date, last: date, *, is_last: bool) -> dict[str, Any]:
    form = "%Y-%m" if last - first > timedelta(days=_MONTHS_FROM_DAYS) else "%Y-%m-%d"
    days = {"type": "date", "range": [first.isoformat(), last.isoformat()], "tickformat": form, "nticks": 5}
    return axis(say("Day on which it takes effect") if is_last else "", **days, showticklabels=is_last)


def _trace(line: Series, money: Money, *, end: date, colour: str, dash: str) -> dict[str, Any]:
    """The steps of a price, going on to the end; a mark where each entry begins."""
    steps = line.steps
    values = [None if step.value is None else _amount(step.value, line, money) for step in steps]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [*(step.since.isoformat() for step in steps), end.isoformat()],
        "y": [*values, values[-1]],
        "line": {"color": colour, "width": 2.5, "shape": "hv", "dash": dash},
        "marker": {"color": colour, "size": [*(8 for _ in steps), 0]},
        "hovertext": [*(_hover(step, line, money) for step in steps), _hover(steps[-1], line, money)],
        "hovertemplate": hover("%{hovertext}"),
    }


def _hover(step: Step, line: Series, money: Money) -> str:
    if step.value is None:
        return ""
    return say(
        "{name}: {amount} since {day} ({basis})",
        name=chart_text(series_name(line)),
        amount=_words(step.value, line, money),
        day=step.since.isoformat(),
        basis=basis_word(step.entry.basis),
    )


def series_name(line: Series) -> str:
    """What a line is of: the record, and which of its figures where it has several."""
    part = part_words(line.what, line.where)
    return f"{line.record}, {part}" if part else line.record


def _label(line: Series, money: Money, colour: str, y_axis: str, *, is_log: bool) -> dict[str, Any]:
    """The name of a line, at its right end."""
    newest = next(step for step in reversed(line.steps) if step.value is not None)
    at = _amount(newest.value or 0, line, money)
    return {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yref": y_axis,
        "y": log10(at) if is_log else at,
        "yanchor": "bottom",
        "text": chart_text(f"{series_name(line)} {_words(newest.value or 0, line, money)}"),
        "showarrow": False,
        "font": {"color": colour, "size": 12},
    }


def _upright(day: date, colour: str) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": day.isoformat(),
        "x1": day.isoformat(),
        "y0": 0,
        "y1": 1,
        "line": {"color": colour, "width": 1.5, "dash": "dot"},
        "layer": "below",
    }


def history_table(series: Sequence[Series]) -> list[list[Any]]:
    """The same as data: one row for each entry, amounts as the catalogue has them, in US dollars before tax."""
    rows: list[list[Any]] = [["record", "price", "since", "value", "unit", "basis", "source", "read"]]
    for line in series:
        for step in line.steps:
            part = ", ".join(filter(None, (line.what, line.where)))
            place = step.entry.source
            source = place.document or place.url
            value = "" if step.value is None else step.value
            since, read = step.since.isoformat(), place.seen.isoformat()
            rows.append([line.record, part, since, value, line.unit, step.entry.basis, source, read])
    return rows
