"""Public holidays of a country, loaded without those of all the others."""

from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any


@lru_cache(maxsize=256)
def holiday_numbers(country: str, year: int) -> frozenset[int]:
    """Public holidays of a year, as days since 0001-01-01; days off in place of a weekend that is worked count too.

    country is an ISO code. Raises ValueError for one whose holidays are not known.

    >>> from datetime import date
    >>> date(2026, 10, 1).toordinal() - 1 in holiday_numbers("CN", 2026)
    True
    """
    return frozenset(day.toordinal() - 1 for day in _calendar_class(country)(years=year))


@lru_cache(maxsize=64)
def _calendar_class(country: str) -> Any:
    """The calendar of one country. `holidays.country_holidays` would load 200 of them, a third of a second."""
    import holidays  # only where a window observes holidays
    from holidays.registry import COUNTRIES

    for module, (name, *codes) in COUNTRIES.items():
        if country in codes:
            path = Path(holidays.__file__).parent / "countries" / f"{module}.py"
            spec = spec_from_file_location(f"holidays.countries.{module}", path)
            if spec is None or spec.loader is None:
                raise ImportError(f"the holidays library has no file {path}; install it again")
            loaded = module_from_spec(spec)
            spec.loader.exec_module(loaded)
            return getattr(loaded, name)
    raise ValueError(
        f"no public holidays are known for '{country}'; write an ISO country code that the holidays library has, "
        "such as CN"
    )
