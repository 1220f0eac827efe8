"""OpenRouter's activity exports: one row per generation, or one per day and model."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.formats import Figures, Format, Repeats, Row, Table, check_parts
from costmodel.imports.numbers import PICO
from costmodel.imports.skipped import whole
from costmodel.imports.times import SECONDS_PER_DAY
from costmodel.language import number_text, say, say_count


class GenerationReader:
    """Rows of the activity export with one generation each."""

    def __init__(self, table: Table) -> None:
        self.id = table.need("generation_id")
        self.start = table.need("created_at")
        self.input = table.need("tokens_prompt")
        self.output = table.need("tokens_completion")
        self.cached = table.column("tokens_cached")
        self.reasoning = table.column("tokens_reasoning")
        self.cost = table.column("cost_total")
        self.own_key_cost = table.column("byok_usage_inference")
        self.model = table.column("model_permaslug")
        self.cancelled_flag = table.column("cancelled")
        self.cancelled = 0
        self.own_key_pico = 0

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One generation; a cancelled one has the tokens it got to."""
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            cached_input_tokens=self.cached.count(number, cells) if self.cached else None,
            output_tokens=self.output.tokens(number, cells),
            requests=1,
            reasoning_tokens=self.reasoning.count(number, cells) if self.reasoning else None,
            cost_pico=self.cost.amount(cells) if self.cost else None,
        )
        start = self.start.time(number, cells)
        row = Row(start, 0, self.model.text(cells) if self.model else "", (self.id.text(cells),), check_parts(figures))
        if self.cancelled_flag and self.cancelled_flag.flag(cells):
            self.cancelled += 1
        if self.own_key_cost:
            self.own_key_pico += self.own_key_cost.amount(cells) or 0
        return row

    def notes(self) -> Sequence[str]:
        """How the token columns were read, and what the cost leaves out."""
        notes = [
            say("Cached tokens (tokens_cached) are part of tokens_prompt: they were not added.")
            if self.cached
            else say("This export has no column for cached tokens: the cached share is unknown, not zero."),
            say("Reasoning tokens are inside the completion tokens: they were not added."),
        ]
        if self.cancelled:
            notes.append(
                say_count(
                    "{requests} cancelled request: tokens from before the cancellation are counted.",
                    "{requests} cancelled requests: tokens from before the cancellation are counted.",
                    self.cancelled,
                    requests=whole(self.cancelled),
                )
            )
        return notes + own_key_note(self.own_key_pico)


class DailyReader:
    """Rows of the activity export with one day and model each."""

    def __init__(self, table: Table) -> None:
        self.start = table.need("date")
        self.model = table.need("slug")
        self.input = table.need("prompt tokens")
        self.output = table.need("completion tokens")
        self.reasoning = table.column("reasoning tokens")
        self.requests = table.column("requests")
        self.cost = table.column("usage")
        self.own_key_cost = table.column("byok usage")
        self.own_key_pico = 0

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One day of one model."""
        figures = Figures(
            input_tokens=self.input.tokens(number, cells),
            output_tokens=self.output.tokens(number, cells),
            requests=self.requests.count(number, cells) if self.requests else None,
            reasoning_tokens=self.reasoning.count(number, cells) if self.reasoning else None,
            cost_pico=self.cost.amount(cells) if self.cost else None,
        )
        row = Row(self.start.time(number, cells), SECONDS_PER_DAY, self.model.text(cells), (), check_parts(figures))
        if self.own_key_cost:
            self.own_key_pico += self.own_key_cost.amount(cells) or 0
        return row

    def notes(self) -> Sequence[str]:
        """How the token columns were read, and what is not there."""
        return [
            say("This export has no column for cached tokens: the cached share is unknown, not zero."),
            say("Reasoning tokens are inside the completion tokens: they were not added."),
            *own_key_note(self.own_key_pico),
        ]


def own_key_note(pico: int) -> list[str]:
    """What was paid to other providers with the reader's own keys, where anything was.

    >>> own_key_note(21 * 10**9)[0][:34]
    'Besides, 0.021 $ of usage went to '
    """
    if not pico:
        return []
    dollars = f"{pico / 10**PICO:.6f}".rstrip("0").rstrip(".")
    return [
        say(
            "Besides, {usd} $ of usage went to providers through own keys (BYOK); the cost check leaves it out.",
            usd=number_text(dollars),
        )
    ]


FORMATS = (
    Format(
        id="openrouter-generations",
        name="OpenRouter activity, one row per generation",
        vendor="OpenRouter",
        repeats=Repeats.LAST_WINS,
        headers=(frozenset({"generation_id", "created_at", "tokens_prompt", "tokens_completion"}),),
        open=GenerationReader,
    ),
    Format(
        id="openrouter-daily",
        name="OpenRouter activity, one row per day",
        vendor="OpenRouter",
        repeats=Repeats.ONE_BUCKET,
        headers=(frozenset({"date", "slug", "prompt tokens", "completion tokens"}),),
        open=DailyReader,
    ),
)
