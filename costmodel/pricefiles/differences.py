"""Where a release of genai-prices and prices/apis/ say different things, and what stands in the way of believing it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import ValidationError

from costmodel.dated import Dated, in_force
from costmodel.doubts import price_steps
from costmodel.pricefiles.pricelist import ListedModel
from costmodel.records import ApiOffer, TokenPrices

PARTS = ("history", "batch", "long_context")
_PRICES = ("usd_per_mtok", "long_context_usd_per_mtok")

Figures = Mapping[str, Any]
"""What an entry says: its prices by kind, and its threshold."""


@dataclass(frozen=True)
class Difference:
    """A part of an offer for which the release has other figures than the entry in force."""

    part: str
    before: Figures
    after: Figures
    """Empty where the release lists nothing for the part."""
    since: date
    is_told: bool
    """Whether the release names the day; else it is the day of reading."""
    newest: date
    """Day of the newest entry; only what begins later can be appended."""
    url: str | None
    """Page of the vendor that the entry in force names."""

    @property
    def text(self) -> str:
        """The figures that differ, in words."""
        old, new = _flat(self.before), _flat(self.after)
        changed = [f"{key} {old.get(key, 'unknown')} -> {new[key]}" for key in new if old.get(key) != new[key]]
        return f"{self.part} from {self.since}: {', '.join(changed) or 'no longer listed'}"

    @property
    def obstacle(self) -> str | None:
        """Why it cannot be appended as it stands; None where it can."""
        lacking = _flat(self.before).keys() - _flat(self.after).keys()
        if lacking:
            return f"the package lists no {', '.join(sorted(lacking))}"
        return None if self.since > self.newest else f"an entry of {self.newest} is there already"

    def doubt(self, *, factor: float) -> str | None:
        """Why its figures cannot be believed; None where they can."""
        for key in (key for key in _PRICES if key in self.after):
            try:
                prices = TokenPrices(**self.after[key])
            except ValidationError as error:
                return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            if key in self.before:
                for kind, step in price_steps(TokenPrices(**self.before[key]), prices, factor=factor):
                    return f"{kind} is {step:.3g} times the one in force; is the unit right?"
        return None


def _flat(figures: Figures) -> dict[str, float]:
    """Figures by a name of their own: input, long-context input, above_input_tokens."""
    flat = {key: value for key, value in figures.items() if key not in _PRICES}
    for key, before in zip(_PRICES, ("", "long-context "), strict=True):
        flat |= {f"{before}{kind}": price for kind, price in figures.get(key, {}).items()}
    return flat


def _figures(entry: Dated) -> Figures:
    return entry.model_dump(include={*_PRICES, "above_input_tokens"}, exclude_none=True)


def _listed(model: ListedModel, part: str, *, on: date) -> tuple[Figures, date | None]:
    """What the release says for a part on a day, and since when."""
    prices = model.prices(on, batch=part == "batch")
    if prices is None:
        return {}, None
    base, long = (
        {kind: float(price) for kind, price in (each or {}).items()}
        for each in (prices.usd_per_mtok, prices.long_context_usd_per_mtok)
    )
    if part == "long_context":
        return ({"above_input_tokens": prices.above_input_tokens, "usd_per_mtok": long} if long else {}), prices.since
    return {"usd_per_mtok": base} | (
        {"long_context_usd_per_mtok": long} if part == "batch" and long else {}
    ), prices.since


def _of_part(entries: Sequence[Dated], model: ListedModel, part: str, *, on: date) -> Iterator[Difference]:
    appended: Figures | None = None
    newest = entries[-1].since
    for day in (on, *model.change_days(after=on)):
        begun = [entry for entry in entries if entry.since <= day]
        if not begun:
            continue
        held = appended or _figures(begun[-1])
        listed, told = _listed(model, part, on=day)
        known, said = _flat(held), _flat(listed)
        if said and all(known.get(key) == figure for key, figure in said.items()):
            continue
        is_told = told is not None and told > newest
        since = told if told is not None and is_told else day
        yield Difference(
            part, before=held, after=listed, since=since, is_told=is_told, newest=newest, url=begun[-1].source.url
        )
        appended, newest = listed, since


def differences(offer: ApiOffer, model: ListedModel, *, on: date) -> tuple[Difference, ...]:
    """Where the release differs from an offer, today and on each day on which it announces a change."""
    return tuple(
        difference
        for part in PARTS
        if getattr(offer.entry, part)
        for difference in _of_part(getattr(offer.entry, part), model, part, on=on)
    )


def beyond_the_package(offer: ApiOffer, model: ListedModel, *, on: date) -> str | None:
    """Which of an offer's rules the package cannot know; None where there are none."""
    if in_force(offer.entry.history, on=on, what=offer.id).windows:
        return "has price windows, whose weekdays and holidays the package does not know"
    if offer.entry.residency:
        return "has residency surcharges, which the package does not know"
    return "has prices by the hour in the package" if model.has_hours else None
