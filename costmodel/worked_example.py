"""From the two published analyses to this tool's own figures: what it repeats, and where and why it differs.

Each step is a published statement beside the answer to a link, so the figures are those of the page itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of
from costmodel.words import count_text, marked, percent_text, usd_text

CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
_OFF_PEAK, _ALL_DAY = "&api=deepseek:deepseek-flash@off_peak", "&api=deepseek:deepseek-flash"
_FOUR_TO_ONE = "&ratio=4&cached=50"
ARTICLES = {
    CLUSTER: "tokely.me, 25 October 2026: a rented cluster of 128 GPUs against DeepSeek's API",
    NODE: "pikas.systems, September 2026: a node of eight H200 for 300 tok/s",
}


@dataclass(frozen=True)
class Step:
    """A published statement and the link that answers it here."""

    said: str
    query: str
    figure: Callable[[Comparison], float]
    text: Callable[[float], str]
    why: str
    """What the difference comes from, or why there is none."""


@dataclass(frozen=True)
class Answered:
    """A step with this tool's figure."""

    step: Step
    figure: float

    @property
    def text(self) -> str:
        return self.step.text(self.figure)


def _bill(comparison: Comparison) -> float:
    return comparison.self_host.usd_per_month


def _api_bill(comparison: Comparison) -> float:
    return comparison.apis[0].usd_per_month or 0


def _break_even(comparison: Comparison) -> float:
    return comparison.apis[0].break_even.utilization or 0


def _break_even_tok_s(comparison: Comparison) -> float:
    return comparison.apis[0].break_even.output_tok_s or 0


def _cost(comparison: Comparison) -> float:
    return comparison.self_host.usd_per_mtok or 0


def _own_in_euro(comparison: Comparison) -> float:
    return comparison.self_host.usd_per_month * comparison.money_factor


def _peak_share(comparison: Comparison) -> float:
    return comparison.apis[0].peak_share or 0


def _euro(value: float) -> str:
    return marked(count_text(value), currency="€")


def _tok_s(value: float) -> str:
    return f"{count_text(value)} tok/s"


STEPS: dict[str, tuple[Step, ...]] = {
    CLUSTER: (
        Step(
            "“$880,128 across a 30-day month”",
            CLUSTER + _OFF_PEAK,
            _bill,
            usd_text,
            "The same: 720 hours at list prices.",
        ),
        Step(
            "“$0.92 at 50 percent utilization”",
            f"{CLUSTER}{_OFF_PEAK}&util=50",
            _cost,
            usd_text,
            "The same, not rounded.",
        ),
        Step(
            "“the 76% line”: off-peak price, all hours",
            CLUSTER + _OFF_PEAK,
            _break_even,
            percent_text,
            "The same. It takes all tokens as off-peak.",
        ),
        Step(
            "Not in the article: the same traffic round the clock",
            CLUSTER + _ALL_DAY,
            _break_even,
            percent_text,
            "20.8 % of a plain week are peak hours at twice the price, which makes the API dearer.",
        ),
        Step(
            "“about 51 percent” with 4:1 input, half of it cached",
            f"{CLUSTER}{_OFF_PEAK}{_FOUR_TO_ONE}",
            _break_even,
            percent_text,
            "The same, still off-peak only.",
        ),
        Step(
            "Not in the article: that, round the clock",
            f"{CLUSTER}{_ALL_DAY}{_FOUR_TO_ONE}",
            _break_even,
            percent_text,
            "Input, cache and peak hours together: a little more than half of “the 76% line”.",
        ),
        Step(
            "“below $880,000 paying per token costs less”",
            f"?scenario=deepinfer-16{_OFF_PEAK}",
            _bill,
            usd_text,
            "Holds for one unit of 128 GPUs. A unit of 16 GPUs already replaces an API bill of up to $125,411 a month.",
        ),
        Step(
            "Not in the article: 20:1 input, 95 % cached on both sides",
            f"{CLUSTER}{_OFF_PEAK}&ratio=20&cached=95&own_cached=95&prefill_tps=60000",
            _break_even,
            percent_text,
            "As many hits in the own cache as the API bills: self-hosting can win.",
        ),
        Step(
            "The same without a cache of one's own",
            f"{CLUSTER}{_OFF_PEAK}&ratio=20&cached=95&own_cached=0&prefill_tps=60000",
            _break_even,
            percent_text,
            "The own cache decides: reading every prompt anew, prefill binds and the break-even is out of reach.",
        ),
    ),
    NODE: (
        Step("“$36,821 a month” for the node", NODE + _OFF_PEAK, _bill, usd_text, "The same: 730 hours at $50.44."),
        Step("About $946 for the same tokens", NODE + _OFF_PEAK, _api_bill, usd_text, "The same, all of it off-peak."),
        Step(
            "Not in the article: round the clock",
            NODE + _ALL_DAY,
            _api_bill,
            usd_text,
            "20.8 % of the hours cost twice as much.",
        ),
        Step(
            "“about $714” with half of the input cached",
            f"{NODE}{_OFF_PEAK}&cached=50",
            _api_bill,
            usd_text,
            "The same: cached input is part of the input.",
        ),
        Step("“around 11,700 tok/s sustained”", NODE + _OFF_PEAK, _break_even_tok_s, _tok_s, "The same, not rounded."),
        Step(
            "Not in the article: round the clock",
            NODE + _ALL_DAY,
            _break_even_tok_s,
            _tok_s,
            "Peak hours make the API dearer, so less traffic pays for the node.",
        ),
        Step(
            "“the person” is left out",
            f"{NODE}{_OFF_PEAK}&staff=0.2&staff_usd=150000",
            _break_even_tok_s,
            _tok_s,
            "A fifth of an engineer, $2,500 a month, moves it.",
        ),
        Step(
            "No second node for failures",
            f"{NODE}{_OFF_PEAK}&spare=1",
            _break_even_tok_s,
            _tok_s,
            "A spare node doubles it, beyond what one node can serve.",
        ),
        Step(
            "“€33,900” at 0.92 euros per dollar",
            f"{NODE}{_OFF_PEAK}&cur=EUR&asof=2026-09-10",
            _own_in_euro,
            _euro,
            "The ECB's rate was 0.8609 on 10 September 2026.",
        ),
        Step(
            "Peak “lands on Beijing hours, not on a European support queue”",
            f"{NODE}{_ALL_DAY}&traffic=business&tz=Europe/Madrid&calendar=year",
            _peak_share,
            percent_text,
            "Office hours in Madrid do meet the second peak window, 06 to 10 UTC. Chinese holidays are off-peak; "
            "without them it would be 32.2 %.",
        ),
        Step(
            "GPT-5.6 Terra at $2.50 and $15",
            f"{NODE}&api=openai:gpt-5.6-terra",
            _api_bill,
            usd_text,
            "Its price fell to $2 and $12 on 30 July 2026, before the article appeared.",
        ),
    ),
}
"""By the example each article is."""


def answered(catalog: Catalog, example: str) -> tuple[Answered, ...]:
    """The steps of one article with this tool's figures, computed from the prices of the article's day."""

    def figure(step: Step) -> float:
        return step.figure(compare(catalog, decode(catalog, query_of(step.query)).scenario))

    return tuple(Answered(step, figure(step)) for step in STEPS[example])
