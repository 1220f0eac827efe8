"""The menu of what leaves the page: drawn only while open, every file of the scenario on the screen, files opened."""

import io
import json

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from costmodel.catalog import catalog
from costmodel.exports.given_back import given_back
from costmodel.link import decode, query_of
from costmodel.ui.share_menu import Kind, kinds
from tests.app_page import opened_menu
from tests.app_page import page as page_of
from tests.browser import open_page, wait_idle
from tests.exported import ADDRESS, LINKS, comparison_of, words_for


def labels(app: AppTest) -> list[str]:
    return [each.proto.label for each in app.get("download_button")]


def test_a_closed_menu_draws_nothing() -> None:
    assert not [label for label in labels(page_of(LINKS["two pools"])) if "Spreadsheet" in label]


def test_an_open_menu_offers_every_kind() -> None:
    app = opened_menu(LINKS["two pools"])
    assert not app.exception
    assert {kind.button for kind in kinds()} <= set(labels(app))


def test_without_an_answer_there_is_a_file_to_open_but_none_to_export() -> None:
    app = opened_menu("?scenario=deepinfer-128&asof=2023-06-01")
    assert not app.exception
    assert not {kind.button for kind in kinds()} & set(labels(app))
    assert "Open this file" in [button.label for button in app.button]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.ending)
def test_every_kind_makes_a_file(kind: Kind) -> None:
    comparison = comparison_of(LINKS["one node"])
    made = kind.make(catalog(), comparison, words_for(comparison), address=ADDRESS)
    assert len(made) > 1_000


@pytest.mark.browser
def test_a_reader_exports_changes_a_cell_and_opens_the_file(page: Page, app_server: str) -> None:
    open_page(page, app_server, LINKS["two pools"])
    page.get_by_role("button", name="Share or export").click()
    wait_idle(page)
    before = page.url
    found: dict[str, bytes] = {}
    for kind in kinds():
        with page.expect_download() as download:
            page.get_by_role("button", name=kind.button).click()
        assert download.value.suggested_filename == f"deepinfer-64-b200-64-gb200-all-2026-10-25.{kind.ending}"
        found[kind.ending] = download.value.path().read_bytes()
    assert page.url == before, "a download changes nothing on the page"
    scenario = decode(catalog(), query_of(page.url)).scenario
    assert given_back(catalog(), name="a.csv", content=found["csv"]).scenario == scenario
    assert json.loads(found["json"])["scenario"]["util"] == 60
    assert found["pdf"].startswith(b"%PDF")
    book = load_workbook(io.BytesIO(found["xlsx"]))
    sheet = book["Inputs"]
    row = next(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value == "util")
    sheet.cell(row, 3).value = 75
    changed = io.BytesIO()
    book.save(changed)
    file = {"name": "plan.xlsx", "mimeType": "application/octet-stream", "buffer": changed.getvalue()}
    page.locator(".st-key-exported_file input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Open this file").click()
    expect(page.get_by_text("The exported scenario was opened.")).to_be_visible()
    expect(page.get_by_text("Utilization (60 → 75)")).to_be_visible()
    expect(page.get_by_text("At 75 % utilization").first).to_be_visible()
    page.get_by_role("button", name="Understood").click()
    expect(page.get_by_text("The exported scenario was opened.")).to_have_count(0)


@pytest.mark.browser
def test_a_file_that_is_none_of_ours_is_refused_in_words(page: Page, app_server: str) -> None:
    open_page(page, app_server, LINKS["two pools"])
    page.get_by_role("button", name="Share or export").click()
    file = {"name": "other.json", "mimeType": "application/json", "buffer": b"{}"}
    page.locator(".st-key-exported_file input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Open this file").click()
    expect(page.get_by_text("There is no scenario in the file.")).to_be_visible()
