"""The editor schemas accept what the program accepts and explain every field that is explained in the code."""

from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from costmodel.paths import PRICES
from costmodel.pricefiles.editor_schemas import FILES, FOLDERS, editor_schema, first_line, schema_name
from costmodel.records import ApiVendor, BenchmarkFile, Gpu

HELD = [(path, record, 1) for folder, record in FOLDERS.items() for path in sorted((PRICES / folder).glob("*.yaml"))]
HELD += [(PRICES / name, record, 0) for name, record in FILES.items()]


def as_an_editor_reads_it(path: Path) -> Any:
    """Numbers are numbers, days are text."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return value.isoformat() if isinstance(value, date) else value

    return plain(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("path", "record", "depth"), HELD, ids=[f"{path.parent.name}-{path.stem}" for path, *_ in HELD]
)
def test_an_editor_finds_no_fault_in_a_valid_file(path: Path, record: Any, depth: int) -> None:
    assert path.read_text(encoding="utf-8").startswith(first_line(record, depth=depth) + "\n")
    jsonschema.validate(as_an_editor_reads_it(path), editor_schema(record))


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "b200", "name": "B200"},
        {"id": "B 200", "name": "B200", "history": []},
        {"id": "b200", "name": None, "history": []},
        {"id": "b200", "name": "B200", "history": [], "memory": 180},
    ],
)
def test_an_editor_marks_a_mistake(wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, editor_schema(Gpu))


def test_tooltips_are_the_docstrings_of_the_attributes() -> None:
    parts = editor_schema(ApiVendor)["$defs"]
    assert parts["TokenPrices"]["properties"]["cached_input"]["description"].startswith("Input served from")
    assert parts["Source"]["properties"]["seen"]["description"] == "The day on which the figure was read there."
    assert parts["ApiPrice"]["properties"]["since"]["description"].startswith("First day on which the value holds")


def test_a_key_that_may_be_absent_may_not_be_null() -> None:
    def nulls(part: Any) -> bool:
        if isinstance(part, dict):
            return part.get("type") == "null" or any(nulls(item) for item in part.values())
        return isinstance(part, list) and any(nulls(item) for item in part)

    for record in (*FOLDERS.values(), *FILES.values()):
        assert not nulls(editor_schema(record)), record


def test_a_schema_is_named_after_its_record() -> None:
    assert schema_name(BenchmarkFile) == "benchmark-file.schema.json"
    assert first_line(Gpu, depth=1) == "# yaml-language-server: $schema=../.schema/gpu.schema.json"
