"""What a link may name as an API price."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.choices import ApiChoiceError, custom_choice_id, parse_api_choice

CATALOG = catalog()
DAY = date(2026, 10, 25)


def test_a_catalogue_model_and_its_windows() -> None:
    whole = parse_api_choice(CATALOG, "deepseek:deepseek-flash", on=DAY)
    peak = parse_api_choice(CATALOG, "deepseek:deepseek-flash@peak", on=DAY)
    assert (whole.window, peak.window) == (None, "peak")
    assert peak.name == f"{whole.name}, peak"


def test_a_price_of_ones_own() -> None:
    text = custom_choice_id(name="Quote", usd_input="0.15", usd_cached="0.003", usd_output="0.6")
    prices = parse_api_choice(CATALOG, text, on=DAY).custom
    assert prices is not None
    assert (prices.input, prices.cached_input, prices.output) == (0.15, 0.003, 0.6)


def test_an_empty_cached_price_is_unknown_not_free() -> None:
    prices = parse_api_choice(CATALOG, "custom:Quote:0.15::0.6", on=DAY).custom
    assert prices is not None
    assert prices.cached_input is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deepseek", "vendor:model"),
        ("deepseek:deepseek-flash@", "not exist"),
        ("deepseek:deepseek-flash@noon", "@off_peak, @peak"),
        ("baseten:deepseek-v4.1-flash@peak", "one price at all hours"),
        ("custom:a:b:1:2:3", "form"),
        ("custom: :1:1:1", "name"),
        ("custom:x:1e3::1", "plain number"),
        ("custom:x:0.015:0.02:1", "swapped"),
        ("custom:x:15000::1", "per 1M tokens"),
    ],
)
def test_refusals_say_why(text: str, words: str) -> None:
    with pytest.raises(ApiChoiceError, match=words):
        parse_api_choice(CATALOG, text, on=DAY)


@given(st.text(max_size=60))
def test_nothing_else_is_raised(text: str) -> None:
    for candidate in (text, f"custom:{text}", f"deepseek:deepseek-flash@{text}"):
        try:
            parse_api_choice(CATALOG, candidate, on=DAY)
        except ApiChoiceError:
            continue
