"""A real server and a real browser for tests and benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright

REPOSITORY = Path(__file__).resolve().parent.parent
APP = REPOSITORY / "app.py"
REMEDY = (
    "no Chromium or Chrome was found: install one (Debian: `apt-get install chromium`; anywhere: "
    "`python3 -m uv run playwright install chromium`) or name its program in BROWSER_BIN"
)

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def serve(script: Path = APP, *, base_path: str = "", start_seconds: float = 60) -> Iterator[str]:
    """The address, without a final slash, of a Streamlit server of `script` that ends with the block."""
    with serve_process(script, base_path=base_path, start_seconds=start_seconds) as (url, _):
        yield url


@contextmanager
def serve_process(
    script: Path = APP, *, base_path: str = "", start_seconds: float = 60
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same, with the server's process: to measure its memory, or to end it early."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    if base_path:
        command += ["--server.baseUrlPath", base_path]
    url = f"http://127.0.0.1:{port}/{base_path}".rstrip("/")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])}
    server = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + start_seconds
        while not _is_healthy(url):
            if server.poll() is not None:
                raise RuntimeError(f"the server of {script.name} ended at its start with code {server.returncode}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"the server of {script.name} gave no sign of health in {start_seconds:.0f} s")
            time.sleep(0.1)
        yield url, server
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def find_browser(playwright: Playwright) -> str | None:
    """The program of a Chromium on this machine; None where there is none.

    Raises FileNotFoundError where BROWSER_BIN names no file.
    """
    named = os.environ.get("BROWSER_BIN")
    if named:
        program = shutil.which(named)
        if program is None:
            raise FileNotFoundError(f"BROWSER_BIN names {named!r}, which is no program: correct or unset it")
        return program
    candidates = [shutil.which(command) for command in _COMMANDS]
    candidates += [*_PLACES, playwright.chromium.executable_path]
    return next((program for program in candidates if program and Path(program).is_file()), None)


def launch(playwright: Playwright, program: str) -> Browser:
    """A headless Chromium that sends nothing of its own over the network."""
    # Chromium refuses its sandbox to root, the usual user of a container.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = [*_FLAGS, *(["--no-sandbox"] if is_root else [])]
    return playwright.chromium.launch(executable_path=program, args=flags)


_AT_REST = """(quiet) => {
  const app = document.querySelector("[data-test-script-state]");
  const rests = app?.dataset.testScriptState === "notRunning"
    && document.querySelector("[data-testid=stMain] [data-testid=stElementContainer]")
    && !document.querySelector("[data-stale=true], [data-testid=stSkeleton]");
  if (!rests) window.restsSince = undefined;
  else window.restsSince ??= performance.now();
  return rests && performance.now() - window.restsSince >= quiet;
}"""


def wait_idle(page: Page, *, quiet_ms: int = 300, timeout_ms: int = 30_000) -> None:
    """Returns once the page shows content and no script has run for `quiet_ms`: a key press starts its run late."""
    page.evaluate("window.restsSince = undefined")
    page.wait_for_function(_AT_REST, arg=quiet_ms, polling=50, timeout=timeout_ms)


def open_page(page: Page, url: str, query: str = "") -> None:
    """Opens the page of a link (`query` begins with "?") and waits until it rests."""
    page.goto(f"{url}/{query}")
    wait_idle(page)
