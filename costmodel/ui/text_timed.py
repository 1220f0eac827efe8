"""What the sentences of the views on traffic, demand and hybrid share."""

from babel import Locale

from costmodel.language import LOCALES, spoken
from costmodel.scenario import Scenario
from costmodel.ui.text import number
from costmodel.ui.traffic_inputs import calendar_label


def units_text(units: int) -> str:
    """A number of units in words.

    >>> units_text(1), units_text(2_000)
    ('1 unit', '2,000 units')
    """
    return "1 unit" if units == 1 else f"{units:,} units"


def mix_text(units: int) -> str:
    """What the cheapest mix consists of.

    >>> mix_text(2), mix_text(0)
    ('2 units + API', 'API only')
    """
    return f"{units_text(units)} + API" if units else "API only"


def tok_s(value: float) -> str:
    """A rate with the digits that matter."""
    return f"{number(value, 0 if value >= 10 else 2)} tok/s"


def countries(codes: tuple[str, ...]) -> str:
    """Names of countries given by ISO code."""
    names = Locale.parse(LOCALES[spoken()]).territories
    return " and ".join(str(names.get(code, code)) for code in codes)


def calendar_words(scenario: Scenario) -> str:
    """Which dates the shares are counted over."""
    if scenario.calendar == "week":
        return f"a plain week without holidays, at the clock offsets of {scenario.price_date.isoformat()}"
    name = calendar_label(scenario.calendar, scenario.price_date.year)
    return f"{name.replace('All', 'all')} on real dates, daylight saving included"
