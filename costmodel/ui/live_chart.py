"""A Plotly chart that is updated in place when its figure changes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

import streamlit as st

from costmodel.language import say

Figure = Mapping[str, Any]

_HERE = Path(__file__).parent
_SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"

_live_chart = st.components.v2.component(
    "self_host_or_api_live_chart",
    html='<div role="figure"></div><div role="status"></div>',
    js="".join((_HERE / name).read_text(encoding="utf-8") for name in ("labels.js", "live_chart.js")),
    # Plotly writes its styles into the page's head, which a shadow root would not see.
    isolate_styles=False,
)

_ahead = st.components.v2.component(
    "self_host_or_api_ahead", html="<span></span>", js=(_HERE / "ahead.js").read_text(encoding="utf-8")
)

# The name carries a hash, so it is looked up; Streamlit's release is pinned and a test watches the file.
PLOTLY_FILE = next(_SCRIPTS.glob("PlotlyChart.*.js")).name


class Follow(TypedDict):
    """One trace of a single point that follows a slider in the browser, before the server has answered.

    `slider` is the slider's key, `trace` the trace's number, `points` its (x, y, text, textposition) by slider value.
    """

    slider: str
    trace: int
    points: Mapping[str, tuple[float, float, str, str]]


class Slider(TypedDict):
    """The slider whose values `figures_ahead` sends figures for.

    `key` is its key, `basis` all else that the chart depends on: figures of another basis are not shown.
    """

    key: str
    basis: str


def live_chart(
    figure: Figure,
    *,
    key: str,
    alt: str,
    height: int,
    follow: Follow | None = None,
    slider: Slider | None = None,
) -> None:
    """Shows a figure, `{"data": [...], "layout": {...}}` of plain lists and numbers, `height` pixels high.

    Its colours and type follow the page's theme where the figure names none; a colour may name one of the theme's,
    e.g. "var(--st-primary-color)". `layout.uirevision` decides how long a reader's zoom is kept (always where absent).
    Labels of lines right of the plot (`xref="paper"`, `x=1`, no arrow) move onto their lines on a narrow screen.
    `alt` is the chart in words for a screen reader. `follow` lets one point keep up with a slider; with a `slider` the
    whole chart does, as far as `figures_ahead` was there before.
    Raises ValueError for NaN or infinity, which the browser would draw as a gap without a word.
    """
    failed = say("The chart could not be drawn ({reason}): reload the page.", reason="{reason}")
    data: dict[str, Any] = {
        "figure": _text(figure),
        "alt": alt,
        "height": height,
        "plotly_file": PLOTLY_FILE,
        "failed": failed,
    }
    if follow is not None:
        # As text: Streamlit would look into every one of the points.
        data["follow"] = json.dumps(follow, separators=(",", ":"))
    if slider is not None:
        data["slider"] = dict(slider)
    _live_chart(key=key, data=data)


def figures_ahead(figures: Mapping[float, Figure], *, chart_key: str, basis: str, key: str) -> None:
    """What the chart placed with `key=chart_key` becomes at values of its slider: shown when the slider gets there.

    Nothing of it is seen on the page until then. Raises ValueError for NaN or infinity.
    """
    texts = {f"{value:g}": _text(figure) for value, figure in figures.items()}
    _ahead(key=key, data={"chart": chart_key, "basis": basis, "figures": texts})


def _text(figure: Figure) -> str:
    return json.dumps(figure, allow_nan=False, separators=(",", ":"))
