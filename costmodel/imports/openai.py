"""OpenAI's completions usage export, in which cached tokens are part of the input."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.formats import Figures, Format, Repeats, Row, Table, check_parts
from costmodel.imports.skipped import whole
from costmodel.imports.times import length
from costmodel.imports.usage import RowDamagedError, RowSkippedError
from costmodel.language import say

DIMENSIONS = ("project_id", "user_id", "api_key_id", "batch", "service_tier")
OTHER_MEDIA = ("input_audio_tokens", "output_audio_tokens", "input_image_tokens", "output_image_tokens")
BARE_HEADER = frozenset({"start_time", "end_time", "start_time_iso", "end_time_iso"})


class UsageReader:
    """Rows of a completions usage export, one per time bucket and group."""

    def __init__(self, table: Table) -> None:
        self.start = table.column("start_time_iso") or table.column("start_time")
        self.end = table.column("end_time_iso") or table.column("end_time")
        self.input = table.need("input_tokens")
        self.output = table.need("output_tokens")
        self.cached = table.column("input_cached_tokens")
        self.fresh = table.column("input_uncached_tokens")
        self.written = table.column("input_cache_write_tokens")
        self.requests = table.column("num_model_requests")
        self.model = table.column("model")
        self.batch = table.column("batch")
        self.media = [column for name in OTHER_MEDIA if (column := table.column(name))]
        self.dimensions = [column for name in DIMENSIONS if (column := table.column(name))]
        self.media_tokens = 0

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One bucket of one group; an empty bucket has no numbers at all."""
        input_tokens, output_tokens = self.input.count(number, cells), self.output.count(number, cells)
        if input_tokens is None and output_tokens is None:
            raise _empty_bucket()
        start = self.start.time(number, cells) if self.start else None
        end = self.end.time(number, cells) if self.end else None
        cached = self.cached.count(number, cells) if self.cached else None
        written = self.written.count(number, cells) if self.written else None
        fresh = self.fresh.count(number, cells) if self.fresh else None
        if None not in (input_tokens, cached, fresh) and (fresh or 0) + (cached or 0) > (input_tokens or 0):
            raise RowDamagedError(say("input_cached_tokens and input_uncached_tokens add up to more than input_tokens"))
        is_batch = self.batch.flag(cells) if self.batch else None
        output = self.output.tokens(number, cells)
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=output,
            requests=self.requests.count(number, cells) if self.requests else None,
            batch_output_tokens=None if is_batch is None else output if is_batch else 0,
        )
        self.media_tokens += sum(column.count(number, cells) or 0 for column in self.media)
        return Row(
            start,
            None if start is None or end is None else length(start, end),
            self.model.text(cells) if self.model else "",
            tuple(column.text(cells) for column in self.dimensions),
            check_parts(figures),
        )

    def notes(self) -> Sequence[str]:
        """How cached, reasoning and other tokens were read."""
        cached = (
            say("Cached tokens (input_cached_tokens) are part of input_tokens: they were not added.")
            if self.cached
            else say("This export has no column for cached tokens: the cached share is unknown, not zero.")
        )
        notes = [cached, say("Reasoning tokens are inside output_tokens; this export does not count them separately.")]
        if self.media_tokens:
            notes.append(say("{tokens} of the tokens are audio or image.", tokens=whole(self.media_tokens)))
        return notes


class EmptyReader:
    """The export of a time without any usage has only its four time columns."""

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """Every row is an empty bucket."""
        raise _empty_bucket()

    def notes(self) -> Sequence[str]:
        """Nothing was read."""
        return ()


def _empty_bucket() -> RowSkippedError:
    return RowSkippedError(say("empty bucket: no usage in that time"))


def _open(table: Table) -> UsageReader | EmptyReader:
    return EmptyReader() if set(table.header.names) == BARE_HEADER else UsageReader(table)


FORMATS = (
    Format(
        id="openai-usage",
        name="OpenAI completions usage export",
        vendor="OpenAI",
        repeats=Repeats.ONE_BUCKET,
        headers=tuple(
            frozenset({"input_tokens", "output_tokens", own}) for own in ("num_model_requests", "input_cached_tokens")
        ),
        open=_open,
    ),
)

EMPTY_EXPORTS = (
    Format(
        id="openai-usage",
        name="OpenAI completions usage export",
        vendor="OpenAI",
        repeats=Repeats.ONE_BUCKET,
        headers=(BARE_HEADER,),
        open=_open,
    ),
)
