"""The sentences of the hybrid view."""

from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.hybrid_answer import HybridReport
from costmodel.ui.text import Money, plain
from costmodel.ui.text_timed import calendar_words, mix_text, tok_s, units_text
from costmodel.words import percent_text


def hybrid_verdict(report: HybridReport, comparison: Comparison) -> str:
    """The best mix, what it costs beside the two pure ways, and the saving."""
    money, result = Money(comparison), report.result
    name = plain(report.api_name)
    api, own, mix = result.all_api_usd_per_month, result.all_own_usd_per_month, result.hybrid_usd_per_month
    if report.scheduled and report.cheapest == "all_own_scheduled":
        return say(
            "**Own everything and switch units off when they are not needed: {scheduled} a month.** All API costs "
            "{all_api}; with units that are always on, the best mix ({units}) costs {mix}.",
            scheduled=money(report.scheduled.usd_per_month),
            all_api=money(api),
            units=mix_text(result.units),
            mix=money(mix),
        )
    if report.cheapest == "all_api":
        return say(
            "**Buy everything from {api}: {all_api} a month.** No whole unit would be busy enough to pay its rent of "
            "{rent}; owning everything ({units}) costs {all_own}.",
            api=name,
            all_api=money(api),
            rent=money(result.unit_usd_per_month),
            units=units_text(result.all_own_units),
            all_own=money(own),
        )
    if report.cheapest == "all_own":
        return say(
            "**Own everything: {units}, {all_own} a month.** Even the last unit pays its rent; buying everything from "
            "{api} costs {all_api}.",
            units=units_text(result.units),
            all_own=money(own),
            api=name,
            all_api=money(api),
        )
    return say(
        "**Own {units} and buy the rest from {api}: {mix} a month.** That is {below_api} less than all API ({all_api}) "
        "and {below_own} less than all own ({own_units}, {all_own}). Own GPUs serve {share} of the tokens and are "
        "{used} used.",
        units=units_text(result.units),
        api=name,
        mix=money(mix),
        below_api=money(api - mix),
        all_api=money(api),
        below_own=money(own - mix),
        own_units=units_text(result.all_own_units),
        all_own=money(own),
        share=percent_text(report.own_share),
        used=percent_text(report.own_utilization or 0),
    )


def marginal_words(report: HybridReport, comparison: Comparison) -> str:
    """Why not one unit more or less."""
    money, result = Money(comparison), report.result
    rent, more = money(result.unit_usd_per_month), money(result.next_unit_saves_usd_per_month)
    if result.last_unit_saves_usd_per_month is None:
        return say(
            "The first unit would save {more} of API bill a month for a rent of {rent}.",
            more=more,
            rent=rent,
        )
    return say(
        "The last unit owned saves {saved} of API bill a month for a rent of {rent}; one more would save {more} of API "
        "bill a month for a rent of {rent}.",
        saved=money(result.last_unit_saves_usd_per_month),
        rent=rent,
        more=more,
    )


def curve_words(report: HybridReport) -> str:
    """How to read the lower chart."""
    needed, level = report.result.break_even_share, report.result.best_level_tok_s
    weighted = min(report.week.usd_per_bundle) != max(report.week.usd_per_bundle)
    share = percent_text(needed or 0)
    if weighted:
        words = say(
            "Below, the area shows for how much of the week demand reaches each level (hours in which the API is dear "
            "count more): blue is served by own units, grey is bought. Own capacity pays its rent as far up as the "
            "area reaches beyond the dashed line, {share} of the week.",
            share=share,
        )
    else:
        words = say(
            "Below, the area shows for how much of the week demand reaches each level: blue is served by own units, "
            "grey is bought. Own capacity pays its rent as far up as the area reaches beyond the dashed line, {share} "
            "of the week.",
            share=share,
        )
    if not level:
        return words
    ring = say("The ring marks the best level if units could be cut to any size: {rate}.", rate=tok_s(level))
    return f"{words} {ring}"


def hybrid_assumptions(report: HybridReport, comparison: Comparison) -> str:
    money, scenario = Money(comparison), comparison.scenario
    parts = [
        say("owned units are always on"),
        say("the API takes any load above them at once and stands in for failures"),
    ]
    if report.is_hour_by_hour:
        parts.append(say("{api} is billed hour by hour at its price of that hour", api=plain(report.api_name)))
    if scenario.peak_percent != "auto":
        parts.append(say("the peak share you typed makes one mean price for all hours"))
    if report.deferrable_share > 0:
        parts.append(
            say(
                "{share} of the tokens may wait: they fill own idle hours first, and the rest of them goes to the API "
                "at {price} per 1M output with input (its batch price or cheapest hour)",
                share=percent_text(report.deferrable_share),
                price=money(report.week.deferrable_usd_per_bundle),
            )
        )
    if scenario.spare_units:
        parts.append(say("all own includes {units} to spare", units=units_text(scenario.spare_units)))
    if report.scheduled:
        parts.append(say("owned units of the mix are not switched off, unlike those of the scheduled bar"))
    return say("Assumes: {parts}.", parts="; ".join([*parts, calendar_words(scenario)]))
