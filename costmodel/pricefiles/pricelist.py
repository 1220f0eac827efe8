"""What the installed release of the package genai-prices says, in the catalogue's own terms.

The package is optional and asked only when prices/ is refreshed: it lists thousands of models, but knows no weekday,
holiday or residency rule.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import import_module
from typing import Any

from costmodel.records import ApiOffer
from costmodel.units import HOURS_PER_DAY

KINDS = {
    "input": "input_mtok",
    "cached_input": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "output": "output_mtok",
}
"""Kinds of tokens, and what the package calls their prices."""
BATCH = {"processing": "batch"}
HOMEPAGE = "https://github.com/pydantic/genai-prices"

Prices = Mapping[str, Decimal]
"""$ per 1M tokens by kind; a kind that is absent is not listed."""


class NoPriceListError(Exception):
    """The package is not there or not of a form known here; the message says what to do."""


@dataclass(frozen=True)
class ListedPrices:
    """Prices of one model on one day."""

    since: date | None
    """The day the package gives for them; None where it gives none."""
    usd_per_mtok: Prices
    above_input_tokens: int | None = None
    """Input above which a request has the prices below; None where there is no such step, or more than one."""
    long_context_usd_per_mtok: Prices | None = None


def _starts(conditions: Iterable[Any]) -> Iterator[date]:
    """First days among the conditions of prices."""
    for condition in conditions:
        start = getattr(condition.constraint, "start_date", None)
        if start is not None:
            yield start


def _has_hours(condition: Any) -> bool:
    return hasattr(condition.constraint, "start_time")


@dataclass(frozen=True)
class ListedModel:
    """One model of the package, as sold in one tier."""

    name: str
    """provider/model."""
    url: str
    model: Any
    when: Mapping[str, str]

    @property
    def _conditions(self) -> list[Any]:
        return self.model.prices if isinstance(self.model.prices, list) else []

    @property
    def has_hours(self) -> bool:
        """Whether the package gives it prices by the hour of day."""
        return any(_has_hours(condition) for condition in self._conditions)

    def _variants(self, context: Mapping[str, str]) -> list[Any]:
        """Price variants that a context selects."""
        variants: list[Any] = self.model.price_variants or []
        return [each for each in variants if all(context.get(key) == value for key, value in each.when.items())]

    def _outside_hours(self, on: date) -> datetime:
        """A moment of the day outside all of the package's windows, as near to noon as there is one."""
        moments = [datetime(on.year, on.month, on.day, hour, tzinfo=UTC) for hour in range(int(HOURS_PER_DAY))]
        moments.sort(key=lambda moment: abs(moment.hour - len(moments) // 2))
        windows = [condition for condition in self._conditions if _has_hours(condition)]
        free = (moment for moment in moments if not any(window.constraint.active(moment) for window in windows))
        return next(free, moments[0])

    def change_days(self, *, after: date) -> tuple[date, ...]:
        """Days to come on which the package has its prices change."""
        starts = {*_starts(self._conditions), *_starts(self._variants({**self.when, **BATCH}))}
        return tuple(sorted(day for day in starts if day > after))

    def prices(self, on: date, *, batch: bool = False) -> ListedPrices | None:
        """Prices on a day outside all windows; None where the package lists none for this tier or for batch."""
        asked = BATCH if batch else {}
        context, moment = {**self.when, **asked}, self._outside_hours(on)
        variants = [
            each for each in self._variants(context) if each.constraint is None or each.constraint.active(moment)
        ]
        # Without a variant of its own, the package would answer with the standard price.
        if not context.keys() <= {key for variant in variants for key in variant.when}:
            return None
        found = self.model.get_prices(moment, context)
        kinds = {kind: getattr(found, key, None) for kind, key in KINDS.items()}
        listed = {kind: price for kind, price in kinds.items() if price is not None}
        if "input" not in listed or "output" not in listed:
            return None
        steps = {tier.start for price in listed.values() for tier in getattr(price, "tiers", ())}
        one_step = len(steps) == 1
        begun = [day for day in (*_starts(self._conditions), *_starts(variants)) if day <= on]
        return ListedPrices(
            since=max(begun, default=None),
            usd_per_mtok={kind: getattr(price, "base", price) for kind, price in listed.items()},
            above_input_tokens=steps.pop() if one_step else None,
            long_context_usd_per_mtok={
                kind: price.tiers[0].price if hasattr(price, "tiers") else price for kind, price in listed.items()
            }
            if one_step
            else None,
        )


@dataclass(frozen=True)
class PriceList:
    """A release of the package."""

    version: str
    providers: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"genai-prices {self.version}"

    def find(self, offer: ApiOffer) -> ListedModel | None:
        """The model of an offer: where the file says it is, or under the vendor's own id. Names are never guessed."""
        entry = offer.entry
        named = entry.genai_prices
        provider = self.providers.get(named.provider or offer.vendor if named else offer.vendor)
        if provider is None:
            return None
        models = {model.id: model for model in provider.models}
        ids = [named.model] if named else [entry.vendor_model_id, entry.id]
        known = next((identifier for identifier in ids if identifier in models), None)
        if known is None:
            return None
        pages = [page for page in provider.pricing_urls or () if page.startswith("https://")]
        return ListedModel(
            name=f"{provider.id}/{known}",
            url=pages[0] if pages else HOMEPAGE,
            model=models[known],
            when=named.when if named else {},
        )


def installed_price_list() -> PriceList:
    """The installed release. Raises NoPriceListError, which says how to get it."""
    try:
        version: str = import_module("genai_prices").__version__
        snapshot: Any = import_module("genai_prices.data_snapshot").get_snapshot()
        return PriceList(version=version, providers={provider.id: provider for provider in snapshot.providers})
    except ModuleNotFoundError as error:
        raise NoPriceListError(
            "the package genai-prices is not installed: run `python3 -m uv run --extra refresh python -m costmodel "
            "refresh`, or install self-host-or-api[refresh]"
        ) from error
    except (ImportError, AttributeError) as error:
        raise NoPriceListError(
            f"the installed genai-prices is of a form not known here ({error}): install a release of the range that "
            "pyproject.toml names"
        ) from error
