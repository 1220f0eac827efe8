"""LiteLLM's spend logs (one row per request) and daily exports (one row per day and team, perhaps per model)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from costmodel.imports.formats import Figures, Format, Repeats, Row, Table, check_parts
from costmodel.imports.numbers import LONGEST_COUNT
from costmodel.imports.skipped import whole
from costmodel.imports.times import SECONDS_PER_DAY, length
from costmodel.imports.usage import RowDamagedError, RowSkippedError
from costmodel.language import say, say_count

TAG_COLUMN = "tag"
METADATA = json.JSONDecoder(parse_int=str)


class SpendLogReader:
    """Rows of the spend logs. Answers from LiteLLM's own cache and failed requests used no tokens upstream."""

    def __init__(self, table: Table) -> None:
        self.id = table.need("request_id")
        self.start = table.need("starttime")
        self.end = table.column("endtime")
        self.input = table.need("prompt_tokens")
        self.output = table.need("completion_tokens")
        self.spend = table.column("spend")
        self.model = table.column("model")
        self.status = table.column("status")
        self.cache_hit = table.column("cache_hit")
        self.metadata = table.column("metadata")
        self.details_seen = False
        self.without_details = 0

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One billable request."""
        if self.cache_hit and self.cache_hit.flag(cells):
            raise RowSkippedError(say("answered from LiteLLM's own cache: no tokens upstream"))
        if self.status and self.status.text(cells).casefold() == "failure":
            raise RowSkippedError(say("a failed request"))
        start = self.start.time(number, cells)
        ended = self.end is not None and self.end.text(cells) != ""
        cached, written, reasoning = self._details(cells)
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=self.output.tokens(number, cells),
            requests=1,
            reasoning_tokens=reasoning,
            cost_pico=self.spend.amount(cells) if self.spend else None,
        )
        check_parts(figures)
        self.details_seen |= cached is not None
        self.without_details += cached is None
        seconds = length(start, self.end.time(number, cells)) if self.end and ended else 0
        return Row(start, seconds, self.model.text(cells) if self.model else "", (self.id.text(cells),), figures)

    def notes(self) -> Sequence[str]:
        """How the tokens and their details were read."""
        notes = [say("Reasoning tokens are inside completion_tokens: they were not added.")]
        if not self.details_seen:
            notes.append(say("No row says how many of its tokens were cached: the cached share is unknown, not zero."))
            return notes
        notes.append(say("Cached tokens (from the metadata) are part of prompt_tokens: they were not added."))
        if self.without_details:
            notes.append(
                say_count(
                    "{rows} row without a word on cached tokens, counted as not cached: the cached share is a lower "
                    "bound.",
                    "{rows} rows without a word on cached tokens, counted as not cached: the cached share is a lower "
                    "bound.",
                    self.without_details,
                    rows=whole(self.without_details),
                )
            )
        return notes

    def _details(self, cells: Sequence[str]) -> tuple[int | None, int | None, int | None]:
        """Cached, written and reasoning tokens from the metadata, in OpenAI's or Anthropic's words."""
        text = self.metadata.text(cells) if self.metadata else ""
        if text in {"", "{}"}:
            return None, None, None
        try:
            metadata = METADATA.decode(text)
        except (ValueError, RecursionError):
            return None, None, None
        usage = _section(metadata, "additional_usage_values") or _section(metadata, "usage_object")
        prompt = _section(usage, "prompt_tokens_details")
        cached = _first_count(prompt.get("cached_tokens"), usage.get("cache_read_input_tokens"))
        written = _first_count(usage.get("cache_creation_input_tokens"), prompt.get("cache_creation_tokens"))
        reasoning = _first_count(_section(usage, "completion_tokens_details").get("reasoning_tokens"))
        return cached, written, reasoning


class DailyReader:
    """Rows of the daily export: prompt and completion tokens per day and team, tag or organization."""

    def __init__(self, table: Table) -> None:
        self.start = table.need("date")
        self.input = table.need("prompt tokens")
        self.output = table.need("completion tokens")
        self.spend = table.column("spend ($)")
        self.requests = table.column("successful requests") or table.column("successful") or table.column("requests")
        self.model = table.column("model")
        self.entity, self.is_tag = _entity(table)

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One day of one team."""
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            output_tokens=self.output.tokens(number, cells),
            requests=self.requests.count(number, cells) if self.requests else None,
            cost_pico=self.spend.amount(cells) if self.spend else None,
        )
        identity = tuple(cells[position].strip() for position in self.entity)
        model = self.model.text(cells) if self.model else ""
        return Row(self.start.time(number, cells), SECONDS_PER_DAY, model, identity, figures)

    def notes(self) -> Sequence[str]:
        """What the export does not hold."""
        notes = [
            say("This export has no column for cached tokens: the cached share is unknown, not zero."),
            say("Reasoning tokens are inside the completion tokens; this export does not count them separately."),
            say("Requests are the successful ones."),
        ]
        if self.is_tag:
            notes.append(say("A request with several tags is in this export once per tag: the totals may be too high."))
        return notes


class SpendByModelReader:
    """Rows of the daily export with models: total tokens only, so there is no input and output in it."""

    def __init__(self, table: Table) -> None:
        self.start = table.need("date")
        self.model = table.need("model")
        self.spend = table.need("spend ($)")
        self.total = table.need("total tokens")
        self.entity, _ = _entity(table)

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """The spend of one model on one day."""
        figures = Figures(output_tokens=self.total.tokens(number, cells), cost_pico=self.spend.amount(cells))
        identity = tuple(cells[position].strip() for position in self.entity)
        return Row(self.start.time(number, cells), SECONDS_PER_DAY, self.model.text(cells), identity, figures)

    def notes(self) -> Sequence[str]:
        """Why this export cannot be used."""
        return [
            say(
                "Total tokens are not split into input and output here; LiteLLM's daily export without models has both."
            )
        ]


def _entity(table: Table) -> tuple[list[int], bool]:
    """Positions of the columns that say whose a row is (Team, Team ID, Tag, ...), and whether that is a tag."""
    names = table.header.names
    labels = [name.removesuffix(" id") for name in names if name.endswith(" id")]
    positions = [index for index, name in enumerate(names) if name.removesuffix(" id") in labels]
    return positions, TAG_COLUMN in labels


def _section(record: Any, key: str) -> Mapping[str, Any]:
    value = record.get(key) if isinstance(record, dict) else None
    return value if isinstance(value, dict) else {}


def _first_count(*values: Any) -> int | None:
    """The first value that is there, as a count. Numbers arrive as text, so that 10^9999 is no surprise."""
    for value in values:
        if value is None:
            continue
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST_COUNT):
            raise RowDamagedError(say("metadata holds a token count that is no whole number"), str(value))
        return int(value)
    return None


FORMATS = (
    Format(
        id="litellm-spend-logs",
        name="LiteLLM spend logs",
        vendor="LiteLLM",
        repeats=Repeats.LAST_WINS,
        headers=(frozenset({"request_id", "starttime", "prompt_tokens", "completion_tokens"}),),
        open=SpendLogReader,
        blank_is_zero=True,
    ),
    Format(
        id="litellm-daily",
        name="LiteLLM daily usage export",
        vendor="LiteLLM",
        repeats=Repeats.ONE_PER_DAY,
        headers=(frozenset({"date", "spend ($)", "prompt tokens", "completion tokens"}),),
        open=DailyReader,
        times_are_utc=True,
    ),
    Format(
        id="litellm-daily-models",
        name="LiteLLM daily usage export with models",
        vendor="LiteLLM",
        repeats=Repeats.ONE_PER_DAY,
        headers=(frozenset({"date", "spend ($)", "model", "total tokens"}),),
        open=SpendByModelReader,
        times_are_utc=True,
        cost_only=True,
    ),
)
