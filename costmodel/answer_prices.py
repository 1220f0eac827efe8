"""The prices in the answer: every figure in use, and what today's would say. The same rules hold as in answer.py."""

from datetime import date
from typing import Any

from costmodel.answer_compared import both_sides_dict
from costmodel.catalog import Catalog
from costmodel.compare import Comparison, money_factor
from costmodel.in_use import Figure, figures_in_use, stale_limit_days, state_of
from costmodel.prices_answer import Change, SinceThen, since_then
from costmodel.scenario import Scenario

OF_TODAY = "the price date is today"
NO_ANSWER_TODAY = "today's prices give no answer for this scenario"


def prices_dict(catalog: Catalog, comparison: Comparison, *, today: date) -> dict[str, Any]:
    """The key prices. Ages and states are those of `today`, which is part of it."""
    limit = stale_limit_days(catalog, today=today)
    figures = figures_in_use(catalog, comparison, today=today)
    since = since_then(catalog, comparison, today=today)
    answer: dict[str, Any] = {
        "today": today.isoformat(),
        "stale_after_days": limit,
        "in_use": [_figure_dict(figure, today=today, limit_days=limit) for figure in figures],
        "since_then": None if since is None else _since_dict(since),
    }
    if since is None:
        answer["since_then_reason"] = OF_TODAY if comparison.scenario.price_date == today else NO_ANSWER_TODAY
    return {"prices": answer}


def _figure_dict(figure: Figure, *, today: date, limit_days: float) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "kind": figure.kind,
        "id": figure.record or None,
        "name": figure.name,
        "part": figure.part or None,
        "value": figure.value,
        "unit": figure.unit,
        "used_for": list(figure.used_for),
        "state": state_of(figure, today=today, limit_days=limit_days),
    }
    entry = figure.entry
    if entry is None or figure.confirmed is None:
        return answer
    return answer | {
        "basis": entry.basis,
        "since": entry.since.isoformat(),
        "source": entry.source.model_dump(mode="json", exclude_none=True),
        "confirmed": figure.confirmed.isoformat(),
        "age_days": figure.age_days(today),
        **({"replaced_since": figure.replaced.isoformat()} if figure.replaced else {}),
    }


def _since_dict(since: SinceThen) -> dict[str, Any]:
    return {
        "changes": [_change_dict(change, since.then.scenario) for change in since.changes],
        "then": _on(since.then),
        "now": _on(since.now),
    }


def _on(comparison: Comparison) -> dict[str, Any]:
    return {"on": comparison.scenario.price_date.isoformat(), **both_sides_dict(comparison)}


def _change_dict(change: Change, scenario: Scenario) -> dict[str, Any]:
    factor = money_factor(scenario) if change.bears_vat else scenario.currency_per_usd
    return {
        "name": change.name,
        "unit": change.unit,
        "usd_then": change.usd_then,
        "usd_then_in_currency": None if change.usd_then is None else change.usd_then * factor,
        "usd_now": change.usd_now,
        "usd_now_in_currency": change.usd_now * factor,
    }
