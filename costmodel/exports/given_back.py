"""An exported file read back: the inputs it holds, through the same strict reader as a link.

The exact link is in every export. A cell that still shows what the link says counts as the link says it, to its last
digit; a cell that was changed counts as it is, and the change is named.
"""

import csv
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from costmodel.catalog import Catalog
from costmodel.exports.data import SCENARIO, restored, rounded
from costmodel.language import say
from costmodel.link import Decoded, decode, plain_number, query_of
from costmodel.scenario import INPUTS

LARGEST_BYTES = 10_000_000
# Seven times what an export unpacks to. A megabyte of XML may take a second and 25 MB of memory to read.
_LARGEST_UNPACKED_BYTES = 1_500_000
_MOST_PARTS = 1_000  # an export has twenty
_PICTURES = "xl/media/"  # left out: only cells are read
# What spreadsheets are packed with. Of other ways, Python unpacks at once all that is there.
_WAYS_OF_PACKING = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MOST_ROWS, _MOST_COLUMNS = 5_000, 12
_INPUTS_SHEET = "Inputs"
_HEAD = ("Key", "Value")

Texts = dict[str, list[str]]


class NotGivenBackError(ValueError):
    """The file holds no scenario; the message says why and what to choose instead."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why} {say('Choose a .json, .xlsx or .csv file that this page exported.')}")


class _TooMuchError(Exception):
    """A spreadsheet makes its reader read more than can be read."""


class _ReadTwice(io.BytesIO):
    """A package that is read twice at most, as its sheets are: for their size, then for their cells.

    Parts may name one another any number of times, and whoever follows reads them as often.
    """

    def __init__(self, package: bytes) -> None:
        super().__init__(package)
        self._left = 2 * len(package)

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise _TooMuchError
        return piece


def given_back(catalog: Catalog, *, name: str, content: bytes) -> Decoded:
    """The scenario in an exported file, with whatever could not be used and what was changed since the export.

    Raises NotGivenBackError where there is none in it.
    """
    if len(content) > LARGEST_BYTES:
        raise NotGivenBackError(say("The file is larger than {size} MB.", size=LARGEST_BYTES // 1_000_000))
    kind = name.rpartition(".")[2].lower()
    readers = {"json": _from_json, "xlsx": _from_book, "csv": _from_csv}
    if kind not in readers:
        raise NotGivenBackError(say("This is no file of a kind that can be read."))
    cells, link = readers[kind](content)
    if not cells and not link:
        raise NotGivenBackError(say("There is no scenario in the file."))
    linked = query_of(link)
    query, changed = _settled(cells, linked)
    decoded = decode(catalog, query)
    notes = decoded.notes
    if changed:
        notes += (say("Changed in the file since it was exported: {changes}.", changes="; ".join(changed)),)
    return Decoded(decoded.scenario, decoded.problems, notes)


def _settled(cells: Texts, linked: Texts) -> tuple[Texts, list[str]]:
    """What the cells say, with all digits of the link where they say the same, and the inputs where they do not."""
    if not cells or not linked:
        return cells or linked, []
    query: Texts = {}
    changed: list[str] = []
    for key in dict.fromkeys([*cells, *linked]):
        now, before = cells.get(key, []), linked.get(key, [])
        if _alike(now, before):
            query[key] = before
            continue
        if now:
            query[key] = now
        label = say(INPUTS[key].label) if key in INPUTS else key
        none = say("not set")
        changed.append(f"{label} ({', '.join(before) or none} → {', '.join(now) or none})")
    return query, changed


def _alike(now: Sequence[str], before: Sequence[str]) -> bool:
    """Whether two lists of values say the same, to the digits that a spreadsheet keeps."""
    return len(now) == len(before) and all(map(_same_value, now, before))


def _same_value(now: str, before: str) -> bool:
    try:
        return rounded(float(now)) == rounded(float(before))
    except ValueError:
        return now == before


def _text(value: Any) -> str:
    """A cell's value as links write it; what is no plain number, day or text stays visible for the reader to refuse."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and abs(value) < float("inf"):
        return plain_number(value)
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


def _whole(text: str) -> str:
    """A text without halves of characters, which JSON may hold and nothing can show."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _collected(pairs: Iterable[tuple[Any, Any]]) -> Texts:
    """Key and value pairs as a query; empty cells are inputs that are not set."""
    texts: Texts = {}
    for key, value in pairs:
        if isinstance(key, str) and key and value is not None and value != "":
            texts.setdefault(_whole(key), []).append(_whole(_text(value)))
    return texts


def _from_json(content: bytes) -> tuple[Texts, str]:
    try:
        answer = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NotGivenBackError(say("The file is no JSON ({why}).", why=error)) from error
    if not isinstance(answer, dict):
        raise NotGivenBackError(say("There is no scenario in the file."))
    scenario, link = answer.get("scenario"), answer.get("link")
    pairs = scenario.items() if isinstance(scenario, dict) else ()
    cells = _collected((key, each) for key, value in pairs for each in (value if isinstance(value, list) else [value]))
    linked = _whole(link) if isinstance(link, str) else ""
    # The version is a property of links; a scenario as data has none of its own.
    versions = query_of(linked).get("v")
    if cells and versions:
        cells["v"] = versions
    return cells, linked


def _from_csv(content: bytes) -> tuple[Texts, str]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotGivenBackError(say("The file is not encoded as UTF-8: save it so.")) from error
    separator = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    pairs: list[tuple[str, str]] = []
    link = ""
    try:
        for row in csv.reader(io.StringIO(text), delimiter=separator):
            if row and row[0] == SCENARIO and len(row) > 3:
                pairs.append((row[1], restored(row[3])))
            elif row and row[0] == "link" and len(row) > 2:
                link = row[2]
    except csv.Error as error:
        raise NotGivenBackError(say("The file is no CSV ({why}).", why=error)) from error
    return _collected(pairs), link


def _from_book(content: bytes) -> tuple[Texts, str]:
    """The sheet Inputs: values as they stand, or as last calculated where a cell holds a formula of the reader's."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(_ReadTwice(_unpacked(content)), read_only=True, data_only=True)
        if _INPUTS_SHEET not in book.sheetnames:
            raise NotGivenBackError(say("The spreadsheet has no sheet “{sheet}”.", sheet=_INPUTS_SHEET))
        rows = book[_INPUTS_SHEET].iter_rows(max_row=_MOST_ROWS, max_col=_MOST_COLUMNS, values_only=True)
        pairs = list(_below_head(rows))
    except NotGivenBackError:
        raise
    except _TooMuchError as error:
        raise NotGivenBackError(say("The spreadsheet unpacks to more than can be read.")) from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        RuntimeError,
        InvalidFileException,
        SyntaxError,
        LookupError,
        OverflowError,
        AttributeError,
        TypeError,
        ValueError,
        OSError,
    ) as error:
        # What zipfile and openpyxl raise for a file that is damaged, encrypted or of another kind; broken XML is a
        # SyntaxError, an encrypted part a RuntimeError, a part beyond every place an OverflowError, and a name too long
        # to be copied a struct.error.
        raise NotGivenBackError(say("The file is no XLSX spreadsheet that can be read ({why}).", why=error)) from error
    link = next((str(value) for key, value in pairs if key == "link"), "")
    return _collected((key, value) for key, value in pairs if key != "link"), link


def _unpacked(content: bytes) -> bytes:
    """A copy of a package, its parts unpacked and its pictures left out: nothing can be read that was not counted.

    What a package says of the sizes of its parts may be untrue, and cells may stand where pictures are expected.
    """
    copy = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(copy, "w") as unpacked:
        names = packed.namelist()
        if len(names) > _MOST_PARTS:
            raise _TooMuchError
        for name in dict.fromkeys(names):
            if name.startswith(_PICTURES):
                continue
            part = packed.getinfo(name)
            if part.compress_type not in _WAYS_OF_PACKING:
                raise zipfile.BadZipFile("That compression method is not supported")
            with packed.open(part) as source:
                # Asked for so many bytes, it unpacks no more; asked for all, it unpacks even what it throws away.
                unpacked.writestr(name, source.read(_LARGEST_UNPACKED_BYTES))
            if copy.getbuffer().nbytes > _LARGEST_UNPACKED_BYTES:
                raise _TooMuchError
    return copy.getvalue()


def _below_head(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, Any]]:
    """Key and value of every row below the head of the table of inputs."""
    columns: tuple[int, int] | None = None
    for row in rows:
        if columns is None:
            columns = (row.index(_HEAD[0]), row.index(_HEAD[1])) if all(name in row for name in _HEAD) else None
        else:
            yield row[columns[0]], row[columns[1]]
