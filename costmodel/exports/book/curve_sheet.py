"""The sheet Curve: cost of a token over utilization with the price of each API, and a native chart of it."""

from typing import Any

from costmodel.compare import Comparison
from costmodel.exports.book.breakeven_sheet import PriceRows
from costmodel.exports.book.cells import PRICE, SHARE, Book, Sheet
from costmodel.exports.picture import LOG_ABOVE_RATIO
from costmodel.exports.words import Words
from costmodel.units import PERCENT

_USE, _OWN, _FIRST_API = 0, 1, 2
_ROWS = 61
_HEAD_HEIGHT = 32
_TIMES_HIGHEST = 2.5
_CHART = {"width": 1100, "height": 560}
_OWN_COLOR, _READER_COLOR = "#0B5CAD", "#B85C00"
_API_COLORS = ("#5B636E", "#8B929C", "#3D7A68", "#7A5C99", "#9C6B3D", "#4C7DA8")
_GRID = "#E3E6EA"
_DASHES = ("dash", "dash_dot", "long_dash", "round_dot")


def write_curve(book: Book, comparison: Comparison, words: Words, rows: PriceRows) -> None:
    """The sheet. The curve starts where it enters the picture, so that its steep end does not flatten the rest."""
    sheet = book.sheet("Curve", (16, 18, *[18] * len(rows.price_cells)))
    factor, divisor = comparison.money_factor, float(book.values["basis_divisor"])
    at_full = comparison.self_host.usd_per_mtok_at_full * factor
    prices = [usd / divisor * factor for _, _, usd in rows.price_cells]
    sheet.text(_USE, f"Cost per {words.per}, {comparison.scenario.currency}", bold=True)
    sheet.next()
    sheet.text(_USE, "Full use costs")
    full = sheet.live(_OWN, "usd_per_mtok_at_full*money_factor", at_full, PRICE)
    sheet.next()
    sheet.text(_USE, "Shown up to")
    others = f",{rows.prices}" if rows.price_cells else ""
    top_now = _TIMES_HIGHEST * max([at_full, *prices])
    top = sheet.live(_OWN, f"{_TIMES_HIGHEST}*MAX({full}{others})", top_now, PRICE)
    sheet.next()
    reader = _reader(sheet, comparison, words, top, top_now)
    sheet.next()
    sheet.text(_USE, "Utilization, %", "head")
    sheet.text(_OWN, words.labels.own, "head")
    for index, (name, _, _) in enumerate(rows.price_cells):
        sheet.live(_FIRST_API + index, name, _names(comparison)[index], kind="head")
    head = sheet.row
    sheet.page.set_row(head, _HEAD_HEIGHT)
    sheet.next()
    sheet.number(_USE, 0, "formula", SHARE)
    for place, (_, price, _) in enumerate(rows.price_cells):
        sheet.live(_FIRST_API + place, price, prices[place], PRICE)
    sheet.next()
    first = sheet.row
    start = at_full / top_now * PERCENT
    for index in range(_ROWS):
        part = index / (_ROWS - 1)
        lowest = f"{full}/{top}*{PERCENT}"
        use_now = start + (PERCENT - start) * part**2
        step = f"{lowest}+({PERCENT}-{lowest})*({index}/{_ROWS - 1})^2"
        use = sheet.live(_USE, step, use_now, SHARE)
        sheet.live(_OWN, f"{full}/({use}/{PERCENT})", at_full / (use_now / PERCENT), PRICE)
        for place, (_, price, _) in enumerate(rows.price_cells):
            sheet.live(_FIRST_API + place, price, prices[place], PRICE)
        sheet.next()
    is_log = top_now / min([at_full, *(price for price in prices if price > 0)]) > LOG_ABOVE_RATIO * _TIMES_HIGHEST
    _chart(sheet, comparison, words, head, first, len(prices), reader, is_log=is_log)


def _names(comparison: Comparison) -> list[str]:
    return [api.name for api in comparison.apis if api.quote is not None]


def _reader(sheet: Sheet, comparison: Comparison, words: Words, top: str, top_now: float) -> int:
    """The scenario's own point; where nothing is served, at the upper edge."""
    own = comparison.self_host.usd_per_mtok
    percent = comparison.scenario.utilization_percent
    cost = top_now if own is None else min(own * comparison.money_factor, top_now)
    sheet.text(_FIRST_API, words.labels.reader)
    sheet.live(_USE, "utilization_percent", percent, SHARE)
    sheet.live(_OWN, f"IF(utilization_percent=0,{top},MIN(own_price,{top}))", cost, PRICE)
    row = sheet.row
    sheet.next()
    return row


def _chart(
    sheet: Sheet, comparison: Comparison, words: Words, head: int, first: int, apis: int, reader: int, *, is_log: bool
) -> None:
    last, name, labels = first + _ROWS - 1, sheet.name, words.labels
    chart = sheet.book.file.add_chart({"type": "scatter", "subtype": "straight"})
    across, from_zero = [name, first, _USE, last, _USE], [name, first - 1, _USE, last, _USE]
    for index in range(apis):
        column = _FIRST_API + index
        line = {
            "color": _API_COLORS[index % len(_API_COLORS)],
            "width": 1.5,
            "dash_type": _DASHES[index // len(_API_COLORS) % len(_DASHES)],
        }
        values = [name, first - 1, column, last, column]
        chart.add_series({"name": [name, head, column], "categories": from_zero, "values": values, "line": line})
    own_line = {"color": _OWN_COLOR, "width": 3.25}
    own = [name, first, _OWN, last, _OWN]
    chart.add_series({"name": [name, head, _OWN], "categories": across, "values": own, "line": own_line})
    marker = {"type": "circle", "size": 9, "fill": {"color": _READER_COLOR}, "border": {"color": _READER_COLOR}}
    point = {"categories": [name, reader, _USE, reader, _USE], "values": [name, reader, _OWN, reader, _OWN]}
    chart.add_series({"name": labels.reader, **point, "marker": marker, "line": {"none": True}})
    chart.set_title({"name": labels.chart.format(per=words.per), "name_font": {"size": 14}, "overlay": False})
    chart.set_x_axis({"name": labels.utilization_axis, "min": 0, "max": PERCENT, "num_format": '0" %"'})
    grid = {"visible": True, "line": {"color": _GRID, "width": 0.75}}
    price_axis: dict[str, Any] = {
        "name": f"{words.currency}, {labels.price.format(per=words.per)}",
        "num_format": "#,##0.00",
        "major_gridlines": grid,
    }
    chart.set_y_axis({**price_axis, **({"log_base": 10} if is_log else {"min": 0})})
    chart.set_legend({"position": "right"})
    chart.set_size(_CHART)
    sheet.page.insert_chart(head, _FIRST_API + apis + 1, chart, {"description": words.verdict})
