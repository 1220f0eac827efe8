"""Streamlit ignores a setting it does not know with no more than a warning, so each one is asked back."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from costmodel.usage_scenario import LIMITS
from tests.browser import REPOSITORY

SETTINGS = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))

# What the page's speed, privacy and safety rest on; the look may change freely.
NEEDED = {
    "browser.gatherUsageStats": False,
    "browser.serverAddress": "localhost",
    "client.allowedOrigins": [],
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "viewer",
    "global.disableWidgetStateDuplicationWarning": True,
    "global.minCachedMessageSize": 1_000_000_000,
    "runner.magicEnabled": False,
    "runner.postScriptGC": False,
    "server.enableCORS": True,
    "server.enableXsrfProtection": True,
    "server.fileWatcherType": "none",
    "server.maxMessageSize": 20,
    "server.maxUploadSize": 200,
    "server.showEmailPrompt": False,
}
# What Streamlit does by itself and safety rests on as well: a release that changes one of these is found here.
RELIED_ON = {
    "global.developmentMode": False,
    "server.corsAllowedOrigins": [],
    "server.enableAgentApi": False,
    "server.enableStaticServing": False,
    "server.enableWebsocketCompression": False,
    "server.scriptHealthCheckEnabled": False,
    "server.trustedUserHeaders": {},
}


def flat(settings: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


@pytest.fixture(scope="module")
def in_use() -> dict[str, Any]:
    """Every setting of the file as Streamlit reads it, next to its warnings."""
    names = [*(name for name, _ in flat(SETTINGS)), *RELIED_ON]
    question = f"""
import json
from streamlit import config
print(json.dumps({{name: config.get_option(name) for name in {names!r}}}))
"""
    answer = subprocess.run(
        [sys.executable, "-c", question], cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=60
    )
    assert "config" not in answer.stderr
    values: dict[str, Any] = json.loads(answer.stdout)
    return values


def test_streamlit_knows_and_uses_every_setting(in_use: dict[str, Any]):
    assert in_use == dict(flat(SETTINGS)) | RELIED_ON


def test_an_upload_fits_what_the_import_reads():
    megabytes = dict(flat(SETTINGS))["server.maxUploadSize"]
    assert megabytes * 1_000_000 <= LIMITS.max_bytes


@pytest.mark.parametrize(("name", "value"), NEEDED.items())
def test_needed_settings(name: str, value: Any):
    assert dict(flat(SETTINGS))[name] == value
