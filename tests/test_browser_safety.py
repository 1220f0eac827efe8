"""The page under its own security headers: all of it works, no other host is asked, and no text becomes markup."""

import re
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from costmodel.ui.inputs import box_key
from costmodel.ui.views import NAMES
from tests.browser import open_page, wait_idle
from tests.usage_files import PLAIN

pytestmark = pytest.mark.browser

CHART = "[data-testid=stMain] .js-plotly-plot"
TITLE = "<img src=x onerror=alert(1)> $\\alpha$ [x](javascript:alert(2)) :material/home: ![p](https://evil.example/p)"
UNKNOWN = "=cmd|' /C calc'!A0 </script><script>alert(3)</script> www.evil.example <a href=https://evil.example>x</a>"
NAMES_OF_APIS = ("<img src=x onerror=alert(4)>", "$\\beta$ **b** `c`", "[y](javascript;alert)", '=X("y")+1')
FILE = "<img src=x onerror=alert(5)>.csv"
ROWS = (
    "2026-09-01T00:00:00Z,<img src=x onerror=alert(6)>,1000,100,200,1\n"
    "2026-09-01T01:00:00Z,[z](javascript:alert(7)) $\\gamma$ :material/home:,1000,100,200,1\n"
    "2026-09-01T02:00:00Z,=cmd|' /C calc'!A0 https://evil.example,1000,100,200,1\n"
)
# What such a text would become if it were taken for markup. Icons are the page's own, one for each of its parts.
MARKUP = """() => [...document.querySelectorAll(
  "img[src=x], [href^='javascript'], [href*='evil.example'], [src*='evil.example'], .katex, iframe, " +
  ":is(h1, h2, [data-testid=stMarkdownContainer], [data-testid=stAlert]) :is(script, [data-testid=stIconMaterial])"
)].map((node) => node.outerHTML)"""


class Overheard:
    """What the browser said about a page, and every address it asked."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        self.addresses: list[str] = []
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.context.on("request", lambda request: self.addresses.append(request.url))
        page.on("websocket", lambda socket: self.addresses.append(socket.url))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`forbidden: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"
        )

    @property
    def hosts(self) -> set[tuple[str, str | None]]:
        parts = (urlsplit(address) for address in self.addresses)
        return {(part.scheme, part.hostname) for part in parts if part.scheme not in ("blob", "data")}


def hostile_link() -> str:
    apis = "".join(
        f"&api={quote(f'custom:{name}:1:0.5:{number}', safe='')}" for number, name in enumerate(NAMES_OF_APIS, start=1)
    )
    texts = f"title={quote(TITLE, safe='')}&unknown={quote(UNKNOWN, safe='')}"
    return f"?scenario=deepinfer-128&{texts}{apis}&api=deepseek:deepseek-flash"


def test_in_every_view_all_works_no_host_is_asked_and_text_stays_text(page: Page, app_server: str) -> None:
    heard = Overheard(page)
    open_page(page, app_server, hostile_link())
    page.wait_for_selector(f"{CHART} .main-svg .xtick", state="attached")
    assert page.locator("h1").inner_text().replace("\u2060", "") == TITLE
    assert UNKNOWN in page.locator("[data-testid=stMain]").inner_text().replace("\u2060", "").replace("\u00a0", " ")
    for view in NAMES:
        page.locator(".st-key-view button", has_text=re.compile(f"^{NAMES[view]}$")).click()
        page.wait_for_url(f"**view={view}&**")
        wait_idle(page)
        assert page.evaluate(MARKUP) == [], view
    page.locator(".st-key-view button", has_text=re.compile(f"^{NAMES['cost']}$")).click()
    page.wait_for_url("**view=cost&**")
    wait_idle(page)
    for button in ("Download PNG", "Download CSV"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=button).click()
        assert waiting.value.path().stat().st_size > 200
    assert heard.hosts == {("http", "127.0.0.1"), ("ws", "127.0.0.1")}
    assert heard.complaints == []


def test_a_file_is_taken_and_its_name_and_contents_stay_text(page: Page, app_server: str) -> None:
    heard = Overheard(page)
    for rows, said in ((ROWS, "was read"), ("", "no usage")):
        open_page(page, app_server)
        page.locator(f".st-key-{box_key('Your usage file')} summary").click()
        file = {"name": FILE, "mimeType": "text/csv", "buffer": (PLAIN + rows).encode()}
        page.locator(".st-key-usage_files input[type=file]").set_input_files([file])  # type: ignore[list-item]
        wait_idle(page)
        page.locator(".st-key-use_usage button").click()
        expect(page.locator("body")).to_contain_text(said, timeout=20_000)
        wait_idle(page)
        assert page.evaluate(MARKUP) == []
        words = page.locator("body").inner_text().replace("\u2060", "")
        assert (FILE if not rows else "<img src=x onerror=alert(6)>") in words
    assert heard.complaints == []


def test_a_page_of_another_site_can_neither_frame_it_nor_send_it_files(page: Page, app_server: str) -> None:
    answer = page.request.put(f"{app_server}/_stcore/upload_file/a/b", multipart={"file": "x"})
    assert answer.status == 403, "an upload needs the token of this page"
    page.goto(f"data:text/html,<iframe src='{app_server}'></iframe>")
    page.wait_for_timeout(1_000)
    assert page.frames[1].url.startswith("chrome-error:")
