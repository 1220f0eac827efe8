"""DeepSeek's amount export: one row per time, key and type of token; hits and misses add up to the input."""

from __future__ import annotations

from collections.abc import Sequence

from costmodel.imports.formats import Figures, Format, Repeats, Row, Table
from costmodel.imports.numbers import LARGEST_PICO, PICO
from costmodel.imports.times import SECONDS_PER_DAY, length
from costmodel.imports.usage import RowDamagedError, RowSkippedError
from costmodel.language import say

DIMENSIONS = ("user_id", "api_key_name", "api_key", "type", "price")
DEAREST_TOKEN_PICO = 10 ** (PICO - 3)  # a thousandth of a dollar for one token: a larger price is per million


class AmountReader:
    """Rows of an amount export; each holds one of requests, cache hits, cache misses and output."""

    def __init__(self, table: Table) -> None:
        self.start = table.column("start_time_iso") or table.need("utc_date")
        self.end = table.column("end_time_iso")
        self.model = table.need("model")
        self.type = table.need("type")
        self.amount = table.need("amount")
        self.price = table.column("price")
        self.dimensions = [column for name in DIMENSIONS if (column := table.column(name))]

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One amount of one type. Hits and misses are a partition of the input."""
        kind = self.type.text(cells).casefold()
        amount = self.amount.tokens(number, cells)
        figures = Figures(
            input_tokens=0,
            cached_input_tokens=0,
            output_tokens=0,
            requests=0,
            cost_pico=0 if kind == "request_count" else self._cost(amount, cells),
        )
        match kind:
            case "request_count":
                figures = figures._replace(requests=amount)
            case "input_cache_hit_tokens":
                figures = figures._replace(input_tokens=amount, cached_input_tokens=amount)
            case "input_cache_miss_tokens":
                figures = figures._replace(input_tokens=amount)
            case "output_tokens":
                figures = figures._replace(output_tokens=amount)
            case "total_token" | "total_tokens":
                raise RowSkippedError(say("a total of the other types"))
            case _:
                raise RowDamagedError(say("an unknown type of token"), kind)
        start = self.start.time(number, cells)
        seconds = length(start, self.end.time(number, cells)) if self.end else SECONDS_PER_DAY
        identity = tuple(column.text(cells) for column in self.dimensions)
        return Row(start, seconds, self.model.text(cells), identity, figures)

    def notes(self) -> Sequence[str]:
        """How the types were read, and what the price column is."""
        notes = [
            say("Input is cache hits plus cache misses; hits are the cached tokens. Request counts are no tokens."),
            say("Reasoning tokens are inside output_tokens; this export does not count them separately."),
        ]
        if self.price:
            notes.append(
                say("The price column names no currency: amount times price is in dollars only if the account is.")
            )
        return notes

    def _cost(self, amount: int, cells: Sequence[str]) -> int | None:
        price_pico = self.price.amount(cells) if self.price else None
        if price_pico is None or price_pico >= DEAREST_TOKEN_PICO:
            return None
        return price_pico * amount if price_pico * amount < LARGEST_PICO else None


FORMATS = (
    Format(
        id="deepseek-amount",
        name="DeepSeek amount export",
        vendor="DeepSeek",
        repeats=Repeats.ONE_BUCKET,
        headers=tuple(frozenset({"type", "amount", "model", time}) for time in ("start_time_iso", "utc_date")),
        open=AmountReader,
    ),
)
