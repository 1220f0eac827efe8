"""Hostile price files: the real ones with text spoilt, and YAML that has brought parsers down."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import cast

from pydantic import BaseModel

from costmodel.catalog import AnyRecord, Catalog, CatalogError
from costmodel.paths import PRICES
from costmodel.pricefiles.check import SECTIONS
from costmodel.pricefiles.editor_schemas import FILES, FOLDERS
from tests.fuzz import hostile

LAUGHS = "a0: &a0 [lol]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)
YAML_BOMBS = {
    "billion laughs": LAUGHS,
    "an alias to itself": "a: &a [*a]\n",
    "merged keys": "a: &a {b: 1}\nc: {<<: *a}\n",
    "ten thousand anchors": "".join(f"k{number}: &a{number} 1\n" for number in range(10_000)),
    "deep lists": "[" * 100_000,
    "deep lists, closed": "[" * 3_000 + "]" * 3_000,
    "deep mappings": "{a: " * 50_000,
    "deep blocks": "".join(f"{' ' * depth}a:\n" for depth in range(1_500)),
    "deep dashes": "- " * 20_000 + "x",
    "one scalar of 3 MB": "a: " + "9" * 3_000_000,
    "a folded scalar of 3 MB": "a: >-\n" + "  word word word\n" * 180_000,
    "a quote never closed": 'a: "' + "x\n" * 900_000,
    "a long key": "? " + "k" * 200_000 + "\n: v\n",
    "complex keys": "? [a, b]\n: c\n? {d: e}\n: f\n",
    "many keys": "".join(f"k{number}: v\n" for number in range(200_000)),
    "the same key often": "k: v\n" * 200_000,
    "python objects": "a: !!python/object/apply:os.system ['true']\n",
    "other tags": "a: !!binary aGVsbG8=\nb: !!set {c}\nd: !x y\ne: !!timestamp 2026-10-25\n",
    "several documents": "a: 1\n---\nb: 2\n" * 100,
    "directives": "%YAML 9.9\n%TAG ! tag:x,2000:\n---\na: !b c\n",
    "null characters": "a: \x00\n",
    "nothing but a comment": "# comment",
    "nothing": "",
    "byte order marks": "\ufeff\ufeffa: 1",
    "a list": "- a\n- b\n",
    "a scalar": "hello",
    "too large": "# " + "x" * 5_000_000,
}
SCALARS = (
    *hostile.ALL,
    *(
        "~",
        "null",
        "[]",
        "{}",
        "*x",
        "&x y",
        "!!int 5",
        "| ",
        ">-",
        "'",
        '"',
        "yes",
        "NO",
        "16:30",
        "0o17",
        ".inf",
        ".nan",
    ),
)


@dataclass(frozen=True)
class HostilePriceFile:
    how: str
    path: str
    data: bytes


@cache
def originals() -> dict[str, bytes]:
    paths = [path for folder in FOLDERS for path in sorted((PRICES / folder).glob("*.yaml"))]
    paths += [PRICES / name for name in FILES]
    return {path.relative_to(PRICES).as_posix(): path.read_bytes() for path in paths}


def _scalar(data: bytes, dice: Random) -> bytes:
    lines = data.decode().splitlines(keepends=True)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(1, len(lines))
        key, colon, _ = lines[place].partition(": ")
        lines[place] = f"{key}{colon or ': '}{dice.choice(SCALARS)}\n"
    return "".join(lines).encode("utf-8", "surrogatepass")


def _figure(data: bytes, dice: Random) -> bytes:
    """One number or word within braces."""
    text = data.decode()
    places = [place for place in range(len(text)) if text[place] in "0123456789"]
    if not places:
        return data
    place = dice.choice(places)
    return (text[:place] + dice.choice(SCALARS) + text[place + 1 :]).encode("utf-8", "surrogatepass")


def _indent(data: bytes, dice: Random) -> bytes:
    lines = data.decode().splitlines(keepends=True)
    place = dice.randrange(len(lines))
    lines[place] = dice.choice(["", " ", "\t", "    ", "- ", "? ", "# "]) + lines[place].lstrip(" ")
    return "".join(lines).encode()


def _lines(data: bytes, dice: Random) -> bytes:
    lines = data.decode().splitlines(keepends=True)
    place, end = sorted((dice.randrange(len(lines)), dice.randrange(len(lines))))
    end = min(end, place + 12)
    lines[place:end] = dice.choice([[], lines[place:end] * 2, lines[place:end][::-1]])
    return "".join(lines).encode()


def _bytes(data: bytes, dice: Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    return bytes(spoilt)


def _inserted(data: bytes, dice: Random) -> bytes:
    bomb = dice.choice([text for text in YAML_BOMBS.values() if len(text) < 100_000])
    return data + dice.choice(["", "more:\n", "\n---\n"]).encode() + bomb.encode()


SPOILERS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_scalar, _scalar, _figure, _figure, _indent, _lines, _bytes, _inserted),
)


def hostile_price_files(count: int, seed: int) -> Iterator[HostilePriceFile]:
    """Seeded files, the same for the same seed; each bomb comes once."""
    dice = Random(seed)
    names = list(originals())
    for how, text in list(YAML_BOMBS.items())[:count]:
        yield HostilePriceFile(how, dice.choice(names), text.encode())
    for _ in range(count - len(YAML_BOMBS)):
        name, spoil = dice.choice(names), dice.choice(SPOILERS)
        yield HostilePriceFile(spoil.__name__.strip("_"), name, spoil(originals()[name], dice))


@cache
def _sound(path: Path, record: type[BaseModel]) -> BaseModel:
    return Catalog().read(path, record)


class SpoiltCatalog(Catalog):
    """The real catalogue but for one file; the sound ones are read once for all cases."""

    def __init__(self, root: Path, spoilt: str) -> None:
        super().__init__(root)
        self._spoilt = spoilt

    def read(self, path: Path, record: type[AnyRecord]) -> AnyRecord:
        name = path.relative_to(self.root).as_posix()
        if name == self._spoilt:
            return super().read(path, record)
        return cast(AnyRecord, _sound(PRICES / name, record))


def read_price_file(folder: Path, file: HostilePriceFile) -> str:
    """The whole catalogue with this file in it. Returns what became of it; raises for what must not happen."""
    root = folder / "prices"
    if not root.exists():
        shutil.copytree(PRICES, root)
    (root / file.path).write_bytes(file.data)
    catalog = SpoiltCatalog(root, file.path)
    try:
        return "refused" if [section for section in SECTIONS if _is_refused(catalog, section)] else "read"
    finally:
        (root / file.path).write_bytes(originals()[file.path])


def _is_refused(catalog: Catalog, section: str) -> bool:
    try:
        getattr(catalog, section)
    except CatalogError:
        return True
    return False
