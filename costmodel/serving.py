"""What a deployment can deliver: capacity of its pools, and whether the model fits into their memory."""

from dataclasses import dataclass
from typing import Literal

Binding = Literal["decode", "prefill", "shared"]
Fit = Literal["fits", "tight", "no", "unknown"]


@dataclass(frozen=True)
class Capacity:
    """Output tok/s one unit can deliver under full load, and the pool that sets the limit."""

    output_tok_s: float
    binding: Binding


def decode_capacity(*, gpus: float, output_tok_s_per_gpu: float, efficiency: float) -> float:
    """Output tok/s of the serving pool.

    Formula: C_decode = η · G · X
    Assumes: X is measured under full load at a similar input length; η is what load balancing keeps of it.
    Source: DeepSeek's benchmark of 14,466 tok/s per GPU and its 80 % load balancing (tokely.me, 25 October 2026).

    >>> round(decode_capacity(gpus=64, output_tok_s_per_gpu=14_466, efficiency=0.8), 1)
    740659.2
    """
    return efficiency * gpus * output_tok_s_per_gpu


def capacity_of_two_pools(
    *,
    decode_output_tok_s: float,
    prefill_gpus: float,
    input_tok_s_per_prefill_gpu: float,
    prefill_efficiency: float,
    uncached_input_per_output: float,
) -> Capacity:
    """Capacity of separate prefill and decode pools: the slower one sets the limit.

    Formula: C = min(η_d · G_d · X_d, η_p · G_p · X_p / q)
    Assumes: both pools work at the same time; q is the uncached input per output token. With q = 0 decode binds.
    Source: DeepSeek runs prefill and decode on separate pools, 60,000 uncached input tok/s per prefill GPU at small
    batches (tokely.me, 25 October 2026).

    >>> capacity_of_two_pools(decode_output_tok_s=740_659.2, prefill_gpus=64, input_tok_s_per_prefill_gpu=60_000,
    ...                       prefill_efficiency=1, uncached_input_per_output=20)
    Capacity(output_tok_s=192000.0, binding='prefill')
    """
    if uncached_input_per_output == 0:
        return Capacity(decode_output_tok_s, "decode")
    prefill = prefill_efficiency * prefill_gpus * input_tok_s_per_prefill_gpu / uncached_input_per_output
    return Capacity(prefill, "prefill") if prefill < decode_output_tok_s else Capacity(decode_output_tok_s, "decode")


def capacity_of_shared_pool(
    *,
    gpus: float,
    output_tok_s_per_gpu: float,
    input_tok_s_per_gpu: float,
    efficiency: float,
    uncached_input_per_output: float,
) -> Capacity:
    """Capacity of one pool that does both, when both rates of a GPU are known.

    Formula: C = η · G / (1/X_d + q/X_p)
    Assumes: a GPU does one or the other at a time, at the stated rates.
    Source: time per output token is the sum of its decode time and the prefill time of its input.

    >>> capacity = capacity_of_shared_pool(gpus=8, output_tok_s_per_gpu=2_000, input_tok_s_per_gpu=10_000,
    ...                                    efficiency=1, uncached_input_per_output=5)
    >>> capacity.output_tok_s, capacity.binding
    (8000.0, 'shared')
    """
    seconds_per_output_token = 1 / output_tok_s_per_gpu + uncached_input_per_output / input_tok_s_per_gpu
    return Capacity(efficiency * gpus / seconds_per_output_token, "shared")


def kv_cache_gb(*, kv_bytes_per_token: float, tokens: float, bytes_per_gb: float) -> float:
    """GPU memory that the KV cache of some tokens takes, GB.

    Formula: GB = κ · tokens / bytes per GB
    Assumes: the model's global KV only; sliding windows of fixed size are left out.
    Source: DeepSeek-V4.1-Flash keeps 890 bytes a token (pikas.systems, September 2026).

    >>> round(kv_cache_gb(kv_bytes_per_token=890, tokens=1_048_576, bytes_per_gb=1e9), 5)
    0.93323
    """
    return kv_bytes_per_token * tokens / bytes_per_gb


def memory_needed_gb(
    *, weights_gb: float, tables_in_host_memory_gb: float, headroom: float, kv_cache_gb: float
) -> float:
    """GPU memory a replica needs: weights with their headroom, and the KV cache of its open requests.

    Formula: needed = (W - O) · headroom + KV
    Assumes: the headroom is the serving recipe's planning rule (1.2 for weights and activations), not a hard limit.
    Source: vLLM recipe of DeepSeek-V4.1-Flash: 614 GB with 1.2 headroom (pikas.systems, September 2026).

    >>> round(memory_needed_gb(weights_gb=510.3, tables_in_host_memory_gb=0, headroom=1.2, kv_cache_gb=0.93), 2)
    613.29
    """
    return (weights_gb - tables_in_host_memory_gb) * headroom + kv_cache_gb


def memory_fit(*, pool_gb: float, floor_gb: float | None, tight_margin_share: float) -> Fit:
    """Whether a pool of GPUs holds the model: fits, tight, no, or unknown where no floor is known.

    Formula: no if V < floor; tight if V < floor · (1 + margin); fits otherwise
    Assumes: the floor is a planning rule of the serving recipe; public recipes may run below it.
    Source: 614 GB for DeepSeek-V4.1-Flash: 4 H200 (564 GB) no, 8 H100 (640 GB) tight, 8 H200 (1,128 GB) fits
    (pikas.systems, September 2026).

    >>> [memory_fit(pool_gb=gb, floor_gb=614, tight_margin_share=0.1) for gb in (564, 640, 1_128)]
    ['no', 'tight', 'fits']
    """
    if floor_gb is None:
        return "unknown"
    if pool_gb < floor_gb:
        return "no"
    return "tight" if pool_gb < floor_gb * (1 + tight_margin_share) else "fits"
