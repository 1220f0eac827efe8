"""Sentences and number formats: escaping as a property, then digits, then what each sentence must say."""

import re
from datetime import date

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.dated import Dated, Source
from costmodel.language import LOCALES, speaking
from costmodel.link import decode, query_of
from costmodel.ui.text import (
    Money,
    chart_text,
    export_notes,
    number,
    plain,
    quantity,
    scenario_in_words,
    second_look,
    shown,
    source_link,
    tokens_word,
    verdict,
)
from tests.app_page import seen

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
JOINER = "\u2060"


def answer(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


# Properties


@given(st.text(st.characters(exclude_characters=f"{JOINER}\u00a0", exclude_categories=["Cc", "Cs"])))
def test_escaped_text_shows_exactly_itself(text: str) -> None:
    escaped = shown(plain(text))
    assert seen(escaped) == text
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_{}\[\]()#<>|~$&!]", escaped), "no mark is left that means something"


@pytest.mark.parametrize(
    "text", [":material/home:", ":red[x]", "http://e.com", "www.e.com", "me@e.com", "a -> b", "a -- b"]
)
def test_icons_addresses_and_arrows_are_broken_by_a_joiner(text: str) -> None:
    assert JOINER in plain(text)


@pytest.mark.parametrize("text", ["Note: this", "12:", "a->b", "wwwide"])
def test_ordinary_words_get_no_joiner(text: str) -> None:
    assert JOINER not in plain(text)


def test_chart_labels_escape_tags_and_entities() -> None:
    assert chart_text("<b>A&amp;B</b>") == "&lt;b&gt;A&amp;amp;B&lt;/b&gt;"


# Digits


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        (0.003, "$0.003"),
        (0.6, "$0.60"),
        (0.7641, "$0.764"),
        (46.7047, "$46.70"),
        (880_128, "$880,128"),
        (0, "$0"),
        (-5_000, "−$5,000"),
        (0.9999, "$1.00"),
        (999.999, "$1,000.00"),
        (0.000_001_234, "$0.00000123"),
        (1e9, "$1,000,000,000"),
    ],
)
def test_amounts_show_the_digits_that_matter(usd: float, text: str) -> None:
    assert Money(answer(CLUSTER))(usd) == text


@pytest.mark.parametrize(
    ("usd", "text"), [(8.6, "$8.60"), (6.305, "$6.305"), (0.003, "$0.003"), (0, "$0.00"), (0.000_000_25, "$0.00000025")]
)
def test_prices_show_all_their_digits(usd: float, text: str) -> None:
    assert Money(answer(CLUSTER)).price(usd) == text


@pytest.mark.parametrize(("usd", "text"), [(946.08, "$946.08"), (36_821.2, "$36,821.20"), (0.0123, "$0.0123")])
def test_bills_are_exact_to_the_cent(usd: float, text: str) -> None:
    assert Money(answer(CLUSTER)).exact(usd) == text


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cur=EUR&fx=0.92", "€0.552"),
        ("cur=CHF&fx=0.8", "CHF\u00a00.48"),
        ("vat=19", "$0.714"),
        ("cur=JPY&fx=150", "¥90.00"),
    ],
)
def test_currency_and_tax_are_applied_once(query: str, text: str) -> None:
    assert Money(answer(f"{CLUSTER}&{query}"))(0.6) == text


@pytest.mark.parametrize(
    ("value", "text"), [(46_080, "46,080"), (788.4, "788.4"), (1.256, "1.26"), (0.04731, "0.0473")]
)
def test_quantities(value: float, text: str) -> None:
    assert quantity(value) == text


# Sentences


def test_what_a_price_is_per() -> None:
    assert tokens_word(answer(CLUSTER).scenario) == "1M output tokens"
    assert tokens_word(answer(NODE).scenario) == "1M output tokens with their input"
    assert tokens_word(answer(f"{NODE}&basis=total").scenario) == "1M tokens (input and output)"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (CLUSTER, "**The API is cheaper**; self-hosting wins above 76.4 %."),
        (f"{CLUSTER}&util=80", "**Self-hosting is cheaper**; the API wins below 76.4 %."),
        (f"{CLUSTER}&util=76.42", "**The two cost the same** (within 0.1 %)."),
        (f"{CLUSTER}&api=custom:Q:0:0:0.30", "the break-even is not reachable (153 %)"),
        (f"{CLUSTER}&api=custom:Q:0:0:0", "**The API is cheaper**: the API is free for this token mix"),
        (f"{CLUSTER}&util=0", "the rent of $880,128 a month is paid all the same."),
        (f"{CLUSTER}&util=0&cur=EUR&fx=0.5", "the rent of €440,064 a month is paid all the same."),
        (f"{NODE}&asof=2026-03-05", "Choose an API with a known price on this day"),
        (f"{CLUSTER}&util=0.001", "At 0.001 % utilization"),
    ],
)
def test_the_verdict(query: str, says: str) -> None:
    assert says in verdict(answer(query))


def test_a_price_of_some_hours_gets_a_second_look() -> None:
    said = second_look(answer(CLUSTER)) or ""
    assert "off-peak hours only. With 20.8 % of your tokens in peak hours" in said
    assert "costs $0.725, and the break-even is 63.2 %" in seen(said)
    alone = second_look(answer(f"{CLUSTER}&api=deepseek:deepseek-flash@off_peak"))
    assert alone == "This price holds in off-peak hours only."
    assert second_look(answer(f"{CLUSTER}&api=deepseek:deepseek-flash")) is None


def test_the_scenario_in_one_line() -> None:
    words = scenario_in_words(answer(f"{NODE}&units=2"))
    assert words.startswith(
        "16 × CoreWeave HGX H200 (serving), 30,000 output tok/s when full, 2 % used; 4:1 input to output"
    )
    assert scenario_in_words(answer(CLUSTER)).endswith("60 % used; output tokens only")


def test_exports_say_date_currency_and_what_is_left_out() -> None:
    dollars, euros = export_notes(answer(CLUSTER)), export_notes(answer(f"{CLUSTER}&cur=EUR&fx=0.9&vat=19"))
    assert dollars[0] == "Prices in force on 2026-10-25; US dollars before tax."
    assert euros[0] == "Prices in force on 2026-10-25; amounts in EUR at 0.9 per US dollar, 19 % VAT included."
    assert dollars[1].startswith("Not included: staff who operate it, ")


@pytest.mark.parametrize(
    ("url", "is_link"), [("https://e.com/a_b?c=1", True), ("javascript:alert(1)", False), ("https://e.com/)x", False)]
)
def test_sources_link_only_to_web_addresses(url: str, is_link: bool) -> None:
    source = Source.model_construct(url=url, document=None, seen=date(2026, 10, 1), via=None)
    words = source_link(Dated.model_construct(since=date(2026, 9, 1), basis="published", source=source, note=None))
    assert words.startswith("[") == is_link
    assert "read 2026-10-01 (published; in force since 2026-09-01)" in words


@pytest.mark.parametrize("code", LOCALES)
@given(value=st.floats(-1e15, 1e15), digits=st.integers(0, 6))
def test_numbers_are_written_as_babel_writes_them(code: str, value: float, digits: int) -> None:
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    with speaking(code):
        assert number(value, digits) == format_decimal(value, format=pattern, locale=LOCALES[code])
