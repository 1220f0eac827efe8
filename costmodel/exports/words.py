"""The words of an export: plain text in the reader's language, made by whoever shows the answer."""

from collections.abc import Callable
from dataclasses import dataclass

from costmodel.dated import Dated
from costmodel.ledger import CostLine


@dataclass(frozen=True)
class Figure:
    """One of the figures that answer: what it is, the figure, and what it is of."""

    label: str
    value: str
    below: str


@dataclass(frozen=True)
class Labels:
    """Headings, axis titles and column names."""

    own: str
    reader: str
    """What marks the scenario's own point in the chart."""
    break_even: str
    chart: str
    utilization_axis: str
    assumptions: str
    compared: str
    """Heading of the table of all prices."""
    price: str
    month: str
    own_bill: str
    api_bill: str
    """Heading of one API's bill; `{name}` stands for the API."""
    total: str
    good_to_know: str
    sources: str
    link: str
    not_reachable: str
    api_is_free: str
    unknown: str
    """Stands where an API has no price on the day."""
    more: str
    """Closes a list that was cut; `{count}` stands for how many are missing."""
    unprintable: str
    """Names characters that no font of the export has: `{characters}` stands for them, `{mark}` for what is shown."""


@dataclass(frozen=True)
class Words:
    """Every sentence an export shows. No markup, whatever the reader typed."""

    title: str
    scenario: str
    """The scenario in one line."""
    verdict: str
    second_look: str | None
    figures: tuple[Figure, ...]
    assumptions: tuple[tuple[str, str], ...]
    """What the answer rests on, as label and value."""
    notes: tuple[str, ...]
    """What must stand beside the figures wherever they go: date of the prices, currency, what is left out."""
    good_to_know: tuple[str, ...]
    per: str
    """What a price is per."""
    currency: str
    """Its three-letter code."""
    amount: Callable[[float], str]
    """US dollars before tax as an amount of the scenario's currency, short."""
    exact: Callable[[float], str]
    """The same as a bill writes it."""
    line_name: Callable[[CostLine], str]
    line: Callable[[CostLine], str]
    """The amount of a bill's line, with VAT where it bears any."""
    source: Callable[[Dated], str]
    """Where and when an entry of the catalogue was read, and how it is known."""
    labels: Labels
