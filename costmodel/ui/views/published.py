"""The worked example: the two published analyses beside this tool's own figures, and why they differ."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.language import say
from costmodel.ui.text import plain, shown
from costmodel.worked_example import ARTICLES, answered


def show_published(catalog: Catalog) -> None:
    """One table an article, computed when it is opened; each figure is a link to the page that shows it."""
    st.subheader(say("From the published analyses to these figures"))
    st.markdown(
        say(
            "Both analyses this tool began with, step by step: what they say, what the same inputs give here, and "
            "where the difference comes from. Each figure opens the page that shows it."
        )
    )
    for example, name in ARTICLES.items():
        box = st.expander(shown(say(name)), key=f"published_{example.partition('=')[2]}", on_change="rerun")
        if box.open:
            rows = [f"| {say('Published')} | {say('Here')} | {say('Why')} |", "|---|--:|---|"]
            for each in answered(catalog, example):
                figure = f"[{plain(each.text)}]({each.step.query})"
                rows.append(f"| {plain(say(each.step.said))} | {figure} | {plain(say(each.step.why))} |")
            box.markdown(shown("\n".join(rows)))
