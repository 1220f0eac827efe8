"""A stand-in for the package genai-prices: of the same shape, and small enough to reckon with."""

from collections.abc import Mapping
from copy import copy
from datetime import date, datetime, time
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from costmodel.pricefiles.pricelist import PriceList

KEYS = {"input": "input_mtok", "cached": "cache_read_mtok", "write": "cache_write_mtok", "output": "output_mtok"}


def usd(**prices: str | tuple[str, int, str]) -> SimpleNamespace:
    """Prices by kind; (base, threshold, price above it) for a step."""
    return SimpleNamespace(
        **{
            KEYS[kind]: Decimal(price)
            if isinstance(price, str)
            else SimpleNamespace(
                base=Decimal(price[0]), tiers=[SimpleNamespace(start=price[1], price=Decimal(price[2]))]
            )
            for kind, price in prices.items()
        }
    )


def starting(day: str) -> SimpleNamespace:
    start = date.fromisoformat(day)
    return SimpleNamespace(start_date=start, active=lambda moment: moment.date() >= start)


def daily(start: str, end: str) -> SimpleNamespace:
    first, last = time.fromisoformat(start), time.fromisoformat(end)
    return SimpleNamespace(start_time=first, end_time=last, active=lambda moment: first <= moment.time() < last)


class Model:
    """A model with prices under conditions (the last that holds wins) and variants for a tier or for batch."""

    def __init__(self, identifier: str, *prices: Any, variants: tuple[Any, ...] = ()) -> None:
        self.id = identifier
        self.prices: Any = (
            prices[0]
            if len(prices) == 1 and not isinstance(prices[0], tuple)
            else [SimpleNamespace(constraint=constraint, prices=listed) for constraint, listed in prices]
        )
        self.price_variants = [
            SimpleNamespace(when=when, constraint=constraint, prices=listed) for when, constraint, listed in variants
        ]

    def get_prices(self, moment: datetime, context: Mapping[str, str]) -> Any:
        found = self.prices
        if isinstance(found, list):
            holding = [each for each in found if each.constraint is None or each.constraint.active(moment)]
            found = holding[-1].prices
        found = copy(found)
        for variant in self.price_variants:
            active = variant.constraint is None or variant.constraint.active(moment)
            if active and all(context.get(key) == value for key, value in variant.when.items()):
                vars(found).update(vars(variant.prices))
        return found


def release(version: str = "9.9.9", **models: tuple[Model, ...]) -> PriceList:
    """A release with these models by provider."""
    return PriceList(
        version=version,
        providers={
            name: SimpleNamespace(id=name, models=list(each), pricing_urls=[f"https://{name}.example/pricing"])
            for name, each in models.items()
        },
    )
