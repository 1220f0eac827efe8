"""Time from a key press on the utilization slider to the repainted chart, beside that of the smallest Streamlit app.

Run from the repository: `python3 -m uv run python -m tests.bench.bench_repaint [repetitions]`. Both apps have the same
settings and are driven in turn in one Chromium. Server times are of the script alone, without the browser.
"""

import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.testing.v1 import AppTest

from tests.browser import APP, REMEDY, find_browser, launch, open_page, serve, wait_idle

SMALLEST_APP = """
import streamlit as st

utilization = st.slider("Utilization", 1, 100, 60, key="util")
shares = [percent / 2 for percent in range(1, 201)]
costs = [utilization / share for share in shares]
layout = {"yaxis": {"range": [0, 3]}}
st.plotly_chart(
    {"data": [{"type": "scatter", "mode": "lines", "x": shares, "y": costs}], "layout": layout}, key="chart_cost"
)
"""
SLIDER = ".st-key-util input[type=range]"
CHART = ".st-key-chart_cost .js-plotly-plot"
TARGET_RATIO = 1.3

# A chart counts as repainted in the frame after its drawn shapes differ from those at the key press.
STOPWATCH = """(chart) => {
  const drawn = () => [...document.querySelectorAll(`${chart} .scatterlayer path, ${chart} .shapelayer path`)]
    .map((path) => path.getAttribute("d") + path.getAttribute("transform")).join();
  addEventListener("keydown", () => {
    const [start, before] = [performance.now(), drawn()];
    window.repaintMs = undefined;
    const look = () => {
      const now = drawn();
      const isRepainted = now && now !== before;
      requestAnimationFrame(isRepainted ? () => { window.repaintMs = performance.now() - start; } : look);
    };
    requestAnimationFrame(look);
  }, true);
}"""


def open_with_stopwatch(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    open_page(page, url)
    page.wait_for_selector(f"{CHART} .scatterlayer path", state="attached")
    wait_idle(page)
    page.evaluate(STOPWATCH, CHART)
    return page


def repaint_ms(page: Page, key: str) -> float:
    page.bring_to_front()
    page.locator(SLIDER).focus()
    page.keyboard.press(key)
    page.wait_for_function("window.repaintMs !== undefined")
    taken: float = page.evaluate("window.repaintMs")
    wait_idle(page)
    return taken


def script_ms(script: Path, repetitions: int) -> float:
    """Median time of a rerun of the script after its slider moved, without server or browser."""
    app = AppTest.from_file(str(script), default_timeout=60).run()
    taken = []
    for turn in range(repetitions):
        slider = app.slider(key="util")
        slider.set_value(slider.value + (1 if turn % 2 else -1))
        start = time.perf_counter()
        app.run()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def main(repetitions: int = 20) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        smallest = folder / "smallest.py"
        smallest.write_text(SMALLEST_APP, encoding="utf-8")
        scripts = {"smallest": smallest, "app": APP}
        playwright = stack.enter_context(sync_playwright())
        program = find_browser(playwright)
        if program is None:
            sys.exit(REMEDY)
        browser = launch(playwright, program)
        pages = {
            name: open_with_stopwatch(browser, stack.enter_context(serve(script))) for name, script in scripts.items()
        }
        taken: dict[str, list[float]] = {name: [] for name in scripts}
        for turn in range(repetitions):
            for name, page in pages.items():
                taken[name].append(repaint_ms(page, "ArrowRight" if turn % 2 else "ArrowLeft"))
        browser.close()
        server = {name: script_ms(script, repetitions) for name, script in scripts.items()}
    repaint = {name: statistics.median(values) for name, values in taken.items()}
    for name, values in taken.items():
        spread = f"{min(values):.0f} to {max(values):.0f} ms in {repetitions} key presses"
        print(f"{name:9} repaint {repaint[name]:6.1f} ms ({spread}), script {server[name]:5.1f} ms")
    print(f"ratio {repaint['app'] / repaint['smallest']:.2f} (target: at most {TARGET_RATIO})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
