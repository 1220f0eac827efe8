"""An exported file opens the same scenario; whatever is wrong with it is named, never guessed."""

import io
import json
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.exports.data import csv_file, json_file
from costmodel.exports.given_back import LARGEST_BYTES, NotGivenBackError, given_back
from costmodel.link import Decoded, link
from tests.exported import ADDRESS, LINKS, comparison_of, words_for


def data_of(comparison: Comparison) -> bytes:
    return json_file(catalog(), comparison, words_for(comparison), address=ADDRESS)


def table(comparison: Comparison) -> bytes:
    return csv_file(catalog(), comparison, words_for(comparison), address=ADDRESS)


def opened(name: str, content: bytes) -> Decoded:
    return given_back(catalog(), name=name, content=content)


def opened_json(answer: object) -> Decoded:
    return opened("plan.json", json.dumps(answer).encode())


@pytest.mark.parametrize("query", [*LINKS.values(), "?scenario=node-8xh200&title=%3D1%2B1&util=0.30000000000000004"])
def test_json_and_csv_give_back_the_same_scenario(query: str) -> None:
    comparison = comparison_of(query)
    for name, content in (("plan.json", data_of(comparison)), ("plan.CSV", table(comparison))):
        decoded = opened(name, content)
        assert decoded.scenario == comparison.scenario
        assert decoded.problems == ()
        assert decoded.notes == ()


def test_from_session_to_session_the_break_even_stays() -> None:
    first = comparison_of("?scenario=deepinfer-128")
    second = compare(catalog(), opened("plan.csv", table(first)).scenario)
    third = comparison_of(link(second.scenario))
    points = {round(each.apis[0].break_even.utilization or 0, 12) for each in (first, second, third)}
    assert len(points) == 1
    assert points.pop() == pytest.approx(0.764, abs=5e-4)
    assert first.scenario == second.scenario == third.scenario


def test_a_table_saved_again_by_a_spreadsheet_program_still_opens() -> None:
    rows = table(comparison_of(LINKS["two pools"])).decode("utf-8-sig")
    saved = "\r\n".join(
        line.replace(",", ";") for line in rows.splitlines() if line.startswith(("section", "scenario"))
    )
    decoded = opened("plan.csv", saved.encode())
    assert decoded.scenario.utilization_percent == 60


def test_a_change_made_in_the_file_counts_and_is_named() -> None:
    answer = json.loads(data_of(comparison_of(LINKS["two pools"])))
    answer["scenario"]["util"] = 42
    answer["scenario"]["api"] = answer["scenario"]["api"][:1]
    decoded = opened_json(answer)
    assert decoded.scenario.utilization_percent == 42
    assert len(decoded.scenario.apis) == 1
    (note,) = decoded.notes
    assert "Utilization (60 → 42)" in note


@pytest.mark.parametrize("value", ["0,76", True, 1e400, -5, "NaN", [1, 2], {"a": 1}, 10**400, "=60"])
def test_a_value_that_cannot_be_used_gets_the_default_and_is_named(value: object) -> None:
    answer = json.loads(data_of(comparison_of(LINKS["two pools"])))
    answer["scenario"]["util"] = value
    decoded = opened_json(answer)
    assert [problem.key for problem in decoded.problems] == ["util"]


def test_the_link_alone_is_enough_and_unknown_keys_are_named() -> None:
    comparison = comparison_of(LINKS["one node"])
    assert opened_json({"link": link(comparison.scenario)}).scenario == comparison.scenario
    decoded = opened_json({"scenario": {"util": 50, "gpu": "coreweave-h200", "colour": "red"}})
    assert decoded.scenario.utilization_percent == 50
    assert [problem.key for problem in decoded.problems] == ["colour"]


def packed(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("plan.pdf", b"%PDF-1.7", "no file of a kind"),
        ("plan", b"", "no file of a kind"),
        ("plan.json", b"{", "no JSON"),
        ("plan.json", b"[" * 200_000, "no JSON"),
        ("plan.json", b"[1]", "no scenario"),
        ("plan.json", b'{"scenario": 5, "link": 7}', "no scenario"),
        ("plan.csv", b"a,b\n1,2\n", "no scenario"),
        ("plan.csv", b"", "no scenario"),
        ("plan.csv", b"\xff\xfe\x00", "UTF-8"),
        ("plan.xlsx", b"PK nothing", "no XLSX"),
        ("plan.xlsx", b"", "no XLSX"),
        ("plan.xlsx", packed(a="b"), "no XLSX"),
        ("plan.xlsx", packed(**{"[Content_Types].xml": "<a"}), "no XLSX"),
        ("plan.xlsx", packed(a="0" * 100_000_001), "unpacks to more"),
        ("plan.json", b" " * (LARGEST_BYTES + 1), "larger than"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else "",
)
def test_a_file_without_a_scenario_is_refused_with_the_reason_and_what_to_choose(
    name: str, content: bytes, why: str
) -> None:
    with pytest.raises(NotGivenBackError, match=why) as refused:
        opened(name, content)
    assert "Choose a .json, .xlsx or .csv file" in str(refused.value)


def test_a_workbook_of_another_kind_is_refused() -> None:
    from openpyxl import Workbook

    out = io.BytesIO()
    Workbook().save(out)
    with pytest.raises(NotGivenBackError, match="no sheet “Inputs”"):
        opened("plan.xlsx", out.getvalue())


@given(st.binary(max_size=200), st.sampled_from(["a.json", "a.csv", "a.xlsx"]))
def test_any_bytes_open_a_scenario_or_are_refused(content: bytes, name: str) -> None:
    with suppress(NotGivenBackError):
        compare(catalog(), opened(name, content).scenario)
