"""Reading prompts: when it limits the output, how many GPUs it takes, and what a store for the KV cache costs."""

from dataclasses import dataclass

from costmodel.units import GB_PER_TB


def balanced_prefill_per_decode(
    *,
    uncached_input_per_output: float,
    output_tok_s_per_gpu: float,
    efficiency: float,
    input_tok_s_per_prefill_gpu: float,
    prefill_efficiency: float,
) -> float:
    """Prefill GPUs for each decode GPU at which neither pool waits for the other.

    Formula: G_p / G_d = q · η_d · X_d / (η_p · X_p)
    Assumes: both pools work at their rates at the same time; q is the uncached input per output token.
    Source: DeepSeek runs 64 prefill GPUs beside 64 decode GPUs (tokely.me, 25 October 2026); its own figures balance
    them at q = 5.2.

    >>> [round(balanced_prefill_per_decode(uncached_input_per_output=q, output_tok_s_per_gpu=14_466, efficiency=0.8,
    ...        input_tok_s_per_prefill_gpu=60_000, prefill_efficiency=1), 2) for q in (2, 5.2)]
    [0.39, 1.0]
    """
    decode = efficiency * output_tok_s_per_gpu
    return uncached_input_per_output * decode / (prefill_efficiency * input_tok_s_per_prefill_gpu)


def most_uncached_input_per_output(
    *, output_share: float, decode_output_tok_s: float, input_tok_s: float, shares_gpus: bool
) -> float:
    """Uncached input per output token at which the output falls to a share of what decode alone could deliver.

    Formula: q = R_p / (s · C_d) with a pool of its own, q = (1/s - 1) · R_p / C_d on the same GPUs
    Assumes: R_p is the input tok/s all prefill GPUs read together, C_d the output tok/s without prefill; s above 0.
    Source: the capacity of two pools, and of a shared one, solved for q.

    >>> round(most_uncached_input_per_output(output_share=1, decode_output_tok_s=740_659.2, input_tok_s=64 * 60_000,
    ...                                      shares_gpus=False), 1)
    5.2
    """
    ratio = input_tok_s / decode_output_tok_s
    return (1 / output_share - 1) * ratio if shares_gpus else ratio / output_share


def own_cached_share_at(*, uncached_input_per_output: float, input_per_output: float) -> float:
    """Share of the input the own cache must serve so that only so much is left to prefill; 0 where nothing needs to.

    Formula: h = max(0, 1 - q / r)
    Assumes: cached input costs no prefill. r is above 0.
    Source: q = r · (1 - h), solved for h.

    >>> round(own_cached_share_at(uncached_input_per_output=5.2, input_per_output=20), 2)
    0.74
    """
    return max(0.0, 1 - uncached_input_per_output / input_per_output)


def kv_store_gb(*, gpus: float, tb_per_gpu: float) -> float:
    """Storage for cached prefixes, GB.

    Formula: GB = GPUs · TB per GPU · 1,000
    Assumes: the store is sized per GPU of the deployment, prefill GPUs included, as DeepSeek states its own.
    Source: DeepSeek provides 14.4 TB of logical KV cache storage per GPU (tokely.me, 25 October 2026).

    >>> kv_store_gb(gpus=128, tb_per_gpu=14.4)
    1843200.0
    """
    return gpus * tb_per_gpu * GB_PER_TB


@dataclass(frozen=True)
class PrefillSide:
    """What of a deployment decides whether reading prompts limits its output. One unit."""

    decode_output_tok_s: float
    """Output tok/s with no prefill at all."""
    input_tok_s: float
    """Uncached input tok/s of all GPUs that prefill."""
    shares_gpus: bool

    def q_at(self, output_share: float) -> float:
        """Uncached input per output token at which the output falls to a share of decode's."""
        return most_uncached_input_per_output(
            output_share=output_share,
            decode_output_tok_s=self.decode_output_tok_s,
            input_tok_s=self.input_tok_s,
            shares_gpus=self.shares_gpus,
        )
