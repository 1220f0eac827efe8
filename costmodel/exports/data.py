"""The answer as data: JSON for programs, CSV for everything else."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from costmodel.answer import OWN_PRICE, answer_dict
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, line_factor
from costmodel.exports.picture import cost_picture
from costmodel.exports.sources import origin_of
from costmodel.exports.words import Words
from costmodel.ledger import CostLine
from costmodel.link import encode, link, plain_number
from costmodel.scenario import INPUTS
from costmodel.units import PERCENT

BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel reads “×” as two wrong letters."""
SCENARIO = "scenario"
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_DIGITS = 15
"""Digits of a number that a spreadsheet keeps: 0.1 + 0.2 is written as 0.3. The link below the table has them all."""
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_TOLD_ELSEWHERE = ("scenario", "link", "notes", "not_included", "currency", "lines")


def json_file(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes:
    """The whole answer, the same that the command line prints: a program needs no words and no address."""
    return json.dumps(answer_dict(comparison), indent=2, ensure_ascii=False, allow_nan=False).encode()


def inert(cell: Any) -> Any:
    """Text that a spreadsheet would run as a formula, with an apostrophe before it; numbers stay numbers.

    >>> inert("=1+1"), inert(-5000), inert("Q3 - a plan")
    ("'=1+1", -5000, 'Q3 - a plan')
    """
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def restored(cell: str) -> str:
    """A text as it was before `inert`.

    >>> restored("'=1+1"), restored("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if _ESCAPED.match(cell) else cell


def csv_file(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes:
    """Everything as one table: inputs, bills, break-even, curve, every other figure, notes, link.

    Plain decimals with a point, no exponent, utilizations in percent. What does not exist is an empty cell, with the
    reason in the column `status`.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    currency = comparison.scenario.currency
    writer.writerow(
        ["section", "item", "name", "value", "unit", "usd_per_unit", "usd", f"amount_{currency}", "status", "source"]
    )
    for row in _rows(catalog, comparison, words, address=address):
        writer.writerow([inert(plain_number(rounded(cell)) if _is_number(cell) else cell) for cell in row])
    return (BYTE_ORDER_MARK + out.getvalue()).encode()


def rounded(value: float) -> float:
    """A number with the digits a spreadsheet keeps.

    >>> rounded(0.1 + 0.2)
    0.3
    """
    return float(f"{value:.{_DIGITS}g}")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _rows(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> Iterator[list[Any]]:
    scenario = comparison.scenario
    for key, text in encode(scenario):
        asked = INPUTS.get(key)
        if asked is not None and asked.kind in ("number", "number_or_auto") and _NUMBER.fullmatch(text):
            text = plain_number(rounded(float(text)))
        label, unit = (asked.label, asked.unit) if asked else ("Version of the link", "")
        source = origin_of(catalog, comparison, key) if asked else ""
        yield [SCENARIO, key, label, text, unit, "", "", "", "", source]
    for name, lines in (
        (words.labels.own, comparison.self_host.lines),
        *((api.id, api.lines) for api in comparison.apis),
    ):
        yield from (_bill_row(name, line, line_factor(line, scenario)) for line in lines)
    for api in comparison.apis:
        yield _break_even_row(api, words, comparison.money_factor)
    for percent, amount in cost_picture(comparison).curve:
        usd = amount / comparison.money_factor
        yield ["curve", words.labels.own, words.per, percent, INPUTS["util"].unit, "", usd, amount, "", ""]
    for path, value in _figures(answer_dict(comparison)):
        yield ["figure", path, "", "" if value is None else value, "", "", "", "", "", ""]
    for note in (words.title, words.scenario, words.verdict, *words.notes, *words.good_to_know):
        yield ["note", "", note, *[""] * 7]
    yield ["link", "", f"{address}{link(scenario)}", *[""] * 7]


def _bill_row(bill: str, line: CostLine, factor: float) -> list[Any]:
    source = "; ".join(each.source.label for each in line.sources) or OWN_PRICE
    return [
        "bill", bill, line.name, line.quantity, line.unit, line.usd_per_unit, line.usd, line.usd * factor, "", source,
    ]  # fmt: skip


def _break_even_row(api: ApiAnswer, words: Words, factor: float) -> list[Any]:
    point, usd = api.break_even, api.usd_per_mtok
    percent = None if point.utilization is None else point.utilization * PERCENT
    status = "reachable" if point.reachable else point.reason or ""
    amount = None if usd is None else usd * factor
    unit = INPUTS["util"].unit
    return ["break_even", api.id, api.name, percent, unit, "", usd, amount, status, f"API price: {words.per}"]


def _figures(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every figure of the answer by its path, like apis[0].usd_per_month."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in _TOLD_ELSEWHERE:
                yield from _figures(each, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _figures(each, f"{path}[{index}]")
    else:
        yield path, value
