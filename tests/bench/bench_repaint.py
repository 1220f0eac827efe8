"""Time from a key press on the utilization slider to the repainted chart, beside that of the smallest Streamlit app.

Run from the repository: `python3 -m uv run python -m tests.bench.bench_repaint [repetitions] [view …]`, by default of
every view. Both apps have the same settings and are driven in turn in one Chromium. Where a view's chart does not
depend on utilization, the new answer in words counts. Script times are without server and browser.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.testing.v1 import AppTest

from costmodel.ui.views import NAMES
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
MAIN_VIEW = "cost"
TARGET_RATIOS = {MAIN_VIEW: 1.2}
TARGET_RATIO = 1.6
"""Of the views besides the main one."""

# A chart, or the answer in words, counts as repainted in the frame after it differs from that at the key press.
STOPWATCH = """() => {
  const texts = (found) => [...document.querySelectorAll(found)].map((node) => node.textContent).join();
  const shown = {
    chart: () => [...document.querySelectorAll(".js-plotly-plot :is(path, text)")]
      .map((node) => node.getAttribute("d") + node.getAttribute("transform") + node.textContent).join(),
    words: () => texts("[data-testid=stMain] h2"),
  };
  addEventListener("keydown", () => {
    const start = performance.now();
    window.repaintMs = {};
    for (const [name, now] of Object.entries(shown)) {
      const before = now();
      const look = () => {
        const current = now();
        const isRepainted = current && current !== before;
        requestAnimationFrame(isRepainted ? () => { window.repaintMs[name] ??= performance.now() - start; } : look);
      };
      requestAnimationFrame(look);
    }
  }, true);
}"""

Times = dict[str, list[float]]


def open_with_stopwatch(browser: Browser, url: str, query: str = "") -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    open_page(page, url, query)
    if page.locator("[data-testid=stMain] [class*=st-key-chart_]").count():
        page.wait_for_selector(".js-plotly-plot :is(.xtick, .ytick) text", state="attached")
    wait_idle(page)
    page.evaluate(STOPWATCH)
    return page


def repaint_ms(page: Page, key: str) -> dict[str, float]:
    """Milliseconds from a key press to the new chart and to the new words, of those that change."""
    page.bring_to_front()
    page.locator(SLIDER).focus()
    page.keyboard.press(key)
    page.wait_for_function("() => window.repaintMs && Object.keys(window.repaintMs).length")
    wait_idle(page)
    taken: dict[str, float] = page.evaluate("window.repaintMs")
    return taken


def drive(pages: dict[str, Page], repetitions: int) -> dict[str, Times]:
    """Times of each page by what was repainted; both pages get the same key in turn."""
    found: dict[str, Times] = {name: {} for name in pages}
    for turn in range(repetitions):
        for name, page in pages.items():
            for what, taken in repaint_ms(page, "ArrowRight" if turn % 2 else "ArrowLeft").items():
                found[name].setdefault(what, []).append(taken)
    return found


def script_ms(script: Path, repetitions: int) -> float:
    """Median time of a rerun of the script after its slider moved, without server or browser."""
    app = AppTest.from_file(str(script), default_timeout=60).run()
    taken = []
    for turn in range(repetitions):
        app.slider(key="util").set_value(61.0 if turn % 2 else 59.0)
        start = time.perf_counter()
        app.run()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def report(view: str, found: dict[str, Times]) -> str:
    """One line: what the view's repaint takes beside the smallest app's, and whether that is within its target."""
    smallest = statistics.median(found["smallest"]["chart"])
    target = TARGET_RATIOS.get(view, TARGET_RATIO)
    told = []
    for what, taken in sorted(found["app"].items()):
        middle = statistics.median(taken)
        told.append(f"{what} {middle:.0f} ms ({min(taken):.0f} to {max(taken):.0f}), ratio {middle / smallest:.2f}")
    counted = found["app"].get("chart") or found["app"]["words"]
    is_met = statistics.median(counted) / smallest <= target
    beside = f"smallest {smallest:.0f} ms, at most {target}"
    return f"{'pass' if is_met else 'FAIL'}  {view:10} {'; '.join(told)} ({beside})"


def main(repetitions: int, views: Sequence[str]) -> None:
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
        urls = {name: stack.enter_context(serve(script)) for name, script in scripts.items()}
        beside = open_with_stopwatch(browser, urls["smallest"])
        for view in views:
            query = f"?scenario=deepinfer-128&view={view}"
            page = open_with_stopwatch(browser, urls["app"], query)
            found = drive({"smallest": beside, "app": page}, repetitions)
            page.close()
            print(report(view, found), flush=True)
        browser.close()
        server = {name: script_ms(script, repetitions) for name, script in scripts.items()}
    print(f"script alone: {server['app']:.1f} ms, smallest {server['smallest']:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20, sys.argv[2:] or tuple(NAMES))
