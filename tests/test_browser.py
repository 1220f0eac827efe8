"""The real page in a real browser: link, slider, history, exports, narrow and dark screens."""

import csv
import io
import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Download, Page, expect

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.exports.data import BYTE_ORDER_MARK
from costmodel.link import decode, link, query_of
from costmodel.ui.charts import cost_table
from costmodel.ui.views import NAMES
from tests.browser import open_page, wait_idle

pytestmark = pytest.mark.browser

CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
HOSTILE = "<img src=x onerror=alert(1)> **b** $x^2$ [a](http://e.com) :material/home: a -> b &lt; www.e.com"
VERDICT = "[data-testid=stMain] h2"
CHART = "[data-testid=stMain] .js-plotly-plot"
OVERHANG = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
}"""
# Texts of the chart that cover each other, and texts that leave it.
BAD_TEXTS = """() => {
  const chart = document.querySelector("[data-testid=stMain] .js-plotly-plot");
  const frame = chart.getBoundingClientRect();
  const boxes = [...chart.querySelectorAll(".annotation-text-g, .textpoint text, .xtick text, .ytick text, .bartext")]
    .map((node) => ({ text: node.textContent, box: node.getBoundingClientRect() })).filter(({ box }) => box.width);
  const cover = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  const covered = (a, others) => others.filter((b) => cover(a.box, b.box)).map((b) => [a.text, b.text]);
  const leaves = ({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1;
  return [...boxes.flatMap((a, i) => covered(a, boxes.slice(i + 1))), ...boxes.filter(leaves).map(({ text }) => text)];
}"""


def verdict(page: Page) -> str:
    return page.locator(VERDICT).inner_text().replace("\u00a0", " ")


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def slider(page: Page) -> str:
    return page.locator(".st-key-util input[type=range]").input_value()


def wait_for_chart(page: Page) -> None:
    page.wait_for_selector(f"{CHART} .main-svg .xtick", state="attached")
    wait_idle(page)


def open_view(page: Page, view: str) -> None:
    page.locator(".st-key-view button", has_text=re.compile(f"^{NAMES[view]}$")).click()
    page.wait_for_url(f"**view={view}&**")
    wait_idle(page)


def says(page: Page, text: str) -> None:
    expect(page.locator(VERDICT)).to_contain_text(text, timeout=20_000)
    wait_idle(page)


def at_reader(page: Page) -> float:
    """The utilization at which the chart marks the reader."""
    percent: float = page.evaluate(f"document.querySelector('{CHART}').data.at(-1).x[0]")
    return percent


def download(page: Page, button: str) -> Download:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    return waiting.value


def picture(file: Download) -> Image.Image:
    return Image.open(file.path()).convert("RGB")


def ink(image: Image.Image, top: float, bottom: float) -> float:
    """Share of the pixels of a band of the picture, given in shares of its height, that are not white."""
    band = image.crop((0, int(top * image.height), image.width, int(bottom * image.height))).convert("L")
    counts = band.histogram()
    return 1 - sum(counts[250:]) / sum(counts)


# What a move costs


def test_moving_the_slider_sends_nothing_that_is_the_same_at_any_utilization(page: Page, app_server: str) -> None:
    received: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(frame)))
    open_page(page, app_server, f"{CLUSTER}&view=hardware")
    wait_for_chart(page)
    kept = b"What the engines need"
    assert kept in b"".join(each for each in received if isinstance(each, bytes))
    page.get_by_text("Only nodes that can run the model").click()
    wait_idle(page)
    received.clear()
    page.locator(".st-key-util input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    says(page, "At 60.5 % utilization")
    assert kept not in b"".join(each for each in received if isinstance(each, bytes))
    expect(page.get_by_text("What the engines need")).to_have_count(1)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(1)
    expect(page.locator(".st-key-only_fitting input")).not_to_be_checked()


# The link


def test_keys_move_verdict_chart_and_address_and_back_undoes(page: Page, app_server: str) -> None:
    open_page(page, app_server)
    wait_for_chart(page)
    assert urlsplit(page.url).query == "", "a bare address stays bare"
    assert "At 60 % utilization" in verdict(page)
    page.locator(".st-key-util input[type=range]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    says(page, "At 61.5 % utilization")
    assert (slider(page), address(page)["util"], at_reader(page)) == ("61.5", ["61.5"], 61.5)

    steps = 0
    while urlsplit(page.url).query:
        page.go_back()
        wait_idle(page)
        steps += 1
        now = float(address(page).get("util", ["60"])[0])
        says(page, f"At {now:g} % utilization")
        assert float(slider(page)) == now
    assert 1 <= steps <= 3
    for _ in range(steps):
        page.go_forward()
        wait_idle(page)
    says(page, "At 61.5 % utilization")
    assert (slider(page), address(page)["util"], at_reader(page)) == ("61.5", ["61.5"], 61.5)
    page.reload()
    wait_idle(page)
    says(page, "At 61.5 % utilization")
    assert slider(page) == "61.5"


def test_back_leaves_an_address_that_was_rewritten(page: Page, app_server: str) -> None:
    page.goto("about:blank")
    open_page(page, app_server, NODE)
    assert address(page)["gpu"] == ["coreweave-h200"]
    page.go_back()
    says(page, "$46.70")
    assert urlsplit(page.url).query == "scenario=node-8xh200"
    page.go_back()
    assert page.url == "about:blank"


def test_an_example_passed_on_at_once_is_the_same_in_a_fresh_browser(
    page: Page, browser: Browser, app_server: str
) -> None:
    open_page(page, app_server)
    page.locator(".st-key-example input").fill("8x H200 at 300")
    page.keyboard.press("Enter")
    page.wait_for_url("**gpu=coreweave-h200**")
    with browser.new_context() as context:
        other = context.new_page()
        open_page(other, page.url)
        wait_idle(page)
        assert verdict(other) == verdict(page)
        assert "At 2 % utilization your own GPUs cost $46.70" in verdict(page)
        assert address(other) == address(page)
        page.locator(".st-key-util input[type=range]").focus()
        page.keyboard.press("ArrowRight")
        says(page, "At 2.5 %")
        other.locator(".st-key-util input[type=range]").focus()
        other.keyboard.press("ArrowLeft")
        says(other, "At 1.5 %")  # and not 2 %: readers do not see each other's changes


@pytest.mark.parametrize("app_server", ["tools/cost"], indirect=True)
def test_a_base_path_and_a_title_that_needs_escaping(page: Page, app_server: str) -> None:
    title = "A+B 50% / ü & more"
    open_page(page, app_server, f"{CLUSTER}&util=70&title={quote(title, safe='')}")
    says(page, "At 70 % utilization")
    assert page.locator("h1").inner_text() == title
    assert (urlsplit(page.url).path.rstrip("/"), address(page)["title"]) == ("/tools/cost", [title])
    page.get_by_role("button", name="Share or export").click()
    scenario = decode(catalog(), query_of(page.url)).scenario
    assert scenario.title == title
    copied = page.get_by_role("textbox", name="Link to this scenario")
    expect(copied).to_have_value(re.compile(rf"^{re.escape(app_server)}/?{re.escape(link(scenario))}$"))


# What others wrote


def test_a_hostile_link_is_shown_not_run(page: Page, app_server: str) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    price = quote('custom:=X("y") <b>x</b> $y$:1:0.5:2', safe="")
    open_page(page, app_server, f"?v=1&util=1e400&tps=nan&gpu=A100&title={quote(HOSTILE)}&api={price}")
    wait_for_chart(page)
    assert page.locator("h1").inner_text().replace("\u2060", "") == HOSTILE
    assert page.locator("h1 :is(img, a, b, strong, .katex, [data-testid=stIconMaterial])").count() == 0
    assert '=X("y") <b>x</b> $y$ costs $2.00' in verdict(page)
    assert '=X("y") <b>x</b> $y$ $2.00' in page.locator(CHART).inner_text() + page.locator(CHART).text_content()
    notes = page.locator("[data-testid=stMain]").inner_text().replace("\u2060", "").replace("\u00a0", " ")
    for key, value, used in [("util", "1e400", "60"), ("tps", "nan", "14466"), ("gpu", "A100", "coreweave-gb200")]:
        assert re.search(rf"\({key}\): “{value}” .*; using {used}\.", notes)
    page.get_by_role("button", name="Understood").click()
    expect(page.get_by_text("could not be used")).to_have_count(0)
    file = download(page, "Download PNG")
    assert file.suggested_filename.startswith("img-src-x-onerror-alert-1-b-x-2-a-http-e-com-material-home")
    assert ink(picture(file), 0.02, 0.12) > 0.01, "the title is drawn"
    assert dialogs == []


# Exports


def test_exports_hold_what_is_on_the_screen(page: Page, app_server: str) -> None:
    open_page(page, app_server, CLUSTER)
    page.locator(".st-key-util input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    says(page, "At 60.5 %")
    wait_for_chart(page)
    _table_holds_the_chart_and_what_is_left_out(page, app_server)
    for view in ("cost", "bills", "gpu_hour"):
        if view != "cost":
            open_view(page, view)
            wait_for_chart(page)
        _picture_is_a_slide(page, view)
    before = address(page)
    open_view(page, "method")
    assert page.get_by_text("These are the equations the program runs").is_visible()
    open_view(page, "bills")
    assert address(page) == {**before, "view": ["bills"]}, "a visit to another view keeps every input"
    page.locator(".st-key-units input").fill("10000")
    page.keyboard.press("Enter")
    page.wait_for_url("**units=10000&**")
    wait_idle(page)
    ticks = page.locator(f"{CHART} .xtick text").all_text_contents()
    assert len(ticks) >= 3
    assert all(re.fullmatch(r"\$[0-9.]+[kMB]?", tick) for tick in ticks), ticks


def _table_holds_the_chart_and_what_is_left_out(page: Page, app_server: str) -> None:
    files = [download(page, "Download CSV") for _ in range(2)]
    assert files[0].suggested_filename == "deepinfer-64-b200-64-gb200-cost-2026-10-25.csv"
    texts = [file.path().read_text(encoding="utf-8") for file in files]
    assert texts[0] == texts[1]
    assert texts[0].startswith(BYTE_ORDER_MARK), "without it, Excel takes × for two other characters"
    rows = list(csv.reader(io.StringIO(texts[0].removeprefix(BYTE_ORDER_MARK))))
    comparison = compare(catalog(), decode(catalog(), query_of(f"{CLUSTER}&util=60.5")).scenario)
    expected = cost_table(comparison)
    assert rows[0] == expected[0]
    assert [[float(cell) for cell in row] for row in rows[1 : len(expected)]] == expected[1:]
    below = [cell for row in rows[len(expected) :] for cell in row]
    assert comparison.scenario.title in below
    assert any(cell.startswith("Not included: staff who operate it") for cell in below)
    assert below[-1] == f"{app_server}/{link(comparison.scenario)}"


def _picture_is_a_slide(page: Page, view: str) -> None:
    file = download(page, "Download PNG")
    assert file.suggested_filename == f"deepinfer-64-b200-64-gb200-{view.replace('_', '-')}-2026-10-25.png"
    image = picture(file)
    assert image.width >= 1600
    corners = [image.getpixel((x, y)) for x in (0, image.width - 1) for y in (0, image.height - 1)]
    assert corners == [(255, 255, 255)] * 4
    title, chart, words = ink(image, 0.02, 0.1), ink(image, 0.2, 0.75), ink(image, 0.8, 1)
    assert (title > 0.01, chart > 0.01, words > 0.005) == (True, True, True), (view, title, chart, words)
    assert ink(image, 0, 1) < 0.6, "a slide is mostly white"


# Screens


def test_every_view_fits_a_phone_in_the_dark(page: Page, app_server: str) -> None:
    open_page(page, app_server, CLUSTER)
    wait_for_chart(page)
    assert not is_light(page)
    assert page.evaluate(BAD_TEXTS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    for view in NAMES:
        if view != "cost":
            open_view(page, view)
        wait_idle(page)
        assert page.evaluate(OVERHANG) <= 0, view
        if view in ("cost", "bills", "gpu_hour"):
            wait_for_chart(page)
            assert page.evaluate(BAD_TEXTS) == [], view
            assert is_light(page), view


def is_light(page: Page) -> bool:
    """Whether the numbers at the axis are light, as on a dark ground."""
    colour = page.locator(f"{CHART} .xtick text").first.evaluate("(text) => getComputedStyle(text).fill")
    return sum(int(each) for each in re.findall(r"\d+", colour)[:3]) > 382


def test_the_point_on_the_chart_follows_the_slider_before_the_server_answers(page: Page, app_server: str) -> None:
    open_page(page, app_server)
    wait_for_chart(page)
    page.evaluate("WebSocket.prototype.send = () => {}")
    page.locator(".st-key-util input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(CHART)).to_contain_text("you: 60.5 %, $0.758")
    assert "At 60 %" in page.locator("h2").first.inner_text().replace("\u00a0", " "), "the words wait for the server"
