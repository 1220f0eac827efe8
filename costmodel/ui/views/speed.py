"""What speed costs: throughput and cost over the speed each user gets, and where the throughput comes from."""

from collections.abc import Sequence
from functools import partial
from math import ceil, floor, log10
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.benchmarks_in import BenchmarkFileError, OwnBenchmark, read_benchmarks
from costmodel.machine.library import BASIS_WORDS, by_fit, input_per_output_of, known_on, output_per_gpu
from costmodel.machine.ownloads import loads_text
from costmodel.machine.speed import tok_s_per_user_at
from costmodel.machine.speed_answer import SpeedReport, at_speed, speed_report
from costmodel.machine.throughput import ThroughputError, modelled_band, wanted_of
from costmodel.records import Benchmark
from costmodel.ui.charts import Figure
from costmodel.ui.charts_speed import SPEEDS, speed_chart, speed_table
from costmodel.ui.state import open_scenario
from costmodel.ui.text import Money, as_typed, left_out, number, plain, shown, source_link
from costmodel.ui.views.frame import chart, write
from costmodel.ui.views.prefill import turn_text
from costmodel.words import count_text

_ROWS = 6


def show_speed(catalog: Catalog, comparison: Comparison) -> None:
    try:
        report = speed_report(catalog, comparison, points=SPEEDS)
    except ThroughputError as error:
        st.info(shown(say("There is no curve to show: {reason}", reason=plain(str(error)))))
        return
    match = report.throughput.match
    if report.rows:
        _curve(report, comparison)
    else:
        st.info(shown(plain(_why_no_curve(catalog, report, comparison))))
    if match is not None and comparison.scenario.own_loads is None:
        st.markdown(
            shown(
                say(
                    "**Where the throughput comes from.** {benchmark} {cautions} Source: {source}.",
                    benchmark=plain(match.statement),
                    cautions=plain(" ".join(match.cautions)),
                    source=source_link(match.benchmark),
                )
            )
        )
    for question in report.questions:
        st.warning(shown(plain(question)))
    _library(catalog, comparison)
    _own_benchmark(catalog, comparison)
    assumes = say(
        "Assumes that inter-token time rises in straight pieces between the measured loads, and nothing beyond them; a "
        "user's speed counts the wait for the first token. Costs are at full use unless said otherwise."
    )
    st.caption(shown(f"{assumes} {left_out(comparison.scenario)}"))


def _curve(report: SpeedReport, comparison: Comparison) -> None:
    money = Money(comparison)
    slow, fast = report.rows[0], report.rows[-1]
    chart(
        comparison,
        speed_chart(report, comparison),
        view="speed",
        title=say("What speed costs: cost per token over the speed each user gets"),
        alt=say(
            "Cost per token over speed per user: {slow_cost} at {slow} tok/s, {fast_cost} at {fast} tok/s. {apis}",
            slow_cost=money(slow.usd_per_mtok_at_full),
            slow=number(slow.tok_s_per_user, 0),
            fast_cost=money(fast.usd_per_mtok_at_full),
            fast=number(fast.tok_s_per_user, 0),
            apis="; ".join(
                say(
                    "{api} at {low} to {high} tok/s for {price}",
                    api=each.api.name,
                    low=number(each.speed.output_tok_s_low, 0),
                    high=number(each.speed.output_tok_s_high, 0),
                    price=money(each.api.usd_per_mtok or 0),
                )
                for each in report.apis
            ),
        ),
        table=lambda: speed_table(report, comparison),
    )
    write(
        say(
            "**How to read it.** The more requests share a GPU, the more it delivers (dotted) and the slower each "
            "user gets an answer. A faster promise means fewer requests per GPU, so each token costs more (blue: "
            "fully used; orange: at your utilization). The diamonds are APIs, where their speed is known: an API "
            "left of your promise is too slow for it, one below the curve is cheaper at its own speed."
        ),
        _table(report, comparison),
        _cross_check(report, comparison),
    )
    if report.apis_without_speed:
        names = ", ".join(plain(name) for name in report.apis_without_speed)
        st.caption(shown(say("Speed not known, so not on the chart: {apis}.", apis=names)))


def speed_figure(catalog: Catalog, comparison: Comparison) -> Figure | None:
    """The chart at one utilization."""
    report = speed_report(catalog, comparison, points=SPEEDS)
    return speed_chart(report, comparison) if report.rows else None


def _why_no_curve(catalog: Catalog, report: SpeedReport, comparison: Comparison) -> str:
    scenario = comparison.scenario
    name = catalog.models[scenario.model].name
    gpu = catalog.gpus[catalog.rentals[scenario.gpu].entry.gpu].name
    if report.throughput.match is None:
        on = known_on(catalog.benchmarks_of(scenario.model).values())
        return say(
            "The library has no benchmark of {model} on {gpu} (it has: {known}). Measure it, and bring the result "
            "below.",
            model=name,
            gpu=gpu,
            known=on,
        )
    if report.curve is None:
        return say(
            "The benchmark of {model} on {gpu} gives a throughput, but not how fast each user is, so speed and cost "
            "cannot be told apart. Measure it, and bring the result below.",
            model=name,
            gpu=gpu,
        )
    load = report.curve.loads[0]
    return say(
        "Only one load is known: {speed} tok/s per user with {requests} requests per GPU. Slower promises deliver at "
        "least as much; faster ones are not known.",
        speed=count_text(load.tok_s_per_user),
        requests=as_typed(load.requests_per_gpu),
    )


def _table(report: SpeedReport, comparison: Comparison) -> str:
    money, slo = Money(comparison), comparison.scenario.slo_tok_s_per_user
    curve = report.curve
    assert curve is not None
    api = comparison.cheapest_api
    against = plain(api.name) if api else say("the cheapest API")
    rows = [
        say("| tok/s per user | tok/s per GPU | Cost, fully used | Break-even with {api} |", api=against),
        "|--:|--:|--:|--:|",
    ]
    speeds = set(_round_speeds(curve.slowest_tok_s, curve.fastest_tok_s)) | ({slo} if slo else set())
    for speed in sorted(speeds):
        row = at_speed(comparison, curve, speed)
        if row is None:
            continue
        turn = row.break_even_utilization
        words = "" if turn is None else turn_text(turn)
        mark = "**" if speed == slo else ""
        cells = (count_text(speed), number(row.output_tok_s_per_gpu, 0), money(row.usd_per_mtok_at_full), words)
        rows.append("| " + " | ".join(f"{mark}{cell}{mark}" for cell in cells) + " |")
    return "\n".join(rows)


def _round_speeds(low: float, high: float) -> list[float]:
    """Round speeds between two, about as many as a table on a phone holds."""
    raw = (high - low) / _ROWS
    power = 10 ** floor(log10(raw))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= raw)
    return [step * index for index in range(ceil(low / step), floor(high / step) + 1)]


def _cross_check(report: SpeedReport, comparison: Comparison) -> str | None:
    """An independent look at the curve: where it puts the figure of production, and what the API of the model shows."""
    curve, match = report.curve, report.throughput.match
    limits = curve.limits if curve else None
    if curve is None or limits is None or match is None or comparison.scenario.own_loads is not None:
        return None
    if report.throughput.acceptance_factor != 1:
        return None
    speed = tok_s_per_user_at(
        output_tok_s_per_gpu=match.output_tok_s_per_gpu, fastest_tok_s=limits[0], most_output_tok_s=limits[1]
    )
    words = say(
        "**Cross-check.** The straight line through the two published loads ends at {fastest} tok/s for a user alone "
        "and {most} tok/s for a GPU without limit. It puts {rate} tok/s per GPU at {speed} tok/s per user.",
        fastest=number(limits[0], 1),
        most=number(limits[1], 0),
        rate=number(match.output_tok_s_per_gpu, 0),
        speed=number(speed, 0),
    )
    measured = "; ".join(_measured_speeds(report))
    return f"{words} {say('For comparison: {measured}.', measured=measured)}" if measured else words


def _measured_speeds(report: SpeedReport) -> list[str]:
    """What one stream of each API of this model is measured at, each vendor once."""
    words: dict[str, str] = {}
    for each in report.apis:
        low, high = count_text(each.speed.output_tok_s_low), count_text(each.speed.output_tok_s_high)
        offer = each.api.quote.choice.offer if each.api.quote else None
        if offer is not None and each.api.same_model:
            words[offer.vendor] = say(
                "{vendor} is measured at {speed} ({source})",
                vendor=plain(offer.vendor_name),
                speed=low if low == high else say("{low} to {high}", low=low, high=high),
                source=source_link(each.speed),
            )
    return list(words.values())


def _library(catalog: Catalog, comparison: Comparison) -> None:
    scenario = comparison.scenario
    benchmarks = by_fit(catalog.benchmarks_of(scenario.model), wanted_of(catalog, scenario))
    title = say("Library: {count} benchmarks of this model", count=len(benchmarks))
    box = st.expander(title, key="benchmark_library", on_change="rerun")
    if box.open:
        with box:
            _benchmarks(catalog, benchmarks)


def _benchmarks(catalog: Catalog, benchmarks: Sequence[Benchmark]) -> None:
    if not benchmarks:
        st.markdown(say("None yet. Bring your own below."))
        return
    rows: list[dict[str, Any]] = [
        {
            "Benchmark": each.id,
            "GPU": each.gpu.upper(),
            "GPUs": each.gpus,
            "Engine": f"{each.engine} {each.engine_version or ''}".strip(),
            "Input : output": ratio if (ratio := input_per_output_of(each)) is not None else None,
            "tok/s per GPU": output_per_gpu(each),
            "Basis": say(BASIS_WORDS[each.basis]),
            "Since": each.since,
        }
        for each in benchmarks
    ]
    columns: dict[str, Any] = {
        "Benchmark": say("Benchmark"),
        "GPU": say("GPU"),
        "GPUs": say("GPUs"),
        "Engine": say("Engine"),
        "Input : output": say("Input : output"),
        "tok/s per GPU": st.column_config.NumberColumn(say("tok/s per GPU"), format="%.0f"),
        "Basis": say("Basis"),
        "Since": say("Since"),
    }
    st.dataframe(rows, hide_index=True, column_config=columns)
    sentences = [say("Best fit first. Output tokens only, per GPU, at the fullest load measured.")]
    if any(each.basis == "modelled" for each in benchmarks):
        low, high = modelled_band(catalog, 100)
        sentences.append(
            say(
                "Computed figures come from NVIDIA's aiconfigurator: where it says 100, {low} to {high} was measured.",
                low=count_text(low),
                high=count_text(high),
            )
        )
    st.caption(" ".join(sentences))


def _own_benchmark(catalog: Catalog, comparison: Comparison) -> None:
    scenario = comparison.scenario
    with st.expander(say("Bring your own benchmark"), expanded=scenario.own_loads is not None):
        if scenario.own_loads is not None:
            loads = plain(scenario.own_loads)
            st.markdown(shown(say("In use, requests per GPU and tok/s per user: {loads}.", loads=loads)))
            st.button(say("Go back to the library"), on_click=partial(_use, comparison, None), key="forget_loads")
        st.markdown(
            say(
                "Result files of `vllm bench serve --save-result`, one for each concurrency, or a CSV with the columns "
                "`concurrency,ttft_ms,tpot_ms,tok_s` (output only, of everything measured). Files are read here and "
                "not kept; the link carries the loads."
            )
        )
        files = st.file_uploader(
            say("Benchmark files"), type=["json", "jsonl", "csv"], accept_multiple_files=True, key="bench_files"
        )
        gpus = st.number_input(
            say("GPUs they were measured on"), min_value=1, max_value=100_000, value=scenario.gpus, key="bench_gpus"
        )
        if not files:
            return
        tolerance = catalog.assumptions["littles_law_tolerance_percent"].history[-1].value
        try:
            own = read_benchmarks(
                [(file.name, file.getvalue()) for file in files], gpus=int(gpus), tolerance_percent=tolerance
            )
        except BenchmarkFileError as error:
            st.error(shown(plain(str(error))))
            return
        _read(own, comparison)


def _read(own: OwnBenchmark, comparison: Comparison) -> None:
    rows = [say("| Requests per GPU | tok/s per user | tok/s per GPU |"), "|--:|--:|--:|"]
    rows += [
        f"| {as_typed(load.requests_per_gpu)} | {number(load.tok_s_per_user, 1)} | "
        f"{number(load.requests_per_gpu * load.tok_s_per_user, 0)} |"
        for load in own.loads
    ]
    st.markdown("\n".join(rows))
    for note in own.notes:
        st.warning(shown(plain(note)))
    st.button(say("Use these loads"), type="primary", on_click=partial(_use, comparison, own), key="use_loads")


def _use(comparison: Comparison, own: OwnBenchmark | None) -> None:
    """Go on with the reader's loads, or without them; the typed throughput follows the fullest of them."""
    changed: dict[str, Any] = {"own_loads": None}
    if own is not None:
        changed = {
            "own_loads": loads_text(own.loads),
            "benchmark": None,
            "output_tok_s_per_gpu": round(own.output_tok_s_per_gpu, 3),
        }
    open_scenario(comparison.scenario.model_copy(update=changed))
