"""Reading prompts: which pool binds, the balanced ratio, and what the store of the KV cache is worth."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.prefill_answer import PrefillReport, Store, prefill_report
from costmodel.ui.charts_serving import prefill_chart, prefill_table
from costmodel.ui.text import Money, left_out, number, plain, shown, source_link
from costmodel.ui.views.frame import chart
from costmodel.words import count_text, percent_text


def show_prefill(catalog: Catalog, comparison: Comparison) -> None:
    report, scenario = prefill_report(catalog, comparison), comparison.scenario
    if report.side is None:
        known = _known_rates(catalog, comparison)
        st.info(
            shown(
                "No prefill rate is given, so reading prompts is taken not to limit the output. Type the uncached "
                "input "
                f"tok/s one GPU reads (Hardware, Prefill rate per GPU).{known}"
            )
        )
    else:
        chart(
            comparison,
            prefill_chart(report, comparison),
            view="prefill",
            title="Which pool binds: input per output against the own cache",
            alt=f"Prefill starts to bind at {report.side.q_at(1):.1f} uncached input tokens per output token. "
            f"You have {count_text(report.uncached_input_per_output)}.",
            table=lambda: prefill_table(report),
        )
        st.markdown(shown(_how_to_read(report)))
        st.markdown(shown(_balance(report, comparison)))
        st.markdown(_balance_table(report))
    _stores(report, comparison)
    _cost_of_store(catalog, comparison)
    st.caption(
        shown(
            "Assumes that input from the own cache costs no prefill, that both pools work at their stated rates, and "
            "that "
            f"the prefill rate holds at this request size ({_request(scenario.request_input_tokens)}). "
            f"{left_out(scenario)}"
        )
    )


def _request(tokens: int | None) -> str:
    return "no request size is given" if tokens is None else f"{tokens:,} input tokens"


def _known_rates(catalog: Catalog, comparison: Comparison) -> str:
    for benchmark in catalog.benchmarks_of(comparison.scenario.model).values():
        point = benchmark.points[0]
        if benchmark.pool == "prefill" and point.input_tok_s_per_gpu_low is not None:
            high = point.input_tok_s_per_gpu_high
            upto = f" to {count_text(high)} (large batches)" if high else ""
            return (
                f" Known: {count_text(point.input_tok_s_per_gpu_low)} (small batches){upto} on "
                f"{plain(benchmark.gpu.upper())}, {plain(benchmark.engine)}: {source_link(benchmark)}."
            )
    return ""


def _how_to_read(report: PrefillReport) -> str:
    assert report.side is not None
    if report.side.shares_gpus:
        return (
            "**How to read it.** One pool reads prompts and writes answers, so every uncached input token takes time "
            "from "
            "the output. On each line the output is the named share of what it would be without any prompts to read."
        )
    return (
        "**How to read it.** Left of and above the blue line the serving GPUs set the limit; in the shaded ground "
        "right "
        f"of it they wait for prompts to be read. The line is at {number(report.side.q_at(1), 1)} uncached input "
        "tokens "
        "per output token; on each grey line the output is down to the named share."
    )


def _balance(report: PrefillReport, comparison: Comparison) -> str:
    own, q = comparison.self_host, report.uncached_input_per_output
    delivers = f"one unit delivers {number(own.capacity_output_tok_s / comparison.scenario.units, 0)} output tok/s"
    lead = f"**Balance.** Your mix leaves {count_text(q)} uncached input tokens per output token, and {delivers}"
    have, needs = report.prefill_per_decode, report.balanced_prefill_per_decode
    if have is None or needs is None:
        return f"{lead}; one pool does both."
    if needs == 0:
        return f"{lead}; there are no prompts to read, so the prefill pool has nothing to do."
    ratio = f"{lead}. It needs {needs:.2f} prefill GPUs for each decode GPU and has {have:.2f}"
    if own.binding == "prefill":
        return f"{ratio}: prefill binds, the serving GPUs wait."
    return f"{ratio}: decode binds, prefill is used to {percent_text(needs / have)}."


def _balance_table(report: PrefillReport) -> str:
    """The balanced ratio at round amounts of uncached input, where there are two pools."""
    side, have = report.side, report.prefill_per_decode
    if side is None or have is None:
        return ""
    at_one = have / side.q_at(1)
    amounts = (1, 2, 5, 10, 20)
    head = "| Uncached input per output | " + " | ".join(f"{each:g}" for each in amounts) + " |"
    cells = "| Prefill GPUs per decode GPU | " + " | ".join(f"{at_one * each:.2f}" for each in amounts) + " |"
    return "\n".join([head, "|---" + "|--:" * len(amounts) + "|", cells])


def _stores(report: PrefillReport, comparison: Comparison) -> None:
    st.subheader("What an own store for the KV cache is worth")
    if not report.stores:
        st.markdown(
            "The API bills no input as cached in this scenario (Tokens, Cached input), so there is nothing to set a "
            "store "
            "against."
        )
        return
    api = comparison.cheapest_api
    against = plain(api.name) if api else "the cheapest API"
    rows = ["| Own cache | Output tok/s | Cost, fully used | Break-even |", "|---|--:|--:|--:|"]
    rows += [_store_row(store) for store in report.stores]
    st.markdown(shown("\n".join(rows)))
    st.markdown(
        shown(
            f"The API bills {comparison.scenario.cached_percent:g} % of the input as cached; the break-even is with "
            f"{against}. A deployment without a store of its own has to read those prompts again."
        )
    )


def _store_row(store: Store) -> str:
    answer, money = store.comparison, Money(store.comparison)
    api = answer.cheapest_api
    turn = api.break_even.utilization if api else None
    words = "none" if turn is None else percent_text(turn) if turn <= 1 else f"none ({percent_text(turn)})"
    own = answer.self_host
    monthly = own.other_usd_per_hour * answer.scenario.hours_per_month
    paid = f", {money(monthly)} a month" if store.kv_store_tb_per_gpu else ""
    return (
        f"| {store.own_cached_percent:g} %, {store.name}{paid} | {number(own.capacity_output_tok_s, 0)} | "
        f"{money(own.usd_per_mtok_at_full)} | {words} |"
    )


def _cost_of_store(catalog: Catalog, comparison: Comparison) -> None:
    size = catalog.assumptions["kv_store_tb_per_gpu"].history[-1]
    price = catalog.assumptions["kv_store_usd_per_gb_month"].history[-1]
    tb = comparison.scenario.kv_store_tb_per_gpu
    state = "no store is paid for" if tb == 0 else f"{tb:g} TB per GPU are in the bill"
    st.caption(
        shown(
            f"In this scenario {state} (Speed and memory, KV cache store). DeepSeek has {size.value:g} TB per GPU "
            f"({source_link(size)}); ${price.value:g} per GB and month is an assumption "
            f"(between ${price.low:g} and ${price.high:g})."
        )
    )
