"""The week as a heatmap, with the peak hours of each API over it."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.traffic_answer import traffic_answer
from costmodel.ui.charts_traffic import blocks, week_chart, week_table
from costmodel.ui.text import plain, shown
from costmodel.ui.text_traffic import load_factor_words, peak_table, traffic_assumptions, traffic_verdict
from costmodel.ui.views.frame import chart, write
from costmodel.words import percent_text


def show_week(catalog: Catalog, comparison: Comparison) -> None:
    report = traffic_answer(comparison)
    st.markdown(shown(traffic_verdict(report, comparison)))
    chart(
        comparison,
        week_chart(report),
        view="traffic",
        title=say("When the tokens come, and when the API is dear"),
        alt=say(
            "Heatmap of a week, darker where more tokens are sent. {peaks}",
            peaks="; ".join(
                say("{share} of the tokens in peak hours of {api}", share=percent_text(peak.peak_share), api=peak.name)
                for peak in report.peaks
            ),
        ),
        table=lambda: week_table(report),
    )
    in_part = any(not block.whole for peak in report.peaks for block in blocks(peak.fractions_without_holidays))
    reading = [
        say(
            "**How to read it.** Each square is an hour of the week on the clock of {zone}, the darker the more tokens "
            "are sent.",
            zone=plain(comparison.scenario.timezone),
        )
    ]
    if report.peaks:
        reading.append(say("Outlined are the hours in which an API charges its peak price."))
    if in_part:
        reading.append(say("A dotted outline is peak in part of the year (daylight saving) or of the hour only."))
    write(" ".join(reading), load_factor_words(report), peak_table(report))
    st.caption(shown(traffic_assumptions(report, comparison)))
