"""The sentences of what decides besides money."""

from costmodel.beyond_money import Decision, Reason, decision
from costmodel.compare import Comparison
from costmodel.ui.text import Money

_NEEDS: dict[Reason, str] = {
    "compliance": "the text may not leave the house",
    "identical_outputs": "outputs must be bit-identical",
    "speed": "users were promised more speed than the API delivers",
}
_DECIDES: dict[Reason, str] = {
    "compliance": "Compliance decides",
    "identical_outputs": "Bit-identical outputs decide",
    "speed": "The promised speed decides",
}


def decided_by(comparison: Comparison) -> str | None:
    """The sentence that goes before the verdict where something besides money decides."""
    found = decision(comparison)
    return None if found is None else _sentence(found, Money(comparison))


def _sentence(found: Decision, money: Money) -> str:
    if found.reason == "gateway":
        return (
            "**The problem is the gateway, not the GPUs**: own GPUs will not tell who spends what. One entry point "
            "with keys, quotas and attribution does, whichever side serves the tokens."
        )
    if found.reason == "no_owner_but_needed":
        needs = " and ".join(_NEEDS[each] for each in found.also)
        return (
            f"**Neither yet**: {needs}, so an outside API is ruled out, and nobody is there to operate GPUs. Find the "
            f"owner first{_price(found, money, ' They cost')}."
        )
    if found.reason == "no_owner":
        price = _price(found, money, " It costs")
        return f"**The owner decides**: nobody operates GPUs here, so it is the API{price}."
    also = "".join(f"; {_NEEDS[each]}, too" for each in found.also)
    needs, price = f"{_NEEDS[found.reason]}{also}", _price(found, money, " The price of it is")
    return f"**{_DECIDES[found.reason]}**: {needs}, so the model has to run on GPUs of your own{price}."


def _price(found: Decision, money: Money, words: str) -> str:
    """What following the decision costs more, or that it costs nothing."""
    if found.usd_per_month is None:
        return ""
    if found.usd_per_month <= 0:
        return ", which is the cheaper side anyway"
    return f".{words} {money.rough(found.usd_per_month)} a month"
