"""Every sentence and number format of the page, in one place."""

import re
from copy import copy
from decimal import Decimal
from functools import cache
from html import escape

from babel import Locale
from babel.numbers import get_currency_symbol

from costmodel.choices import window_label
from costmodel.compare import LEFT_OUT, ApiAnswer, Comparison, money_factor, not_included, vat_share
from costmodel.dated import Dated
from costmodel.language import LOCALES, marks, number_text, say, spoken
from costmodel.ledger import CostLine
from costmodel.records import Commitment
from costmodel.scenario import Scenario
from costmodel.words import count_text, percent_text

APP_NAME = "Self-host or API?"
TAGLINE = "What a million tokens cost on rented GPUs of your own, against the price an API charges for them."
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")
_REWRITTEN = re.compile(r":(?=\S)|@(?=\S)|\bwww(?=\.)|(?<!\S)(<->|<-|->|--|>=|<=|~=)(?!\S)", re.IGNORECASE)
"""What Streamlit turns into icons, links, arrows and dashes."""


def plain(text: str) -> str:
    """Text of a reader or a file as markdown that shows exactly that text.

    A word joiner, which has no width, keeps `:name:` from becoming an icon and an address from becoming a link.
    """
    return _MARKDOWN.sub(r"\\\1", _REWRITTEN.sub("\\g<0>\u2060", text))


def shown(markdown: str) -> str:
    """Finished markdown for the page: a percent sign stays with its number, a dollar sign starts no formula."""
    return markdown.replace("$", "\\$").replace(" %", "\u00a0%")


def chart_text(text: str) -> str:
    """The same for plotly, which reads tags in its labels."""
    return escape(text, quote=False)


def number(value: float, digits: int) -> str:
    """A number with thousands separators and exactly so many decimals, in the reader's locale.

    Of its shortest decimal form, ties to even, as babel rounds; babel itself would take ten times as long, and a chart
    has hundreds of numbers.
    """
    return number_text(f"{Decimal(str(float(value))):,.{digits}f}")


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(LOCALES[code])


def as_typed(value: float) -> str:
    """A number as short as somebody would type it.

    >>> as_typed(0.92), as_typed(720)
    ('0.92', '720')
    """
    return number_text(f"{value:g}")


def dollars(usd: float) -> str:
    """A list price, which is in dollars whatever the scenario's currency.

    >>> dollars(8.6)
    '$8.6'
    """
    return say("${amount}", amount=as_typed(usd))


def quantity(value: float) -> str:
    """How much of something a bill counts, with the digits that matter: 46,080 · 788.4 · 0.0473."""
    if value == int(value):
        return number(value, 0)
    return number(value, 1 if value >= 10 else 2 if value >= 1 else _decimals(value, 3))


class Money:
    """Amounts in the scenario's currency, tax included: converted once, here, and formatted alike everywhere."""

    def __init__(self, of: Comparison | Scenario) -> None:
        scenario = of if isinstance(of, Scenario) else of.scenario
        self.factor = money_factor(scenario)
        self.factor_without_vat = scenario.currency_per_usd
        self.vat_share = vat_share(scenario)
        locale = _locale(spoken())
        self.name = str(get_currency_symbol(scenario.currency, locale=locale))
        """The currency as axes and headings name it."""
        is_first = locale.currency_formats["standard"].pattern.startswith("¤")
        gap = "\u00a0" if len(self.name) > 1 or not is_first else ""
        self.around = (f"{self.name}{gap}", "") if is_first else ("", f"{gap}{self.name}")
        """What goes before and after a number."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[float, tuple[str, str]]:
        return self.factor, self.around

    def marked(self, text: str) -> str:
        """A number's text, or a chart's format of one, with the currency where the language puts it."""
        before, after = self.around
        return f"{before}{text}{after}"

    def of_line(self, line: CostLine) -> "Money":
        """For the amounts of a bill's line: without VAT where it bears none."""
        if line.bears_vat:
            return self
        of_line = copy(self)
        of_line.factor = self.factor_without_vat
        return of_line

    def amount(self, usd: float) -> float:
        return usd * self.factor

    def __call__(self, usd: float) -> str:
        """The digits that matter: 880,128 · 46.70 · 0.60 · 0.764 · 0.003."""
        value = self.amount(usd)
        sign, size = ("−" if value < 0 else ""), abs(value)
        if size == 0:
            text = "0"
        elif size >= 1_000:
            text = number(size, 0)
        elif size >= 1:
            text = number(size, 2)
        else:
            text = _trimmed(number(size, _decimals(size, 3)))
        return f"{sign}{self.marked(text)}"

    def rough(self, usd: float) -> str:
        """Three digits, for amounts that are said rather than checked: 35,900."""
        value = self.amount(usd)
        return self(usd) if abs(value) < 1_000 else self.marked(number(float(f"{value:.3g}"), 0))

    def exact(self, usd: float) -> str:
        """Amounts of a bill: to the cent, small ones with the digits that matter."""
        value = self.amount(usd)
        sign, size = ("−" if value < 0 else ""), abs(value)
        cents = size >= 0.1 or size == 0
        return f"{sign}{self.marked(number(size, 2) if cents else _trimmed(number(size, _decimals(size, 4))))}"

    def price(self, usd: float) -> str:
        """A price per unit, with all its digits: 8.60 · 6.305 · 0.003."""
        value = self.amount(usd)
        return self.marked(_trimmed(number(value, max(6, _decimals(value, 3)) if value < 1 else 6)))


def _trimmed(text: str) -> str:
    """Without zeros at the end, but with cents: 0.600 is 0.60."""
    _, point = marks()
    whole, _, decimals = text.partition(point)
    return f"{whole}{point}{decimals.rstrip('0').ljust(2, '0')}"


def _decimals(size: float, significant: int) -> int:
    """Decimals that show so many significant digits of a number below 1."""
    leading_zeros = len(re.match(r"0\.(0*)", f"{size:.12f}").group(1))  # type: ignore[union-attr]
    return min(leading_zeros + significant, 12)


def tokens_word(scenario: Scenario) -> str:
    """What a price is per."""
    if scenario.basis == "total":
        return say("1M tokens (input and output)")
    return say("1M output tokens") if scenario.input_per_output == 0 else say("1M output tokens with their input")


def tax_word(scenario: Scenario) -> str:
    """How amounts are to be read, where that needs saying."""
    parts = []
    if scenario.currency != "USD":
        rate = as_typed(scenario.currency_per_usd)
        parts.append(say("{currency} at {rate} per US dollar", currency=scenario.currency, rate=rate))
    if scenario.vat_percent:
        percent = as_typed(scenario.vat_percent)
        if scenario.vat_back == "yes":
            parts.append(say("{percent} % VAT recovered, so not counted", percent=percent))
        else:
            parts.append(say("{percent} % VAT included", percent=percent))
    return ", ".join(parts)


def verdict(comparison: Comparison) -> str:
    """The sentence that answers: what each side costs, which is cheaper, and where that turns."""
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    api = comparison.cheapest_api
    at = percent_text(scenario.utilization_percent / 100)
    if own.usd_per_mtok is None:
        return say(
            "Nothing is served at 0 % utilization: there is no cost per token, "
            "and the rent of {amount} a month is paid all the same.",
            amount=money(own.usd_per_month),
        )
    first = say(
        "At {share} utilization your own GPUs cost {cost} per {tokens}",
        share=at,
        cost=money(own.usd_per_mtok),
        tokens=tokens_word(scenario),
    )
    if api is None or api.usd_per_mtok is None:
        return say("{answer}. Choose an API with a known price on this day to compare it with.", answer=first)
    second = say("{api} costs {price}", api=plain(api.name), price=money(api.usd_per_mtok))
    return f"{first}; {second}. {_conclusion(api, comparison.tie_tolerance_share)}"


def _conclusion(api: ApiAnswer, tie_tolerance_share: float) -> str:
    point = api.break_even
    turn = percent_text(point.utilization) if point.utilization is not None else ""
    if api.winner == "tie":
        return say("**The two cost the same** (within {share}).", share=percent_text(tie_tolerance_share))
    if point.utilization is None:
        return say("**The API is cheaper**: {reason}.", reason=point.reason)
    if not point.reachable:
        return say(
            "**The API is cheaper at any utilization**: the break-even is not reachable ({turn}), "
            "because even fully used GPUs cost more per token.",
            turn=turn,
        )
    if api.winner == "api":
        return say("**The API is cheaper**; self-hosting wins above {turn}.", turn=turn)
    return say("**Self-hosting is cheaper**; the API wins below {turn}.", turn=turn)


def second_look(comparison: Comparison) -> str | None:
    """Says so where the cheapest price is one that round-the-clock traffic cannot have all the time."""
    api = comparison.cheapest_api
    if api is None or api.quote is None or api.quote.choice.window is None:
        return None
    mixed = next((each for each in comparison.apis if each.id == api.id.partition("@")[0]), None)
    window = window_label(api.quote.choice.window)
    if mixed is None or mixed.usd_per_mtok is None or mixed.break_even.utilization is None:
        return say("This price holds in {window} hours only.", window=window)
    money, share, turn = Money(comparison), mixed.peak_share or 0, percent_text(mixed.break_even.utilization)
    if mixed.break_even.reachable:
        point = say("the break-even is {turn}", turn=turn)
    else:
        point = say("there is no break-even either ({turn})", turn=turn)
    return say(
        "That price holds in {window} hours only. With {share} of your tokens in peak hours {api} costs {price}, and "
        "{point}.",
        window=window,
        share=percent_text(share),
        api=plain(mixed.name),
        price=money(mixed.usd_per_mtok),
        point=point,
    )


def scenario_in_words(comparison: Comparison) -> str:
    """The scenario in one line, for exports."""
    scenario, own = comparison.scenario, comparison.self_host
    pools = " + ".join(
        f"{pool.gpus * scenario.units} × {pool.offer.name} ({pool_word(pool.role)})" for pool in own.pools
    )
    if scenario.input_per_output == 0:
        tokens = say("output tokens only")
    else:
        ratio, cached = as_typed(scenario.input_per_output), as_typed(scenario.cached_percent)
        tokens = say("{ratio}:1 input to output, {cached} % cached", ratio=ratio, cached=cached)
    return say(
        "{pools}, {capacity} output tok/s when full, {load}; {tokens}",
        pools=pools,
        capacity=count_text(own.capacity_output_tok_s),
        load=_load(comparison),
        tokens=tokens,
    )


def commitment_word(commitment: Commitment) -> str:
    """How a rental is rented."""
    return {
        "on_demand": say("on demand"),
        "reserved_1y": say("reserved 1y"),
        "reserved_3y": say("reserved 3y"),
        "spot": say("spot"),
        "cluster": say("cluster"),
    }[commitment]


def pool_word(role: str) -> str:
    """What a pool does."""
    return {"serving": say("serving"), "decode": say("decode"), "prefill": say("prefill")}[role]


def _load(comparison: Comparison) -> str:
    """What the deployment has to do: its utilization, or the demand in the views that are about it."""
    scenario = comparison.scenario
    held = ("risk", "map", "turns") if scenario.demand_output_tok_s is not None else ()
    if scenario.view not in ("traffic", "demand", "hybrid", "contract", *held):
        return say("{percent} % used", percent=as_typed(scenario.utilization_percent))
    typed = scenario.demand_output_tok_s
    words = {
        "rate": count_text(comparison.self_host.output_tok_s if typed is None else typed),
        "kind": kind_words(scenario),
        "zone": scenario.timezone,
    }
    if typed is not None and scenario.demand_at == "busiest":
        return say("demand {rate} tok/s in the busiest hour ({kind}, {zone})", **words)
    return say("demand {rate} tok/s on average ({kind}, {zone})", **words)


def kind_words(scenario: Scenario) -> str:
    """The kind of traffic within a sentence."""
    return {
        "flat": say("round the clock"),
        "business": say("business hours"),
        "diurnal": say("a wave over the day"),
        "imported": say("imported week"),
    }[scenario.traffic]


def left_out(scenario: Scenario | None = None) -> str:
    """What the figures do not include."""
    parts = tuple(LEFT_OUT) if scenario is None else not_included(scenario)
    if not parts:
        return say("Every line of cost this tool knows is included.")
    return say("Not included: {parts}.", parts=", ".join(say(part) for part in parts))


def price_date(scenario: Scenario) -> str:
    return say("Prices in force on {day}", day=scenario.price_date.isoformat())


def export_notes(comparison: Comparison) -> list[str]:
    """What must stand beside a figure wherever it is pasted."""
    tax, prices = tax_word(comparison.scenario), price_date(comparison.scenario)
    if tax:
        first = say("{prices}; amounts in {tax}.", prices=prices, tax=tax)
    else:
        first = say("{prices}; US dollars before tax.", prices=prices)
    return [first, left_out(comparison.scenario)]


def source_link(source: Dated) -> str:
    """A source as markdown: place, day read, basis."""
    place = source.source
    title = plain(place.document or re.sub(r"^https?://(www\.)?", "", place.url or ""))
    linked = f"[{title}]({place.url})" if place.url and re.fullmatch(r"https?://[^\s()<>]+", place.url) else title
    if place.via:
        linked = say("{source}, via {place}", source=linked, place=plain(place.via))
    return say(
        "{source}, read {day} ({basis}; in force since {since})",
        source=linked,
        day=place.seen.isoformat(),
        basis=basis_word(source.basis),
        since=source.since.isoformat(),
    )


def basis_word(basis: str) -> str:
    """How a figure is known."""
    return {
        "published": say("published"),
        "reported": say("reported"),
        "quoted": say("quoted"),
        "measured": say("measured"),
        "modelled": say("modelled"),
        "assumed": say("assumed"),
    }[basis]
