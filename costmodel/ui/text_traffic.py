"""The sentences of the traffic view."""

from costmodel.compare import Comparison
from costmodel.traffic_answer import TrafficReport
from costmodel.ui.text import KIND_NAMES, plain
from costmodel.ui.text_timed import calendar_words, countries
from costmodel.words import percent_text


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
