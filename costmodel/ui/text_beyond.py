"""The sentences of what decides besides money."""

from collections.abc import Callable

from costmodel.beyond_money import Decision, Reason, decision
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.ui.text import Money


def _need(reason: Reason) -> str:
    """What the reader said is needed."""
    return {
        "compliance": say("the text may not leave the house"),
        "identical_outputs": say("outputs must be bit-identical"),
        "speed": say("users were promised more speed than the API delivers"),
    }[reason]


def _decides(reason: Reason) -> str:
    return {
        "compliance": say("Compliance decides"),
        "identical_outputs": say("Bit-identical outputs decide"),
        "speed": say("The promised speed decides"),
    }[reason]


def decided_by(comparison: Comparison) -> str | None:
    """The sentence that goes before the verdict where something besides money decides."""
    found = decision(comparison)
    return None if found is None else _sentence(found, Money(comparison))


def _sentence(found: Decision, money: Money) -> str:
    if found.reason == "gateway":
        return say(
            "**The problem is the gateway, not the GPUs**: own GPUs will not tell who spends what. One entry point "
            "with keys, quotas and attribution does, whichever side serves the tokens."
        )
    if found.reason == "no_owner_but_needed":
        return _with_price(
            say(
                "**Neither yet**: {needs}, so an outside API is ruled out, and nobody is there to operate GPUs. Find "
                "the owner first",
                needs=say(" and ").join(_need(each) for each in found.also),
            ),
            found,
            lambda amount: say("They cost {amount} a month", amount=amount),
            money,
        )
    if found.reason == "no_owner":
        return _with_price(
            say("**The owner decides**: nobody operates GPUs here, so it is the API"),
            found,
            lambda amount: say("It costs {amount} a month", amount=amount),
            money,
        )
    also = "".join(say("; {need}, too", need=_need(each)) for each in found.also)
    return _with_price(
        say(
            "**{what}**: {needs}, so the model has to run on GPUs of your own",
            what=_decides(found.reason),
            needs=f"{_need(found.reason)}{also}",
        ),
        found,
        lambda amount: say("The price of it is {amount} a month", amount=amount),
        money,
    )


def _with_price(decided: str, found: Decision, words: Callable[[str], str], money: Money) -> str:
    """The sentence, with what following the decision costs more, or that it costs nothing."""
    if found.usd_per_month is None:
        return f"{decided}."
    if found.usd_per_month <= 0:
        return say("{decided}, which is the cheaper side anyway.", decided=decided)
    return f"{decided}. {words(money.rough(found.usd_per_month))}."
