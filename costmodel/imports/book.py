"""The totals of an upload while it is read: one compact entry per row, so that a repeated row can be taken out."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import pairwise

from costmodel.imports.formats import Figures, Format, Repeats, Row
from costmodel.imports.times import Moment, Times
from costmodel.imports.usage import RowSkippedError, UsageError
from costmodel.language import number_text, say
from costmodel.units import SECONDS_PER_HOUR

MOST_MODELS = 1_000
LONGEST_NAME = 120
WIDTH = len(Figures._fields)
UNKNOWN = -(2**63)  # "the row does not say", in an array that holds only whole numbers
SLICES = 8
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


def or_zero(figure: int) -> int:
    """A figure of an entry as a number to add: 0 where the row does not say."""
    return 0 if figure == UNKNOWN else figure


class Book:
    """Rows of one format, over all files of the upload, numbered in reading order."""

    def __init__(self, fmt: Format) -> None:
        self.format = fmt
        self.parts: list[Part] = []
        self.hours: list[Hour] = []
        self.hour_of = array("I")
        self.row_number_of = array("I")
        self._figures = array("q")  # all figures of the first entry, then all of the second, ...
        self._identity_of = array("q")
        self._model_of = array("H")
        self._hour_numbers: dict[Moment | None, int] = {}
        self._model_numbers: dict[str, int] = {}
        self._model_tokens: list[list[int]] = []  # input, output
        self.dropped = 0

    @property
    def entries(self) -> int:
        """Rows entered so far, dropped ones included."""
        return len(self._identity_of)

    def start_file(self, name: str, times: Times) -> None:
        """Every following row belongs to this file."""
        self.parts.append(Part(name, times, self.entries, self.entries))

    def add(self, number: int, row: Row) -> None:
        """Enter one row. Raises RowSkippedError for a total row, UsageError for a model column that is none."""
        start, seconds, name, identity, figures = row
        model = self._model_number(name)
        self._figures.extend([UNKNOWN if figure is None else figure for figure in figures])
        part = self.parts[-1]
        part.end_entry += 1
        part.seconds = None if seconds is None or part.seconds is None else max(part.seconds, seconds)
        repeats = self.format.repeats
        if repeats is Repeats.LAST_WINS:
            key = hash(identity)
        else:
            key = hash((start, identity) if repeats is Repeats.ONE_PER_DAY else (start, name, identity))
            part.grouped_by.update(position for position, text in enumerate(identity) if text)
        self._identity_of.append(key)
        self.row_number_of.append(number)
        self._model_of.append(model)
        output_tokens = figures.output_tokens or 0
        self.hour_of.append(self._hour_number(start, seconds or 0, output_tokens))
        tokens = self._model_tokens[model]
        tokens[0] += figures.input_tokens or 0
        tokens[1] += output_tokens

    def figures(self, entry: int) -> tuple[int, ...]:
        """The numbers of one entry, UNKNOWN where the row does not say."""
        return tuple(self._figures[entry * WIDTH : (entry + 1) * WIDTH])

    def repeated(self) -> list[list[int]]:
        """The entries that share their identity with others, in groups, each in reading order."""
        shared: set[int] = set()
        for slice_number in range(SLICES):  # sorted a slice at a time: a whole list of numbers would double the memory
            ordered = sorted(key for key in self._identity_of if key % SLICES == slice_number)
            shared.update(first for first, second in pairwise(ordered) if first == second)
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
        self._figures[entry * WIDTH : (entry + 1) * WIDTH] = array("q", [UNKNOWN] * WIDTH)
        self.hours[self.hour_of[entry]].output_tokens -= or_zero(figures[OUTPUT])
        tokens = self._model_tokens[self._model_of[entry]]
        tokens[0] -= or_zero(figures[INPUT])
        tokens[1] -= or_zero(figures[OUTPUT])

    def total(self, figure: int) -> int | None:
        """The sum of one figure; None where no row says, or where some rows do not and that is not as good as 0."""
        column = self._figures[figure::WIDTH]
        unknown = column.count(UNKNOWN)
        blank = self.blank_rows(figure)
        if unknown == len(column) or (blank and not self.format.blank_is_zero):
            return None
        return sum(column) - unknown * UNKNOWN

    def blank_rows(self, figure: int) -> int:
        """How many of the rows that count do not say this figure."""
        return self._figures[figure::WIDTH].count(UNKNOWN) - self.dropped

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
        number = self._model_numbers.get(name)
        if number is not None:
            return number
        short = name[:LONGEST_NAME] or say("(no model named)")
        if short.casefold() in TOTAL_WORDS:
            raise RowSkippedError(say("a total row, not usage of a model"), short)
        if short not in self._model_numbers:
            if len(self._model_numbers) == MOST_MODELS:
                raise UsageError(
                    say(
                        "there are more than {most} different models. Is the model column really the model?",
                        most=number_text(f"{MOST_MODELS:,}"),
                    ),
                    file=self.parts[-1].name,
                )
            self._model_numbers[short] = len(self._model_numbers)
            self._model_tokens.append([0, 0])
        return self._model_numbers[short]

    def _hour_number(self, start: Moment | None, seconds: int, output_tokens: int) -> int:
        second = 0
        moment = start
        if isinstance(start, int):
            second = start % SECONDS_PER_HOUR
            moment = start - second
        elif start is not None:
            second = next(instant for instant in start if instant is not None) % SECONDS_PER_HOUR
            day_first, month_first = (None if instant is None else instant - second for instant in start)
            moment = (day_first, month_first)
        index = self._hour_numbers.get(moment)
        if index is None:
            index = self._hour_numbers[moment] = len(self.hours)
            self.hours.append(Hour(moment))
        hour = self.hours[index]
        hour.output_tokens += output_tokens
        if second < hour.first_second:
            hour.first_second = second
        if second + seconds > hour.last_second:
            hour.last_second = second + seconds
        return index
