"""YAML as text: nothing is turned into another type, nothing is resolved or dropped in silence."""

from pathlib import Path

import pytest

from costmodel.pricefiles import yamltext
from costmodel.pricefiles.yamltext import YamlTextError, read_text, read_yaml


@pytest.mark.parametrize(
    "written",
    ["16:30", "NO", "yes", "on", "0.10", "1e3", "1_000", "0x1F", "2026-10-25", "2026-10", ".5", "010", "12:30:45"],
)
def test_every_scalar_is_the_text_as_written(written: str) -> None:
    """Plain YAML makes 990 of 16:30, False of NO and 0.1 of 0.10."""
    assert read_text(f"value: {written}\nlist: [{written}]") == {"value": written, "list": [written]}


def test_block_text_is_folded() -> None:
    assert read_text("note: >-\n  two\n  lines\n") == {"note": "two lines"}


@pytest.mark.parametrize("nothing", ["", "~", "null", "Null", "NULL"])
def test_nothing_is_refused_but_quoted_text_is_text(nothing: str) -> None:
    with pytest.raises(YamlTextError, match=r"line 2: .* is no value; leave the key out"):
        read_text(f"id: a\nnote: {nothing}\n")
    assert read_text(f'note: "{nothing}"') == {"note": nothing}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("price: 8.60\nprice: 8.06\n", "line 2: the key 'price' stands twice"),
        ("a:\n  - {b: 1, c: 2, b: 3}\n", "line 2: the key 'b' stands twice"),
        ("a: &one {b: 1}\nc: *one\n", "is repeated by an alias"),
        ("a: &one 1\nc: *one\n", "is repeated by an alias"),
        ("a: &one\n  b: *one\n", "is repeated by an alias"),
        ("base: &b {x: 1}\nc:\n  <<: *b\n", "is repeated by an alias"),
        ("? [a, b]\n: 1\n", "a key is not plain text"),
        ("a: 1\n---\na: 2\n", "expected a single document"),
        ("a: [1, 2\n", "line 2"),
        ("a: @host\n", "line 1"),
        ("[" * 5_000, "nest"),
        ("a: " + "{a: " * 60 + "1" + "}" * 60, "is nested deeper than 40 levels"),
        ("", "the file is empty"),
        ("# only a comment\n", "the file is empty"),
    ],
)
def test_what_could_hide_a_mistake_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(YamlTextError, match=message):
        read_text(text)


def test_a_tag_runs_nothing() -> None:
    assert read_text("a: !!python/object/apply:os.getcwd []") == {"a": []}
    assert read_text("a: !!int 5") == {"a": "5"}


def test_a_file_must_be_text_of_a_sane_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"name: caf\xe9\n")
    with pytest.raises(YamlTextError, match=r"is not UTF-8 text: .* at byte 9"):
        read_yaml(path)
    monkeypatch.setattr(yamltext, "LARGEST_FILE_BYTES", 4)
    with pytest.raises(YamlTextError, match="larger than 4 bytes; split it"):
        read_yaml(path)
