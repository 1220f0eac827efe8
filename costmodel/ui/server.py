"""The web server before any reader: what it loads, and what each of its answers carries or is refused."""

import re
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import net_util

from costmodel.catalog import CatalogError, catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.link import LONGEST_LINK, decode
from costmodel.ui.live_chart import PLOTLY_FILE

LONGEST_QUERY_BYTES = 4 * LONGEST_LINK
"""More than any link that is read: characters outside of ASCII take several bytes each."""
CLOSED = ("/_stcore/metrics",)
"""Ends of paths that tell a stranger about the server and that no reader needs."""


def _inline_scripts(page: str) -> list[str]:
    """CSP sources for exactly the scripts that stand within an HTML page."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]


def content_security_policy() -> str:
    """What the browser may load and run: this server's own files, and nothing of a link, a file or another host.

    Inline styles and WebAssembly are Streamlit's. `blob:` is the code of the page's own components, handed over so.
    """
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    rules = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "blob:", "'wasm-unsafe-eval'", *_inline_scripts(page)],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'", "blob:"],
        "frame-src": ["'none'"],
        "frame-ancestors": ["'self'"],
        "form-action": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
    }
    return "; ".join(f"{rule} {' '.join(sources)}" for rule, sources in rules.items())


def security_headers() -> dict[str, str]:
    """The headers of every answer, by name."""
    return {
        "Content-Security-Policy": content_security_policy(),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        # The address holds the reader's whole scenario: other sites are not told it.
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
    }


PRELOAD = f"<./static/js/{PLOTLY_FILE}>; rel=modulepreload; fetchpriority=low"
"""`Link` header of the page: the browser fetches what draws charts while the script runs, not after it."""


class Guard:
    """ASGI middleware: refuses what no reader sends, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = security_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Link", PRELOAD)
            await send(message)

        answer: ASGIApp = self._app
        if len(scope.get("query_string", b"")) > LONGEST_QUERY_BYTES:
            answer = PlainTextResponse("The address is too long.", status_code=414)
        elif str(scope.get("path", "")).endswith(CLOSED):
            answer = PlainTextResponse("Not found.", status_code=404)
        await answer(scope, receive, send_with_headers)


def _no_external_ip() -> None:
    """Stands in for Streamlit's question to a host on the internet, asked before it refuses a page of another site."""


net_util.get_external_ip = _no_external_ip

MIDDLEWARE = (Middleware(Guard),)


def warm_up() -> None:
    """Load, before the server listens, what the first reader would wait a second for."""
    import pandas  # noqa: F401 - Streamlit asks whether what a component is given is one of its tables

    # Price files that cannot be read are told on the page.
    with suppress(CatalogError, NoAnswerError):
        compare(catalog(), decode(catalog(), {}).scenario)
