"""Cells of the spreadsheet: words stay words, numbers are finite, and every formula comes with its value.

The value beside a formula is what programs show that do not calculate: previews, mail programs, readers of data.
"""

import io
import math
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from costmodel.exports.data import inert

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

Value = float | int | str

GENERAL, MONEY, PRICE, COUNT, SHARE = "General", "#,##0.00", "#,##0.00####", "#,##0.##", "0.0#"
AMOUNT = '#,##0.00;-#,##0.00;"–"'
"""Amounts of a bill: a line that is not in use shows a dash."""
_A4 = 9
_INK = {"input": "#0000FF", "looked_up": "#0000FF", "formula": "#000000", "muted": "#5B636E", "warning": "#B00020"}
_GROUND = {"input": "#FFF9DB", "looked_up": "#ECEFF3", "head": "#DCE6F2"}


class Book:
    """A workbook that is being written."""

    def __init__(self, *, made_on: date) -> None:
        import xlsxwriter

        self._out = io.BytesIO()
        self.file = xlsxwriter.Workbook(self._out, {"in_memory": True})
        self.file.set_properties({"created": datetime(made_on.year, made_on.month, made_on.day)})
        self._formats: dict[tuple[str, str, bool], Format] = {}
        self.values: dict[str, Value] = {}
        """What each named cell holds."""

    def sheet(self, name: str, widths: tuple[float, ...]) -> "Sheet":
        """A new sheet with columns of these widths."""
        page = self.file.add_worksheet(name)
        for column, width in enumerate(widths):
            page.set_column(column, column, width)
        page.hide_gridlines(2)
        page.set_landscape()
        page.set_paper(_A4)
        page.fit_to_pages(1, 0)
        return Sheet(self, page)

    def format(self, kind: str, shape: str, *, bold: bool = False, quoted: bool = False) -> "Format":
        """How a cell looks: its kind (input, looked_up, formula, head, muted, warning) and the shape of its number."""
        key = (f"{kind}{'!' if quoted else ''}", shape, bold)
        if key not in self._formats:
            look: dict[str, Any] = {"num_format": shape, "font_color": _INK.get(kind, "#000000"), "valign": "top"}
            if kind in _GROUND:
                look["bg_color"] = _GROUND[kind]
            if kind == "head" or bold:
                look["bold"] = True
            if kind == "head":
                look["text_wrap"] = True
            if quoted:
                look["quote_prefix"] = True
            self._formats[key] = self.file.add_format(look)
        return self._formats[key]

    def bytes(self) -> bytes:
        """The finished file."""
        self.file.close()
        return self._out.getvalue()


class Sheet:
    """A sheet that is written row by row."""

    def __init__(self, book: Book, page: "Worksheet") -> None:
        self.book, self.page, self.row = book, page, 0

    @property
    def name(self) -> str:
        return str(self.page.get_name())

    def next(self, rows: int = 1) -> None:
        """Go on below."""
        self.row += rows

    def heads(self, *texts: str) -> None:
        """A row of column heads."""
        for column, text in enumerate(texts):
            self.text(column, text, "head")
        self.next()

    def text(self, column: int, text: str, kind: str = "formula", *, bold: bool = False) -> None:
        """Words, never a formula, even after a reader has edited the cell."""
        look = self.book.format(kind, GENERAL, bold=bold, quoted=inert(text) != text)
        self.page.write_string(self.row, column, text, look)

    def link(self, column: int, url: str, text: str) -> None:
        """Words that open an address; beyond the length that spreadsheets can open, the words alone."""
        longest = 2_000
        if url.startswith(("http://", "https://")) and len(url) <= longest:
            self.page.write_url(self.row, column, url, string=text)
        else:
            self.text(column, text)

    def number(self, column: int, value: float, kind: str, shape: str = GENERAL) -> None:
        """A number that is no formula."""
        self.page.write_number(self.row, column, _finite(value), self.book.format(kind, shape))

    def day(self, column: int, value: date, kind: str) -> None:
        """A day; it has no clock and no time zone."""
        self.page.write_datetime(
            self.row, column, datetime(value.year, value.month, value.day), self.book.format(kind, "yyyy-mm-dd")
        )

    def empty(self, column: int, kind: str) -> None:
        """A cell to be filled in."""
        self.page.write_blank(self.row, column, None, self.book.format(kind, GENERAL))

    def live(
        self,
        column: int,
        formula: str,
        value: Value,
        shape: str = GENERAL,
        *,
        bold: bool = False,
        kind: str = "formula",
    ) -> str:
        """A formula and its value; returns the address of the cell."""
        if not isinstance(value, str):
            value = _finite(value)
        self.page.write_formula(self.row, column, f"={formula}", self.book.format(kind, shape, bold=bold), value)
        return self.address(column)

    def address(self, column: int, row: int | None = None) -> str:
        """The cell of a column, of this row unless another is given, for formulas on any sheet."""
        from xlsxwriter.utility import xl_rowcol_to_cell

        cell = xl_rowcol_to_cell(self.row if row is None else row, column, row_abs=True, col_abs=True)
        return f"'{self.name}'!{cell}"

    def span(self, column: int, first: int, last: int) -> str:
        """Some rows of a column."""
        from xlsxwriter.utility import xl_range_abs

        return f"'{self.name}'!{xl_range_abs(first, column, last, column)}"

    def call(self, name: str, column: int, value: Value) -> None:
        """Give the cell of a column a name for formulas."""
        self.book.file.define_name(name, f"={self.address(column)}")
        self.book.values[name] = value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number for a spreadsheet")
    return value
