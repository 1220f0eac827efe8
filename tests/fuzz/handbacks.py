"""Hostile files for "Open an exported scenario": exports with text, bytes or parts spoilt, and workbooks that swell."""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from costmodel.catalog import catalog
from costmodel.exports.data import csv_file, json_file
from costmodel.exports.given_back import NotGivenBackError, given_back
from costmodel.exports.spreadsheet import spreadsheet
from tests.exported import ADDRESS, comparison_of, words_for
from tests.fuzz import hostile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
THEME = "xl/theme/theme1.xml"
ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + level)} "{f"&{chr(97 + level)};" * 10}">' for level in range(9))
    + "]>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hostname">]>'


@dataclass(frozen=True)
class HostileHandback:
    how: str
    name: str
    data: bytes


@cache
def originals() -> dict[str, bytes]:
    """An export of each kind that can be opened again."""
    comparison = comparison_of("?scenario=deepinfer-128")
    made: dict[str, Any] = {"plan.json": json_file, "plan.csv": csv_file, "plan.xlsx": spreadsheet}
    words = words_for(comparison)
    return {name: make(catalog(), comparison, words, address=ADDRESS) for name, make in made.items()}


def _parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(originals()["plan.xlsx"])) as book:
        return {part.filename: book.read(part) for part in book.infolist()}


def _as_packed(book: zipfile.ZipFile) -> None:
    """The list of parts says what is true."""


def _packed(
    way: int = zipfile.ZIP_DEFLATED, listed: Callable[[zipfile.ZipFile], None] = _as_packed, **changed: str | bytes
) -> bytes:
    """The exported workbook with some of its parts exchanged, and what its list says of them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as book:
        for name, part in {**_parts(), **changed}.items():
            book.writestr(name, part)
        listed(book)
    return out.getvalue()


def _belied(book: zipfile.ZipFile) -> None:
    """The list says nothing of what was added to the theme."""
    theme, part = book.getinfo(THEME), _parts()[THEME]
    theme.file_size, theme.CRC = len(part), zlib.crc32(part)


def _nowhere(book: zipfile.ZipFile) -> None:
    book.getinfo(THEME).header_offset = 2**64 - 1


@cache
def bombs() -> dict[str, bytes]:
    """Workbooks of some kilobytes that would take minutes or gigabytes to read."""
    text = {name: part.decode() for name, part in _parts().items()}
    book, styles, strings, sheet = (
        text[f"xl/{name}.xml"] for name in ("workbook", "styles", "sharedStrings", "worksheets/sheet1")
    )
    fonts = re.findall(r"<font>.*?</font>", styles)[0]
    cells = re.compile(r"<sheetData>.*</sheetData>", re.DOTALL)
    names = "".join(f'<definedName name="n{number}">1</definedName>' for number in range(200_000))
    rows = "".join(f'<row r="{number}"><c r="A{number}"><v>1</v></c></row>' for number in range(1, 200_000))
    named = re.findall(r"<sheet [^>]*>", book)[0]
    again = "".join(named.replace('name="', f'name="{number}') for number in range(200))
    links = '<Relationship Id="a" Type="b" Target="c" TargetMode="External"/>' * 15_000
    elsewhere = text["[Content_Types].xml"].replace("/xl/sharedStrings.xml", "/xl/media/s.xml")
    larger = {THEME: _parts()[THEME] + b" " * 30_000_000}
    far = '<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    return {
        "many texts": _packed(**{"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{"<si><t>x</t></si>" * 500_000}</sst>'}),
        "some texts": _packed(**{"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{"<si><t>x</t></si>" * 40_000}</sst>'}),
        "one long text": _packed(
            **{"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>{"x" * 9_000_000}</t></si></sst>'}
        ),
        "many fonts": _packed(**{"xl/styles.xml": styles.replace("<font>", fonts * 100_000 + "<font>", 1)}),
        "some fonts": _packed(**{"xl/styles.xml": styles.replace("<font>", fonts * 8_000 + "<font>", 1)}),
        "many names": _packed(**{"xl/workbook.xml": book.replace("<definedNames>", "<definedNames>" + names)}),
        "many rows": _packed(**{"xl/worksheets/sheet1.xml": cells.sub(f"<sheetData>{rows}</sheetData>", sheet)}),
        "a cell far away": _packed(**{"xl/worksheets/sheet1.xml": cells.sub(far, sheet)}),
        "entities in the book": _packed(
            **{"xl/workbook.xml": book.replace("?>", f"?>{ENTITIES}", 1).replace('name="Inputs"', 'name="&j;"')}
        ),
        "entities in the texts": _packed(
            **{"xl/sharedStrings.xml": strings.replace("?>", f"?>{ENTITIES}", 1).replace("<t>", "<t>&j;", 1)}
        ),
        "a file of the server": _packed(
            **{"xl/sharedStrings.xml": strings.replace("?>", f"?>{OUTSIDE}", 1).replace("<t>", "<t>&j;")}
        ),
        "a list of parts out of step": originals()["plan.xlsx"].replace(b"PK\x01\x02", b"PK\x01\x02\x00", 1),
        "a part larger than it says": _packed(listed=_belied, **larger),
        "a part larger than it says, as BZIP2": _packed(zipfile.ZIP_BZIP2, _belied, **larger),
        "a part larger than it says, as LZMA": _packed(zipfile.ZIP_LZMA, _belied, **larger),
        "a part beyond every place": _packed(listed=_nowhere),
        "a sheet named many times": _packed(
            **{
                "xl/workbook.xml": book.replace(named, named + again),
                "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{RELATIONS}">{links}</Relationships>',
            }
        ),
        "many parts": _packed(**{f"a{number}": "" for number in range(20_000)}),
        "texts among the pictures": _packed(
            **{
                "[Content_Types].xml": elsewhere,
                "xl/media/s.xml": strings.replace("</sst>", "<si><t>x</t></si>" * 200_000 + "</sst>"),
            }
        ),
        "zeros": _packed(**{"xl/media/a.png": b"0" * 20_000_000}),
    }


def _spoilt(name: str, data: bytes, dice: Random) -> bytes:
    way = dice.choice(["bytes", "cut", "value", "value", "value"])
    if way == "bytes":
        spoilt = bytearray(data)
        for _ in range(dice.randint(1, 10)):
            spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
        return bytes(spoilt)
    if way == "cut":
        return data[: dice.randint(0, len(data))]
    value = dice.choice(hostile.ALL)
    if name == "plan.json":
        answer = json.loads(data)
        scenario = answer["scenario"]
        odd = [value, [value] * 3, {value[:9]: 1}, None, True, 1e308, -0.0, 10**400, [], [[value]]]
        scenario[dice.choice([*scenario, value[:20]])] = dice.choice(odd)
        answer["link"] = dice.choice([answer["link"], value, 5, None])
        return json.dumps(answer).encode("utf-8", "surrogatepass")
    if name == "plan.csv":
        lines = data.decode("utf-8-sig").splitlines(keepends=True)
        cells = lines[dice.randrange(min(60, len(lines)))].split(",")
        cells[dice.randrange(len(cells))] = value
        lines[dice.randrange(min(60, len(lines)))] = ",".join(cells)
        return "".join(lines).encode("utf-8", "surrogatepass")
    part = dice.choice(list(_parts()))
    text = _parts()[part].decode()
    place = dice.randrange(len(text))
    return _packed(**{part: (text[:place] + value + text[place + 3 :]).encode("utf-8", "replace")})


def hostile_handbacks(count: int, seed: int) -> Iterator[HostileHandback]:
    """Seeded files, the same for the same seed; each bomb comes once."""
    dice = Random(seed)
    for how, data in list(bombs().items())[:count]:
        yield HostileHandback(how, "plan.xlsx", data)
    for _ in range(count - len(bombs())):
        name = dice.choice(list(originals()))
        shown = dice.choice([name, name, name, f"{hostile.TEXTS[0]}.csv", "plan.xlsx", "plan.json"])
        yield HostileHandback(f"{name} spoilt", shown, _spoilt(name, originals()[name], dice))


def read_handback(file: HostileHandback) -> str:
    """Everything an opened file goes through. Returns what became of it; raises for what must not happen."""
    try:
        decoded = given_back(catalog(), name=file.name, content=file.data)
    except NotGivenBackError as error:
        str(error).encode()
        return "refused"
    for sentence in (*decoded.notes, *(problem.message for problem in decoded.problems)):
        sentence.encode()
    return "read with problems" if decoded.problems else "read"
