"""The sentences of the contract view."""

from costmodel.compare import Comparison
from costmodel.contracts.contract import PriceLimit
from costmodel.contracts.contract_answer import ContractReport, InUse
from costmodel.contracts.contract_options import Kind, Option
from costmodel.language import number_text, say
from costmodel.scenario import INPUTS
from costmodel.ui.tables import Table
from costmodel.ui.text import Money, plain, source_link
from costmodel.ui.text_lines import line_name
from costmodel.ui.text_timed import tok_s
from costmodel.words import percent_text
from costmodel.workload import share

_BINDING: tuple[Kind, ...] = ("reserve", "buy")
"""Ways that are a commitment."""


def kind_name(kind: Kind) -> str:
    """A way to get GPUs, as tables and charts name it."""
    return {"rent": say("On demand"), "spot": say("Spot"), "reserve": say("Reserved"), "buy": say("Bought")}[kind]


def _doing(kind: Kind) -> str:
    """The same, as sentences do."""
    return {
        "rent": say("renting on demand"),
        "spot": say("renting spot instances"),
        "reserve": say("reserving"),
        "buy": say("buying"),
    }[kind]


def contract_verdict(report: ContractReport, comparison: Comparison) -> str:
    """Which way is cheapest over the term, and where the reader's own stands."""
    money, name = Money(comparison), plain(report.api.name)
    api_usd = report.api_over_term.npv_usd
    best = None if report.cheapest == "api" else report.option(report.cheapest)
    chosen = report.option(report.chosen)
    over = say("Over {months} months", months=report.term_months)
    if comparison.scenario.demand_output_tok_s is not None:
        # The sentence above speaks of the utilization; here the typed demand is served, which may be far from it.
        demand = tok_s(report.demand_output_tok_s)
        over = say("Over {months} months, for {demand},", months=report.term_months, demand=demand)
    at_rate = say("in today's money ({rate} a year)", rate=percent_text(report.yearly_rate_share))
    if best is None:
        first = say(
            "**{over} {api} is cheapest: {usd} {at_rate}.**", over=over, api=name, usd=money(api_usd), at_rate=at_rate
        )
        others = sorted(report.options, key=lambda option: option.over_term.npv_usd)
        best = others[0]
        first += " " + say(
            "The cheapest other way, {doing}, costs {usd}.",
            doing=_doing(best.kind),
            usd=money(best.over_term.npv_usd),
        )
    else:
        first = say(
            "**{over} {doing} is cheapest: {usd} {at_rate}**, {less} less than {api} ({api_usd}).",
            over=over,
            at_rate=at_rate,
            doing=_doing(best.kind),
            usd=money(best.over_term.npv_usd),
            less=money(api_usd - best.over_term.npv_usd),
            api=name,
            api_usd=money(api_usd),
        )
    if chosen is None or chosen is best:
        return first
    doing, usd = _doing(chosen.kind), money(chosen.over_term.npv_usd)
    more_usd = chosen.over_term.npv_usd - api_usd
    if more_usd > 0:
        second = say(
            "As you get the GPUs now, {doing}, they cost {usd}: {more} more than the API.",
            doing=doing,
            usd=usd,
            more=money(more_usd),
        )
    else:
        second = say(
            "As you get the GPUs now, {doing}, they cost {usd}: {less} less than the API.",
            doing=doing,
            usd=usd,
            less=money(-more_usd),
        )
    return f"{first} {second}"


def commitment_words(report: ContractReport, comparison: Comparison) -> str:
    """How far the API's price may fall, and what the path the reader expects does to the break-even."""
    option = _commitment(report)
    limit, doing = option.limit, _doing(option.kind)
    doing = doing[:1].upper() + doing[1:]
    if limit.yearly_fall_share is None and limit.yearly_rise_share is None:
        words = f"{doing}: {limit.reason}"
    elif limit.yearly_fall_share is None:
        words = say(
            "{doing} costs more than the API if the API's price stays: {reason}", doing=doing, reason=limit.reason
        )
    elif option.kind == report.chosen:
        words = say(
            "This commitment survives an API price fall of at most **{fall} a year**",
            fall=percent_text(limit.yearly_fall_share),
        )
    else:
        words = say(
            "{doing} survives an API price fall of at most **{fall} a year**",
            doing=doing,
            fall=percent_text(limit.yearly_fall_share),
        )
    expected = comparison.scenario.api_price_fall_percent
    if expected > 0:
        words = say("{words}; you expect {fall}", words=words, fall=percent_text(share(expected)))
    elif expected < 0:
        words = say("{words}; you expect a rise of {rise}", words=words, rise=percent_text(share(-expected)))
    return " ".join([f"{words}.", *_moving_break_even(option)])


def _commitment(report: ContractReport) -> Option:
    """The way that binds and is worth a sentence: the reader's, or else the cheapest. GPUs can always be bought."""
    binding = [option for option in report.options if option.kind in _BINDING]
    own = (option for option in binding if option.kind == report.chosen)
    return next(own, min(binding, key=lambda option: option.over_term.npv_usd))


def _moving_break_even(option: Option) -> list[str]:
    today, at_end = option.break_even_today, option.break_even_at_end
    if today is None or at_end is None or percent_text(today) == percent_text(at_end):
        return []
    return [
        say(
            "Its break-even moves from {today} of capacity today to {at_end} at the end of the term.",
            today=_reach(today),
            at_end=_reach(at_end),
        )
    ]


def _reach(utilization: float) -> str:
    return (
        percent_text(utilization)
        if utilization <= 1
        else say("{share} (not reachable)", share=percent_text(utilization))
    )


def purchase_words(report: ContractReport, comparison: Comparison) -> str:
    """Up to which price buying is worth it; and that the price in use is an assumption, where it is one."""
    money, limit = Money(comparison), report.purchase_limit
    price = next(each for each in report.in_use if each.key == "capex")
    words = []
    if price.assumed:
        usd = money(price.value)
        words.append(
            say("Buying rests on an assumed {usd} per GPU, server and network included: type your quote.", usd=usd)
        )
    if limit.usd_per_gpu is None:
        words.append(say("There is no price at which buying and the API cost the same: {reason}.", reason=limit.reason))
    else:
        words.append(say("Buying costs less than the API up to **{usd} per GPU**.", usd=money(limit.usd_per_gpu)))
    return " ".join(words)


def pays_back(option: Option, report: ContractReport) -> str:
    """The payback of a way in a few words."""
    month = option.payback_month
    if month is None:
        return say("not within {months} months", months=report.chart_months)
    if month == 0:
        return say("from the start")
    words = say("month {month}", month=month)
    return words if month <= report.term_months else say("{month}, after the term", month=words)


def survives(limit: PriceLimit) -> str:
    """How far the API's price may fall, in a few words."""
    if limit.yearly_fall_share is not None:
        return say("{fall} a year", fall=percent_text(limit.yearly_fall_share))
    if limit.yearly_rise_share is not None:
        return say("none; needs a rise of {rise} a year", rise=percent_text(limit.yearly_rise_share))
    return say("does not apply")


def options_table(report: ContractReport, comparison: Comparison) -> Table:
    """Every way in a row: bill, cost over the term, payback, what it survives, break-even."""
    money = Money(comparison)
    heads = (
        "",
        say("A month, today"),
        say("Over {months} months", months=report.term_months),
        say("In today's money, {rate} a year", rate=percent_text(report.yearly_rate_share)),
        say("Pays back"),
        say("Survives an API price fall of"),
        say("Break-even, today → end of term"),
    )
    rows = [
        (
            plain(report.api.name),
            money(report.api_way.outlook.api_usd_per_month),
            money(report.api_over_term.total_usd),
            money(report.api_over_term.npv_usd),
            "",
            "",
            "",
        )
    ]
    for option in report.options:
        name = kind_name(option.kind)
        rows.append(
            (
                say("**{name}** (yours)", name=name) if option.kind == report.chosen else f"**{name}**",
                money(option.usd_per_month),
                money(option.over_term.total_usd),
                money(option.over_term.npv_usd),
                pays_back(option, report),
                survives(option.limit),
                _break_even_cell(option),
            )
        )
    return Table(heads, rows)


def _break_even_cell(option: Option) -> str:
    today, at_end = option.break_even_today, option.break_even_at_end
    if today is None or at_end is None:
        return say("none: the API is free")
    if percent_text(today) == percent_text(at_end):
        return _reach(today)
    return f"{_reach(today)} → {_reach(at_end)}"


def horizons_table(report: ContractReport, comparison: Comparison) -> Table:
    """Total cost of each way for contracts of one to five years; the lowest is bold."""
    money = Money(comparison)
    heads = ("", plain(report.api.name), *(kind_name(option.kind) for option in report.options))
    rows = []
    for index, of_api in enumerate(report.api_costs):
        totals = [of_api.total_usd, *(option.costs[index].total_usd for option in report.options)]
        label = say("{months} months", months=of_api.months)
        lowest = min(totals)
        rows.append(
            (
                say("**{label}** (the term)", label=label) if of_api.months == report.term_months else label,
                *(f"**{money(usd)}**" if usd == lowest else money(usd) for usd in totals),
            )
        )
    return Table(heads, rows)


def in_use_table(report: ContractReport) -> Table:
    """Every assumption with its low and high, and what the reader typed."""
    heads = (say("Each input"), say("In use"), say("Low to high"), say("From"))
    rows = []
    for each in report.in_use:
        asked = INPUTS[each.key]
        span, source = "", say("typed in by you")
        if each.assumed is not None:
            low, high = each.assumed.low, each.assumed.high
            span = "" if low is None or high is None else f"{_value(low)} – {_value(high)}"
            source = source_link(each.assumed)
        elif _is_neutral(each):
            source = say("no change unless you enter one")
        rows.append((plain(say(asked.label)), f"{_value(each.value)} {plain(say(asked.unit))}", span, source))
    return Table(heads, rows)


def _value(value: float) -> str:
    """An input as somebody would write it.

    >>> _value(45_000), _value(0.06), _value(163.44)
    ('45,000', '0.06', '163.44')
    """
    return number_text(f"{value:,.10g}")


def _is_neutral(each: InUse) -> bool:
    return bool(each.value == INPUTS[each.key].default)


def prices_words(report: ContractReport, comparison: Comparison) -> list[str]:
    """What a GPU costs in each way, and which ways have no price here."""
    money, sentences = Money(comparison), []
    for option in report.options:
        rents = [line for line in option.lines if line.unit == "GPU-hours"]
        if rents:
            listed = "; ".join(
                say("{name} {price} per GPU-hour", name=plain(line_name(line)), price=money.price(line.usd_per_unit))
                for line in rents
            )
            sentences.append(f"{kind_name(option.kind)}: {listed}.")
    for each in report.missing:
        sentences.append(
            say(
                "{name} is not offered: {reason}",
                name=kind_name(each.kind),
                reason=plain(each.reason.rstrip(".")),
            )
            + "."
        )
    return sentences


def contract_assumptions(report: ContractReport) -> str:
    """What every figure of the view takes for granted."""
    parts = [
        say("demand starts at {rate}", rate=tok_s(report.demand_output_tok_s)),
        say("the bill of a month is paid at its end, at the prices reached by then"),
        say("own GPUs keep their number; what they cannot serve is bought from the API at its mean price of the month"),
        say("a reservation is renewed at the price of that day, and whoever stops within its first term pays the rest"),
        say(
            "bought GPUs lose value in a straight line; after their life new ones are bought, their price follows rents"
        ),
        say("no loan, no tax on profit"),
    ]
    return say("Assumes: {parts}.", parts="; ".join(parts))
