"""Usage files in: exports of API vendors and gateways, engine metrics, or a plain table, read once and never kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple

from costmodel.imports import anthropic, costs, deepseek, litellm, openai, openrouter, plain, prometheus
from costmodel.imports.book import Book
from costmodel.imports.formats import Format, Table
from costmodel.imports.numbers import Numbers
from costmodel.imports.repeats import settle_repeats
from costmodel.imports.sheet import Header, Sheet, Upload, header_candidates, open_sheet, rows
from costmodel.imports.skipped import SkippedRows
from costmodel.imports.summary import refuse_without_rows, total_usd, usage_of_book
from costmodel.imports.times import DateOrder, Times
from costmodel.imports.usage import (
    ImportLimits,
    ModelTokens,
    RowDamagedError,
    RowSkippedError,
    Skipped,
    Usage,
    UsageError,
)
from costmodel.language import number_text, say

__all__ = [
    "ImportLimits",
    "ModelTokens",
    "NamedBinary",
    "Skipped",
    "Usage",
    "UsageError",
    "known_formats",
    "read_usage",
]

FORMATS: tuple[Format, ...] = (
    *openai.FORMATS,
    *anthropic.FORMATS,
    *openrouter.FORMATS,
    *litellm.FORMATS,
    *deepseek.FORMATS,
    *costs.FORMATS,
    *openai.EMPTY_EXPORTS,
    *plain.FORMATS,
)
LONGEST_SHOWN = 200  # characters of an unknown header in a message


class NamedBinary(NamedTuple):
    """One uploaded file: its name, and its bytes as a binary stream."""

    name: str
    stream: BinaryIO


class _Reading:
    """What is known while the files of one upload are read one after the other."""

    def __init__(self) -> None:
        self.order = DateOrder()
        self.skipped = SkippedRows()
        self.notes: list[str] = []
        self.snapshots: list[prometheus.Snapshot] = []
        self.usage: Book | None = None
        self.costs: Book | None = None


def read_usage(
    files: Sequence[NamedBinary | tuple[str, BinaryIO]],
    *,
    limits: ImportLimits,
    progress: Callable[[float], None] | None = None,
    seconds_between_snapshots: float | None = None,
) -> Usage:
    """The tokens of one upload: files of one format, perhaps with the cost export of the same vendor as a check.

    Args:
        files: names and binary streams; a seekable stream is read from its start, each is read once and left open.
        limits: largest size and number of rows, over all files together.
        progress: called with the share of bytes read so far, at most once per percent; 1.0 at the end.
        seconds_between_snapshots: for two vLLM snapshots whose text and file names carry no time.

    Raises:
        UsageError: for everything that cannot be read or must not be used as a token mix; nothing else.
    """
    if not files:
        raise UsageError(say("no file was given."))
    upload = Upload([stream for _, stream in files], limits, progress)
    reading = _Reading()
    for name, stream in files:
        sheet = open_sheet(name, stream, upload)
        if sheet.is_metrics:
            if reading.usage is not None or reading.costs is not None:
                raise _mixed(name, say(prometheus.NAME), reading.usage or reading.costs)
            reading.snapshots.append(prometheus.read_snapshot(sheet, upload))
        else:
            _read_table(sheet, upload, reading)
    usage = _result(reading, seconds_between_snapshots)
    upload.done()
    return usage


def known_formats() -> tuple[str, ...]:
    """Plain names of everything that gives a token mix, for the page and for messages."""
    names = [say(fmt.name) for fmt in FORMATS if not fmt.cost_only and fmt.vendor != plain.VENDOR]
    own = say("a plain table with the header {header} (timestamp and cached column optional)", header=plain.HEADER)
    return tuple(dict.fromkeys([*names, say(prometheus.NAME), own]))


def _read_table(sheet: Sheet, upload: Upload, reading: _Reading) -> None:
    fmt, header = _recognise(sheet)
    book = reading.costs if fmt.cost_only else reading.usage
    for other in (reading.usage, reading.costs):
        if other and (other.format.vendor != fmt.vendor or (other is book and other.format.id != fmt.id)):
            raise _mixed(sheet.file, say(fmt.name), other)
    if reading.snapshots:
        first = f"{reading.snapshots[0].file} ({say(prometheus.NAME)})"
        raise _different(sheet.file, say(fmt.name), first)
    if book is None:
        book = Book(fmt)
        if fmt.cost_only:
            reading.costs = book
        else:
            reading.usage = book
    table = Table(
        sheet.file,
        header,
        Numbers(file=sheet.file, delimiter=header.separator),
        Times(file=sheet.file, order=reading.order, naive_is_utc=fmt.times_are_utc),
    )
    reader = fmt.open(table)
    book.start_file(sheet.file, table.times)
    width = len(header.names)
    for number, cells in rows(sheet, header, upload):
        try:
            if len(cells) != width:
                _refuse_width(cells, header)
            book.add(number, reader.read(number, cells))
        except RowSkippedError as why:
            reading.skipped.add(sheet.file, number, why)
    reading.notes += [*reader.notes(), *table.numbers.notes(), *table.times.notes(), *sheet.notes]


def _refuse_width(cells: Sequence[str], header: Header) -> None:
    """Trailing separators do no harm; a row of any other length does not fit the header."""
    if len(cells) < len(header.names) or any(cells[len(header.names) :]):
        raise RowDamagedError(say("the row has more or fewer cells than the header"))


def _recognise(sheet: Sheet) -> tuple[Format, Header]:
    headers = header_candidates(sheet)
    for header in headers:
        for fmt in FORMATS:
            if fmt.fits(header):
                return fmt, header
    shown = ", ".join(headers[0].names)[:LONGEST_SHOWN] if headers else sheet.first_line[:LONGEST_SHOWN]
    known = "; ".join(known_formats())
    raise UsageError(
        say("the header is not known ({header}). Known are: {known}.", header=shown, known=known), file=sheet.file
    )


def _result(reading: _Reading, seconds_between_snapshots: float | None) -> Usage:
    if reading.snapshots:
        return prometheus.usage_of_snapshots(reading.snapshots, seconds_between_snapshots)
    costs = reading.costs
    if costs is not None:
        reading.notes += settle_repeats(costs, reading.order, reading.skipped)
    if reading.usage is not None:
        return usage_of_book(
            reading.usage,
            order=reading.order,
            skipped=reading.skipped,
            reader_notes=reading.notes,
            costs=costs if costs is not None and costs.entries else None,
        )
    assert costs is not None, "every file is a table or a snapshot"
    refuse_without_rows(costs, reading.skipped)
    cost_usd = total_usd(costs)
    sentences = [
        say(
            "this is a cost export ({format}): it holds no input and output tokens, so it gives no token mix.",
            format=say(costs.format.name),
        )
    ]
    if cost_usd is not None:
        sentences.append(say("Its total, {usd} $, can check a bill.", usd=number_text(f"{cost_usd:f}")))
    sentences += [*reading.notes, say("Upload the usage export; this one can go with it.")]
    raise UsageError(" ".join(sentences), file=costs.parts[0].name, cost_usd=cost_usd)


def _mixed(file: str, name: str, other: Book | None) -> UsageError:
    first = f"{other.parts[0].name} ({say(other.format.name)})" if other else say("the other files")
    return _different(file, name, first)


def _different(file: str, name: str, first: str) -> UsageError:
    return UsageError(
        say(
            "this is a different format ({format}) than {first}. Upload one format at a time.", format=name, first=first
        ),
        file=file,
    )
