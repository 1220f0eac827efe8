"""Scenarios beside each other in the answer: pinned ones, or one at two dates. The same rules hold as in answer.py.

Amounts in currency are in the open scenario's; each scenario's own VAT is in them.
"""

from typing import Any

from costmodel.beyond_money import decision
from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.compared import Side, compared
from costmodel.link import pinned_query
from costmodel.workload import share


def compared_dict(catalog: Catalog, comparison: Comparison) -> dict[str, Any]:
    """The key compared, where scenarios are pinned; nothing where none is."""
    if not comparison.scenario.pins:
        return {}
    found = compared(catalog, comparison)
    return {
        "compared": {
            "scenarios": [_scenario_dict(side) for side in found.sides],
            "differing": [
                {
                    "key": each.asked.key,
                    "label": each.asked.label,
                    "unit": each.asked.unit,
                    "values": [_plain(value) for value in each.values],
                }
                for each in found.differing
            ],
        }
    }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value if value is None or isinstance(value, int | float | str) else value.isoformat()


def _scenario_dict(side: Side) -> dict[str, Any]:
    answer = {
        "name": side.name or None,
        "link": f"?{pinned_query(side.scenario)}",
        "is_open": side.is_open,
        "reason": side.reason,
    }
    return answer | (both_sides_dict(side.comparison) if side.comparison else {})


def both_sides_dict(comparison: Comparison) -> dict[str, Any]:
    """The figures of a comparison that its verdict rests on."""
    own, api, factor = comparison.self_host, comparison.cheapest_api, comparison.money_factor
    # Dollars before tax are the sums of the lines as they are; the currency twins count VAT where it is due.
    of_lines = own.lines_usd_per_month / own.usd_per_month if own.usd_per_month else 1.0
    decided = decision(comparison)
    amounts = {
        "usd_per_mtok": (own.usd_per_mtok, of_lines),
        "usd_per_month": (own.usd_per_month, of_lines),
        "api_usd_per_mtok": (api.usd_per_mtok if api else None, 1.0),
        "api_usd_per_month": (api.usd_per_month if api else None, 1.0),
    }
    answer: dict[str, Any] = {}
    for key, (usd, of) in amounts.items():
        answer[key] = None if usd is None else usd * of
        answer[f"{key}_in_currency"] = None if usd is None else usd * factor
    return answer | {
        "utilization": share(comparison.scenario.utilization_percent),
        "cheapest_api": api.id if api else None,
        "break_even_utilization": api.break_even.utilization if api else None,
        "reachable": api.break_even.reachable if api else False,
        "winner": api.winner if api else None,
        "decided_by": decided.reason if decided else None,
    }
