"""What every part of the sidebar is drawn with: widgets whose texts are read by the same codec as the link."""

from collections.abc import Callable
from datetime import date
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.language import say
from costmodel.link import ValueProblem, encode, parse_value, plain_number
from costmodel.scenario import INPUTS, Scenario
from costmodel.ui.state import good_texts, widget_value
from costmodel.ui.text import plain, shown


class Sidebar:
    """Draws the sidebar and collects one text per input; what a widget cannot say stays as the link said it."""

    def __init__(self, catalog: Catalog, start: Scenario) -> None:
        self.catalog = catalog
        self.start = start
        self.texts: dict[str, list[str]] = {}
        self.drawn: set[str] = set()
        for key, value in encode(start):
            self.texts.setdefault(key, []).append(value)

    def start_value(self, key: str) -> Any:
        return widget_value(key, getattr(self.start, INPUTS[key].name))

    def put(self, key: str, *texts: str | None) -> None:
        """What a widget says: the texts of its input, none where it is not set."""
        self.drawn.add(key)
        said = [text for text in texts if text is not None]
        if said:
            self.texts[key] = said
        else:
            self.texts.pop(key, None)

    @property
    def price_date(self) -> date:
        """The day the date field shows now."""
        day: date = st.session_state.get("asof") or self.start.price_date
        return day

    def number(
        self, key: str, *, placeholder: str | None = None, disabled: bool = False, may_be_empty: bool | None = None
    ) -> None:
        """A number field. A text that is no number is named at the field, and the last good one stays in use."""
        asked = INPUTS[key]
        name = say(asked.label)
        text = st.text_input(
            f"{name}, {say(asked.unit)}" if asked.unit else name,
            value=self.start_value(key),
            key=key,
            help=say(asked.help),
            placeholder=placeholder,
            disabled=disabled,
        ).strip()
        last = good_texts().get(key, self.start_value(key))
        if text == "" and (asked.optional if may_be_empty is None else may_be_empty):
            good_texts()[key] = text
            self.put(key, None)
            return
        try:
            value = parse_value(asked, text)
            good_texts()[key] = text
            self.put(key, plain_number(value))
        except ValueProblem as problem:
            if not disabled:
                if text:
                    wrong = say("“{text}” {problem}", text=plain(text), problem=problem)
                else:
                    wrong = say("is empty: write a number")
                used = say("still using {value}", value=last) if last else say("taken as left empty")
                st.error(shown(f"{name}: {wrong}; {used}."))
            self.put(key, last or None)

    def choice(
        self, key: str, options: list[str], *, label_of: Callable[[str], str] = str, on_change: Any = "rerun"
    ) -> str:
        asked = INPUTS[key]
        start = self.start_value(key)
        if start not in options:
            options = [start, *options]
        chosen: str = st.selectbox(
            say(asked.label),
            options,
            index=options.index(start),
            key=key,
            format_func=label_of,
            help=say(asked.help),
            on_change=on_change,
        )
        self.put(key, chosen)
        return chosen

    def text(self, key: str) -> None:
        asked = INPUTS[key]
        text = st.text_input(
            say(asked.label), value=self.start_value(key), key=key, help=say(asked.help), max_chars=asked.longest
        ).strip()
        self.put(key, text or None)
