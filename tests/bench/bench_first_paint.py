"""From opening a link to the drawn chart, beside the smallest Streamlit app: time, bytes, and memory of each session.

Run from the repository: `python3 -m uv run python -m tests.bench.bench_first_paint [repetitions]`. Three visits are
timed: cold (a server that has just started, a browser that was never here), new (the same server, another new browser),
again (the same browser, its files kept). Both apps have the same settings and are visited in turn.
"""

import asyncio
import base64
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from tests.bench.bench_repaint import SMALLEST_APP
from tests.bench.load import SLIDER, usage_of
from tests.bench.reader import Reader
from tests.browser import APP, REMEDY, find_browser, launch, serve_process

TARGET_RATIO = 1.3
TARGET_MB_PER_SESSION = 3.0
SESSIONS = 40
VISITS = ("cold", "new", "again")
_PAINTED = """() => document.querySelector(".js-plotly-plot .scatterlayer path") && performance.now()"""


@contextmanager
def _new_browser(playwright: Playwright, program: str) -> Iterator[Browser]:
    browser = launch(playwright, program)
    try:
        yield browser
    finally:
        browser.close()


def visit(context: BrowserContext, url: str) -> tuple[float, int]:
    """Milliseconds until the chart is drawn, and the bytes that came until then, over HTTP and websocket."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    received = [0]

    def add_answer(event: dict[str, Any]) -> None:
        received[0] += event["encodedDataLength"]

    def add_frame(event: dict[str, Any]) -> None:
        payload = event["response"]["payloadData"]
        received[0] += len(base64.b64decode(payload)) if event["response"]["opcode"] == 2 else len(payload)

    network.on("Network.loadingFinished", add_answer)
    network.on("Network.webSocketFrameReceived", add_frame)
    page.goto(f"{url}/", wait_until="commit")
    taken: float = page.wait_for_function(_PAINTED, polling="raf", timeout=120_000).json_value()
    size = received[0]
    page.close()
    return taken, size


def visits(playwright: Playwright, program: str, script: Path) -> dict[str, tuple[float, int]]:
    """A fresh server, visited by three readers."""
    found = {}
    with serve_process(script) as (url, _):
        with _new_browser(playwright, program) as browser:
            found["cold"] = visit(browser.new_context(), url)
        with _new_browser(playwright, program) as browser:
            context = browser.new_context()
            found["new"] = visit(context, url)
            found["again"] = visit(context, url)
    return found


def mb_per_session(script: Path) -> float:
    """What one more session adds to the server's memory, after it was opened and moved its slider."""
    with serve_process(script) as (url, server):
        return asyncio.run(_mb_per_session(url, server.pid))


async def _mb_per_session(url: str, process: int) -> float:
    async with AsyncExitStack() as stack:

        async def open_and_move() -> None:
            reader = await stack.enter_async_context(Reader(url))
            answered = asyncio.Event()
            reader.on_run = lambda run: answered.set()
            await reader.move(SLIDER, 40)
            await asyncio.wait_for(answered.wait(), 60)

        # The first ones fill what all share.
        for _ in range(10):
            await open_and_move()
        before = usage_of([process]).mb
        for _ in range(SESSIONS):
            await open_and_move()
        return (usage_of([process]).mb - before) / SESSIONS


def main(repetitions: int = 3) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scripts = {"smallest": Path(folder) / "smallest.py", "app": APP}
        scripts["smallest"].write_text(SMALLEST_APP, encoding="utf-8")
        with sync_playwright() as playwright:
            program = find_browser(playwright)
            if program is None:
                sys.exit(REMEDY)
            found = [
                {name: visits(playwright, program, script) for name, script in scripts.items()}
                for _ in range(repetitions)
            ]
        memory = {name: mb_per_session(script) for name, script in scripts.items()}
    for kind in VISITS:
        ms = {name: statistics.median(each[name][kind][0] for each in found) for name in scripts}
        size = {name: statistics.median(each[name][kind][1] for each in found) / 1e6 for name in scripts}
        ratio = ms["app"] / ms["smallest"]
        print(
            f"{'pass' if ratio <= TARGET_RATIO else 'FAIL'}  {kind:6} first chart {ms['app']:6.0f} ms, smallest "
            f"{ms['smallest']:6.0f} ms: ratio {ratio:.2f} (at most {TARGET_RATIO}); "
            f"{size['app']:.2f} MB came, smallest {size['smallest']:.2f} MB"
        )
    above = memory["app"] - memory["smallest"]
    print(
        f"{'pass' if above <= TARGET_MB_PER_SESSION else 'FAIL'}  a session takes {memory['app']:.2f} MB, smallest "
        f"{memory['smallest']:.2f} MB: {above:.2f} MB above it (at most {TARGET_MB_PER_SESSION:g})"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
