"""Published worked numbers (cases/model.csv), each through the product's own equations."""

from typing import Any

from costmodel.api import TokenMix, api_usd_per_bundle, largest_output_tok_s, mean_usd_over_shares, with_surcharge
from costmodel.breakeven import break_even, break_even_output_tok_s, break_even_utilization, winner
from costmodel.ledger import CostLine, total_usd
from costmodel.selfhost import rent_usd, usd_per_bundle
from costmodel.serving import (
    capacity_of_two_pools,
    decode_capacity,
    kv_cache_gb,
    memory_fit,
    memory_needed_gb,
)
from costmodel.units import BYTES_PER_GB
from costmodel.workload import output_mtok, uncached_input_per_output
from tests.model_cases import Case, model_cases


def money_factor(inputs: dict[str, Any]) -> float:
    """Currency and tax, applied once at the end."""
    return float(inputs.get("fx", 1) * (1 + inputs.get("vat", 0)))


def bundle(inputs: dict[str, Any]) -> float:
    """An API's bundle price from the file's short names, long context as multipliers of the base price."""
    is_long = inputs.get("long", 0)
    price = api_usd_per_bundle(
        input_per_output=inputs["r"],
        cached_share=inputs["c"],
        cache_write_share=0,
        usd_input=inputs["miss"] * (inputs["long_in"] if is_long else 1),
        usd_cached_input=inputs["hit"],
        usd_cache_write=0,
        usd_output=inputs["out"] * (inputs["long_out"] if is_long else 1),
    )
    peak = inputs.get("peak_share", 0)
    mean = mean_usd_over_shares(usd=(price, price * inputs.get("peak_mult", 1)), shares=(1 - peak, peak))
    return with_surcharge(usd=mean, surcharge_share=inputs.get("residency", 0))


@model_cases("rent")
def test_rent(case: Case) -> None:
    rents = (
        rent_usd(gpus=gpus, usd_per_gpu_hour=usd, hours=case.inputs["hours"]) for gpus, usd in case.inputs["units"]
    )
    case.check(sum(rents) * money_factor(case.inputs))


@model_cases("capacity")
def test_capacity(case: Case) -> None:
    given = case.inputs
    decode = decode_capacity(gpus=given["Gd"], output_tok_s_per_gpu=given["Xd"], efficiency=given["eta"])
    capacity = capacity_of_two_pools(
        decode_output_tok_s=decode,
        prefill_gpus=given["Gp"],
        input_tok_s_per_prefill_gpu=given["Xp"],
        prefill_efficiency=given["eta_p"],
        uncached_input_per_output=uncached_input_per_output(input_per_output=given["r"], own_cached_share=given["h"]),
    )
    case.check(capacity.output_tok_s)


@model_cases("unit_cost")
def test_unit_cost(case: Case) -> None:
    case.check(
        usd_per_bundle(
            usd_per_hour=case.inputs["F"],
            capacity_output_tok_s=case.inputs["cap"],
            utilization=case.inputs.get("u", 1),
        )
    )


@model_cases("be_util")
def test_break_even_utilization(case: Case) -> None:
    case.check(
        break_even_utilization(
            usd_per_hour=case.inputs["F"],
            capacity_output_tok_s=case.inputs["cap"],
            api_usd_per_bundle=case.inputs["A"],
        )
    )


@model_cases("be_exists")
def test_break_even_exists(case: Case) -> None:
    point = break_even(
        usd_per_hour=case.inputs["F"],
        capacity_output_tok_s=case.inputs["cap"],
        api_usd_per_bundle=case.inputs["A"],
        binding="prefill",
    )
    case.check(point.reachable)


@model_cases("be_toks")
def test_break_even_output(case: Case) -> None:
    case.check(break_even_output_tok_s(usd_per_hour=case.inputs["F"], api_usd_per_bundle=case.inputs["A"]))


@model_cases("api_per_M")
def test_api_bundle(case: Case) -> None:
    case.check(bundle(case.inputs))


@model_cases("api_month")
def test_api_month(case: Case) -> None:
    case.check(bundle(case.inputs) * case.inputs["Mout"] * money_factor(case.inputs))


@model_cases("tokens_month")
def test_tokens_of_a_month(case: Case) -> None:
    case.check(output_mtok(output_tok_s=case.inputs["toks"], hours=case.inputs["hours"]))


@model_cases("rent_buys_Mtok")
def test_what_the_rent_buys(case: Case) -> None:
    case.check(case.inputs["F_day"] / bundle({"miss": 1, "hit": 1, "out": case.inputs["A"], "r": 0, "c": 0}))


@model_cases("bill3")
def test_bill_of_three_kinds(case: Case) -> None:
    lines = (CostLine("", mtok, "Mtok", usd) for mtok, usd in zip(case.inputs["M"], case.inputs["p"], strict=True))
    case.check(total_usd(lines))


@model_cases("api_max_toks")
def test_concurrency_limit(case: Case) -> None:
    case.check(largest_output_tok_s(concurrent_requests=case.inputs["max_conc"], tok_s_per_stream=case.inputs["v"]))


@model_cases("kv_GB")
def test_kv_cache(case: Case) -> None:
    case.check(
        kv_cache_gb(kv_bytes_per_token=case.inputs["kv_B"], tokens=case.inputs["tokens"], bytes_per_gb=BYTES_PER_GB)
    )


@model_cases("vram")
def test_memory(case: Case) -> None:
    given = case.inputs
    kv_gb = kv_cache_gb(
        kv_bytes_per_token=given["kv_B"] * given.get("rep", 1), tokens=given["tokens"], bytes_per_gb=BYTES_PER_GB
    )
    needed = memory_needed_gb(
        weights_gb=given["W"],
        tables_in_host_memory_gb=given.get("offload", 0),
        headroom=given["headroom"],
        kv_cache_gb=kv_gb,
    )
    case.check(memory_fit(pool_gb=given["V"] * given["mu"], floor_gb=needed, tight_margin_share=0) != "no")


@model_cases("cheapest_flat")
def test_flat_price_against_peak_price(case: Case) -> None:
    given = case.inputs
    blended = mean_usd_over_shares(
        usd=(given["offpeak"], given["offpeak"] * given["peak_mult"]), shares=(1 - given["share"], given["share"])
    )
    case.check(winner(self_host_usd=given["flat"], api_usd=blended, tolerance_share=1e-9))


def test_mix_defaults_are_neutral() -> None:
    assert TokenMix(4) == TokenMix(4, 0, 0)
