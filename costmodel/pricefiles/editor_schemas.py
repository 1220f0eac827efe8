"""JSON schemas of prices/ for editors: completion, tooltips from the attribute docstrings, mistakes marked as typed.

Generated, never edited: `python -m costmodel check` writes them, and every file names its own in the first line.
"""

import ast
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from costmodel.dated import Record
from costmodel.records import (
    ApiVendor,
    AssumptionFile,
    BenchmarkFile,
    CurrencyFile,
    Engine,
    Example,
    Gpu,
    OpenModel,
    RentalProvider,
)

FOLDER = ".schema"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FOLDERS: dict[str, type[BaseModel]] = {
    "apis": ApiVendor,
    "engines": Engine,
    "gpus": Gpu,
    "models": OpenModel,
    "rentals": RentalProvider,
    "scenarios": Example,
    "throughput": BenchmarkFile,
}
"""Record of each folder of prices/: one file, one record."""
FILES: dict[str, type[BaseModel]] = {"assumptions.yaml": AssumptionFile, "fx.yaml": CurrencyFile}
"""Record of each file that stands alone."""


def schema_name(record: type[BaseModel]) -> str:
    """File name of a record's schema.

    >>> schema_name(ApiVendor)
    'api-vendor.schema.json'
    """
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in record.__name__)
    return f"{words.lstrip('-')}.schema.json"


def first_line(record: type[BaseModel], *, depth: int) -> str:
    """The first line of a file in prices/ or `depth` folders below it: the comment by which editors find the schema."""
    return f"# yaml-language-server: $schema={'../' * depth}{FOLDER}/{schema_name(record)}"


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Attribute docstrings of a module's classes: the string that follows an annotated name."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.ClassDef):
            for above, below in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(above, ast.AnnAssign)
                    and isinstance(above.target, ast.Name)
                    and isinstance(below, ast.Expr)
                    and isinstance(below.value, ast.Constant)
                ):
                    found.setdefault(node.name, {})[above.target.id] = " ".join(str(below.value.value).split())
    return found


def _explain(schema: dict[str, Any], record: type[BaseModel]) -> None:
    """Give each property the docstring of its attribute; the class nearest to the record has the last word."""
    for parent in (each for each in reversed(record.__mro__) if issubclass(each, Record)):
        for name, text in _docstrings(parent.__module__).get(parent.__name__, {}).items():
            if name in schema.get("properties", {}):
                schema["properties"][name]["description"] = text


def _without_null(schema: Any) -> Any:
    """Absent, never null: a key that may be left out may still not be written as null."""
    if isinstance(schema, list):
        return [_without_null(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _without_null(value) for key, value in schema.items() if not (key == "default" and value is None)}
    options = [option for option in kept.get("anyOf", []) if option != {"type": "null"}]
    if "anyOf" in kept and len(options) == 1:
        del kept["anyOf"]
        kept = {**options[0], **kept}
    elif "anyOf" in kept:
        kept["anyOf"] = options
    return kept


def _records(parent: type[BaseModel] = Record) -> dict[str, type[BaseModel]]:
    """Every record there is, by the name a schema gives it."""
    return {parent.__name__: parent} | {
        name: record for child in parent.__subclasses__() for name, record in _records(child).items()
    }


def editor_schema(record: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a file that holds this record."""
    schema = record.model_json_schema()
    _explain(schema, record)
    records = _records()
    for name, part in schema.get("$defs", {}).items():
        if name in records:
            _explain(part, records[name])
    described: dict[str, Any] = _without_null(schema)
    return {"$schema": DIALECT, **described}


def write_schemas(root: Path) -> tuple[Path, ...]:
    """Write the schema of every kind of file below root. Raises OSError where the folder cannot be written."""
    written = []
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    for record in (*FOLDERS.values(), *FILES.values()):
        path = folder / schema_name(record)
        path.write_text(
            json.dumps(editor_schema(record), indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        written.append(path)
    return tuple(written)
