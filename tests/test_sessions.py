"""Many readers at one server: what one of them types, opens, uploads or downloads never reaches another."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, FilePayload, Page, WebSocket, expect

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.language import speaking
from costmodel.link import example_scenario
from costmodel.ui.inputs import box_key
from costmodel.ui.text import verdict
from tests.apart import run_apart
from tests.bench.load import Tally, load, report
from tests.browser import open_page, wait_idle

UPLOAD = Path(__file__).parent / "usage_samples" / "openai_completions_usage.csv"
SLIDER = ".st-key-util input[type=range]"


def test_every_session_gets_its_own_answers_and_none_is_lost(
    app_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = Tally()
    run_apart(load(app_server, tally, sessions=8, movers=6, seconds=4))
    report(tally, ())
    told = capsys.readouterr().out
    assert (tally.moves, len(tally.seconds)) == (24, 24), told
    assert (tally.lost, tally.dropped, tally.errors, tally.wrong, tally.leaks) == (0, 0, [], [], []), told


@dataclass
class Seat:
    """A reader at a browser of their own, and every byte that reached it."""

    page: Page
    example: str
    title: str
    language: str
    received: list[bytes] = field(default_factory=list)

    def open(self, url: str, utilization: float) -> None:
        query = f"scenario={self.example}&util={utilization:g}&title={quote(self.title)}&lang={self.language}"
        open_page(self.page, url, f"?{query}")

    def listen(self) -> None:
        def opened(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: self.received.append(_bytes(frame)))

        self.page.on("websocket", opened)

    def press(self, key: str) -> None:
        self.page.locator(SLIDER).focus()
        self.page.keyboard.press(key)

    def says_its_own(self, utilization: float) -> None:
        scenario = example_scenario(catalog(), self.example)
        changes = {"utilization_percent": utilization, "title": self.title}
        with speaking(self.language):
            expected = verdict(compare(catalog(), scenario.model_copy(update=changes)))
        expect(self.page.locator("[data-testid=stMain] h2").first).to_have_text(_words(expected), timeout=20_000)
        wait_idle(self.page)
        assert self.page.locator("h1").inner_text() == self.title
        assert parse_qs(urlsplit(self.page.url).query)["title"] == [self.title]

    def heard_of(self, text: str) -> bool:
        """Whether a text reached this browser, on the page or under it."""
        return text in self.page.content() or any(text.encode() in frame for frame in self.received)


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame


def _words(markdown: str) -> re.Pattern[str]:
    """The sentence as the page shows it: without marks of markdown, its spaces of whatever width."""
    plain = re.sub(r"\\(.)", r"\1", markdown.replace("**", ""))
    return re.compile("^" + r"\s+".join(map(re.escape, plain.split())) + "$")


@pytest.fixture
def seats(browser: Browser) -> Iterator[tuple[Seat, Seat]]:
    contexts = [browser.new_context(accept_downloads=True) for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    anna = Seat(pages[0], "deepinfer-128", "Annas Haushalt", "de")
    ben = Seat(pages[1], "node-8xh200", "Budget of Ben", "en")
    for seat in (anna, ben):
        seat.listen()
    yield anna, ben
    for context in contexts:
        context.close()


@pytest.mark.browser
def test_two_browsers_at_one_server_see_nothing_of_each_other(seats: tuple[Seat, Seat], app_server: str) -> None:
    anna, ben = seats
    anna.open(app_server, 60)
    ben.open(app_server, 10)
    for turn in range(1, 4):
        anna.press("ArrowRight")
        ben.press("ArrowLeft")
        ben.says_its_own(10 - 0.5 * turn)
        anna.says_its_own(60 + 0.5 * turn)

    _upload(anna, named="of-anna.csv")
    ben.press("ArrowLeft")
    ben.says_its_own(8)
    assert ben.page.locator("[data-testid=stFileUploader]").count() == 0, "Ben's boxes stay as he left them"
    assert _downloaded(ben).count("Budget of Ben") == 1
    assert "Annas Haushalt" in _downloaded(anna)

    ben.page.reload()
    ben.says_its_own(8)
    anna.press("ArrowLeft")
    expect(anna.page.locator("[data-testid=stMain] h2").first).to_contain_text(re.compile(r"\b61\s%"))
    assert anna.heard_of("of-anna.csv"), "what reaches a browser is found"
    assert anna.heard_of("Annas Haushalt")
    assert not any(ben.heard_of(text) for text in ("of-anna.csv", "Haushalt", "Auslastung", "9.636364"))
    assert not any(anna.heard_of(text) for text in ("of Ben", "h200&gpus=8"))


def _upload(seat: Seat, *, named: str) -> None:
    seat.page.locator(f".st-key-{box_key('Your usage file')} summary").click()
    wait_idle(seat.page)
    upload: FilePayload = {"name": named, "mimeType": "text/csv", "buffer": UPLOAD.read_bytes()}
    seat.page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(upload)
    wait_idle(seat.page)
    seat.page.locator(".st-key-use_usage button").click()
    seat.page.wait_for_url("**ratio=9.636364**")
    wait_idle(seat.page)


def _downloaded(seat: Seat) -> str:
    with seat.page.expect_download() as waiting:
        seat.page.locator("[class*=st-key-csv_] button").click()
    return waiting.value.path().read_text(encoding="utf-8-sig")
