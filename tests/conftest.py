"""Fixtures for tests with a real server and a real browser."""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import REMEDY, find_browser, launch, serve

# A busy machine is no fault of the code: how long an example takes is not what these tests are about.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def app_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of the real app; parametrize indirectly with a base path, e.g. "tools/cost", for another."""
    with serve(base_path=getattr(request, "param", "")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = find_browser(playwright)
        if program is None:
            if os.environ.get("REQUIRE_BROWSER") == "1":
                pytest.fail(f"REQUIRE_BROWSER=1, but {REMEDY}")
            pytest.skip(REMEDY)
        chromium = launch(playwright, program)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh context; the test fails at its end if a traceback, a script error or a foreign request appeared."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    foreign: list[str] = []
    script_errors: list[str] = []

    def note_host(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in {"127.0.0.1", "localhost"}:
            foreign.append(url)

    context.on("request", lambda request: note_host(request.url))
    tab = context.new_page()
    tab.on("websocket", lambda socket: note_host(socket.url))
    tab.on("pageerror", lambda error: script_errors.append(str(error)))
    yield tab
    words = tab.locator("body").inner_text()
    exceptions = tab.locator("[data-testid=stException]").all_inner_texts()
    context.close()
    assert "Traceback (most recent call last)" not in words
    assert exceptions == []
    assert script_errors == []
    assert foreign == []
