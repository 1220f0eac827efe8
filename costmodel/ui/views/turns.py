"""What would have to be true: the single change of each input at which the verdict turns."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import NoDemandError
from costmodel.risk.outcome import outlook_of
from costmodel.risk.turning import turns
from costmodel.ui.charts import Figure
from costmodel.ui.charts_turns import turns_chart, turns_table_data
from costmodel.ui.tables import show_table
from costmodel.ui.text import left_out, plain, shown
from costmodel.ui.text_risk import nearest_words, never_words, turns_assumptions, turns_table
from costmodel.ui.views.frame import chart


def show_turns(catalog: Catalog, comparison: Comparison) -> None:
    try:
        found = turns(catalog, comparison)
    except NoDemandError as error:
        st.info(shown(say("Nothing to turn: {reason}.", reason=plain(str(error)))))
        return
    months = outlook_of(catalog, comparison.scenario).months
    st.markdown(shown(nearest_words(found, comparison)))
    figure = turns_chart(found)
    if figure is not None:
        chart(
            comparison,
            figure,
            view="turns",
            title=say("The change of each input alone that turns the verdict"),
            alt=nearest_words(found, comparison),
            table=lambda: turns_table_data(found),
        )
        st.markdown(
            shown(
                say(
                    "**How to read it.** Each bar leads from the input as it is now to the value at which both bills "
                    "are equal; beyond it the other side is cheaper. The shorter the bar, the more the verdict depends "
                    "on that input being right."
                )
            )
        )
    show_table(turns_table(found))
    never = never_words(found)
    if never:
        st.markdown(shown("\n".join(f"- {sentence}" for sentence in never)))
    st.caption(shown(f"{turns_assumptions(comparison, months)} {left_out(comparison.scenario)}"))


def turns_figure(catalog: Catalog, comparison: Comparison) -> Figure | None:
    """The chart at one utilization."""
    return turns_chart(turns(catalog, comparison))
