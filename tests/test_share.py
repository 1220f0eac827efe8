import io
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Browser, Page

from tests.browser import open_page, serve, wait_idle
from tests.scratch_page import write_page
from tests.test_live_chart import BAD_LABELS, DRAWN

HOSTILE = '<b>bold</b> <a href="https://evil.example">x</a> $\\frac{1}{2}$ <img src=x onerror=alert(1)> ' + "W" * 150

# Records each word group that the picture gets, where it stands, and the chart that is drawn for it.
SPY = """(badLabels) => {
  window.words = [];
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const size = Number(this.font.match(/(\\d+)px/)[1]);
    window.words.push({ text, x, y, size, right: x + this.measureText(text).width, height: this.canvas.height / 2 });
    return fillText.call(this, text, x, y);
  };
  const toImage = Plotly.toImage;
  Plotly.toImage = (stage, options) => {
    stage.id = "stage";
    window.badLabels = eval(badLabels)("#stage");
    window.exported = { width: options.width, data: stage.data, layout: stage.layout };
    return toImage(stage, options);
  };
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory):
    with serve(write_page(tmp_path_factory.mktemp("page"))) as address:
        yield address


def open_spied(page: Page, url: str, query: str = "") -> None:
    open_page(page, url, query)
    page.wait_for_selector(DRAWN, state="attached")
    wait_idle(page)
    page.evaluate(SPY, BAD_LABELS)


def download(page: Page) -> Image.Image:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download PNG").click()
    assert waiting.value.suggested_filename == "cost.png"
    with open(waiting.value.path(), "rb") as file:
        return Image.open(io.BytesIO(file.read())).convert("RGB")


def sizes(values: Any) -> list[float]:
    """Every font size of a figure."""
    if isinstance(values, list):
        return [size for value in values for size in sizes(value)]
    if not isinstance(values, dict):
        return []
    own = [values["size"]] if "size" in values and "family" in values else []
    return own + [size for value in values.values() for size in sizes(value)]


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("dark", 390)])
def test_the_picture_is_a_white_slide_with_everything_on_it(
    browser: Browser, page: Page, url: str, scheme: str, width: int
):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_spied(page, url)
    picture = download(page)
    assert picture.size == (3200, 1800)
    corners = [picture.getpixel((x, y)) for x in (0, 3199) for y in (0, 1799)]
    assert corners == [(255, 255, 255)] * 4
    words = page.evaluate("words")
    assert [word["text"] for word in words] == [
        "Own GPUs or API?",
        "At 60 % utilization",
        "Prices of 25 October 2026.",
        "Not included: staff, storage.",
        f"{url}/?v=1&util=60",
    ]
    assert page.evaluate("badLabels") == 0
    exported = page.evaluate("exported")
    assert min(sizes(exported["layout"]) + sizes(exported["data"])) >= 20
    assert exported["layout"]["paper_bgcolor"] == exported["layout"]["plot_bgcolor"] == "white"
    rings = next(trace for trace in exported["data"] if trace.get("marker", {}).get("line"))
    assert rings["marker"]["color"] == "white"
    assert ImageStat.Stat(picture.convert("L")).mean[0] > 230, "a slide is mostly white"


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_the_picture_can_be_seen_on_white(page: Page, url: str, scheme: str):
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_spied(page, url)
    download(page)
    contrasts = page.evaluate("""() => {
      const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      const contrast = (color) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.fillStyle = "white"; pen.fillRect(0, 0, 1, 1);
        pen.fillStyle = color; pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((c) => linear(c / 255));
        return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
      };
      return {
        lines: exported.data.filter((trace) => trace.line?.color).map((trace) => contrast(trace.line.color)),
        labels: exported.layout.annotations.map((label) => contrast(label.font.color)),
      };
    }""")
    assert min(contrasts["lines"]) >= 3
    assert min(contrasts["labels"]) >= 4.5


@pytest.mark.browser
def test_a_hostile_title_stays_text_and_nothing_is_cut_or_covered(page: Page, url: str):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_spied(page, url, f"?title={quote(HOSTILE)}")
    picture = download(page)
    words = page.evaluate("words")
    title = [word for word in words if word["size"] == words[0]["size"]]
    assert "".join(word["text"] for word in title).replace(" ", "") == HOSTILE.replace(" ", "")
    assert all(word["right"] <= 1600 - word["x"] + 1 for word in words)
    for above, below in pairwise(words):
        assert above["y"] + above["size"] <= below["y"]
    assert words[-1]["y"] + words[-1]["size"] < words[-1]["height"] == picture.height / 2
    assert dialogs == []


@pytest.mark.browser
def test_the_picture_shows_the_scenario_of_the_moment(page: Page, url: str):
    open_spied(page, url)
    page.locator(".st-key-util input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    download(page)
    assert page.evaluate("words[1].text") == "At 61 % utilization"
    assert page.evaluate("exported.data.at(-1).x[0]") == 61


@pytest.mark.browser
def test_a_missing_chart_is_said_beside_the_button(page: Page, url: str):
    open_page(page, url)
    page.evaluate("document.querySelector('.st-key-chart_cost').remove()")
    page.get_by_role("button", name="Download PNG").click()
    page.get_by_text("No picture: the chart is not drawn yet.").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize("has_clipboard", [True, False])
def test_the_link_is_copied_by_key_press_with_and_without_the_clipboard_api(page: Page, url: str, has_clipboard: bool):
    if has_clipboard:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    else:
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_page(page, url)
    button = page.get_by_role("button", name="Copy link")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Copied.").wait_for()
    assert page.get_by_role("textbox", name="Link to this scenario").input_value() == f"{url}/?v=1&util=60"
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.locator("body > textarea").focus()
    page.keyboard.press("Control+V")
    assert page.locator("body > textarea").input_value() == f"{url}/?v=1&util=60"


@pytest.mark.browser
def test_a_browser_that_refuses_to_copy_leaves_the_link_selected(page: Page, url: str):
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false"
    )
    open_page(page, url)
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("press Ctrl+C").wait_for()
    field = page.get_by_role("textbox", name="Link to this scenario")
    selected = field.evaluate("(input) => input.value.slice(input.selectionStart, input.selectionEnd)")
    assert selected == f"{url}/?v=1&util=60"


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_buttons_look_like_the_page_and_show_their_focus(page: Page, url: str, scheme: str):
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_page(page, url)
    body = page.locator(".stApp").evaluate("(app) => getComputedStyle(app).color")
    button = page.get_by_role("button", name="Copy link")
    style = "(button) => [getComputedStyle(button).color, getComputedStyle(button).outlineStyle]"
    assert button.evaluate(style) == [body, "none"]
    page.get_by_role("textbox", name="Link to this scenario").focus()
    page.keyboard.press("Tab")
    assert button.evaluate(style) == [body, "solid"]
