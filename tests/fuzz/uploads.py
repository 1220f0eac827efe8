"""Hostile usage files: the samples with bytes, cells or rows spoilt, bombs, and what is no table at all."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from costmodel.catalog import catalog
from costmodel.imports import ImportLimits, UsageError, read_usage
from costmodel.link import DEFAULT_EXAMPLE, example_scenario
from costmodel.usage_scenario import apply_usage, usage_dict, usage_sentences
from tests.fuzz import hostile
from tests.usage_files import PLAIN, SAMPLES

LIMITS = ImportLimits(max_bytes=4_000_000, max_rows=20_000)
TIMES = (
    *("1e18", "-1", "0", "253402300800", "1764547200000000", "2026-11-30T25:00:00Z", "2026-11-30T00:00:00+99:99"),
    *("2026-13-01", "31/31/2026", "1/2/3", "12-11-10", "0001-01-01T00:00:00-23:59", "9999-12-31T23:59:59Z", "24:00"),
)


@dataclass(frozen=True)
class HostileUpload:
    how: str
    files: tuple[tuple[str, bytes], ...]


@cache
def samples() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.suffix in (".csv", ".prom")}


def zip_bomb(name: str, megabytes: int) -> bytes:
    """A small archive that unpacks to many megabytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(name, b"0" * (megabytes * 1_000_000))
    return packed.getvalue()


@cache
def bombs() -> dict[str, bytes]:
    """Files that are small to send and large to read."""
    zeros = gzip.compress(b"0" * 20_000_000)
    line = PLAIN.encode()
    return {
        "zip bomb as a workbook": zip_bomb("xl/worksheets/sheet1.xml", 20),
        "zip bomb in a zip bomb": zip_bomb("a.csv", 5) + zip_bomb("b.csv", 5),
        "zip behind text": line + zip_bomb("x", 5),
        "gzip bomb": zeros,
        "gzip bombs in a row": zeros * 20,
        "one line of 3 MB": b"a" * 3_000_000,
        "one cell of 3 MB": line + b'"' + b"9" * 3_000_000 + b'",m,1,1,1,1\n',
        "a quote never closed": line + b'"' + b"x,\n" * 900_000,
        "a million commas": b"," * 900_000 + b"\n" + b"," * 900_000,
        "a million empty lines": b"\n" * 3_000_000,
        "a million carriage returns": line + b"\r" * 3_000_000,
        "nothing but quotes": b'"' * 3_000_000,
        "many columns": ",".join(f"c{number}" for number in range(100_000)).encode() + b"\n1\n" * 1000,
        "many rows": line + b"2026-11-30T00:00:00Z,m,1,0,1,1\n" * 20_001,
        "many models": line + b"".join(b"2026-11-30T00:00:00Z,m%d,1,0,1,1\n" % number for number in range(20_000)),
        "many hours": line + b"".join(b"%d,m,1,0,1,1\n" % (1_700_000_000 + 3600 * number) for number in range(20_000)),
        "billion laughs": b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>',
        "deep JSON": b"[" * 1_000_000,
        "metrics without an end": b"# HELP x y\n" + b'vllm:x{a="' + b"b" * 2_000_000,
        "metrics with many labels": b"# HELP x y\n"
        + b"".join(b'vllm:prompt_tokens_total{model_name="m%d"} 1e308\n' % number for number in range(20_000)),
        "a backslash for every quote": b"# HELP x y\n" + b'vllm:prompt_tokens_total{a="' + b'\\"' * 200_000 + b'"} 1\n',
    }


def _cells(data: bytes, dice: Random) -> bytes:
    """Some cells exchanged for hostile ones, quoted or not."""
    rows = [row.split(",") for row in data.decode("utf-8", "replace").splitlines()]
    for _ in range(dice.randint(1, 8)):
        row = dice.choice(rows)
        value = dice.choice((*hostile.ALL, *TIMES))
        row[dice.randrange(len(row))] = dice.choice([value, '"' + value.replace('"', '""') + '"', value * 2])
    return "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass")


def _bytes(data: bytes, dice: Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(dice.randint(1, 20)):
        spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    return bytes(spoilt)


def _lines(data: bytes, dice: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(lines))
        lines[place : place + 1] = dice.choice([[], [lines[place]] * dice.choice([2, 3, 500]), [dice.choice(lines)]])
        if not lines:
            return b""
    return b"".join(lines)


def _header(data: bytes, dice: Random) -> bytes:
    first, separator, rest = data.partition(b"\n")
    names = first.split(b",")
    change = dice.choice(["swap", "twice", "gone", "case", "hostile"])
    place = dice.randrange(len(names))
    if change == "swap":
        dice.shuffle(names)
    elif change == "twice":
        names.append(names[place])
    elif change == "gone":
        del names[place]
    elif change == "case":
        names[place] = names[place].swapcase()
    else:
        names[place] = dice.choice(hostile.TEXTS).encode("utf-8", "surrogatepass")
    return b",".join(names) + separator + rest


def _encoded(data: bytes, dice: Random) -> bytes:
    text = data.decode("utf-8-sig", "replace")
    encoding = dice.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252", "utf-7", "cp037"])
    spoilt = text.encode(encoding, "replace")
    return spoilt[: dice.randint(1, len(spoilt))] if dice.random() < 0.3 else spoilt


def _separators(data: bytes, dice: Random) -> bytes:
    old, new = dice.choice([(b",", b";"), (b",", b"\t"), (b",", b"|"), (b"\n", b"\r"), (b"\n", b"\r\n"), (b'"', b"'")])
    head = dice.choice([b"", b"sep=;\n", b"sep=\x00\n", b"sep=\n", "sep=€\n".encode(), b"\n\n\n", b"\xef\xbb\xbf"])
    return head + data.replace(old, new)


def _cut(data: bytes, dice: Random) -> bytes:
    return data[: dice.randint(0, len(data))]


def _noise(data: bytes, dice: Random) -> bytes:
    return dice.randbytes(dice.randint(0, 3_000))


SPOILERS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_cells, _cells, _cells, _cells, _bytes, _bytes, _lines, _header, _encoded, _separators, _cut, _noise),
)


def hostile_uploads(count: int, seed: int) -> Iterator[HostileUpload]:
    """Seeded uploads, the same for the same seed; each bomb comes once."""
    dice = Random(seed)
    for how, data in list(bombs().items())[:count]:
        yield HostileUpload(how, ((dice.choice(["a.csv", "b.xlsx", hostile.TEXTS[0]]), data),))
    for _ in range(count - len(bombs())):
        files, ways = [], []
        for _ in range(dice.choice([1, 1, 1, 2, 2, 3])):
            name = dice.choice(list(samples()))
            data = samples()[name]
            for spoil in dice.choices(SPOILERS, k=dice.randint(1, 2)):
                data = spoil(data, dice) if data else data
                ways.append(f"{name}{spoil.__name__}")
            files.append((dice.choice([name, name, *hostile.TEXTS[:5]]), data))
        yield HostileUpload(" and ".join(ways), tuple(files))


def read_upload(upload: HostileUpload) -> str:
    """Everything an upload goes through. Returns what became of it; raises for what must not happen."""
    told: list[float] = []
    try:
        usage = read_usage(
            [(name, io.BytesIO(data)) for name, data in upload.files], limits=LIMITS, progress=told.append
        )
    except UsageError as error:
        str(error)
        return "refused"
    assert told == sorted(told)
    assert all(0 <= part <= 1 for part in told)
    applied = apply_usage(example_scenario(catalog(), DEFAULT_EXAMPLE), usage)
    json.dumps(usage_dict(applied), allow_nan=False)
    usage_sentences(applied)
    return "read"
