"""Pinned scenarios beside the open one: each with its own answer, all in the open one's currency, and what differs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.language import say
from costmodel.link import LONGEST_LINK, Pinned, encode, pin_of, pinned, pinned_query
from costmodel.pins import LONGEST_PIN_NAME, MOST_PINS, NOT_PINNED, Pin, parse_pin, pin_text
from costmodel.scenario import INPUTS, Input, Scenario


@dataclass(frozen=True)
class Side:
    """One scenario of several: its inputs as they were pinned, and its answer or why there is none."""

    name: str
    """Empty for the open scenario, where no pin holds the same."""
    pin: str | None
    """Its text in the link; None where it is not pinned."""
    is_open: bool
    scenario: Scenario
    comparison: Comparison | None
    """In the currency and per the tokens of the open scenario."""
    reason: str | None
    was_in: tuple[str, ...]
    """Where it was pinned in another currency or basis: those it was in."""


@dataclass(frozen=True)
class Differing:
    """An input that is not the same in all scenarios, with the value of each."""

    asked: Input
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Compared:
    """All scenarios in order, the open one first unless it is one of the pinned, and the inputs that differ."""

    sides: tuple[Side, ...]
    differing: tuple[Differing, ...]

    @property
    def answered(self) -> tuple[Side, ...]:
        """Those with an answer."""
        return tuple(side for side in self.sides if side.comparison is not None)


def compared(catalog: Catalog, open_one: Comparison) -> Compared:
    """The open scenario and those pinned in its link."""
    scenario = open_one.scenario
    query = pinned_query(scenario)
    sides = [_side(catalog, pinned(catalog, text), scenario, query) for text in scenario.pins]
    if not any(side.is_open for side in sides):
        sides.insert(0, Side("", None, True, scenario, open_one, None, ()))
    return Compared(tuple(sides), differing([side.scenario for side in sides]))


def _side(catalog: Catalog, pin: Pinned, scenario: Scenario, open_query: str) -> Side:
    asked, is_open = pin.scenario, pin.query == open_query
    as_shown = asked.model_copy(update={name: getattr(scenario, name) for name in _changes(asked, scenario)})
    was_in = tuple(str(getattr(asked, name)) for name in ("currency", "basis") if name in _changes(asked, scenario))
    try:
        return Side(pin.name, pin.text, is_open, asked, compare(catalog, as_shown), None, was_in)
    except NoAnswerError as error:
        return Side(pin.name, pin.text, is_open, asked, None, str(error), was_in)


def _changes(asked: Scenario, scenario: Scenario) -> tuple[str, ...]:
    """What of a pinned scenario has to become the open one's, so that their amounts can stand beside each other.

    In the same currency it keeps its own rate: another rate is one of the things to compare.
    """
    names = [] if asked.currency == scenario.currency else ["currency", "currency_per_usd"]
    return (*names, *(["basis"] if asked.basis != scenario.basis else []))


def differing(scenarios: Sequence[Scenario]) -> tuple[Differing, ...]:
    """The inputs that are not the same in all of some scenarios, in the order of the link.

    Title, view, language and pins are no inputs of a comparison.
    """
    found = []
    for key, asked in INPUTS.items():
        values = tuple(getattr(scenario, asked.name) for scenario in scenarios)
        if key not in NOT_PINNED and any(value != values[0] for value in values[1:]):
            found.append(Differing(asked, values))
    return tuple(found)


def is_pinned(catalog: Catalog, scenario: Scenario) -> bool:
    """Whether one of a scenario's pins holds the scenario itself."""
    return bool(scenario.pins) and pinned_query(scenario) in [pinned(catalog, text).query for text in scenario.pins]


def why_not_pinned(catalog: Catalog, scenario: Scenario) -> str | None:
    """Why a scenario cannot be pinned, a sentence; None where it can, unless it turns out to be too long."""
    if is_pinned(catalog, scenario):
        return say("This scenario is pinned already.")
    if len(scenario.pins) >= MOST_PINS:
        return say("{most} scenarios are pinned: remove one first.", most=MOST_PINS)
    return None


def free_name(catalog: Catalog, scenario: Scenario, wanted: str) -> str:
    """A name for a pin, cut to what a pin can hold, with a number where another pin has it already."""
    taken = {pinned(catalog, text).name for text in scenario.pins}
    wanted = wanted.strip()[:LONGEST_PIN_NAME].strip()
    names = (wanted, *(f"{wanted[: LONGEST_PIN_NAME - 4].strip()} ({count})" for count in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def with_pin(catalog: Catalog, scenario: Scenario, *, name: str) -> Scenario:
    """The scenario with itself among its pins. Raises ValueError, a sentence, where it cannot be pinned."""
    reason = why_not_pinned(catalog, scenario)
    if reason:
        raise ValueError(reason)
    try:
        text = pin_of(scenario, name=free_name(catalog, scenario, name))
    except ValueError as problem:
        raise ValueError(say("This scenario {problem}.", problem=problem)) from problem
    found = scenario.model_copy(update={"pins": (*scenario.pins, text)})
    if sum(len(key) + len(value) for key, value in encode(found)) > LONGEST_LINK:
        raise ValueError(say("The link would be longer than {most} characters: remove a pin first.", most=LONGEST_LINK))
    return found


def renamed(catalog: Catalog, scenario: Scenario, text: str, *, name: str) -> Scenario:
    """The scenario with one of its pins under another name."""
    others = scenario.model_copy(update={"pins": tuple(each for each in scenario.pins if each != text)})
    new = pin_text(Pin(free_name(catalog, others, name), parse_pin(text).query))
    return scenario.model_copy(update={"pins": tuple(new if each == text else each for each in scenario.pins)})


def moved(scenario: Scenario, text: str, *, by: int) -> Scenario:
    """The scenario with one of its pins so many places later, or earlier where `by` is negative."""
    pins = list(scenario.pins)
    at = pins.index(text)
    pins.insert(max(0, at + by), pins.pop(at))
    return scenario.model_copy(update={"pins": tuple(pins)})


def without(scenario: Scenario, text: str) -> Scenario:
    """The scenario without one of its pins."""
    return scenario.model_copy(update={"pins": tuple(each for each in scenario.pins if each != text)})


def opened_pin(catalog: Catalog, scenario: Scenario, text: str) -> Scenario:
    """A pinned scenario as the open one, its name for a title; pins, view and language stay as they are."""
    pin = pinned(catalog, text)
    kept = {"title": pin.name, "view": scenario.view, "language": scenario.language, "pins": scenario.pins}
    return pin.scenario.model_copy(update=kept)
