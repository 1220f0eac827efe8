"""The sentences of the hybrid view."""

from costmodel.compare import Comparison
from costmodel.hybrid_answer import HybridReport
from costmodel.ui.text import Money, plain
from costmodel.ui.text_timed import calendar_words, mix_text, tok_s, units_text
from costmodel.words import percent_text


def hybrid_verdict(report: HybridReport, comparison: Comparison) -> str:
    """The best mix, what it costs beside the two pure ways, and the saving."""
    money, result = Money(comparison), report.result
    name = plain(report.api_name)
    api, own, mix = result.all_api_usd_per_month, result.all_own_usd_per_month, result.hybrid_usd_per_month
    if report.scheduled and report.cheapest == "all_own_scheduled":
        return (
            "**Own everything and switch units off when they are not needed: "
            f"{money(report.scheduled.usd_per_month)} a month.** All API costs {money(api)}; with units that are "
            f"always on, the best mix ({mix_text(result.units)}) costs {money(mix)}."
        )
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
