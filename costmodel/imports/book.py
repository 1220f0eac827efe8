"""The totals of an upload while it is read: one compact entry per row, so that a repeated row can be taken out."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import pairwise

from costmodel.imports.formats import Figures, Format, Repeats, Row
from costmodel.imports.times import Moment, Times
from costmodel.imports.usage import RowSkippedError, UsageError
from costmodel.units import SECONDS_PER_HOUR

MOST_MODELS = 1_000
LONGEST_NAME = 120
UNNAMED = "(no model named)"
TOTAL_WORDS = frozenset({"total", "totals", "grand total", "sum", "summe", "gesamt"})
INPUT, CACHED, WRITTEN, OUTPUT, REQUESTS, REASONING, BATCH, COST = range(len(Figures._fields))


@dataclass
class Hour:
    """One clock hour: the output that started in it, its first start and last end in seconds after the hour.

    `moment` is None for rows without a time.
    """

    moment: Moment | None
    output_tokens: int = 0
    first_second: int = SECONDS_PER_HOUR
    last_second: int = 0


@dataclass
class Part:
    """One file's entries in the book, and how that file is timed and grouped."""

    name: str
    times: Times
    first_entry: int
    end_entry: int
    seconds: int | None = 0  # the longest row; None where the rows do not say
    grouped_by: set[int] = field(default_factory=set)  # positions of the identity that are not always blank


class Book:
    """Rows of one format, over all files of the upload, numbered in reading order."""

    def __init__(self, fmt: Format) -> None:
        self.format = fmt
        self.parts: list[Part] = []
        self.hours: list[Hour] = []
        self.blanks = [0] * len(Figures._fields)
        self.hour_of = array("I")
        self.row_number_of = array("I")
        self._columns: list[array[int] | None] = [None] * len(Figures._fields)
        self._identity_of = array("q")
        self._model_of = array("H")
        self._hour_numbers: dict[Moment | None, int] = {}
        self._model_numbers: dict[str, int] = {}
        self._model_tokens: list[list[int]] = []  # input, output
        self.dropped = 0
        self._dropped_figures = [0] * len(Figures._fields)

    @property
    def entries(self) -> int:
        """Rows entered so far, dropped ones included."""
        return len(self._identity_of)

    def start_file(self, name: str, times: Times) -> None:
        """Every following row belongs to this file."""
        self.parts.append(Part(name, times, self.entries, self.entries))

    def add(self, number: int, row: Row) -> None:
        """Enter one row. Raises RowSkippedError for a total row, UsageError for a model column that is none."""
        model = self._model_number(row.model)
        self._columns_add(row.figures)
        part = self.parts[-1]
        part.end_entry += 1
        part.seconds = None if row.seconds is None or part.seconds is None else max(part.seconds, row.seconds)
        for position, text in enumerate(row.identity):
            if text and position not in part.grouped_by:
                part.grouped_by.add(position)
        match self.format.repeats:
            case Repeats.LAST_WINS:
                identity = hash(row.identity)
            case Repeats.ONE_PER_DAY:
                identity = hash((row.start, row.identity))
            case _:
                identity = hash((row.start, row.model, row.identity))
        self._identity_of.append(identity)
        self.row_number_of.append(number)
        self._model_of.append(model)
        self.hour_of.append(self._hour(row))
        tokens = self._model_tokens[model]
        tokens[0] += row.figures.input_tokens or 0
        tokens[1] += row.figures.output_tokens or 0

    def figures(self, entry: int) -> tuple[int, ...]:
        """The numbers of one entry, 0 where unknown."""
        return tuple(0 if column is None else column[entry] for column in self._columns)

    def repeated(self) -> list[list[int]]:
        """The entries that share their identity with others, in groups, each in reading order."""
        ordered = sorted(self._identity_of)
        shared = {first for first, second in pairwise(ordered) if first == second}
        del ordered
        groups: dict[int, list[int]] = {}
        if shared:
            for entry, identity in enumerate(self._identity_of):
                if identity in shared:
                    groups.setdefault(identity, []).append(entry)
        return list(groups.values())

    def drop(self, entry: int) -> None:
        """Take one entry out of all totals again."""
        figures = self.figures(entry)
        self.dropped += 1
        self._dropped_figures = [total + figure for total, figure in zip(self._dropped_figures, figures, strict=True)]
        self.hours[self.hour_of[entry]].output_tokens -= figures[OUTPUT]
        tokens = self._model_tokens[self._model_of[entry]]
        tokens[0] -= figures[INPUT]
        tokens[1] -= figures[OUTPUT]

    def total(self, figure: int) -> int | None:
        """The sum of one figure; None where no row says, or where some rows do not and that is not as good as 0."""
        column = self._columns[figure]
        if column is None or (self.blanks[figure] and not self.format.blank_is_zero):
            return None
        return sum(column) - self._dropped_figures[figure]

    def models(self) -> dict[str, tuple[int, int]]:
        """Input and output tokens by model name, in the order of the files."""
        return {
            name: (tokens[0], tokens[1]) for name, tokens in zip(self._model_numbers, self._model_tokens, strict=True)
        }

    def model_number(self, entry: int) -> int:
        """Which model an entry is about."""
        return self._model_of[entry]

    def part_of(self, entry: int) -> Part:
        """The file an entry came from."""
        return next(part for part in self.parts if entry < part.end_entry)

    def _model_number(self, name: str) -> int:
        name = name[:LONGEST_NAME] or UNNAMED
        if name not in self._model_numbers:
            if name.casefold() in TOTAL_WORDS:
                raise RowSkippedError("a total row, not usage of a model", name)
            if len(self._model_numbers) == MOST_MODELS:
                raise UsageError(
                    f"there are more than {MOST_MODELS:,} different models. Is the model column really the model?",
                    file=self.parts[-1].name,
                )
            self._model_numbers[name] = len(self._model_numbers)
            self._model_tokens.append([0, 0])
        return self._model_numbers[name]

    def _columns_add(self, figures: Figures) -> None:
        for position, figure in enumerate(figures):
            column = self._columns[position]
            if figure is None:
                self.blanks[position] += 1
                if column is not None:
                    column.append(0)
            else:
                if column is None:
                    column = self._columns[position] = array("q", bytes(8 * self.entries))
                column.append(figure)

    def _hour(self, row: Row) -> int:
        start = row.start
        moment: Moment | None
        if start is None:
            second, moment = 0, None
        elif isinstance(start, int):
            second = start % SECONDS_PER_HOUR
            moment = start - second
        else:
            second = next(instant for instant in start if instant is not None) % SECONDS_PER_HOUR
            moment = tuple(None if instant is None else instant - second for instant in start)  # type: ignore[assignment]
        index = self._hour_numbers.get(moment)
        if index is None:
            index = self._hour_numbers[moment] = len(self.hours)
            self.hours.append(Hour(moment))
        hour = self.hours[index]
        hour.output_tokens += row.figures.output_tokens or 0
        hour.first_second = min(hour.first_second, second)
        hour.last_second = max(hour.last_second, second + (row.seconds or 0))
        return index
