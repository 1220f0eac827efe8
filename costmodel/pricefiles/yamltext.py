"""YAML whose scalars stay text, so that pydantic alone decides types.

Plain YAML turns 16:30 into 990 and NO into False, lets the last of two equal keys win in silence, and has four ways
to write nothing. Here every scalar is the text as written, and whatever could hide a mistake is refused by line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LARGEST_FILE_BYTES = 1_000_000  # more than ten times the largest file; what is larger takes seconds to read
DEEPEST = 40
NextEvent = Callable[[], Any]
_NOTHING = ("", "~", "null", "Null", "NULL")


class YamlTextError(ValueError):
    """The file is not acceptable YAML; the message says where and why."""


def _line(event: yaml.Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "the file"


def _value(event: Any, next_event: NextEvent, depth: int) -> Any:
    """What an event begins, as text, list and dict. Read from events: a tree of nodes would take twice as long."""
    kind = type(event)
    if kind is yaml.ScalarEvent:
        if not event.style and event.value in _NOTHING:
            raise YamlTextError(f"{_line(event)}: '{event.value}' is no value; leave the key out")
        return event.value
    if kind is yaml.AliasEvent:
        raise YamlTextError(f"{_line(event)}: is repeated by an alias (*); write the value out where it is needed")
    if depth == DEEPEST:
        raise YamlTextError(f"{_line(event)}: is nested deeper than {DEEPEST} levels; flatten it")
    if kind is yaml.SequenceStartEvent:
        items: list[Any] = []
        while type(item := next_event()) is not yaml.SequenceEndEvent:
            items.append(_value(item, next_event, depth + 1))
        return items
    mapping: dict[str, Any] = {}
    while type(key_event := next_event()) is not yaml.MappingEndEvent:
        key = _value(key_event, next_event, depth + 1)
        if not isinstance(key, str):
            raise YamlTextError(f"{_line(key_event)}: a key is not plain text")
        if key in mapping:
            raise YamlTextError(f"{_line(key_event)}: the key '{key}' stands twice; keep one")
        mapping[key] = _value(next_event(), next_event, depth + 1)
    return mapping


def _document(next_event: NextEvent) -> Any:
    """The one document of a stream of events."""
    next_event()  # the start of the stream
    if isinstance(next_event(), yaml.StreamEndEvent):
        raise YamlTextError("the file is empty")
    document = _value(next_event(), next_event, 0)
    next_event()  # the end of the document
    after = next_event()
    if not isinstance(after, yaml.StreamEndEvent):
        raise YamlTextError(f"{_line(after)}: expected a single document, but a second one begins here")
    return document


def read_text(text: str) -> Any:
    """The one document in a text, scalars as text. Raises YamlTextError naming the line.

    >>> read_text("{hours: 16:30, country: NO}")
    {'hours': '16:30', 'country': 'NO'}
    >>> read_text("price: 8.60\\nprice: 8.06")
    Traceback (most recent call last):
    ...
    costmodel.pricefiles.yamltext.YamlTextError: line 2: the key 'price' stands twice; keep one
    """
    try:
        loader = _LOADER(text)
        try:
            return _document(loader.get_event)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise YamlTextError(" ".join(str(error).split())) from error


def read_yaml(path: Path) -> Any:
    """The document in a file. Raises YamlTextError for anything else than one plain document."""
    if path.stat().st_size > LARGEST_FILE_BYTES:
        raise YamlTextError(f"larger than {LARGEST_FILE_BYTES} bytes; split it")
    try:
        return read_text(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise YamlTextError(f"is not UTF-8 text: {error.reason} at byte {error.start}") from error
