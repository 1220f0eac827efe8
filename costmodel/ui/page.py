"""The page, top to bottom: what was wrong with the link, the answer, four figures, the open view, the link to share."""

from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from costmodel.catalog import Catalog, CatalogError, catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.language import say
from costmodel.link import Decoded
from costmodel.pools import TooLittleMemoryError
from costmodel.prices_answer import since_then
from costmodel.scenario import INPUTS, Scenario
from costmodel.ui.charts import UTILIZATION_STEP_PERCENT
from costmodel.ui.figures import figures_of, show_figures
from costmodel.ui.how_to_read import show_how_to_read
from costmodel.ui.inputs import show_sidebar
from costmodel.ui.pinning import pin_button
from costmodel.ui.reader import speak_to_reader
from costmodel.ui.share_menu import show_opened_file, show_share_menu
from costmodel.ui.state import dismiss_notes, go_on_from, opened, remember, widget_value, write_address
from costmodel.ui.text import (
    APP_NAME,
    TAGLINE,
    plain,
    price_date,
    second_look,
    shown,
    verdict,
)
from costmodel.ui.text_beyond import decided_by
from costmodel.ui.text_prices import changed_words
from costmodel.ui.usage_inputs import show_usage_report
from costmodel.ui.views import NAMES, show_ahead, show_beside, show_view
from costmodel.ui.views.hardware import show_nodes_that_fit


def show_page() -> None:
    """Draw everything. The only entry from app.py."""
    speak_to_reader(None)
    try:
        _draw(catalog())
    except CatalogError as error:
        st.error(shown(say("The price files cannot be read. {reason}", reason=plain(str(error)))))


def _draw(prices: Catalog) -> None:
    start = opened(prices)
    speak_to_reader(start.scenario)
    answer_place = st.container()
    now = show_sidebar(prices, start)
    with answer_place:
        head = st.container(horizontal=True, vertical_alignment="center")
        with head:
            model = plain(prices.models[now.scenario.model].name)
            st.caption(shown(f"{APP_NAME} {model}. {price_date(now.scenario)}."))
            show_how_to_read()
        if now.scenario.title:
            st.title(shown(plain(now.scenario.title)), anchor=False)
        _link_notes(start, now)
        show_usage_report()
        show_opened_file()
        _answer(prices, start.scenario, now.scenario, head=head)
        st.caption(say(TAGLINE))


@st.fragment
def _answer(prices: Catalog, start: Scenario, now: Scenario, *, head: DeltaGenerator) -> None:
    """The answer above and below the row of views.

    Choosing a view runs this part alone, and sends the reader no widget of the sidebar again.
    """
    speak_to_reader(now)
    above = st.container()
    _view_row(start)
    below, beside, notes = st.container(), st.container(), st.container()
    _answer_at_utilization(prices, start, now, head=head, above=above, below=below, notes=notes)
    with beside:
        _beside_answer(prices, now)


@st.fragment
def _answer_at_utilization(
    prices: Catalog,
    start: Scenario,
    now: Scenario,
    *,
    head: DeltaGenerator,
    above: DeltaGenerator,
    below: DeltaGenerator,
    notes: DeltaGenerator,
) -> None:
    """The answer, with the input that is moved most: moving it runs this alone, and sends not even the row of views.

    A browser draws anew whatever a run sends, changed or not, so this part holds as few elements as will do.
    """
    speak_to_reader(now)
    with above:
        chosen = {"utilization_percent": _utilization(start), "view": st.session_state["view"]}
        scenario = now.model_copy(update=chosen)
        comparison, problem = _compared(prices, scenario)
        if comparison is not None:
            _verdict(prices, comparison)
        elif problem is not None:
            st.error(shown(say("**No answer.** {reason}", reason=plain(str(problem)))))
    with head:
        show_share_menu(prices, scenario, comparison)
        pin_button(prices, scenario, label=say("Pin"), key="pin_this")
    with below:
        if comparison is not None:
            show_view(prices, comparison)
        elif problem is not None and isinstance(problem.__cause__, TooLittleMemoryError):
            show_nodes_that_fit(prices, scenario)
    with notes:
        for note in comparison.notes if comparison else ():
            st.info(shown(plain(note)))
    write_address(scenario)
    remember(scenario)
    if comparison is not None:
        with below:
            show_ahead(prices, scenario)


@st.fragment
def _beside_answer(prices: Catalog, now: Scenario) -> None:
    """What the open view shows at any utilization: opening a box there runs this alone."""
    speak_to_reader(now)
    show_beside(prices, now.model_copy(update={"view": st.session_state["view"]}))


def _compared(prices: Catalog, scenario: Scenario) -> tuple[Comparison | None, NoAnswerError | None]:
    """The answer, or why there is none."""
    try:
        return compare(prices, scenario), None
    except NoAnswerError as error:
        return None, error


def _verdict(prices: Catalog, comparison: Comparison) -> None:
    """The answer in a sentence and in figures, and where it would be another today."""
    decided, answer, more = decided_by(comparison), verdict(comparison), second_look(comparison)
    st.markdown(shown("\n\n".join(filter(None, [f"## {decided or answer}", decided and answer, more]))))
    show_figures(figures_of(comparison))
    _todays_prices(prices, comparison)


def _utilization(start: Scenario) -> float:
    asked = INPUTS["util"]
    value: float = st.slider(
        f"{say(asked.label)}, {say(asked.unit)}",
        min_value=0.0,
        max_value=100.0,
        value=widget_value("util", start.utilization_percent),
        step=UTILIZATION_STEP_PERCENT,
        format="%g %%",
        key="util",
        help=say(asked.help),
    )
    return value


def _link_notes(start: Decoded, now: Decoded) -> None:
    """What was wrong with the link, until the reader has seen it; what is wrong with the fields, while it is."""
    messages = [each.message for each in start.problems] + list(start.notes)
    if messages:
        with st.container(border=True):
            if start.problems:
                st.warning(say("Some of the link could not be used:"))
            else:
                st.info(say("About this link:"))
            st.markdown(shown("\n".join(f"- {plain(message)}" for message in messages)))
            st.button(say("Understood"), on_click=dismiss_notes, key="dismiss")
    for problem in now.problems:
        st.warning(shown(plain(problem.message)))


def _view_row(start: Scenario) -> None:
    st.segmented_control(
        say(INPUTS["view"].label),
        list(NAMES),
        default=start.view,
        required=True,
        key="view",
        format_func=lambda key: say(NAMES[key]),
        label_visibility="collapsed",
    )


def _todays_prices(prices: Catalog, comparison: Comparison) -> None:
    """Where today's prices say something else than the link's, both are shown and today's are offered."""
    today = date.today()
    since = since_then(prices, comparison, today=today)
    if since is None or not since.changes:
        return
    with st.container(border=True):
        st.markdown(shown(changed_words(since)))
        if st.button(say("Use today's prices"), key="use_today"):
            go_on_from(comparison.scenario.model_copy(update={"price_date": today}))
