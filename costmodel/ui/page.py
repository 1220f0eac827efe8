"""The page, top to bottom: what was wrong with the link, the answer, four figures, the open view, the link to share."""

from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from costmodel.breakeven import BreakEven
from costmodel.catalog import Catalog, CatalogError, catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.language import say
from costmodel.link import Decoded, link
from costmodel.pools import TooLittleMemoryError
from costmodel.scenario import INPUTS, Scenario
from costmodel.ui.charts import UTILIZATION_STEP_PERCENT
from costmodel.ui.inputs import show_sidebar
from costmodel.ui.reader import speak_to_reader
from costmodel.ui.share import copy_link_button
from costmodel.ui.state import dismiss_notes, go_on_from, opened, remember, widget_value, write_address
from costmodel.ui.text import (
    APP_NAME,
    TAGLINE,
    Money,
    number,
    plain,
    price_date,
    second_look,
    shown,
    tax_word,
    tokens_word,
    verdict,
)
from costmodel.ui.text_beyond import decided_by
from costmodel.ui.usage_inputs import show_usage_report
from costmodel.ui.views import NAMES, show_view
from costmodel.ui.views.hardware import show_nodes_that_fit
from costmodel.words import percent_text


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
        st.caption(shown(f"{APP_NAME} {plain(prices.models[now.scenario.model].name)}. {price_date(now.scenario)}."))
        if now.scenario.title:
            st.title(shown(plain(now.scenario.title)), anchor=False)
        _link_notes(start, now)
        show_usage_report()
        _answer(prices, start.scenario, now.scenario)
        st.caption(say(TAGLINE))


@st.fragment
def _answer(prices: Catalog, start: Scenario, now: Scenario) -> None:
    """The answer, with the two inputs that are moved most: utilization and the open view.

    Moving one of them runs this part alone, and sends the reader no widget of the sidebar again.
    """
    speak_to_reader(now)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scenario = now.model_copy(update={"utilization_percent": _utilization(start)})
        share_place = st.container(width="content")
    answer_place = st.container()
    scenario = scenario.model_copy(update={"view": _view_row(start)})
    with share_place:
        _share(scenario)
    try:
        comparison = compare(prices, scenario)
    except NoAnswerError as error:
        answer_place.error(shown(say("**No answer.** {reason}", reason=plain(str(error)))))
        if isinstance(error.__cause__, TooLittleMemoryError):
            show_nodes_that_fit(prices, scenario)
    else:
        with answer_place:
            decided = decided_by(comparison)
            if decided:
                st.markdown(shown(f"## {decided}"))
            st.markdown(shown(f"{'' if decided else '## '}{verdict(comparison)}"))
            more = second_look(comparison)
            if more:
                st.markdown(shown(more))
            _figures(comparison)
            _todays_prices(prices, comparison)
        show_view(prices, comparison)
        for note in comparison.notes:
            st.info(shown(plain(note)))
    write_address(scenario)
    remember(scenario)


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


def _view_row(start: Scenario) -> str:
    chosen: str | None = st.segmented_control(
        say(INPUTS["view"].label),
        list(NAMES),
        default=start.view,
        required=True,
        key="view",
        format_func=lambda key: say(NAMES[key]),
        label_visibility="collapsed",
    )
    return chosen or start.view


def _figures(comparison: Comparison) -> None:
    """Four figures: both costs per token, the break-even, and what a month's bills differ by."""
    money, own, api = Money(comparison), comparison.self_host, comparison.cheapest_api
    per, tax = tokens_word(comparison.scenario), tax_word(comparison.scenario)
    unit = say("per {tokens}", tokens=per) + (f", {tax}" if tax else "")
    own_place, api_place, point_place, bill_place = st.columns(4, border=True)
    _figure(
        own_place,
        say("Own GPUs"),
        say("none") if own.usd_per_mtok is None else money(own.usd_per_mtok),
        say("{unit}; {cost} when fully used", unit=unit, cost=money(own.usd_per_mtok_at_full)),
    )
    if api is None or api.usd_per_mtok is None or api.usd_per_month is None:
        return
    _figure(api_place, say("Cheapest API"), money(api.usd_per_mtok), f"{plain(api.name)}, {unit}")
    _figure(point_place, say("Break-even"), *_break_even_words(api.break_even))
    label = say("Own GPUs cost more") if api.winner == "api" else say("Own GPUs save")
    _figure(
        bill_place,
        say("Monthly bills") if api.winner == "tie" else label,
        say("are equal") if api.winner == "tie" else money(abs(api.usd_per_month - own.usd_per_month)),
        say("a month: {own} against {api}", own=money(own.usd_per_month), api=money(api.usd_per_month)),
    )


def _break_even_words(point: BreakEven) -> tuple[str, str]:
    """The break-even as a figure, and what it is of."""
    if point.utilization is None or point.output_tok_s is None:
        return say("none"), say("the API is free")
    utilization = percent_text(point.utilization)
    if not point.reachable:
        return say("none"), say("not reachable: would be {utilization}", utilization=utilization)
    output = number(point.output_tok_s, 0)
    return utilization, say("utilization, or {output} output tok/s", output=output)


def _figure(place: DeltaGenerator, label: str, value: str, below: str) -> None:
    """One framed figure and, wrapped below it, what it is of."""
    place.metric(label, value)
    place.caption(shown(below))


def _todays_prices(prices: Catalog, comparison: Comparison) -> None:
    """Where today's prices say something else than the link's, both are shown and today's are offered."""
    scenario, today = comparison.scenario, date.today()
    if scenario.price_date == today:
        return
    try:
        current = compare(prices, scenario.model_copy(update={"price_date": today}))
    except NoAnswerError:
        return
    then, now = _prices_of(comparison), _prices_of(current)
    changed = [name for name in then if name in now and then[name] != now[name]]
    if not changed:
        return
    money = Money(comparison)
    listed = "; ".join(
        say(
            "{name} {before} then, {now} today",
            name=plain(name),
            before=money.price(then[name]),
            now=money.price(now[name]),
        )
        for name in changed
    )
    with st.container(border=True):
        since = say(
            "**Prices have changed** since {day}: {listed}.", day=scenario.price_date.isoformat(), listed=listed
        )
        st.markdown(shown(f"{since} {verdict(current)}"))
        if st.button(say("Use today's prices"), key="use_today"):
            go_on_from(scenario.model_copy(update={"price_date": today}))


def _prices_of(comparison: Comparison) -> dict[str, float]:
    """Every price that can change with the day, by name."""
    prices = {
        f"{pool.offer.name} ({pool.role}, per GPU-hour)": pool.usd_per_gpu_hour for pool in comparison.self_host.pools
    }
    return prices | {api.name: api.usd_per_mtok for api in comparison.apis if api.usd_per_mtok is not None}


def _share(scenario: Scenario) -> None:
    with st.popover(say("Share this scenario")):
        st.caption(say("The link holds every input, so it opens exactly this page, now and next year."))
        copy_link_button(link=link(scenario), key="copy_link")
