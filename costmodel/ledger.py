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
    bears_vat: bool = True
    """Salaries bear none."""

    @property
    def usd(self) -> float:
        return self.quantity * self.usd_per_unit


def total_usd(lines: Iterable[CostLine]) -> float:
    """The sum of a bill's lines, US dollars.

    >>> total_usd([CostLine("GPU rent", 46_080, "GPU-hours", 8.60), CostLine("Storage", 100, "GB-months", 0.06)])
    396294.0
    """
    return sum(line.usd for line in lines)


def comparable_usd(lines: Iterable[CostLine], *, vat_share: float) -> float:
    """A bill in the terms of an API bill, which bears VAT: what the whole costs before VAT if all of it bore VAT.

    Formula: sum of lines that bear VAT + sum of the others / (1 + VAT)
    Assumes: VAT is a cost, and is added to the result once, at the end.
    Source: own arithmetic: 1,000 $ of rent with 21 % and 121 $ of salary without cost as much as 1,100 $ with 21 %.

    >>> rent, salary = CostLine("Rent", 1, "month", 1_000), CostLine("Salary", 1, "month", 121, bears_vat=False)
    >>> comparable_usd([rent, salary], vat_share=0.21)
    1100.0
    """
    return sum(line.usd if line.bears_vat else line.usd / (1 + vat_share) for line in lines)
