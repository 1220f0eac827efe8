"""Entries added to a YAML file of prices/ as text, so that every byte that stood there stays."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._/@+-]|:(?=\S))*")


class CannotAppendError(ValueError):
    """The file is written in a way that text cannot be added to; the message says what to do."""


@dataclass(frozen=True)
class Addition:
    """An entry for a list within a record: its keys and values, written in this order."""

    record: str
    """Its id."""
    part: str
    """Key of the list, e.g. history."""
    entry: Mapping[str, object]


def written(value: object) -> str:
    """A value in one line of YAML: text as it stands or in double quotes, mappings in braces.

    >>> written({"url": "https://example.com/a", "note": "5 % off, until May"})
    '{url: https://example.com/a, note: "5 % off, until May"}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {written(each)}" for key, each in value.items()) + "}"
    text = str(value)
    if _PLAIN.fullmatch(text) and not text.endswith(" ") and text.lower() != "null":
        return text
    escaped = "".join(
        character
        if character.isascii() and character.isprintable() and character not in '\\"'
        else f"\\U{ord(character):08x}"
        for character in text
    )
    return f'"{escaped}"'


def _child(mapping: yaml.Node, key: str) -> yaml.Node | None:
    pairs = mapping.value if isinstance(mapping, yaml.MappingNode) else ()
    return next((value for name, value in pairs if name.value == key), None)


def _line_after(node: yaml.Node, lines: Sequence[str]) -> int:
    """Number of the line below a node's last one. What is written in blocks ends where the next token begins."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    after: int = node.end_mark.line + (1 if node.end_mark.column else 0)
    while after > node.start_mark.line + 1 and not lines[after - 1].strip():
        after -= 1
    return after


def _list_of(document: yaml.Node | None, addition: Addition) -> yaml.SequenceNode:
    models = _child(document, "models") if document is not None else None
    records = models.value if isinstance(models, yaml.SequenceNode) else ()
    for record in records:
        identifier = _child(record, "id")
        if identifier is not None and identifier.value == addition.record:
            entries = _child(record, addition.part)
            if isinstance(entries, yaml.SequenceNode) and entries.value and not entries.flow_style:
                return entries
    raise CannotAppendError(
        f"{addition.record}: {addition.part}: is not a list with one entry below the other; append by hand"
    )


def with_additions(text: str, additions: Sequence[Addition]) -> str:
    """A file's text with entries added below the last one of their list. Raises CannotAppendError.

    Every line that stood there stays, in its order.
    """
    document, lines = yaml.compose(text, Loader=_LOADER), text.splitlines(keepends=True)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    added: dict[int, list[str]] = {}
    for addition in additions:
        entries = _list_of(document, addition)
        indent = " " * entries.start_mark.column
        keys = [f"{key}: {written(value)}{newline}" for key, value in addition.entry.items()]
        place = added.setdefault(_line_after(entries, lines), [])
        place += [f"{indent}{'  ' if position else '- '}{key}" for position, key in enumerate(keys)]
    result: list[str] = []
    for number in range(len(lines) + 1):
        if number in added and result and not result[-1].endswith("\n"):
            result.append(newline)
        result += added.get(number, [])
        result += lines[number : number + 1]
    return "".join(result)
