"""One slide for a deck: the verdict as its title, a native chart that can be edited, the figures, and the link."""

import io
from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.exports.picture import cost_picture
from costmodel.exports.slide_chart import ACCENT, MUTED, color_of, draw_slide_chart
from costmodel.exports.sources import sources_of
from costmodel.exports.steady import steady_package
from costmodel.exports.words import Figure, Words
from costmodel.link import link

TEXT = "1A1A1A"
_WIDTH, _HEIGHT, _MARGIN = 13.333, 7.5, 0.5
"""Inches, as every size below."""
_CHART_TOP, _CHART_WIDTH, _CHART_HEIGHT = 1.6, 9.7, 4.6
_MOST_TITLE, _TITLE_SIZES = 190, (24, 20, 17)


def slide(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes:
    """A PPTX of one 16:9 slide. `address` is the page's own, which the link is added to."""
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(_WIDTH), Inches(_HEIGHT)
    deck.core_properties.title = words.title
    deck.core_properties.author = deck.core_properties.last_modified_by = ""
    title_only = deck.slide_layouts.get_by_name("Title Only")
    page = deck.slides.add_slide(title_only)
    whole = f"{address}{link(comparison.scenario)}"
    _title(page, words)
    place = (_MARGIN, _CHART_TOP, _CHART_WIDTH, _CHART_HEIGHT)
    draw_slide_chart(page, cost_picture(comparison), words, place=place)
    for index, figure in enumerate(words.figures):
        _figure(page, figure, index)
    _foot(page, words, whole)
    page.notes_slide.notes_text_frame.text = _notes(catalog, comparison, words, whole)
    out = io.BytesIO()
    deck.save(out)
    return steady_package(out.getvalue(), on=comparison.scenario.price_date)


def _title(page: Any, words: Words) -> None:
    """The verdict; above it, small, the scenario's title."""
    size = _TITLE_SIZES[min(len(words.verdict) * 2 // _MOST_TITLE, len(_TITLE_SIZES) - 1)]
    frame = _placed(page.shapes.title, _MARGIN, 0.55, _WIDTH - 2 * _MARGIN, 1.1).text_frame
    _write(frame, words.verdict, size=size, bold=True, color=ACCENT)
    above = _box(page, _MARGIN, 0.22, _WIDTH - 2 * _MARGIN, 0.36)
    _write(above, words.title, size=12, color=MUTED)


def _figure(page: Any, figure: Figure, index: int) -> None:
    left, height = _MARGIN + _CHART_WIDTH + 0.15, 1.1
    frame = _box(page, left, _CHART_TOP + index * height, _WIDTH - _MARGIN - left, height)
    _write(frame, figure.label, size=11, color=MUTED)
    _write(frame, figure.value, size=22, bold=True, new=True)
    _write(frame, figure.below, size=9, new=True)


def _foot(page: Any, words: Words, whole: str) -> None:
    """Date of the prices, what is left out, and the link."""
    frame = _box(page, _MARGIN, _CHART_TOP + _CHART_HEIGHT + 0.1, _WIDTH - 2 * _MARGIN, 1.1)
    lines = [*([words.second_look] if words.second_look else []), f"{words.scenario}. {' '.join(words.notes)}"]
    for index, line in enumerate(lines):
        _write(frame, line, size=10, color=MUTED, new=index > 0)
    _write(frame, words.labels.link, size=11, color=ACCENT, new=True).hyperlink.address = whole


def _notes(catalog: Catalog, comparison: Comparison, words: Words, whole: str) -> str:
    """The speaker's notes: what the slide rests on, with the link to be copied."""
    labels = words.labels
    parts = [
        (labels.assumptions, [f"{name}: {value}" for name, value in words.assumptions]),
        (labels.good_to_know, list(words.good_to_know)),
        (
            labels.sources,
            [
                f"{each.what}: {words.source(each.entry)}"
                for each in sources_of(catalog, comparison, name_of=words.line_name)
            ],
        ),
        (labels.link, [whole]),
    ]
    return "\n\n".join("\n".join([f"{head}:", *lines]) for head, lines in parts if lines)


def _placed(shape: Any, left: float, top: float, width: float, height: float) -> Any:
    from pptx.util import Inches

    shape.left, shape.top, shape.width, shape.height = (Inches(each) for each in (left, top, width, height))
    return shape


def _box(page: Any, left: float, top: float, width: float, height: float) -> Any:
    from pptx.util import Inches

    return page.shapes.add_textbox(*(Inches(each) for each in (left, top, width, height))).text_frame


def _write(frame: Any, text: str, *, size: float, bold: bool = False, color: str = TEXT, new: bool = False) -> Any:
    """A paragraph of one run; the first fills the frame, others are added."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Pt

    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph = frame.add_paragraph() if new else frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.LEFT
    run = paragraph.add_run()
    run.text = text
    run.font.size, run.font.bold, run.font.color.rgb = Pt(size), bold, color_of(color)
    return run
