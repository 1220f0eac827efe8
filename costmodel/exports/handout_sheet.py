"""The contents of the handout, set in one size of type."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison
from costmodel.exports.fonts import MARK, Typesetter
from costmodel.exports.handout_chart import ACCENT, MUTED, draw_chart
from costmodel.exports.picture import cost_picture
from costmodel.exports.sources import Used, sources_of
from costmodel.exports.words import Words
from costmodel.ledger import CostLine
from costmodel.link import link
from costmodel.words import percent_text

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

_GAP = 8.5
_MOST_SOURCES, _MOST_ASSUMPTIONS, _MOST_NOTES = 16, 24, 10
_WEB = re.compile(r"https?://[^\s<>\"']+")


@dataclass
class Sheet:
    """The page at one size of type."""

    catalog: Catalog
    comparison: Comparison
    words: Words
    address: str
    width: float
    chart_height: float
    scale: float = 1

    def __post_init__(self) -> None:
        self.type = Typesetter()

    def story(self) -> "list[Flowable]":
        words, labels = self.words, self.words.labels
        api = self.comparison.cheapest_api
        own = self.comparison.self_host
        bills = [self._bill(labels.own_bill, own.lines, own.usd_per_month)]
        if api is not None and api.usd_per_month is not None:
            bills.append(self._bill(labels.api_bill.format(name=api.name), api.lines, api.usd_per_month))
        story = [
            self._text(words.title, 17, bold=True),
            self._text(words.scenario, 8.5, color=MUTED),
            self._text(words.verdict, 12, bold=True, color=ACCENT, before=4),
            *([self._text(words.second_look, 9)] if words.second_look else []),
            self._figures(),
            self._text(labels.chart.format(per=words.per), 8.5, bold=True, before=5),
            draw_chart(
                cost_picture(self.comparison),
                words,
                self.type,
                width=self.width,
                height=self.chart_height,
                size=7.5 * self.scale,
            ),
            self._columns([self._compared()], self._assumptions(), left_share=0.56),
            self._columns(*[[each] for each in bills], *([] if len(bills) == 2 else [[]]), left_share=0.5),
            *self._listed(labels.good_to_know, words.good_to_know, _MOST_NOTES),
            *self._sources(),
            self._text(" ".join(words.notes), 7.5, bold=True, before=4),
            *self._link(),
        ]
        if self.type.unprintable:
            characters = " ".join(f"U+{ord(each):04X}" for each in self.type.unprintable)
            story.append(self._text(labels.unprintable.format(mark=MARK, characters=characters), 6.5, color=MUTED))
        return story

    def _text(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        color: str = "#1a1a1a",
        before: float = 1,
        right: bool = False,
    ) -> "Flowable":
        return self._marked(self.type.markup(text, bold=bold), size, color=color, before=before, right=right)

    def _marked(
        self, markup: str, size: float, *, color: str = "#1a1a1a", before: float = 1, right: bool = False
    ) -> "Flowable":
        """A paragraph from finished markup; words too long for a line, like links, break anywhere."""
        from reportlab.lib.colors import HexColor
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.platypus import Paragraph

        size *= self.scale
        style = ParagraphStyle(
            "text",
            fontSize=size,
            leading=size * 1.22,
            textColor=HexColor(color),
            spaceBefore=before * self.scale,
            alignment=2 if right else 0,
            splitLongWords=1,
        )
        return Paragraph(markup, style)

    def _figures(self) -> "Flowable":
        """The figures that answer, in frames side by side."""
        cells = [
            [self._text(each.label, 8, color=MUTED), self._text(each.value, 15, bold=True), self._text(each.below, 7)]
            for each in self.words.figures
        ]
        frame = ("BOX", "INNERGRID")
        return self._table(
            [cells], [self.width / len(cells)] * len(cells), [(each, (0, 0), (-1, -1)) for each in frame]
        )

    def _compared(self) -> "Flowable":
        """Every price and bill in one table, own GPUs first."""
        labels, words, own = self.words.labels, self.words, self.comparison.self_host
        head = ["", labels.price.format(per=words.per), labels.month, labels.break_even]
        cost = "–" if own.usd_per_mtok is None else words.amount(own.usd_per_mtok)
        rows = [[labels.own, cost, words.amount(own.usd_per_month), "–"]]
        rows += [self._api_row(api) for api in self.comparison.apis]
        width = self.width * 0.56 - self._gap
        cells = [
            [self._text(cell, 7, bold=index == 0, right=place > 0) for place, cell in enumerate(row)]
            for index, row in enumerate([[labels.compared, *head[1:]], *rows])
        ]
        return self._table(cells, [width * part for part in (0.37, 0.21, 0.19, 0.23)], self._ruled)

    def _api_row(self, api: ApiAnswer) -> list[str]:
        labels, words, point = self.words.labels, self.words, api.break_even
        if api.usd_per_mtok is None or api.usd_per_month is None:
            return [api.name, labels.unknown, "–", "–"]
        turn = labels.api_is_free
        if point.utilization is not None:
            percent = percent_text(point.utilization)
            turn = percent if point.reachable else f"{labels.not_reachable} ({percent})"
        return [api.name, words.amount(api.usd_per_mtok), words.amount(api.usd_per_month), turn]

    def _assumptions(self) -> "list[Flowable]":
        rows = self._cut([f"{name}: {value}" for name, value in self.words.assumptions], _MOST_ASSUMPTIONS)
        return [
            self._text(self.words.labels.assumptions, 7, bold=True),
            *(self._text(row, 7, before=0) for row in rows),
        ]

    def _bill(self, title: str, lines: Sequence[CostLine], usd_per_month: float) -> "Flowable":
        """A bill line by line, and its total."""
        rows = [(self.words.line_name(line), self.words.line(line)) for line in lines]
        table = [(title, ""), *rows, (self.words.labels.total, self.words.exact(usd_per_month))]
        last = len(table) - 1
        cells = [
            [self._text(name, 7, bold=index in (0, last)), self._text(amount, 7, bold=index == last, right=True)]
            for index, (name, amount) in enumerate(table)
        ]
        width = self.width * 0.5 - self._gap
        return self._table(cells, [width * 0.68, width * 0.32], self._ruled)

    def _sources(self) -> "list[Flowable]":
        used = sources_of(self.catalog, self.comparison, name_of=self.words.line_name)
        rows = [self._source(each) for each in used[:_MOST_SOURCES]]
        if len(used) > _MOST_SOURCES:
            rows.append(self.type.markup(self.words.labels.more.format(count=len(used) - _MOST_SOURCES)))
        if not rows:
            return []
        head = self._text(self.words.labels.sources, 7, bold=True, before=4)
        return [head, *(self._marked(row, 6.3, before=0) for row in rows)]

    def _source(self, used: Used) -> str:
        """A source as markup, its address as a link."""
        text, url = f"{used.what}: {self.words.source(used.entry)}", used.entry.source.url
        markup = self.type.markup(text)
        if not url or not _WEB.fullmatch(url) or used.entry.source.document:
            return markup
        shown = self.type.markup(url)
        before, found, after = text.partition(url)
        if not found:
            return markup
        return f"{self.type.markup(before)}{self._linked(shown, url)}{self.type.markup(after)}"

    def _linked(self, markup: str, url: str) -> str:
        from xml.sax.saxutils import quoteattr

        return f"<a href={quoteattr(url)} color={quoteattr(ACCENT)}>{markup}</a>"

    def _link(self) -> "list[Flowable]":
        """The link as words that can be clicked, and to be read, below."""
        whole = f"{self.address}{link(self.comparison.scenario)}"
        head = self.type.markup(self.words.labels.link, bold=True)
        clickable = self._linked(head, whole) if _WEB.fullmatch(whole) else head
        shown = self.type.markup(whole)
        return [
            self._marked(clickable, 8, before=4),
            self._marked(self._linked(shown, whole) if _WEB.fullmatch(whole) else shown, 5.5, before=0),
        ]

    def _listed(self, title: str, sentences: Sequence[str], most: int) -> "list[Flowable]":
        if not sentences:
            return []
        return [
            self._text(title, 7, bold=True, before=4),
            *(self._text(sentence, 6.8, before=0) for sentence in self._cut(sentences, most)),
        ]

    def _cut(self, rows: Sequence[str], most: int) -> list[str]:
        """The first of many, and how many more there are."""
        if len(rows) <= most:
            return list(rows)
        return [*rows[:most], self.words.labels.more.format(count=len(rows) - most)]

    @property
    def _gap(self) -> float:
        return _GAP * self.scale

    @property
    def _ruled(self) -> list[tuple[Any, ...]]:
        """A line below the head of a table."""
        return [("LINEBELOW", (0, 0), (-1, 0))]

    def _columns(self, *columns: "Iterable[Flowable]", left_share: float) -> "Flowable":
        from reportlab.platypus import Table, TableStyle

        widths = [self.width * left_share, self.width * (1 - left_share)]
        table = Table([[list(column) for column in columns]], colWidths=widths, spaceBefore=5 * self.scale)
        sides = [("LEFTPADDING", (0, 0), (0, 0), 0), ("RIGHTPADDING", (0, 0), (0, 0), self._gap)]
        sides += [("LEFTPADDING", (1, 0), (1, 0), self._gap), ("RIGHTPADDING", (1, 0), (1, 0), 0)]
        upright = [("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]
        table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *sides, *upright]))
        return table

    def _table(self, cells: list[Any], widths: list[float], lines: list[tuple[Any, ...]]) -> "Flowable":
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import Table, TableStyle

        table = Table(cells, colWidths=widths, spaceBefore=5 * self.scale)
        pad = [
            (f"{side}PADDING", (0, 0), (-1, -1), (3 if side in ("LEFT", "RIGHT") else 1) * self.scale)
            for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")
        ]
        rules = [(*line, 0.5, HexColor("#c4c9d0")) for line in lines]
        table.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *pad, *rules]))
        return table
