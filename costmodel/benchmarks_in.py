"""A reader's own benchmark: vLLM `bench serve` results (JSON) or a small CSV, read into loads on one GPU.

Every error names the file, the row, and the remedy. Nothing is guessed: a result without its concurrency, or with more
output than its latencies allow, is refused.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from costmodel.doubts import output_tok_s_by_littles_law
from costmodel.ownloads import MOST_LOADS
from costmodel.speed import Load
from costmodel.units import MILLISECONDS_PER_SECOND, PERCENT

COLUMNS = ("concurrency", "ttft_ms", "tpot_ms", "tok_s")
_NAMES = {
    "concurrency": ("concurrency", "max_concurrency", "requests", "num_concurrent"),
    "ttft_ms": ("ttft_ms", "ttft", "mean_ttft_ms"),
    "tpot_ms": ("tpot_ms", "tpot", "mean_tpot_ms", "itl_ms", "itl"),
    "tok_s": ("tok_s", "tok/s", "output_tok_s", "output_throughput", "output_tokens_per_s"),
}
_TOTALS = ("total_token_throughput", "total_throughput", "total_tok_s")


class BenchmarkFileError(ValueError):
    """A benchmark file cannot be used; the message names file, row and remedy."""


@dataclass(frozen=True)
class Result:
    """One run: requests open at a time, latencies, and output tok/s of everything that was measured."""

    concurrency: float
    ttft_ms: float | None
    tpot_ms: float | None
    output_tok_s: float
    input_per_output: float | None = None
    model: str | None = None


@dataclass(frozen=True)
class OwnBenchmark:
    """What the files say, per GPU, and what a reader should know of them."""

    results: tuple[Result, ...]
    loads: tuple[Load, ...]
    input_per_output: float | None
    notes: tuple[str, ...]

    @property
    def output_tok_s_per_gpu(self) -> float:
        """The highest measured output of one GPU."""
        return max(load.requests_per_gpu * load.tok_s_per_user for load in self.loads)


def read_benchmarks(files: Sequence[tuple[str, bytes]], *, gpus: int, tolerance_percent: float) -> OwnBenchmark:
    """The runs in some files, measured on so many GPUs together.

    Raises BenchmarkFileError naming file, row and remedy.
    """
    results: list[Result] = []
    for name, content in files:
        results += _results_of(name, _text(name, content), tolerance_percent)
    if not results:
        raise BenchmarkFileError("No run was found: give a vLLM result file or a CSV with a row for each run.")
    seen: set[float] = set()
    for result in results:
        if result.concurrency in seen:
            raise BenchmarkFileError(
                f"Two runs have {result.concurrency:g} requests at a time: keep one of them, or give their files apart."
            )
        seen.add(result.concurrency)
    if len(results) > MOST_LOADS:
        raise BenchmarkFileError(f"There are {len(results)} runs: keep the {MOST_LOADS} that span the curve.")
    results.sort(key=lambda result: result.concurrency)
    ratios = [result.input_per_output for result in results if result.input_per_output is not None]
    return OwnBenchmark(
        results=tuple(results),
        loads=tuple(Load(each.concurrency / gpus, each.output_tok_s / each.concurrency) for each in results),
        input_per_output=sum(ratios) / len(ratios) if len(ratios) == len(results) else None,
        notes=tuple(_notes(results)),
    )


def _notes(results: Sequence[Result]) -> list[str]:
    notes = []
    models = {result.model for result in results if result.model}
    if len(models) > 1:
        notes.append(f"The runs are of different models: {', '.join(sorted(models))}.")
    if len(results) == 1:
        notes.append("One run says nothing of other speeds: the curve is flat below it and unknown above.")
    return notes


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchmarkFileError(f"{name}: is not UTF-8 text; save it as CSV or JSON in UTF-8.") from error


def _results_of(name: str, text: str, tolerance_percent: float) -> list[Result]:
    if text.lstrip()[:1] in ("{", "["):
        return [_of_vllm(where, record, tolerance_percent) for where, record in _records(name, text)]
    return _of_csv(name, text, tolerance_percent)


def _records(name: str, text: str) -> list[tuple[str, Any]]:
    """The result objects of a JSON file: one, a list of them, or one on each line."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _each_line(name, text)
    if isinstance(whole, list):
        return [(f"{name}, entry {position}", each) for position, each in enumerate(whole, start=1)]
    return [(name, whole)]


def _each_line(name: str, text: str) -> list[tuple[str, Any]]:
    records = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                records.append((f"{name}, line {number}", json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise BenchmarkFileError(
                    f"{name}, line {number}: is not JSON; give the file that `vllm bench serve --save-result` wrote."
                ) from error
    return records


def _of_vllm(where: str, record: Any, tolerance_percent: float) -> Result:
    if not isinstance(record, Mapping):
        raise BenchmarkFileError(f"{where}: is no result object; give the file that `vllm bench serve` wrote.")
    failed = record.get("failed")
    if isinstance(failed, int | float) and failed > 0:
        raise BenchmarkFileError(f"{where}: {failed:g} requests failed, so its rates are too low; run it again.")
    concurrency = _number(where, record, "max_concurrency", "run the benchmark with --max-concurrency")
    rate = _number(where, record, "output_throughput", "it is in every result of `vllm bench serve`")
    ttft = _number(where, record, "mean_ttft_ms", "add ttft to --percentile-metrics")
    tpot = _number(where, record, "mean_tpot_ms", "add tpot to --percentile-metrics")
    ratio, output_tokens = None, None
    read, written, completed = (record.get(key) for key in ("total_input_tokens", "total_output_tokens", "completed"))
    if isinstance(read, int | float) and isinstance(written, int | float) and written > 0:
        ratio = read / written
        if isinstance(completed, int | float) and completed > 0:
            output_tokens = written / completed
    if output_tokens is not None:
        expected = output_tok_s_by_littles_law(
            concurrency=concurrency, output_tokens=output_tokens, ttft_ms=ttft, tpot_ms=tpot
        )
        if rate > expected * (1 + tolerance_percent / PERCENT):
            raise BenchmarkFileError(
                f"{where}: {rate:g} output tok/s, but {concurrency:g} requests with these latencies give at most "
                f"{expected:.0f}; is it the total of input and output?"
            )
    model = record.get("model_id")
    return Result(concurrency, ttft, tpot, rate, ratio, model if isinstance(model, str) else None)


def _number(where: str, record: Mapping[str, Any], key: str, remedy: str) -> float:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        said = "is missing" if value is None else f"is {value!r}, no number above 0"
        raise BenchmarkFileError(f"{where}: {key} {said}; {remedy}.")
    return float(value)


def _of_csv(name: str, text: str, tolerance_percent: float) -> list[Result]:
    sample = text.partition("\n")[0]
    delimiter = ";" if sample.count(";") > sample.count(",") else "\t" if "\t" in sample else ","
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise BenchmarkFileError(f"{name}: cannot be read as CSV ({error}); export it again.") from error
    if not rows:
        raise BenchmarkFileError(f"{name}: is empty; give a header line {','.join(COLUMNS)} and a row for each run.")
    header = [cell.strip().lower() for cell in rows[0]]
    places = {column: _place(name, header, column) for column in COLUMNS}
    return [
        _of_row(f"{name}, row {number}", row, places, tolerance_percent)
        for number, row in enumerate(rows[1:], start=2)
        if any(cell.strip() for cell in row)
    ]


def _place(name: str, header: list[str], column: str) -> int:
    for spelling in _NAMES[column]:
        if spelling in header:
            return header.index(spelling)
    total = next((each for each in _TOTALS if each in header), None)
    if column == "tok_s" and total:
        raise BenchmarkFileError(f"{name}, row 1: {total} counts input too; give the output alone, as tok_s.")
    raise BenchmarkFileError(f"{name}, row 1: has no column {column}; the header must be {','.join(COLUMNS)}.")


def _of_row(where: str, row: list[str], places: Mapping[str, int], tolerance_percent: float) -> Result:
    values = {column: _cell(where, row, place, column) for column, place in places.items()}
    concurrency, tpot_ms, rate = values["concurrency"], values["tpot_ms"], values["tok_s"]
    most = concurrency * MILLISECONDS_PER_SECOND / tpot_ms
    if rate > most * (1 + tolerance_percent / PERCENT):
        raise BenchmarkFileError(
            f"{where}: {rate:g} output tok/s, but {concurrency:g} requests at {tpot_ms:g} ms per token give at most "
            f"{most:.0f}; is it the total of input and output, or of more GPUs?"
        )
    return Result(concurrency, values["ttft_ms"], tpot_ms, rate)


def _cell(where: str, row: list[str], place: int, column: str) -> float:
    text = row[place].strip() if place < len(row) else ""
    try:
        value = float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if not 0 < value < float("inf"):
        raise BenchmarkFileError(
            f"{where}: {column} is “{text[:40]}”, no number above 0; write digits with a decimal point."
        )
    return value
