"""Own the base, rent the peak: the best whole number of units under the API, and why it is that number."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import NoDemandError
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.ui.charts import Figure
from costmodel.ui.charts_hybrid import bills_of, hybrid_chart, hybrid_table
from costmodel.ui.text import Money, left_out, plain, shown
from costmodel.ui.text_hybrid import curve_words, hybrid_assumptions, hybrid_verdict, marginal_words
from costmodel.ui.views.frame import chart, write


def show_hybrid(catalog: Catalog, comparison: Comparison) -> None:
    try:
        report = hybrid_answer(comparison)
    except NoDemandError as error:
        st.info(shown(say("Nothing to mix: {reason}.", reason=plain(str(error)))))
        return
    money = Money(comparison)
    write(hybrid_verdict(report, comparison))
    if not report.steps:
        name = plain(report.api_name)
        st.info(shown(say("{api} is free for this token mix, so there is nothing to own.", api=name)))
        return
    chart(
        comparison,
        hybrid_chart(report, money),
        view="hybrid",
        title=say("Own the base, rent the peak"),
        alt=say(
            "Bars of monthly bills: {bills}. Below, how much of the week demand reaches each level.",
            bills="; ".join(f"{name} {money(own + api)}" for name, own, api in bills_of(report)),
        ),
        table=lambda: hybrid_table(report, comparison.scenario, money),
    )
    bars = say(
        "**How to read it.** The bars are a month's bill for the same tokens: all bought, all served by own units, and "
        "the cheapest mix of whole units with the API above them."
    )
    notes = "\n".join(f"- {plain(note)}" for note in report.notes)
    write(f"{bars} {curve_words(report)}", marginal_words(report, comparison), notes)
    st.caption(shown(f"{hybrid_assumptions(report, comparison)} {left_out(comparison.scenario)}"))


def hybrid_figure(_: Catalog, comparison: Comparison) -> Figure | None:
    """The chart at one utilization."""
    report = hybrid_answer(comparison)
    return hybrid_chart(report, Money(comparison)) if report.steps else None
