"""The reader: which language the page speaks to them."""

import streamlit as st

from costmodel.language import language_of, speak
from costmodel.scenario import Scenario


def speak_to_reader(scenario: Scenario | None) -> None:
    """Speak the language of the link, or of the reader's browser; in each run, for runs share threads."""
    asked = scenario.language if scenario else None
    speak(asked or language_of(st.context.locale))
