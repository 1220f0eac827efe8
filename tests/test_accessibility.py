"""Nobody is shut out: axe-core finds nothing that is ours, and the page is worked by keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from costmodel.ui.views import NAMES
from tests.browser import open_page, wait_idle

pytestmark = pytest.mark.browser

FIGURE, VERDICT = ".st-key-figures dd", '[data-testid="stMain"] h2'


def violations(page: Page) -> list[str]:
    """What axe-core complains about, one line each."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:200]})" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, app_server: str, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    found = {}
    for view in NAMES if scheme == "light" else ("cost", "bills", "contract"):
        open_page(page, f"{app_server}/?scenario=deepinfer-128&view={view}")
        page.wait_for_selector(FIGURE)
        wait_idle(page)
        found[view] = violations(page)
    context.close()
    assert not any(found.values()), found


def test_the_page_is_worked_by_keyboard_alone(page: Page, app_server: str) -> None:
    open_page(page, f"{app_server}/?scenario=deepinfer-128")
    page.wait_for_selector(FIGURE)
    wait_idle(page)
    before = page.inner_text(VERDICT)

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            # The start of its text alone: the page as a whole takes the focus, too, and holds every name.
            label = "((e) => (e.getAttribute('aria-label') || e.innerText).slice(0, 60))(document.activeElement)"
            if name in str(page.evaluate(label)):
                return
        pytest.fail(f"Tab never reaches “{name}”")

    tab_to("Utilization, % of capacity")
    # The first is the help button of the slider, the next the slider itself.
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([selector, text]) => document.querySelector(selector).innerText !== text", arg=[VERDICT, before]
    )
    assert "60.5" in page.inner_text(VERDICT)
    tab_to("Share or export")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-testid="stPopoverBody"]')
    page.keyboard.press("Escape")
    tab_to("Cost per token")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_idle(page)
    page.wait_for_function("location.search.includes('view=bills')")
