"""The open view's chart at the slider's neighbouring values, worked out once the answer stands.

Whoever then presses a key sees the chart at once; the answer in words comes from the server, as ever.
"""

from collections.abc import Callable
from math import ceil, floor
from threading import Lock

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.language import spoken
from costmodel.link import link
from costmodel.load.demand_answer import NoDemandError
from costmodel.machine.throughput import ThroughputError
from costmodel.scenario import Scenario
from costmodel.ui.charts import UTILIZATION_STEP_PERCENT, Figure
from costmodel.ui.live_chart import Slider, figures_ahead
from costmodel.units import PERCENT

FigureOf = Callable[[Catalog, Comparison], Figure | None]
"""A view's chart, or None where it has none."""

_KEPT = "figures_ahead"
_one_at_a_time = Lock()
"""However many readers move their sliders: answers go before guesses."""


def slider_of(scenario: Scenario) -> Slider:
    """The slider of the utilization, and all else that a chart depends on."""
    rest = link(scenario.model_copy(update={"utilization_percent": 0.0}))
    return {"key": "util", "basis": f"{spoken()}{rest}"}


def keep_figure(scenario: Scenario, figure: Figure) -> None:
    """Keep the figure that is shown: the next value of the slider has it as its neighbour."""
    _kept(scenario)[scenario.utilization_percent] = figure


def show_figures_ahead(catalog: Catalog, scenario: Scenario, figure_of: FigureOf, *, chart_key: str) -> None:
    """Send the open view's chart at both neighbouring values; none while those of another reader are worked out."""
    kept = _kept(scenario)
    neighbours = neighbouring(scenario.utilization_percent)
    if _one_at_a_time.acquire(blocking=False):
        try:
            for value in neighbours - kept.keys():
                figure = _figure_at(catalog, scenario, value, figure_of)
                if figure is not None:
                    kept[value] = figure
        finally:
            _one_at_a_time.release()
    ahead = {value: kept[value] for value in neighbours & kept.keys()}
    figures_ahead(ahead, chart_key=chart_key, basis=slider_of(scenario)["basis"], key="ahead")


def neighbouring(utilization_percent: float) -> set[float]:
    """Where a key press takes the slider: the next of its steps below and above."""
    step = UTILIZATION_STEP_PERCENT
    below = (ceil(utilization_percent / step) - 1) * step
    above = (floor(utilization_percent / step) + 1) * step
    return {value for value in (below, above) if 0 <= value <= PERCENT}


def _figure_at(catalog: Catalog, scenario: Scenario, utilization: float, figure_of: FigureOf) -> Figure | None:
    try:
        comparison = compare(catalog, scenario.model_copy(update={"utilization_percent": utilization}))
        return figure_of(catalog, comparison)
    except (NoAnswerError, NoDemandError, ThroughputError):
        return None


def _kept(scenario: Scenario) -> dict[float, Figure]:
    """This reader's figures by utilization; those of another scenario or view, or further away, are dropped."""
    basis, own = slider_of(scenario)["basis"], scenario.utilization_percent
    of, figures = st.session_state.get(_KEPT, ("", {}))
    near = {own, *neighbouring(own)} & figures.keys() if of == basis else ()
    kept: dict[float, Figure] = {value: figures[value] for value in near}
    st.session_state[_KEPT] = basis, kept
    return kept
