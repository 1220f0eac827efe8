"""The throughput library: the match that is found, what it says, and what it makes one ask."""

from datetime import date

import pytest

from costmodel.catalog import Catalog, catalog
from costmodel.dated import Source
from costmodel.machine.library import (
    Doubt,
    Match,
    Wanted,
    best_match,
    by_fit,
    frontier_of,
    known_on,
    loads_of,
    match_with,
    output_per_gpu,
    questions,
)
from costmodel.records import Benchmark, LoadPoint

DOUBT = Doubt(single_stream_below_tok_s=100, factor=1.5)


@pytest.fixture(scope="module")
def prices() -> Catalog:
    return catalog()


def bench(name: str, **changed: object) -> Benchmark:
    facts: dict[str, object] = {
        "id": name,
        "model": "some-model",
        "gpu": "h200",
        "gpus": 8,
        "engine": "vllm",
        "input_tokens": 4_000,
        "output_tokens": 1_000,
        "since": date(2026, 1, 1),
        "basis": "measured",
        "source": Source(document="a test", seen=date(2026, 1, 1)),
        "points": (
            LoadPoint(concurrency=8, output_tok_s=400),
            LoadPoint(concurrency=64, output_tok_s=1_600),
        ),
    }
    return Benchmark.model_validate(facts | changed)


WANTED = Wanted(model="some-model", gpu="h200", gpus=8, input_per_output=4)


def found(*benchmarks: Benchmark, wanted: Wanted = WANTED) -> str | None:
    match = best_match(benchmarks, wanted)
    return match.benchmark.id if match else None


def test_another_model_or_gpu_never_speaks() -> None:
    assert found(bench("a", model="other"), bench("b", gpu="h100"), bench("c", pool="prefill")) is None


def test_order_of_what_fits_best() -> None:
    """What it rests on, then the engine, whole replicas, the load, and only then the speed."""
    plain = bench("plain")
    assert found(bench("computed", basis="modelled", points=({"output_tok_s": 9_000},)), plain) == "plain"
    sglang = Wanted(model="some-model", gpu="h200", gpus=8, input_per_output=4, engine="SGLang")
    assert found(plain, bench("engine", engine="sglang"), wanted=sglang) == "engine"
    assert found(bench("too-large", gpus=16, points=({"output_tok_s": 99_000},)), plain) == "plain"
    assert found(bench("short", input_tokens=1_000, points=({"output_tok_s": 9_000},)), plain) == "plain"
    assert found(bench("faster", points=({"output_tok_s": 1_601},)), plain) == "faster"
    assert [each.id for each in by_fit({"x": bench("x", gpu="b200"), "y": plain}, WANTED)] == ["plain", "x"]


def test_points_become_loads_on_one_gpu() -> None:
    assert [tuple(load) for load in loads_of(bench("a"))] == [(1, 50), (8, 25)]
    curve = frontier_of(bench("a"))
    assert curve is not None
    assert curve.output_tok_s_at(25) == pytest.approx(200)
    assert frontier_of(bench("b", points=({"output_tok_s": 5},))) is None


def test_the_published_curve_ends_at_the_speed_its_source_states(prices: Catalog) -> None:
    """26,000 tok/s and 100 tok/s per stream at 256 requests do not multiply exactly: the source rounds."""
    curve = frontier_of(prices.benchmarks["deepseek-v4.1-flash-ep64"])
    assert curve is not None
    assert (curve.fastest_tok_s, curve.slowest_tok_s) == (325, 100)
    assert curve.limits == (pytest.approx(349.8, abs=0.05), pytest.approx(36_636, abs=1))
    assert curve.output_tok_s_at(300) == pytest.approx(5_218, abs=1)
    assert curve.speed_of(14_466) == pytest.approx(211.7, abs=0.05)


@pytest.mark.parametrize(
    ("model", "gpu", "gpus", "ratio", "per_gpu", "words"),
    [
        ("deepseek-v4.1-flash", "gb200", 64, 0, 14_466, "as run in production"),
        ("deepseek-v4.1-flash", "b200", 8, 4, 12_600, "at a load it does not state"),
        ("gpt-oss-120b", "h200", 1, 1, 3_100.2, "64 requests per GPU"),
        ("gpt-oss-120b", "h200", 8, 4, 1_749, "8 replicas of it"),
        ("llama-3.3-70b-instruct", "h100", 2, 1, 1_097.9, "32 requests per GPU"),
        ("llama-3.3-70b-instruct", "h200", 1, 1, 2_740.1, "128 requests per GPU"),
        ("deepseek-v4-flash", "h200", 8, 4, 2_622, "computed, not measured"),
    ],
)
def test_matches_in_the_data(
    prices: Catalog, model: str, gpu: str, gpus: int, ratio: float, per_gpu: float, words: str
) -> None:
    match = best_match(prices.benchmarks_of(model).values(), Wanted(model, gpu, gpus, ratio))
    assert match is not None
    assert match.output_tok_s_per_gpu == pytest.approx(per_gpu, rel=0.001)
    assert words in match.statement
    assert match.benchmark.id in match.statement


def test_every_figure_of_the_library_is_one_of_its_benchmarks(prices: Catalog) -> None:
    """The figure a match gives is a measured point, divided by the GPUs of its replica and by nothing else."""
    for benchmark in prices.benchmarks.values():
        rate = output_per_gpu(benchmark)
        points = [
            point.output_tok_s or (point.output_tok_s_per_gpu or 0) * benchmark.gpus for point in benchmark.points
        ]
        assert rate is None or min(abs(rate * benchmark.gpus - each) for each in points) < 1e-6, benchmark.id


def test_differences_are_said(prices: Catalog) -> None:
    benchmark = prices.benchmarks["llama-70b-h100x2-vllm-fp8-1k-1k"]
    match = match_with(benchmark, Wanted("llama-3.3-70b-instruct", "h200", 5, 20))
    said = " ".join(match.cautions)
    assert "not on H200" in said
    assert "no whole multiple" in said
    assert "your mix is 20" in said
    assert match_with(benchmark, Wanted("llama-3.3-70b-instruct", "h100", 4, 1)).cautions == ()
    with pytest.raises(ValueError, match="states no throughput"):
        match_with(prices.benchmarks["deepseek-v4.1-flash-prefill"], WANTED)


def asked(entered: float, match: Match, *, gpus: int = 64, ratio: float = 4) -> str:
    return " ".join(
        questions(entered_tok_s_per_gpu=entered, gpus=gpus, input_per_output=ratio, match=match, doubt=DOUBT)
    )


def test_the_three_slips_are_asked_about(prices: Catalog) -> None:
    """One stream for a node, input with output, a cluster for a GPU."""
    match = best_match(
        prices.benchmarks_of("deepseek-v4.1-flash").values(), Wanted("deepseek-v4.1-flash", "gb200", 64, 0)
    )
    assert match is not None
    assert asked(14_466, match) == ""
    assert "what one stream gets" in asked(300, match)
    assert "what one stream gets" in asked(40, match)
    assert "the total of all 64 GPUs" in asked(740_659, match)
    assert "count input as well as output" in asked(14_466 * 5, match)
    assert "times the best benchmark" in asked(30_000, match, gpus=1, ratio=0)
    assert asked(9_000, match) == ""


def test_what_a_model_is_known_on(prices: Catalog) -> None:
    assert known_on(prices.benchmarks_of("gpt-oss-120b").values()) == "B200, H100, H200"
    assert known_on(prices.benchmarks_of("kimi-k3").values()) == "none"


def test_one_model_is_read_without_the_others(prices: Catalog) -> None:
    alone = Catalog()
    assert set(alone.benchmarks_of("glm-5")) == {
        each.id for each in prices.benchmarks.values() if each.model == "glm-5"
    }
    assert set(alone._read_benchmarks) == {"glm-5", "glm-5-modelled"}


def test_computed_figures_are_marked_and_banded(prices: Catalog) -> None:
    modelled = [each for each in prices.benchmarks.values() if each.basis == "modelled"]
    assert len(modelled) > 60
    for each in modelled:
        assert each.id.endswith("-modelled")
        assert "modelled_throughput_percent" in (each.note or "")
    band = prices.assumptions["modelled_throughput_percent"].history[-1]
    assert band.low is not None
    assert band.high is not None
    assert band.low < band.value < 100 < band.high
