"""The check of prices/: passes on the real data, names every fault, writes the same files twice."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from costmodel.paths import PRICES
from costmodel.pricefiles.check import HEADLINES, run, run_check
from costmodel.pricefiles.editor_schemas import FOLDER

TODAY = date(2026, 11, 30)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of prices/ that a test may spoil."""
    copy = tmp_path / "prices"
    shutil.copytree(PRICES, copy)
    return copy


def spoil(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_the_data_is_valid_and_what_is_generated_is_up_to_date(root: Path) -> None:
    report = run(root, on=TODAY)
    assert (report.errors, report.warnings, report.moved, report.exit_code) == ([], [], [], 0)
    assert report.counts["apis"] > 90
    assert report.counts["benchmarks"] > 200
    for path in (PRICES / FOLDER).iterdir():
        assert (root / FOLDER / path.name).read_bytes() == path.read_bytes(), f"run the check: {path.name} is old"


def test_stale_figures_are_listed_oldest_first(root: Path) -> None:
    report = run(root, on=date(2026, 10, 26))
    assert report.stale[0].startswith("rentals: spheron-b200: 223 days, last confirmed on 2026-03-17")
    assert not any("coreweave-b200:" in line for line in report.stale)
    assert any("coreweave-b200:" in line for line in run(root, on=date(2026, 12, 25)).stale)


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        (
            "rentals/coreweave.yaml",
            "usd_per_gpu_hour: 8.6",
            "usd_per_gpu_hour: 8600",
            "rentals.0.history.0.usd_per_gpu",
        ),
        ("apis/tokely.yaml", "output: 0.8", "output: 0.0000008", "models.0.history.0.usd_per_mtok.output"),
        ("apis/tokely.yaml", "cached_input: 0.004", "cached_input: 0.4", "are they swapped?"),
        (
            "apis/tokely.yaml",
            "model: deepseek-v4.1-flash",
            "model: deepseek-v5",
            "'deepseek-v5' is not in the catalogue",
        ),
        ("apis/deepseek.yaml", "hours: [01:00-04:00", "hours: [04:00-01:00", "windows.0.hours.0"),
        ("gpus/b200.yaml", "memory_gb: 180", "memory_gb: 180\n    memory_gb: 192", "the key 'memory_gb' stands twice"),
        ("scenarios/deepinfer-16.yaml", "util: 60", "util: 160", "inputs: is outside 0 to 100"),
        ("scenarios/deepinfer-16.yaml", "util: 60", "usage: 60", "inputs.usage: is not a key of the link"),
        ("scenarios/deepinfer-16.yaml", "gpu: coreweave-b200", "gpu: coreweave-b2", "is not a GPU rental"),
        ("scenarios/node-8xh200.yaml", "gpus: 8", "gpus: 4", "gives no answer: DeepSeek-V4.1-Flash does not fit"),
        ("scenarios/deepinfer-16.yaml", "asof: 2026-10-25", "asof: 2025-10-25", "gives no answer: Rent of CoreWeave"),
        ("scenarios/deepinfer-16.yaml", "- deepseek:deepseek-flash@peak", "- deepseek:flash@peak", "inputs.api:"),
        ("throughput/deepseek-v3.yaml", "32.99, 1918.2", "32.99, 19182", "concurrency and latencies give 1918.1"),
        ("assumptions.yaml", "stale_after_days:", "stale_days:", "stale_after_days: needed by the check"),
        ("fx.yaml", "per_usd: 0.895", "per_usd: nought", "currencies.EUR.history.1.per_usd"),
        ("gpus/b200.yaml", "# yaml-language-server: $schema=../", "# schema: ../", "line 1: editors need"),
        ("rentals/coreweave.yaml", "checked: 2026-10-25", "checked: 2027-10-25", "which has not come yet"),
    ],
)
def test_a_fault_is_named_with_its_file_and_nothing_is_written(
    root: Path, file: str, before: str, after: str, message: str
) -> None:
    spoil(root / file, before, after)
    generated = root / FOLDER / HEADLINES
    generated.write_text("{}", encoding="utf-8")
    report = run(root, on=TODAY)
    assert report.exit_code == 1
    assert any(message in error for error in report.errors), report.errors
    assert report.written == []
    assert generated.read_text(encoding="utf-8") == "{}"


def test_one_bad_file_does_not_hide_the_next(root: Path) -> None:
    spoil(root / "gpus/b200.yaml", "memory_gb: 180", "memory_gb: much")
    spoil(root / "apis/tokely.yaml", "input: 0.2", "input: -0.2")
    errors = run(root, on=TODAY).errors
    assert [error.partition(":")[0] for error in errors] == ["prices/apis/tokely.yaml", "prices/gpus/b200.yaml"]


@pytest.mark.parametrize("name", ["apis/new.yml", "notes.yaml", "apis/old/x.yaml"])
def test_a_file_that_nobody_reads_is_an_error(root: Path, name: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("vendor: new\n", encoding="utf-8")
    assert run(root, on=TODAY).errors == [f"prices/{name}: is never read; move it into a folder of prices/, as .yaml"]


def test_odd_figures_are_warnings(root: Path) -> None:
    spoil(root / "apis/tokely.yaml", "input: 0.2", "input: 0.9")
    spoil(root / "rentals/oracle.yaml", "usd_per_gpu_hour: 10", "usd_per_gpu_hour: 80")
    spoil(root / "throughput/deepseek-v3.yaml", "[64, 418.7, 32.99, 1918.2]", "[64, 418.7, 60, 1059.7]")
    report = run(root, on=TODAY)
    assert report.exit_code == 0
    assert [warning.partition(":")[0] for warning in report.warnings] == [
        "tokely",
        "oracle-h100",
        "deepseek-v3-h200x8-sglang-0.5.9-fp8-1k-1k",
    ]


def test_an_edit_shows_which_headline_results_it_moves(root: Path) -> None:
    spoil(root / "apis/tokely.yaml", "output: 0.8", "output: 1.2")
    moved = run(root, on=TODAY).moved
    assert "deepinfer-128: usd_per_mtok tokely:deepseek-v4.1-flash: 0.8 -> 1.2" in moved
    assert any(
        line.startswith("deepinfer-128: break_even_utilization tokely:deepseek-v4.1-flash: 0.57") for line in moved
    )
    assert all("tokely" in line for line in moved)
    assert run(root, on=TODAY).moved == []


def test_the_command_prints_the_report(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_check(root, on=TODAY) == 0
    printed = capsys.readouterr().out
    assert "Errors: 0" in printed
    assert "Stale, read again: " in printed
    spoil(root / "apis/tokely.yaml", "output: 0.8", "output: 0")
    assert run_check(root, on=TODAY) == 1
    assert "prices/apis/tokely.yaml: models.0.history.0.usd_per_mtok.output" in capsys.readouterr().out
