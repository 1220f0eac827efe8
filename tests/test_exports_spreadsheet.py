"""The spreadsheet says what the model says, and goes on saying it when a spreadsheet program recalculates it."""

import io
import math
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from costmodel.catalog import catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.exports.given_back import given_back
from costmodel.exports.spreadsheet import spreadsheet
from costmodel.scenario import INPUTS, Scenario
from tests.exported import ADDRESS, LINKS, comparison_of, words_for
from tests.office import office_or_skip, recalculated

CHANGES: dict[str, dict[str, Any]] = {
    "as exported": {},
    "utilization and own price": {"util": 25, "gpu_usd": 12.5},
    "throughput": {"tps": 9_000, "gpus": 61},
    "tokens": {"ratio": 6, "cached": 40, "cache_write": 5},
    "own cache": {"ratio": 12, "own_cached": 50},
    "month and units": {"hours": 700, "units": 3, "spare": 2},
    "peak and batch": {"peak": 50, "batch": 30},
    "currency": {"fx": 0.9, "vat": 19},
    "VAT recovered": {"vat": 19, "vat_back": "yes", "staff": 1},
    "prefill rate": {"prefill_tps": 5_000, "ratio": 8},
    "no prefill rate": {"prefill_tps": None, "ratio": 8},
    "basis": {"basis": "total", "ratio": 3},
    "nothing served": {"util": 0},
    "everything counted": {
        "staff": 2, "staff_usd": 90_000, "storage": 5_000, "egress": 100, "network": 30, "support": 15, "setup": 50_000,
        "term": 24, "kv_tb": 2, "kv_usd": 0.02, "vat": 21,
    },
    "bought": {"acquire": "buy", "capex": 40_000, "residual": 20, "life": 48, "wacc": 0, "kw": 1.2, "pue": 1.4},
    "bought on credit": {"acquire": "buy", "wacc": 9, "kwh": 0.2, "colo": 150, "maint": 6},
    "reserved": {"acquire": "reserve"},
    "reserved at a typed discount": {"acquire": "reserve", "reserve_off": 35},
    "spot": {"acquire": "spot", "spot_lost": 12},
    "spot at a typed price": {"acquire": "spot", "gpu_usd": 5, "spot_off": 40},
}  # fmt: skip
OFFICE_CASES = [
    *((name, "as exported") for name in LINKS),
    *(("two pools", change) for change in CHANGES if change != "as exported"),
    *(("shared pool", change) for change in ("tokens", "no prefill rate")),
    *(("one node", change) for change in ("currency", "everything counted")),
    *(("twelve APIs", change) for change in ("tokens", "peak and batch")),
    ("not reachable", "throughput"),
    ("bought", "reserved"),
]
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Case:
    """A workbook after a change, the model's answer to the same change, and what the workbook says."""

    comparison: Comparison
    book: Workbook


def exported(comparison: Comparison) -> bytes:
    return spreadsheet(catalog(), comparison, words_for(comparison), address=ADDRESS)


def book_of(comparison: Comparison, *, values: bool = True) -> Workbook:
    return load_workbook(io.BytesIO(exported(comparison)), data_only=values)


def named(book: Workbook, name: str) -> Any:
    """What the cell of a name holds."""
    sheet, _, cell = book.defined_names[name].attr_text.rpartition("!")
    return book[sheet.strip("'")][cell.replace("$", "")].value


def input_row(sheet: Worksheet, key: str) -> int:
    return next(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value == key)


def set_input(book: Workbook, key: str, value: Any) -> None:
    sheet = book["Inputs"]
    sheet.cell(input_row(sheet, key), 3).value = value


def changed(scenario: Scenario, changes: dict[str, Any]) -> Scenario:
    return scenario.model_copy(update={INPUTS[key].name: value for key, value in changes.items()})


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Case]:
    """Every case, all recalculated in one run: the program takes seconds to start."""
    program = office_or_skip()
    folder = tmp_path_factory.mktemp("office")
    files: list[Path] = []
    answers: list[Comparison] = []
    for number, (name, change) in enumerate(OFFICE_CASES):
        before = comparison_of(LINKS[name])
        book = book_of(before, values=False)
        for key, value in CHANGES[change].items():
            set_input(book, key, value)
        files.append(folder / f"case{number}.xlsx")
        book.save(files[-1])
        answers.append(compare(catalog(), changed(before.scenario, CHANGES[change])))
    done = recalculated(program, files, folder)
    found = {
        case: Case(answer, load_workbook(file, data_only=True))
        for case, answer, file in zip(OFFICE_CASES, answers, done, strict=True)
    }
    return lambda name, change: found[name, change]


@pytest.mark.parametrize(("name", "change"), OFFICE_CASES)
def test_recalculated_the_sheets_say_what_the_model_says(
    cases: Callable[[str, str], Case], name: str, change: str
) -> None:
    case = cases(name, change)
    own, factor = case.comparison.self_host, case.comparison.money_factor
    assert named(case.book, "input_problems") == 0
    assert close(named(case.book, "capacity_output_tok_s"), own.capacity_output_tok_s)
    assert close(named(case.book, "output_mtok_per_month"), own.output_mtok_per_month)
    assert close(named(case.book, "own_usd_per_month"), own.usd_per_month)
    assert close(named(case.book, "usd_per_hour"), own.usd_per_hour)
    assert close(named(case.book, "usd_per_mtok_at_full"), own.usd_per_mtok_at_full)
    if own.usd_per_mtok is None:
        assert named(case.book, "own_price") == "none: no tokens are served"
    else:
        assert close(named(case.book, "own_price"), own.usd_per_mtok * factor)
    assert own_bill(case.book) == pytest.approx(sorted(line.usd for line in own.lines if line.usd), rel=TOLERANCE)
    check_break_even(case.book, case.comparison)


def check_break_even(book: Workbook, comparison: Comparison) -> None:
    factor = comparison.money_factor
    rows = list(book["Break-even"].iter_rows(min_row=8, max_col=9, values_only=True))
    for row, api in zip(rows, comparison.apis, strict=False):
        assert row[0] == api.name
        if api.usd_per_mtok is None or api.usd_per_month is None:
            assert row[1] == row[4] == "no price on the price date"
            continue
        assert close(row[1], api.usd_per_mtok * factor)
        assert close(row[2], api.usd_per_month * factor)
        point = api.break_even
        if point.utilization is None:
            assert row[4] == row[5] == row[6] == "the API is free"
        else:
            assert close(row[4], point.utilization * 100) if point.reachable else row[4] == "not reachable"
            assert close(row[5], point.utilization * 100)
            assert close(row[6], point.output_tok_s)
        if api.break_even_usd_per_gpu_hour is None:
            assert row[7] == "none: the rest alone costs more"
        else:
            assert close(row[7], api.break_even_usd_per_gpu_hour)
        assert row[8] == {"self_host": "own GPUs", "api": "the API", "tie": "the same"}[api.winner or ""]


def own_bill(book: Workbook) -> list[float]:
    """Amounts of the own bill's lines that are in use, in dollars."""
    rows = book["Bills"].iter_rows(min_row=5, max_col=5, values_only=True)
    amounts: list[float] = []
    for name, _, _, _, usd in rows:
        if name == "Total":
            return sorted(amounts)
        if usd:
            amounts.append(usd)
    raise AssertionError("the bill has no total")


def close(found: Any, expected: float | None) -> bool:
    return expected is not None and math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


@pytest.mark.parametrize("name", LINKS)
def test_every_formula_comes_with_the_value_that_a_spreadsheet_program_calculates(
    cases: Callable[[str, str], Case], name: str
) -> None:
    calculated = cases(name, "as exported").book
    comparison = comparison_of(LINKS[name])
    formulas, values = book_of(comparison, values=False), book_of(comparison)
    checked = 0
    for sheet, cell in formula_cells(formulas):
        before, after = values[sheet][cell].value, calculated[sheet][cell].value
        if isinstance(before, str) or isinstance(after, str) or before is None:
            assert (before or "") == (after or ""), (sheet, cell)
        else:
            assert close(after, before), (sheet, cell)
        checked += 1
    assert checked > 300


def formula_cells(book: Workbook) -> Iterator[tuple[str, str]]:
    for sheet in book:
        for row in sheet.iter_rows():
            yield from ((sheet.title, cell.coordinate) for cell in row if cell.data_type == "f")


@pytest.fixture(scope="session")
def withheld(tmp_path_factory: pytest.TempPathFactory) -> list[Workbook]:
    """The same workbook with inputs that the app would refuse."""
    program = office_or_skip()
    folder = tmp_path_factory.mktemp("refused")
    files = []
    for number, (key, value) in enumerate([("util", 760), ("util", "0,76"), ("gpus", 1.5), ("cached", 101)]):
        book = book_of(comparison_of(LINKS["two pools"]), values=False)
        set_input(book, key, value)
        files.append(folder / f"refused{number}.xlsx")
        book.save(files[-1])
    return [load_workbook(file, data_only=True) for file in recalculated(program, files, folder)]


def test_an_input_out_of_bounds_withholds_the_results(withheld: list[Workbook]) -> None:
    for book in withheld:
        assert named(book, "input_problems") >= 1
        assert named(book, "own_price") in ("#N/A", "#VALUE!")
        assert not isinstance(book["Break-even"]["E8"].value, float)
    sheet = withheld[0]["Inputs"]
    assert "at most 100" in sheet.cell(input_row(sheet, "util"), 10).value


@pytest.mark.parametrize("name", LINKS)
def test_read_back_it_is_the_same_scenario(name: str) -> None:
    comparison = comparison_of(LINKS[name])
    decoded = given_back(catalog(), name="plan.xlsx", content=exported(comparison))
    assert decoded.scenario == comparison.scenario
    assert decoded.problems == ()
    assert decoded.notes == ()


def test_a_changed_cell_is_read_back_changed_and_named() -> None:
    book = book_of(comparison_of(LINKS["two pools"]), values=False)
    set_input(book, "util", 70)
    set_input(book, "gpu_usd", 9.5)
    set_input(book, "prefill_tps", None)
    out = io.BytesIO()
    book.save(out)
    decoded = given_back(catalog(), name="plan.xlsx", content=out.getvalue())
    assert decoded.scenario.utilization_percent == 70
    assert decoded.scenario.gpu_usd_per_hour == 9.5
    assert decoded.scenario.input_tok_s_per_prefill_gpu is None
    (note,) = decoded.notes
    assert "Utilization (60 → 70)" in note
    assert "Own GPU price (not set → 9.5)" in note


def test_with_a_picture_put_into_it_it_is_still_read_back() -> None:
    comparison = comparison_of(LINKS["two pools"])
    out = io.BytesIO(exported(comparison))
    with zipfile.ZipFile(out, "a") as book:
        book.writestr("xl/media/logo.png", bytes(5_000_000))
    assert given_back(catalog(), name="plan.xlsx", content=out.getvalue()).scenario == comparison.scenario


def test_five_times_the_same_scenario_are_five_identical_files() -> None:
    comparison = comparison_of(LINKS["one node"])
    assert len({exported(comparison) for _ in range(5)}) == 1


def test_no_text_of_a_reader_is_a_formula() -> None:
    hostile = "%3DHYPERLINK(%22http://evil.example%22)"
    comparison = comparison_of(f"?scenario=node-8xh200&title={hostile}&api=custom:{hostile.split('(')[0]}:1::2")
    book = book_of(comparison, values=False)
    texts = [cell for sheet in book for row in sheet.iter_rows() for cell in row if "HYPERLINK" in str(cell.value)]
    assert len(texts) > 5
    assert {cell.data_type for cell in texts} == {"s"}
    starting = [cell for cell in texts if str(cell.value).startswith("=")]
    assert starting
    assert all(cell.quotePrefix for cell in starting), "a cell that is edited must stay text, too"


@pytest.mark.parametrize("name", LINKS)
def test_no_cell_holds_an_error_an_infinity_or_nothing_for_a_number(name: str) -> None:
    values = book_of(comparison_of(LINKS[name]))
    for sheet in values:
        for row in sheet.iter_rows():
            for cell in row:
                assert not str(cell.value).startswith("#")
                assert str(cell.value).lower() not in ("nan", "inf", "-inf")


def test_a_break_even_that_does_not_exist_is_a_word() -> None:
    unreachable = book_of(comparison_of(LINKS["not reachable"]))["Break-even"]
    assert unreachable["E8"].value == "not reachable"
    assert unreachable["F8"].value > 100
    assert "not reachable" in unreachable["J8"].value
    free = book_of(comparison_of(LINKS["shared pool"]))["Break-even"]
    assert free["E8"].value == "the API is free"


def test_the_sheets_asked_for_are_there_with_a_native_chart_and_named_inputs() -> None:
    book = book_of(comparison_of(LINKS["two pools"]), values=False)
    assert book.sheetnames == ["Inputs", "API prices", "Model", "Bills", "Break-even", "Curve", "Sources"]
    (chart,) = book["Curve"]._charts
    assert len(chart.series) == 6, "four APIs, the own curve, the scenario's own point"
    assert named(book, "utilization_percent") == 60
    model = [cell.value for row in book["Model"].iter_rows() for cell in row if cell.data_type == "f"]
    assert "=efficiency_percent/100*gpus*output_tok_s_per_gpu_used" in model


def test_each_input_says_where_it_comes_from_and_what_a_change_does() -> None:
    sheet = book_of(comparison_of(LINKS["two pools"]))["Inputs"]
    rows = {row[0]: row for row in sheet.iter_rows(min_row=6, values_only=True) if row[0]}
    assert set(INPUTS) <= set(rows)
    assert "coreweave.com/pricing" in rows["gpu"][4]
    assert "read 2026" in rows["gpu"][4]
    assert rows["util"][4] == "your input"
    assert rows["util"][8] == "changing it recomputes every sheet"
    assert "looked up by date" in rows["asof"][8]
    assert "counted from it" in rows["traffic"][8]


def test_at_a_promised_speed_the_typed_throughput_says_that_it_is_not_used() -> None:
    comparison = comparison_of("?scenario=deepinfer-128&slo=200")
    book = book_of(comparison)
    assert "is used instead" in book["Inputs"].cell(input_row(book["Inputs"], "tps"), 9).value
    used = comparison.self_host.throughput.output_tok_s_per_gpu
    assert named(book, "promised_output_tok_s_per_gpu") == pytest.approx(used)
    assert named(book, "output_tok_s_per_gpu_used") == pytest.approx(used)


def test_a_pool_that_is_not_there_cannot_be_added_in_the_sheet() -> None:
    book = book_of(comparison_of(LINKS["one node"]), values=False)
    rows = {row[0]: row for row in book["Inputs"].iter_rows(min_row=6, values_only=True) if row[0]}
    assert "do it in the app" in rows["prefill_gpus"][8]
    assert "prefill_gpus" not in book.defined_names


def test_a_price_without_a_list_price_needs_one_of_ones_own() -> None:
    with pytest.raises(NoAnswerError):
        comparison_of("?scenario=node-8xh200&asof=2023-06-01")
    early = comparison_of("?scenario=node-8xh200&asof=2023-06-01&gpu_usd=4")
    assert named(book_of(early), "list_usd_per_gpu_hour") == "none"
    assert named(book_of(early), "rent_usd_per_gpu_hour") == 4
