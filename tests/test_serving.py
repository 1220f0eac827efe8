"""Capacity and memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.serving import (
    capacity_of_shared_pool,
    capacity_of_two_pools,
    decode_capacity,
    memory_fit,
    memory_needed_gb,
)

positive = st.floats(0.1, 1e6)


def two_pools(q: float, *, decode: float = 740_659.2) -> tuple[float, str]:
    capacity = capacity_of_two_pools(
        decode_output_tok_s=decode,
        prefill_gpus=64,
        input_tok_s_per_prefill_gpu=60_000,
        prefill_efficiency=1,
        uncached_input_per_output=q,
    )
    return capacity.output_tok_s, capacity.binding


@given(decode=positive, q=st.floats(0, 1_000))
def test_two_pools_deliver_what_the_slower_one_does(decode: float, q: float) -> None:
    output, binding = two_pools(q, decode=decode)
    assert output <= decode
    assert (binding == "decode") == (output == decode)


def test_the_64_to_64_recipe_stops_being_decode_bound_at_5_2() -> None:
    assert two_pools(5.18)[1] == "decode"
    assert two_pools(5.19)[1] == "prefill"
    assert two_pools(20) == (192_000, "prefill")
    assert two_pools(0) == (740_659.2, "decode")


@given(output=positive, prompts=positive, q=st.floats(0, 100))
def test_a_shared_pool_delivers_no_more_than_decode_alone(output: float, prompts: float, q: float) -> None:
    shared = capacity_of_shared_pool(
        gpus=8, output_tok_s_per_gpu=output, input_tok_s_per_gpu=prompts, efficiency=1, uncached_input_per_output=q
    )
    alone = decode_capacity(gpus=8, output_tok_s_per_gpu=output, efficiency=1)
    assert shared.output_tok_s <= alone * (1 + 1e-12)
    assert shared.binding == "shared"


def test_prefill_gpus_do_not_decode() -> None:
    """NVIDIA/TensorRT-LLM#1450: 64 decode GPUs of 128, at 80 %."""
    assert decode_capacity(gpus=64, output_tok_s_per_gpu=14_466, efficiency=0.8) == pytest.approx(740_659.2)
    assert decode_capacity(gpus=8, output_tok_s_per_gpu=12_600, efficiency=0.8) == pytest.approx(80_640)


@pytest.mark.parametrize(
    ("pool_gb", "fit"), [(564, "no"), (613.9, "no"), (614, "tight"), (744, "fits"), (1_128, "fits")]
)
def test_memory_of_v41_flash(pool_gb: float, fit: str) -> None:
    assert memory_fit(pool_gb=pool_gb, floor_gb=614, tight_margin_share=0.1) == fit


def test_an_unknown_floor_is_unknown() -> None:
    assert memory_fit(pool_gb=80, floor_gb=None, tight_margin_share=0.1) == "unknown"


def test_tables_in_host_memory_lower_the_need() -> None:
    needed = memory_needed_gb(weights_gb=511, tables_in_host_memory_gb=197, headroom=1.2, kv_cache_gb=10)
    assert needed == pytest.approx(386.8)
