"""The page to hand out: one sheet of A4 with the answer, its chart, what it rests on and leaves out, and the link."""

import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.exports.handout_sheet import Sheet
from costmodel.exports.words import Words
from costmodel.link import link

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

_MARGIN_MM = 13
_CHART_SHARE, _MOST_SPARE_SHARE = 0.25, 0.1
"""Of the height of the page: the chart, and what it takes of room that would stay empty."""
_SCALES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4)
"""Tried one after the other until everything is on the one page."""


def handout(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes:
    """A PDF of one page. `address` is the page's own, which the link is added to."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import Frame

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.setTitle(words.title)
    canvas.setSubject(words.scenario)
    canvas.setCreator(f"{address}{link(comparison.scenario)}")
    width, height = A4[0] - 2 * _MARGIN_MM * mm, A4[1] - 2 * _MARGIN_MM * mm
    sheet = Sheet(catalog, comparison, words, address=address, width=width, chart_height=_CHART_SHARE * height)
    story = sheet.story()
    for scale in _SCALES:
        if _height_of(story, width) <= height:
            break
        sheet = replace(sheet, scale=scale, chart_height=_CHART_SHARE * height * scale)
        story = sheet.story()
    spare = height - _height_of(story, width)
    story = replace(sheet, chart_height=sheet.chart_height + min(spare, _MOST_SPARE_SHARE * height)).story()
    frame = Frame(
        _MARGIN_MM * mm, _MARGIN_MM * mm, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
    frame.addFromList(story, canvas)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _height_of(story: "Sequence[Flowable]", width: float) -> float:
    """How much of a page a story takes."""
    heights = [each.wrap(width, float("inf"))[1] for each in story]
    spaces = (max(above.getSpaceAfter(), below.getSpaceBefore()) for above, below in pairwise(story))
    return float(sum(heights) + sum(spaces))
