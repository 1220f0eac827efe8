"""What decides besides money: the reader's answers, weighed. They change the verdict's sentence, never a figure."""

from dataclasses import dataclass
from typing import Literal

from costmodel.compare import Comparison

Reason = Literal["gateway", "compliance", "identical_outputs", "speed", "no_owner", "no_owner_but_needed"]


@dataclass(frozen=True)
class Decision:
    """What decides, for which side, and what following it costs a month more than the cheapest API or own GPUs."""

    reason: Reason
    also: tuple[Reason, ...]
    """Further reasons for the same side."""
    side: Literal["self_host", "api", "neither"]
    usd_per_month: float | None
    """Dearer side minus cheaper side where the decision is for the dearer one: the price of it. Negative where the
    decision is for the cheaper side anyway; None where no API price is known, or where it is for neither."""


def decision(comparison: Comparison) -> Decision | None:
    """What besides money decides this scenario; None where no answer does, and the bills decide.

    Formula: price of it = bill of the side it asks for - bill of the other side
    Assumes: what must not leave the house, must be bit-identical or must be faster than any API can only be
    self-hosted; what nobody operates must not be self-hosted; keys and quotas are the task of a gateway, on either
    side.
    Source: pikas.systems, September 2026: “the problem is the gateway and not the GPUs”; “the price of compliance, not
    the price of tokens”. tokely.me, 25 October 2026, on bit-identical outputs.

    >>> from costmodel.catalog import catalog
    >>> from costmodel.compare import compare
    >>> from costmodel.link import decode, query_of
    >>> found = decision(compare(catalog(), decode(catalog(), query_of("?scenario=node-8xh200&leave=no")).scenario))
    >>> found.reason, found.side, round(found.usd_per_month)
    ('compliance', 'self_host', 35875)
    """
    scenario, api = comparison.scenario, comparison.cheapest_api
    extra = None
    if api is not None and api.usd_per_month is not None:
        extra = comparison.self_host.usd_per_month - api.usd_per_month
    answers: dict[Reason, bool] = {
        "compliance": scenario.may_leave == "no",
        "identical_outputs": scenario.identical_outputs == "yes",
        "speed": scenario.faster_than_api == "yes",
    }
    asks_for_own = [reason for reason, applies in answers.items() if applies]
    if asks_for_own and scenario.has_owner == "no":
        return Decision("no_owner_but_needed", tuple(asks_for_own), "neither", extra)
    if asks_for_own:
        return Decision(asks_for_own[0], tuple(asks_for_own[1:]), "self_host", extra)
    if scenario.trouble == "keys":
        return Decision("gateway", (), "neither", None)
    if scenario.has_owner == "no":
        return Decision("no_owner", (), "api", None if extra is None else -extra)
    return None
