"""Usage files made in memory, for the tests of the importer."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from costmodel.imports import ImportLimits, Usage, read_usage

SAMPLES = Path(__file__).parent / "usage_samples"
LIMITS = ImportLimits(max_bytes=200_000_000, max_rows=2_000_000)
PLAIN = "timestamp,model,input_tokens,cached_input_tokens,output_tokens,requests\n"


def sample(*names: str) -> Usage:
    """Some of the sample files, read as one upload."""
    return read_usage([(name, io.BytesIO((SAMPLES / name).read_bytes())) for name in names], limits=LIMITS)


def read(*contents: str | bytes, limits: ImportLimits = LIMITS, **options: float) -> Usage:
    """Texts or bytes read as one upload of files 1.csv, 2.csv, ..."""
    files = [
        (f"{index}.csv", io.BytesIO(content.encode() if isinstance(content, str) else content))
        for index, content in enumerate(contents, start=1)
    ]
    return read_usage(files, limits=limits, **options)  # type: ignore[arg-type]


def plain(rows: Iterable[str], header: str = PLAIN) -> str:
    """A plain table of some rows."""
    return header + "".join(f"{row}\n" for row in rows)
