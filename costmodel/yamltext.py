"""YAML whose scalars stay text, so that pydantic alone decides types.

Plain YAML turns 16:30 into 990 and NO into False, and lets the last of two equal keys win in silence.
"""

from pathlib import Path
from typing import Any

import yaml

_BASE: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LARGEST_FILE_BYTES = 4_000_000


class YamlTextError(ValueError):
    """The file is not acceptable YAML; the message says where and why."""


class _TextLoader(_BASE):  # type: ignore[misc]
    """Every scalar a string; a repeated key and an alias are refused instead of silently resolved."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark
            raise YamlTextError(f"line {mark.line + 1}: aliases are not allowed; write the value out")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                line = key_node.start_mark.line + 1
                raise YamlTextError(f"line {line}: the key '{key_node.value}' stands twice; keep one")
            seen.add(str(key_node.value))
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


def read_yaml(path: Path) -> Any:
    """The document in a file, scalars as text. Raises YamlTextError for anything else than one plain document."""
    if path.stat().st_size > LARGEST_FILE_BYTES:
        raise YamlTextError(f"larger than {LARGEST_FILE_BYTES} bytes; split it")
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_TextLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise YamlTextError(" ".join(str(error).split())) from error
