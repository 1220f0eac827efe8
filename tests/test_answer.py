"""The JSON answer, a public contract."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from costmodel.__main__ import main
from costmodel.scenario import INPUTS

REPOSITORY = Path(__file__).parent.parent


def run(link: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["compare", link])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, answer


def test_the_contract_of_the_keys(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run("?scenario=deepinfer-128", capsys)
    assert code == 0
    assert {"scenario", "link", "problems", "self_host", "apis", "notes", "currency"} <= set(answer)
    assert {
        "usd_per_hour",
        "usd_per_month",
        "capacity_output_tok_s",
        "binding",
        "usd_per_mtok_at_full",
        "usd_per_mtok",
        "output_mtok_per_month",
        "lines",
    } <= set(answer["self_host"])
    assert {
        "id",
        "name",
        "usd_per_mtok",
        "usd_per_month",
        "peak_share",
        "break_even_utilization",
        "reachable",
        "reason",
        "winner",
        "lines",
    } <= set(answer["apis"][0])
    assert {"name", "quantity", "unit", "usd_per_unit", "usd", "source"} <= set(answer["self_host"]["lines"][0])
    assert answer["link"].startswith("?v=1&")
    assert set(answer["scenario"]) <= set(INPUTS)


def test_figures_are_fractions_and_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = run("?scenario=deepinfer-128", capsys)
    off_peak, tokely, _, mixed = answer["apis"]
    assert off_peak["break_even_utilization"] == 0.7640841103788704
    assert mixed["peak_share"] == pytest.approx(35 / 168)
    assert tokely["peak_share"] is None
    assert "all hours" in tokely["peak_share_reason"]
    assert [each["winner"] for each in answer["apis"]] == ["api", "self_host", "self_host", "api"]


def test_every_line_names_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = run("?scenario=node-8xh200", capsys)
    for line in [*answer["self_host"]["lines"], *(line for api in answer["apis"] for line in api["lines"])]:
        assert line["source"]["seen"]
        assert line["source"].get("url") or line["source"].get("document")
    _, typed = run("?scenario=node-8xh200&gpu_usd=5", capsys)
    assert typed["self_host"]["lines"][0]["source"] == {"document": "typed in by the reader"}


def test_the_link_in_the_answer_gives_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    _, first = run("?scenario=node-8xh200&region=eu&cur=EUR&fx=0.92&vat=21", capsys)
    _, again = run(first["link"], capsys)
    assert again == first


def test_currency_and_tax_are_twins_of_every_amount(capsys: pytest.CaptureFixture[str]) -> None:
    """pikas.systems, September 2026: 36,821 $ are 33,900 € at 0.92, with 21 % Spanish VAT 40,989 €."""
    _, plain = run("?scenario=node-8xh200&cur=EUR&fx=0.92", capsys)
    _, taxed = run("?scenario=node-8xh200&cur=EUR&fx=0.92&vat=21", capsys)
    assert plain["currency"] == "EUR"
    assert plain["self_host"]["usd_per_month"] == pytest.approx(36_821.20)
    assert plain["self_host"]["usd_per_month_in_currency"] == pytest.approx(33_875.50, abs=0.01)
    assert taxed["self_host"]["usd_per_month_in_currency"] == pytest.approx(40_989, abs=0.5)
    for api in taxed["apis"]:
        assert api["usd_per_mtok_in_currency"] == pytest.approx(api["usd_per_mtok"] * 0.92 * 1.21)
        assert api["lines"][0]["usd_in_currency"] == pytest.approx(api["lines"][0]["usd"] * 0.92 * 1.21)
    _, dated = run("?scenario=node-8xh200&cur=EUR&asof=2026-09-25", capsys)
    assert dated["self_host"]["usd_per_month_in_currency"] == pytest.approx(31_700, abs=1)


def test_nothing_is_null_without_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    _, idle = run("?util=0", capsys)
    assert idle["self_host"]["usd_per_mtok"] is None
    assert idle["self_host"]["usd_per_mtok_reason"]
    _, free = run("?api=custom:Free:0:0:0", capsys)
    assert free["apis"][0]["break_even_utilization"] is None
    assert free["apis"][0]["reason"]


def test_problems_are_listed_with_key_value_used_message(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run("?util=0,55&sku=A100", capsys)
    assert code == 0
    assert {problem["key"]: problem["used"] for problem in answer["problems"]} == {"util": "60", "sku": None}
    assert all(set(problem) == {"key", "value", "used", "message"} for problem in answer["problems"])


def test_no_answer_is_exit_2_with_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run("?scenario=node-8xh200&gpus=4", capsys)
    assert code == 2
    assert set(answer) == {"error"}
    assert "614 GB" in answer["error"]


@pytest.mark.parametrize("link", ["?util=nan", "?tps=1e400", "\x00", "?" + "a" * 100_000, "http://[bad", "%%%&&&==="])
def test_hostile_links_still_answer(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(link, capsys)
    assert code == 0
    assert answer["self_host"]["usd_per_month"] > 0


def test_the_command_itself() -> None:
    command = [sys.executable, "-m", "costmodel", "compare", "https://example.org/?scenario=deepinfer-16"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["self_host"]["usd_per_month"] == pytest.approx(99_072)
