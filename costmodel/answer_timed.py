"""The parts of the answer that depend on time: traffic, demand and hybrid. The same rules hold as in answer.py."""

from typing import Any

from costmodel.compare import Comparison
from costmodel.load.demand_answer import NO_PRICE, ApiAtDemand, Fleet, NoDemandError, demand_answer
from costmodel.load.fleet import Range
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.load.traffic_answer import PeakHours, traffic_answer

NO_SLOTS = "no slots are given, so units may be planned full"


def timed_dict(comparison: Comparison) -> dict[str, Any]:
    """The keys traffic, demand and hybrid; where one is null, a reason beside it."""
    answer: dict[str, Any] = {"traffic": _traffic_dict(comparison)}
    for key, part in (("demand", _demand_dict), ("hybrid", _hybrid_dict)):
        try:
            answer[key] = part(comparison)
        except NoDemandError as error:
            answer |= {key: None, f"{key}_reason": str(error)}
    return answer


def _traffic_dict(comparison: Comparison) -> dict[str, Any]:
    report, scenario = traffic_answer(comparison), comparison.scenario
    return {
        "kind": scenario.traffic,
        "timezone": scenario.timezone,
        "calendar": scenario.calendar,
        "load_factor": report.week.load_factor,
        "mean_output_tok_s": report.week.mean_output_tok_s,
        "busiest_output_tok_s": report.week.busiest_output_tok_s,
        "hourly_output_tok_s": list(report.week.output_tok_s),
        "typed_peak_share": report.typed_peak_share,
        **({"typed_peak_share_reason": "counted from the traffic"} if report.typed_peak_share is None else {}),
        "apis": [_peak_dict(peak) for peak in report.peaks],
        "one_price_at_all_hours": list(report.without_peaks),
    }


def _peak_dict(peak: PeakHours) -> dict[str, Any]:
    return {
        "id": peak.id,
        "name": peak.name,
        "peak_share": peak.peak_share,
        "clock_share": peak.clock_share,
        "peak_share_without_holidays": peak.peak_share_without_holidays,
        "clock_share_without_holidays": peak.clock_share_without_holidays,
        "holidays": list(peak.holidays),
    }


def _demand_dict(comparison: Comparison) -> dict[str, Any]:
    report = demand_answer(comparison)
    supply, compared = report.fleet.supply, report.compared
    return {
        "is_typed": report.is_typed,
        "output_tok_s": report.week.mean_output_tok_s,
        "busiest_output_tok_s": report.week.busiest_output_tok_s,
        "demand_in_units": report.demand_in_units,
        "unit_usd_per_hour": supply.unit_usd_per_hour,
        "unit_output_tok_s": supply.unit_tok_s,
        "planning_limit": supply.planning_limit,
        **({"planning_limit_reason": NO_SLOTS} if comparison.scenario.slots_per_unit is None else {}),
        "spare_units": supply.spare_units,
        **_fleet_dict(report.fleet),
        "otherwise": _fleet_dict(report.other_fleet),
        "rented_units": comparison.scenario.units,
        "short_hours_per_month": report.short_hours_per_month,
        "short_output_tok_s": report.short_output_tok_s,
        "against": compared.api.id if compared else None,
        **({} if compared else {"against_reason": NO_PRICE}),
        "apis": [_against_dict(each) for each in report.apis],
        "notes": list(report.notes),
    }


def _fleet_dict(fleet: Fleet) -> dict[str, Any]:
    return {
        "schedule": fleet.mode,
        "units": fleet.units,
        "units_paid": fleet.units_paid,
        "unit_hours_per_month": fleet.hours_paid_per_month,
        "utilization": fleet.utilization,
        "usd_per_month": fleet.usd_per_month,
        "usd_per_mtok": fleet.usd_per_mtok,
    }


def _against_dict(against: ApiAtDemand) -> dict[str, Any]:
    view = against.view
    return {
        "id": against.api.id,
        "name": against.api.name,
        "usd_per_month": view.answer.api_usd_per_month,
        "usd_per_mtok": against.usd_per_mtok,
        "winner": against.winner,
        "break_even_output_tok_s": view.one_unit_break_even_tok_s,
        "break_even_reason": view.one_unit_reason,
        "demand_over_break_even": view.answer.demand_over_break_even,
        "turns_at_output_tok_s": view.turns_at_tok_s,
        "ahead_from_units": view.ahead_from_units,
        "reason": view.reason,
        "followed_to_output_tok_s": view.followed_to_tok_s,
        "wins_output_tok_s": _pairs(view.wins),
        "gaps_output_tok_s": _pairs(view.gaps),
    }


def _pairs(ranges: tuple[Range, ...]) -> list[list[float]]:
    return [[each.start, each.end] for each in ranges]


def _hybrid_dict(comparison: Comparison) -> dict[str, Any]:
    report = hybrid_answer(comparison)
    result = report.result
    answer: dict[str, Any] = {
        "api": report.api_id,
        "api_name": report.api_name,
        "cheapest": report.cheapest,
        "units": result.units,
        "units_all_own": result.all_own_units,
        "usd_per_month": result.hybrid_usd_per_month,
        "usd_per_month_own_part": result.hybrid_usd_per_month - result.hybrid_api_usd_per_month,
        "usd_per_month_api_part": result.hybrid_api_usd_per_month,
        "usd_per_month_all_api": result.all_api_usd_per_month,
        "usd_per_month_all_own": result.all_own_usd_per_month,
        "unit_usd_per_month": result.unit_usd_per_month,
        "last_unit_saves_usd_per_month": result.last_unit_saves_usd_per_month,
        "next_unit_saves_usd_per_month": result.next_unit_saves_usd_per_month,
        "best_level_output_tok_s": result.best_level_tok_s,
        "break_even_share": result.break_even_share,
        "own_share": report.own_share,
        "own_utilization": report.own_utilization,
        "deferrable_share": report.deferrable_share,
        "busiest_output_tok_s": report.served.busiest_output_tok_s,
        "notes": list(report.notes),
    }
    if result.units == 0:
        answer["last_unit_saves_usd_per_month_reason"] = answer["own_utilization_reason"] = (
            "no unit is owned in the cheapest mix"
        )
    if result.break_even_share is None:
        answer["break_even_share_reason"] = "the API is free for this token mix, so no rent can match it"
    if report.scheduled:
        answer["usd_per_month_all_own_scheduled"] = report.scheduled.usd_per_month
    return answer
