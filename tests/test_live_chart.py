import pytest
from playwright.sync_api import Page

from costmodel.ui import live_chart as module
from costmodel.ui.live_chart import live_chart
from tests.browser import open_page, serve, wait_idle
from tests.scratch_page import write_page

CHART = ".st-key-chart_cost .js-plotly-plot"
DRAWN = f"{CHART} .scatterlayer path"

# Pairs of labels that cover each other, and labels that leave the chart.
BAD_LABELS = """(chart) => {
  const frame = document.querySelector(chart).getBoundingClientRect();
  const labels = document.querySelectorAll(`${chart} .annotation-text-g`);
  const boxes = [...labels].map((node) => node.getBoundingClientRect());
  const cover = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const covered = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => cover(a, b)));
  const leaves = (a) =>
    a.left < frame.left || a.right > frame.right + 1 || a.top < frame.top || a.bottom > frame.bottom;
  return boxes.length ? covered.length + boxes.filter(leaves).length : "no labels";
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory):
    with serve(write_page(tmp_path_factory.mktemp("page"))) as address:
        yield address


def open_chart(page: Page, url: str) -> None:
    open_page(page, url)
    page.wait_for_selector(DRAWN, state="attached")
    wait_idle(page)


def of_chart(page: Page, expression: str):
    return page.evaluate(f"((chart) => {expression})(document.querySelector('{CHART}'))")


def move_slider(page: Page) -> None:
    page.locator(".st-key-util input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    wait_idle(page)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_figure_with_no_number_is_refused(value: float):
    with pytest.raises(ValueError, match="JSON compliant"):
        live_chart({"data": [{"y": [value]}], "layout": {}}, key="chart", alt="", height=100)


def test_this_release_of_streamlit_has_one_plotly_file():
    assert [file.name for file in module._SCRIPTS.glob("PlotlyChart.*.js")] == [module.PLOTLY_FILE]


@pytest.mark.browser
def test_a_change_is_drawn_into_the_same_element(page: Page, url: str):
    open_chart(page, url)
    page.evaluate(f"window.first = document.querySelector('{CHART}')")
    assert of_chart(page, "chart.data.at(-1).x[0]") == 60
    move_slider(page)
    assert of_chart(page, "chart.data.at(-1).x[0]") == 61
    assert of_chart(page, "chart === window.first")
    assert page.get_by_role("figure", name="Cost").count() == 1


@pytest.mark.browser
def test_a_zoom_survives_a_change(page: Page, url: str):
    open_chart(page, url)
    box = page.locator(f"{CHART} .nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 200, steps=5)
    page.mouse.up()
    page.wait_for_function(f"document.querySelector('{CHART}').layout.xaxis.range[0] > 0")
    zoomed = of_chart(page, "chart.layout.xaxis.range")
    move_slider(page)
    assert of_chart(page, "chart.layout.xaxis.range") == zoomed


@pytest.mark.browser
def test_colours_follow_the_theme_without_a_rerun(page: Page, url: str):
    open_chart(page, url)
    light = of_chart(page, "[chart.layout.template.layout.font.color, chart.data.at(-1).marker.color]")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"document.querySelector('{CHART}').data.at(-1).marker.color !== '{light[1]}'")
    dark = of_chart(page, "[chart.layout.template.layout.font.color, chart.data.at(-1).marker.color]")
    assert light[0] == light[1] == "#1a1a1a"
    assert dark[0] == dark[1]


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 800, 390])
def test_labels_neither_cover_each_other_nor_leave_the_chart(page: Page, url: str, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    open_chart(page, url)
    assert page.evaluate(BAD_LABELS, CHART) == 0


@pytest.mark.browser
def test_the_chart_takes_the_room_it_is_given(page: Page, url: str):
    open_chart(page, url)
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(f"document.querySelector('{CHART}')._fullLayout.width < 390")
    lines = "chart.layout.annotations.filter((label) => label.xref === 'paper')"
    assert of_chart(page, f"{lines}.map((label) => label.xanchor)") == ["right"] * 4
