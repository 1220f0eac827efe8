"""Charts sent before the slider gets to them: exactly what the server then draws, and never of another scenario."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from costmodel.ui import ahead
from costmodel.ui.ahead import neighbouring
from costmodel.ui.views import _AHEAD, NAMES
from tests.app_page import components, figure, page
from tests.browser import open_page, wait_idle

CHART = "[data-testid=stMain] .js-plotly-plot"
SLIDER = ".st-key-util input[type=range]"
EXAMPLE = "?scenario=deepinfer-128"


def sent_ahead(app: AppTest) -> dict[str, dict[str, Any]]:
    """Figures by the slider's value."""
    (data,) = components(app, "_ahead")
    return {value: json.loads(text) for value, text in data["figures"].items()}


@pytest.mark.parametrize(
    ("percent", "values"),
    [(60.0, {59.5, 60.5}), (63.23, {63.0, 63.5}), (0.0, {0.5}), (100.0, {99.5}), (0.2, {0.0, 0.5})],
)
def test_a_key_press_takes_the_slider_to_the_next_of_its_steps(percent: float, values: set[float]) -> None:
    assert neighbouring(percent) == values


@pytest.mark.parametrize("view", _AHEAD)
def test_what_is_sent_ahead_is_what_the_server_draws(view: str) -> None:
    app = page(f"{EXAMPLE}&util=60&view={view}")
    told = sent_ahead(app)
    assert told.keys() == {"59.5", "60.5"}
    app.slider(key="util").set_value(60.5).run()
    assert told["60.5"] == figure(app)
    assert sent_ahead(app).keys() == {"60", "61"}


def test_sides_of_the_map_that_are_no_inputs_stop_nothing() -> None:
    app = page(f"{EXAMPLE}&view=map&map_x=nonsense&map_y=gpu_usd")
    assert sent_ahead(app).keys() == {"59.5", "60.5"}


@pytest.mark.parametrize("view", ["cost", *sorted(NAMES.keys() - _AHEAD.keys())])
def test_nothing_is_worked_out_where_no_chart_would_change(view: str) -> None:
    assert not components(page(f"{EXAMPLE}&view={view}"), "_ahead")


def test_a_chart_that_was_shown_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(f"{EXAMPLE}&util=60&view=gpu_hour")
    worked_out: list[float] = []
    original = ahead._figure_at

    def counted(catalog, scenario, utilization, figure_of):
        worked_out.append(utilization)
        return original(catalog, scenario, utilization, figure_of)

    monkeypatch.setattr(ahead, "_figure_at", counted)
    app.slider(key="util").set_value(60.5).run()
    assert worked_out == [61.0]


def test_figures_of_another_scenario_are_dropped() -> None:
    app = page(f"{EXAMPLE}&util=60&view=gpu_hour")
    (before,) = components(app, "_ahead")
    app.text_input(key="gpu_usd").set_value("9").run()
    (after,) = components(app, "_ahead")
    assert before["basis"] != after["basis"]
    assert before["figures"].keys() == after["figures"].keys()
    assert all(before["figures"][value] != after["figures"][value] for value in before["figures"])


def test_no_more_is_kept_than_the_slider_is_next_to() -> None:
    app = page(f"{EXAMPLE}&util=60&view=gpu_hour")
    for value in range(60, 80):
        app.slider(key="util").set_value(float(value)).run()
    _, kept = app.session_state[ahead._KEPT]
    assert kept.keys() == {78.5, 79.0, 79.5}


def test_the_next_charts_wait_while_those_of_another_reader_are_worked_out() -> None:
    with ahead._one_at_a_time:
        app = page(f"{EXAMPLE}&view=gpu_hour")
    assert sent_ahead(app) == {}
    assert figure(app)["data"]


@pytest.mark.browser
@pytest.mark.parametrize("view", ["gpu_hour", "map"])
def test_the_chart_follows_the_slider_before_the_server_answers(page: Page, app_server: str, view: str) -> None:
    open_page(page, app_server, f"{EXAMPLE}&util=60&view={view}")
    page.wait_for_selector(f"{CHART} .xtick text", state="attached")
    state = f"JSON.stringify(document.querySelector('{CHART}').data)"
    send = "window.send = WebSocket.prototype.send; WebSocket.prototype.send = () => {}"
    before = page.evaluate(state)
    page.evaluate(send)
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(before) => {state} !== before", arg=before)
    ahead_of_server = page.evaluate(state)
    assert "At 60 %" in page.locator("h2").first.inner_text().replace("\u00a0", " "), "the words wait for the server"
    open_page(page, app_server, f"{EXAMPLE}&util=60.5&view={view}")
    page.wait_for_selector(f"{CHART} .xtick text", state="attached")
    assert page.evaluate(state) == ahead_of_server


@pytest.mark.browser
def test_quick_key_presses_back_and_forth_come_to_rest(page: Page, app_server: str) -> None:
    """Streamlit's browser side forgot messages that its server counted on, and the page stood still for good."""
    failures: list[str] = []
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    open_page(page, app_server, f"{EXAMPLE}&util=60&view=map")
    page.wait_for_selector(f"{CHART} .xtick text", state="attached")
    page.locator(SLIDER).focus()
    for _ in range(12):
        for key in ["ArrowRight", "ArrowLeft"] * 2 + ["ArrowRight"] * 2 + ["ArrowLeft"] * 2:
            page.keyboard.press(key)
            page.wait_for_timeout(70)
        wait_idle(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("h2").first).to_contain_text(re.compile(r"At 60\.5\s%|At 61\s%"))
    assert not failures


@pytest.mark.browser
def test_no_chart_of_another_scenario_is_shown(page: Page, app_server: str) -> None:
    open_page(page, app_server, f"{EXAMPLE}&util=60&view=gpu_hour")
    page.wait_for_selector(f"{CHART} .xtick text", state="attached")
    page.evaluate("document.querySelector('.st-key-chart_gpu_hour').ahead.basis = 'another'")
    page.evaluate("WebSocket.prototype.send = () => {}")
    state = f"JSON.stringify(document.querySelector('{CHART}').data)"
    before = page.evaluate(state)
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(SLIDER)).to_have_value("60.5")
    wait_idle(page)
    assert page.evaluate(state) == before
