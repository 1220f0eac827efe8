"""Rows that were left out, and why: the reader of the totals has to know them."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.usage import RowDamagedError, RowSkippedError, Skipped

FIRST_ROWS = 5  # rows named per reason


class SkippedRows:
    """Rows left out of one upload, counted by file and reason."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
        self.first_damage: tuple[str, int, RowDamagedError] | None = None
        self.damaged = 0

    def add(self, file: str, number: int, why: RowSkippedError) -> None:
        """Count one row that could not be used."""
        if isinstance(why, RowDamagedError):
            self.damaged += 1
            self.first_damage = self.first_damage or (file, number, why)
        self.count(file, number, why.reason)

    def count(self, file: str, number: int, reason: str) -> None:
        """Count one row left out for a reason."""
        counter, first_rows = self._found.setdefault((file, reason), ([0], []))
        counter[0] += 1
        if len(first_rows) < FIRST_ROWS:
            first_rows.append(number)

    def listed(self) -> tuple[Skipped, ...]:
        """All reasons, in the order in which they came up."""
        return tuple(
            Skipped(reason, counter[0], tuple(rows), file) for (file, reason), (counter, rows) in self._found.items()
        )


def first_words(names: Sequence[str], most: int = FIRST_ROWS) -> str:
    """A short list of names for a sentence.

    >>> first_words(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def counted(number: int, word: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2_000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
