"""The sentences and tables of the demand view."""

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import ApiAtDemand, DemandReport
from costmodel.ui.text import Money, as_typed, kind_words, number, plain, tokens_word
from costmodel.ui.text_timed import calendar_words, tok_s, units_text
from costmodel.units import PERCENT
from costmodel.words import percent_text

_GAPS_TOLD = 3


def demand_verdict(report: DemandReport, comparison: Comparison) -> str:
    """How many units, how full, what a bundle costs at this demand, and who is cheaper there."""
    money, fleet, compared = Money(comparison), report.fleet, report.compared
    week, spare = report.week, fleet.supply.spare_units
    mean = say(
        "{rate} ({percent} % of one unit's capacity)",
        rate=tok_s(week.mean_output_tok_s),
        percent=number(report.demand_in_units * PERCENT, 1),
    )
    if week.load_factor <= 0.999:
        busiest = tok_s(week.busiest_output_tok_s)
        mean = say("{mean} on average, {busiest} in the busiest hour", mean=mean, busiest=busiest)
    units = f"**{units_text(fleet.units)}**"
    words = {
        "rate": mean,
        "units": say("{units} and {spare} to spare", units=units, spare=units_text(spare)) if spare else units,
        "share": percent_text(fleet.utilization),
        "cost": money(fleet.usd_per_mtok),
        "tokens": tokens_word(comparison.scenario),
        "bill": money(fleet.usd_per_month),
    }
    if report.is_typed:
        first = say(
            "Your demand, {rate}, takes {units}, {share} used. At this demand your own GPUs cost **{cost}** per "
            "{tokens}, {bill} a month",
            **words,
        )
    else:
        first = say(
            "What your GPUs serve now (no demand is typed), {rate}, takes {units}, {share} used. At this demand your "
            "own GPUs cost **{cost}** per {tokens}, {bill} a month",
            **words,
        )
    if compared is None:
        return say("{answer}. Choose an API with a known price on this day to compare it with.", answer=first)
    second = say(
        "{api} costs {price}, {bill} a month",
        api=plain(compared.api.name),
        price=money(compared.usd_per_mtok),
        bill=money(compared.view.answer.api_usd_per_month),
    )
    conclusion = {
        "api": say("**The API is cheaper.**"),
        "self_host": say("**Self-hosting is cheaper.**"),
        "tie": say("**The two cost the same.**"),
    }[compared.winner]
    return f"{first}; {second}. {conclusion}"


def turn_words(against: ApiAtDemand) -> str:
    """At which demand it turns, how far the reader is from it, and from how many units on it stays so."""
    view = against.view
    name = plain(against.api.name)
    if view.turns_at_tok_s is None:
        return say("Against {api} it never turns: {reason}.", api=name, reason=plain(view.reason or ""))
    words = say("Against {api} self-hosting turns cheaper above **{rate}**", api=name, rate=tok_s(view.turns_at_tok_s))
    ratio = view.answer.demand_over_break_even
    if ratio is not None and view.one_unit_reason is None:
        words = say("{turn}; your demand is {share} of that", turn=words, share=percent_text(ratio))
    if view.ahead_from_units is None:
        return f"{words}."
    units = units_text(view.ahead_from_units)
    if len(view.wins) > 1:
        rate = tok_s(view.wins[-1].start)
        return f"{words}. {say('From {units} on ({rate}) it never falls behind again.', units=units, rate=rate)}"
    return f"{words}. {say('From {units} on it never falls behind again.', units=units)}"


def gap_words(report: DemandReport, against: ApiAtDemand) -> str:
    """Where the API is cheaper again although for fewer tokens it is not, and why."""
    demand, gaps = report.week.mean_output_tok_s, against.view.gaps
    if not gaps:
        return ""
    ranges = ", ".join(
        say("{low} to {high}", low=number(gap.start, 0), high=number(gap.end, 0)) for gap in gaps[:_GAPS_TOLD]
    )
    rates = f"{ranges} tok/s"
    if len(gaps) > _GAPS_TOLD:
        rates = say("{rates}, and {count} more, ever narrower", rates=rates, count=len(gaps) - _GAPS_TOLD)
    words = say(
        "In between the API is cheaper again, because the units before are full and one more is not yet busy enough "
        "to pay its rent: {rates}.",
        rates=rates,
    )
    here = any(gap.start < demand <= gap.end for gap in gaps)
    return f"{words} {say('**Your demand lies in such a gap.**')}" if here else words


def capacity_words(report: DemandReport, comparison: Comparison) -> list[str]:
    """What limits a unit, what stands by, and where the units of the sidebar fall short."""
    scenario, supply = comparison.scenario, report.fleet.supply
    sentences = []
    if scenario.slots_per_unit is None or scenario.wait_percent is None:
        sentences.append(
            say(
                "No slots are given, so a unit counts as full only at 100 %. In practice requests begin to wait "
                "earlier: enter the requests a unit serves at once to plan for it."
            )
        )
    else:
        sentences.append(
            say(
                "A unit is planned at most {limit} full: with {slots} slots, fewer than {share} of the requests of the "
                "busiest hour then find every slot taken (Erlang C: requests come at random; each unit queues for "
                "itself).",
                limit=percent_text(supply.planning_limit),
                slots=number(scenario.slots_per_unit, 0),
                share=percent_text(scenario.wait_percent / 100),
            )
        )
    if report.short_hours_per_month > 0:
        sentences.append(
            say(
                "The {units} of the sidebar cannot serve this: in {short} of {hours} hours a month demand is higher, "
                "by up to {rate}.",
                units=units_text(scenario.units),
                short=number(report.short_hours_per_month, 0),
                hours=as_typed(scenario.hours_per_month),
                rate=tok_s(report.short_output_tok_s),
            )
        )
    return [*sentences, *(plain(note) for note in report.notes)]


def schedule_words(report: DemandReport) -> str | None:
    """Why switching units off changes nothing, where it does not."""
    always, other = report.fleet.units_paid, report.other_fleet.units_paid
    if abs(always - other) > 1e-6 * always:
        return None
    return say("Switching units off saves nothing here: the lowest hour needs as many as the busiest.")


def fleet_table(report: DemandReport, comparison: Comparison) -> str:
    """Always on beside scheduled, as a markdown table."""
    money = Money(comparison)
    prewarm = as_typed(comparison.scenario.prewarm_hours)
    names = {
        "always": say("Always on"),
        "scheduled": say("Only when needed, {hours} h to warm up", hours=prewarm),
    }
    rows = [say("| Units run | Paid for a month | Used | Bill a month |"), "|---|---|--:|--:|"]
    for fleet in (report.fleet, report.other_fleet):
        name = names[fleet.mode]
        if fleet is report.fleet:
            name = say("{name} (chosen)", name=name)
        paid = say(
            "{units}, {hours} unit-hours",
            units=units_text(fleet.units + fleet.supply.spare_units),
            hours=number(fleet.hours_paid_per_month, 0),
        )
        bill = say("{bill}, {cost} per 1M", bill=money(fleet.usd_per_month), cost=money(fleet.usd_per_mtok))
        rows.append(f"| {name} | {paid} | {percent_text(fleet.utilization)} | {bill} |")
    return "\n".join(rows)


def apis_table(report: DemandReport, comparison: Comparison) -> str:
    """Every API at this demand, as a markdown table."""
    money = Money(comparison)
    rows = [say("| Against | API a month | Cheaper now | Self-hosting wins |"), "|---|--:|---|---|"]
    cheaper = {"api": say("API"), "self_host": say("own"), "tie": say("equal")}
    for each in report.apis:
        view = each.view
        if view.turns_at_tok_s is None:
            turns = say("never")
        else:
            turns = say("above {rate}", rate=tok_s(view.turns_at_tok_s))
            if view.ahead_from_units is not None:
                turns = say("{turn}, for good from {units}", turn=turns, units=units_text(view.ahead_from_units))
        bill = money(view.answer.api_usd_per_month)
        rows.append(f"| {plain(each.api.name)} | {bill} | {cheaper[each.winner]} | {turns} |")
    return "\n".join(rows) if report.apis else ""


def demand_assumptions(comparison: Comparison) -> str:
    scenario = comparison.scenario
    words = say(
        "Assumes: the week keeps its shape as demand grows ({kind}); units are rented whole; the API's price is the "
        "mean for this traffic, peak hours included; {calendar}; {hours} hours a month",
        kind=kind_words(scenario),
        calendar=calendar_words(scenario),
        hours=as_typed(scenario.hours_per_month),
    )
    if scenario.deferrable_percent:
        return say("{assumes}; tokens that can be deferred are not moved here, but in Hybrid.", assumes=words)
    return f"{words}."
