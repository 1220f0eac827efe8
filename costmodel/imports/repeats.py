"""Rows that are in an upload twice: told apart from rows that only look alike, and counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from costmodel.imports.book import Book, or_zero
from costmodel.imports.formats import Repeats
from costmodel.imports.skipped import SkippedRows, counted
from costmodel.imports.spans import Span, span
from costmodel.imports.times import SECONDS_PER_DAY, DateOrder
from costmodel.imports.usage import UsageError

SAME_ID = "the same request again: the later row counts"
SAME_ROW = "the same row again"
IN_A_LATER_FILE = "also in a later file of this upload, which counts"
SAME_DAY = "all models of a day carry identical totals: known exporter fault, counted once"


def settle_repeats(book: Book, order: DateOrder, skipped: SkippedRows) -> list[str]:
    """Take every repeated row out of the totals, and say so in sentences.

    Raises UsageError where two files share time but not their grouping: their rows cannot be matched.
    """
    _refuse_unlike_overlaps(book, order)
    if book.format.repeats is Repeats.ADD_UP and len(book.parts) == 1:
        return []
    whole = span(book, book.parts, order)
    single_requests = whole is not None and whole.kind == "request"
    overlap: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for entries in book.repeated():
        for entry, reason in _superseded(book, entries, single_requests):
            part = book.part_of(entry)
            book.drop(entry)
            skipped.count(part.name, book.row_number_of[entry], reason)
            found[reason] += 1
            if reason == IN_A_LATER_FILE:
                overlap[part.name] += 1
    notes = [
        f"{name} overlaps a later file: {counted(count, 'row')} in both, counted once as in the later file."
        for name, count in overlap.items()
    ]
    if found[SAME_ID]:
        notes.append(f"Duplicate request ids: {counted(found[SAME_ID], 'row')} replaced by a later row of the same id.")
    if found[SAME_ROW]:
        notes.append(
            f"{counted(found[SAME_ROW], 'exact repeat')} of a row of the same time, model and key: counted once."
        )
    if found[SAME_DAY]:
        notes.append(
            "All models of a day carry identical totals: a known exporter fault, in which every model row holds the"
            " whole day of its team. Each day counts once, and what belongs to which model is unknown."
        )
    return notes


def _refuse_unlike_overlaps(book: Book, order: DateOrder) -> None:
    if book.format.repeats is Repeats.LAST_WINS or len(book.parts) == 1:
        return
    spans = [(part, known) for part in book.parts if (known := span(book, [part], order)) is not None]
    for index, (first, one) in enumerate(spans):
        for second, other in spans[index + 1 :]:
            if one.start >= other.end or other.start >= one.end:
                continue
            if first.grouped_by != second.grouped_by:
                difference = "are grouped by different columns"
            elif one.kind != other.kind:
                difference = "have time steps of different length"
            elif one.kind == "day" and _clock(one).isdisjoint(_clock(other)):
                difference = "cut their days in different time zones"
            else:
                continue
            raise UsageError(
                f"{first.name} covers {_days(one)} and {second.name} covers {_days(other)}, but they {difference},"
                " so what is in both cannot be told. Upload one of them.",
                file=second.name,
            )


def _superseded(book: Book, entries: list[int], single_requests: bool) -> Iterator[tuple[int, str]]:
    """The entries of one group that another entry replaces."""
    in_parts = ([e for e in entries if part.first_entry <= e < part.end_entry] for part in book.parts)
    *earlier_parts, last = [mine for mine in in_parts if mine]
    if book.format.repeats is Repeats.ADD_UP and single_requests:
        yield from _equal_requests(book, [*earlier_parts, last])
        return
    for mine in earlier_parts:
        yield from ((entry, IN_A_LATER_FILE) for entry in mine)
    match book.format.repeats:
        case Repeats.LAST_WINS:
            yield from ((entry, SAME_ID) for entry in last[:-1])
        case Repeats.ONE_BUCKET:
            seen = set()
            for entry in last:
                figures = book.figures(entry)
                if figures in seen:
                    yield entry, SAME_ROW
                seen.add(figures)
        case Repeats.ONE_PER_DAY:
            models = {book.model_number(entry) for entry in last}
            if (
                len(models) > 1
                and len({book.figures(entry) for entry in last}) == 1
                and any(map(or_zero, book.figures(last[0])))
            ):
                yield from ((entry, SAME_DAY) for entry in last[1:])


def _equal_requests(book: Book, by_part: list[list[int]]) -> Iterator[tuple[int, str]]:
    """Requests without an id: as many equal ones are kept as the file with the most of them has."""
    kept: Counter[tuple[int, ...]] = Counter()
    for entries in reversed(by_part):
        mine: Counter[tuple[int, ...]] = Counter()
        for entry in entries:
            figures = book.figures(entry)
            mine[figures] += 1
            if mine[figures] <= kept[figures]:
                yield entry, IN_A_LATER_FILE
        kept |= mine


def _clock(known: Span) -> set[int]:
    return {start % SECONDS_PER_DAY for start in known.starts}


def _days(known: Span) -> str:
    first, last = (
        datetime.fromtimestamp(second, UTC).date() for second in (known.start, max(known.start, known.end - 1))
    )
    return first.isoformat() if first == last else f"{first} to {last}"
