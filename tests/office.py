"""LibreOffice without a window, for tests that need a spreadsheet program to calculate."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

REMEDY = (
    "no LibreOffice was found: install its Calc (Debian: `apt-get install libreoffice-calc`) or name its program in "
    "OFFICE_BIN"
)
_COMMANDS = ("soffice", "libreoffice")
_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
)


def find_office() -> str | None:
    """The program of LibreOffice on this machine; None where there is none.

    Raises FileNotFoundError where OFFICE_BIN names no program.
    """
    named = os.environ.get("OFFICE_BIN")
    if named:
        program = shutil.which(named)
        if program is None:
            raise FileNotFoundError(f"OFFICE_BIN names {named!r}, which is no program: correct or unset it")
        return program
    candidates = [*(shutil.which(command) for command in _COMMANDS), *_PLACES]
    return next((program for program in candidates if program and Path(program).is_file()), None)


def office_or_skip() -> str:
    """The program; without one the test is skipped with the remedy, or fails where REQUIRE_OFFICE=1."""
    program = find_office()
    if program is None:
        if os.environ.get("REQUIRE_OFFICE") == "1":
            pytest.fail(f"REQUIRE_OFFICE=1, but {REMEDY}")
        pytest.skip(REMEDY)
    return program


def recalculated(program: str, files: list[Path], folder: Path) -> list[Path]:
    """The same workbooks with every formula calculated anew, all in one run of the program."""
    profile, done = folder / "profile", folder / "calculated"
    subprocess.run(
        [program, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "xlsx", "--outdir"]
        + [str(each) for each in (done, *files)],
        check=True,
        capture_output=True,
        timeout=600,
    )
    return [done / each.name for each in files]
