"""Holidays of one country: the same days as the library's own entrance gives, without loading the world."""

import subprocess
import sys

import holidays
import pytest

from costmodel.load.public_holidays import holiday_numbers


@pytest.mark.parametrize("country", ["CN", "DE", "US", "USA", "AX"])
@pytest.mark.parametrize("year", [2025, 2026, 2027])
def test_the_days_are_those_of_the_library(country: str, year: int) -> None:
    expected = frozenset(day.toordinal() - 1 for day in holidays.country_holidays(country, years=year))
    assert holiday_numbers(country, year) == expected
    assert expected


@pytest.mark.parametrize("country", ["XX", "", "cn", "China"])
def test_an_unknown_country_is_refused(country: str) -> None:
    with pytest.raises(ValueError, match="ISO country code"):
        holiday_numbers(country, 2026)


def test_one_country_does_not_load_the_others() -> None:
    script = (
        "import sys; from costmodel.load.public_holidays import holiday_numbers; holiday_numbers('CN', 2026); "
        "sys.exit(sum(name.startswith('holidays.countries') for name in sys.modules) > 1)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
