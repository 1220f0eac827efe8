"""The address bar and the widgets, kept in step.

The address is read when a session starts and when the reader goes Back or Forward; afterwards the widgets lead, and the
address is written after each change. (Reading it on every run would lose fast key presses.)
"""

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from costmodel.catalog import Catalog
from costmodel.link import Decoded, decode, encode, example_scenario, plain_number
from costmodel.scenario import INPUTS, Scenario

_OPENED, _WRITTEN = "opened", "written"


def address() -> dict[str, list[str]]:
    """The query of the address bar."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def opened(catalog: Catalog) -> Decoded:
    """The scenario this session was opened with, and what was wrong with the link it came by."""
    came_back = getattr(get_script_run_ctx(), "is_history_navigation", False)
    if _OPENED not in st.session_state or came_back:
        query = address()
        st.session_state[_OPENED] = decode(catalog, query)
        st.session_state[_WRITTEN] = query
        if came_back:
            set_widgets(st.session_state[_OPENED].scenario)
    decoded: Decoded = st.session_state[_OPENED]
    return decoded


def dismiss_notes() -> None:
    """Forget what was wrong with the link; the reader has seen it."""
    decoded: Decoded = st.session_state[_OPENED]
    st.session_state[_OPENED] = Decoded(decoded.scenario, (), ())


def open_example(catalog: Catalog, identifier: str) -> None:
    """Set every widget to a named example."""
    scenario = example_scenario(catalog, identifier)
    st.session_state[_OPENED] = Decoded(scenario, (), ())
    set_widgets(scenario)


def set_widgets(scenario: Scenario) -> None:
    """Give every widget the value of a scenario; only for examples and Back, never for start values."""
    for key, asked in INPUTS.items():
        st.session_state[key] = widget_value(key, getattr(scenario, asked.name))
        st.session_state.pop(good_key(key), None)
    st.session_state["peak_auto"] = scenario.peak_percent == "auto"


def widget_value(key: str, value: Any) -> Any:
    """A value as the widget of that input holds it."""
    kind = INPUTS[key].kind
    if key == "peak":
        return 0.0 if value == "auto" else float(value)
    if key == "util":
        return float(value)
    if kind in ("number", "whole"):
        return "" if value is None else plain_number(value)
    if kind == "list":
        return list(value)
    return value


def good_key(key: str) -> str:
    """Where the last usable text of a field is kept while the field shows one that is not."""
    return f"good_{key}"


def write_address(scenario: Scenario, *, is_start: bool) -> None:
    """Put the scenario into the address bar, if it says something else than it did. A bare address stays bare at first.

    Each write is one step of the browser's history, so Back is undo.
    """
    query: dict[str, list[str]] = {}
    for key, value in encode(scenario):
        query.setdefault(key, []).append(value)
    written = st.session_state.get(_WRITTEN, {})
    if query == written or (is_start and not written):
        return
    st.query_params.from_dict(query)
    st.session_state[_WRITTEN] = query
