"""Bytes in, rows out: size, encoding, separator and header of one file, read once and never held as a whole."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from costmodel.imports.numbers import unwrap
from costmodel.imports.usage import ImportLimits, UsageError
from costmodel.language import number_text, say
from costmodel.units import PERCENT

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER_BYTES = 1 << 16
LONGEST_LINE_BYTES = 1 << 20  # a longer line is no table
SEPARATORS = (",", ";", "\t", "|")
EXCEL_SEPARATOR = re.compile(r"sep=(.)\s*", re.IGNORECASE)
METRIC_LINE = re.compile(
    r"#\s*(?:HELP|TYPE|UNIT|EOF)\b|[A-Za-z_:][\w:]*(?:\{.*\})?\s+[-+]?(?:\d[-+.\w]*|NaN|Inf)(?:\s+\d+)?\s*$", re.ASCII
)


class Upload:
    """All files of one upload: what was read so far, against the limits and for the progress bar."""

    def __init__(self, streams: list[BinaryIO], limits: ImportLimits, progress: Callable[[float], None] | None) -> None:
        self.limits = limits
        self.bytes_read = 0
        self.rows_read = 0
        self._progress = progress
        self._percent_told = 0
        self._total_bytes = sum(_size(stream) for stream in streams)

    def count_bytes(self, count: int, file: str) -> None:
        """Add bytes; raises UsageError above the limit, before they are parsed."""
        self.bytes_read += count
        if self.bytes_read > self.limits.max_bytes:
            raise UsageError(
                say(
                    "the upload is larger than {most} bytes. Export a shorter time or daily rows.",
                    most=number_text(f"{self.limits.max_bytes:,}"),
                ),
                file=file,
            )
        if self._progress and self._total_bytes:
            percent = min(PERCENT, self.bytes_read * PERCENT // self._total_bytes)
            if percent > self._percent_told:
                self._percent_told = percent
                self._progress(percent / PERCENT)

    def count_row(self, file: str) -> None:
        """Add one row; raises UsageError above the limit."""
        self.rows_read += 1
        if self.rows_read > self.limits.max_rows:
            raise self.too_many_rows(file)

    def too_many_rows(self, file: str) -> UsageError:
        """What to say above the limit."""
        return UsageError(
            say(
                "the upload has more than {most} rows. Export a shorter time or daily rows.",
                most=number_text(f"{self.limits.max_rows:,}"),
            ),
            file=file,
        )

    def done(self) -> None:
        """Tell the progress bar that nothing is left."""
        if self._progress:
            self._progress(1.0)


class Metered(io.RawIOBase):
    """A raw stream that counts what is read, refuses endless lines and leaves the caller's stream open."""

    def __init__(self, stream: BinaryIO, upload: Upload, file: str) -> None:
        self._stream, self._upload, self._file = stream, upload, file
        self._line_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        block = self._stream.read(len(view)) or b""
        view[: len(block)] = block
        self._upload.count_bytes(len(block), self._file)
        after_line_end = len(block) - 1 - max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._line_bytes = after_line_end + (self._line_bytes if after_line_end == len(block) else 0)
        if self._line_bytes > LONGEST_LINE_BYTES:
            raise UsageError(
                say(
                    "a line is longer than {most} bytes: this is no usage table. Choose the CSV export.",
                    most=number_text(f"{LONGEST_LINE_BYTES:,}"),
                ),
                file=self._file,
            )
        return len(block)


@dataclass
class Sheet:
    """One file as text: its first line, and the lines after it."""

    file: str
    first_line: str
    lines: Iterator[str]
    notes: list[str] = field(default_factory=list)

    @property
    def is_metrics(self) -> bool:
        """Whether the file is Prometheus text rather than a table."""
        return METRIC_LINE.match(self.first_line) is not None


@dataclass(frozen=True)
class Header:
    """The header of a table: lower-case column names to positions, and the separator that was found."""

    names: tuple[str, ...]
    separator: str

    def position(self, name: str) -> int | None:
        """Where the column is; None where the file does not have it."""
        return self.names.index(name) if name in self.names else None


def open_sheet(file: str, stream: BinaryIO, upload: Upload) -> Sheet:
    """The file as lines of text. Raises UsageError for what is no text, and for an empty file."""
    buffered = io.BufferedReader(Metered(stream, upload, file), BUFFER_BYTES)
    sample = buffered.peek(BUFFER_BYTES)
    for magic, message in _unreadable().items():
        if sample.startswith(magic):
            raise UsageError(message, file=file)
    encoding = _encoding(sample)
    if not encoding.startswith("utf-16") and b"\0" in sample:
        raise UsageError(say("this is a binary file. Choose the CSV export or the metrics text."), file=file)
    text = io.TextIOWrapper(buffered, encoding=encoding, errors="replace", newline="")
    lines = iter(text)
    first = next((line for line in lines if line.strip()), "")
    if not first:
        raise UsageError(say("no usage in this file: it is empty."), file=file)
    if first.lstrip()[0] == "<":
        raise UsageError(say("this is a web page or XML, not a table. Choose the CSV export."), file=file)
    if first.lstrip()[0] in "{[":
        raise UsageError(say("this is JSON, not a table. Choose the CSV export."), file=file)
    sheet = Sheet(file, first, lines)
    if encoding == "cp1252":
        sheet.notes.append(say("{file}: the text is not UTF-8 and was read as Windows-1252.", file=file))
    return sheet


def _unreadable() -> dict[bytes, str]:
    """What to say of files that are no text, by their first bytes."""
    return {
        b"PK\x03\x04": say(
            "this is a ZIP archive or Excel workbook, not a text file. Remedy: unpack it, or save the sheet as CSV."
        ),
        b"PK\x05\x06": say("this is an empty ZIP archive, not a text file. Remedy: choose the CSV file itself."),
        b"\x1f\x8b": say("this is a gzip archive, not a text file. Remedy: unpack it."),
        b"\xd0\xcf\x11\xe0": say("this is an old Excel workbook, not a text file. Remedy: save the sheet as CSV."),
        b"%PDF": say("this is a PDF document, not a text file. Remedy: export the usage as CSV."),
        b"PAR1": say("this is a Parquet file, not a text file. Remedy: export the usage as CSV."),
    }


def header_candidates(sheet: Sheet) -> list[Header]:
    """The first line read with each separator, the one that gives the most columns first."""
    separators: tuple[str, ...] = SEPARATORS
    excel = EXCEL_SEPARATOR.fullmatch(sheet.first_line.rstrip("\r\n"))
    if excel:
        separators = (excel[1],)
        sheet.first_line = next((line for line in sheet.lines if line.strip()), "")
    headers = []
    for separator in separators:
        try:
            cells = next(csv.reader([sheet.first_line], delimiter=separator, strict=True), [])
        except (csv.Error, TypeError, ValueError):
            continue
        headers.append(Header(tuple(unwrap(cell).casefold() for cell in cells), separator))
    return sorted(headers, key=lambda header: -len(header.names))


def rows(sheet: Sheet, header: Header, upload: Upload) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header, numbered from 1. Raises UsageError for broken quoting and above the limits."""
    number = 0
    left = upload.limits.max_rows - upload.rows_read
    try:
        for number, cells in enumerate(csv.reader(sheet.lines, delimiter=header.separator, strict=True), start=1):
            if number > left:
                raise upload.too_many_rows(sheet.file)
            if cells:
                yield number, cells
        upload.rows_read += number
    except csv.Error as error:
        raise UsageError(
            say("the quoting is broken ({error}). Export the file again, or save it as CSV.", error=error),
            file=sheet.file,
            row=number + 1,
        ) from error


def _encoding(sample: bytes) -> str:
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for encoding, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        if len(sample) > 1 and zeros.count(0) * 2 > len(zeros):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _size(stream: BinaryIO) -> int:
    """Bytes in the stream, rewound to its start (the page reads an upload again at each run); 0 where unknown."""
    if not stream.seekable():
        return 0
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    return size
