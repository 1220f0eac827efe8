"""The sentences of the traffic view."""

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.traffic_answer import TrafficReport
from costmodel.ui.text import kind_words, plain
from costmodel.ui.text_timed import calendar_words, countries
from costmodel.words import percent_text


def traffic_verdict(report: TrafficReport, comparison: Comparison) -> str:
    """How much of the traffic is billed as peak, API by API, and what the shape of the week allows."""
    sentences = [
        say(
            "**{tokens} of your tokens fall into the peak hours of {api}**; of all hours {hours} are peak.",
            tokens=percent_text(peak.peak_share),
            api=plain(peak.name),
            hours=percent_text(peak.clock_share),
        )
        for peak in report.peaks
    ]
    if report.typed_peak_share is not None:
        typed = percent_text(report.typed_peak_share)
        sentences.append(say("Prices use the share you typed, {share}, instead.", share=typed))
    if not sentences:
        sentences.append(say("**None of the chosen APIs has peak hours**: the time of day changes no price."))
    return " ".join(sentences)


def load_factor_words(report: TrafficReport) -> str:
    """What the load factor means for GPUs that are always on."""
    factor = report.week.load_factor
    if factor > 0.999:
        return say("The load factor is 100 %: every hour is alike, so always-on GPUs can be kept evenly busy.")
    return say(
        "The load factor (mean over busiest hour) is {factor}: always-on GPUs that can serve the busiest hour are at "
        "most {factor} used, however large the demand. Against any API whose break-even is above that, they cannot "
        "win.",
        factor=percent_text(factor),
    )


def peak_table(report: TrafficReport) -> str:
    """The shares side by side, as a markdown table."""
    if not report.peaks:
        return ""
    with_holidays = any(peak.peak_share != peak.peak_share_without_holidays for peak in report.peaks)
    rows = [say("| In the peak hours of | Your tokens | All hours |"), "|---|--:|--:|"]
    rows += [
        f"| {plain(peak.name)} | {percent_text(peak.peak_share)} | {percent_text(peak.clock_share)} |"
        for peak in report.peaks
    ]
    if with_holidays:
        more = [say("Your tokens, were holidays ordinary days |"), "--:|"]
        more += [f"{percent_text(peak.peak_share_without_holidays)} |" for peak in report.peaks]
        rows = [f"{row} {cell}" for row, cell in zip(rows, more, strict=True)]
    return "\n".join(rows)


def traffic_assumptions(report: TrafficReport, comparison: Comparison) -> str:
    scenario = comparison.scenario
    observed = tuple(dict.fromkeys(code for peak in report.peaks for code in peak.holidays))
    parts = [
        say(
            "{kind}, on the clock of {zone}; every week looks the same, public holidays of the senders included",
            kind=kind_words(scenario),
            zone=plain(scenario.timezone),
        ),
        calendar_words(scenario),
    ]
    if observed and scenario.calendar != "week":
        parts.append(say("public holidays in {countries} are billed as off-peak", countries=countries(observed)))
    elif observed:
        parts.append(
            say(
                "public holidays in {countries}, billed as off-peak, are left out: choose a year or month",
                countries=countries(observed),
            )
        )
    parts.append(say("a window's first minute is peak, its end minute is not (vendors state the hours, not the edge)"))
    if report.without_peaks:
        names = ", ".join(plain(name) for name in report.without_peaks)
        parts.append(say("one price at all hours: {apis}", apis=names))
    return say("Assumes: {parts}.", parts="; ".join(parts))
