"""Loading the exports loads no library that writes files: a reader who exports nothing pays for none."""

import subprocess
import sys
from pathlib import Path

import costmodel

WRITERS = ("xlsxwriter", "openpyxl", "pptx", "reportlab", "lxml", "font_source_sans_pro")


def test_the_modules_of_the_exports_load_no_writer() -> None:
    folder = Path(costmodel.__file__).parent
    modules = [
        ".".join(path.relative_to(folder.parent).with_suffix("").parts) for path in folder.glob("exports/**/*.py")
    ]
    assert len(modules) > 10
    script = (
        f"import sys, {', '.join(modules)}; loaded = [name for name in {WRITERS!r} if name in sys.modules]; "
        "sys.exit(repr(loaded) if loaded else 0)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder.parent, check=False)
    assert run.returncode == 0, run.stderr
