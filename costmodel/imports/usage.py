"""What a usage file yields: totals, the profile of the week, and every doubt about them. Nothing of the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from costmodel.language import say

LONGEST_EXAMPLE = 40  # characters of a damaged cell shown in a message
Bucket = Literal["request", "hour", "day", "snapshot"]


@dataclass(frozen=True, kw_only=True)
class ImportLimits:
    """How much one upload may hold, over all of its files together (bytes; rows below the headers)."""

    max_bytes: int
    max_rows: int


class UsageError(ValueError):
    """An upload that cannot be used. The message names the file, the row where there is one, and the remedy.

    `cost_usd` is the total of a cost export (US dollars), which holds no tokens but can check a bill.
    """

    def __init__(
        self, message: str, *, file: str | None = None, row: int | None = None, cost_usd: Decimal | None = None
    ) -> None:
        place = file if row is None else say("{file}, row {row}", file=file, row=row)
        super().__init__(message if place is None else f"{place}: {message}")
        self.file = file
        self.row = row
        self.cost_usd = cost_usd


class RowSkippedError(Exception):
    """A row that carries no usage, for a reason that is no fault (an empty bucket, a failed request)."""

    def __init__(self, reason: str, example: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.example = example[:LONGEST_EXAMPLE]


class RowDamagedError(RowSkippedError):
    """A row that cannot be read, so that its tokens are missing from the totals."""


@dataclass(frozen=True)
class Skipped:
    """Rows left out for one reason: how many, and the first of them (1 is the first row below the header)."""

    reason: str
    count: int
    first_rows: tuple[int, ...]
    file: str


class ModelTokens(NamedTuple):
    """The tokens of one model. A self-hosted model has tokens to serve, but no API bill."""

    input_tokens: int
    output_tokens: int
    self_hosted: bool


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one upload. None means "not in this file", never zero; `notes` says how each column was read.

    `input_tokens` includes `cached_input_tokens` and `cache_write_tokens`; `output_tokens` includes `reasoning_tokens`
    and `batch_output_tokens`, whatever the convention of the file. `hourly` holds the mean output tokens of each hour
    of the week from Monday 00:00 UTC on; hours outside the file's time are 0 and `hours_covered` counts the others.
    `bucket` is what one row stands for: a request, an hour, a day or longer, or a snapshot (a total without times).
    """

    format_id: str
    format_name: str
    files: tuple[str, ...]
    input_tokens: int
    cached_input_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int
    requests: int | None
    reasoning_tokens: int | None
    batch_output_tokens: int | None
    start: datetime | None
    end: datetime | None
    bucket: Bucket
    hourly: tuple[float, ...] | None
    hourly_reason: str | None
    hours_covered: int
    mean_output_tok_s: float | None
    mean_output_reason: str | None
    by_model: Mapping[str, ModelTokens]
    rows_used: int
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    cross_check_usd: Decimal | None

    @property
    def input_per_output(self) -> float | None:
        """Input tokens per output token; None without output."""
        return share(self.input_tokens, self.output_tokens)

    @property
    def cached_share(self) -> float | None:
        """Cached input / all input (0 to 1); None where the file does not say."""
        return share(self.cached_input_tokens, self.input_tokens)

    @property
    def cache_write_share(self) -> float | None:
        """Input written to the cache / all input (0 to 1); None where the file does not say."""
        return share(self.cache_write_tokens, self.input_tokens)

    @property
    def batch_share(self) -> float | None:
        """Output sent as batch / all output (0 to 1); None where the file does not say."""
        return share(self.batch_output_tokens, self.output_tokens)


def share(part: int | None, whole: int) -> float | None:
    """`part` of `whole`, or None where either is missing.

    Formula: part / whole
    >>> share(830_000, 1_010_000), share(None, 5), share(0, 0)
    (0.8217821782178217, None, None)
    """
    return None if part is None or not whole else part / whole
