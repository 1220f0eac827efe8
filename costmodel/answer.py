"""The answer as data: what `compare` prints, a public contract. Keys are only ever added, never renamed.

Utilizations and shares are fractions, money in `usd_*` is US dollars before tax; each has a twin ending in
`_in_currency` that carries the scenario's currency and VAT. A value that does not exist is null, a reason beside it.
"""

from collections.abc import Iterable
from typing import Any

from costmodel.answer_serving import serving_dict
from costmodel.answer_timed import timed_dict
from costmodel.compare import ApiAnswer, Comparison, not_included
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


def line_dict(line: CostLine) -> dict[str, Any]:
    sources = [source_dict(source) for source in line.sources]
    return {
        "name": line.name,
        "quantity": line.quantity,
        "unit": line.unit,
        "usd_per_unit": line.usd_per_unit,
        "usd": line.usd,
        "source": sources[0] if sources else {"document": OWN_PRICE},
    }


def _api_dict(api: ApiAnswer) -> dict[str, Any]:
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
        "lines": [line_dict(line) for line in api.lines],
    }
    if api.peak_share is None:
        answer["peak_share_reason"] = ONE_PRICE if api.quote else point.reason
    return answer


def _with_currency(value: Any, factor: float) -> Any:
    """The same structure with a twin beside every dollar amount."""
    if isinstance(value, list):
        return [_with_currency(each, factor) for each in value]
    if not isinstance(value, dict):
        return value
    answer: dict[str, Any] = {}
    for key, each in value.items():
        answer[key] = _with_currency(each, factor)
        if (key == "usd" or key.startswith("usd_") or "_usd_" in key) and not key.endswith("_reason"):
            answer[f"{key}_in_currency"] = None if each is None else each * factor
    return answer


def answer_dict(comparison: Comparison, problems: Iterable[Problem] = (), notes: Iterable[str] = ()) -> dict[str, Any]:
    """The whole answer, ready for JSON."""
    scenario, own = comparison.scenario, comparison.self_host
    figures = {
        "self_host": {
            "usd_per_hour": own.usd_per_hour,
            "usd_per_month": own.usd_per_month,
            "capacity_output_tok_s": own.capacity_output_tok_s,
            "binding": own.binding,
            "output_tok_s": own.output_tok_s,
            "usd_per_mtok_at_full": own.usd_per_mtok_at_full,
            "usd_per_mtok": own.usd_per_mtok,
            **({"usd_per_mtok_reason": own.usd_per_mtok_reason} if own.usd_per_mtok_reason else {}),
            "output_mtok_per_month": own.output_mtok_per_month,
            "gpus": own.gpus,
            "lines": [line_dict(line) for line in own.lines],
        },
        "apis": [_api_dict(api) for api in comparison.apis],
        "break_even_api_usd_per_mtok": comparison.break_even_api_usd_per_mtok,
        "serving": serving_dict(comparison),
        **timed_dict(comparison),
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
