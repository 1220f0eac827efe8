"""The slide: the verdict as its title, a native chart with its data, and everything that must stand beside it."""

import io
import zipfile
from typing import Any

import pytest
from openpyxl import load_workbook
from pptx import Presentation

from costmodel.catalog import catalog
from costmodel.compare import Comparison
from costmodel.exports.slide import slide
from costmodel.link import link
from tests.exported import ADDRESS, LINKS, comparison_of, words_for


def made(comparison: Comparison) -> bytes:
    return slide(catalog(), comparison, words_for(comparison), address=ADDRESS)


def page_of(comparison: Comparison) -> Any:
    (page,) = Presentation(io.BytesIO(made(comparison))).slides
    return page


def chart_of(page: Any) -> Any:
    (shape,) = [shape for shape in page.shapes if shape.has_chart]
    return shape.chart


def text_of(page: Any) -> str:
    return "\n".join(shape.text_frame.text for shape in page.shapes if shape.has_text_frame)


@pytest.mark.parametrize("name", LINKS)
def test_one_slide_with_verdict_figures_notes_and_link(name: str) -> None:
    comparison = comparison_of(LINKS[name])
    words, page = words_for(comparison), page_of(comparison)
    assert page.shapes.title.text_frame.text == words.verdict
    text = text_of(page)
    for part in (words.title, words.scenario, *words.notes, *(figure.value for figure in words.figures)):
        assert part in text
    whole = f"{ADDRESS}{link(comparison.scenario)}"
    runs = [run for shape in page.shapes if shape.has_text_frame for p in shape.text_frame.paragraphs for run in p.runs]
    assert whole in [run.hyperlink.address for run in runs]
    spoken = page.notes_slide.notes_text_frame.text
    assert whole in spoken
    assert "Assumptions:" in spoken


@pytest.mark.parametrize("name", LINKS)
def test_the_chart_is_native_and_its_data_can_be_edited(name: str) -> None:
    comparison = comparison_of(LINKS[name])
    chart = chart_of(page_of(comparison))
    names = [series.name for series in chart.plots[0].series]
    assert names[0] == "Own GPUs"
    prices = {api.name: api.usd_per_mtok for api in comparison.apis if api.usd_per_mtok}
    assert set(prices) <= set(names)
    for series in chart.plots[0].series:
        if series.name in prices:
            amount = (prices[series.name] or 0) * comparison.money_factor
            assert list(series.values) == pytest.approx([amount, amount])
    book = load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob))
    assert book.active.max_row > 60


def test_a_curve_over_two_orders_of_magnitude_has_a_logarithmic_axis() -> None:
    wide = chart_of(page_of(comparison_of(LINKS["one node"])))
    assert "logBase" in wide.value_axis._element.xml
    narrow = chart_of(page_of(comparison_of(LINKS["two pools"])))
    assert "logBase" not in narrow.value_axis._element.xml


def test_break_even_points_are_marked_where_the_text_says() -> None:
    comparison = comparison_of(LINKS["two pools"])
    series = {each.name: each for each in chart_of(page_of(comparison)).plots[0].series}
    percents = sorted(series["Break-even"].iter_values())
    assert percents == pytest.approx(sorted(api.usd_per_mtok or 0 for api in comparison.apis))


def test_the_same_scenario_gives_the_same_bytes_at_any_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = comparison_of(LINKS["two pools"])
    first = made(comparison)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    assert made(comparison) == first
    with zipfile.ZipFile(io.BytesIO(first)) as parts:
        assert {part.date_time for part in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"2026-10-25" in parts.read("docProps/core.xml")


def test_text_of_a_reader_is_text() -> None:
    comparison = comparison_of("?scenario=deepinfer-128&title=%3Cb%3E%20%26%20=1%2B1")
    assert "<b> & =1+1" in text_of(page_of(comparison))
