"""Where self-hosting wins over any two inputs."""

from functools import partial

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import NoDemandError
from costmodel.risk.breakeven_map import BreakEvenMap, break_even_map, default_keys, is_map_key, map_keys, why_no_map
from costmodel.risk.outcome import outlook_of
from costmodel.risk.priors import priors_of
from costmodel.risk.riskmodel import RiskModel, risk_model
from costmodel.scenario import Scenario
from costmodel.ui.charts import Figure
from costmodel.ui.charts_map import MAP_POINTS, map_chart, map_table
from costmodel.ui.state import set_input
from costmodel.ui.text import Money, left_out, plain, shown
from costmodel.ui.text_risk import label_of, map_assumptions, map_words
from costmodel.ui.views.frame import chart

_FIELDS = {"map_x": "map_across", "map_y": "map_up"}
_TAKEN = "map_taken"


def show_map(catalog: Catalog, comparison: Comparison) -> None:
    scenario = comparison.scenario
    try:
        model = risk_model(catalog, comparison)
    except NoDemandError as error:
        st.info(shown(say("Nothing to map: {reason}.", reason=plain(str(error)))))
        return
    priors = priors_of(catalog, comparison)
    across, up = _choose(scenario, model, map_keys(model, priors))
    reason = why_no_map(across, up)
    if reason:
        st.warning(shown(say("Choose two other inputs: {reason}.", reason=plain(reason))))
        return
    found = break_even_map(model, priors, across=across, up=up, points=MAP_POINTS)
    st.markdown(shown(map_words(found, comparison)))
    _drawn(found, comparison)
    st.caption(shown(f"{map_assumptions(outlook_of(catalog, scenario).months)} {left_out(scenario)}"))


def map_figure(catalog: Catalog, comparison: Comparison) -> Figure | None:
    """The chart at one utilization."""
    model, priors = risk_model(catalog, comparison), priors_of(catalog, comparison)
    wanted = (getattr(comparison.scenario, field) for field in _FIELDS.values())
    across, up = (
        side if side is not None and is_map_key(model, priors, side) else default
        for side, default in zip(wanted, default_keys(model), strict=True)
    )
    if why_no_map(across, up):
        return None
    found = break_even_map(model, priors, across=across, up=up, points=MAP_POINTS)
    return map_chart(found, Money(comparison))


def _choose(scenario: Scenario, model: RiskModel, keys: tuple[str, ...]) -> tuple[str, str]:
    """The two sides, as the link has them or as the reader chooses; one that has no effect here is replaced."""
    key_taken, side_taken = st.session_state.pop(_TAKEN, (None, None))
    if key_taken is not None and getattr(scenario, _FIELDS[key_taken]) != side_taken:
        # This part of the page was run alone, with the scenario of before the choice.
        st.rerun()
    chosen = []
    for place, (key, field), default in zip(st.columns(2), _FIELDS.items(), default_keys(model), strict=True):
        wanted = getattr(scenario, field)
        now = wanted if wanted in keys else default
        with place:
            if wanted is not None and wanted not in keys:
                st.warning(
                    shown(
                        say(
                            "“{input}” has no effect in this scenario or is no input of the map; using {name}.",
                            input=plain(wanted),
                            name=label_of(now),
                        )
                    )
                )
            # Set, because the browser keeps a choice of its own when the reader goes Back.
            st.session_state[key] = now
            name = say("Across") if key == "map_x" else say("Up")
            st.selectbox(name, list(keys), format_func=label_of, key=key, on_change=_take, args=(key,))
        chosen.append(now)
    return chosen[0], chosen[1]


def _take(key: str) -> None:
    """Keep a choice; what was drawn before it is drawn anew."""
    side = st.session_state[key]
    set_input(key, side)
    st.session_state[_TAKEN] = key, side


def _drawn(found: BreakEvenMap, comparison: Comparison) -> None:
    money = Money(comparison)
    chart(
        comparison,
        map_chart(found, money),
        view="map",
        title=say("Where self-hosting is the cheaper way"),
        alt=map_words(found, comparison),
        table=partial(map_table, found, comparison.scenario, money),
    )
    st.markdown(
        shown(
            say(
                "**How to read it.** Where it is blue self-hosting is cheaper, where it is grey the API is; the "
                "stronger the colour, the larger the difference. On the blue line both cost the same: the way from "
                "your point to it is what would have to change."
            )
        )
    )
