"""What leaves the page: its link, files made on the click that asks for them, and an exported file opened again."""

from dataclasses import dataclass
from typing import Protocol

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.exports.data import csv_file, json_file
from costmodel.exports.given_back import LARGEST_BYTES, NotGivenBackError, given_back
from costmodel.exports.handout import handout
from costmodel.exports.slide import slide
from costmodel.exports.spreadsheet import spreadsheet
from costmodel.exports.words import Words
from costmodel.language import in_this_language, say
from costmodel.link import Decoded, link
from costmodel.scenario import Scenario
from costmodel.ui.export_words import words_of
from costmodel.ui.share import copy_link_button
from costmodel.ui.state import go_on_from
from costmodel.ui.text import plain, shown
from costmodel.ui.views.frame import file_stem, page_address

_REPORT, _PROBLEM = "opened_file", "opened_file_problem"
_OFFICE = "application/vnd.openxmlformats-officedocument"


class Maker(Protocol):
    """Makes a file of an answer, with the link at the page's address."""

    def __call__(self, catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes: ...


@dataclass(frozen=True)
class Kind:
    """A kind of file: its ending, its media type, the button's words, and how it is made."""

    ending: str
    mime: str
    button: str
    make: Maker


def kinds() -> tuple[Kind, ...]:
    """Every kind of file, its button in the reader's language."""
    return (
        Kind("xlsx", f"{_OFFICE}.spreadsheetml.sheet", say("Spreadsheet with live formulas (XLSX)"), spreadsheet),
        Kind("pdf", "application/pdf", say("Page to hand out (PDF)"), handout),
        Kind("pptx", f"{_OFFICE}.presentationml.presentation", say("Slide (PPTX)"), slide),
        Kind("csv", "text/csv", say("Everything as a table (CSV)"), csv_file),
        Kind("json", "application/json", say("Everything as data (JSON)"), json_file),
    )


def show_share_menu(prices: Catalog, scenario: Scenario, comparison: Comparison | None) -> None:
    """The menu, drawn only while it is open. Without an answer there is no file to make, but a link to copy."""
    menu = st.popover(say("Share or export"), key="share_menu", on_change="rerun")
    if not menu.open:
        return
    with menu:
        st.caption(say("The link holds every input, so it opens exactly this page, now and next year."))
        copy_link_button(link=link(scenario), key="copy_link")
        if comparison is not None:
            _downloads(prices, comparison)
        _opener(prices)


def _downloads(prices: Catalog, comparison: Comparison) -> None:
    address = page_address()
    for kind in kinds():

        def made(make: Maker = kind.make) -> bytes:
            return make(prices, comparison, words_of(prices, comparison), address=address)

        st.download_button(
            kind.button,
            data=in_this_language(made),
            file_name=f"{file_stem(comparison, 'all')}.{kind.ending}",
            mime=kind.mime,
            key=f"export_{kind.ending}",
            on_click="ignore",
            width="stretch",
        )


def _opener(prices: Catalog) -> None:
    file = st.file_uploader(
        say("Open an exported scenario"),
        type=["xlsx", "json", "csv"],
        max_upload_size=LARGEST_BYTES // 1_000_000,
        key="exported_file",
        help=say("A file this page exported, changed or not. It stays in this session."),
    )
    if st.button(say("Open this file"), disabled=file is None, key="open_exported", width="stretch") and file:
        try:
            decoded = given_back(prices, name=file.name, content=file.getvalue())
        except NotGivenBackError as error:
            st.session_state[_PROBLEM] = str(error)
        else:
            st.session_state[_PROBLEM], st.session_state[_REPORT] = None, decoded
            go_on_from(decoded.scenario)
    if st.session_state.get(_PROBLEM):
        st.error(shown(plain(st.session_state[_PROBLEM])))


def show_opened_file() -> None:
    """What of an opened file was changed and what could not be used, until the reader has seen it."""
    decoded: Decoded | None = st.session_state.get(_REPORT)
    if decoded is None:
        return
    sentences = [*(problem.message for problem in decoded.problems), *decoded.notes]
    with st.container(border=True):
        if decoded.problems:
            st.warning(say("The file was opened, but some of it could not be used:"))
        else:
            st.success(say("The exported scenario was opened."))
        if sentences:
            st.markdown(shown("\n".join(f"- {plain(sentence)}" for sentence in sentences)))
        st.button(say("Understood"), on_click=_forget_report, key="opened_file_seen")


def _forget_report() -> None:
    st.session_state[_REPORT] = None
