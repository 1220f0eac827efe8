"""Rows that are in an upload twice: told apart from rows that only look alike, and counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

from costmodel.imports.book import Book, or_zero
from costmodel.imports.formats import Repeats
from costmodel.imports.skipped import SkippedRows, whole
from costmodel.imports.spans import Span, span
from costmodel.imports.times import SECONDS_PER_DAY, DateOrder
from costmodel.imports.usage import UsageError
from costmodel.language import say, say_count

Kind = Literal["same_id", "same_row", "in_a_later_file", "same_day"]


def settle_repeats(book: Book, order: DateOrder, skipped: SkippedRows) -> list[str]:
    """Take every repeated row out of the totals, and say so in sentences.

    Raises UsageError where two files share time but not their grouping: their rows cannot be matched.
    """
    _refuse_unlike_overlaps(book, order)
    if book.format.repeats is Repeats.ADD_UP and len(book.parts) == 1:
        return []
    known = span(book, book.parts, order)
    single_requests = known is not None and known.kind == "request"
    overlap: Counter[str] = Counter()
    found: Counter[Kind] = Counter()
    reasons = _reasons()
    for entries in book.repeated():
        for entry, kind in _superseded(book, entries, single_requests):
            part = book.part_of(entry)
            book.drop(entry)
            skipped.count(part.name, book.row_number_of[entry], reasons[kind])
            found[kind] += 1
            if kind == "in_a_later_file":
                overlap[part.name] += 1
    notes = [
        say_count(
            "{file} overlaps a later file: {rows} row in both, counted once as in the later file.",
            "{file} overlaps a later file: {rows} rows in both, counted once as in the later file.",
            count,
            file=name,
            rows=whole(count),
        )
        for name, count in overlap.items()
    ]
    if found["same_id"]:
        notes.append(
            say_count(
                "Duplicate request ids: {rows} row replaced by a later row of the same id.",
                "Duplicate request ids: {rows} rows replaced by a later row of the same id.",
                found["same_id"],
                rows=whole(found["same_id"]),
            )
        )
    if found["same_row"]:
        notes.append(
            say_count(
                "{rows} exact repeat of a row of the same time, model and key: counted once.",
                "{rows} exact repeats of a row of the same time, model and key: counted once.",
                found["same_row"],
                rows=whole(found["same_row"]),
            )
        )
    if found["same_day"]:
        notes.append(
            say(
                "All models of a day carry identical totals: a known exporter fault, in which every model row holds "
                "the whole day of its team. Each day counts once, and what belongs to which model is unknown."
            )
        )
    return notes


def _reasons() -> dict[Kind, str]:
    """Why a repeated row was left out, in words."""
    return {
        "same_id": say("the same request again: the later row counts"),
        "same_row": say("the same row again"),
        "in_a_later_file": say("also in a later file of this upload, which counts"),
        "same_day": say("all models of a day carry identical totals: known exporter fault, counted once"),
    }


def _refuse_unlike_overlaps(book: Book, order: DateOrder) -> None:
    if book.format.repeats is Repeats.LAST_WINS or len(book.parts) == 1:
        return
    spans = [(part, known) for part in book.parts if (known := span(book, [part], order)) is not None]
    for index, (first, one) in enumerate(spans):
        for second, other in spans[index + 1 :]:
            if one.start >= other.end or other.start >= one.end:
                continue
            files = {"first": first.name, "days": _days(one), "second": second.name, "other_days": _days(other)}
            if first.grouped_by != second.grouped_by:
                message = say(
                    "{first} covers {days} and {second} covers {other_days}, but they are grouped by different "
                    "columns, so what is in both cannot be told. Upload one of them.",
                    **files,
                )
            elif one.kind != other.kind:
                message = say(
                    "{first} covers {days} and {second} covers {other_days}, but they have time steps of different "
                    "length, so what is in both cannot be told. Upload one of them.",
                    **files,
                )
            elif one.kind == "day" and _clock(one).isdisjoint(_clock(other)):
                message = say(
                    "{first} covers {days} and {second} covers {other_days}, but they cut their days in different time "
                    "zones, so what is in both cannot be told. Upload one of them.",
                    **files,
                )
            else:
                continue
            raise UsageError(message, file=second.name)


def _superseded(book: Book, entries: list[int], single_requests: bool) -> Iterator[tuple[int, Kind]]:
    """The entries of one group that another entry replaces."""
    in_parts = ([e for e in entries if part.first_entry <= e < part.end_entry] for part in book.parts)
    *earlier_parts, last = [mine for mine in in_parts if mine]
    if book.format.repeats is Repeats.ADD_UP and single_requests:
        yield from _equal_requests(book, [*earlier_parts, last])
        return
    for mine in earlier_parts:
        yield from ((entry, "in_a_later_file") for entry in mine)
    match book.format.repeats:
        case Repeats.LAST_WINS:
            yield from ((entry, "same_id") for entry in last[:-1])
        case Repeats.ONE_BUCKET:
            seen = set()
            for entry in last:
                figures = book.figures(entry)
                if figures in seen:
                    yield entry, "same_row"
                seen.add(figures)
        case Repeats.ONE_PER_DAY:
            models = {book.model_number(entry) for entry in last}
            if (
                len(models) > 1
                and len({book.figures(entry) for entry in last}) == 1
                and any(map(or_zero, book.figures(last[0])))
            ):
                yield from ((entry, "same_day") for entry in last[1:])


def _equal_requests(book: Book, by_part: list[list[int]]) -> Iterator[tuple[int, Kind]]:
    """Requests without an id: as many equal ones are kept as the file with the most of them has."""
    kept: Counter[tuple[int, ...]] = Counter()
    for entries in reversed(by_part):
        mine: Counter[tuple[int, ...]] = Counter()
        for entry in entries:
            figures = book.figures(entry)
            mine[figures] += 1
            if mine[figures] <= kept[figures]:
                yield entry, "in_a_later_file"
        kept |= mine


def _clock(known: Span) -> set[int]:
    return {start % SECONDS_PER_DAY for start in known.starts}


def _days(known: Span) -> str:
    first, last = (
        datetime.fromtimestamp(second, UTC).date() for second in (known.start, max(known.start, known.end - 1))
    )
    if first == last:
        return first.isoformat()
    return say("{low} to {high}", low=first.isoformat(), high=last.isoformat())
