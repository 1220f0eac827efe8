"""Buttons that work in the reader's browser: the chart as a PNG for a slide, and the link to copy."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from costmodel.language import say

_HERE = Path(__file__).parent
_CSS = (_HERE / "share.css").read_text(encoding="utf-8")

_png = st.components.v2.component(
    "self_host_or_api_png",
    html='<div class="share"><button type="button"></button><span role="status"></span></div>',
    css=_CSS,
    js="".join((_HERE / name).read_text(encoding="utf-8") for name in ("labels.js", "png_button.js")),
)
_copy_link = st.components.v2.component(
    "self_host_or_api_copy_link",
    html='<div class="share"><input type="text" readonly><button type="button"></button>'
    '<span role="status"></span></div>',
    css=_CSS,
    js=(_HERE / "copy_link.js").read_text(encoding="utf-8"),
)


def png_button(
    *, chart_key: str, title: str, subtitle: str, notes: Sequence[str], link: str, file_name: str, key: str
) -> None:
    """A button "Download PNG" for the Plotly chart that was placed with `key=chart_key`.

    The picture (3200 pixels wide, white) carries the title, the subtitle (the scenario in words), the chart as the
    reader sees it, zoom included, the notes (price date, what is left out), one paragraph each, and the absolute form
    of `link` (a query string such as "?v=1&…"). All words are drawn literally, whatever they contain.
    """
    _png(
        key=key,
        data={
            "chart_key": chart_key,
            "title": title,
            "subtitle": subtitle,
            "notes": list(notes),
            "link": link,
            "file_name": file_name,
            "words": {
                "button": say("Download PNG"),
                "drawing": say("Drawing the picture…"),
                "saved": say("Saved {file}.", file=file_name),
                "failed": say("No picture: {reason}.", reason="{reason}"),
                "not_drawn": say("the chart is not drawn yet. Wait for it and press again"),
                "too_large": say("this browser gave no picture of that size"),
            },
        },
        width="content",
    )


def copy_link_button(*, link: str, key: str) -> None:
    """A field with the absolute form of `link` (a query string such as "?v=1&…") and a button that copies it."""
    words = {
        "field": say("Link to this scenario"),
        "button": say("Copy link"),
        "copied": say("Copied."),
        "refused": say("The browser refused to copy: press Ctrl+C (⌘C) in the field."),
    }
    _copy_link(key=key, data={"link": link, "words": words})
