"""The model runs without the page: nothing below ui/ loads streamlit, plotly or pandas."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import costmodel

PACKAGE = Path(costmodel.__file__).parent
HEAVY = ("streamlit", "plotly", "pandas")
LAZY = ("numpy",)
"""Loaded where risk is asked for, and not before."""
BELOW_UI = sorted(path for path in PACKAGE.rglob("*.py") if "ui" not in path.parts)


def test_a_whole_comparison_loads_no_page_library() -> None:
    script = (
        "import sys; from costmodel.__main__ import main; main(['compare', '?scenario=deepinfer-128']); "
        f"loaded = [name for name in {HEAVY + LAZY!r} if name in sys.modules]; sys.exit(repr(loaded) if loaded else 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE.parent, check=False
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("path", BELOW_UI, ids=lambda path: path.stem)
def test_no_module_below_the_page_names_a_page_library(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not imported & set(HEAVY)
