"""The contract in the answer: every way to get the GPUs, over the years. The same rules hold as in answer.py."""

from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.contracts.contract_answer import ContractReport, contract_answer
from costmodel.contracts.contract_options import Cost, Option
from costmodel.load.demand_answer import NoDemandError

FREE_API = "the API is free for this token mix"
NEVER_PAYS = "it never costs less than the API, for good, in the months looked at"


def contract_dict(catalog: Catalog, comparison: Comparison) -> dict[str, Any]:
    """The key contract; where it is null, a reason beside it."""
    try:
        report = contract_answer(catalog, comparison)
    except NoDemandError as error:
        return {"contract": None, "contract_reason": str(error)}
    return {"contract": _report_dict(report)}


def _report_dict(report: ContractReport) -> dict[str, Any]:
    limit = report.purchase_limit
    return {
        "against": report.api.id,
        "term_months": report.term_months,
        "cost_of_capital_share": report.yearly_rate_share,
        "api_price_level_at_end": report.api_price_level_at_end,
        "acquired": report.chosen,
        "cheapest": report.cheapest,
        "api": {
            "usd_per_month": report.api_way.outlook.api_usd_per_month,
            "over_term": _cost_dict(report.api_over_term),
            "horizons": [_cost_dict(cost) for cost in report.api_costs],
        },
        "options": [_option_dict(option, report) for option in report.options],
        "not_offered": [{"acquire": each.kind, "reason": each.reason} for each in report.missing],
        "purchase_limit_usd_per_gpu": limit.usd_per_gpu,
        **({"purchase_limit_usd_per_gpu_reason": limit.reason} if limit.reason else {}),
        "notes": list(report.notes),
    }


def _cost_dict(cost: Cost) -> dict[str, Any]:
    return {"months": cost.months, "usd_total": cost.total_usd, "usd_npv": cost.npv_usd}


def _option_dict(option: Option, report: ContractReport) -> dict[str, Any]:
    limit = option.limit
    answer: dict[str, Any] = {
        "acquire": option.kind,
        "usd_per_month": option.usd_per_month,
        "api_share": option.api_share_today,
        "commitment_months": option.commitment_months,
        "over_term": _cost_dict(option.over_term),
        "usd_left_at_end": option.left_usd,
        "payback_month": option.payback_month,
        "payback_within_term": option.payback_month is not None and option.payback_month <= report.term_months,
        "survives_api_price_fall": limit.yearly_fall_share,
        "needs_api_price_rise": limit.yearly_rise_share,
        "break_even_utilization_today": option.break_even_today,
        "break_even_utilization_at_end": option.break_even_at_end,
        "horizons": [_cost_dict(cost) for cost in option.costs],
    }
    if option.payback_month is None:
        answer["payback_month_reason"] = NEVER_PAYS
    if limit.yearly_fall_share is None:
        answer["survives_api_price_fall_reason"] = limit.reason
    if option.break_even_today is None:
        answer["break_even_utilization_today_reason"] = answer["break_even_utilization_at_end_reason"] = FREE_API
    if option.commitment_months is None:
        answer["commitment_months_reason"] = "it may be ended, or sold, in any month"
    return answer
