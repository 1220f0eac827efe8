"""The part of the answer about serving: throughput, speed, prefill and memory. The same rules hold as in answer.py."""

from typing import Any

from costmodel.compare import Comparison
from costmodel.machine.prefill import PrefillSide, balanced_prefill_per_decode
from costmodel.machine.throughput import Throughput
from costmodel.ownbill import KV_STORE
from costmodel.pools import Pool
from costmodel.scenario import Scenario
from costmodel.serving import decode_capacity
from costmodel.workload import share, uncached_input_per_output

NOT_ASKED = "no speed, benchmark or draft acceptance was asked for, so the throughput is as typed"
NO_PREFILL_RATE = "no prefill rate is given, so prefill is taken not to bind"


def uncached_of(scenario: Scenario) -> float:
    """Uncached input tokens per output token of a scenario, q."""
    return uncached_input_per_output(
        input_per_output=scenario.input_per_output, own_cached_share=share(scenario.own_cached_percent)
    )


def prefill_side(comparison: Comparison) -> PrefillSide | None:
    """What decides whether reading prompts limits one unit, or None where no prefill rate is given."""
    scenario = comparison.scenario
    rate = scenario.input_tok_s_per_prefill_gpu
    if rate is None:
        return None
    decode = decode_capacity(
        gpus=scenario.gpus,
        output_tok_s_per_gpu=comparison.self_host.throughput.output_tok_s_per_gpu,
        efficiency=share(scenario.efficiency_percent),
    )
    if scenario.prefill_gpus is None:
        return PrefillSide(decode, share(scenario.efficiency_percent) * scenario.gpus * rate, shares_gpus=True)
    input_tok_s = share(scenario.prefill_efficiency_percent) * scenario.prefill_gpus * rate
    return PrefillSide(decode, input_tok_s, shares_gpus=False)


def balance_of(comparison: Comparison) -> float | None:
    """Prefill GPUs per decode GPU that would balance the two pools; None without two pools or a prefill rate."""
    scenario = comparison.scenario
    if scenario.input_tok_s_per_prefill_gpu is None or scenario.prefill_gpus is None:
        return None
    return balanced_prefill_per_decode(
        uncached_input_per_output=uncached_of(scenario),
        output_tok_s_per_gpu=comparison.self_host.throughput.output_tok_s_per_gpu,
        efficiency=share(scenario.efficiency_percent),
        input_tok_s_per_prefill_gpu=scenario.input_tok_s_per_prefill_gpu,
        prefill_efficiency=share(scenario.prefill_efficiency_percent),
    )


def serving_dict(comparison: Comparison) -> dict[str, Any]:
    """The key serving."""
    scenario, own = comparison.scenario, comparison.self_host
    side, balance = prefill_side(comparison), balance_of(comparison)
    no_balance = NO_PREFILL_RATE if scenario.input_tok_s_per_prefill_gpu is None else "one pool does both"
    return {
        **_throughput_dict(scenario, own.throughput),
        "uncached_input_per_output": uncached_of(scenario),
        "decode_binds_up_to_uncached_input_per_output": None if side is None else side.q_at(1),
        **({"decode_binds_reason": NO_PREFILL_RATE} if side is None else {}),
        "balanced_prefill_gpus_per_decode_gpu": balance,
        **({"balanced_reason": no_balance} if balance is None else {}),
        "pools": [_pool_dict(pool) for pool in own.pools],
        "kv_store_tb_per_gpu": scenario.kv_store_tb_per_gpu,
        "kv_store_usd_per_month": sum(line.usd for line in own.lines if line.name == KV_STORE),
    }


def _throughput_dict(scenario: Scenario, throughput: Throughput) -> dict[str, Any]:
    curve = throughput.curve
    limits = curve.limits if curve else None
    answer: dict[str, Any] = {
        "output_tok_s_per_gpu": throughput.output_tok_s_per_gpu,
        "typed_output_tok_s_per_gpu": scenario.output_tok_s_per_gpu,
        "follows_from": "typed" if throughput.is_typed else "speed",
        "promised_tok_s_per_user": scenario.slo_tok_s_per_user,
        "tok_s_per_user": throughput.tok_s_per_user,
        "acceptance_factor": throughput.acceptance_factor,
        "curve": throughput.curve_name,
    }
    if curve is None:
        return answer | {"curve_reason": NOT_ASKED if not throughput.notes else throughput.notes[-1]}
    answer |= {
        "fastest_tok_s_per_user": curve.fastest_tok_s,
        "slowest_tok_s_per_user": curve.slowest_tok_s,
        "most_output_tok_s_per_gpu": curve.most_output_tok_s,
        "loads": [
            {
                "requests_per_gpu": load.requests_per_gpu,
                "tok_s_per_user": load.tok_s_per_user,
                "output_tok_s_per_gpu": load.requests_per_gpu * load.tok_s_per_user,
            }
            for load in curve.loads
        ],
    }
    if limits:
        answer |= {"line_fastest_tok_s_per_user": limits[0], "line_most_output_tok_s_per_gpu": limits[1]}
    return answer


def _pool_dict(pool: Pool) -> dict[str, Any]:
    return {
        "role": pool.role,
        "gpu": pool.offer.id,
        "gpus": pool.gpus,
        "memory_gb": pool.memory_gb,
        "memory_floor_gb": pool.memory_floor_gb,
        "fit": pool.fit,
    }
