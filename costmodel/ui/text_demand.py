"""The sentences and tables of the demand view."""

from costmodel.compare import Comparison
from costmodel.demand_answer import ApiAtDemand, DemandReport
from costmodel.ui.text import KIND_NAMES, Money, number, plain, tokens_word
from costmodel.ui.text_timed import calendar_words, tok_s, units_text
from costmodel.units import PERCENT
from costmodel.words import percent_text

_GAPS_TOLD = 3


def demand_verdict(report: DemandReport, comparison: Comparison) -> str:
    """How many units, how full, what a bundle costs at this demand, and who is cheaper there."""
    money, fleet, compared = Money(comparison), report.fleet, report.compared
    week, spare = report.week, fleet.supply.spare_units
    what = "Your demand" if report.is_typed else "What your GPUs serve now (no demand is typed)"
    mean = f"{tok_s(week.mean_output_tok_s)} ({number(report.demand_in_units * PERCENT, 1)} % of one unit's capacity)"
    busiest = "" if week.load_factor > 0.999 else f" on average, {tok_s(week.busiest_output_tok_s)} in the busiest hour"
    stand_by = f" and {units_text(spare)} to spare" if spare else ""
    first = (
        f"{what}, {mean}{busiest}, takes **{units_text(fleet.units)}**{stand_by}, "
        f"{percent_text(fleet.utilization)} used. At this demand your own GPUs cost **{money(fleet.usd_per_mtok)}** "
        f"per {tokens_word(comparison.scenario)}, {money(fleet.usd_per_month)} a month"
    )
    if compared is None:
        return f"{first}. Choose an API with a known price on this day to compare it with."
    bill = compared.view.answer.api_usd_per_month
    conclusion = {
        "api": "**The API is cheaper.**",
        "self_host": "**Self-hosting is cheaper.**",
        "tie": "**The two cost the same.**",
    }[compared.winner]
    name = plain(compared.api.name)
    return f"{first}; {name} costs {money(compared.usd_per_mtok)}, {money(bill)} a month. {conclusion}"


def turn_words(against: ApiAtDemand) -> str:
    """At which demand it turns, how far the reader is from it, and from how many units on it stays so."""
    view = against.view
    name = plain(against.api.name)
    if view.turns_at_tok_s is None:
        return f"Against {name} it never turns: {plain(view.reason or '')}."
    words = f"Against {name} self-hosting turns cheaper above **{tok_s(view.turns_at_tok_s)}**"
    ratio = view.answer.demand_over_break_even
    if ratio is not None and view.one_unit_reason is None:
        words += f"; your demand is {percent_text(ratio)} of that"
    words += "."
    if view.ahead_from_units is not None:
        at_last = "" if len(against.view.wins) == 1 else f" ({tok_s(view.wins[-1].start)})"
        words += f" From {units_text(view.ahead_from_units)} on{at_last} it never falls behind again."
    return words


def gap_words(report: DemandReport, against: ApiAtDemand) -> str:
    """Where the API is cheaper again although for fewer tokens it is not, and why."""
    demand, gaps = report.week.mean_output_tok_s, against.view.gaps
    if not gaps:
        return ""
    ranges = ", ".join(f"{number(gap.start, 0)} to {number(gap.end, 0)}" for gap in gaps[:_GAPS_TOLD])
    more = f", and {len(gaps) - _GAPS_TOLD} more, ever narrower" if len(gaps) > _GAPS_TOLD else ""
    here = any(gap.start < demand <= gap.end for gap in gaps)
    return (
        f"In between the API is cheaper again, because the units before are full and one more is not yet busy enough "
        f"to pay its rent: {ranges} tok/s{more}.{' **Your demand lies in such a gap.**' if here else ''}"
    )


def capacity_words(report: DemandReport, comparison: Comparison) -> list[str]:
    """What limits a unit, what stands by, and where the units of the sidebar fall short."""
    scenario, supply = comparison.scenario, report.fleet.supply
    sentences = []
    if scenario.slots_per_unit is None or scenario.wait_percent is None:
        sentences.append(
            "No slots are given, so a unit counts as full only at 100 %. In practice requests begin to wait earlier: "
            "enter the requests a unit serves at once to plan for it."
        )
    else:
        sentences.append(
            f"A unit is planned at most {percent_text(supply.planning_limit)} full: with {scenario.slots_per_unit:,} "
            f"slots, fewer than {percent_text(scenario.wait_percent / 100)} of the requests of the busiest hour then "
            "find every slot taken (Erlang C: requests come at random; each unit queues for itself)."
        )
    if report.short_hours_per_month > 0:
        hours = f"{number(report.short_hours_per_month, 0)} of {scenario.hours_per_month:g} hours a month"
        sentences.append(
            f"The {units_text(scenario.units)} of the sidebar cannot serve this: in {hours} demand is higher, by up to "
            f"{tok_s(report.short_output_tok_s)}."
        )
    return [*sentences, *(plain(note) for note in report.notes)]


def schedule_words(report: DemandReport) -> str | None:
    """Why switching units off changes nothing, where it does not."""
    always, other = report.fleet.units_paid, report.other_fleet.units_paid
    if abs(always - other) > 1e-6 * always:
        return None
    return "Switching units off saves nothing here: the lowest hour needs as many as the busiest."


def fleet_table(report: DemandReport, comparison: Comparison) -> str:
    """Always on beside scheduled, as a markdown table."""
    money = Money(comparison)
    names = {
        "always": "Always on",
        "scheduled": f"Only when needed, {comparison.scenario.prewarm_hours:g} h to warm up",
    }
    rows = ["| Units run | Paid for a month | Used | Bill a month |", "|---|---|--:|--:|"]
    for fleet in (report.fleet, report.other_fleet):
        chosen = " (chosen)" if fleet is report.fleet else ""
        units = units_text(fleet.units + fleet.supply.spare_units)
        rows.append(
            f"| {names[fleet.mode]}{chosen} | {units}, {number(fleet.hours_paid_per_month, 0)} unit-hours | "
            f"{percent_text(fleet.utilization)} | {money(fleet.usd_per_month)}, {money(fleet.usd_per_mtok)} per 1M |"
        )
    return "\n".join(rows)


def apis_table(report: DemandReport, comparison: Comparison) -> str:
    """Every API at this demand, as a markdown table."""
    money = Money(comparison)
    rows = ["| Against | API a month | Cheaper now | Self-hosting wins |", "|---|--:|---|---|"]
    cheaper = {"api": "API", "self_host": "own", "tie": "equal"}
    for each in report.apis:
        view = each.view
        turns = "never" if view.turns_at_tok_s is None else f"above {tok_s(view.turns_at_tok_s)}"
        if view.turns_at_tok_s is not None and view.ahead_from_units is not None:
            turns += f", for good from {units_text(view.ahead_from_units)}"
        bill = money(view.answer.api_usd_per_month)
        rows.append(f"| {plain(each.api.name)} | {bill} | {cheaper[each.winner]} | {turns} |")
    return "\n".join(rows) if report.apis else ""


def demand_assumptions(comparison: Comparison) -> str:
    scenario = comparison.scenario
    deferred = "; tokens that can be deferred are not moved here, but in Hybrid" if scenario.deferrable_percent else ""
    return (
        f"Assumes: the week keeps its shape as demand grows ({KIND_NAMES[scenario.traffic].lower()}); units are rented "
        "whole; the API's price is the mean for this traffic, peak hours included; "
        f"{calendar_words(scenario)}; {scenario.hours_per_month:g} hours a month{deferred}."
    )
