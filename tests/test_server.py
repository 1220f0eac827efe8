"""The web server's own part: headers on every answer, no endless addresses, nothing told to strangers."""

import http.client
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urljoin

import pytest
from starlette.responses import PlainTextResponse

from costmodel.catalog import CatalogError
from costmodel.ui import server
from costmodel.ui.server import LONGEST_QUERY_BYTES, Guard, content_security_policy, security_headers
from tests.apart import run_apart
from tests.browser import REPOSITORY, serve

Answers = list[MutableMapping[str, Any]]


def ask(query: bytes = b"", path: str = "/", kind: str = "http") -> Answers:
    """What the guard sends for a request in front of a page that says yes."""
    sent: Answers = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    guard: Callable[..., Awaitable[None]] = Guard(PlainTextResponse("yes"))
    scope = {"type": kind, "path": path, "query_string": query, "headers": []}
    run_apart(guard(scope, receive, send))  # type: ignore[arg-type]
    return sent


def headers(answer: MutableMapping[str, Any]) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in answer["headers"]}


@pytest.mark.parametrize(
    ("query", "path", "status"),
    [
        (b"util=60", "/", 200),
        (b"a" * LONGEST_QUERY_BYTES, "/", 200),
        (b"a" * (LONGEST_QUERY_BYTES + 1), "/", 414),
        (b"", "/_stcore/metrics", 404),
        (b"", "/tools/cost/_stcore/metrics", 404),
        (b"", "/_stcore/health", 200),
    ],
)
def test_every_answer_has_the_headers(query: bytes, path: str, status: int) -> None:
    start = ask(query, path)[0]
    assert start["status"] == status
    assert security_headers().items() <= {name.title(): value for name, value in headers(start).items()}.items()


def test_connections_that_stay_open_are_left_alone() -> None:
    """A websocket has no answer that could carry headers."""
    sent: Answers = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept", "headers": []})

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    run_apart(Guard(page)({"type": "websocket", "path": "/_stcore/stream", "query_string": b""}, None, send))  # type: ignore[arg-type]
    assert sent == [{"type": "websocket.accept", "headers": []}]


def test_the_policy_allows_nothing_of_other_hosts_and_no_script_of_a_text() -> None:
    rules = {rule.split()[0]: rule.split()[1:] for rule in content_security_policy().split("; ")}
    for rule, sources in rules.items():
        assert not [each for each in sources if not re.fullmatch(r"'.*'|data:|blob:", each)], rule
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    assert "data:" not in rules["script-src"]
    assert rules["object-src"] == ["'none'"]
    assert rules["default-src"] == ["'self'"]


def test_the_real_server_sends_them_under_a_base_path_too() -> None:
    with serve(base_path="tools/cost") as url:
        host, _, path = url.removeprefix("http://").partition("/")
        answers = {}
        for name in ("", "/", "/_stcore/health", "/_stcore/metrics", "/nowhere", f"/?a={'b' * LONGEST_QUERY_BYTES}"):
            connection = http.client.HTTPConnection(host, timeout=20)
            connection.request("GET", f"/{path}{name}")
            answer = connection.getresponse()
            answer.read()
            answers[name] = answer.status
            for header, value in security_headers().items():
                assert answer.getheader(header) == value, (name, header)
            connection.close()
    assert (answers["/"], answers["/_stcore/health"], answers["/_stcore/metrics"]) == (200, 200, 404)
    assert answers[f"/?a={'b' * LONGEST_QUERY_BYTES}"] == 414


def test_the_page_names_what_draws_charts_so_that_it_is_fetched_early() -> None:
    with serve(base_path="tools/cost") as url, urllib.request.urlopen(f"{url}/", timeout=20) as page:
        file, *how = page.headers["Link"].split("; ")
        assert how == ["rel=modulepreload", "fetchpriority=low"]
        with urllib.request.urlopen(urljoin(page.url, file.strip("<>")), timeout=20) as script:
            assert "javascript" in script.headers["Content-Type"]
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=20) as health:
            assert "Link" not in health.headers


@contextmanager
def proxy() -> Iterator[tuple[int, list[bytes]]]:
    """The port of a proxy that lets nothing through, and what it was asked for."""
    asked: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                asked.append(connection.recv(1_000))
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1], asked


def test_a_foreign_page_is_refused_without_asking_the_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit would first look up the address that this server has there."""
    with proxy() as (port, asked):
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
        with serve() as url:
            connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)
            upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
            upgrade |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://evil.example"}
            connection.request("GET", "/_stcore/stream", headers=upgrade)
            assert connection.getresponse().status == 403
            connection.close()
    assert asked == []


def test_a_start_without_a_browser_asks_nobody_for_the_servers_address() -> None:
    script = """
from streamlit import config, net_util
from streamlit.web import bootstrap

net_util.get_external_ip = net_util.get_internal_ip = lambda: print("asked")
config.set_option("server.headless", True)
bootstrap._print_url(is_running_hello=False)
"""
    command = [sys.executable, "-c", script]
    start = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=60)
    assert "URL: http://localhost:" in start.stdout
    assert "asked" not in start.stdout


def test_price_files_that_cannot_be_read_do_not_keep_the_server_from_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable() -> None:
        raise CatalogError("prices/fx.yaml: the file is missing")

    monkeypatch.setattr(server, "catalog", unreadable)
    server.warm_up()
