"""A reader's own benchmark: vLLM results and a small CSV, and every fault with its file, row and remedy."""

import json
from typing import Any

import pytest

from costmodel.machine.benchmarks_in import BenchmarkFileError, OwnBenchmark, read_benchmarks

CSV = "concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,390\n64,400,33,1900\n"


def result(**changed: Any) -> dict[str, Any]:
    """A result of `vllm bench serve`: 64 requests at a time, 1,024 tokens in and out."""
    facts: dict[str, Any] = {
        "backend": "vllm",
        "model_id": "deepseek-ai/DeepSeek-V3",
        "num_prompts": 640,
        "request_rate": "inf",
        "max_concurrency": 64,
        "duration": 341.7,
        "completed": 640,
        "failed": 0,
        "total_input_tokens": 655_360,
        "total_output_tokens": 655_360,
        "output_throughput": 1_918.2,
        "total_token_throughput": 3_836.4,
        "mean_ttft_ms": 418.7,
        "mean_tpot_ms": 32.99,
    }
    return {key: value for key, value in (facts | changed).items() if value is not None}


def read(*files: tuple[str, Any], gpus: int = 8) -> OwnBenchmark:
    contents = [(name, body if isinstance(body, bytes) else json.dumps(body).encode()) for name, body in files]
    return read_benchmarks(contents, gpus=gpus, tolerance_percent=3)


def test_vllm_results_become_loads_on_one_gpu() -> None:
    fewer = result(max_concurrency=4, output_throughput=379.6, mean_ttft_ms=259.9, mean_tpot_ms=10.29)
    own = read(("c64.json", result()), ("c4.json", fewer))
    assert [load.requests_per_gpu for load in own.loads] == [0.5, 8]
    assert own.output_tok_s_per_gpu == pytest.approx(1_918.2 / 8)
    assert own.input_per_output == 1
    assert own.notes == ()


@pytest.mark.parametrize("body", [[result()], result()])
def test_a_list_a_line_and_a_single_result_are_read_alike(body: Any) -> None:
    lines = b"\n".join(
        json.dumps(each).encode() for each in (result(), result(max_concurrency=32, output_throughput=950))
    )
    assert read(("one.json", body)).loads == read(("lines.jsonl", lines)).loads[1:]
    assert "One run says nothing of other speeds" in read(("one.json", body)).notes[0]


@pytest.mark.parametrize("text", [CSV, CSV.replace(",", ";"), CSV.replace(",", "\t"), "\ufeff" + CSV + "\n\n"])
def test_a_small_csv(text: str) -> None:
    own = read(("runs.csv", text.encode()), gpus=4)
    assert [tuple(load) for load in own.loads] == [(2, 48.75), (16, 29.6875)]
    assert own.input_per_output is None


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"max_concurrency": None}, "c.json: max_concurrency is missing; run the benchmark with --max-concurrency"),
        ({"output_throughput": None}, "output_throughput is missing"),
        ({"mean_tpot_ms": 0}, "mean_tpot_ms is 0, no number above 0"),
        ({"mean_ttft_ms": "fast"}, "mean_ttft_ms is 'fast'"),
        ({"output_throughput": True}, "output_throughput is True"),
        ({"failed": 3}, "3 requests failed"),
        ({"output_throughput": 3_836.4}, "is it the total of input and output"),
    ],
)
def test_faults_of_a_vllm_result(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(BenchmarkFileError, match=why):
        read(("c.json", result(**changed)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("requests,tpot_ms,tok_s\n1,2,3", "row 1: has no column ttft_ms; the header must be concurrency,ttft_ms"),
        ("concurrency,ttft_ms,tpot_ms,total_token_throughput\n1,2,3,4", "counts input too"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,390\n64,400,33,", "row 3: tok_s is “”"),
        ('concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,"0,39"', "row 2: tok_s is “0,39”"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,nan", "no number above 0"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,1_000", "no number above 0"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,4000", "row 2: 4000 output tok/s, but 8 requests at 20 ms"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n8,120,20,390\n8,130,21,380", "Two runs have 8 requests"),
        ("concurrency,ttft_ms,tpot_ms,tok_s\n", "No run was found"),
        ("{broken", "line 1: is not JSON"),
        ("[1]", "entry 1: is no result object"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_faults_of_a_file(text: str, why: str) -> None:
    with pytest.raises(BenchmarkFileError, match=why):
        read(("runs.csv", text.encode()))


def test_other_faults() -> None:
    with pytest.raises(BenchmarkFileError, match="is not UTF-8"):
        read(("runs.csv", b"\xff\xfe\x00"))
    rows = "".join(f"{count},1,10,{count}\n" for count in range(1, 20))
    with pytest.raises(BenchmarkFileError, match="keep the 12"):
        read(("runs.csv", ("concurrency,ttft_ms,tpot_ms,tok_s\n" + rows).encode()))
    other = result(model_id="x", max_concurrency=32, output_throughput=900)
    assert "different models" in read(("a.json", result()), ("b.json", other)).notes[0]
