"""The sidebar's part on traffic and demand: when the tokens come, how many, and how the units that serve them run."""

from calendar import month_name
from functools import cache
from zoneinfo import available_timezones

import streamlit as st

from costmodel.hours import format_days
from costmodel.link import assumed_value
from costmodel.scenario import INPUTS
from costmodel.traffic import DAYS
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.text import KIND_NAMES
from costmodel.units import MONTHS_PER_YEAR

_DEMAND_NAMES = {"mean": "the mean over all hours", "busiest": "the rate in the busiest hour"}
_SCHEDULE_NAMES = {"always": "Always on", "scheduled": "Only when needed"}


def show_traffic(side: Sidebar) -> None:
    """Draw the fields; those that another choice makes meaningless are off or away."""
    side.number("demand", placeholder="what the units serve now")
    side.choice("demand_at", list(_DEMAND_NAMES), label_of=_DEMAND_NAMES.__getitem__)
    kinds = [kind for kind in KIND_NAMES if kind != "imported" or side.start.profile]
    kind = side.choice("traffic", kinds, label_of=KIND_NAMES.__getitem__)
    side.choice("tz", list(_zones()))
    _busy_hours(side, kind)
    side.choice("calendar", _calendars(side), label_of=lambda text: calendar_label(text, side.price_date.year))
    scheduled = side.choice("schedule", list(_SCHEDULE_NAMES), label_of=_SCHEDULE_NAMES.__getitem__) == "scheduled"
    side.number("prewarm", disabled=not scheduled)
    side.number("spare")
    side.number("slots", placeholder="not known")
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
        asked.label,
        DAYS,
        selection_mode="multi",
        default=side.start_value("days"),
        key="days",
        format_func=str.capitalize,
        help=asked.help,
        disabled=not has_hours,
    )
    if days:
        side.put("days", format_days(days))
    else:
        st.error(f"{asked.label}: choose at least one day; still using {', '.join(side.texts['days'])}.")
        side.put("days", *side.texts["days"])
    if kind == "business":
        side.number("busy_days", placeholder="as many as the calendar has")
    else:
        side.put("busy_days", None)
    _assumed_number(side, "quiet", wanted=kind == "diurnal")
    _assumed_number(side, "rest_day", wanted=kind == "diurnal")


def _assumed_number(side: Sidebar, key: str, *, wanted: bool) -> None:
    """A number that the catalogue assumes where the reader leaves it empty; away where nothing needs it."""
    if wanted:
        side.number(key, placeholder=f"assumed: {assumed_value(side.catalog, key, on=side.price_date):g}")
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
        return f"All of {year}"
    if text == "week":
        return "A plain week, no holidays"
    return f"{month_name[int(text[5:])]} {text[:4]}"


@cache
def _zones() -> tuple[str, ...]:
    """UTC, then every place by name; the old abbreviations are left to those who type them into a link."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))
