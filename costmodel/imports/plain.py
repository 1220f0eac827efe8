"""A table of one's own making, with a documented header."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.formats import Figures, Format, Repeats, Row, Table, check_parts
from costmodel.imports.skipped import first_words
from costmodel.imports.usage import UsageError
from costmodel.language import say

HEADER = "timestamp,model,input_tokens,cached_input_tokens,output_tokens,requests"
VENDOR = "plain"
OPTIONAL = ("cache_write_tokens", "reasoning_tokens", "cost_usd", "request_id", "key")
KNOWN = frozenset({*HEADER.split(","), *OPTIONAL})


class PlainReader:
    """Rows of a plain table: one per request, hour or day, as its timestamps show."""

    def __init__(self, table: Table) -> None:
        unknown = [name for name in table.header.names if name not in KNOWN]
        doubtful = [name for name in unknown if "token" in name or "cache" in name]
        if doubtful:
            raise UsageError(
                say(
                    "the column “{column}” is not in the plain header, so it is open whether it is part of the input. "
                    "Known columns: {columns}; remove the others.",
                    column=doubtful[0],
                    columns=",".join((HEADER, *OPTIONAL)),
                ),
                file=table.file,
            )
        self.ignored = [name for name in unknown if name]
        self.input = table.need("input_tokens")
        self.output = table.need("output_tokens")
        self.start = table.column("timestamp")
        self.model = table.column("model")
        self.cached = table.column("cached_input_tokens")
        self.written = table.column("cache_write_tokens")
        self.reasoning = table.column("reasoning_tokens")
        self.requests = table.column("requests")
        self.cost = table.column("cost_usd")
        self.id = table.column("request_id")
        self.key = table.column("key")

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One row of whatever length."""
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            cached_input_tokens=self.cached.count(number, cells) if self.cached else None,
            cache_write_tokens=self.written.count(number, cells) if self.written else None,
            output_tokens=self.output.tokens(number, cells),
            requests=self.requests.count(number, cells) if self.requests else 1 if self.id else None,
            reasoning_tokens=self.reasoning.count(number, cells) if self.reasoning else None,
            cost_pico=self.cost.amount(cells) if self.cost else None,
        )
        start = self.start.time(number, cells) if self.start else None
        identity = (self.id.text(cells),) if self.id else (self.key.text(cells),) if self.key else ()
        return Row(start, None, self.model.text(cells) if self.model else "", identity, check_parts(figures))

    def notes(self) -> Sequence[str]:
        """How the columns were read."""
        notes = [
            say("Cached tokens (cached_input_tokens) are part of input_tokens: they were not added.")
            if self.cached
            else say("This file has no column for cached tokens: the cached share is unknown, not zero."),
            say("Reasoning tokens are part of output_tokens: they were not added."),
        ]
        if self.ignored:
            notes.append(say("Columns that were not read: {columns}.", columns=first_words(self.ignored)))
        return notes


FORMATS = (
    Format(
        id="plain-requests",
        name="plain table with request ids",
        vendor=VENDOR,
        repeats=Repeats.LAST_WINS,
        headers=(frozenset({"input_tokens", "output_tokens", "request_id"}),),
        open=PlainReader,
    ),
    Format(
        id="plain",
        name="plain table",
        vendor=VENDOR,
        repeats=Repeats.ADD_UP,
        headers=(frozenset({"input_tokens", "output_tokens"}),),
        open=PlainReader,
    ),
)
