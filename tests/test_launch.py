import sys

import pytest
from streamlit.web import cli

from costmodel.paths import APP
from costmodel.ui.launch import main


def test_the_console_script_starts_the_page_and_passes_arguments_on(monkeypatch: pytest.MonkeyPatch):
    started: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["self-host-or-api", "--server.port", "8600"])
    monkeypatch.setattr(cli, "main", lambda: started.append(sys.argv))
    main()
    assert started == [["streamlit", "run", str(APP), "--server.port", "8600"]]
