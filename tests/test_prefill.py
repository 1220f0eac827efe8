"""Reading prompts: the balance of two pools, the map, and the store of the KV cache."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.answer_serving import balance_of, prefill_side
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of
from costmodel.machine.prefill import PrefillSide, kv_store_gb, most_uncached_input_per_output, own_cached_share_at
from costmodel.machine.prefill_answer import prefill_report
from costmodel.serving import capacity_of_shared_pool, capacity_of_two_pools


def answer(more: str) -> Comparison:
    return compare(catalog(), decode(catalog(), query_of(f"?scenario=deepinfer-128{more}")).scenario)


positive = st.floats(1, 1e6)


@given(share=st.floats(0.05, 1), decode_rate=positive, input_rate=positive)
def test_the_map_agrees_with_the_capacity(share: float, decode_rate: float, input_rate: float) -> None:
    """At the q of a share, the capacity equations give exactly that share of decode's output."""
    apart = PrefillSide(decode_rate, input_rate, shares_gpus=False)
    capacity = capacity_of_two_pools(
        decode_output_tok_s=decode_rate,
        prefill_gpus=1,
        input_tok_s_per_prefill_gpu=input_rate,
        prefill_efficiency=1,
        uncached_input_per_output=apart.q_at(share),
    )
    assert capacity.output_tok_s == pytest.approx(share * decode_rate)
    together = PrefillSide(decode_rate, input_rate, shares_gpus=True)
    shared = capacity_of_shared_pool(
        gpus=1,
        output_tok_s_per_gpu=decode_rate,
        input_tok_s_per_gpu=input_rate,
        efficiency=1,
        uncached_input_per_output=together.q_at(share),
    )
    assert shared.output_tok_s == pytest.approx(share * decode_rate)


@pytest.mark.parametrize(("ratio", "balance"), [(2, 0.39), (5.2, 1.0), (20, 3.86)])
def test_the_balanced_ratio(ratio: float, balance: float) -> None:
    assert balance_of(answer(f"&ratio={ratio}")) == pytest.approx(balance, abs=0.005)


def test_prefill_binds_above_five_uncached_input_tokens() -> None:
    side = prefill_side(answer(""))
    assert side is not None
    assert side.q_at(1) == pytest.approx(5.18, abs=0.01)
    assert answer("&ratio=5.1").self_host.binding == "decode"
    assert answer("&ratio=5.3").self_host.binding == "prefill"
    assert answer("&ratio=20").self_host.capacity_output_tok_s == pytest.approx(192_000)


def test_what_the_missing_store_costs() -> None:
    """20:1, 95 % cached at the API: break-even at 57 % with the same hits of one's own, 219 % with none."""
    report = prefill_report(catalog(), answer("&ratio=20&cached=95"))
    turns = [store.comparison.apis[0].break_even.utilization for store in report.stores]
    assert turns[0] == pytest.approx(0.57, abs=0.005)
    assert turns[2] == pytest.approx(2.19, abs=0.005)
    paid = report.stores[1].comparison.self_host
    assert paid.lines[-1].usd == pytest.approx(128 * 14.4 * 1_000 * 0.06)
    assert paid.usd_per_month == pytest.approx(880_128 + 110_592)
    assert turns[0] is not None
    assert turns[1] == pytest.approx(turns[0] * paid.usd_per_month / 880_128)


def test_without_cached_input_there_is_no_store_to_weigh() -> None:
    assert prefill_report(catalog(), answer("&ratio=20")).stores == ()
    no_rate = prefill_report(
        catalog(), compare(catalog(), decode(catalog(), query_of("?scenario=node-8xh200")).scenario)
    )
    assert (no_rate.side, no_rate.balanced_prefill_per_decode) == (None, None)


def test_edges() -> None:
    assert own_cached_share_at(uncached_input_per_output=5, input_per_output=4) == 0
    assert own_cached_share_at(uncached_input_per_output=0, input_per_output=4) == 1
    assert kv_store_gb(gpus=16, tb_per_gpu=0) == 0
    full = most_uncached_input_per_output(output_share=1, decode_output_tok_s=5, input_tok_s=10, shares_gpus=True)
    assert full == 0
