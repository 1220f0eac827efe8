"""Makes the picture of the README: `python3 -m uv run python -m tests.screenshot`, from the repository."""

from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from tests.browser import REMEDY, REPOSITORY, find_browser, launch, open_page, serve, wait_idle

PICTURE = REPOSITORY / ".readme" / "main-view.png"
SIZE: ViewportSize = {"width": 1280, "height": 1250}


def take(picture: Path = PICTURE) -> None:
    """Start the app, open it bare as a first reader would, and save what fits on one screen."""
    with serve() as url, sync_playwright() as playwright:
        program = find_browser(playwright)
        if program is None:
            raise SystemExit(REMEDY)
        browser = launch(playwright, program)
        page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        open_page(page, url)
        page.wait_for_selector(".js-plotly-plot .scatterlayer path", state="attached")
        wait_idle(page)
        picture.parent.mkdir(exist_ok=True)
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    take()
