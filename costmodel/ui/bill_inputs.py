"""The sidebar's boxes for the whole bill and for what decides besides money."""

import streamlit as st

from costmodel.dated import NotInForceError
from costmodel.defaults import ASSUMED_BY
from costmodel.link import plain_number
from costmodel.scenario import INPUTS
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.text import shown

_LABELS = {
    "leave": {"unasked": "not asked", "yes": "yes, an API may read it", "no": "no, it has to stay"},
    "identical": {"unasked": "not asked", "no": "no", "yes": "yes"},
    "faster": {"unasked": "not asked", "no": "no", "yes": "yes"},
    "owner": {"unasked": "not asked", "yes": "yes", "no": "no"},
    "trouble": {
        "unasked": "not asked",
        "price": "the API bill is too high",
        "keys": "keys, quotas, who spends what",
    },
}
_SUGGESTED = {"network": "network_usd_per_gpu_month", "support": "support_usd_per_gpu_month"}
"""Lines that are off at 0: what the catalogue would enter."""


def show_whole_bill(side: Sidebar) -> None:
    """Every line of cost besides the GPUs."""
    st.caption("A line that is 0 is not counted, and every export says so.")
    for key in ("staff", "staff_usd", "storage", "storage_usd", "egress", "egress_usd", "network", "support", "setup"):
        side.number(key, placeholder=assumed_text(side, key) if key in ASSUMED_BY else None)
        if key in _SUGGESTED:
            _suggestion(side, _SUGGESTED[key])


def show_beyond_money(side: Sidebar) -> None:
    """The questions besides money."""
    for key, labels in _LABELS.items():
        side.choice(key, list(INPUTS[key].choices), label_of=labels.__getitem__)


def assumed_text(side: Sidebar, key: str) -> str:
    """What stands in for an empty field, as its placeholder."""
    try:
        value = side.catalog.assumed(ASSUMED_BY[key], on=side.price_date)
    except NotInForceError:
        return "no assumption on this date"
    return f"assumed {plain_number(value)}"


def _suggestion(side: Sidebar, name: str) -> None:
    entry = side.catalog.assumptions[name].history[-1]
    low, high = (f"{edge:g}" for edge in (entry.low or 0, entry.high or entry.value))
    st.caption(shown(f"A usual figure: {entry.value:g} $ ({low} to {high})."))
