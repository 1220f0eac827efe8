"""The key risk of the answer: JSON, currency twins, a reason beside each null."""

import json
from typing import Any

import pytest

from costmodel.__main__ import main
from costmodel.answer import answer_dict
from costmodel.risk.montecarlo import monte_carlo
from costmodel.risk.risk_answer import risk_dict
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


def risk(query: str) -> dict[str, Any]:
    compared = comparison(query)
    answer = answer_dict(compared, parts=risk_dict(CATALOG, compared))
    text = json.dumps(answer, allow_nan=False)
    found: dict[str, Any] = json.loads(text)["risk"]
    return found


def nulls(value: Any, path: str = "") -> list[str]:
    """Paths of nulls that have no reason beside them."""
    if isinstance(value, list):
        return [each for index, item in enumerate(value) for each in nulls(item, f"{path}[{index}]")]
    if not isinstance(value, dict):
        return []
    found = [each for key, item in value.items() for each in nulls(item, f"{path}.{key}")]
    bare = [key for key, item in value.items() if item is None and not key.endswith("_in_currency")]
    return found + [
        f"{path}.{key}"
        for key in bare
        if not any(key.startswith(name[: -len("_reason")]) for name in value if name.endswith("_reason"))
    ]


@pytest.mark.parametrize("query", SCENARIOS)
def test_nothing_is_null_without_a_reason(query: str) -> None:
    assert nulls(risk(query)) == []


def test_it_holds_the_published_turns() -> None:
    found = {turn["key"]: turn for turn in risk(NODE)["turns"]}
    assert found["demand"]["turns_at"] == pytest.approx(11_675.926)
    assert found["tps"]["turns_at"] is None
    assert "same money" in found["tps"]["turns_at_reason"]


def test_amounts_have_their_twins() -> None:
    found = risk(f"{CLUSTER}&cur=EUR&fx=0.9&vat=20")
    assert found["saving_usd_per_month_in_currency"] == pytest.approx(found["saving_usd_per_month"] * 0.9 * 1.2)
    draws = found["monte_carlo"]
    assert draws["saving_usd_per_month_p5_in_currency"] == pytest.approx(draws["saving_usd_per_month_p5"] * 1.08)
    swing = found["tornado"][0]
    assert swing["at_low"]["saving_usd_per_month_in_currency"] == pytest.approx(
        1.08 * swing["at_low"]["saving_usd_per_month"]
    )


def test_the_draws_are_those_of_monte_carlo() -> None:
    expected, found = monte_carlo(CATALOG, comparison(CLUSTER)), risk(CLUSTER)["monte_carlo"]
    assert found["win_share"] == expected.rented.win_share
    assert found["draws"] == 10_000
    assert [fleet["units"] for fleet in found["fleets"]] == [1, 2, 3, 4, 5, 6]


def test_without_a_price_it_is_null_with_the_reason() -> None:
    answer = risk_dict(CATALOG, comparison(f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5"))
    assert answer["risk"] is None
    assert "no API with a known price" in answer["risk_reason"]


def test_the_command_line_computes_it_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", NODE]) == 0
    assert "risk" not in json.loads(capsys.readouterr().out)
    assert main(["compare", NODE, "--risk"]) == 0
    assert json.loads(capsys.readouterr().out)["risk"]["monte_carlo"]["seed"] == 1
