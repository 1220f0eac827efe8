"""The button that pins the open scenario, so that it can be seen beside others."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compared import why_not_pinned, with_pin
from costmodel.language import say
from costmodel.scenario import Scenario
from costmodel.ui.state import go_on_from
from costmodel.ui.text import plain, shown
from costmodel.ui.text_compare import default_name


def pin_button(catalog: Catalog, scenario: Scenario, *, label: str, key: str) -> None:
    """Puts the scenario into its own link as a pin. Where it cannot be, it says why."""
    reason = why_not_pinned(catalog, scenario)
    purpose = say("Keeps this scenario in the link. The view Compare shows it beside others.")
    if st.button(label, key=key, disabled=reason is not None, help=shown(plain(reason or purpose))):
        try:
            found = with_pin(catalog, scenario, name=default_name(catalog, scenario))
        except ValueError as error:
            st.error(shown(plain(str(error))))
        else:
            go_on_from(found)
