"""A small page with one chart, its PNG button and a link to copy: the browser-side parts without the app."""

from pathlib import Path

PAGE = """
import streamlit as st

from costmodel.ui.live_chart import live_chart
from costmodel.ui.share import copy_link_button, png_button

st.set_page_config(layout="wide")
use = st.slider("Utilization", 1, 100, 60, key="util")
title = st.query_params.get("title", "Own GPUs or API?")
text, ground = "var(--st-text-color)", "var(--st-background-color)"
prices = {"Off-peak": 0.6, "Another vendor": 0.61, "A third, with a name that goes on and on": 0.62, "Peak": 1.2}
shares = list(range(15, 101))
lines = [
    {"type": "scatter", "mode": "lines", "x": [0, 100], "y": [usd, usd], "line": {"color": "var(--st-gray-text-color)"}}
    for usd in prices.values()
]
curve = {"type": "scatter", "mode": "lines", "x": shares, "y": [45 / share for share in shares]}
points = {
    "type": "scatter",
    "mode": "markers+text",
    "x": [45 / usd for usd in prices.values()],
    "y": list(prices.values()),
    "text": [f"{45 / usd:.1f} %" for usd in prices.values()],
    "textposition": "top right",
    "textfont": {"color": text},
    "marker": {"size": 10, "color": ground, "line": {"color": "var(--st-primary-color)", "width": 2}},
}
reader = {"type": "scatter", "mode": "markers", "x": [use], "y": [45 / use], "marker": {"color": text, "size": 12}}
labels = [
    {"xref": "paper", "x": 1, "xanchor": "left", "y": usd, "text": f"{name} ${usd:.2f}", "showarrow": False}
    for name, usd in prices.items()
]
layout = {
    "xaxis": {"range": [0, 100], "title": {"text": "Utilization, %"}},
    "yaxis": {"range": [0, 3], "title": {"text": "$ per 1M output tokens with their input, in prices of the day"}},
    "annotations": labels,
    "margin": {"r": 220, "t": 20},
    "showlegend": False,
}
live_chart({"data": [*lines, curve, points, reader], "layout": layout}, key="chart_cost", alt="Cost", height=420)
png_button(
    chart_key="chart_cost",
    title=title,
    subtitle=f"At {use} % utilization",
    notes=["Prices of 25 October 2026.", "Not included: staff, storage."],
    link=f"?v=1&util={use}",
    file_name="cost.png",
    key="png",
)
copy_link_button(link=f"?v=1&util={use}", key="copy_link")
"""


def write_page(folder: Path) -> Path:
    """The page as a script in `folder`."""
    script = folder / "scratch.py"
    script.write_text(PAGE, encoding="utf-8")
    return script
