"""The sidebar's box for how the GPUs are got, for how long, and what prices do meanwhile."""

import streamlit as st

from costmodel.language import say
from costmodel.scenario import INPUTS
from costmodel.ui.bill_inputs import assumed_text
from costmodel.ui.sidebar import Sidebar

_PATHS = ("api_drop", "gpu_drop", "growth")


def show_contract_inputs(side: Sidebar) -> None:
    """All ways at once: the view Contract compares them, whichever is chosen here."""
    side.choice("acquire", list(INPUTS["acquire"].choices), label_of=_acquired)
    for key in ("term", "wacc"):
        side.number(key, placeholder=assumed_text(side, key))
    for key in _PATHS:
        side.number(key)
    for way, keys in (
        (say("Reserved"), ("reserve_off",)),
        (say("Spot"), ("spot_off", "spot_lost")),
        (say("Bought"), ("capex", "residual", "life", "kw", "pue", "kwh", "colo", "maint")),
    ):
        st.caption(way)
        for key in keys:
            side.number(key, placeholder=assumed_text(side, key))


def _acquired(way: str) -> str:
    return {
        "rent": say("rented on demand"),
        "reserve": say("reserved for a term"),
        "spot": say("spot instances"),
        "buy": say("bought"),
    }[way]
