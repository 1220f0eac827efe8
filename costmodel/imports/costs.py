"""Cost exports: they hold money and no tokens, so they can check a bill but not give a token mix."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from costmodel.imports.formats import Figures, Format, Reader, Repeats, Row, Table
from costmodel.imports.usage import RowDamagedError, RowSkippedError
from costmodel.language import say
from costmodel.units import CENTS_PER_DOLLAR


class CostReader:
    """Rows of one cost export: an amount, perhaps its currency, and whose it is."""

    def __init__(
        self,
        table: Table,
        *,
        amount: str,
        currency: str | None,
        starts: Sequence[str],
        dimensions: Sequence[str],
        amounts_per_usd: int,
    ) -> None:
        self.amount = table.need(amount)
        self.currency = table.need(currency) if currency else None
        self.start = next((column for name in starts if (column := table.column(name))), None)
        self.dimensions = [column for name in dimensions if (column := table.column(name))]
        self.amounts_per_usd = amounts_per_usd

    def read(self, number: int, cells: Sequence[str]) -> Row:
        """One amount in dollars. Amounts in other currencies are skipped, never converted."""
        if not self.amount.text(cells):
            raise RowSkippedError(say("empty bucket: no amount in that time"))
        if self.currency and self.currency.text(cells).casefold() != "usd":
            raise RowSkippedError(say("an amount that is not in US dollars"))
        cost_pico = self.amount.amount(cells)
        if cost_pico is None:
            raise RowDamagedError(say("{column} is not an amount", column=self.amount.name), self.amount.text(cells))
        start = self.start.time(number, cells) if self.start else None
        identity = tuple(column.text(cells) for column in self.dimensions)
        return Row(start, 0, "", identity, Figures(cost_pico=cost_pico // self.amounts_per_usd))

    def notes(self) -> Sequence[str]:
        """The total speaks for itself."""
        return ()


def _opener(
    amount: str,
    currency: str | None,
    starts: Sequence[str],
    dimensions: Sequence[str],
    *,
    amounts_per_usd: int = 1,
) -> Callable[[Table], Reader]:
    return lambda table: CostReader(
        table,
        amount=amount,
        currency=currency,
        starts=starts,
        dimensions=dimensions,
        amounts_per_usd=amounts_per_usd,
    )


FORMATS = (
    Format(
        id="openai-costs",
        name="OpenAI costs export",
        vendor="OpenAI",
        repeats=Repeats.ADD_UP,
        headers=(frozenset({"amount_value", "amount_currency"}),),
        open=_opener(
            "amount_value",
            "amount_currency",
            ("start_time_iso", "start_time"),
            ("project_id", "line_item", "organization_id"),
        ),
        cost_only=True,
    ),
    Format(
        id="anthropic-cost",
        name="Anthropic cost export",
        vendor="Anthropic",
        repeats=Repeats.ADD_UP,
        headers=(frozenset({"usage_date_utc", "cost_usd"}),),
        open=_opener(
            "cost_usd",
            None,
            ("usage_date_utc",),
            (
                "model",
                "workspace",
                "api_key",
                "usage_type",
                "context_window",
                "token_type",
                "cost_type",
                "inference_geo",
                "speed",
            ),
        ),
        cost_only=True,
        times_are_utc=True,
    ),
    Format(
        id="anthropic-cost-api",
        name="table of Anthropic's cost API",
        vendor="Anthropic",
        repeats=Repeats.ADD_UP,
        headers=(frozenset({"starting_at", "amount", "currency", "cost_type"}),),
        open=_opener(
            "amount",
            "currency",
            ("starting_at",),
            (
                "workspace_id",
                "description",
                "model",
                "cost_type",
                "token_type",
                "service_tier",
                "context_window",
                "inference_geo",
            ),
            # Its currency is USD, its amounts are in the lowest unit of it.
            amounts_per_usd=CENTS_PER_DOLLAR,
        ),
        cost_only=True,
        times_are_utc=True,
    ),
    Format(
        id="deepseek-cost",
        name="DeepSeek cost export",
        vendor="DeepSeek",
        repeats=Repeats.ADD_UP,
        headers=(frozenset({"cost", "currency", "wallet_type"}),),
        open=_opener("cost", "currency", ("start_time_iso", "utc_date"), ("user_id", "model", "wallet_type")),
        cost_only=True,
    ),
)
