"""Figures of prices/ that are valid but look wrong: what a careful reader would ask about before using them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from costmodel.catalog import Catalog
from costmodel.records import ApiOffer, Benchmark, LoadPoint, TokenPrices
from costmodel.units import MILLISECONDS_PER_SECOND, PERCENT

FEWEST_OF_A_KIND = 3


def output_tok_s_by_littles_law(*, concurrency: float, output_tokens: float, ttft_ms: float, tpot_ms: float) -> float:
    """Output tok/s of a replica that always has the same number of requests open.

    Formula: tok/s = concurrency · output / (TTFT + (output - 1) · TPOT)
    Assumes: a closed loop, each finished request replaced at once; times are means over the requests.
    Source: Little's law. DeepSeek V3 on 8 H200: 64 requests, 418.7 ms to the first token, 32.99 ms for each further.

    >>> round(output_tok_s_by_littles_law(concurrency=64, output_tokens=1_024, ttft_ms=418.7, tpot_ms=32.99), 1)
    1918.1
    """
    milliseconds_per_request = ttft_ms + (output_tokens - 1) * tpot_ms
    return concurrency * output_tokens * MILLISECONDS_PER_SECOND / milliseconds_per_request


def measured_tok_s(benchmark: Benchmark, point: LoadPoint) -> float | None:
    """Output tok/s of the whole replica, however the point states it."""
    if point.output_tok_s is None and point.output_tok_s_per_gpu is not None:
        return point.output_tok_s_per_gpu * benchmark.gpus
    return point.output_tok_s


def expected_tok_s(benchmark: Benchmark, point: LoadPoint) -> float | None:
    """Output tok/s that follow from a point's concurrency and speed, or None where it states too little."""
    if point.concurrency is None:
        return None
    if point.ttft_ms is not None and point.tpot_ms is not None and benchmark.output_tokens is not None:
        return output_tok_s_by_littles_law(
            concurrency=point.concurrency,
            output_tokens=benchmark.output_tokens,
            ttft_ms=point.ttft_ms,
            tpot_ms=point.tpot_ms,
        )
    return None if point.tok_s_per_user is None else point.concurrency * point.tok_s_per_user


def breaches_of_littles_law(benchmarks: Iterable[Benchmark], *, tolerance_percent: float) -> Iterator[str]:
    """Points whose throughput does not follow from their concurrency and latencies: one of the three is mistyped."""
    for benchmark in benchmarks:
        for position, point in enumerate(benchmark.points):
            measured, expected = measured_tok_s(benchmark, point), expected_tok_s(benchmark, point)
            if measured and expected and abs(measured / expected - 1) * PERCENT > tolerance_percent:
                yield (
                    f"{benchmark.id}: points.{position}: {measured:g} output tok/s, but concurrency and latencies give "
                    f"{expected:.1f}; correct the number that is mistyped"
                )


def _prices_of(offer: ApiOffer) -> Iterator[tuple[str, TokenPrices]]:
    entry = offer.entry
    for position, price in enumerate(entry.history):
        yield f"history.{position}", price.usd_per_mtok
        for window in price.windows:
            yield f"history.{position}.{window.name}", window.usd_per_mtok
    for part in ("batch", "long_context"):
        for position, price in enumerate(getattr(entry, part)):
            yield f"{part}.{position}", price.usd_per_mtok


def outputs_below_inputs(offers: Iterable[ApiOffer]) -> Iterator[str]:
    """Output is dearer than input nearly everywhere: the reverse suggests swapped columns."""
    for offer in offers:
        for path, prices in _prices_of(offer):
            if prices.output < prices.input:
                yield f"{offer.id}: {path}: output {prices.output:g} is below input {prices.input:g}: are they swapped?"


def _far(figures: Sequence[tuple[str, float]], *, factor: float) -> Iterator[tuple[str, float, float]]:
    """Figures more than `factor` away from the median of their kind, where there are enough of them."""
    if len(figures) >= FEWEST_OF_A_KIND:
        middle = median(figure for _, figure in figures)
        for name, figure in figures:
            if not middle / factor <= figure <= middle * factor:
                yield name, figure, middle


def price_steps(
    before: TokenPrices, after: TokenPrices, *, factor: float, kinds: Iterable[str] = tuple(TokenPrices.model_fields)
) -> Iterator[tuple[str, float]]:
    """Kinds of tokens whose price became `factor` times as high or as low, with the step."""
    for kind in kinds:
        old, new = getattr(before, kind), getattr(after, kind)
        if old is not None and new is not None and not 1 / factor < new / old < factor:
            yield kind, new / old


def prices_far_from_neighbours(catalog: Catalog, *, factor: float) -> Iterator[str]:
    """Prices a factor away from those of the same GPU, the same open model, or the same model before and after.

    Such a step suggests a price per token, per 1K tokens, in cents, or of a whole node.
    """
    by_gpu: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for rental in catalog.rentals.values():
        by_gpu[rental.entry.gpu].append((rental.id, rental.entry.history[-1].usd_per_gpu_hour))
        for earlier, later in pairwise(rental.entry.history):
            steps = later.usd_per_gpu_hour / earlier.usd_per_gpu_hour
            if not 1 / factor < steps < factor:
                yield f"{rental.id}: the rent of {later.since} is {steps:.3g} times the one before; is the unit right?"
    for gpu, rents in by_gpu.items():
        for name, usd, middle in _far(rents, factor=factor):
            yield f"{name}: {usd:g} $ per GPU-hour, other {gpu} rent for about {middle:g}; is the unit right?"

    by_model: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for offer in catalog.apis.values():
        if offer.entry.model is not None:
            by_model[offer.entry.model].append((offer.id, offer.entry.history[-1].usd_per_mtok.output))
        for before, after in pairwise(offer.entry.history):
            # Cached prices do move this far: DeepSeek's of V4 Pro rose to six times on one day.
            for kind, steps in price_steps(
                before.usd_per_mtok, after.usd_per_mtok, factor=factor, kinds=("input", "output")
            ):
                yield f"{offer.id}: the {kind} price of {after.since} is {steps:.3g} times the one before; is it right?"
    for model, outputs in by_model.items():
        for name, usd, middle in _far(outputs, factor=factor):
            yield f"{name}: output {usd:g} $ per 1M, other vendors of {model} ask about {middle:g}; is the unit right?"


def repeated_measurements(benchmarks: Iterable[Benchmark]) -> Iterator[str]:
    """The same measurement under two set-ups: one of them names the wrong GPUs, engine or lengths."""
    first: dict[tuple[object, ...], str] = {}
    for benchmark in benchmarks:
        for point in benchmark.points:
            if point.ttft_ms is None or point.tpot_ms is None:
                continue
            row = (benchmark.model, benchmark.input_tokens, benchmark.output_tokens, *point.model_dump().values())
            other = first.setdefault(row, benchmark.id)
            if other != benchmark.id:
                yield f"{benchmark.id}: repeats a measurement of {other} to the digit; keep the right one"


def falling_curves(benchmarks: Iterable[Benchmark]) -> Iterator[str]:
    """More requests at once never make a replica deliver less, unless something else went wrong."""
    for benchmark in benchmarks:
        points = [point for point in benchmark.points if point.concurrency is not None]
        for lower, higher in pairwise(sorted(points, key=lambda point: point.concurrency or 0)):
            before, after = measured_tok_s(benchmark, lower), measured_tok_s(benchmark, higher)
            if before and after and after < before:
                yield (
                    f"{benchmark.id}: {after:g} output tok/s at {higher.concurrency} requests, "
                    f"but {before:g} at {lower.concurrency}; leave the odd one out"
                )
