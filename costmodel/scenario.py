"""Scenario: every input of the comparison, once, with its type, bounds, unit, label and help.

Field aliases are the keys of the link. Reading and writing links is the business of link.py.
"""

from datetime import date
from typing import Annotated, Literal

import annotated_types
from pydantic import BaseModel, ConfigDict

from costmodel.asked import Auto, Input, ask, inputs_of
from costmodel.ownloads import LONGEST_LOADS
from costmodel.profile import PROFILE_LENGTH
from costmodel.traffic import TrafficKind
from costmodel.units import (
    HOURS_PER_DAY,
    HOURS_PER_WEEK,
    HOURS_PER_YEAR,
    LONGEST_MONTH_HOURS,
    MONTHS_PER_YEAR,
)

__all__ = ["INPUTS", "Input", "Scenario", "View"]

View = Literal["cost", "bills", "speed", "prefill", "hardware", "traffic", "demand", "hybrid", "gpu_hour", "method"]
PeakPercent = Annotated[float, annotated_types.Ge(0), annotated_types.Le(100)] | Auto
EARLIEST_PRICE_DATE, LATEST_PRICE_DATE = date(2023, 1, 1), date(2035, 12, 31)


class Scenario(BaseModel):
    """All inputs. Those with a default are neutral there: nothing applied, nothing added."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    price_date: Annotated[date, annotated_types.Ge(EARLIEST_PRICE_DATE), annotated_types.Le(LATEST_PRICE_DATE)] = ask(
        key="asof",
        label="Price date",
        unit="date",
        help="Every price is the one in force on this day. The link keeps it, so a shared link keeps its meaning.",
    )
    title: str = ask("", key="title", label="Title", help="Shown above the answer and on every export.", max_length=120)
    view: View = ask("cost", key="view", label="View", help="The open view.")
    model: str = ask(key="model", label="Model", help="The open-weight model that would be hosted.")

    gpu: str = ask(
        key="gpu",
        label="GPU rental",
        help="The rented GPU instance that generates the output (the decode pool, or the only pool).",
    )
    gpus: int = ask(
        key="gpus",
        label="GPUs",
        unit="per unit",
        help="GPUs of this pool in one unit, the smallest deployment rented as a whole. Part-filled instances are "
        "billed whole.",
        ge=1,
        le=100_000,
    )
    gpu_usd_per_hour: float | None = ask(
        None,
        key="gpu_usd",
        label="Own GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU (not per node). Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    prefill_gpu: str | None = ask(
        None,
        key="prefill_gpu",
        label="Prefill GPU rental",
        help="A separate pool that reads the prompts. None: one pool does both.",
    )
    prefill_gpus: int | None = ask(
        None,
        key="prefill_gpus",
        label="Prefill GPUs",
        unit="per unit",
        help="GPUs of the prefill pool in one unit.",
        ge=1,
        le=100_000,
    )
    prefill_gpu_usd_per_hour: float | None = ask(
        None,
        key="prefill_gpu_usd",
        label="Own prefill GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU of the prefill pool. Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    units: int = ask(
        1,
        key="units",
        label="Units",
        help="How many identical deployments are rented.",
        ge=1,
        le=10_000,
    )
    utilization_percent: float = ask(
        key="util",
        label="Utilization",
        unit="% of capacity",
        help="Output delivered divided by what the deployment can deliver, averaged over all hours paid for. "
        "Not what nvidia-smi shows.",
        ge=0,
        le=100,
    )
    output_tok_s_per_gpu: float = ask(
        key="tps",
        label="Throughput per GPU",
        unit="output tok/s per serving GPU",
        help="Output tokens per second of one serving GPU under full load. Not the speed of one stream, not the "
        "whole cluster, not input plus output.",
        ge=0.01,
        le=1_000_000,
    )
    input_tok_s_per_prefill_gpu: float | None = ask(
        None,
        key="prefill_tps",
        label="Prefill rate per GPU",
        unit="uncached input tok/s per GPU",
        help="How fast one GPU reads prompts that are not in its own cache. Empty: prefill is taken not to bind.",
        ge=0.01,
        le=100_000_000,
    )
    efficiency_percent: float = ask(
        100,
        key="eff",
        label="Load-balancing efficiency",
        unit="% of benchmark",
        help="What the serving pool keeps of its benchmark when requests are spread over many GPUs.",
        gt=0,
        le=100,
    )
    prefill_efficiency_percent: float = ask(
        100,
        key="prefill_eff",
        label="Prefill efficiency",
        unit="% of benchmark",
        help="The same for the prefill pool.",
        gt=0,
        le=100,
    )

    input_per_output: float = ask(
        key="ratio",
        label="Input : output",
        unit="input tokens per output token",
        help="4 means four input tokens for each output token. 0 prices the output alone.",
        ge=0,
        le=10_000,
    )
    cached_percent: float = ask(
        0,
        key="cached",
        label="Cached input (API)",
        unit="% of input",
        help="Share of the input the API bills at its cached price. A part of the input, never added to it.",
        ge=0,
        le=100,
    )
    own_cached_percent: float = ask(
        0,
        key="own_cached",
        label="Cached input (own)",
        unit="% of input",
        help="Share of the input your own deployment serves from its KV cache and need not prefill.",
        ge=0,
        le=100,
    )
    cache_write_percent: float = ask(
        0,
        key="cache_write",
        label="Cache writes (API)",
        unit="% of input",
        help="Share of the input billed at the API's cache-write price, where it has one.",
        ge=0,
        le=100,
    )
    request_input_tokens: int | None = ask(
        None,
        key="request",
        label="Typical request",
        unit="input tokens per request",
        help="Long-context prices apply by the size of one request, never by a month's total. Empty: below every tier.",
        ge=1,
        le=100_000_000,
    )
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
        help="Units that stand by for failures and are paid for all the time (Demand and Hybrid).",
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
    slo_tok_s_per_user: float | None = ask(
        None,
        key="slo",
        label="Speed promised",
        unit="tok/s per user",
        help="Least speed each user must get, the wait for the first token included. The throughput then follows from "
        "the benchmark. Empty: the throughput is as typed.",
        gt=0,
        le=100_000,
    )
    benchmark: str | None = ask(
        None,
        key="bench",
        label="Benchmark",
        help="Whose measured loads tell speed and throughput apart. Empty: the library's best match.",
        max_length=64,
    )
    own_loads: str | None = ask(
        None,
        key="loads",
        label="Own benchmark",
        unit="requests per GPU : tok/s per user",
        help="Loads you measured, in place of the library's, like 8:325,256:101.5.",
        max_length=LONGEST_LOADS,
    )
    draft_acceptance_percent: float | None = ask(
        None,
        key="accept",
        label="Draft acceptance",
        unit="% of drafted tokens",
        help="How many of the tokens drafted ahead your traffic accepts. Empty: as in the benchmark.",
        gt=0,
        le=100,
    )
    tables: Literal["gpu", "host"] = ask(
        "gpu",
        key="tables",
        label="Lookup tables",
        help="gpu: all of the model is in GPU memory. host: its lookup tables (Engram), where it has any, are kept in "
        "host memory.",
    )
    kv_store_tb_per_gpu: float = ask(
        0,
        key="kv_tb",
        label="KV cache store",
        unit="TB per GPU",
        help="Storage that keeps prompts already read, so that the own cache can serve them (view Prefill). 0: no "
        "store is paid for.",
        ge=0,
        le=10_000,
    )
    kv_store_usd_per_gb_month: float | None = ask(
        None,
        key="kv_usd",
        label="Price of that storage",
        unit="$ per GB and month",
        help="Empty: the assumption of the catalogue.",
        ge=0,
        le=100,
    )

    apis: tuple[str, ...] = ask((), key="api", label="API prices", help="The API price lines to compare with.")
    region: str = ask(
        "none", key="region", label="Data residency", help="Region the API must process in.", max_length=20
    )
    batch_percent: float = ask(
        0,
        key="batch",
        label="Batch share",
        unit="% of tokens",
        help="Share of the tokens sent as batch, at the batch price of vendors that have one.",
        ge=0,
        le=100,
    )
    hours_per_month: float = ask(
        HOURS_PER_YEAR / MONTHS_PER_YEAR,
        key="hours",
        label="Hours in a month",
        unit="hours",
        help="Paid hours, used for the rent and for the tokens alike. 720 = 30 days, 730 = a twelfth of 8,760.",
        gt=0,
        le=LONGEST_MONTH_HOURS,
    )
    currency: str = ask("USD", key="cur", label="Currency", help="Three-letter code.", max_length=3)
    currency_per_usd: float = ask(
        1,
        key="fx",
        label="Exchange rate",
        unit="units per US dollar",
        help="Applied once, at the end, to every amount alike.",
        ge=0.0001,
        le=1_000_000,
    )
    vat_percent: float = ask(
        0, key="vat", label="VAT", unit="%", help="Added once, at the end, to every amount alike.", ge=0, le=100
    )
    basis: Literal["output", "total"] = ask(
        "output",
        key="basis",
        label="Price per",
        help="output: 1M output tokens with the input that goes with them. total: 1M tokens of either kind.",
    )


INPUTS: dict[str, Input] = {each.key: each for each in inputs_of(Scenario)}
"""Every input by its link key, in the order of the link."""
