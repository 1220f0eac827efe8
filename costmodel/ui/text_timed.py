"""Every sentence of the views on traffic, demand and hybrid."""

from babel import Locale

from costmodel.compare import Comparison
from costmodel.demand_answer import ApiAtDemand, DemandReport
from costmodel.hybrid_answer import HybridReport
from costmodel.scenario import Scenario
from costmodel.traffic_answer import TrafficReport
from costmodel.ui.charts_hybrid import units_text
from costmodel.ui.text import KIND_NAMES, LOCALE, Money, number, plain, tokens_word
from costmodel.ui.traffic_inputs import calendar_label
from costmodel.units import PERCENT
from costmodel.words import percent_text

_GAPS_TOLD = 3


def tok_s(value: float) -> str:
    """A rate with the digits that matter."""
    return f"{number(value, 0 if value >= 10 else 2)} tok/s"


def countries(codes: tuple[str, ...]) -> str:
    """Names of countries given by ISO code."""
    names = Locale.parse(LOCALE).territories
    return " and ".join(str(names.get(code, code)) for code in codes)


def calendar_words(scenario: Scenario) -> str:
    """Which dates the shares are counted over."""
    if scenario.calendar == "week":
        return f"a plain week without holidays, at the clock offsets of {scenario.price_date.isoformat()}"
    name = calendar_label(scenario.calendar, scenario.price_date.year)
    return f"{name.replace('All', 'all')} on real dates, daylight saving included"


# Traffic


def traffic_verdict(report: TrafficReport, comparison: Comparison) -> str:
    """How much of the traffic is billed as peak, API by API, and what the shape of the week allows."""
    sentences = [
        f"**{percent_text(peak.peak_share)} of your tokens fall into the peak hours of {plain(peak.name)}**; "
        f"of all hours {percent_text(peak.clock_share)} are peak."
        for peak in report.peaks
    ]
    if report.typed_peak_share is not None:
        sentences.append(f"Prices use the share you typed, {percent_text(report.typed_peak_share)}, instead.")
    if not sentences:
        sentences.append("**None of the chosen APIs has peak hours**: the time of day changes no price.")
    return " ".join(sentences)


def load_factor_words(report: TrafficReport) -> str:
    """What the load factor means for GPUs that are always on."""
    factor = report.week.load_factor
    if factor > 0.999:
        return "The load factor is 100 %: every hour is alike, so always-on GPUs can be kept evenly busy."
    return (
        f"The load factor (mean over busiest hour) is {percent_text(factor)}: always-on GPUs that can serve the "
        f"busiest hour are at most {percent_text(factor)} used, however large the demand. Against any API whose "
        "break-even is above that, they cannot win."
    )


def peak_table(report: TrafficReport) -> str:
    """The shares side by side, as a markdown table."""
    if not report.peaks:
        return ""
    with_holidays = any(peak.peak_share != peak.peak_share_without_holidays for peak in report.peaks)
    rows = ["| In the peak hours of | Your tokens | All hours |", "|---|--:|--:|"]
    rows += [
        f"| {plain(peak.name)} | {percent_text(peak.peak_share)} | {percent_text(peak.clock_share)} |"
        for peak in report.peaks
    ]
    if with_holidays:
        more = ["Your tokens, were holidays ordinary days |", "--:|"]
        more += [f"{percent_text(peak.peak_share_without_holidays)} |" for peak in report.peaks]
        rows = [f"{row} {cell}" for row, cell in zip(rows, more, strict=True)]
    return "\n".join(rows)


def traffic_assumptions(report: TrafficReport, comparison: Comparison) -> str:
    scenario = comparison.scenario
    observed = tuple(dict.fromkeys(code for peak in report.peaks for code in peak.holidays))
    parts = [
        f"{KIND_NAMES[scenario.traffic].lower()}, on the clock of {plain(scenario.timezone)}; every week looks the "
        "same, public holidays of the senders included",
        calendar_words(scenario),
    ]
    if observed and scenario.calendar != "week":
        parts.append(f"public holidays in {countries(observed)} are billed as off-peak")
    elif observed:
        parts.append(
            f"public holidays in {countries(observed)}, billed as off-peak, are left out: choose a year or month"
        )
    parts.append("a window's first minute is peak, its end minute is not (vendors state the hours, not the edge)")
    if report.without_peaks:
        names = ", ".join(plain(name) for name in report.without_peaks)
        parts.append(f"one price at all hours: {names}")
    return f"Assumes: {'; '.join(parts)}."


# Demand


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
    rows = [
        "| Units run | Units | Unit-hours paid a month | Used | A month | Per 1M |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for fleet in (report.fleet, report.other_fleet):
        chosen = " (chosen)" if fleet is report.fleet else ""
        rows.append(
            f"| {names[fleet.mode]}{chosen} | {fleet.units + fleet.supply.spare_units:,} | "
            f"{number(fleet.hours_paid_per_month, 0)} | {percent_text(fleet.utilization)} | "
            f"{money(fleet.usd_per_month)} | {money(fleet.usd_per_mtok)} |"
        )
    return "\n".join(rows)


def apis_table(report: DemandReport, comparison: Comparison) -> str:
    """Every API at this demand, as a markdown table."""
    money = Money(comparison)
    rows = [
        "| Against | API a month | Cheaper now | Self-hosting turns cheaper above | Never behind from |",
        "|---|--:|---|--:|--:|",
    ]
    cheaper = {"api": "API", "self_host": "own", "tie": "equal"}
    for each in report.apis:
        view = each.view
        turns = "never" if view.turns_at_tok_s is None else tok_s(view.turns_at_tok_s)
        ahead = "–" if view.ahead_from_units is None else units_text(view.ahead_from_units)
        rows.append(
            f"| {plain(each.api.name)} | {money(view.answer.api_usd_per_month)} | {cheaper[each.winner]} | {turns} | "
            f"{ahead} |"
        )
    return "\n".join(rows) if report.apis else ""


def demand_assumptions(comparison: Comparison) -> str:
    scenario = comparison.scenario
    deferred = "; tokens that can be deferred are not moved here, but in Hybrid" if scenario.deferrable_percent else ""
    return (
        f"Assumes: the week keeps its shape as demand grows ({KIND_NAMES[scenario.traffic].lower()}); units are rented "
        "whole; the API's price is the mean for this traffic, peak hours included; "
        f"{calendar_words(scenario)}; {scenario.hours_per_month:g} hours a month{deferred}."
    )


# Hybrid


def hybrid_verdict(report: HybridReport, comparison: Comparison) -> str:
    """The best mix, what it costs beside the two pure ways, and the saving."""
    money, result = Money(comparison), report.result
    name = plain(report.api_name)
    api, own, mix = result.all_api_usd_per_month, result.all_own_usd_per_month, result.hybrid_usd_per_month
    if report.cheapest == "all_api":
        return (
            f"**Buy everything from {name}: {money(api)} a month.** No whole unit would be busy enough to pay its rent "
            f"of {money(result.unit_usd_per_month)}; owning everything ({units_text(result.all_own_units)}) costs "
            f"{money(own)}."
        )
    if report.cheapest == "all_own":
        return (
            f"**Own everything: {units_text(result.units)}, {money(own)} a month.** Even the last unit pays its rent; "
            f"buying everything from {name} costs {money(api)}."
        )
    return (
        f"**Own {units_text(result.units)} and buy the rest from {name}: {money(mix)} a month.** "
        f"That is {money(api - mix)} less than all API ({money(api)}) and {money(own - mix)} less than all own "
        f"({units_text(result.all_own_units)}, {money(own)}). Own GPUs serve {percent_text(report.own_share)} of the "
        f"tokens and are {percent_text(report.own_utilization or 0)} used."
    )


def marginal_words(report: HybridReport, comparison: Comparison) -> str:
    """Why not one unit more or less."""
    money, result = Money(comparison), report.result
    rent = money(result.unit_usd_per_month)
    more = f"would save {money(result.next_unit_saves_usd_per_month)} of API bill a month for a rent of {rent}"
    if result.last_unit_saves_usd_per_month is None:
        return f"The first unit {more}."
    return (
        f"The last unit owned saves {money(result.last_unit_saves_usd_per_month)} of API bill a month for a rent of "
        f"{rent}; one more {more}."
    )


def curve_words(report: HybridReport) -> str:
    """How to read the lower chart."""
    needed, level = report.result.break_even_share, report.result.best_level_tok_s
    weighted = min(report.week.usd_per_bundle) != max(report.week.usd_per_bundle)
    dear = " (hours in which the API is dear count more)" if weighted else ""
    ring = f" The ring marks the best level if units could be cut to any size: {tok_s(level)}." if level else ""
    return (
        f"Below, the area shows for how much of the week demand reaches each level{dear}: blue is served by own units, "
        f"grey is bought. Own capacity pays its rent as far up as the area reaches beyond the dashed line, "
        f"{percent_text(needed or 0)} of the week.{ring}"
    )


def hybrid_assumptions(report: HybridReport, comparison: Comparison) -> str:
    money, scenario = Money(comparison), comparison.scenario
    parts = ["owned units are always on", "the API takes any load above them at once and stands in for failures"]
    if report.is_hour_by_hour:
        parts.append(f"{plain(report.api_name)} is billed hour by hour at its price of that hour")
    if scenario.peak_percent != "auto":
        parts.append("the peak share you typed makes one mean price for all hours")
    if report.deferrable_share > 0:
        parts.append(
            f"{percent_text(report.deferrable_share)} of the tokens may wait: they fill own idle hours first, and the "
            f"rest of them goes to the API at {money(report.week.deferrable_usd_per_bundle)} per 1M output with input "
            "(its batch price or cheapest hour)"
        )
    if scenario.spare_units:
        parts.append(f"all own includes {units_text(scenario.spare_units)} to spare")
    if report.scheduled:
        parts.append("owned units of the mix are not switched off, unlike those of the scheduled bar")
    return f"Assumes: {'; '.join([*parts, calendar_words(scenario)])}."
