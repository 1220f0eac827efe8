"""From the book of an upload to its Usage: repeats out, time resolved, every doubt said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from costmodel.imports.book import BATCH, CACHED, COST, INPUT, OUTPUT, REASONING, REQUESTS, WIDTH, WRITTEN, Book
from costmodel.imports.numbers import PICO
from costmodel.imports.repeats import settle_repeats
from costmodel.imports.skipped import SkippedRows, first_words, whole
from costmodel.imports.spans import Span, empty_days, span, week_profile
from costmodel.imports.times import DateOrder
from costmodel.imports.usage import ModelTokens, Usage, UsageError
from costmodel.language import say, say_count
from costmodel.units import HOURS_PER_WEEK

SELF_HOSTED = ("hosted_vllm/", "vllm/", "ollama/", "ollama_chat/", "lm_studio/", "llamafile/", "xinference/")


def usage_of_book(
    book: Book, *, order: DateOrder, skipped: SkippedRows, reader_notes: Sequence[str], costs: Book | None
) -> Usage:
    """The totals of one upload. Raises UsageError where nothing is left to count, or files cannot be told apart."""
    refuse_without_rows(book, skipped)
    notes = [*reader_notes, *settle_repeats(book, order, skipped)]
    totals = [book.total(figure) for figure in range(WIDTH)]
    input_tokens, output_tokens = totals[INPUT] or 0, totals[OUTPUT] or 0
    if not input_tokens and not output_tokens:
        raise UsageError(say("no usage in this file: every row has 0 tokens."), file=book.parts[0].name)
    for figure, words in _column_words().items():
        blank = book.blank_rows(figure)
        if totals[figure] is None and blank < book.entries - book.dropped:
            notes.append(
                say_count(
                    "The column for {what} is empty in {rows} row: the sum is unknown.",
                    "The column for {what} is empty in {rows} rows: the sum is unknown.",
                    blank,
                    what=words,
                    rows=whole(blank),
                )
            )
    if skipped.damaged:
        notes.append(
            say_count(
                "{damaged} of {rows} row could not be read: their tokens are missing.",
                "{damaged} of {rows} rows could not be read: their tokens are missing.",
                skipped.damaged + book.entries,
                damaged=whole(skipped.damaged),
                rows=whole(skipped.damaged + book.entries),
            )
        )
    if costs is not None:
        files = first_words([part.name for part in costs.parts])
        notes.append(say("The cost check is the total of {files}.", files=files))
    known = span(book, book.parts, order)
    why_no_time = None if known else _why_no_time(book)
    hourly, hourly_reason, hours_covered = _profile(book, known, order, output_tokens, why_no_time, notes)
    mean, mean_reason = _mean_rate(known, output_tokens, why_no_time, notes)
    models = {
        name: ModelTokens(tokens_in, tokens_out, name.casefold().startswith(SELF_HOSTED))
        for name, (tokens_in, tokens_out) in book.models().items()
    }
    own = [name for name, tokens in models.items() if tokens.self_hosted]
    if own:
        notes.append(say("Self-hosted, so tokens to serve without an API bill: {models}.", models=first_words(own)))
    return Usage(
        format_id=book.format.id,
        format_name=say(book.format.name),
        files=tuple(part.name for part in (*book.parts, *(costs.parts if costs is not None else ()))),
        input_tokens=input_tokens,
        cached_input_tokens=totals[CACHED],
        cache_write_tokens=totals[WRITTEN],
        output_tokens=output_tokens,
        requests=totals[REQUESTS],
        reasoning_tokens=totals[REASONING],
        batch_output_tokens=totals[BATCH],
        start=datetime.fromtimestamp(known.start, UTC) if known else None,
        end=datetime.fromtimestamp(known.end, UTC) if known else None,
        bucket=known.kind if known else "snapshot",
        hourly=hourly,
        hourly_reason=hourly_reason,
        hours_covered=hours_covered,
        mean_output_tok_s=mean,
        mean_output_reason=mean_reason,
        by_model=models,
        rows_used=book.entries - book.dropped,
        skipped=skipped.listed(),
        notes=tuple(dict.fromkeys(notes)),
        cross_check_usd=total_usd(book if costs is None else costs),
    )


def _column_words() -> dict[int, str]:
    """What the columns hold that a row may leave blank."""
    return {
        CACHED: say("cached tokens"),
        WRITTEN: say("tokens written to the cache"),
        REQUESTS: say("requests"),
        REASONING: say("reasoning tokens"),
        BATCH: say("whether a row was sent as batch"),
        COST: say("cost"),
    }


def _why_no_time(book: Book) -> str:
    if all(hour.moment is None for hour in book.hours):
        return say("this file has no times")
    return say(
        "every date can be read day first or month first, so the times were not used: write them as 2026-06-05 to get "
        "a rate and a profile"
    )


def refuse_without_rows(book: Book, skipped: SkippedRows) -> None:
    """Raise UsageError where no row could be used, naming the first damage if that is the reason."""
    if book.entries:
        return
    if skipped.first_damage:
        file, row, damage = skipped.first_damage
        reason = f"{damage.reason} (“{damage.example}”)" if damage.example else damage.reason
        raise UsageError(
            say(
                "no row can be read: {reason}. Export the file again, with plain numbers and ISO dates.", reason=reason
            ),
            file=file,
            row=row,
        )
    raise UsageError(say("no usage in this file: it has no row with tokens."), file=book.parts[0].name)


def total_usd(book: Book) -> Decimal | None:
    """The sum of the cost column in US dollars; None where there is none, or not in every row."""
    pico = book.total(COST)
    return None if pico is None else Decimal(f"{Decimal(pico).scaleb(-PICO).normalize():f}")


def _profile(
    book: Book, known: Span | None, order: DateOrder, output_tokens: int, why_no_time: str | None, notes: list[str]
) -> tuple[tuple[float, ...] | None, str | None, int]:
    if known is None:
        return None, why_no_time, 0
    if known.kind == "day":
        return (
            None,
            say(
                "daily buckets: the hours of the tokens are not in this file, so it gives no peak share and no profile"
            ),
            0,
        )
    if not output_tokens:
        return None, say("there are no output tokens"), 0
    by_hour = [
        (start, hour.output_tokens)
        for hour in book.hours
        if hour.moment is not None and (start := order.resolve(hour.moment)) is not None
    ]
    end = max(known.end, max(known.starts) + 1)  # a request at the very start of the last hour belongs to that hour
    profile, covered = week_profile(output_by_hour=by_hour, start=known.start, end=end)
    if covered < HOURS_PER_WEEK:
        notes.append(
            say(
                "The file covers {covered} of the {hours} hours of a week; the profile is empty in the others.",
                covered=covered,
                hours=HOURS_PER_WEEK,
            )
        )
    return profile, None, covered


def _mean_rate(
    known: Span | None, output_tokens: int, why_no_time: str | None, notes: list[str]
) -> tuple[float | None, str | None]:
    if known is None:
        return None, why_no_time
    if known.end <= known.start:
        return None, say("all rows have the same time, so there is no duration")
    idle = empty_days(known)
    if idle:
        notes.append(
            say_count(
                "{days} day between the first and the last without rows: counted as without traffic.",
                "{days} days between the first and the last without rows: counted as without traffic.",
                idle,
                days=whole(idle),
            )
        )
    return output_tokens / (known.end - known.start), None
