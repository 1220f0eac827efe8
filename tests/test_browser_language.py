"""The other languages in a real browser: a change in the middle of a session, and long words on a phone."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route

from tests.browser import open_page, wait_idle
from tests.test_browser import BAD_TEXTS, CHART, OVERHANG, VERDICT

pytestmark = pytest.mark.browser

CLUSTER = "?scenario=deepinfer-128"
APIS = ["deepseek:deepseek-flash@off_peak", "custom:Quote:1:0.5:2"]
CHARTS = ("cost", "bills", "speed", "prefill", "hardware", "traffic", "demand", "hybrid", "gpu_hour")


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def open_box(page: Page, title: str) -> None:
    page.locator("[data-testid=stSidebar] summary").filter(has_text=re.compile(f"{title}$")).click()
    wait_idle(page)


def choose(page: Page, key: str, label: str) -> None:
    field = page.locator(f".st-key-{key} input")
    option = page.get_by_role("option", name=label, exact=True)
    # A list that opens while the sidebar still scrolls closes again; a box that still opens pushes the field away.
    for _ in range(20):
        field.scroll_into_view_if_needed()
        field.press("ArrowDown")
        page.wait_for_timeout(250)
        spot = option.bounding_box() if option.is_visible() else None
        if spot and page.viewport_size and 0 <= spot["y"] <= page.viewport_size["height"] - spot["height"]:
            break
    option.click()
    wait_idle(page)


def bad_texts(page: Page) -> list[object]:
    """Texts of the chart that cover each other or leave it, once it has had the time to move its labels apart."""
    for _ in range(20):
        if not page.evaluate(BAD_TEXTS):
            return []
        page.wait_for_timeout(250)
    found: list[object] = page.evaluate(BAD_TEXTS)
    return found


def test_open_boxes_and_choices_survive_a_change_of_language(page: Page, app_server: str) -> None:
    open_page(page, app_server, f"{CLUSTER}&api={APIS[0]}&api={APIS[1]}&traffic=business")
    for title in ("Traffic and demand", "API prices", "Money and month"):
        open_box(page, title)
    choose(page, "lang", "Deutsch")
    assert "Auslastung kosten Ihre eigenen GPUs" in page.locator(VERDICT).inner_text()
    assert address(page)["api"] == APIS
    # The labels the browser knew are gone: what it sends next must be understood all the same.
    choose(page, "traffic", "Welle über den Tag")
    choose(page, "basis", "gesamt")
    said = address(page)
    assert (said["lang"], said["traffic"], said["basis"], said["api"]) == (["de"], ["diurnal"], ["total"], APIS)
    choose(page, "lang", "die des Browsers")
    assert "utilization your own GPUs cost" in page.locator(VERDICT).inner_text()
    assert "lang" not in address(page)
    page.go_back()
    wait_idle(page)
    assert "Auslastung kosten Ihre eigenen GPUs" in page.locator(VERDICT).inner_text()


def test_labels_stay_apart_when_the_font_comes_late(page: Page, app_server: str) -> None:
    def late(route: Route) -> None:
        page.wait_for_timeout(2_000)
        route.continue_()

    page.set_viewport_size({"width": 390, "height": 844})
    page.route("**/*.woff2", late)
    open_page(page, app_server, f"{CLUSTER}&view=speed&lang=de")
    page.wait_for_selector(f"{CHART} .main-svg .ytick", state="attached")
    assert bad_texts(page) == []


@pytest.mark.parametrize("code", ["de", "es"])
def test_long_words_fit_a_phone(page: Page, app_server: str, code: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for view in CHARTS:
        open_page(page, app_server, f"{CLUSTER}&view={view}&lang={code}")
        page.wait_for_selector(f"{CHART} .main-svg .ytick", state="attached")
        wait_idle(page)
        assert page.evaluate(OVERHANG) <= 0, view
        assert bad_texts(page) == [], view
