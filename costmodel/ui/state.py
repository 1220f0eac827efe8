"""The address bar and the widgets, kept in step.

The address is read when a session starts and when the reader goes Back or Forward; afterwards the widgets lead, and the
address is written after each change. (Reading it on every run would lose fast key presses.)
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from costmodel.catalog import Catalog
from costmodel.hours import parse_days
from costmodel.language import speaking, spoken
from costmodel.link import Decoded, decode, encode, example_scenario, plain_number
from costmodel.scenario import INPUTS, Scenario

NO_POOL = "none"
"""What the choice of a prefill rental holds where there is no such pool."""
CHEAPEST = "cheapest"
"""What the choice of the API to compare with holds where the reader chose none."""
BROWSERS = "browser"
"""What the choice of a language holds where the reader chose none."""
RANGE_FIELD = "range_"
"""What the keys of the fields for an input's low and high begin with."""
_OPENED, _WRITTEN, _GOOD, _PENDING, _LABELLED = "opened", "written", "good_texts", "pending", "labelled"


def address() -> dict[str, list[str]]:
    """The query of the address bar."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def opened(catalog: Catalog) -> Decoded:
    """The scenario this session was opened with, and what was wrong with the link it came by."""
    came_back = getattr(get_script_run_ctx(), "is_history_navigation", False)
    if _OPENED not in st.session_state or came_back:
        query = address()
        st.session_state[_OPENED] = _decoded(catalog, query)
        scenario = st.session_state[_OPENED].scenario
        # A bare address stays bare until something changes. One the reader came back to stays as it is, too: rewriting
        # it would add a step, and Back could never pass it.
        st.session_state[_WRITTEN] = _query(scenario) if came_back or not query else query
        if came_back:
            set_widgets(scenario)
    pending: Scenario | None = st.session_state.pop(_PENDING, None)
    if pending is not None:
        open_scenario(pending)
    decoded: Decoded = st.session_state[_OPENED]
    return decoded


def _decoded(catalog: Catalog, query: Mapping[str, Sequence[str]]) -> Decoded:
    """A link read in its own language: what is wrong with it is said in sentences."""
    decoded = decode(catalog, query)
    language = decoded.scenario.language
    if language in (None, spoken()):
        return decoded
    with speaking(language):
        return decode(catalog, query)


def keep_through_relabelling(keys: Iterable[str], language: str) -> None:
    """After a change of language, set widgets to what they are.

    A browser knows a choice by its label, and an expander itself by it: under a new label both would start anew.
    """
    if st.session_state.setdefault(_LABELLED, language) != language:
        for key in keys:
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]
        st.session_state[_LABELLED] = language


def dismiss_notes() -> None:
    """Forget what was wrong with the link; the reader has seen it."""
    decoded: Decoded = st.session_state[_OPENED]
    st.session_state[_OPENED] = Decoded(decoded.scenario, (), ())


def open_example(catalog: Catalog, identifier: str) -> None:
    """Set every widget to a named example; the page goes on in its language, and what is pinned stays pinned."""
    decoded: Decoded = st.session_state[_OPENED]
    kept = {"language": decoded.scenario.language, "pins": decoded.scenario.pins}
    open_scenario(example_scenario(catalog, identifier).model_copy(update=kept))


def open_scenario(scenario: Scenario) -> None:
    """Go on from a scenario, whatever was open before; inputs without a widget come along."""
    st.session_state[_OPENED] = Decoded(scenario, (), ())
    set_widgets(scenario)


def go_on_from(scenario: Scenario) -> None:
    """Run again with another scenario; for changes that come after the widgets of this run were drawn."""
    st.session_state[_PENDING] = scenario
    st.rerun()


def remember(scenario: Scenario) -> None:
    """Where the next run starts from: inputs whose widgets are not drawn keep the value they have here."""
    decoded: Decoded = st.session_state[_OPENED]
    st.session_state[_OPENED] = Decoded(scenario, decoded.problems, decoded.notes)


def set_input(key: str, value: Any) -> None:
    """Set one input from a callback, whether its widget is drawn or not."""
    scenario: Scenario = st.session_state[_OPENED].scenario
    remember(scenario.model_copy(update={INPUTS[key].name: value}))
    st.session_state[key] = widget_value(key, value)


def forget_undrawn(drawn: Container[str]) -> None:
    """Widgets that were not drawn start anew from the scenario when they are: no value of theirs may wait here."""
    # Asked for all keys at once: each question alone goes through the whole state.
    held = set(st.session_state)
    for key in (*INPUTS, "peak_auto"):
        if key not in drawn and key in held:
            del st.session_state[key]


def set_widgets(scenario: Scenario) -> None:
    """Give every widget the value of a scenario; only for examples and Back, never for start values."""
    for key, asked in INPUTS.items():
        st.session_state[key] = widget_value(key, getattr(scenario, asked.name))
    for key in [key for key in st.session_state if str(key).startswith(RANGE_FIELD)]:
        del st.session_state[key]
    good_texts().clear()
    st.session_state["peak_auto"] = scenario.peak_percent == "auto"


def widget_value(key: str, value: Any) -> Any:
    """A value as the widget of that input holds it."""
    kind = INPUTS[key].kind
    if key == "peak":
        return 0.0 if value == "auto" else float(value)
    if key == "util":
        return float(value)
    if key == "prefill_gpu":
        return value or NO_POOL
    if key == "against":
        return value or CHEAPEST
    if key == "lang":
        return value or BROWSERS
    if key == "days":
        return list(parse_days(value))
    if kind in ("number", "whole"):
        return "" if value is None else plain_number(value)
    if kind == "list":
        return list(value)
    return value


def good_texts() -> dict[str, str]:
    """The last usable text of each number field, kept while the field shows one that is not."""
    texts: dict[str, str] = st.session_state.setdefault(_GOOD, {})
    return texts


def write_address(scenario: Scenario) -> None:
    """Put the scenario into the address bar, if it says something else than it did.

    Each write is one step of the browser's history, so Back is undo.
    """
    query = _query(scenario)
    if query != st.session_state[_WRITTEN]:
        st.query_params.from_dict(query)
        st.session_state[_WRITTEN] = query


def _query(scenario: Scenario) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    for key, value in encode(scenario):
        query.setdefault(key, []).append(value)
    return query
