"""Which figures of prices/ should be read again: a matter for a reader, never a fault."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from costmodel.catalog import Catalog, CatalogError
from costmodel.dated import NotInForceError
from costmodel.records import ApiOffer, RentalOffer


def needed_assumption(catalog: Catalog, name: str, *, on: date) -> float:
    """An assumption that the check itself rests on. Raises CatalogError where it is missing."""
    try:
        return catalog.assumed(name, on=on)
    except (KeyError, NotInForceError) as error:
        raise CatalogError(f"{catalog.root.name}/assumptions.yaml: {name}: needed by the check; add it back") from error


def confirmed(offer: RentalOffer | ApiOffer, *, on: date) -> date:
    """The day on which the price in force was last known to be true.

    That is `checked`, or a later day on which an entry appended since then began or was read, whichever came first.
    """
    begun = [min(entry.since, entry.source.seen) for entry in offer.entry.history if entry.since <= on]
    return max([offer.entry.checked, *begun])


def stale_figures(catalog: Catalog, *, on: date) -> Iterator[str]:
    """Prices whose last confirmation is older than the catalogue's own limit, oldest first."""
    limit = needed_assumption(catalog, "stale_after_days", on=on)
    ages = [
        ((on - day).days, f"{kind}: {identifier}", day)
        for kind, identifier, day in (
            *(("rentals", offer.id, confirmed(offer, on=on)) for offer in catalog.rentals.values()),
            *(("apis", offer.id, confirmed(offer, on=on)) for offer in catalog.apis.values()),
            *(("fx", code, currency.history[-1].source.seen) for code, currency in catalog.currencies.items()),
        )
    ]
    for age, name, day in sorted(ages, key=lambda each: (-each[0], each[1])):
        if age > limit:
            yield f"{name}: {age} days, last confirmed on {day}"


def run_stale(root: Path, *, on: date) -> int:
    """Print how many figures should be read again, then which. Always 0: no day that passes is anybody's mistake."""
    catalog = Catalog(root)
    try:
        limit = needed_assumption(catalog, "stale_after_days", on=on)
        found = list(stale_figures(catalog, on=on))
    except CatalogError as error:
        print(f"Ages of {root.name} are not known: {error}")
        return 0
    print(f"{len(found)} figures of {root.name} were last confirmed more than {limit:g} days before {on}")
    for finding in found:
        print(f"  {finding}")
    return 0
