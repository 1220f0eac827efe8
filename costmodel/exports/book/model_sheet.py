"""The sheet Model: from the inputs to the cost of a token, one equation a row."""

from costmodel.compare import Comparison, money_factor, vat_share
from costmodel.exports.book.cells import COUNT, GENERAL, PRICE, Book, Sheet, Value
from costmodel.exports.book.inputs_sheet import used
from costmodel.exports.book.looked_up import PoolFacts
from costmodel.serving import decode_capacity
from costmodel.units import PERCENT, SECONDS_PER_HOUR, TOKENS_PER_MTOK
from costmodel.workload import share, uncached_input_per_output

_NAME, _VALUE, _UNIT, _HOW = range(4)
_LIMITS = {
    "decode": "generating output (decode)",
    "prefill": "reading prompts (prefill)",
    "shared": "prompts and output on the same GPUs",
}


def write_model(book: Book, comparison: Comparison, pools: tuple[PoolFacts, ...]) -> None:
    """The sheet; the total of the bill comes from the sheet Bills."""
    sheet = book.sheet("Model", (46, 22, 30, 90))
    sheet.heads("Quantity", "Value", "Unit", "How")
    _capacity(sheet, comparison)
    _month(sheet, comparison)
    for facts in pools:
        _pool(sheet, facts)
    _cost(sheet, comparison)


def _cost(sheet: Sheet, comparison: Comparison) -> None:
    own = comparison.self_host
    at_full = own.usd_per_mtok_at_full
    per = "$ per 1M tokens in the scenario's basis"
    divisor = 1 + comparison.scenario.input_per_output if comparison.scenario.basis == "total" else 1
    _line(
        sheet, "usd_per_hour", "Cost of an hour", "own_usd_per_month/paid_hours", own.usd_per_hour, "$ per hour", PRICE
    )
    _line(
        sheet,
        "usd_per_bundle_at_full",
        "Cost of 1M output tokens, fully used",
        f"usd_per_hour*{TOKENS_PER_MTOK}/({SECONDS_PER_HOUR}*capacity_output_tok_s)",
        at_full * divisor,
        "$ per 1M output tokens",
        PRICE,
    )
    _line(
        sheet,
        "basis_divisor",
        "Tokens a price is spread over, per output token",
        'IF(basis="total",1+input_per_output,1)',
        divisor,
        "1, or input and output",
    )
    full = "usd_per_bundle_at_full/basis_divisor"
    _line(sheet, "usd_per_mtok_at_full", "Cost of a token, fully used", full, at_full, per, PRICE)
    none = "none: no tokens are served"
    now: Value = none if own.usd_per_mtok is None else own.usd_per_mtok
    in_currency: Value = none if isinstance(now, str) else float(now) * comparison.money_factor
    formula = f'IF(utilization_percent=0,"{none}",usd_per_mtok_at_full/(utilization_percent/{PERCENT}))'
    _line(sheet, "usd_per_mtok", "Cost of a token at this utilization", formula, now, per, PRICE)
    _line(
        sheet,
        "own_price",
        "Cost of a token, in currency with VAT",
        f'IF(utilization_percent=0,"{none}",usd_per_mtok*money_factor)',
        in_currency,
        f"{comparison.scenario.currency} per 1M tokens",
        PRICE,
    )


def _line(sheet: Sheet, name: str, what: str, formula: str, value: Value, unit: str, shape: str = GENERAL) -> None:
    """A row: its name, the formula and, to be read, the formula once more."""
    sheet.text(_NAME, what)
    sheet.live(_VALUE, formula, value, shape)
    sheet.text(_UNIT, unit, "muted")
    sheet.text(_HOW, f"{name} = {formula}", "muted")
    sheet.call(name, _VALUE, value)
    sheet.next()


def _capacity(sheet: Sheet, comparison: Comparison) -> None:
    scenario, own = comparison.scenario, comparison.self_host
    rate, tok_s = scenario.input_tok_s_per_prefill_gpu, own.throughput.output_tok_s_per_gpu
    q = uncached_input_per_output(
        input_per_output=scenario.input_per_output, own_cached_share=share(scenario.own_cached_percent)
    )
    efficiency = share(scenario.efficiency_percent)
    decode = decode_capacity(gpus=scenario.gpus, output_tok_s_per_gpu=tok_s, efficiency=efficiency)
    two_pools = len(own.pools) > 1
    if two_pools:
        fast = f"prefill_efficiency_percent/{PERCENT}*prefill_gpus*input_tok_s_per_prefill_gpu"
        at_most = f"IF(uncached_input_per_output=0,decode_output_tok_s,{fast}/uncached_input_per_output)"
    else:
        seconds = "1/output_tok_s_per_gpu_used+uncached_input_per_output/input_tok_s_per_prefill_gpu"
        at_most = f"efficiency_percent/{PERCENT}*gpus/({seconds})"
    with_prompts = decode
    if rate is not None and two_pools and q:
        with_prompts = share(scenario.prefill_efficiency_percent) * (scenario.prefill_gpus or 0) * rate / q
    elif rate is not None and not two_pools:
        with_prompts = efficiency * scenario.gpus / (1 / tok_s + q / rate)
    _line(
        sheet,
        "uncached_input_per_output",
        "Input the own deployment has to read",
        f"input_per_output*(1-own_cached_percent/{PERCENT})",
        q,
        "tokens per output token",
    )
    _line(
        sheet,
        "output_tok_s_per_gpu_used",
        "Throughput per GPU",
        "IF(ISNUMBER(promised_output_tok_s_per_gpu),promised_output_tok_s_per_gpu,"
        "output_tok_s_per_gpu*draft_acceptance_factor)",
        tok_s,
        "output tok/s per serving GPU",
        COUNT,
    )
    _line(
        sheet,
        "decode_output_tok_s",
        "One unit, generating output",
        f"efficiency_percent/{PERCENT}*gpus*output_tok_s_per_gpu_used",
        decode,
        "output tok/s",
        COUNT,
    )
    _line(
        sheet,
        "output_tok_s_with_prompts",
        "One unit, as far as prompts are read" if two_pools else "One unit, prompts and output on the same GPUs",
        f"IF(ISNUMBER(input_tok_s_per_prefill_gpu),{at_most},decode_output_tok_s)",
        with_prompts,
        "output tok/s; without a prefill rate, prompts do not limit",
        COUNT,
    )
    unit_capacity = own.capacity_output_tok_s / scenario.units
    # Out of bounds, nothing is told: no number is better than a wrong one.
    least = "IF(input_problems>0,NA(),MIN(decode_output_tok_s,output_tok_s_with_prompts))"
    _line(sheet, "unit_output_tok_s", "One unit can deliver", least, unit_capacity, "output tok/s", COUNT)
    slower = f'IF(output_tok_s_with_prompts<decode_output_tok_s,"{_LIMITS["prefill"]}","{_LIMITS["decode"]}")'
    shared = f'IF(ISNUMBER(input_tok_s_per_prefill_gpu),"{_LIMITS["shared"]}","{_LIMITS["decode"]}")'
    _line(sheet, "limit", "The limit is", slower if two_pools else shared, _LIMITS[own.binding], "")
    capacity, served = own.capacity_output_tok_s, own.output_tok_s
    _line(
        sheet,
        "capacity_output_tok_s",
        "All units can deliver",
        "unit_output_tok_s*units",
        capacity,
        "output tok/s",
        COUNT,
    )
    use = f"capacity_output_tok_s*utilization_percent/{PERCENT}"
    _line(sheet, "output_tok_s", "Output served", use, served, "output tok/s", COUNT)


def _month(sheet: Sheet, comparison: Comparison) -> None:
    scenario, own = comparison.scenario, comparison.self_host
    lost = f'IF(acquire="spot",{used("spot_interrupted_percent")},0)'
    hours = f"hours_per_month*(1-{lost}/{PERCENT})"
    _line(sheet, "paid_hours", "Hours of the month that are paid for", hours, own.paid_hours_per_month, "hours")
    mtok = f"output_tok_s*{SECONDS_PER_HOUR}*paid_hours/{TOKENS_PER_MTOK}"
    output = own.output_mtok_per_month
    _line(sheet, "output_mtok_per_month", "Output of a month", mtok, output, "1M output tokens", COUNT)
    tax = f'IF(vat_back="yes",0,vat_percent/{PERCENT})'
    _line(sheet, "vat_share", "VAT that is a cost", tax, vat_share(scenario), "share of the price")
    factor = money_factor(scenario)
    _line(sheet, "money_factor", "A dollar, with VAT", "currency_per_usd*(1+vat_share)", factor, scenario.currency)


def _pool(sheet: Sheet, facts: PoolFacts) -> None:
    pool, prefix = facts.pool, facts.key.removesuffix("gpus")
    named = f"{pool.offer.name} ({pool.role})"
    whole = f"ROUNDUP({prefix}gpus/{prefix}gpus_per_instance,0)*{prefix}gpus_per_instance"
    _line(
        sheet, f"{prefix}billed_gpus", f"{named}: GPUs billed", whole, pool.billed_gpus, "per unit: instances are whole"
    )
    own, listed = f"{prefix}gpu_usd_per_hour", f"{prefix}list_usd_per_gpu_hour"
    base = f"IF(ISNUMBER({own}),{own},{listed})"

    def discounted(off: str, without: str) -> str:
        return f"IF(ISNUMBER({off}),{base}*(1-{off}/{PERCENT}),IF(ISNUMBER({own}),{own},{without}))"

    reserved = discounted("reserved_discount_percent", f"{prefix}reserved_usd_per_gpu_hour")
    spot = discounted("spot_discount_percent", f"{prefix}spot_usd_per_gpu_hour")
    formula = f'IF(acquire="reserve",{reserved},IF(acquire="spot",{spot},{base}))'
    _line(sheet, f"{prefix}rent_usd_per_gpu_hour", f"{named}: rent", formula, facts.usd_now, "$ per GPU-hour", PRICE)
