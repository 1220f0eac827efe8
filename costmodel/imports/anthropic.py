"""Anthropic's usage export, in which fresh, cached and written input are columns of their own: they are added."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.formats import Column, Figures, Format, Repeats, Row, Table
from costmodel.imports.times import SECONDS_PER_DAY
from costmodel.imports.usage import UsageError
from costmodel.language import say

FRESH = "usage_input_tokens_no_cache"
READ = "usage_input_tokens_cache_read"
WRITE_PREFIX = "usage_input_tokens_cache_write_"
INPUT_PREFIX = "usage_input_tokens_"
DIMENSIONS = ("api_key", "workspace", "usage_type", "context_window", "inference_geo", "speed")


class UsageReader:
    """Rows of a usage export, one per day and group."""

    def __init__(self, table: Table) -> None:
        self.start = table.need("usage_date_utc")
        self.fresh = table.need(FRESH)
        self.output = table.need("usage_output_tokens")
        self.cached = table.column(READ)
        names = table.header.names
        self.written = [table.need(name) for name in names if name.startswith(WRITE_PREFIX)]
        unknown = [
            name
            for name in names
            if name.startswith(INPUT_PREFIX) and name not in {FRESH, READ} and not name.startswith(WRITE_PREFIX)
        ]
        if unknown:
            raise UsageError(
                say(
                    "the column “{column}” is not known, so the input cannot be added up. Remove it if it is part of "
                    "another column.",
                    column=unknown[0],
                ),
                file=table.file,
            )
        self.model = table.column("model_version") or table.column("model")
        self.usage_type = table.column("usage_type")
        self.dimensions = [column for name in DIMENSIONS if (column := table.column(name))]

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One day of one group."""
        output_tokens = self.output.tokens(number, cells)
        cached = self.cached.tokens(number, cells) if self.cached else None
        written = sum(column.tokens(number, cells) for column in self.written) if self.written else None
        batch = self._batch(self.usage_type, cells, output_tokens)
        figures = Figures(
            input_tokens=self.fresh.tokens(number, cells) + (cached or 0) + (written or 0),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=output_tokens,
            batch_output_tokens=batch,
        )
        start = self.start.time(number, cells)
        identity = tuple(column.text(cells) for column in self.dimensions)
        return Row(start, SECONDS_PER_DAY, self.model.text(cells) if self.model else "", identity, figures)

    def notes(self) -> Sequence[str]:
        """How the input columns were read."""
        notes = [
            say("Input is the sum of the no_cache, cache_write and cache_read columns, which do not overlap."),
            say(
                "Reasoning (thinking) tokens are inside usage_output_tokens; this export does not count them "
                "separately."
            ),
        ]
        if not self.cached and not self.written:
            notes.append(
                say(
                    "This export has no column for tokens read from or written to the cache: they are unknown, not "
                    "zero, and missing from the input."
                )
            )
        elif not self.cached:
            notes.append(
                say(
                    "This export has no column for tokens read from the cache: they are unknown, not zero, and missing "
                    "from the input."
                )
            )
        elif not self.written:
            notes.append(
                say(
                    "This export has no column for tokens written to the cache: they are unknown, not zero, and "
                    "missing from the input."
                )
            )
        return notes

    @staticmethod
    def _batch(usage_type: Column | None, cells: Sequence[str], output_tokens: int) -> int | None:
        kind = usage_type.text(cells).casefold() if usage_type else ""
        return None if not kind else output_tokens if kind == "batch" else 0


FORMATS = (
    Format(
        id="anthropic-usage",
        name="Anthropic usage export",
        vendor="Anthropic",
        repeats=Repeats.ONE_BUCKET,
        headers=(frozenset({"usage_date_utc", FRESH, "usage_output_tokens"}),),
        open=UsageReader,
        times_are_utc=True,
    ),
)
