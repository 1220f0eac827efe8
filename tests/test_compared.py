"""Pinned scenarios beside the open one: each with its own answer, in the open one's terms; and what differs."""

from datetime import date
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.answer import answer_dict
from costmodel.answer_compared import compared_dict
from costmodel.catalog import catalog
from costmodel.compare import compare, money_factor
from costmodel.compared import (
    compared,
    differing,
    free_name,
    is_pinned,
    moved,
    opened_pin,
    renamed,
    with_pin,
    without,
)
from costmodel.link import LONGEST_LINK, decode, example_scenario, link, pin_of, pinned, query_of
from costmodel.pins import LONGEST_PIN_NAME, MOST_PINS, NOT_PINNED
from costmodel.scenario import INPUTS, Scenario

CATALOG = catalog()
CLUSTER, NODE = example_scenario(CATALOG, "deepinfer-128"), example_scenario(CATALOG, "node-8xh200")
EXAMPLES = sorted(CATALOG.examples)


def pins_of(*examples: str) -> tuple[str, ...]:
    return tuple(pin_of(example_scenario(CATALOG, each), name=each) for each in examples)


def changed(scenario: Scenario, **inputs: object) -> Scenario:
    return scenario.model_copy(update=inputs)


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=MOST_PINS, unique=True), st.sampled_from(EXAMPLES))
@settings(max_examples=30)
def test_each_pinned_scenario_has_its_own_answer(names: list[str], open_name: str) -> None:
    open_one = compare(CATALOG, changed(example_scenario(CATALOG, open_name), pins=pins_of(*names)))
    found = compared(CATALOG, open_one)
    of_pins = [side for side in found.sides if side.pin is not None]
    assert [side.name for side in of_pins] == names
    for side in of_pins:
        alone = compare(CATALOG, example_scenario(CATALOG, side.name))
        assert side.comparison is not None
        assert side.comparison.self_host == alone.self_host
        assert [each.usd_per_mtok for each in side.comparison.apis] == [each.usd_per_mtok for each in alone.apis]
    (is_open,) = [side for side in found.sides if side.is_open]
    assert (is_open.name == open_name) == (open_name in names)
    assert is_open.pin is not None or found.sides[0] is is_open


@given(st.lists(st.sampled_from(EXAMPLES), min_size=2, max_size=4))
@settings(max_examples=30)
def test_what_differs_is_what_differs(names: list[str]) -> None:
    scenarios = [example_scenario(CATALOG, name) for name in names]
    found = {each.asked.key: each.values for each in differing(scenarios)}
    for key, asked in INPUTS.items():
        values = tuple(getattr(each, asked.name) for each in scenarios)
        if key in NOT_PINNED:
            assert key not in found
        else:
            assert found.get(key, values[:1] * len(values)) == values


def test_other_currencies_and_bases_become_those_of_the_open_one() -> None:
    euros = changed(NODE, currency="EUR", currency_per_usd=0.5, vat_percent=20.0, basis="total")
    open_one = compare(CATALOG, changed(NODE, currency="GBP", currency_per_usd=0.8, pins=(pin_of(euros, name="In €"),)))
    side = compared(CATALOG, open_one).sides[1]
    assert side.was_in == ("EUR", "total")
    assert side.scenario.currency == "EUR"
    assert side.comparison is not None
    assert money_factor(side.comparison.scenario) == pytest.approx(0.8 * 1.2)
    assert side.comparison.self_host.usd_per_mtok == open_one.self_host.usd_per_mtok
    keys = [each.asked.key for each in compared(CATALOG, open_one).differing]
    assert keys == ["cur", "fx", "vat", "basis"]


def test_in_the_same_currency_a_pin_keeps_its_own_rate() -> None:
    dear = pin_of(changed(NODE, currency="EUR", currency_per_usd=1.1), name="Dear dollar")
    open_one = compare(CATALOG, changed(NODE, currency="EUR", currency_per_usd=0.9, pins=(dear,)))
    side = compared(CATALOG, open_one).sides[1]
    assert side.was_in == ()
    assert side.comparison is not None
    assert side.comparison.money_factor == 1.1


def test_a_pin_without_an_answer_says_why() -> None:
    small = pin_of(changed(NODE, gpus=1), name="Small")
    found = compared(CATALOG, compare(CATALOG, changed(NODE, pins=(small,))))
    assert found.sides[1].comparison is None
    assert "does not fit" in (found.sides[1].reason or "")
    assert [side.name for side in found.answered] == [""]


def test_the_worked_example() -> None:
    """16 B200 at 60 %: 79.0 % to break even, the cluster 76.4 % (tokely.me, 25 October 2026)."""
    open_one = compare(CATALOG, changed(CLUSTER, pins=pins_of("deepinfer-16", "node-8xh200")))
    answer = compared_dict(CATALOG, open_one)["compared"]
    turns = [each["break_even_utilization"] for each in answer["scenarios"]]
    assert turns == pytest.approx([0.76408, 0.78998, 0.77840], abs=5e-5)
    assert [each["winner"] for each in answer["scenarios"]] == ["api", "api", "api"]
    assert [each["usd_per_month"] for each in answer["scenarios"]] == pytest.approx([880_128, 99_072, 36_821.2])
    gpus = next(each for each in answer["differing"] if each["key"] == "gpus")
    assert gpus["values"] == [64, 8, 8]
    days = next(each for each in answer["differing"] if each["key"] == "asof")
    assert days["values"] == ["2026-10-25", "2026-10-25", "2026-09-25"]


def test_the_answer_has_the_key_only_where_scenarios_are_pinned() -> None:
    assert "compared" not in answer_dict(compare(CATALOG, CLUSTER))
    staffed = changed(NODE, staff_fte=1.0, vat_percent=20.0, currency="EUR", currency_per_usd=0.9)
    answer = answer_dict(compare(CATALOG, changed(staffed, pins=pins_of("deepinfer-16"))))
    first, second = answer["compared"]["scenarios"]
    for key in ("usd_per_mtok", "usd_per_month"):
        assert first[key] == pytest.approx(answer["self_host"][key])
        assert first[f"{key}_in_currency"] == pytest.approx(answer["self_host"][f"{key}_in_currency"])
    assert first["api_usd_per_month_in_currency"] == pytest.approx(first["api_usd_per_month"] * 0.9 * 1.2)
    assert second["usd_per_month_in_currency"] == pytest.approx(99_072 * 0.9)
    again = decode(CATALOG, query_of(second["link"])).scenario
    assert again.gpus == example_scenario(CATALOG, "deepinfer-16").gpus


def test_pinning_adds_the_scenario_itself_once() -> None:
    first = with_pin(CATALOG, CLUSTER, name="Cluster")
    assert is_pinned(CATALOG, first)
    assert not is_pinned(CATALOG, CLUSTER)
    with pytest.raises(ValueError, match="pinned already"):
        with_pin(CATALOG, changed(first, title="Another title", view="bills", language="de"), name="Again")
    second = with_pin(CATALOG, changed(first, utilization_percent=70.0), name="Cluster")
    assert [pinned(CATALOG, text).name for text in second.pins] == ["Cluster", "Cluster (2)"]
    assert decode(CATALOG, query_of(link(second))).scenario == second


def test_a_fifth_pin_is_refused() -> None:
    full = changed(CLUSTER, pins=pins_of(*EXAMPLES[:MOST_PINS]))
    with pytest.raises(ValueError, match="remove one first"):
        with_pin(CATALOG, changed(full, utilization_percent=1.0), name="Fifth")


def test_a_scenario_too_long_to_pin_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    digits = [sha256(str(index).encode()).hexdigest() for index in range(40)]
    own = tuple(f"custom:{digits[index][:40]}:0.{index + 1}2345:0.01:9.{index}765" for index in range(12))
    ranges = tuple(f"tps:0.{int(each[:12], 16)}:0.{int(each[12:24], 16)}" for each in digits)
    dense = changed(NODE, apis=own, ranges=ranges, profile="".join(digits)[:336])
    for full in (dense, changed(dense, ranges=ranges * 4)):
        with pytest.raises(ValueError, match="This scenario has too many inputs of its own"):
            with_pin(CATALOG, full, name="Full")
    monkeypatch.setattr("costmodel.compared.LONGEST_LINK", 700)
    with pytest.raises(ValueError, match="longer than 700"):
        with_pin(CATALOG, NODE, name="Node")
    assert LONGEST_LINK > 700


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4, unique=True), st.data(), st.integers(-5, 5))
@settings(max_examples=30)
def test_moving_removing_and_renaming_keep_the_rest(names: list[str], data: st.DataObject, by: int) -> None:
    scenario = changed(CLUSTER, pins=pins_of(*names))
    text = data.draw(st.sampled_from(scenario.pins))
    after = moved(scenario, text, by=by)
    assert sorted(after.pins) == sorted(scenario.pins)
    assert [each for each in after.pins if each != text] == [each for each in scenario.pins if each != text]
    at = scenario.pins.index(text)
    assert after.pins.index(text) == min(max(at + by, 0), len(names) - 1)
    assert without(scenario, text).pins == tuple(each for each in scenario.pins if each != text)
    new = renamed(CATALOG, scenario, text, name="A new ~ name")
    assert new.pins[:at] + new.pins[at + 1 :] == scenario.pins[:at] + scenario.pins[at + 1 :]
    assert pinned(CATALOG, new.pins[at]).name == "A new ~ name"
    assert pinned(CATALOG, new.pins[at]).scenario == pinned(CATALOG, text).scenario


def test_a_name_taken_gets_a_number_and_a_long_one_is_cut() -> None:
    scenario = changed(CLUSTER, pins=(pin_of(NODE, name="n" * LONGEST_PIN_NAME),))
    name = free_name(CATALOG, scenario, "n" * 200)
    assert len(name) == LONGEST_PIN_NAME
    assert name.endswith("n (2)")
    assert renamed(CATALOG, scenario, scenario.pins[0], name="n" * LONGEST_PIN_NAME) == scenario


def test_opening_a_pin_keeps_pins_view_and_language() -> None:
    scenario = changed(CLUSTER, pins=pins_of("node-8xh200"), view="compare", language="es")
    opened = opened_pin(CATALOG, scenario, scenario.pins[0])
    kept = {"title": "node-8xh200", "view": "compare", "language": "es", "pins": scenario.pins}
    assert opened == changed(NODE, **kept)
    assert opened.price_date == date(2026, 9, 25)
    assert is_pinned(CATALOG, opened)
