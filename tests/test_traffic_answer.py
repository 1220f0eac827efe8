"""Peak shares of a scenario's own traffic: the published figures, with and without the vendor's holidays."""

import math
from operator import mul

import pytest

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.link import decode, query_of
from costmodel.load.profile import profile_text
from costmodel.load.traffic_answer import TrafficReport, traffic_answer

CATALOG = catalog()
FLASH = "?scenario=node-8xh200&api=deepseek:deepseek-flash"


def report(query: str) -> TrafficReport:
    opened = decode(CATALOG, query_of(query))
    assert opened.problems == (), opened.problems
    return traffic_answer(compare(CATALOG, opened.scenario))


RANDOM_WEEK = profile_text([(hour * 37) % 101 + 1.0 for hour in range(168)])


TRAFFIC = ["flat", "business", "business&busy_days=22", "diurnal", f"imported&profile={RANDOM_WEEK}"]


@pytest.mark.parametrize("traffic", TRAFFIC)
@pytest.mark.parametrize("calendar", ["week", "year", "2026-10"])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", "America/Los_Angeles"])
def test_the_share_is_what_lies_inside_the_outlined_hours(traffic: str, calendar: str, zone: str) -> None:
    found = report(f"{FLASH}&traffic={traffic}&calendar={calendar}&tz={zone}")
    (peak,) = found.peaks
    tokens = list(map(mul, found.week.hour_shares, found.week.output_tok_s))
    assert peak.peak_share == pytest.approx(math.fsum(map(mul, tokens, peak.fractions)) / math.fsum(tokens))
    if "busy_days" not in traffic:  # which count days of the month, not hours of the calendar
        assert peak.clock_share == pytest.approx(math.fsum(map(mul, found.week.hour_shares, peak.fractions)))
    assert peak.peak_share <= peak.peak_share_without_holidays * (1 + 1e-12)
    if calendar == "week":
        assert peak.peak_share == peak.peak_share_without_holidays


@pytest.mark.parametrize(
    ("query", "percent", "tolerance"),
    [
        ("calendar=week", 20.83, 0.005),
        ("calendar=year", 19.3, 0.05),
        ("calendar=2026-10", 16.0, 0.05),
        ("traffic=business&tz=Europe/Berlin&calendar=week&asof=2026-10-19", 37.5, 1e-9),
        ("traffic=business&tz=Europe/Berlin&calendar=week&asof=2026-10-26", 25, 1e-9),
        ("traffic=business&tz=UTC&calendar=week&asof=2026-10-26", 12.5, 1e-9),
    ],
)
def test_published_shares(query: str, percent: float, tolerance: float) -> None:
    (peak,) = report(f"{FLASH}&{query}").peaks
    assert 100 * peak.peak_share == pytest.approx(percent, abs=tolerance)


@pytest.mark.parametrize(
    ("zone", "end", "percent"),
    [
        ("Europe/Madrid", 17, 32.2),
        ("Europe/London", 17, 19.7),
        ("Europe/Helsinki", 17, 44.7),
        ("Asia/Kolkata", 17, 56.2),
        ("Asia/Shanghai", 18, 77.8),
        ("America/New_York", 17, 0),
    ],
)
def test_office_hours_over_2026(zone: str, end: int, percent: float) -> None:
    """The city averages leave the Chinese public holidays out; billed are the hours outside them."""
    (peak,) = report(f"{FLASH}&traffic=business&tz={zone}&end={end}&calendar=year").peaks
    assert 100 * peak.peak_share_without_holidays == pytest.approx(percent, abs=0.05)
    assert peak.peak_share <= peak.peak_share_without_holidays
    assert peak.holidays == ("CN",)


def test_all_price_lines_of_one_api_are_one_entry() -> None:
    found = report("?scenario=deepinfer-128")
    assert [peak.id for peak in found.peaks] == ["deepseek:deepseek-flash"]
    assert found.without_peaks == ("Tokely DeepSeek V4.1 Flash",)
    assert found.typed_peak_share is None


def test_a_typed_share_is_told_beside_the_traffics_own() -> None:
    found = report(f"{FLASH}&peak=30")
    assert found.typed_peak_share == pytest.approx(0.30)
    assert found.peaks[0].peak_share == pytest.approx(35 / 168)


def test_an_api_without_a_price_on_the_day_has_no_peak_hours() -> None:
    found = report("?scenario=deepinfer-128&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=deepseek:deepseek-flash")
    assert found.peaks == ()


def test_the_load_factor_of_office_hours() -> None:
    assert report(f"{FLASH}&traffic=business&calendar=week").week.load_factor == pytest.approx(40 / 168)
