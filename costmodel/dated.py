"""Values that change on a day: every figure carries its date, its basis and its source."""

from collections.abc import Sequence
from datetime import date
from typing import Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator

from costmodel.language import say

Basis = Literal["published", "reported", "quoted", "measured", "modelled", "assumed"]


class Record(BaseModel):
    """A frozen record of prices/: unknown keys are errors; the words below each attribute become editor tooltips."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Source(Record):
    """Where a figure was read, and on which day."""

    # Most other records hold one: built once, they share it.
    model_config = ConfigDict(defer_build=False)

    url: str | None = None
    """Address of the page that states the figure."""
    document: str | None = None
    """Title of the document, where there is no address or the address alone says too little."""
    seen: date
    """The day on which the figure was read there."""
    via: str | None = None
    """Who passed it on, if it was not read at the source itself."""

    @model_validator(mode="after")
    def _names_a_place(self) -> Self:
        if not (self.url or self.document):
            raise ValueError("a source needs a url or a document: say where the figure was read")
        return self

    @property
    def label(self) -> str:
        """One line that names the source, who passed it on, and the day it was read."""
        place = self.document or self.url or ""
        via = f", via {self.via}" if self.via else ""
        return f"{place}{via} (read {self.seen.isoformat()})"


class Dated(Record):
    """One entry of a history: what holds from a day on, and how we know. Subclasses add the value itself."""

    since: date
    """First day on which the value holds, on the vendor's own clock."""
    basis: Basis
    """How the figure is known: published | reported | quoted | measured | modelled | assumed."""
    source: Source
    """Where and when it was read."""
    note: str | None = None
    """What a reader should know about this figure."""


DatedEntry = TypeVar("DatedEntry", bound=Dated)


class NotInForceError(LookupError):
    """No entry of a history holds on the day asked for; the message names the figure and the first known day."""


def in_force(history: Sequence[DatedEntry], *, on: date, what: str) -> DatedEntry:
    """The entry that holds on a day: the newest whose `since` is not after it.

    Raises NotInForceError before the first entry: the oldest known value is never used for an earlier day.
    """
    holding = [entry for entry in history if entry.since <= on]
    if holding:
        return max(holding, key=lambda entry: entry.since)
    if not history:
        raise NotInForceError(say("{what}: no figure is known", what=what))
    first = min(entry.since for entry in history)
    raise NotInForceError(
        say(
            "{what}: no figure is known for {day}, the first is of {first}",
            what=what,
            day=on.isoformat(),
            first=first.isoformat(),
        )
    )
