"""The sidebar's part on the reader's own usage file: read in this session, never kept."""

import streamlit as st

from costmodel.imports import NamedBinary, UsageError, known_formats, read_usage
from costmodel.language import say
from costmodel.link import decode
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.state import go_on_from
from costmodel.ui.text import number, plain, shown
from costmodel.usage_scenario import LIMITS, UsageApplied, apply_usage, usage_sentences

_REPORT, _PROBLEM = "usage_report", "usage_problem"


def show_usage(side: Sidebar) -> None:
    """Draw the upload and, on request, read it into the scenario."""
    st.caption(
        shown(
            say(
                "Reads {formats}. The file stays in this session; only totals go into the link.",
                formats="; ".join(known_formats()),
            )
        )
    )
    files = st.file_uploader(
        say("Usage files"),
        accept_multiple_files=True,
        key="usage_files",
        help=say(
            "Up to {size} MB or {rows} rows together. Two snapshots of the vLLM metrics give a rate; a cost export "
            "beside its usage export checks the bill.",
            size=LIMITS.max_bytes // 1_000_000,
            rows=number(LIMITS.max_rows, 0),
        ),
    )
    if st.button(say("Use these files"), disabled=not files, key="use_usage"):
        _read(side, [NamedBinary(file.name, file) for file in files or ()])
    if st.session_state.get(_PROBLEM):
        st.error(shown(plain(st.session_state[_PROBLEM])))


def _read(side: Sidebar, files: list[NamedBinary]) -> None:
    bar = st.progress(0.0, text=say("Reading"))
    st.session_state[_PROBLEM] = None

    def show_progress(part: float) -> None:
        bar.progress(part, text=say("Reading, {percent}", percent=f"{part:.0%}"))

    try:
        usage = read_usage(files, limits=LIMITS, progress=show_progress)
    except UsageError as error:
        bar.empty()
        st.session_state[_PROBLEM] = str(error)
        return
    applied = apply_usage(decode(side.catalog, side.texts).scenario, usage)
    st.session_state[_REPORT] = applied
    go_on_from(applied.scenario)


def show_usage_report() -> None:
    """What the last import found and changed, until the reader has seen it."""
    applied: UsageApplied | None = st.session_state.get(_REPORT)
    if applied is None:
        return
    with st.container(border=True):
        st.success(say("Your usage file was read."))
        st.markdown(shown("\n".join(f"- {plain(sentence)}" for sentence in usage_sentences(applied))))
        st.button(say("Understood"), on_click=_forget_report, key="usage_seen")


def _forget_report() -> None:
    st.session_state[_REPORT] = None
