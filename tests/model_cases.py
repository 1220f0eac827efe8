"""The published worked numbers of cases/model.csv, by the name of their equation."""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parent / "cases" / "model.csv"


@dataclass(frozen=True)
class Case:
    id: str
    inputs: dict[str, Any]
    expected: Any
    tolerance: str

    def check(self, found: Any) -> None:
        kind, _, size = self.tolerance.partition(":")
        if kind == "exact":
            assert found == self.expected
        else:
            assert found == pytest.approx(self.expected, **{kind: float(size)})


def model_cases(function: str) -> Callable[[Any], Any]:
    """Runs a test once for each row of one equation, as its argument `case`."""
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["fn"] == function]
    assert rows, f"{CASES.name} has no rows for {function}"
    found = [Case(row["id"], json.loads(row["inputs"]), _value(row["expected"]), row["tolerance"]) for row in rows]
    return pytest.mark.parametrize("case", found, ids=[case.id for case in found])


def _value(text: str) -> Any:
    """Numbers, lists and truth values are JSON; anything else is a word."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
