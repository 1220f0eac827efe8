"""A cost is a list of lines; a bill is a tuple of lines and its total is their sum."""

from collections.abc import Iterable
from dataclasses import dataclass

from costmodel.dated import Dated


@dataclass(frozen=True)
class CostLine:
    """One line of a bill: how much of what, at which price, known from where."""

    name: str
    quantity: float
    unit: str
    usd_per_unit: float
    sources: tuple[Dated, ...] = ()
    """Entries of the catalogue the price rests on; empty where the reader typed the price."""

    @property
    def usd(self) -> float:
        return self.quantity * self.usd_per_unit


def total_usd(lines: Iterable[CostLine]) -> float:
    """The sum of a bill's lines, US dollars.

    >>> total_usd([CostLine("GPU rent", 46_080, "GPU-hours", 8.60), CostLine("Storage", 100, "GB-months", 0.06)])
    396294.0
    """
    return sum(line.usd for line in lines)
