"""The sidebar's part on traffic and demand: when the tokens come, how many, and how the units that serve them run."""

from functools import cache
from zoneinfo import available_timezones

import streamlit as st
from babel.dates import get_day_names, get_month_names

from costmodel.hours import format_days
from costmodel.language import LOCALES, say, spoken
from costmodel.link import assumed_value
from costmodel.load.traffic import DAYS
from costmodel.scenario import INPUTS
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.text import as_typed
from costmodel.units import MONTHS_PER_YEAR


def show_traffic(side: Sidebar) -> None:
    """Draw the fields; those that another choice makes meaningless are off or away."""
    side.number("demand", placeholder=say("what the units serve now"))
    demand_names = {"mean": say("the mean over all hours"), "busiest": say("the rate in the busiest hour")}
    side.choice("demand_at", list(demand_names), label_of=demand_names.__getitem__)
    kind_names = {
        "flat": say("Round the clock"),
        "business": say("Business hours"),
        "diurnal": say("A wave over the day"),
        "imported": say("Imported week"),
    }
    kinds = [kind for kind in kind_names if kind != "imported" or side.start.profile]
    kind = side.choice("traffic", kinds, label_of=kind_names.__getitem__)
    side.choice("tz", list(_zones()))
    _busy_hours(side, kind)
    side.choice("calendar", _calendars(side), label_of=lambda text: calendar_label(text, side.price_date.year))
    ways = {"always": say("Always on"), "scheduled": say("Only when needed")}
    scheduled = side.choice("schedule", list(ways), label_of=ways.__getitem__) == "scheduled"
    side.number("prewarm", disabled=not scheduled)
    side.number("spare")
    side.number("slots", placeholder=say("not known"))
    _assumed_number(side, "wait", wanted="slots" in side.texts)
    side.number("defer")


def _busy_hours(side: Sidebar, kind: str) -> None:
    has_hours = kind in ("business", "diurnal")
    from_hour, to_hour = st.columns(2)
    with from_hour:
        side.number("start", disabled=not has_hours)
    with to_hour:
        side.number("end", disabled=not has_hours)
    asked = INPUTS["days"]
    days = st.pills(
        say(asked.label),
        DAYS,
        selection_mode="multi",
        default=side.start_value("days"),
        key="days",
        format_func=day_label,
        help=say(asked.help),
        disabled=not has_hours,
    )
    if days:
        side.put("days", format_days(days))
    else:
        st.error(
            say(
                "{field}: choose at least one day; still using {days}.",
                field=say(asked.label),
                days=", ".join(side.texts["days"]),
            )
        )
        side.put("days", *side.texts["days"])
    if kind == "business":
        side.number("busy_days", placeholder=say("as many as the calendar has"))
    else:
        side.put("busy_days", None)
    _assumed_number(side, "quiet", wanted=kind == "diurnal")
    _assumed_number(side, "rest_day", wanted=kind == "diurnal")


def _assumed_number(side: Sidebar, key: str, *, wanted: bool) -> None:
    """A number that the catalogue assumes where the reader leaves it empty; away where nothing needs it."""
    if wanted:
        value = as_typed(assumed_value(side.catalog, key, on=side.price_date))
        side.number(key, placeholder=say("assumed: {value}", value=value))
    else:
        side.put(key, None)


def _calendars(side: Sidebar) -> list[str]:
    """The whole year, its months, a plain week; and whatever is chosen now, if the price date moved to another year."""
    months = [f"{side.price_date.year}-{month:02}" for month in range(1, MONTHS_PER_YEAR + 1)]
    return list(dict.fromkeys(["year", "week", *months, st.session_state.get("calendar", "year")]))


def calendar_label(text: str, year: int) -> str:
    """A calendar as a reader sees it.

    >>> calendar_label("year", 2026), calendar_label("2026-10", 2026), calendar_label("week", 2026)
    ('All of 2026', 'October 2026', 'A plain week, no holidays')
    """
    if text == "year":
        return say("All of {year}", year=year)
    if text == "week":
        return say("A plain week, no holidays")
    month = get_month_names("wide", context="stand-alone", locale=LOCALES[spoken()])[int(text[5:])]
    return say("{month} {year}", month=month, year=text[:4])


def day_label(day: str) -> str:
    """A day of the week as a reader sees it, short.

    >>> day_label("mon")
    'Mon'
    """
    return str(get_day_names("abbreviated", context="stand-alone", locale=LOCALES[spoken()])[DAYS.index(day)])


@cache
def _zones() -> tuple[str, ...]:
    """UTC, then every place by name; the old abbreviations are left to those who type them into a link."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))
