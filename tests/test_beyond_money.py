"""What decides besides money: every combination of answers, and that none of them moves a figure."""

from itertools import product

import pytest

from costmodel.answer import answer_dict
from costmodel.beyond_money import decision
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of
from costmodel.scenario import INPUTS
from costmodel.ui.text_beyond import decided_by

CATALOG = catalog()
QUESTIONS = ("leave", "identical", "faster", "owner", "trouble")


def answer(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


@pytest.mark.parametrize("answers", list(product(*(INPUTS[key].choices for key in QUESTIONS))))
def test_answers_change_the_sentence_and_never_the_arithmetic(answers: tuple[str, ...]) -> None:
    query = "&".join(f"{key}={said}" for key, said in zip(QUESTIONS, answers, strict=True))
    asked, plain = answer(f"?scenario=node-8xh200&{query}"), answer("?scenario=node-8xh200")
    assert (asked.self_host, asked.apis) == (plain.self_host, plain.apis)
    found, given = decision(asked), dict(zip(QUESTIONS, answers, strict=True))
    needs_own = given["leave"] == "no" or "yes" in (given["identical"], given["faster"])
    if needs_own:
        assert found is not None
        assert found.side == ("neither" if given["owner"] == "no" else "self_host")
    elif given["trouble"] == "keys":
        assert found is not None
        assert found.reason == "gateway"
    elif given["owner"] == "no":
        assert found is not None
        assert found.side == "api"
    else:
        assert found is None
        assert decided_by(asked) is None


def test_the_price_of_compliance() -> None:
    """pikas.systems, September 2026: 36,821 $ for the node against 946 $ for the same tokens."""
    comparison = answer("?scenario=node-8xh200&leave=no&api=deepseek:deepseek-flash@off_peak")
    assert decided_by(comparison) == (
        "**Compliance decides**: the text may not leave the house, so the model has to run on GPUs of your own. "
        "The price of it is $35,900 a month."
    )
    said = answer_dict(comparison)["beyond_money"]
    assert said["price_usd_per_month"] == pytest.approx(36_821.2 - 946.08)


def test_compliance_costs_nothing_where_own_gpus_are_cheaper() -> None:
    words = decided_by(answer("?scenario=deepinfer-128&util=95&leave=no"))
    assert words is not None
    assert "which is the cheaper side anyway" in words


def test_the_price_of_having_no_owner() -> None:
    words = decided_by(answer("?scenario=deepinfer-128&util=95&owner=no"))
    assert words is not None
    assert "so it is the API. It costs $" in words


def test_the_gateway_is_one_of_the_answers() -> None:
    words = decided_by(answer("?scenario=node-8xh200&trouble=keys"))
    assert words is not None
    assert words.startswith("**The problem is the gateway, not the GPUs**")
    assert answer_dict(answer("?scenario=node-8xh200&trouble=keys"))["beyond_money"]["for"] == "neither"
