"""JSON and CSV of everything: the same numbers as the command line's, plain, and never a formula."""

import csv
import io
import json

import pytest

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison
from costmodel.exports.data import csv_file, inert, json_file, restored
from costmodel.link import link
from tests.exported import ADDRESS, LINKS, comparison_of, words_for


def data_of(comparison: Comparison) -> bytes:
    return json_file(catalog(), comparison, words_for(comparison), address=ADDRESS)


def table(comparison: Comparison) -> list[list[str]]:
    content = csv_file(catalog(), comparison, words_for(comparison), address=ADDRESS)
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def section(rows: list[list[str]], name: str) -> list[list[str]]:
    return [row for row in rows if row[0] == name]


@pytest.mark.parametrize("name", LINKS)
def test_the_json_is_the_answer_of_the_command_line(name: str) -> None:
    comparison = comparison_of(LINKS[name])
    assert json.loads(data_of(comparison)) == json.loads(json.dumps(answer_dict(comparison)))
    assert b"NaN" not in data_of(comparison)
    assert b"Infinity" not in data_of(comparison)


@pytest.mark.parametrize("name", LINKS)
def test_the_table_holds_every_figure_once_and_every_row_is_whole(name: str) -> None:
    comparison = comparison_of(LINKS[name])
    rows = table(comparison)
    assert {len(row) for row in rows} == {10}
    assert rows[-1][2] == f"{ADDRESS}{link(comparison.scenario)}"
    figures = {row[1]: row[3] for row in section(rows, "figure")}
    bill = [row for row in section(rows, "bill") if row[1] == "Own GPUs"]
    assert len(bill) == len(comparison.self_host.lines)
    paid = sum(float(row[7]) for row in bill)
    assert paid == pytest.approx(float(figures["self_host.usd_per_month_in_currency"]))


def test_it_begins_with_the_mark_that_makes_a_spreadsheet_read_its_signs_right() -> None:
    comparison = comparison_of(LINKS["two pools"])
    content = csv_file(catalog(), comparison, words_for(comparison), address=ADDRESS)
    assert content.startswith("\ufeff".encode())
    assert "64 × CoreWeave" in content.decode("utf-8-sig")


def test_numbers_are_plain_decimals_without_an_exponent() -> None:
    rows = table(comparison_of("?scenario=node-8xh200&util=0.30000000000000004&api=custom:Tiny:0.000000003::0.00001"))
    values = {row[1]: row[3] for row in section(rows, "scenario")}
    assert values["util"] == "0.3"
    prices = [row[5] for row in section(rows, "bill")]
    assert "0.000000003" in prices
    for row in rows[1:]:
        for cell in row[3:4] + row[5:8]:
            assert "e-" not in cell.lower() or not cell[:1].isdigit()


def test_a_negative_amount_is_a_number_in_plain_signs() -> None:
    assert inert(-5000) == -5000
    assert inert("-5000") == "-5000"
    rows = table(comparison_of("?scenario=deepinfer-128&growth=-5"))
    assert [row[3] for row in section(rows, "scenario") if row[1] == "growth"] == ["-5"]


def test_a_break_even_that_does_not_exist_is_empty_or_a_number_with_its_reason() -> None:
    rows = section(table(comparison_of(LINKS["not reachable"])), "break_even")
    assert rows
    assert float(rows[0][3]) > 100
    assert "not reachable" in rows[0][8]
    free = next(row for row in section(table(comparison_of(LINKS["shared pool"])), "break_even") if "Free" in row[2])
    assert free[3] == ""
    assert "free" in free[8]


@pytest.mark.parametrize(
    "text", ["=1+1", "+49 30", "-x", "@SUM(A1)", "\t=1", "'=1", "''@x", "'tis", "Q3", "", "-5", "'-5"]
)
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    escaped = inert(text)
    assert restored(escaped) == text
    assert escaped[:1] not in ("=", "+", "@", "\t")


def test_no_cell_can_be_read_as_a_formula() -> None:
    rows = table(comparison_of("?scenario=node-8xh200&title=%3DHYPERLINK(1)&api=custom:@SUM(A1):1::2"))
    for row in rows:
        for cell in row:
            assert cell[:1] not in ("=", "+", "@", "\t", "\r")
            assert not cell.startswith("-") or cell.lstrip("-").replace(".", "").isdigit()
