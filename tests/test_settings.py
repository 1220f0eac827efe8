"""Streamlit ignores a setting it does not know with no more than a warning, so each one is asked back."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import REPOSITORY

SETTINGS = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))

# What the page's speed, privacy and safety rest on; the look may change freely.
NEEDED = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "viewer",
    "global.disableWidgetStateDuplicationWarning": True,
    "runner.postScriptGC": False,
    "server.enableXsrfProtection": True,
    "server.fileWatcherType": "none",
    "server.showEmailPrompt": False,
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
    names = [name for name, _ in flat(SETTINGS)]
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
    assert in_use == dict(flat(SETTINGS))


@pytest.mark.parametrize(("name", "value"), NEEDED.items())
def test_needed_settings(name: str, value: Any):
    assert dict(flat(SETTINGS))[name] == value
