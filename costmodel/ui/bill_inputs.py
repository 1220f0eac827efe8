"""The sidebar's boxes for the whole bill and for what decides besides money."""

import streamlit as st

from costmodel.dated import NotInForceError
from costmodel.defaults import ASSUMED_BY
from costmodel.language import number_text, say
from costmodel.link import plain_number
from costmodel.scenario import INPUTS
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.text import as_typed, shown

_SUGGESTED = {"network": "network_usd_per_gpu_month", "support": "support_usd_per_gpu_month"}
"""Lines that are off at 0: what the catalogue would enter."""


def show_whole_bill(side: Sidebar) -> None:
    """Every line of cost besides the GPUs."""
    st.caption(say("A line that is 0 is not counted, and every export says so."))
    for key in ("staff", "staff_usd", "storage", "storage_usd", "egress", "egress_usd", "network", "support", "setup"):
        side.number(key, placeholder=assumed_text(side, key) if key in ASSUMED_BY else None)
        if key in _SUGGESTED:
            _suggestion(side, _SUGGESTED[key])


def show_beyond_money(side: Sidebar) -> None:
    """The questions besides money."""
    unasked, yes, no = say("not asked"), say("yes"), say("no")
    labels_of = {
        "leave": {"unasked": unasked, "yes": say("yes, an API may read it"), "no": say("no, it has to stay")},
        "identical": {"unasked": unasked, "no": no, "yes": yes},
        "faster": {"unasked": unasked, "no": no, "yes": yes},
        "owner": {"unasked": unasked, "yes": yes, "no": no},
        "trouble": {
            "unasked": unasked,
            "price": say("the API bill is too high"),
            "keys": say("keys, quotas, who spends what"),
        },
    }
    for key, labels in labels_of.items():
        side.choice(key, list(INPUTS[key].choices), label_of=labels.__getitem__)


def assumed_text(side: Sidebar, key: str) -> str:
    """What stands in for an empty field, as its placeholder."""
    try:
        value = side.catalog.assumed(ASSUMED_BY[key], on=side.price_date)
    except NotInForceError:
        return say("no assumption on this date")
    return say("assumed {value}", value=number_text(plain_number(value)))


def _suggestion(side: Sidebar, name: str) -> None:
    entry = side.catalog.assumptions[name].history[-1]
    low, high = (as_typed(edge) for edge in (entry.low or 0, entry.high or entry.value))
    words = say("A usual figure: {value} $ ({low} to {high}).", value=as_typed(entry.value), low=low, high=high)
    st.caption(shown(words))
