"""The reader: which language the page speaks to them."""

import streamlit as st

from costmodel.language import language_of, speak
from costmodel.scenario import Scenario
from costmodel.ui.state import BROWSERS


def speak_to_reader(scenario: Scenario | None) -> None:
    """Speak the language of the link, or of the reader's browser; in each run, for runs share threads.

    A choice just made in the sidebar is heard before the sidebar is drawn.
    """
    asked = st.session_state.get("lang", scenario.language if scenario else None)
    speak(language_of(st.context.locale) if asked in (None, BROWSERS) else asked)
