"""What a first-time reader needs to know, one click away from the top of the page."""

import streamlit as st

from costmodel.language import say
from costmodel.ui.text import shown


def show_how_to_read() -> None:
    """The words of the page explained in six short points."""
    points = (
        say("**The sentence in large type is the answer** for the inputs at the side and the utilization above it."),
        say(
            "**Utilization** is how much of what the GPUs could deliver they do deliver, day and night. Rent is paid "
            "for every hour, so empty hours make each token dearer."
        ),
        say(
            "**Break-even** is the utilization above which GPUs of your own are cheaper than that API. “Not reachable” "
            "means that even full GPUs cost more per token."
        ),
        say(
            "**Views**, the row below the four figures, answer further questions: the bills line by line, your "
            "traffic, contracts, what is uncertain, where each price comes from."
        ),
        say("**Not included** names what the figures leave out. Each line can be counted in the box “The whole bill”."),
        say(
            "**Share or export** holds a link that opens exactly this page, also next year (it keeps every input and "
            "the date of the prices), and files: spreadsheet, page to hand out, slide, data."
        ),
    )
    with st.popover(say("How to read this page"), width="content"):
        st.markdown(shown("\n".join(f"{number}. {point}" for number, point in enumerate(points, start=1))))
