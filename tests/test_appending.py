"""Text added to a price file: everything that stood there stays, and what is added reads back as it was meant."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.paths import PRICES
from costmodel.pricefiles.appending import Addition, CannotAppendError, with_additions, written
from costmodel.pricefiles.yamltext import read_text

NEW = {"since": "2030-01-01", "usd_per_mtok": {"input": "1", "output": "2"}, "note": 'an % , {entry}: "so" # there'}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_reads_back(text: str):
    assert read_text(f"key: {written(text)}") == {"key": text}
    assert read_text(f"key: {written({'a': text, 'b': 'c'})}") == {"key": {"a": text, "b": "c"}}
    assert "\n" not in written(text)


@pytest.mark.parametrize("path", sorted((PRICES / "apis").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_list_of_every_file_can_be_appended_to(path: Path):
    text = path.read_text(encoding="utf-8")
    before: dict[str, Any] = read_text(text)
    additions = [
        Addition(record=model["id"], part=part, entry=NEW)
        for model in before["models"]
        for part in ("history", "batch", "long_context")
        if part in model
    ]
    appended = with_additions(text, additions)
    after = read_text(appended)
    for addition in additions:
        model = next(each for each in before["models"] if each["id"] == addition.record)
        model[addition.part].append(NEW)
    assert after == before
    kept = iter(appended.splitlines(keepends=True))
    assert all(line in kept for line in text.splitlines(keepends=True)), "a line is gone or moved"


FILE = """\
models:
  - id: a
    history:
      - note: >-
          folded
          # not a comment

      # about the next record
  - id: b  # trailing
    history:
    - {since: 1}   # cheap
"""


def test_comments_blank_lines_and_other_indents_stay():
    added = [Addition("a", "history", {"note": "x"}), Addition("b", "history", {"note": "y"})]
    assert with_additions(FILE, added) == FILE.replace(
        "# not a comment\n", "# not a comment\n      - note: x\n"
    ).replace("# cheap\n", "# cheap\n    - note: y\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("is_closed", [True, False])
def test_line_ends_are_those_of_the_file(newline: str, is_closed: bool):
    text = newline.join(["models:", "- id: a", "  history:", "  - since: 1", *([""] if is_closed else [])])
    added = with_additions(text, [Addition("a", "history", {"since": "2", "note": "x"})])
    assert added.startswith(text)
    assert added[len(text) :].removeprefix("" if is_closed else newline) == f"  - since: 2{newline}    note: x{newline}"


@pytest.mark.parametrize(
    "text",
    [
        "models: [{id: a, history: [1]}]",
        "models:\n- id: a\n  history: []",
        "models:\n- id: b\n  history:\n  - x",
        "x: y",
        "",
    ],
)
def test_what_is_not_written_line_by_line_is_left_to_a_reader(text: str):
    with pytest.raises(CannotAppendError, match="append by hand"):
        with_additions(text, [Addition("a", "history", {"since": "2"})])
