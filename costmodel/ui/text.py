"""Every sentence and number format of the page, in one place."""

import re
from copy import copy
from html import escape

from babel import Locale
from babel.numbers import format_decimal, get_currency_symbol

from costmodel.choices import window_label
from costmodel.compare import LEFT_OUT, ApiAnswer, Comparison, money_factor, not_included, vat_share
from costmodel.dated import Dated
from costmodel.language import LOCALES, marks, spoken
from costmodel.ledger import CostLine
from costmodel.scenario import Scenario
from costmodel.words import count_text, percent_text

APP_NAME = "Self-host or API?"
TAGLINE = "What a million tokens cost on rented GPUs of your own, against the price an API charges for them."
KIND_NAMES = {
    "flat": "Round the clock",
    "business": "Business hours",
    "diurnal": "A wave over the day",
    "imported": "Imported week",
}
"""Kinds of traffic as a reader sees them."""
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
    """A number with thousands separators and exactly so many decimals, in the reader's locale."""
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    return str(format_decimal(value, format=pattern, locale=LOCALES[spoken()]))


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
        locale = LOCALES[spoken()]
        self.name = str(get_currency_symbol(scenario.currency, locale=locale))
        """The currency as axes and headings name it."""
        is_first = Locale.parse(locale).currency_formats["standard"].pattern.startswith("¤")
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
        return "1M tokens (input and output)"
    return "1M output tokens" if scenario.input_per_output == 0 else "1M output tokens with their input"


def tax_word(scenario: Scenario) -> str:
    """How amounts are to be read, where that needs saying."""
    parts = []
    if scenario.currency != "USD":
        parts.append(f"{scenario.currency} at {scenario.currency_per_usd:g} per US dollar")
    if scenario.vat_percent:
        recovered = scenario.vat_back == "yes"
        parts.append(f"{scenario.vat_percent:g} % VAT {'recovered, so not counted' if recovered else 'included'}")
    return ", ".join(parts)


def verdict(comparison: Comparison) -> str:
    """The sentence that answers: what each side costs, which is cheaper, and where that turns."""
    money, own, scenario = Money(comparison), comparison.self_host, comparison.scenario
    api = comparison.cheapest_api
    at = percent_text(scenario.utilization_percent / 100)
    if own.usd_per_mtok is None:
        return (
            f"Nothing is served at 0 % utilization: there is no cost per token, "
            f"and the rent of {money(own.usd_per_month)} a month is paid all the same."
        )
    first = f"At {at} utilization your own GPUs cost {money(own.usd_per_mtok)} per {tokens_word(scenario)}"
    if api is None or api.usd_per_mtok is None:
        return f"{first}. Choose an API with a known price on this day to compare it with."
    name = plain(api.name)
    second = f"{name} costs {money(api.usd_per_mtok)}"
    return f"{first}; {second}. {_conclusion(api, comparison.tie_tolerance_share)}"


def _conclusion(api: ApiAnswer, tie_tolerance_share: float) -> str:
    point = api.break_even
    turn = percent_text(point.utilization) if point.utilization is not None else ""
    if api.winner == "tie":
        return f"**The two cost the same** (within {percent_text(tie_tolerance_share)})."
    if point.utilization is None:
        return f"**The API is cheaper**: {point.reason}."
    if not point.reachable:
        return (
            f"**The API is cheaper at any utilization**: the break-even is not reachable ({turn}), "
            "because even fully used GPUs cost more per token."
        )
    if api.winner == "api":
        return f"**The API is cheaper**; self-hosting wins above {turn}."
    return f"**Self-hosting is cheaper**; the API wins below {turn}."


def second_look(comparison: Comparison) -> str | None:
    """Says so where the cheapest price is one that round-the-clock traffic cannot have all the time."""
    api = comparison.cheapest_api
    if api is None or api.quote is None or api.quote.choice.window is None:
        return None
    mixed = next((each for each in comparison.apis if each.id == api.id.partition("@")[0]), None)
    window = window_label(api.quote.choice.window)
    if mixed is None or mixed.usd_per_mtok is None or mixed.break_even.utilization is None:
        return f"This price holds in {window} hours only."
    money, share, turn = Money(comparison), mixed.peak_share or 0, percent_text(mixed.break_even.utilization)
    point = f"the break-even is {turn}" if mixed.break_even.reachable else f"there is no break-even either ({turn})"
    return (
        f"That price holds in {window} hours only. With {percent_text(share)} of your tokens in peak hours "
        f"{plain(mixed.name)} costs {money(mixed.usd_per_mtok)}, and {point}."
    )


def scenario_in_words(comparison: Comparison) -> str:
    """The scenario in one line, for exports."""
    scenario, own = comparison.scenario, comparison.self_host
    pools = " + ".join(f"{pool.gpus * scenario.units} × {pool.offer.name} ({pool.role})" for pool in own.pools)
    tokens = f"{scenario.input_per_output:g}:1 input to output, {scenario.cached_percent:g} % cached"
    if scenario.input_per_output == 0:
        tokens = "output tokens only"
    return f"{pools}, {count_text(own.capacity_output_tok_s)} output tok/s when full, {_load(comparison)}; {tokens}"


def _load(comparison: Comparison) -> str:
    """What the deployment has to do: its utilization, or the demand in the views that are about it."""
    scenario = comparison.scenario
    if scenario.view not in ("traffic", "demand", "hybrid"):
        return f"{scenario.utilization_percent:g} % used"
    typed, kind = scenario.demand_output_tok_s, KIND_NAMES[scenario.traffic].lower()
    served = comparison.self_host.output_tok_s if typed is None else typed
    at = "in the busiest hour" if typed is not None and scenario.demand_at == "busiest" else "on average"
    return f"demand {count_text(served)} tok/s {at} ({kind}, {scenario.timezone})"


def left_out(scenario: Scenario | None = None) -> str:
    """What the figures do not include."""
    parts = tuple(LEFT_OUT) if scenario is None else not_included(scenario)
    return f"Not included: {', '.join(parts)}." if parts else "Every line of cost this tool knows is included."


def price_date(scenario: Scenario) -> str:
    return f"Prices in force on {scenario.price_date.isoformat()}"


def export_notes(comparison: Comparison) -> list[str]:
    """What must stand beside a figure wherever it is pasted."""
    tax = tax_word(comparison.scenario)
    return [
        price_date(comparison.scenario) + (f"; amounts in {tax}" if tax else "; US dollars before tax") + ".",
        left_out(comparison.scenario),
    ]


def source_link(source: Dated) -> str:
    """A source as markdown: place, day read, basis."""
    place = source.source
    title = plain(place.document or re.sub(r"^https?://(www\.)?", "", place.url or ""))
    linked = f"[{title}]({place.url})" if place.url and re.fullmatch(r"https?://[^\s()<>]+", place.url) else title
    via = f", via {plain(place.via)}" if place.via else ""
    return f"{linked}{via}, read {place.seen.isoformat()} ({source.basis}; in force since {source.since.isoformat()})"
