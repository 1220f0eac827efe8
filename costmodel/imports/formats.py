"""What every file format provides: how it is recognised, and how one of its rows becomes tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from costmodel.imports.numbers import LONGEST_COUNT, Numbers
from costmodel.imports.sheet import Header
from costmodel.imports.times import Moment, Times
from costmodel.imports.usage import RowDamagedError, UsageError
from costmodel.language import say

TRUE_WORDS = frozenset({"true", "1", "wahr", "yes"})
FALSE_WORDS = frozenset({"false", "0", "falsch", "no"})


class Figures(NamedTuple):
    """The numbers of one row. Input includes cached and written tokens, output includes reasoning and batch tokens.

    None means that the row does not say. `cost_pico` is in 1e-12 US dollars.
    """

    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    requests: int | None = None
    reasoning_tokens: int | None = None
    batch_output_tokens: int | None = None
    cost_pico: int | None = None


class Row(NamedTuple):
    """One row: when it starts, how long it spans, whose it is, what it holds. `seconds` None: as the whole file shows.

    `identity` is what makes a row the same row in another export (key, tier, request id, ...).
    """

    start: Moment | None
    seconds: int | None
    model: str
    identity: tuple[str, ...]
    figures: Figures


class Repeats(Enum):
    """What a repeated row of a format means."""

    LAST_WINS = "one id, one request: a later row replaces an earlier one"
    ONE_BUCKET = "one row per time, model and key: a repeat is the same row again"
    ADD_UP = "rows without an id: equal rows of one file are different requests"
    ONE_PER_DAY = "rows of one day that are all equal are one row, by a known fault of the exporter"


class Reader(Protocol):
    """Reads the rows of one file of one format."""

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One row. Raises RowSkippedError, RowDamagedError or UsageError."""

    def notes(self) -> Sequence[str]:
        """What the reader of the result has to know about this file, in plain sentences."""


@dataclass
class Table:
    """A file that is being read as a table: its header, and how its numbers and times are written."""

    file: str
    header: Header
    numbers: Numbers
    times: Times

    def column(self, name: str) -> Column | None:
        """A column by its lower-case name; None where the file lacks it, UsageError where it is there twice."""
        if self.header.names.count(name) > 1:
            raise UsageError(say("there are two columns “{column}”. Keep one.", column=name), file=self.file)
        position = self.header.position(name)
        return None if position is None else Column(self, name, position)

    def need(self, name: str) -> Column:
        """A column that the format's recognition has already seen."""
        column = self.column(name)
        if column is None:
            raise UsageError(
                say("the column “{column}” is missing. Export the file again with all columns.", column=name),
                file=self.file,
            )
        return column


@dataclass(frozen=True, slots=True)
class Column:
    """One column of one file."""

    table: Table
    name: str
    position: int

    def text(self, cells: Sequence[str]) -> str:
        """The cell as it stands: inert text, whatever it contains."""
        return cells[self.position].strip()

    def count(self, number: int, cells: Sequence[str]) -> int | None:
        """The cell as a count; None where empty."""
        cell = cells[self.position]
        if len(cell) <= LONGEST_COUNT and cell.isdigit() and cell.isascii():
            return int(cell)  # nearly every cell: not worth asking how else numbers are written
        return self.table.numbers.count(cell, column=self.name, row=number)

    def tokens(self, number: int, cells: Sequence[str]) -> int:
        """The cell as a count that has to be there."""
        cell = cells[self.position]
        if len(cell) <= LONGEST_COUNT and cell.isdigit() and cell.isascii():
            return int(cell)
        count = self.table.numbers.count(cell, column=self.name, row=number)
        if count is None:
            raise RowDamagedError(say("{column} is empty", column=self.name))
        return count

    def amount(self, cells: Sequence[str]) -> int | None:
        """The cell as money in 1e-12 units; None where empty or unreadable."""
        return self.table.numbers.amount(cells[self.position])

    def time(self, number: int, cells: Sequence[str]) -> Moment:
        """The cell as a moment."""
        return self.table.times.read(cells[self.position], column=self.name, row=number)

    def flag(self, cells: Sequence[str]) -> bool | None:
        """The cell as true or false; None where it is neither."""
        word = cells[self.position].strip().casefold()
        return True if word in TRUE_WORDS else False if word in FALSE_WORDS else None


@dataclass(frozen=True)
class Format:
    """One file format. `blank_is_zero`: a figure that some rows lack is 0 there, if any other row has it."""

    id: str
    name: str
    vendor: str
    repeats: Repeats
    headers: tuple[frozenset[str], ...]
    open: Callable[[Table], Reader] = field(repr=False)
    times_are_utc: bool = False
    cost_only: bool = False
    blank_is_zero: bool = False

    def fits(self, header: Header) -> bool:
        """Whether the header has all the columns of one of the sets by which this format is known."""
        return any(columns <= set(header.names) for columns in self.headers)


def check_parts(figures: Figures) -> Figures:
    """The same figures, if cached and written input fit in the input and reasoning in the output; else RowDamagedError.

    >>> check_parts(Figures(input_tokens=10, cached_input_tokens=8)).cached_input_tokens
    8
    """
    cached = (figures.cached_input_tokens or 0) + (figures.cache_write_tokens or 0)
    if cached > (figures.input_tokens or 0):
        raise RowDamagedError(
            say("more cached than input tokens, but cached tokens are part of the input here"),
            f"{cached} > {figures.input_tokens}",
        )
    if (figures.reasoning_tokens or 0) > (figures.output_tokens or 0):
        raise RowDamagedError(
            say("more reasoning than output tokens, but reasoning tokens are part of the output here"),
            f"{figures.reasoning_tokens} > {figures.output_tokens}",
        )
    return figures
