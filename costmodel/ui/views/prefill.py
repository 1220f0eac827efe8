"""Reading prompts: which pool binds, the balanced ratio, and what the store of the KV cache is worth."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.prefill_answer import PrefillReport, Store, prefill_report
from costmodel.ui.charts_prefill import prefill_chart, prefill_table
from costmodel.ui.text import Money, as_typed, dollars, left_out, number, plain, shown, source_link
from costmodel.ui.views.frame import chart, write
from costmodel.words import count_text, percent_text


def show_prefill(catalog: Catalog, comparison: Comparison) -> None:
    report, scenario = prefill_report(catalog, comparison), comparison.scenario
    if report.side is None:
        words = say(
            "No prefill rate is given, so reading prompts is taken not to limit the output. Type the uncached input "
            "tok/s one GPU reads (Hardware, Prefill rate per GPU)."
        )
        st.info(shown(f"{words} {_known_rates(catalog, comparison)}".strip()))
    else:
        chart(
            comparison,
            prefill_chart(report, comparison),
            view="prefill",
            title=say("Which pool binds: input per output against the own cache"),
            alt=say(
                "Prefill starts to bind at {limit} uncached input tokens per output token. You have {ratio}.",
                limit=number(report.side.q_at(1), 1),
                ratio=count_text(report.uncached_input_per_output),
            ),
            table=lambda: prefill_table(report),
        )
        st.markdown(shown(_how_to_read(report)))
        st.markdown(shown(_balance(report, comparison)))
        st.markdown(_balance_table(report))
    _stores(report, comparison)
    _cost_of_store(catalog, comparison)
    assumes = say(
        "Assumes that input from the own cache costs no prefill, that both pools work at their stated rates, and that "
        "the prefill rate holds at this request size ({request}).",
        request=_request(scenario.request_input_tokens),
    )
    st.caption(shown(f"{assumes} {left_out(scenario)}"))


def _request(tokens: int | None) -> str:
    return say("no request size is given") if tokens is None else say("{tokens} input tokens", tokens=number(tokens, 0))


def _known_rates(catalog: Catalog, comparison: Comparison) -> str:
    for benchmark in catalog.benchmarks_of(comparison.scenario.model).values():
        point = benchmark.points[0]
        if benchmark.pool == "prefill" and point.input_tok_s_per_gpu_low is not None:
            rates = say("{rate} (small batches)", rate=count_text(point.input_tok_s_per_gpu_low))
            if point.input_tok_s_per_gpu_high:
                high = count_text(point.input_tok_s_per_gpu_high)
                rates = say("{rates} to {high} (large batches)", rates=rates, high=high)
            return say(
                "Known: {rates} on {gpu}, {engine}: {source}.",
                rates=rates,
                gpu=plain(benchmark.gpu.upper()),
                engine=plain(benchmark.engine),
                source=source_link(benchmark),
            )
    return ""


def _how_to_read(report: PrefillReport) -> str:
    assert report.side is not None
    if report.side.shares_gpus:
        return say(
            "**How to read it.** One pool reads prompts and writes answers, so every uncached input token takes time "
            "from the output. On each line the output is the named share of what it would be without any prompts to "
            "read."
        )
    return say(
        "**How to read it.** Left of and above the blue line the serving GPUs set the limit; in the shaded ground "
        "right of it they wait for prompts to be read. The line is at {limit} uncached input tokens per output token; "
        "on each grey line the output is down to the named share.",
        limit=number(report.side.q_at(1), 1),
    )


def _balance(report: PrefillReport, comparison: Comparison) -> str:
    own, q = comparison.self_host, report.uncached_input_per_output
    lead = say(
        "**Balance.** Your mix leaves {ratio} uncached input tokens per output token, and one unit delivers {rate} "
        "output tok/s",
        ratio=count_text(q),
        rate=number(own.capacity_output_tok_s / comparison.scenario.units, 0),
    )
    have, needs = report.prefill_per_decode, report.balanced_prefill_per_decode
    if have is None or needs is None:
        return say("{balance}; one pool does both.", balance=lead)
    if needs == 0:
        return say("{balance}; there are no prompts to read, so the prefill pool has nothing to do.", balance=lead)
    ratio = {"needs": number(needs, 2), "has": number(have, 2)}
    if own.binding == "prefill":
        bound = say(
            "It needs {needs} prefill GPUs for each decode GPU and has {has}: prefill binds, the serving GPUs wait.",
            **ratio,
        )
    else:
        bound = say(
            "It needs {needs} prefill GPUs for each decode GPU and has {has}: decode binds, prefill is used to "
            "{share}.",
            share=percent_text(needs / have),
            **ratio,
        )
    return f"{lead}. {bound}"


def _balance_table(report: PrefillReport) -> str:
    """The balanced ratio at round amounts of uncached input, where there are two pools."""
    side, have = report.side, report.prefill_per_decode
    if side is None or have is None:
        return ""
    at_one = have / side.q_at(1)
    amounts = (1, 2, 5, 10, 20)
    head = [say("Uncached input per output"), *(as_typed(each) for each in amounts)]
    cells = [say("Prefill GPUs per decode GPU"), *(number(at_one * each, 2) for each in amounts)]
    rows = [f"| {' | '.join(row)} |" for row in (head, cells)]
    return "\n".join([rows[0], "|---" + "|--:" * len(amounts) + "|", rows[1]])


def _stores(report: PrefillReport, comparison: Comparison) -> None:
    title = f"### {say('What an own store for the KV cache is worth')}"
    if not report.stores:
        write(
            title,
            say(
                "The API bills no input as cached in this scenario (Tokens, Cached input), so there is nothing to set "
                "a store against."
            ),
        )
        return
    api = comparison.cheapest_api
    against = plain(api.name) if api else say("the cheapest API")
    rows = [say("| Own cache | Output tok/s | Cost, fully used | Break-even |"), "|---|--:|--:|--:|"]
    rows += [_store_row(store) for store in report.stores]
    write(
        title,
        "\n".join(rows),
        say(
            "The API bills {percent} % of the input as cached; the break-even is with {api}. A deployment without "
            "a store of its own has to read those prompts again.",
            percent=as_typed(comparison.scenario.cached_percent),
            api=against,
        ),
    )


def _store_row(store: Store) -> str:
    answer, money = store.comparison, Money(store.comparison)
    api = answer.cheapest_api
    turn = api.break_even.utilization if api else None
    own = answer.self_host
    name = f"{as_typed(store.own_cached_percent)} %, {store.name}"
    if store.kv_store_tb_per_gpu:
        monthly = own.other_usd_per_hour * answer.scenario.hours_per_month
        name = say("{store}, {amount} a month", store=name, amount=money(monthly))
    return (
        f"| {name} | {number(own.capacity_output_tok_s, 0)} | {money(own.usd_per_mtok_at_full)} | {turn_text(turn)} |"
    )


def turn_text(utilization: float | None) -> str:
    """A break-even in the cell of a table, with the number it would be where no utilization reaches it."""
    if utilization is None:
        return say("none")
    share = percent_text(utilization)
    return share if utilization <= 1 else say("none ({share})", share=share)


def _cost_of_store(catalog: Catalog, comparison: Comparison) -> None:
    size = catalog.assumptions["kv_store_tb_per_gpu"].history[-1]
    price = catalog.assumptions["kv_store_usd_per_gb_month"].history[-1]
    tb = comparison.scenario.kv_store_tb_per_gpu
    if tb == 0:
        state = say("In this scenario no store is paid for (Speed and memory, KV cache store).")
    else:
        state = say(
            "In this scenario {terabytes} TB per GPU are in the bill (Speed and memory, KV cache store).",
            terabytes=as_typed(tb),
        )
    known = say(
        "DeepSeek has {terabytes} TB per GPU ({source}); {price} per GB and month is an assumption (between {low} and "
        "{high}).",
        terabytes=as_typed(size.value),
        source=source_link(size),
        price=dollars(price.value),
        low=dollars(price.low or 0),
        high=dollars(price.high or price.value),
    )
    st.caption(shown(f"{state} {known}"))
