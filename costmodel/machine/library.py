"""The throughput library: which benchmark speaks for a deployment, what it says per GPU, and how well it fits."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from costmodel.dated import Basis
from costmodel.doubts import measured_tok_s
from costmodel.language import number_text, say
from costmodel.machine.speed import Frontier, Load, frontier
from costmodel.records import Benchmark, LoadPoint
from costmodel.units import PERCENT
from costmodel.words import count_text

BASIS_WORDS: dict[Basis, str] = {
    "measured": "measured",
    "published": "published",
    "reported": "reported by its operator",
    "quoted": "quoted",
    "assumed": "assumed",
    "modelled": "computed, not measured",
}
"""How a benchmark is known; said where it is shown."""
_BASIS_RANK = {"measured": 0, "published": 0, "reported": 0, "quoted": 1, "assumed": 2, "modelled": 3}


def load_of(benchmark: Benchmark, point: LoadPoint) -> Load | None:
    """A point as a load on one GPU, or None where it states no concurrency or no throughput.

    The speed is the throughput divided by the open requests, so it counts the wait for the first token.
    """
    if point.concurrency is None:
        return None
    total = measured_tok_s(benchmark, point)
    if total is None:
        return None if point.tok_s_per_user is None else Load(point.concurrency / benchmark.gpus, point.tok_s_per_user)
    return Load(point.concurrency / benchmark.gpus, total / point.concurrency)


def loads_of(benchmark: Benchmark) -> tuple[Load, ...]:
    """Every point of a benchmark that is a load on one GPU."""
    loads = (load_of(benchmark, point) for point in benchmark.points)
    return tuple(load for load in loads if load is not None)


def frontier_of(benchmark: Benchmark) -> Frontier | None:
    """What one GPU delivers at which speed per user by this benchmark, or None where it says nothing of speed.

    Where the source rounds the speed at its busiest load below throughput over requests, the curve ends at the speed
    it states.
    """
    loads = loads_of(benchmark)
    if not loads:
        return None
    curve = frontier(loads)
    stated = [point.tok_s_per_user for point in benchmark.points if point.tok_s_per_user is not None]
    return curve.down_to(min(stated)) if stated and len(curve.loads) > 1 else curve


def output_per_gpu(benchmark: Benchmark) -> float | None:
    """Output tok/s of one GPU under full load: what its operator runs in production, else the highest measured."""
    rates = [
        (point.in_production, total / benchmark.gpus)
        for point in benchmark.points
        if (total := measured_tok_s(benchmark, point)) is not None
    ]
    return max(rates)[1] if rates else None


def input_per_output_of(benchmark: Benchmark) -> float | None:
    """Input tokens per output token the benchmark was run at, or None where it does not say."""
    if benchmark.input_tokens is None or benchmark.output_tokens is None:
        return None
    return benchmark.input_tokens / benchmark.output_tokens


@dataclass(frozen=True)
class Wanted:
    """The deployment a benchmark is looked for."""

    model: str
    gpu: str
    gpus: int
    input_per_output: float
    engine: str | None = None


@dataclass(frozen=True)
class Match:
    """The benchmark that fits best, the figure it gives, and what a reader should know about the fit."""

    benchmark: Benchmark
    output_tok_s_per_gpu: float
    statement: str
    """Which benchmark, and how it was found."""
    cautions: tuple[str, ...]
    """Where it differs from the deployment."""


def _distance(wanted: Wanted, benchmark: Benchmark) -> tuple[float, ...]:
    """How far a benchmark is from the deployment: what it rests on, engine, whole replicas, load, then the faster."""
    ratio = input_per_output_of(benchmark)
    same_engine = wanted.engine is None or wanted.engine.lower() in benchmark.engine.lower()
    # A pool of 64 GPUs can hold eight replicas of eight, but not half of a replica of 128.
    splits = benchmark.gpus > wanted.gpus or wanted.gpus % benchmark.gpus != 0
    return (
        _BASIS_RANK[benchmark.basis],
        not same_engine,
        splits,
        math.inf if ratio is None else abs(math.log2((ratio + 1) / (wanted.input_per_output + 1))),
        -(output_per_gpu(benchmark) or 0),
        abs(math.log2(benchmark.gpus / wanted.gpus)),
    )


def best_match(benchmarks: Iterable[Benchmark], wanted: Wanted) -> Match | None:
    """The benchmark that fits a deployment best, or None: another model or GPU never speaks for it.

    Measurements come before computed figures; then the engine asked for, replicas that fill the pool, the nearest
    input:output, the highest throughput per GPU, the nearest number of GPUs.
    """
    fitting = [
        each
        for each in benchmarks
        if each.model == wanted.model
        and each.gpu == wanted.gpu
        and each.pool != "prefill"
        and output_per_gpu(each) is not None
    ]
    if not fitting:
        return None
    best = min(fitting, key=lambda each: _distance(wanted, each))
    return match_with(best, wanted)


def match_with(benchmark: Benchmark, wanted: Wanted) -> Match:
    """What a given benchmark says of a deployment, and where the two differ. It must state a throughput."""
    rate = output_per_gpu(benchmark)
    if rate is None:
        raise ValueError(f"{benchmark.id} states no throughput")
    replicas = wanted.gpus // benchmark.gpus
    on = f"{benchmark.gpus} × {benchmark.gpu.upper()}"
    if replicas > 1 and wanted.gpus % benchmark.gpus == 0:
        on = say("{gpus}, {replicas} replicas of it", gpus=on, replicas=replicas)
    statement = say(
        "{rate} output tok/s per GPU, {load}: benchmark {benchmark}, {engine} on {gpus}, {basis}.",
        rate=count_text(rate),
        load=_at_which_load(benchmark),
        benchmark=benchmark.id,
        engine=benchmark.engine,
        gpus=on,
        basis=say(BASIS_WORDS[benchmark.basis]),
    )
    return Match(benchmark, rate, statement, tuple(_cautions(benchmark, wanted)))


def _at_which_load(benchmark: Benchmark) -> str:
    if any(point.in_production for point in benchmark.points):
        return say("as run in production")
    loads = loads_of(benchmark)
    if not loads:
        return say("at a load it does not state")
    most = max(load.requests_per_gpu for load in loads)
    return say("with {requests} requests per GPU, the most measured", requests=count_text(most))


def _cautions(benchmark: Benchmark, wanted: Wanted) -> Iterable[str]:
    if benchmark.model != wanted.model:
        yield say("It is of another model ({model}).", model=benchmark.model)
    if benchmark.gpu != wanted.gpu:
        yield say("It was run on {its_gpu}, not on {gpu}.", its_gpu=benchmark.gpu.upper(), gpu=wanted.gpu.upper())
    if wanted.gpus % benchmark.gpus:
        yield say(
            "It was run on {its_gpus} GPUs, of which {gpus} are no whole multiple.",
            its_gpus=benchmark.gpus,
            gpus=wanted.gpus,
        )
    ratio = input_per_output_of(benchmark)
    if ratio is None:
        if benchmark.input_tokens:
            yield say(
                "It was run at {tokens} input tokens; how many output tokens followed is not stated.",
                tokens=count_text(benchmark.input_tokens),
            )
        else:
            yield say("It was run at no stated load; how many output tokens followed is not stated.")
    elif abs(math.log2((ratio + 1) / (wanted.input_per_output + 1))) >= 1:
        yield say(
            "It was run at {its_ratio} input tokens per output token, your mix is {ratio}.",
            its_ratio=count_text(ratio),
            ratio=count_text(wanted.input_per_output),
        )
    if benchmark.pool == "decode":
        yield say("It counts the GPUs that generate output only; prompts are read by others.")


def known_on(benchmarks: Iterable[Benchmark]) -> str:
    """The GPUs a model has benchmarks on, as a phrase."""
    gpus = sorted({each.gpu.upper() for each in benchmarks if each.pool != "prefill" and output_per_gpu(each)})
    return ", ".join(gpus) if gpus else say("none")


@dataclass(frozen=True)
class Doubt:
    """Limits beyond which an entered throughput asks for a second look."""

    single_stream_below_tok_s: float
    factor: float
    """Times the best benchmark."""


def questions(
    *, entered_tok_s_per_gpu: float, gpus: int, input_per_output: float, match: Match, doubt: Doubt
) -> tuple[str, ...]:
    """What to ask about a throughput that the benchmark of the same model and GPU makes unlikely.

    A stream's speed entered as a node's throughput, input and output counted together, and a cluster's total entered
    as one GPU's each have their own question.
    """
    known, entered = match.output_tok_s_per_gpu, entered_tok_s_per_gpu
    asked: list[str] = []
    stream = _fastest_stream(match.benchmark)
    is_slow = entered * doubt.factor < known
    if is_slow and entered <= max(stream or 0, doubt.single_stream_below_tok_s):
        asked.append(
            say(
                "Is {entered} tok/s what one stream gets? A GPU under full load delivers {known} output tok/s by "
                "{benchmark}.",
                entered=count_text(entered),
                known=count_text(known),
                benchmark=match.benchmark.id,
            )
        )
    if entered > known * doubt.factor:
        ratio = input_per_output or input_per_output_of(match.benchmark) or 0
        output_alone, one_of_many = entered / (1 + ratio), entered / gpus
        if gpus > 1 and known / doubt.factor <= one_of_many <= known * doubt.factor:
            asked.append(
                say(
                    "Is {entered} tok/s the total of all {gpus} GPUs? Per GPU that is {one}; {benchmark} has {known}.",
                    entered=count_text(entered),
                    gpus=gpus,
                    one=count_text(one_of_many),
                    benchmark=match.benchmark.id,
                    known=count_text(known),
                )
            )
        elif ratio and known / doubt.factor <= output_alone <= known * doubt.factor:
            asked.append(
                say(
                    "Does {entered} tok/s count input as well as output? At {ratio} input tokens per output token the "
                    "output alone is {output}.",
                    entered=count_text(entered),
                    ratio=count_text(ratio),
                    output=count_text(output_alone),
                )
            )
        else:
            asked.append(
                say(
                    "{entered} output tok/s per GPU is {times} times the best benchmark known here ({benchmark}, "
                    "{known}). Is it output only, and of one GPU?",
                    entered=count_text(entered),
                    times=number_text(f"{entered / known:.2g}"),
                    benchmark=match.benchmark.id,
                    known=count_text(known),
                )
            )
    return tuple(asked)


def _fastest_stream(benchmark: Benchmark) -> float | None:
    speeds = [load.tok_s_per_user for load in loads_of(benchmark)]
    return max(speeds) if speeds else None


def with_band(*, output_tok_s: float, low_percent: float, high_percent: float) -> tuple[float, float]:
    """What would be measured where a figure was computed, as a range.

    Formula: low % and high % of the computed figure
    Assumes: the gap between computed and measured points of this catalogue holds here too.
    Source: 119 points of aiconfigurator 0.12.0 against InferenceX measurements (prices/assumptions.yaml).

    >>> with_band(output_tok_s=1_000, low_percent=64, high_percent=135)
    (640.0, 1350.0)
    """
    return output_tok_s * low_percent / PERCENT, output_tok_s * high_percent / PERCENT


def by_fit(benchmarks: Mapping[str, Benchmark], wanted: Wanted) -> list[Benchmark]:
    """Benchmarks of a model that state a throughput, the best fit first; the deployment's own GPU before others."""
    usable = [each for each in benchmarks.values() if each.pool != "prefill" and output_per_gpu(each) is not None]
    return sorted(usable, key=lambda each: (each.gpu != wanted.gpu, _distance(wanted, each)))
