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
from costmodel.language import number_text, say
from costmodel.machine.ownloads import MOST_LOADS
from costmodel.machine.speed import Load
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
        raise BenchmarkFileError(say("No run was found: give a vLLM result file or a CSV with a row for each run."))
    seen: set[float] = set()
    for result in results:
        if result.concurrency in seen:
            raise BenchmarkFileError(
                say(
                    "Two runs have {requests} requests at a time: keep one of them, or give their files apart.",
                    requests=_short(result.concurrency),
                )
            )
        seen.add(result.concurrency)
    if len(results) > MOST_LOADS:
        raise BenchmarkFileError(
            say("There are {runs} runs: keep the {most} that span the curve.", runs=len(results), most=MOST_LOADS)
        )
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
        notes.append(say("The runs are of different models: {models}.", models=", ".join(sorted(models))))
    if len(results) == 1:
        notes.append(say("One run says nothing of other speeds: the curve is flat below it and unknown above."))
    return notes


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchmarkFileError(
            say("{file}: is not UTF-8 text; save it as CSV or JSON in UTF-8.", file=name)
        ) from error


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
        return [
            (say("{file}, entry {entry}", file=name, entry=position), each)
            for position, each in enumerate(whole, start=1)
        ]
    return [(name, whole)]


def _each_line(name: str, text: str) -> list[tuple[str, Any]]:
    records = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            where = say("{file}, line {line}", file=name, line=number)
            try:
                records.append((where, json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise BenchmarkFileError(
                    say("{where}: is not JSON; give the file that `vllm bench serve --save-result` wrote.", where=where)
                ) from error
    return records


def _of_vllm(where: str, record: Any, tolerance_percent: float) -> Result:
    if not isinstance(record, Mapping):
        raise BenchmarkFileError(
            say("{where}: is no result object; give the file that `vllm bench serve` wrote.", where=where)
        )
    failed = record.get("failed")
    if isinstance(failed, int | float) and failed > 0:
        raise BenchmarkFileError(
            say(
                "{where}: {requests} requests failed, so its rates are too low; run it again.",
                where=where,
                requests=_short(failed),
            )
        )
    concurrency = _number(where, record, "max_concurrency", say("run the benchmark with --max-concurrency"))
    rate = _number(where, record, "output_throughput", say("it is in every result of `vllm bench serve`"))
    ttft = _number(where, record, "mean_ttft_ms", say("add ttft to --percentile-metrics"))
    tpot = _number(where, record, "mean_tpot_ms", say("add tpot to --percentile-metrics"))
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
                say(
                    "{where}: {rate} output tok/s, but {requests} requests with these latencies give at most {most}; "
                    "is it the total of input and output?",
                    where=where,
                    rate=_short(rate),
                    requests=_short(concurrency),
                    most=f"{expected:.0f}",
                )
            )
    model = record.get("model_id")
    return Result(concurrency, ttft, tpot, rate, ratio, model if isinstance(model, str) else None)


def _number(where: str, record: Mapping[str, Any], key: str, remedy: str) -> float:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        if value is None:
            raise BenchmarkFileError(say("{where}: {key} is missing; {remedy}.", where=where, key=key, remedy=remedy))
        raise BenchmarkFileError(
            say(
                "{where}: {key} is {value}, no number above 0; {remedy}.",
                where=where,
                key=key,
                value=repr(value),
                remedy=remedy,
            )
        )
    return float(value)


def _of_csv(name: str, text: str, tolerance_percent: float) -> list[Result]:
    sample = text.partition("\n")[0]
    delimiter = ";" if sample.count(";") > sample.count(",") else "\t" if "\t" in sample else ","
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise BenchmarkFileError(
            say("{file}: cannot be read as CSV ({error}); export it again.", file=name, error=error)
        ) from error
    if not rows:
        raise BenchmarkFileError(
            say(
                "{file}: is empty; give a header line {columns} and a row for each run.",
                file=name,
                columns=",".join(COLUMNS),
            )
        )
    header = [cell.strip().lower() for cell in rows[0]]
    places = {column: _place(name, header, column) for column in COLUMNS}
    return [
        _of_row(say("{file}, row {row}", file=name, row=number), row, places, tolerance_percent)
        for number, row in enumerate(rows[1:], start=2)
        if any(cell.strip() for cell in row)
    ]


def _place(name: str, header: list[str], column: str) -> int:
    for spelling in _NAMES[column]:
        if spelling in header:
            return header.index(spelling)
    total = next((each for each in _TOTALS if each in header), None)
    if column == "tok_s" and total:
        raise BenchmarkFileError(
            say("{file}, row 1: {total} counts input too; give the output alone, as tok_s.", file=name, total=total)
        )
    raise BenchmarkFileError(
        say(
            "{file}, row 1: has no column {column}; the header must be {columns}.",
            file=name,
            column=column,
            columns=",".join(COLUMNS),
        )
    )


def _of_row(where: str, row: list[str], places: Mapping[str, int], tolerance_percent: float) -> Result:
    values = {column: _cell(where, row, place, column) for column, place in places.items()}
    concurrency, tpot_ms, rate = values["concurrency"], values["tpot_ms"], values["tok_s"]
    most = concurrency * MILLISECONDS_PER_SECOND / tpot_ms
    if rate > most * (1 + tolerance_percent / PERCENT):
        raise BenchmarkFileError(
            say(
                "{where}: {rate} output tok/s, but {requests} requests at {latency} ms per token give at most {most}; "
                "is it the total of input and output, or of more GPUs?",
                where=where,
                rate=_short(rate),
                requests=_short(concurrency),
                latency=_short(tpot_ms),
                most=f"{most:.0f}",
            )
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
            say(
                "{where}: {column} is “{text}”, no number above 0; write digits with a decimal point.",
                where=where,
                column=column,
                text=text[:40],
            )
        )
    return value


def _short(value: float) -> str:
    return number_text(f"{value:g}")
