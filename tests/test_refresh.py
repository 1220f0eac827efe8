"""The refresh of prices/apis/: shown first, appended on request, refused where a price is beyond belief."""

import difflib
import re
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from costmodel.__main__ import main
from costmodel.catalog import Catalog
from costmodel.dated import in_force
from costmodel.paths import PRICES
from costmodel.pricefiles.check import run
from costmodel.pricefiles.pricelist import NoPriceListError, PriceList, installed_price_list
from costmodel.pricefiles.refresh import refresh, run_refresh
from tests.genai_prices_fake import Model, daily, release, starting, usd

ON = date(2026, 11, 30)
TOGETHER = "deepseek-ai/DeepSeek-V4.1-Flash"


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """prices/ without its measurements, and with what is generated from the rest."""
    copy = tmp_path_factory.mktemp("few") / "prices"
    shutil.copytree(PRICES, copy, ignore=shutil.ignore_patterns("throughput", "engines", "node-*", "*-8xh200*"))
    run(copy, on=ON)
    return copy


@pytest.fixture
def root(few: Path, tmp_path: Path) -> Path:
    """A folder like prices/ that a test may change."""
    return shutil.copytree(few, tmp_path / "prices")


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def together(**prices: Any) -> PriceList:
    return release(together=(Model(TOGETHER, usd(**prices)),))


CHEAPER = {"input": "0.25", "cached": "0.005", "output": "1"}


def test_by_itself_it_shows_a_diff_and_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]):
    before = contents(root)
    assert run_refresh(root, on=ON, write=False, price_list=lambda: together(**CHEAPER)) == 0
    printed = capsys.readouterr().out
    assert contents(root) == before
    assert "--- a/prices/apis/together.yaml\n+++ b/prices/apis/together.yaml\n" in printed
    assert "+        usd_per_mtok: {input: 0.25, cached_input: 0.005, output: 1}\n" in printed
    assert "Written: nothing; add --write to write it" in printed
    assert not any(line.startswith("-") and not line.startswith("---") for line in printed.splitlines())


def test_on_request_it_appends_and_the_files_pass_the_check(root: Path):
    before = contents(root)
    result = refresh(root, together(**CHEAPER), on=ON, write=True)
    changed = {name for name, text in contents(root).items() if before[name] != text}
    assert changed <= {"apis/together.yaml", ".schema/headlines.json"}
    assert (result.exit_code, result.written[0]) == (0, "prices/apis/together.yaml")
    report = run(root, on=ON)
    assert (report.errors, report.warnings, report.moved) == ([], [], [])
    old, new = Catalog(PRICES), Catalog(root)
    entries = new.apis["together:deepseek-v4.1-flash"].entry.history
    assert entries[:-1] == old.apis["together:deepseek-v4.1-flash"].entry.history
    assert entries[-1].usd_per_mtok.model_dump(exclude_none=True) == {"input": 0.25, "cached_input": 0.005, "output": 1}
    assert (entries[-1].since, entries[-1].basis, entries[-1].source.seen) == (ON, "published", ON)
    assert entries[-1].source.label == f"genai-prices 9.9.9, via its entry together/{TOGETHER} (read 2026-11-30)"
    assert entries[-1].source.url == entries[-2].source.url
    assert {name for name in new.apis if new.apis[name] != old.apis[name]} == {"together:deepseek-v4.1-flash"}


def test_a_second_run_finds_nothing(root: Path):
    refresh(root, together(**CHEAPER), on=ON, write=True)
    before = contents(root)
    again = refresh(root, together(**CHEAPER), on=ON, write=True)
    assert (again.agree, again.diff, again.written, contents(root)) == (1, "", [], before)


@pytest.mark.parametrize(
    "prices",
    [
        {"input": "300", "cached": "6", "output": "1200"},
        {"input": "0.0003", "cached": "0.000006", "output": "0.0012"},
        {"input": "0.3", "cached": "0.006", "output": "1000"},
        {"input": "100", "cached": "0.006", "output": "1.2"},
        {"input": "0.3", "cached": "0.4", "output": "1.2"},
        {"input": "1.2", "cached": "0.006", "output": "0.3"},
    ],
)
def test_a_price_beyond_belief_is_refused_and_nothing_is_written(root: Path, prices: dict[str, str]):
    before = contents(root)
    result = refresh(root, together(**prices), on=ON, write=True)
    assert result.exit_code == 1
    assert [each.partition(": ")[0] for each in result.refused] == ["together:deepseek-v4.1-flash"]
    assert contents(root) == before


def test_what_the_check_alone_can_doubt_is_refused_too(root: Path):
    """A third of its own price before is no step to doubt, but other hosts of the model ask ten times as much."""
    flash = usd(input="0.05", cached="0.002", output="0.1")
    sold = release(
        quicksilverpro=(Model("deepseek-v4.1-flash-1017", flash),), together=(Model(TOGETHER, usd(**CHEAPER)),)
    )
    result = refresh(root, sold, on=ON, write=True)
    assert [each.partition(" $")[0] for each in result.refused] == ["quicksilverpro:deepseek-v4.1-flash: output 0.1"]
    assert list(result.additions) == ["together:deepseek-v4.1-flash"]
    assert "quicksilverpro" not in result.diff
    assert run(root, on=ON).warnings == []


def test_results_that_move_are_shown(root: Path):
    """An entry of today leaves links of earlier days alone; one dated back does not."""
    kinds = {"input": "0.3", "cached": "0.06", "write": "0.375"}
    for begins, moved in (
        ("2026-11-01", []),
        ("2026-10-20", ["gpt-oss-120b-1xh200: usd_per_mtok minimax:minimax-m2.7"]),
    ):
        conditions = ((None, usd(**kinds, output="1.2")), (starting(begins), usd(**kinds, output="1")))
        result = refresh(root, release(minimax=(Model("MiniMax-M2.7", *conditions),)), on=ON, write=False)
        prices = [each for each in result.moved if "usd_per_mtok" in each]
        assert [each.rpartition(": ")[0] for each in prices][: len(moved)] == moved
        assert bool(prices) == bool(moved)


def test_all_of_an_offers_changes_are_appended_or_none(root: Path):
    """A new base price beside an old batch price, or the other way round, would be a price nobody asks."""
    before = contents(root)
    standard = usd(input="0.6", cached="0.06", output="1.8")
    batch = ({"processing": "batch"}, None, usd(input="300", output="900"))
    sold = release(mistral=(Model("mistral-large-2512", standard, variants=(batch,)),))
    result = refresh(root, sold, on=ON, write=True)
    assert len(result.refused) == 1
    assert ": batch from " in result.refused[0]
    assert contents(root) == before


@pytest.mark.parametrize(
    ("sold", "reason"),
    [
        (release(openai=(Model("gpt-5.6-terra", usd(input="3", output="13")),)), "has residency surcharges"),
        (
            release(deepseek=(Model("deepseek-flash", usd(input="0.2", cached="0.003", output="0.8")),)),
            "has price windows",
        ),
        (
            release(together=(Model(TOGETHER, (None, usd(**CHEAPER)), (daily("01:00", "04:00"), usd(**CHEAPER))),)),
            "has prices by the hour",
        ),
        (together(input="0.25", output="1"), "the package lists no cached_input"),
        (
            release(google=(Model("gemini-4-argon", usd(input="3", cached="0.1", output="10")),)),
            "an entry of 2026-12-01",
        ),
    ],
)
def test_what_the_package_cannot_settle_is_reported_and_left(root: Path, sold: PriceList, reason: str):
    before = contents(root)
    result = refresh(root, sold, on=ON, write=True)
    assert any(reason in each for each in result.by_hand)
    assert result.exit_code == 0
    assert contents(root) == before


def test_offers_that_the_release_does_not_list_are_named(root: Path):
    result = refresh(root, together(input="0.3", cached="0.006", output="1.2"), on=ON, write=False)
    assert result.agree == 1
    assert "tokely:deepseek-v4.1-flash" in result.unknown
    assert len(result.unknown) == len(Catalog(root).apis) - 1


def test_an_announced_change_is_entered_ahead(root: Path):
    conditions = ((None, usd(input="0.3", cached="0.006", output="1.2")), (starting("2027-02-01"), usd(**CHEAPER)))
    refresh(root, release(together=(Model(TOGETHER, *conditions),)), on=ON, write=True)
    history = Catalog(root).apis["together:deepseek-v4.1-flash"].entry.history
    for day, output in ((date(2027, 1, 31), 1.2), (date(2027, 2, 1), 1)):
        assert in_force(history, on=day, what="together").usd_per_mtok.output == output


def spoilt(root: Path) -> None:
    (root / "apis/avian.yaml").write_text("vendor: [", encoding="utf-8")


def wrong_elsewhere(root: Path) -> None:
    (root / "scenarios/extra.yaml").write_text("id: extra\n", encoding="utf-8")


@pytest.mark.parametrize(("spoil", "said"), [(spoilt, "avian.yaml"), (wrong_elsewhere, "extra.yaml")])
def test_files_that_fail_the_check_are_not_added_to(
    root: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], said: str
):
    spoil(root)
    before = contents(root)
    assert run_refresh(root, on=ON, write=True, price_list=lambda: together(**CHEAPER)) == 1
    assert said in capsys.readouterr().out
    assert contents(root) == before


def test_without_the_package_the_remedy_is_named(capsys: pytest.CaptureFixture[str]):
    def none() -> PriceList:
        raise NoPriceListError("not installed: run this")

    assert run_refresh(PRICES, on=ON, write=True, price_list=none) == 2
    assert capsys.readouterr().out == "error: not installed: run this\n"


def test_the_installed_release_restores_what_is_cut_off(root: Path):
    """Newest entries removed, the package brings back the same figures on the same days."""
    pytest.importorskip("genai_prices")
    whole = Catalog(PRICES)
    cut = ["google:gemini-3.8-flash", "mistral:mistral-large-4", "zai:glm-5.3-flash"]
    for identifier in cut:
        vendor, _, record = identifier.partition(":")
        path = root / f"apis/{vendor}.yaml"
        text = path.read_text(encoding="utf-8")
        newest = whole.apis[identifier].entry.history[-1].since
        record_text = re.search(rf"  - id: {re.escape(record)}\n(?:    .*\n)*", text)
        assert record_text is not None
        shortened, cuts = re.subn(rf"      - since: {newest}\n(?:        .*\n)+", "", record_text[0])
        assert cuts >= 1
        path.write_text(text.replace(record_text[0], shortened), encoding="utf-8")
    result = refresh(root, installed_price_list(), on=ON, write=True)
    restored = Catalog(root)
    for identifier in cut:
        for old, new in zip(whole.apis[identifier].entry.history, restored.apis[identifier].entry.history, strict=True):
            assert (old.since, old.usd_per_mtok) == (new.since, new.usd_per_mtok), identifier
    assert result.errors == result.refused == []


def test_the_command_line_against_the_installed_release(root: Path, capsys: pytest.CaptureFixture[str]):
    """Whatever a later release says: lines are only added, and what is written passes the check."""
    pytest.importorskip("genai_prices")
    before = {path: path.read_text(encoding="utf-8") for path in (root / "apis").glob("*.yaml")}
    assert main(["refresh", "--write", "--prices", str(root), "--date", ON.isoformat()]) in (0, 1)
    assert "offers agree" in capsys.readouterr().out
    for path, text in before.items():
        changes = difflib.ndiff(text.splitlines(), path.read_text(encoding="utf-8").splitlines())
        assert not [line for line in changes if line.startswith("- ")], path
    assert run(root, on=ON).errors == []
