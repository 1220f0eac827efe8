"""Old figures are listed, oldest first, and never make anything fail."""

import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from costmodel.__main__ import main
from costmodel.catalog import catalog
from costmodel.paths import PRICES
from costmodel.pricefiles.stale import confirmed, stale_figures
from costmodel.records import ApiModel, ApiOffer


def offer(*entries: tuple[str, str], checked: str = "2026-10-01") -> ApiOffer:
    history: list[dict[str, Any]] = [
        {"since": since, "basis": "published", "usd_per_mtok": {"input": 1, "output": 2}}
        | {"source": {"document": "A page", "seen": seen}}
        for since, seen in entries
    ]
    entry = ApiModel.model_validate({"id": "m", "name": "M", "checked": checked, "history": history})
    return ApiOffer(vendor="v", vendor_name="V", entry=entry)


@pytest.mark.parametrize(
    ("entries", "day"),
    [
        ([("2026-03-01", "2026-09-01")], "2026-10-01"),
        ([("2026-03-01", "2026-11-30")], "2026-10-01"),
        ([("2026-03-01", "2026-09-01"), ("2026-11-30", "2026-11-30")], "2026-11-30"),
        ([("2026-03-01", "2026-09-01"), ("2026-11-10", "2026-11-30")], "2026-11-10"),
        ([("2026-03-01", "2026-09-01"), ("2027-01-01", "2026-11-30")], "2026-10-01"),
    ],
)
def test_a_price_is_confirmed_by_a_look_or_by_an_entry_of_its_own(entries: list[tuple[str, str]], day: str):
    assert confirmed(offer(*entries), on=date(2026, 12, 15)) == date.fromisoformat(day)


def test_figures_only_grow_older():
    """The later the day, the more figures are stale, none of them younger than the limit."""
    before: set[str] = set()
    for on in (date(2026, 10, 26), date(2027, 6, 1), date(2028, 2, 29)):
        lines = list(stale_figures(catalog(), on=on))
        ages = [int(line.split(": ")[2].split()[0]) for line in lines]
        assert ages == sorted(ages, reverse=True)
        assert all(age > 60 for age in ages)
        names = {line.rpartition(": ")[0] for line in lines}
        assert before <= names
        before = names


@pytest.mark.parametrize("day", ["2022-01-01", "2026-11-30", "2028-02-29", "9999-12-31"])
def test_the_command_never_fails(capsys: pytest.CaptureFixture[str], day: str):
    assert main(["check", "--stale", "--date", day]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith(f"days before {day}") or first.startswith("Ages of prices are not known: ")


def test_not_even_where_the_files_are_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    root = tmp_path / "prices"
    shutil.copytree(PRICES, root)
    (root / "apis/avian.yaml").write_text("vendor: [", encoding="utf-8")
    assert main(["check", "--stale", "--prices", str(root)]) == 0
    assert "avian.yaml" in capsys.readouterr().out
