"""What one serving GPU delivers in a scenario: the typed figure, or what is left of it at a promised speed."""

from dataclasses import dataclass
from typing import Any

from costmodel.catalog import Catalog
from costmodel.language import number_text, say
from costmodel.machine.hardware import most_requests_in_memory
from costmodel.machine.library import Match, Wanted, best_match, frontier_of, match_with, with_band
from costmodel.machine.ownloads import parse_loads
from costmodel.machine.speed import Frontier, expected_tokens_per_step, frontier
from costmodel.records import Benchmark
from costmodel.scenario import Scenario
from costmodel.words import count_text
from costmodel.workload import share


class ThroughputError(ValueError):
    """The promised speed cannot be had, or is not known to be; the message says why and what would help."""


@dataclass(frozen=True)
class Throughput:
    """Output of one serving GPU, and the measured curve it stands on where one was asked for."""

    output_tok_s_per_gpu: float
    is_typed: bool
    """Whether it is the reader's figure; otherwise it follows from the promised speed."""
    curve: Frontier | None = None
    curve_name: str | None = None
    match: Match | None = None
    acceptance_factor: float = 1
    tok_s_per_user: float | None = None
    """Speed of each user at this output, where the curve tells."""
    notes: tuple[str, ...] = ()


def wanted_of(catalog: Catalog, scenario: Scenario) -> Wanted:
    """What a benchmark has to fit: the model and the serving pool of a scenario."""
    return Wanted(
        model=scenario.model,
        gpu=catalog.rentals[scenario.gpu].entry.gpu,
        gpus=scenario.gpus,
        input_per_output=scenario.input_per_output,
    )


def match_of(catalog: Catalog, scenario: Scenario, *, with_curve: bool = False) -> Match | None:
    """The benchmark of a scenario: the one it names, else the best fit, else None.

    `with_curve` looks only among benchmarks that say how fast each user is.
    """
    benchmarks, wanted = catalog.benchmarks_of(scenario.model), wanted_of(catalog, scenario)
    if scenario.benchmark is not None and scenario.benchmark in benchmarks:
        return match_with(benchmarks[scenario.benchmark], wanted)
    usable = [each for each in benchmarks.values() if not with_curve or frontier_of(each) is not None]
    return best_match(usable, wanted)


def throughput_of(catalog: Catalog, scenario: Scenario) -> Throughput:
    """What a serving GPU of this scenario delivers. Reads the library only where the scenario asks for it.

    Raises ThroughputError where the promised speed is above what was measured.
    """
    asks = (scenario.slo_tok_s_per_user, scenario.benchmark, scenario.own_loads, scenario.draft_acceptance_percent)
    if all(each is None for each in asks):
        return Throughput(scenario.output_tok_s_per_gpu, is_typed=True)
    return library_throughput(catalog, scenario)


def library_throughput(catalog: Catalog, scenario: Scenario) -> Throughput:
    """The same with the curve of the library, whether the scenario asks for it or not."""
    match = match_of(catalog, scenario, with_curve=True) or match_of(catalog, scenario)
    factor, notes = _acceptance(scenario, match)
    curve, name = _curve(scenario, match)
    if curve is not None:
        curve = curve.times(factor)
        limit = _most_requests(catalog, scenario, match)
        if limit is not None:
            fitting = curve.up_to(limit)
            if fitting is None:
                raise ThroughputError(
                    say(
                        "GPU memory holds the KV cache of {requests} requests per GPU at {tokens} input tokens each, "
                        "fewer than any measured load of {curve}. Choose shorter requests or GPUs with more memory.",
                        requests=count_text(limit),
                        tokens=count_text(scenario.request_input_tokens or 0),
                        curve=name,
                    )
                )
            if fitting is not curve:
                notes.append(
                    say(
                        "KV memory ends the curve of {curve} at {requests} requests per GPU.",
                        curve=name,
                        requests=count_text(limit),
                    )
                )
            curve = fitting
    if match is not None and scenario.own_loads is None:
        notes += _about(catalog, scenario, match)
    slo = scenario.slo_tok_s_per_user
    typed = scenario.output_tok_s_per_gpu * factor
    common: dict[str, Any] = {"curve": curve, "curve_name": name, "match": match, "acceptance_factor": factor}
    if slo is None:
        speed = curve.speed_of(typed) if curve else None
        return Throughput(typed, is_typed=True, tok_s_per_user=speed, notes=tuple(notes), **common)
    if curve is None:
        notes.append(
            say(
                "Whether {speed} tok/s per user can be kept is not known: no benchmark of this model on this GPU says "
                "how fast each user is. The throughput stays as typed; measure it, or bring your own benchmark.",
                speed=count_text(slo),
            )
        )
        return Throughput(typed, is_typed=True, notes=tuple(notes), **common)
    output = curve.output_tok_s_at(slo)
    if output is None:
        raise ThroughputError(_too_fast(slo, curve, name or ""))
    notes.append(
        say(
            "At {speed} tok/s per user a GPU delivers {output} output tok/s by {curve}; this takes the place of the "
            "typed {typed}.",
            speed=count_text(slo),
            output=count_text(output),
            curve=name,
            typed=count_text(scenario.output_tok_s_per_gpu),
        )
    )
    return Throughput(
        output, is_typed=False, tok_s_per_user=max(slo, curve.slowest_tok_s), notes=tuple(notes), **common
    )


def _curve(scenario: Scenario, match: Match | None) -> tuple[Frontier | None, str | None]:
    if scenario.own_loads is not None:
        return frontier(parse_loads(scenario.own_loads)), say("your own measurement")
    if match is None:
        return None, None
    return frontier_of(match.benchmark), match.benchmark.id


def _acceptance(scenario: Scenario, match: Match | None) -> tuple[float, list[str]]:
    """What the reader's draft acceptance does to the throughput, and what to say of it."""
    percent = scenario.draft_acceptance_percent
    if percent is None:
        return 1, []
    measured = match.benchmark if match else None
    if measured is None or measured.draft_acceptance_percent is None or measured.drafted_tokens is None:
        return 1, [say("The draft acceptance has no effect: the benchmark used here states none of its own.")]
    factor = acceptance_factor(measured, acceptance_percent=percent)
    return factor, [
        say(
            "Draft acceptance of {percent} % instead of the benchmark's {measured} % changes the throughput by "
            "{change}.",
            percent=count_text(percent),
            measured=count_text(measured.draft_acceptance_percent),
            change=number_text(f"{factor - 1:+.1%}"),
        )
    ]


def acceptance_factor(benchmark: Benchmark, *, acceptance_percent: float) -> float:
    """Throughput at a draft acceptance, over the throughput the benchmark was measured at. It must state both."""
    drafted = benchmark.drafted_tokens or 0
    measured = share(benchmark.draft_acceptance_percent or 0)
    wanted = expected_tokens_per_step(acceptance=share(acceptance_percent), drafted_tokens=drafted)
    return wanted / expected_tokens_per_step(acceptance=measured, drafted_tokens=drafted)


def _most_requests(catalog: Catalog, scenario: Scenario, match: Match | None) -> float | None:
    """Requests per GPU whose KV cache fits into memory, where the reader says how long requests are."""
    if scenario.request_input_tokens is None:
        return None
    model = catalog.models[scenario.model].history[-1]
    gpu = match.benchmark.gpu if match else catalog.rentals[scenario.gpu].entry.gpu
    if model.checkpoint_gb is None or model.kv_bytes_per_token is None:
        return None
    output_tokens = scenario.request_input_tokens / scenario.input_per_output if scenario.input_per_output else 0
    on_host = scenario.tables == "host"
    return most_requests_in_memory(
        memory_gb_per_gpu=catalog.gpus[gpu].history[-1].memory_gb,
        usable_share=share(catalog.assumed("gpu_memory_utilization_percent", on=scenario.price_date)),
        gpus=match.benchmark.gpus if match else scenario.gpus,
        weights_gb=model.checkpoint_gb - (model.host_memory_tables_gb or 0 if on_host else 0),
        kv_bytes_per_token=model.kv_bytes_per_token,
        tokens_per_request=scenario.request_input_tokens + output_tokens,
    )


def _about(catalog: Catalog, scenario: Scenario, match: Match) -> list[str]:
    """What a reader should know before relying on the benchmark."""
    notes = []
    if match.cautions:
        notes.append(
            say("Benchmark {benchmark}: {cautions}", benchmark=match.benchmark.id, cautions=" ".join(match.cautions))
        )
    if match.benchmark.basis == "modelled":
        low, high = modelled_band(catalog, match.output_tok_s_per_gpu)
        notes.append(
            say(
                "Benchmark {benchmark} is computed, not measured: where it says {computed} output tok/s per GPU, "
                "expect {low} to {high}.",
                benchmark=match.benchmark.id,
                computed=count_text(match.output_tok_s_per_gpu),
                low=count_text(low),
                high=count_text(high),
            )
        )
    return notes


def modelled_band(catalog: Catalog, output_tok_s: float) -> tuple[float, float]:
    """What would be measured where the library has a computed figure, as a range."""
    history = catalog.assumptions["modelled_throughput_percent"].history
    entry = max(history, key=lambda each: each.since)
    return with_band(
        output_tok_s=output_tok_s, low_percent=entry.low or entry.value, high_percent=entry.high or entry.value
    )


def _too_fast(slo: float, curve: Frontier, name: str) -> str:
    fastest, asked = count_text(curve.fastest_tok_s), count_text(slo)
    if curve.is_one_load:
        return say(
            "What this hardware delivers at {asked} tok/s per user is not known: {curve} has a single load, {fastest} "
            "tok/s per user. Promise less, or bring a benchmark with fewer requests.",
            asked=asked,
            curve=name,
            fastest=fastest,
        )
    limits = curve.limits
    values = {
        "asked": asked,
        "fastest": fastest,
        "requests": number_text(f"{curve.loads[0].requests_per_gpu:g}"),
        "curve": name,
        "end": count_text(limits[0]) if limits else "",
    }
    if limits and slo < limits[0]:
        return say(
            "{asked} tok/s per user was not measured: {fastest} tok/s per user, the fastest measured, is with "
            "{requests} requests per GPU ({curve}); the straight line through the measured loads ends at {end}. "
            "Promise at most {fastest}.",
            **values,
        )
    if limits:
        return say(
            "{asked} tok/s per user is not possible on this hardware: {fastest} tok/s per user, the fastest measured, "
            "is with {requests} requests per GPU ({curve}), and the straight line through its loads ends at {end}. "
            "Promise less, or choose faster GPUs.",
            **values,
        )
    return say(
        "{asked} tok/s per user is not possible on this hardware: {fastest} tok/s per user, the fastest measured, is "
        "with {requests} requests per GPU ({curve}). Promise less, or choose faster GPUs.",
        **values,
    )
