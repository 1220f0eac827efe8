"""The answer as data: what `compare` prints, a public contract. Keys are only ever added, never renamed.

Utilizations and shares are fractions, money in `usd_*` is US dollars before tax; each has a twin ending in
`_in_currency` that carries the scenario's currency and VAT. A value that does not exist is null, a reason beside it.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from costmodel.answer_compared import compared_dict
from costmodel.answer_contract import contract_dict
from costmodel.answer_prices import prices_dict
from costmodel.answer_serving import serving_dict
from costmodel.answer_timed import timed_dict
from costmodel.beyond_money import decision
from costmodel.compare import ApiAnswer, Comparison, SelfHost, line_factor, money_factor, not_included
from costmodel.dated import Dated
from costmodel.ledger import CostLine
from costmodel.link import Problem, link
from costmodel.scenario import INPUTS, Scenario

ONE_PRICE = "this vendor has one price at all hours"
OWN_PRICE = "typed in by the reader"


def scenario_dict(scenario: Scenario) -> dict[str, Any]:
    """Every input under its link key, in the link's units; inputs that are not set are left out."""
    values = ((key, getattr(scenario, asked.name)) for key, asked in INPUTS.items())
    plain = ((key, value.isoformat() if key == "asof" else value) for key, value in values if value is not None)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in plain}


def source_dict(source: Dated) -> dict[str, Any]:
    """Where a price comes from: place, day read, basis, and since when it holds."""
    place = source.source.model_dump(mode="json", exclude_none=True)
    facts = {"since": source.since.isoformat(), "basis": source.basis, **place}
    return facts | ({"note": source.note} if source.note else {})


def line_dict(line: CostLine, scenario: Scenario) -> dict[str, Any]:
    """One line of a bill. A line without VAT says so, and its currency twins have none."""
    sources = [source_dict(source) for source in line.sources]
    factor = line_factor(line, scenario)
    return {
        "name": line.name,
        "quantity": line.quantity,
        "unit": line.unit,
        "usd_per_unit": line.usd_per_unit,
        "usd_per_unit_in_currency": line.usd_per_unit * factor,
        "usd": line.usd,
        "usd_in_currency": line.usd * factor,
        "bears_vat": line.bears_vat,
        "source": sources[0] if sources else {"document": OWN_PRICE},
    }


def _self_host_dict(own: SelfHost, scenario: Scenario) -> dict[str, Any]:
    """Dollars before tax are the sums of the lines as they are; the currency twins count VAT where it is due."""
    of_lines = own.lines_usd_per_month / own.usd_per_month if own.usd_per_month else 1.0
    money = {
        "usd_per_hour": own.usd_per_hour,
        "usd_per_month": own.usd_per_month,
        "usd_per_mtok_at_full": own.usd_per_mtok_at_full,
        "usd_per_mtok": own.usd_per_mtok,
    }
    factor = money_factor(scenario)
    answer: dict[str, Any] = {}
    for key, usd in money.items():
        answer[key] = None if usd is None else usd * of_lines
        answer[f"{key}_in_currency"] = None if usd is None else usd * factor
    return answer | {
        **({"usd_per_mtok_reason": own.usd_per_mtok_reason} if own.usd_per_mtok_reason else {}),
        "capacity_output_tok_s": own.capacity_output_tok_s,
        "binding": own.binding,
        "output_tok_s": own.output_tok_s,
        "output_mtok_per_month": own.output_mtok_per_month,
        "gpus": own.gpus,
        "paid_hours_per_month": own.paid_hours_per_month,
        "lines": [line_dict(line, scenario) for line in own.lines],
    }


def _api_dict(api: ApiAnswer, scenario: Scenario) -> dict[str, Any]:
    point = api.break_even
    answer = {
        "id": api.id,
        "name": api.name,
        "usd_per_mtok": api.usd_per_mtok,
        "usd_per_month": api.usd_per_month,
        "peak_share": api.peak_share,
        "break_even_utilization": point.utilization,
        "break_even_output_tok_s": point.output_tok_s,
        "break_even_usd_per_gpu_hour": api.break_even_usd_per_gpu_hour,
        "reachable": point.reachable,
        "reason": point.reason,
        "winner": api.winner,
        "same_model": api.same_model,
        "lines": [line_dict(line, scenario) for line in api.lines],
    }
    if api.peak_share is None:
        answer["peak_share_reason"] = ONE_PRICE if api.quote else point.reason
    return answer


def _beyond_money_dict(comparison: Comparison) -> dict[str, Any] | None:
    """What decides besides money; None where the bills decide."""
    found = decision(comparison)
    if found is None:
        return None
    return {
        "reason": found.reason,
        "also": list(found.also),
        "for": found.side,
        "price_usd_per_month": found.usd_per_month,
    }


def _with_currency(value: Any, factor: float) -> Any:
    """The same structure with a twin beside every dollar amount."""
    if isinstance(value, list):
        return [_with_currency(each, factor) for each in value]
    if not isinstance(value, dict):
        return value
    answer: dict[str, Any] = {}
    for key, each in value.items():
        answer[key] = _with_currency(each, factor)
        if key.endswith("_in_currency"):
            continue
        if (key == "usd" or key.startswith("usd_") or "_usd_" in key) and not key.endswith("_reason"):
            answer[f"{key}_in_currency"] = None if each is None else each * factor
    return answer


def answer_dict(
    comparison: Comparison,
    problems: Iterable[Problem] = (),
    notes: Iterable[str] = (),
    *,
    parts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The whole answer, ready for JSON. `parts` are further keys of it, such as those of risk_dict, in US dollars."""
    scenario, own = comparison.scenario, comparison.self_host
    figures = {
        "self_host": _self_host_dict(own, scenario),
        "apis": [_api_dict(api, scenario) for api in comparison.apis],
        "break_even_api_usd_per_mtok": comparison.break_even_api_usd_per_mtok,
        "beyond_money": _beyond_money_dict(comparison),
        "serving": serving_dict(comparison),
        **timed_dict(comparison),
        **contract_dict(comparison.catalog, comparison),
        **prices_dict(comparison.catalog, comparison, today=date.today()),
        **compared_dict(comparison.catalog, comparison),
        **(parts or {}),
    }
    return {
        "scenario": scenario_dict(scenario),
        "link": link(scenario),
        "problems": [
            {"key": each.key, "value": each.value, "used": each.used, "message": each.message} for each in problems
        ],
        "currency": scenario.currency,
        **_with_currency(figures, comparison.money_factor),
        "not_included": list(not_included(scenario)),
        "notes": [*notes, *comparison.notes],
    }
