"""The API bill: properties, then the faults other tools had with cached, reasoning and batch tokens."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.api import (
    Terms,
    TokenMix,
    api_usd_per_bundle,
    bundle_usd,
    concurrency_note,
    mean_usd_over_shares,
    quote,
    quote_lines,
    quote_usd_per_bundle,
    with_surcharge,
)
from costmodel.catalog import catalog
from costmodel.choices import parse_api_choice
from costmodel.dated import NotInForceError
from costmodel.ledger import total_usd
from costmodel.records import TokenPrices

CATALOG = catalog()
DAY = date(2026, 11, 15)
FLASH = TokenPrices(input=0.15, cached_input=0.003, output=0.60)
shares = st.floats(0, 1)


def terms(
    *, peak: float = 0, batch: float = 0, request: int | None = None, region: str = "none", mix: TokenMix | None = None
) -> Terms:
    return Terms(DAY, lambda windows: peak, batch, request, region, mix or TokenMix(4))


@given(ratio=st.floats(0, 100), cached=shares, usd_input=st.floats(0.001, 100), usd_output=st.floats(0.001, 100))
def test_a_bundle_costs_at_least_its_output_and_never_more_than_uncached(
    ratio: float, cached: float, usd_input: float, usd_output: float
) -> None:
    def bundle(share: float) -> float:
        return api_usd_per_bundle(
            input_per_output=ratio,
            cached_share=share,
            cache_write_share=0,
            usd_input=usd_input,
            usd_cached_input=usd_input / 10,
            usd_cache_write=0,
            usd_output=usd_output,
        )

    assert usd_output <= bundle(cached) <= bundle(0) + 1e-9


@given(share=shares, off_peak=st.floats(0.01, 10), peak=st.floats(0.01, 10))
def test_a_mean_lies_between_its_prices(share: float, off_peak: float, peak: float) -> None:
    mean = mean_usd_over_shares(usd=(off_peak, peak), shares=(1 - share, share))
    assert min(off_peak, peak) - 1e-9 <= mean <= max(off_peak, peak) + 1e-9


@given(peak=shares, batch=shares, cached=st.floats(0, 0.5), write=st.floats(0, 0.5), ratio=st.floats(0, 20))
def test_lines_add_up_to_the_price_and_partition_the_tokens(
    peak: float, batch: float, cached: float, write: float, ratio: float
) -> None:
    mix = TokenMix(ratio, cached, write)
    for identifier in ("deepseek:deepseek-flash", "openai:gpt-5.6-terra", "anthropic:claude-opus-5"):
        priced = quote(
            parse_api_choice(CATALOG, identifier, on=DAY), terms(peak=peak, batch=batch, region="us", mix=mix)
        )
        lines = quote_lines(priced, mix, output_mtok=10)
        assert total_usd(lines) == pytest.approx(10 * quote_usd_per_bundle(priced, mix))
        tokens = sum(line.quantity for line in lines if line.unit == "Mtok")
        assert tokens == pytest.approx(10 * (1 + ratio))


@pytest.mark.parametrize(
    ("mix", "usd"),
    [(TokenMix(4, 0.5), 0.906), (TokenMix(4), 1.20), (TokenMix(0), 0.60), (TokenMix(4, 1), 0.612)],
)
def test_worked_bundles(mix: TokenMix, usd: float) -> None:
    assert bundle_usd(FLASH, mix) == pytest.approx(usd)


def test_cached_tokens_are_part_of_the_prompt_counted_once() -> None:
    """BerriAI/litellm#6215: 1M prompt tokens of which 0.8M cached, 0.1M output."""
    mix = TokenMix(input_per_output=10, cached_share=0.8)
    assert bundle_usd(FLASH, mix) * 0.1 == pytest.approx(0.0924)


def test_cache_writes_are_part_of_the_prompt_counted_once() -> None:
    """BerriAI/litellm#9812: 3 plain, 12,304 written, 550 output at 3 / 3.75 / 15."""
    prices = TokenPrices(input=3, cache_write=3.75, output=15)
    mix = TokenMix(input_per_output=12_307 / 550, cache_write_share=12_304 / 12_307)
    assert bundle_usd(prices, mix) * 550e-6 == pytest.approx(0.054399)


def test_reasoning_is_part_of_the_output() -> None:
    """anomalyco/opencode#17566: 14,746 input, 1,944 output that include 1,360 reasoning, at 30 / 180."""
    prices = TokenPrices(input=30, output=180)
    assert bundle_usd(prices, TokenMix(14_746 / 1_944)) * 1_944e-6 == pytest.approx(0.7923, abs=5e-5)


def test_batch_at_half_price_scales_with_its_share() -> None:
    """BerriAI/litellm PR#38341: 1.20 / 0.90 / 0.60 at 0 / 50 / 100 % batch."""
    for batch, usd in ((0, 20), (0.5, 15), (1, 10)):
        priced = quote(parse_api_choice(CATALOG, "openai:gpt-5.6-terra", on=DAY), terms(batch=batch))
        assert quote_usd_per_bundle(priced, TokenMix(4)) == pytest.approx(usd)


def test_a_vendor_without_batch_says_so_and_bills_the_standard_price() -> None:
    choice = parse_api_choice(CATALOG, "deepseek:deepseek-flash", on=DAY)
    priced = quote(choice, terms(batch=0.5))
    assert quote_usd_per_bundle(priced, TokenMix(4)) == quote_usd_per_bundle(quote(choice, terms()), TokenMix(4))
    assert any("batch" in note for note in priced.notes)


def test_peak_windows_blend_and_can_be_named() -> None:
    """anomalyco/opencode#48642: 299 of 793 tokens at peak cost 1.377 times the off-peak price."""
    mix = TokenMix(4, 0.5)
    choice = parse_api_choice(CATALOG, "deepseek:deepseek-flash", on=DAY)
    assert quote_usd_per_bundle(quote(choice, terms(peak=299 / 793, mix=mix)), mix) == pytest.approx(1.2476, abs=5e-5)
    only_peak = parse_api_choice(CATALOG, "deepseek:deepseek-flash@peak", on=DAY)
    assert quote(only_peak, terms(peak=0.1)).peak_share == 1
    assert quote_usd_per_bundle(quote(only_peak, terms(mix=mix)), mix) == pytest.approx(1.812)


def test_a_flat_vendor_beats_the_peak_price_only_above_a_third() -> None:
    """0.20 / 0.004 / 0.80 at all hours against 0.15 / 0.003 / 0.60 doubled at peak: equal at a peak share of 1/3."""
    mix = TokenMix(4, 0.5)
    flat = quote_usd_per_bundle(quote(parse_api_choice(CATALOG, "tokely:deepseek-v4.1-flash", on=DAY), terms()), mix)
    choice = parse_api_choice(CATALOG, "deepseek:deepseek-flash", on=DAY)
    assert flat == pytest.approx(1.208)
    assert quote_usd_per_bundle(quote(choice, terms(peak=0.2083, mix=mix)), mix) < flat
    assert quote_usd_per_bundle(quote(choice, terms(peak=1 / 3, mix=mix)), mix) == pytest.approx(flat)


def test_a_surcharge_is_on_everything() -> None:
    assert with_surcharge(usd=20, surcharge_share=0.1) == pytest.approx(22)
    priced = quote(parse_api_choice(CATALOG, "openai:gpt-5.6-terra", on=DAY), terms(region="eu"))
    assert quote_lines(priced, TokenMix(4), output_mtok=1)[-1].usd == pytest.approx(2)


def test_an_unknown_region_adds_nothing_and_says_so() -> None:
    priced = quote(parse_api_choice(CATALOG, "tokely:deepseek-v4.1-flash", on=DAY), terms(region="eu"))
    assert priced.surcharge is None
    assert any("EU" in note for note in priced.notes)


def test_prices_before_the_first_entry_are_refused() -> None:
    choice = parse_api_choice(CATALOG, "tokely:deepseek-v4.1-flash", on=date(2025, 1, 1))
    with pytest.raises(NotInForceError):
        quote(choice, Terms(date(2025, 1, 1), lambda windows: 0, 0, None, "none", TokenMix(0)))


def test_a_concurrency_limit_is_named_only_where_it_binds() -> None:
    choice = parse_api_choice(CATALOG, "deepseek:deepseek-flash", on=DAY)
    assert concurrency_note(choice, on=DAY, output_tok_s=740_659) is not None
    assert concurrency_note(choice, on=DAY, output_tok_s=300) is None
    assert concurrency_note(parse_api_choice(CATALOG, "custom:Own:1::2", on=DAY), on=DAY, output_tok_s=1e9) is None
