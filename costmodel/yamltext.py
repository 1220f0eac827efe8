"""YAML whose scalars stay text, so that pydantic alone decides types.

Plain YAML turns 16:30 into 990 and NO into False, lets the last of two equal keys win in silence, and has four ways
to write nothing. Here every scalar is the text as written, and whatever could hide a mistake is refused by line.
"""

from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LARGEST_FILE_BYTES = 4_000_000
_NOTHING = ("", "~", "null", "Null", "NULL")


class YamlTextError(ValueError):
    """The file is not acceptable YAML; the message says where and why."""


def _line(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"


def _plain(node: yaml.Node, seen: set[int]) -> Any:
    """A composed node as text, list and dict. An alias composes to the very node it repeats."""
    if id(node) in seen:
        raise YamlTextError(f"{_line(node)}: is repeated by an alias (*); write the value out where it is needed")
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if not node.style and node.value in _NOTHING:
            raise YamlTextError(f"{_line(node)}: '{node.value}' is no value; leave the key out")
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, seen) for item in node.value]
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = _plain(key_node, seen)
        if not isinstance(key, str):
            raise YamlTextError(f"{_line(key_node)}: a key is not plain text")
        if key in mapping:
            raise YamlTextError(f"{_line(key_node)}: the key '{key}' stands twice; keep one")
        mapping[key] = _plain(value_node, seen)
    return mapping


def read_text(text: str) -> Any:
    """The one document in a text, scalars as text. Raises YamlTextError naming the line.

    >>> read_text("{hours: 16:30, country: NO}")
    {'hours': '16:30', 'country': 'NO'}
    >>> read_text("price: 8.60\\nprice: 8.06")
    Traceback (most recent call last):
    ...
    costmodel.yamltext.YamlTextError: line 2: the key 'price' stands twice; keep one
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise YamlTextError(" ".join(str(error).split())) from error
    if node is None:
        raise YamlTextError("the file is empty")
    return _plain(node, set())


def read_yaml(path: Path) -> Any:
    """The document in a file. Raises YamlTextError for anything else than one plain document."""
    if path.stat().st_size > LARGEST_FILE_BYTES:
        raise YamlTextError(f"larger than {LARGEST_FILE_BYTES} bytes; split it")
    try:
        return read_text(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise YamlTextError(f"is not UTF-8 text: {error.reason} at byte {error.start}") from error
