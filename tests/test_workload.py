"""Tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.workload import output_mtok, price_per_token_of_either_kind, share, uncached_input_per_output


@given(rate=st.floats(0, 1e6), hours=st.floats(0, 744))
def test_tokens_grow_with_rate_and_hours(rate: float, hours: float) -> None:
    assert output_mtok(output_tok_s=2 * rate, hours=hours) == pytest.approx(
        2 * output_mtok(output_tok_s=rate, hours=hours)
    )


def test_business_hours_of_a_month() -> None:
    """pikas.systems: 8 h on 22 days at 300 tok/s are 190 million output tokens."""
    assert output_mtok(output_tok_s=300, hours=8 * 22) == pytest.approx(190.08)


@given(ratio=st.floats(0, 1e4), cached=st.floats(0, 1))
def test_own_cache_only_ever_saves_prefill(ratio: float, cached: float) -> None:
    q = uncached_input_per_output(input_per_output=ratio, own_cached_share=cached)
    assert 0 <= q <= ratio


def test_price_per_token_of_either_kind_spreads_the_same_money() -> None:
    assert price_per_token_of_either_kind(usd_per_bundle=1.20, input_per_output=4) * 5 == pytest.approx(1.20)
    assert share(76.4) == pytest.approx(0.764)
