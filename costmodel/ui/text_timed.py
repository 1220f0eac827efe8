"""What the sentences of the views on traffic, demand and hybrid share."""

from babel import Locale

from costmodel.language import LOCALES, say, say_count, spoken
from costmodel.scenario import Scenario
from costmodel.ui.text import number
from costmodel.ui.traffic_inputs import calendar_label


def units_text(units: int) -> str:
    """A number of units in words.

    >>> units_text(1), units_text(2_000)
    ('1 unit', '2,000 units')
    """
    return say_count("1 unit", "{units} units", units, units=number(units, 0))


def mix_text(units: int) -> str:
    """What the cheapest mix consists of.

    >>> mix_text(2), mix_text(0)
    ('2 units + API', 'API only')
    """
    return say("{units} + API", units=units_text(units)) if units else say("API only")


def tok_s(value: float) -> str:
    """A rate with the digits that matter."""
    return f"{number(value, 0 if value >= 10 else 2)} tok/s"


def countries(codes: tuple[str, ...]) -> str:
    """Names of countries given by ISO code."""
    names = Locale.parse(LOCALES[spoken()]).territories
    return say(" and ").join(str(names.get(code, code)) for code in codes)


def calendar_words(scenario: Scenario) -> str:
    """Which dates the shares are counted over."""
    if scenario.calendar == "week":
        day = scenario.price_date.isoformat()
        return say("a plain week without holidays, at the clock offsets of {day}", day=day)
    if scenario.calendar == "year":
        return say("all of {year} on real dates, daylight saving included", year=scenario.price_date.year)
    month = calendar_label(scenario.calendar, scenario.price_date.year)
    return say("{month} on real dates, daylight saving included", month=month)
