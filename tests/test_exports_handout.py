"""The page to hand out is one page, whatever the scenario, and says all that it must."""

import io

import pytest
from pypdf import PdfReader

from costmodel.catalog import catalog
from costmodel.exports.fonts import MARK, Typesetter
from costmodel.exports.handout import handout
from costmodel.exports.picture import cost_picture
from costmodel.link import link
from costmodel.scenario import INPUTS
from tests.exported import ADDRESS, LINKS, TWELVE_APIS, comparison_of, words_for

LONGEST = "?scenario=deepinfer-128&title=" + "W" * (INPUTS["title"].longest or 0)
HARDEST = f"{LONGEST}&batch=40&region=eu&cached=30&cache_write=20&ratio=8&staff=1&setup=5&kv_tb=1&{TWELVE_APIS}"


def pdf_of(query: str) -> PdfReader:
    comparison = comparison_of(query)
    return PdfReader(io.BytesIO(handout(catalog(), comparison, words_for(comparison), address=ADDRESS)))


def text_of(query: str) -> str:
    """The words of the page; line breaks are spaces."""
    return " ".join(pdf_of(query).pages[0].extract_text().split())


@pytest.mark.parametrize("query", [*LINKS.values(), LONGEST, HARDEST])
def test_it_is_one_page_with_the_answer_the_notes_and_the_link(query: str) -> None:
    comparison = comparison_of(query)
    words, pdf, text = words_for(comparison), pdf_of(query), text_of(query)
    assert len(pdf.pages) == 1
    assert words.verdict in text
    assert words.scenario in text
    for note in words.notes:
        assert note in text
    for figure in words.figures:
        assert figure.value in text
    for api in comparison.apis:
        assert api.name in text
    whole = f"{ADDRESS}{link(comparison.scenario)}"
    assert whole in text.replace(" ", ""), "the link is there to be read"
    links = {each.get_object()["/A"]["/URI"] for each in pdf.pages[0]["/Annots"]}
    assert whole in links, "and to be clicked"


@pytest.mark.parametrize("query", [*LINKS.values(), LONGEST, HARDEST])
def test_everything_lies_on_the_paper(query: str) -> None:
    page = pdf_of(query).pages[0]
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    places: list[tuple[float, float]] = []

    def note_place(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            x, y = tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]
            places.append((x, y))

    page.extract_text(visitor_text=note_place)
    assert len(places) > 30
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)


def test_both_bills_the_sources_with_their_days_and_what_is_left_out() -> None:
    text = text_of("?scenario=deepinfer-128")
    assert "$396,288.00" in text
    assert "$880,128.00" in text
    assert "$691,123.91" in text
    assert "https://www.coreweave.com/pricing" in text
    assert "read 2026-09-20 (published; in force since 2026-02-28)" in text
    assert "Prices in force on 2026-10-25" in text
    assert "Not included: staff who operate it" in text


def test_a_price_that_is_not_known_and_a_break_even_that_is_not_there_are_words() -> None:
    text = text_of(LINKS["not reachable"])
    assert "not reachable (" in text
    assert "none: the API is free" in text_of(LINKS["shared pool"])


def test_the_same_scenario_gives_the_same_bytes() -> None:
    comparison = comparison_of("?scenario=deepinfer-128")
    words = words_for(comparison)
    assert len({handout(catalog(), comparison, words, address=ADDRESS) for _ in range(3)}) == 1


def test_markup_of_a_reader_is_shown_as_it_is() -> None:
    assert "<b>Q3</b> &amp; <a href=" in text_of(
        "?scenario=deepinfer-128&title=%3Cb%3EQ3%3C/b%3E%20%26amp;%20%3Ca%20href="
    )


def test_cyrillic_greek_and_east_asian_titles_are_set_in_fonts_that_have_them() -> None:
    setter = Typesetter()
    assert setter.runs("Кластер Ελλάδα żółć") == [("SourceSansPro", "Кластер Ελλάδα żółć")]
    assert [font for font, _ in setter.runs("Plan 東京テスト")] == ["SourceSansPro", "HeiseiKakuGo-W5"]
    assert [font for font, _ in setter.runs("上海")] == ["STSong-Light"]
    assert [font for font, _ in setter.runs("서울")] == ["HYSMyeongJo-Medium"]
    assert setter.unprintable == {}


def test_characters_that_no_font_has_are_marked_and_named() -> None:
    text = text_of("?scenario=deepinfer-128&title=Plan%20%D7%A9%20%F0%9F%99%82")
    assert f"Plan {MARK} {MARK}" in text
    assert "U+05E9 U+1F642" in text


def test_the_page_says_nothing_of_unprintable_characters_where_there_are_none() -> None:
    assert "no font" not in text_of("?scenario=deepinfer-128")


@pytest.mark.parametrize("query", LINKS.values())
def test_the_picture_crosses_each_price_where_the_text_says(query: str) -> None:
    comparison = comparison_of(query)
    picture = cost_picture(comparison)
    percents = [percent for percent, _ in picture.curve]
    assert percents == sorted(percents)
    assert percents[-1] == 100
    curve = dict(picture.curve)
    for point in picture.crossings:
        assert curve[point.percent] == pytest.approx(point.amount)
    for amount in [*(line.amount for line in picture.lines), *(amount for _, amount in picture.curve)]:
        assert -1e-9 <= picture.height(amount) <= 1 + 1e-9
    assert len(picture.ticks()) >= 2
