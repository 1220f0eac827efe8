"""Not knowing: how likely self-hosting is the cheaper way, and which input the verdict hangs on."""

from collections.abc import Callable
from time import perf_counter

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import NoDemandError
from costmodel.risk.montecarlo import MonteCarlo, monte_carlo
from costmodel.risk.outcome import outlook_of
from costmodel.risk.priors import idle_ranges
from costmodel.risk.tornado import Tornado, tornado
from costmodel.ui.charts import Figure
from costmodel.ui.charts_risk import risk_chart, risk_table
from costmodel.ui.tables import show_table
from costmodel.ui.text import Money, left_out, number, plain, shown
from costmodel.ui.text_risk import (
    break_even_words,
    fleets_table,
    hindsight_words,
    idle_words,
    odds_words,
    overflow_words,
    priors_table,
    risk_assumptions,
    tornado_words,
)
from costmodel.ui.views.frame import chart, write
from costmodel.words import percent_text

_PATIENCE_SECONDS = 0.4
"""Work that takes longer says how far it is."""


def show_risk(catalog: Catalog, comparison: Comparison) -> None:
    months = outlook_of(catalog, comparison.scenario).months
    try:
        swings = tornado(catalog, comparison)
        place = st.empty()
        draws = monte_carlo(catalog, comparison, progress=_progress(place.progress))
        place.empty()
    except NoDemandError as error:
        st.info(shown(say("Nothing to weigh: {reason}.", reason=plain(str(error)))))
        return
    st.markdown(shown(f"{odds_words(draws, comparison, months)} {break_even_words(draws)}"))
    _draws_and_tornado(swings, draws, comparison)
    write(
        overflow_words(swings.base, draws),
        f"### {say('More or fewer units in the same futures')}",
        hindsight_words(draws),
    )
    show_table(fleets_table(draws, comparison))
    st.subheader(say("How low and how high each input may turn out"))
    st.caption(say("To change a range, open the box Uncertainty in the sidebar. The link keeps it, and the seed."))
    show_table(priors_table(draws.priors, swings.swings))
    idle = idle_ranges(comparison.scenario, draws.priors)
    if idle:
        st.info(shown(idle_words(idle)))
    st.caption(shown(f"{risk_assumptions(comparison, months)} {left_out(comparison.scenario)}"))


def _draws_and_tornado(swings: Tornado, draws: MonteCarlo, comparison: Comparison) -> None:
    money, share = Money(comparison), percent_text(round(draws.rented.win_share, 3))
    chart(
        comparison,
        risk_chart(swings, draws, money),
        view="risk",
        title=say("What self-hosting saves if inputs turn out otherwise"),
        alt=say(
            "Spread of {draws} draws: self-hosting is cheaper in {share} of them. {which}",
            draws=number(draws.draws, 0),
            share=share,
            which=tornado_words(swings, comparison),
        ),
        table=lambda: risk_table(swings, draws, comparison.scenario, money),
    )
    st.markdown(
        shown(
            say(
                "**How to read it.** Above, the draws: right of the line at 0, in blue, self-hosting is the cheaper "
                "way. Below, on the same axis, each input alone at its low and at its high, the widest first: a blue "
                "bar crosses 0, so that this input by itself can turn the verdict; a grey one cannot."
            )
        )
    )
    st.markdown(shown(tornado_words(swings, comparison)))


def risk_figure(catalog: Catalog, comparison: Comparison) -> Figure:
    """The chart at one utilization."""
    return risk_chart(tornado(catalog, comparison), monte_carlo(catalog, comparison), Money(comparison))


def _progress(report: Callable[..., object]) -> Callable[[float], None]:
    """Tells the page how far the work is once it has taken a while. Each telling is a point at which it may be left."""
    start = perf_counter()

    def tell(share: float) -> None:
        if perf_counter() - start > _PATIENCE_SECONDS:
            report(share, text=say("Drawing futures"))

    return tell
