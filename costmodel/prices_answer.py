"""What has become of a scenario's prices since its date, and what today's would say."""

from dataclasses import dataclass
from datetime import date

from costmodel.catalog import Catalog
from costmodel.compare import Comparison, NoAnswerError, compare

PER_MTOK_OF_THIS_MIX = "Mtok of this mix"


@dataclass(frozen=True)
class Change:
    """A price that is another one today. Each is in US dollars per unit."""

    name: str
    unit: str
    usd_then: float | None
    """None where no price was known on the scenario's day."""
    usd_now: float
    bears_vat: bool = True


@dataclass(frozen=True)
class SinceThen:
    """The same scenario at the prices of its date and at today's."""

    then: Comparison
    now: Comparison
    changes: tuple[Change, ...]


def since_then(catalog: Catalog, comparison: Comparison, *, today: date) -> SinceThen | None:
    """What today's prices change. None where the scenario is of today, or where today's prices give no answer."""
    scenario = comparison.scenario
    if scenario.price_date == today:
        return None
    try:
        now = compare(catalog, scenario.model_copy(update={"price_date": today}))
    except NoAnswerError:
        return None
    return SinceThen(comparison, now, (*_own_changes(comparison, now), *_api_changes(comparison, now)))


def _own_changes(then: Comparison, now: Comparison) -> tuple[Change, ...]:
    """Prices of the own bill. The same scenario has the same lines on every day, in the same order."""
    found = [
        Change(after.name, after.unit, before.usd_per_unit, after.usd_per_unit, after.bears_vat)
        for before, after in zip(then.self_host.lines, now.self_host.lines, strict=False)
        if before.unit == after.unit and before.usd_per_unit != after.usd_per_unit
    ]
    return tuple(dict.fromkeys(found))


def _api_changes(then: Comparison, now: Comparison) -> tuple[Change, ...]:
    """Prices of the APIs for this mix of tokens."""
    before = {api.id: api.usd_per_mtok for api in then.apis}
    return tuple(
        Change(api.name, PER_MTOK_OF_THIS_MIX, before[api.id], api.usd_per_mtok)
        for api in now.apis
        if api.usd_per_mtok is not None and api.usd_per_mtok != before[api.id]
    )
