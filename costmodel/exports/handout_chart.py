"""The chart of the handout: drawn as vectors, its labels in the fonts of the page."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from costmodel.exports.fonts import Typesetter
from costmodel.exports.picture import CostPicture, spread
from costmodel.exports.words import Words
from costmodel.units import PERCENT
from costmodel.words import percent_text

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

ACCENT, MUTED, READER = "#0b5cad", "#5b636e", "#b85c00"
_GRID, _LINE = "#e3e6ea", "#8b929c"
_PERCENTS = (0, 20, 40, 60, 80, 100)
_LABELS_SHARE = 0.27
"""How much of the width the names of the price lines have, on the right."""


def draw_chart(
    picture: CostPicture, words: Words, setter: Typesetter, *, width: float, height: float, size: float
) -> "Drawing":
    """Cost over utilization, the API prices named on the right, break-even points and the scenario's own point."""
    from reportlab.graphics.shapes import Drawing

    drawing = Drawing(width, height)
    _Chart(drawing, picture, words, setter, size=size).draw()
    return drawing


@dataclass(frozen=True)
class _Box:
    """Where a label lies."""

    left: float
    foot: float
    right: float
    top: float

    def covers(self, other: "_Box") -> bool:
        return self.left < other.right and other.left < self.right and self.foot < other.top and other.foot < self.top


class _Chart:
    def __init__(
        self, drawing: "Drawing", picture: CostPicture, words: Words, setter: Typesetter, *, size: float
    ) -> None:
        self.drawing, self.picture, self.words, self.setter, self.size = drawing, picture, words, setter, size
        self.ticks = [(tick, self._amount(tick)) for tick in picture.ticks()]
        self.left = max(setter.width(text, size=size) for _, text in self.ticks) + size
        self.right = float(drawing.width) * (1 - _LABELS_SHARE)
        self.foot, self.top = size * 2.9, float(drawing.height) - size * 0.6

    def x(self, percent: float) -> float:
        return self.left + (self.right - self.left) * percent / PERCENT

    def y(self, amount: float) -> float:
        return self.foot + (self.top - self.foot) * self.picture.height(amount)

    def draw(self) -> None:
        self._axes()
        self._price_lines()
        self._curve()
        self._points()

    def _axes(self) -> None:
        for tick, text in self.ticks:
            self._line(self.left, self.y(tick), self.right, self.y(tick), color=_GRID)
            self._write(text, self.left - self.size * 0.4, self.y(tick) - self.size * 0.35, anchor="end", color=MUTED)
        for percent in _PERCENTS:
            at = self.x(percent)
            self._line(at, self.foot, at, self.foot - self.size * 0.3, color=_LINE)
            self._write(percent_text(percent / PERCENT), at, self.foot - self.size * 1.3, anchor="middle", color=MUTED)
        self._line(self.left, self.foot, self.right, self.foot, color=_LINE)
        middle = (self.left + self.right) / 2
        self._write(self.words.labels.utilization_axis, middle, self.size * 0.4, anchor="middle", color=MUTED)

    def _price_lines(self) -> None:
        lines = self.picture.lines
        heights = [self.y(line.amount) for line in lines]
        gap = self.size * 1.15
        places = spread(heights, gap=gap, low=self.foot, high=self.top)
        for line, height, place in zip(lines, heights, places, strict=True):
            self._line(self.left, height, self.right, height, color=_LINE, dashed=True)
            self._line(self.right, height, self.right + self.size * 0.8, place, color=_LINE)
            room = self.drawing.width - self.right - self.size
            text = self._fitted(line.name, self._amount(line.amount), room)
            self._write(text, self.right + self.size, place - self.size * 0.35, color=MUTED)

    def _fitted(self, name: str, amount: str, room: float) -> str:
        """Name and amount, the name shortened to the room there is: the amount is what counts."""
        text = f"{name} {amount}"
        while self.setter.width(text, size=self.size) > room and len(name) > 1:
            name = name[:-1]
            text = f"{name.rstrip()}… {amount}"
        return text

    def _curve(self) -> None:
        from reportlab.graphics.shapes import PolyLine
        from reportlab.lib.colors import HexColor

        points = [at for percent, amount in self.picture.curve for at in (self.x(percent), self.y(amount))]
        self.drawing.add(PolyLine(points, strokeColor=HexColor(ACCENT), strokeWidth=self.size * 0.28, strokeLineJoin=1))

    def _points(self) -> None:
        """Dots with their labels, each where it covers no other; the break-even points are in the table, too."""
        taken: list[_Box] = []
        reader = self.picture.reader
        points = [(point, percent_text(point.percent / PERCENT), ACCENT, "#ffffff") for point in self.picture.crossings]
        if reader is not None:
            points.insert(0, (reader, f"{self.words.labels.reader}: {self._amount(reader.amount)}", READER, READER))
        for point, text, color, fill in points:
            x, y = self.x(point.percent), self.y(point.amount)
            self._dot(x, y, fill=fill, color=color)
            place = self._free_place(x, y, self.setter.width(text, size=self.size, bold=True), taken)
            if place is not None:
                taken.append(place)
                self._write(text, place.left, place.foot, color=color, bold=True)

    def _free_place(self, x: float, y: float, width: float, taken: list["_Box"]) -> "_Box | None":
        """Beside a point: above the falling curve on its right, or below it on its left."""
        size = self.size
        for left, foot in (
            (x + size * 0.5, y + size * 0.5),
            (x - size * 0.5 - width, y - size * 1.2),
            (x + size * 0.8, y - size * 0.35),
        ):
            box = _Box(left, foot, left + width, foot + size)
            inside = box.left >= self.left and box.right <= self.right and box.foot >= self.foot
            if inside and not any(box.covers(other) for other in taken):
                return box
        return None

    def _amount(self, amount: float) -> str:
        return self.words.amount(amount / self.picture.factor)

    def _line(self, x1: float, y1: float, x2: float, y2: float, *, color: str, dashed: bool = False) -> None:
        from reportlab.graphics.shapes import Line
        from reportlab.lib.colors import HexColor

        dash = [self.size * 0.4, self.size * 0.3] if dashed else None
        self.drawing.add(Line(x1, y1, x2, y2, strokeColor=HexColor(color), strokeWidth=0.6, strokeDashArray=dash))

    def _dot(self, x: float, y: float, *, fill: str, color: str) -> None:
        from reportlab.graphics.shapes import Circle
        from reportlab.lib.colors import HexColor

        self.drawing.add(
            Circle(x, y, self.size * 0.38, fillColor=HexColor(fill), strokeColor=HexColor(color), strokeWidth=1.2)
        )

    def _write(self, text: str, x: float, y: float, *, color: str, anchor: str = "start", bold: bool = False) -> None:
        from reportlab.graphics.shapes import String
        from reportlab.lib.colors import HexColor

        whole = self.setter.width(text, size=self.size, bold=bold)
        x -= {"start": 0.0, "middle": whole / 2, "end": whole}[anchor]
        for font, piece in self.setter.runs(text, bold=bold):
            self.drawing.add(String(x, y, piece, fontName=font, fontSize=self.size, fillColor=HexColor(color)))
            x += self.setter.width(piece, size=self.size, bold=bold)
