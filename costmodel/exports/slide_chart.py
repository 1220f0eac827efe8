"""The native chart of the slide: its data can be edited, its labels stand at the lines."""

from dataclasses import replace
from math import floor, log10
from typing import Any

from costmodel.exports.picture import CostPicture, Marked, spread
from costmodel.exports.words import Words
from costmodel.units import PERCENT
from costmodel.words import percent_text

ACCENT, MUTED, READER = "0B5CAD", "5B636E", "B85C00"
_LINE, _GRID = "8B929C", "E3E6EA"
_PLOT = {"x": 0.075, "y": 0.03, "w": 0.64, "h": 0.83}
"""The plot as parts of the chart; the names of the price lines stand right of it."""
_LABEL_GAP, _LABEL_WIDTH_PERCENT = 0.05, 6
"""Room that a label takes: of the height of the chart, of the utilization axis."""
_XMLNS = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def _from_a_power_of_ten(picture: CostPicture) -> CostPicture:
    """The same with a logarithmic axis that starts where office programs count its steps from."""
    return replace(picture, low=10.0 ** floor(log10(picture.low))) if picture.is_log else picture


def draw_slide_chart(
    page: Any, picture: CostPicture, words: Words, *, place: tuple[float, float, float, float]
) -> None:
    """A native scatter chart: the curve, a level line for each API, break-even points, the scenario's own point."""
    from pptx.chart.data import XyChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    labels, picture = words.labels, _from_a_power_of_ten(picture)
    data = XyChartData()  # type: ignore[no-untyped-call]
    _series(data, labels.own, picture.curve)
    for line in picture.lines:
        _series(data, line.name, [(0, line.amount), (PERCENT, line.amount)])
    if picture.crossings:
        _series(data, labels.break_even, [(point.percent, point.amount) for point in picture.crossings])
    if picture.reader is not None:
        _series(data, labels.reader, [(picture.reader.percent, picture.reader.amount)])
    shape = page.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, *(Inches(each) for each in place), data)
    shape.name = labels.chart.format(per=words.per)
    shape._element.nvGraphicFramePr.cNvPr.set("descr", words.verdict)
    chart = shape.chart
    chart.has_legend, chart.has_title = False, False
    _axes(chart, picture, words)
    _plot_place(chart)
    _draw_series(chart, picture, words)


def _series(data: Any, name: str, points: Any) -> None:
    series = data.add_series(name)
    for percent, amount in points:
        series.add_data_point(percent, amount)


def _axes(chart: Any, picture: CostPicture, words: Words) -> None:
    from pptx.util import Pt

    across, up = chart.category_axis, chart.value_axis
    across.minimum_scale, across.maximum_scale, across.major_unit = 0, PERCENT, PERCENT / 5
    across.tick_labels.number_format, across.tick_labels.number_format_is_linked = '0" %"', False
    across.has_major_gridlines = False
    up.minimum_scale, up.maximum_scale = picture.low, picture.high
    ticks = [tick for tick in picture.ticks() if tick > 0]
    if picture.is_log:
        _set_logarithmic(up)
    else:
        up.major_unit = ticks[0]
    up.tick_labels.number_format = "#,##0.00" if ticks[0] < 1 else "#,##0"
    up.tick_labels.number_format_is_linked = False
    _color_line(up.major_gridlines.format.line, _GRID, 0.75)
    titles = (
        (across, words.labels.utilization_axis),
        (up, f"{words.currency}, {words.labels.price.format(per=words.per)}"),
    )
    for axis, title in titles:
        axis.axis_title.text_frame.text = title
        font = axis.axis_title.text_frame.paragraphs[0].runs[0].font
        font.size, font.bold = Pt(10), False
        axis.tick_labels.font.size = Pt(10)
        _color_line(axis.format.line, _LINE, 0.75)


def _set_logarithmic(axis: Any) -> None:
    """What python-pptx has no setter for: a logarithmic axis, in the place the file format wants it."""
    from lxml import etree

    scaling = axis._element.find(f"{{{_XMLNS}}}scaling")
    base = etree.SubElement(scaling, f"{{{_XMLNS}}}logBase")
    base.set("val", "10")
    scaling.insert(0, base)


def _plot_place(chart: Any) -> None:
    """The plot keeps its place, so that the names beside it have theirs."""
    from lxml import etree

    plot = chart._chartSpace.chart.plotArea
    for old in plot.findall(f"{{{_XMLNS}}}layout"):
        plot.remove(old)
    layout = etree.Element(f"{{{_XMLNS}}}layout")
    manual = etree.SubElement(layout, f"{{{_XMLNS}}}manualLayout")
    settings = {"layoutTarget": "inner", "xMode": "edge", "yMode": "edge", **_PLOT}
    for name, value in settings.items():
        etree.SubElement(manual, f"{{{_XMLNS}}}{name}").set("val", str(value))
    plot.insert(0, layout)


def _draw_series(chart: Any, picture: CostPicture, words: Words) -> None:
    from pptx.enum.chart import XL_LABEL_POSITION
    from pptx.enum.dml import MSO_LINE

    drawn = iter(chart.plots[0].series)
    curve = next(drawn)
    curve.smooth = False
    _color_line(curve.format.line, ACCENT, 3.25)
    heights = [picture.height(line.amount) for line in picture.lines]
    places = spread(heights, gap=_LABEL_GAP, low=0, high=1)
    for line, height, place in zip(picture.lines, heights, places, strict=True):
        series = next(drawn)
        _color_line(series.format.line, _LINE, 1.25)
        series.format.line.dash_style = MSO_LINE.DASH
        series.smooth = False
        text = f"{line.name} {words.amount(line.amount / picture.factor)}"
        label = _label(series, 1, text, XL_LABEL_POSITION.RIGHT, color=MUTED)
        if place != height:
            _move(label, up=(place - height) * _PLOT["h"])
    if picture.crossings:
        series = next(drawn)
        _points_only(series, color=ACCENT)
        for index, place in enumerate(_crossing_places(picture)):
            if place is not None:
                percent = percent_text(picture.crossings[index].percent / PERCENT)
                _label(series, index, percent, place, color=ACCENT, bold=True)
    if picture.reader is not None:
        series = next(drawn)
        _points_only(series, color=READER)
        text = f"{words.labels.reader}: {words.amount(picture.reader.amount / picture.factor)}"
        side = "RIGHT" if picture.reader.percent < 75 else "ABOVE"
        _label(series, 0, text, getattr(XL_LABEL_POSITION, side), color=READER, bold=True)


def _crossing_places(picture: CostPicture) -> list[Any]:
    """Where each break-even's label stands; None where it would cover another. The table of the handout has all."""
    from pptx.enum.chart import XL_LABEL_POSITION

    places: list[Any] = []
    last: Marked | None = None
    for point in picture.crossings:
        if last is not None and _are_close(picture, last, point):
            places.append(None)
            continue
        side = "RIGHT" if point.percent < 15 else "LEFT" if point.percent < 50 else "BELOW"
        places.append(getattr(XL_LABEL_POSITION, side))
        last = point
    return places


def _are_close(picture: CostPicture, one: Marked, other: Marked) -> bool:
    """Whether the labels of two points would cover each other."""
    is_beside = abs(one.percent - other.percent) < _LABEL_WIDTH_PERCENT
    return is_beside and abs(picture.height(one.amount) - picture.height(other.amount)) < _LABEL_GAP


def _points_only(series: Any, *, color: str) -> None:
    from pptx.enum.chart import XL_MARKER_STYLE

    series.format.line.fill.background()
    marker = series.marker
    marker.style, marker.size = XL_MARKER_STYLE.CIRCLE, 9
    marker.format.fill.solid()
    marker.format.fill.fore_color.rgb = color_of(color)
    _color_line(marker.format.line, color, 2)


def _label(series: Any, index: int, text: str, place: Any, *, color: str, bold: bool = False) -> Any:
    from pptx.util import Pt

    label = series.points[index].data_label
    label.position = place
    label.text_frame._txBody.bodyPr.set("wrap", "none")
    run = label.text_frame.paragraphs[0].add_run()
    run.text = text
    run.font.size, run.font.bold, run.font.color.rgb = Pt(10), bold, color_of(color)
    return label


def _move(label: Any, *, up: float) -> None:
    """Shift a label, as a part of the height of the chart."""
    from lxml import etree

    element = label._dLbl
    layout = element.find(f"{{{_XMLNS}}}layout")
    if layout is None:
        layout = etree.Element(f"{{{_XMLNS}}}layout")
        element.insert(1, layout)
    manual = etree.SubElement(layout, f"{{{_XMLNS}}}manualLayout")
    for name, value in (("x", 0.0), ("y", -up)):
        etree.SubElement(manual, f"{{{_XMLNS}}}{name}").set("val", f"{value:.4f}")


def _color_line(line: Any, color: str, width: float) -> None:
    from pptx.util import Pt

    line.color.rgb = color_of(color)
    line.width = Pt(width)


def color_of(text: str) -> Any:
    """A colour from its six hexadecimal digits."""
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(text)  # type: ignore[no-untyped-call]
