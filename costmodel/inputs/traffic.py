"""The traffic in time and the demand: the week, the peak share, and how units are run."""

from typing import Annotated, Literal

import annotated_types

from costmodel.inputs.asked import Auto, InputGroup, ask
from costmodel.load.profile import PROFILE_LENGTH
from costmodel.load.traffic import TrafficKind
from costmodel.units import HOURS_PER_DAY, HOURS_PER_WEEK, LONGEST_MONTH_HOURS

PeakPercent = Annotated[float, annotated_types.Ge(0), annotated_types.Le(100)] | Auto


class TrafficInputs(InputGroup):
    """The week, the peak share, the demand, and how units are run."""

    peak_percent: PeakPercent = ask(
        "auto",
        key="peak",
        label="Peak share",
        unit="% of tokens",
        help="Share of your tokens that fall into the API's peak hours. auto: from the traffic, on the vendor's clock.",
    )
    calendar: str = ask(
        "year",
        key="calendar",
        label="Calendar",
        help="year: real dates of the price date's year, with holidays and daylight saving. A month, like 2026-10: its "
        "real dates. week: a plain week without holidays.",
    )
    traffic: TrafficKind = ask(
        "flat",
        key="traffic",
        label="Traffic",
        help="flat: round the clock. business: only in the busy hours. diurnal: a smooth wave, highest in the middle "
        "of the busy hours. imported: the 168 hours of a week, from a usage file.",
    )
    timezone: str = ask(
        "UTC",
        key="tz",
        label="Time zone",
        help="Where the people live who send the requests (IANA zone, like Europe/Berlin).",
        max_length=64,
    )
    start_hour: int = ask(
        9,
        key="start",
        label="Busy from",
        unit="local hour",
        help="First of the busy hours.",
        ge=0,
        le=23,
    )
    end_hour: int = ask(
        17, key="end", label="Busy to", unit="local hour", help="End of the busy hours (24 = midnight).", ge=1, le=24
    )
    days: str = ask(
        "mon-fri", key="days", label="Busy days", help="The days with traffic, e.g. mon-fri.", max_length=40
    )
    busy_days_per_month: float | None = ask(
        None,
        key="busy_days",
        label="Busy days a month",
        unit="days",
        help="Business traffic: how many of the month's days are busy, e.g. 22. Empty: as many as the calendar has.",
        gt=0,
        le=LONGEST_MONTH_HOURS / HOURS_PER_DAY,
    )
    quiet_percent: float | None = ask(
        None,
        key="quiet",
        label="Quietest moment",
        unit="% of the busiest",
        help="Diurnal traffic: the rate at night as a share of the rate in the middle of the busy hours.",
        ge=0,
        le=100,
    )
    rest_day_percent: float | None = ask(
        None,
        key="rest_day",
        label="Other days",
        unit="% of a busy day",
        help="Diurnal traffic: what the days that are not busy days carry.",
        ge=0,
        le=100,
    )
    profile: str | None = ask(
        None,
        key="profile",
        label="Imported week",
        help="168 hourly values from Monday 00:00 in the time zone, as a usage file had them, two characters each.",
        max_length=PROFILE_LENGTH,
    )
    demand_output_tok_s: float | None = ask(
        None,
        key="demand",
        label="Demand",
        unit="output tok/s",
        help="Output tokens per second that have to be served. Empty: what the deployment serves at its utilization.",
        ge=0.001,
        le=1_000_000_000,
    )
    demand_at: Literal["mean", "busiest"] = ask(
        "mean",
        key="demand_at",
        label="Demand is",
        help="mean: over all hours of the month, quiet ones included. busiest: the rate in the busiest hour.",
    )
    schedule: Literal["always", "scheduled"] = ask(
        "always",
        key="schedule",
        label="Units run",
        help="always: rented round the clock. scheduled: units are switched off in hours that do not need them.",
    )
    prewarm_hours: float = ask(
        0,
        key="prewarm",
        label="Pre-warm time",
        unit="hours",
        help="How long a unit is paid for before it serves: boot, load the weights, warm up. Matters when scheduled.",
        ge=0,
        le=HOURS_PER_WEEK,
    )
    spare_units: int = ask(
        0,
        key="spare",
        label="Spare capacity",
        unit="units",
        help="Units that stand by for failures: they are paid for all the time and add no capacity.",
        ge=0,
        le=1_000,
    )
    slots_per_unit: int | None = ask(
        None,
        key="slots",
        label="Slots",
        unit="requests per unit",
        help="Requests a unit serves at once. With few slots requests wait long before the unit is full, so it must be "
        "planned emptier. Empty: units may be planned full.",
        ge=1,
        le=1_000_000,
    )
    wait_percent: float | None = ask(
        None,
        key="wait",
        label="May have to wait",
        unit="% of requests",
        help="Most requests of the busiest hour that may find every slot taken.",
        gt=0,
        le=100,
    )
    deferrable_percent: float = ask(
        0,
        key="defer",
        label="Can be deferred",
        unit="% of tokens",
        help="Work that is not urgent, such as nightly batches: own units do it in their idle hours first.",
        ge=0,
        le=100,
    )
    against: str | None = ask(
        None,
        key="against",
        label="Demand compared with",
        help="The API line that Demand and Hybrid set self-hosting against. Empty: the cheapest.",
    )
