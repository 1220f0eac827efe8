"""Where self-hosting and the API cost the same, and why there may be no such point.

Every closed form below is one row of the same equation: rent per hour = tokens per hour · API price of a bundle.
"""

from dataclasses import dataclass
from typing import Literal

from costmodel.language import say
from costmodel.selfhost import usd_per_bundle
from costmodel.units import SECONDS_PER_HOUR, TOKENS_PER_MTOK
from costmodel.words import count_text, percent_text

Winner = Literal["self_host", "api", "tie"]


def break_even_utilization(
    *, usd_per_hour: float, capacity_output_tok_s: float, api_usd_per_bundle: float
) -> float | None:
    """Utilization at which the own deployment costs as much per token as the API. None for a free API.

    Formula: u* = c(1) / A, with c(1) the cost of a bundle at full utilization
    Assumes: output is sold or used in full; above 1 there is no break-even, and the number says by how much.
    Source: tokely.me, 25 October 2026: 76 % against $0.60, 57 % against $0.80, 38 % against $1.20.

    >>> [round(break_even_utilization(usd_per_hour=1_222.40, capacity_output_tok_s=740_659.2, api_usd_per_bundle=a), 4)
    ...  for a in (0.60, 0.80, 1.20)]
    [0.7641, 0.5731, 0.382]
    """
    if api_usd_per_bundle <= 0:
        return None
    at_full = usd_per_bundle(usd_per_hour=usd_per_hour, capacity_output_tok_s=capacity_output_tok_s, utilization=1)
    return at_full / api_usd_per_bundle


def break_even_output_tok_s(*, usd_per_hour: float, api_usd_per_bundle: float) -> float | None:
    """Sustained output at which the API bill equals the rent. None for a free API.

    Formula: D* = F · 1,000,000 / (3,600 · A)
    Assumes: one unit carries that demand; where D* is above its capacity there is no break-even.
    Source: pikas.systems, September 2026: about 11,700 tok/s for 8 H200 at $50.44 an hour against $1.20.

    >>> round(break_even_output_tok_s(usd_per_hour=50.44, api_usd_per_bundle=1.20))
    11676
    """
    if api_usd_per_bundle <= 0:
        return None
    return usd_per_hour * TOKENS_PER_MTOK / (SECONDS_PER_HOUR * api_usd_per_bundle)


def break_even_api_usd_per_bundle(*, usd_per_hour: float, output_tok_s: float) -> float | None:
    """The API price of a bundle at which the served output costs the same. None where no tokens are served.

    Formula: A* = F · 1,000,000 / (3,600 · D)
    Assumes: the served output D stays as it is.
    Source: the same equation solved for the price.

    >>> round(break_even_api_usd_per_bundle(usd_per_hour=50.44, output_tok_s=300), 2)
    46.7
    """
    if output_tok_s <= 0:
        return None
    return usd_per_hour * TOKENS_PER_MTOK / (SECONDS_PER_HOUR * output_tok_s)


def break_even_usd_per_gpu_hour(
    *, api_usd_per_bundle: float, output_tok_s: float, other_usd_per_hour: float, gpus: float
) -> float | None:
    """The mean GPU price at which the served output costs as much as the API. None where no price is low enough.

    Formula: g* = (A · D · 3,600 / 1,000,000 - other costs per hour) / GPUs
    Assumes: one price for all GPUs of the unit; where other costs alone exceed the API bill there is no such price.
    Source: the same equation solved for the rent.

    >>> round(break_even_usd_per_gpu_hour(api_usd_per_bundle=0.60, output_tok_s=740_659.2, other_usd_per_hour=0,
    ...                                   gpus=128), 2)
    12.5
    """
    usd_left = api_usd_per_bundle * output_tok_s * SECONDS_PER_HOUR / TOKENS_PER_MTOK - other_usd_per_hour
    return usd_left / gpus if usd_left > 0 else None


def winner(*, self_host_usd: float, api_usd: float, tolerance_share: float) -> Winner:
    """Which of two bills is lower; a tie where they differ by no more than the tolerance.

    Formula: tie if |self - API| ≤ tolerance · larger bill
    Assumes: a difference below the tolerance is noise of the inputs, not a saving.
    Source: the tolerance is a judgement of this project (prices/assumptions.yaml).

    >>> winner(self_host_usd=100.05, api_usd=100, tolerance_share=0.001)
    'tie'
    """
    if abs(self_host_usd - api_usd) <= tolerance_share * max(self_host_usd, api_usd):
        return "tie"
    return "self_host" if self_host_usd < api_usd else "api"


def free_api() -> str:
    """Why no break-even exists against an API that costs nothing for these tokens."""
    return say("the API is free for this token mix, so no rent can match it")


@dataclass(frozen=True)
class BreakEven:
    """The break-even against one API. `reason` says why there is none, or is empty where there is one."""

    utilization: float | None
    output_tok_s: float | None
    reachable: bool
    reason: str | None


def break_even(
    *, usd_per_hour: float, capacity_output_tok_s: float, api_usd_per_bundle: float, binding: str
) -> BreakEven:
    """Break-even utilization and output against one API, with the reason where there is none.

    A utilization above 1 is kept as the number it is, marked unreachable: it says how far away the break-even is.
    """
    utilization = break_even_utilization(
        usd_per_hour=usd_per_hour,
        capacity_output_tok_s=capacity_output_tok_s,
        api_usd_per_bundle=api_usd_per_bundle,
    )
    output_tok_s = break_even_output_tok_s(usd_per_hour=usd_per_hour, api_usd_per_bundle=api_usd_per_bundle)
    if utilization is None or output_tok_s is None:
        return BreakEven(None, None, False, free_api())
    if utilization > 1:
        limit = {
            "decode": say("generating output"),
            "prefill": say("reading prompts"),
            "shared": say("prompts and output together"),
        }
        reason = say(
            "not reachable ({utilization}): even fully used, self-hosting costs {times} times the API price. Its limit "
            "is {limit} ({capacity} output tok/s); it would need {needed} tok/s, or a rent lower by {lower}",
            utilization=percent_text(utilization),
            times=count_text(utilization),
            limit=limit[binding],
            capacity=count_text(capacity_output_tok_s),
            needed=count_text(output_tok_s),
            lower=percent_text(1 - 1 / utilization),
        )
        return BreakEven(utilization, output_tok_s, False, reason)
    return BreakEven(utilization, output_tok_s, True, None)
