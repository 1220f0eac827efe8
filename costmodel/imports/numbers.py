"""Token counts and amounts as spreadsheets write them. A number that can mean two things is refused, never guessed."""

from __future__ import annotations

import re
from decimal import Decimal

from costmodel.imports.usage import RowDamagedError, UsageError
from costmodel.language import say

PICO = 12  # amounts are kept as whole 1e-12 dollars: sums are exact, and one token's price still has its digits
LONGEST_COUNT = 15  # digits; more is a damaged cell, not a token count
LONGEST_AMOUNT = 40
LARGEST_PICO = 2**63  # what an entry of the book can hold: nine million dollars in one row
LARGEST_AMOUNT = Decimal(LARGEST_PICO).scaleb(-PICO)

WRAPPED = re.compile(r'=\(?"(.*)"\)?', re.DOTALL)
SPACED = re.compile(r"\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+", re.ASCII)
WHOLE = re.compile(r"\d+", re.ASCII)
ONE_GROUP = re.compile(r"[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
GROUPED = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+(?:,0*)?|(?:,\d{3})+(?:\.0*)?)", re.ASCII)
FRACTION = re.compile(r"(\d+)([.,])(\d*)", re.ASCII)
POINT_AMOUNT = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?", re.ASCII)
GROUPED_AMOUNT = re.compile(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
COMMA_AMOUNT = re.compile(r"-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+),\d*", re.ASCII)


def unwrap(cell: str) -> str:
    """The text of a cell, without the blanks, byte-order mark and ="..." that spreadsheets put around it.

    >>> unwrap('="8440"'), unwrap('=("a")'), unwrap(" x ")
    ('8440', 'a', 'x')
    """
    cell = cell.strip().lstrip("\ufeff")
    wrapped = WRAPPED.fullmatch(cell) if cell.startswith("=") else None
    return wrapped[1].strip() if wrapped else cell


class Numbers:
    """Reads the numbers of one file, whose separator says which of `.` and `,` groups thousands.

    A semicolon file comes from a spreadsheet that writes decimal commas: its 2.000 is two thousand.
    A comma file writes decimal points, and its quoted "2,000" is two thousand. Anything else with one group of three
    digits (2.000 in a comma file) is ambiguous, and the file is refused: 2 and 2,000 are both possible.
    """

    def __init__(self, *, file: str, delimiter: str) -> None:
        self.file = file
        self.thousands = {";": ".", ",": ","}.get(delimiter)
        self.groups_seen: set[str] = set()
        self.decimals_seen: set[str] = set()

    def count(self, cell: str, *, column: str, row: int) -> int | None:
        """A token or request count; None for an empty cell. Raises RowDamagedError, or UsageError where ambiguous.

        >>> numbers = Numbers(file="week.csv", delimiter=";")
        >>> [numbers.count(text, column="output_tokens", row=1) for text in ("12", "2.000", "1.234.567", "")]
        [12, 2000, 1234567, None]
        """
        text = unwrap(cell)
        if not text:
            return None
        digits = self._digits(text, row)
        if digits is None:
            raise RowDamagedError(say("{column} is not a whole number of 0 or more", column=column), text)
        if len(digits) > LONGEST_COUNT:
            raise RowDamagedError(say("{column} has more than {most} digits", column=column, most=LONGEST_COUNT), text)
        return int(digits)

    def amount(self, cell: str) -> int | None:
        """An amount of money in whole 1e-12 units; None where empty, unreadable or ambiguous.

        >>> Numbers(file="costs.csv", delimiter=";").amount("39,20")
        39200000000000
        """
        if cell == "0":
            return 0
        text = unwrap(cell).lstrip("$").strip()
        if len(text) > LONGEST_AMOUNT:
            return None
        if POINT_AMOUNT.fullmatch(text):
            if self.thousands != "," and ONE_GROUP.fullmatch(text.lstrip("-")):
                return None
        elif self.thousands == "," and GROUPED_AMOUNT.fullmatch(text):
            text = text.replace(",", "")
        elif self.thousands == "." and COMMA_AMOUNT.fullmatch(text):
            text = text.replace(".", "").replace(",", ".")
        else:
            return None
        value = Decimal(text)
        if abs(value) >= LARGEST_AMOUNT:
            return None
        return int(value.scaleb(PICO).to_integral_value())

    def notes(self) -> tuple[str, ...]:
        """Which separator was read as thousands, where one was."""
        return tuple(
            say(
                "{file}: “{mark}” was read as the thousands separator (2{mark}000 is two thousand).",
                file=self.file,
                mark=mark,
            )
            for mark in sorted(self.groups_seen)
        )

    def _digits(self, text: str, row: int) -> str | None:
        if WHOLE.fullmatch(text):
            return text.lstrip("0") or "0"
        if SPACED.fullmatch(text):
            return re.sub(r"\D", "", text)
        if ONE_GROUP.fullmatch(text):
            mark = text[-4]
            if mark != self.thousands:
                raise self._ambiguous(text, row)
            self._saw(self.groups_seen, mark, text, row)
            return text.replace(mark, "")
        if GROUPED.fullmatch(text):
            mark = next(letter for letter in text if letter in ".,")
            self._saw(self.groups_seen, mark, text, row)
            return text.split("," if mark == "." else ".")[0].replace(mark, "")
        fraction = FRACTION.fullmatch(text)
        if fraction is None:
            return None
        self._saw(self.decimals_seen, fraction[2], text, row)
        return None if fraction[3].strip("0") else fraction[1].lstrip("0") or "0"

    def _saw(self, seen: set[str], mark: str, text: str, row: int) -> None:
        if mark in seen:
            return
        seen.add(mark)
        if mark in self.groups_seen and mark in self.decimals_seen:
            raise self._ambiguous(text, row)

    def _ambiguous(self, text: str, row: int) -> UsageError:
        return UsageError(
            say(
                "“{text}” can be read with a decimal or a thousands separator, a thousandfold apart. Export the counts "
                "as whole numbers without separators.",
                text=text[:LONGEST_AMOUNT],
            ),
            file=self.file,
            row=row,
        )
