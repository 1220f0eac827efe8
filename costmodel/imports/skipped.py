"""Rows that were left out, and why: the reader of the totals has to know them."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.usage import RowDamagedError, RowSkippedError, Skipped
from costmodel.language import number_text, say

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
    if len(names) <= most:
        return shown
    return say("{names} and {more} more", names=shown, more=len(names) - most)


def whole(number: int) -> str:
    """A whole number as the reader's language writes it.

    >>> whole(2_000)
    '2,000'
    """
    return number_text(f"{number:,}")
