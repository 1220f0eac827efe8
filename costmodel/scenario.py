"""Scenario: every input of the comparison, once, with its type, bounds, unit, label and help.

Field aliases are the keys of the link. Reading and writing links is the business of link.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal, get_args, get_origin

import annotated_types
from pydantic import BaseModel, ConfigDict, Field

from costmodel.units import HOURS_PER_YEAR, LONGEST_MONTH_HOURS, MONTHS_PER_YEAR

View = Literal["cost", "bills", "gpu_hour", "method"]
Auto = Literal["auto"]
PeakPercent = Annotated[float, annotated_types.Ge(0), annotated_types.Le(100)] | Auto
EARLIEST_PRICE_DATE, LATEST_PRICE_DATE = date(2023, 1, 1), date(2035, 12, 31)


def _ask(
    default: Any = ...,
    *,
    key: str,
    label: str,
    unit: str = "",
    help: str,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    max_length: int | None = None,
) -> Any:
    return Field(
        default,
        alias=key,
        title=label,
        description=help,
        ge=ge,
        gt=gt,
        le=le,
        max_length=max_length,
        json_schema_extra={"unit": unit},
    )


class Scenario(BaseModel):
    """All inputs. Those with a default are neutral there: nothing applied, nothing added."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    price_date: Annotated[date, annotated_types.Ge(EARLIEST_PRICE_DATE), annotated_types.Le(LATEST_PRICE_DATE)] = _ask(
        key="asof",
        label="Price date",
        unit="date",
        help="Every price is the one in force on this day. The link keeps it, so a shared link keeps its meaning.",
    )
    title: str = _ask(
        "", key="title", label="Title", help="Shown above the answer and on every export.", max_length=120
    )
    view: View = _ask("cost", key="view", label="View", help="The open view.")
    model: str = _ask(key="model", label="Model", help="The open-weight model that would be hosted.")

    gpu: str = _ask(
        key="gpu",
        label="GPU rental",
        help="The rented GPU instance that generates the output (the decode pool, or the only pool).",
    )
    gpus: int = _ask(
        key="gpus",
        label="GPUs",
        unit="per unit",
        help="GPUs of this pool in one unit, the smallest deployment rented as a whole. Part-filled instances are "
        "billed whole.",
        ge=1,
        le=100_000,
    )
    gpu_usd_per_hour: float | None = _ask(
        None,
        key="gpu_usd",
        label="Own GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU (not per node). Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    prefill_gpu: str | None = _ask(
        None,
        key="prefill_gpu",
        label="Prefill GPU rental",
        help="A separate pool that reads the prompts. None: one pool does both.",
    )
    prefill_gpus: int | None = _ask(
        None,
        key="prefill_gpus",
        label="Prefill GPUs",
        unit="per unit",
        help="GPUs of the prefill pool in one unit.",
        ge=1,
        le=100_000,
    )
    prefill_gpu_usd_per_hour: float | None = _ask(
        None,
        key="prefill_gpu_usd",
        label="Own prefill GPU price",
        unit="$ per GPU-hour",
        help="Your quote per GPU of the prefill pool. Empty: the list price.",
        ge=0.01,
        le=1_000,
    )
    units: int = _ask(
        1,
        key="units",
        label="Units",
        help="How many identical deployments are rented.",
        ge=1,
        le=10_000,
    )
    utilization_percent: float = _ask(
        key="util",
        label="Utilization",
        unit="% of capacity",
        help="Output delivered divided by what the deployment can deliver, averaged over all hours paid for. "
        "Not what nvidia-smi shows.",
        ge=0,
        le=100,
    )
    output_tok_s_per_gpu: float = _ask(
        key="tps",
        label="Throughput per GPU",
        unit="output tok/s per serving GPU",
        help="Output tokens per second of one serving GPU under full load. Not the speed of one stream, not the "
        "whole cluster, not input plus output.",
        ge=0.01,
        le=1_000_000,
    )
    input_tok_s_per_prefill_gpu: float | None = _ask(
        None,
        key="prefill_tps",
        label="Prefill rate per GPU",
        unit="uncached input tok/s per GPU",
        help="How fast one GPU reads prompts that are not in its own cache. Empty: prefill is taken not to bind.",
        ge=0.01,
        le=100_000_000,
    )
    efficiency_percent: float = _ask(
        100,
        key="eff",
        label="Load-balancing efficiency",
        unit="% of benchmark",
        help="What the serving pool keeps of its benchmark when requests are spread over many GPUs.",
        gt=0,
        le=100,
    )
    prefill_efficiency_percent: float = _ask(
        100,
        key="prefill_eff",
        label="Prefill efficiency",
        unit="% of benchmark",
        help="The same for the prefill pool.",
        gt=0,
        le=100,
    )

    input_per_output: float = _ask(
        key="ratio",
        label="Input : output",
        unit="input tokens per output token",
        help="4 means four input tokens for each output token. 0 prices the output alone.",
        ge=0,
        le=10_000,
    )
    cached_percent: float = _ask(
        0,
        key="cached",
        label="Cached input (API)",
        unit="% of input",
        help="Share of the input the API bills at its cached price. A part of the input, never added to it.",
        ge=0,
        le=100,
    )
    own_cached_percent: float = _ask(
        0,
        key="own_cached",
        label="Cached input (own)",
        unit="% of input",
        help="Share of the input your own deployment serves from its KV cache and need not prefill.",
        ge=0,
        le=100,
    )
    cache_write_percent: float = _ask(
        0,
        key="cache_write",
        label="Cache writes (API)",
        unit="% of input",
        help="Share of the input billed at the API's cache-write price, where it has one.",
        ge=0,
        le=100,
    )
    request_input_tokens: int | None = _ask(
        None,
        key="request",
        label="Typical request",
        unit="input tokens per request",
        help="Long-context prices apply by the size of one request, never by a month's total. Empty: below every tier.",
        ge=1,
        le=100_000_000,
    )
    peak_percent: PeakPercent = _ask(
        "auto",
        key="peak",
        label="Peak share",
        unit="% of tokens",
        help="Share of your tokens that fall into the API's peak hours. auto: from the traffic, on the vendor's clock.",
    )
    calendar: Literal["year", "week"] = _ask(
        "year",
        key="calendar",
        label="Calendar",
        help="year: real dates of the price date's year, with holidays and daylight saving. week: a plain week.",
    )
    traffic: Literal["flat", "business"] = _ask(
        "flat", key="traffic", label="Traffic", help="flat: round the clock. business: only in the hours given."
    )
    timezone: str = _ask("UTC", key="tz", label="Time zone", help="IANA zone of the business hours.", max_length=64)
    start_hour: int = _ask(9, key="start", label="From", unit="local hour", help="First business hour.", ge=0, le=23)
    end_hour: int = _ask(
        17, key="end", label="To", unit="local hour", help="End of the business hours (24 = midnight).", ge=1, le=24
    )
    days: str = _ask("mon-fri", key="days", label="Days", help="Business days, e.g. mon-fri.", max_length=40)
    demand_output_tok_s: float | None = _ask(
        None,
        key="demand",
        label="Demand",
        unit="output tok/s, mean",
        help="Mean output tokens per second that have to be served.",
        ge=0.001,
        le=1_000_000_000,
    )
    slo_tok_s_per_user: float | None = _ask(
        None,
        key="slo",
        label="Speed promised",
        unit="tok/s per user",
        help="Least speed each user must get.",
        gt=0,
        le=100_000,
    )

    apis: tuple[str, ...] = _ask((), key="api", label="API prices", help="The API price lines to compare with.")
    region: str = _ask(
        "none", key="region", label="Data residency", help="Region the API must process in.", max_length=20
    )
    batch_percent: float = _ask(
        0,
        key="batch",
        label="Batch share",
        unit="% of tokens",
        help="Share of the tokens sent as batch, at the batch price of vendors that have one.",
        ge=0,
        le=100,
    )
    hours_per_month: float = _ask(
        HOURS_PER_YEAR / MONTHS_PER_YEAR,
        key="hours",
        label="Hours in a month",
        unit="hours",
        help="Paid hours, used for the rent and for the tokens alike. 720 = 30 days, 730 = a twelfth of 8,760.",
        gt=0,
        le=LONGEST_MONTH_HOURS,
    )
    currency: str = _ask("USD", key="cur", label="Currency", help="Three-letter code.", max_length=3)
    currency_per_usd: float = _ask(
        1,
        key="fx",
        label="Exchange rate",
        unit="units per US dollar",
        help="Applied once, at the end, to every amount alike.",
        ge=0.0001,
        le=1_000_000,
    )
    vat_percent: float = _ask(
        0, key="vat", label="VAT", unit="%", help="Added once, at the end, to every amount alike.", ge=0, le=100
    )
    basis: Literal["output", "total"] = _ask(
        "output",
        key="basis",
        label="Price per",
        help="output: 1M output tokens with the input that goes with them. total: 1M tokens of either kind.",
    )


Kind = Literal["number", "number_or_auto", "whole", "date", "choice", "text", "list"]


@dataclass(frozen=True)
class Input:
    """One input as the link and the page need it."""

    name: str
    key: str
    label: str
    unit: str
    help: str
    kind: Kind
    choices: tuple[str, ...]
    low: Any
    high: Any
    low_is_open: bool
    longest: int | None
    required: bool
    optional: bool
    default: Any


def _inputs() -> Iterator[Input]:
    for name, field in Scenario.model_fields.items():
        options = get_args(field.annotation) if get_origin(field.annotation) is not Literal else ()
        types = [option for option in options if option is not type(None)] or [field.annotation]
        limits = list(field.metadata)
        kind: Kind = "text"
        choices: tuple[str, ...] = ()
        if Auto in types:
            kind = "number_or_auto"
            limits += get_args(types[0])[1:]
        elif get_origin(types[0]) is Literal:
            kind, choices = "choice", get_args(types[0])
        elif get_origin(field.annotation) is tuple:
            kind = "list"
        elif float in types:
            kind = "number"
        elif int in types:
            kind = "whole"
        elif date in types:
            kind = "date"
        bounds = {type(limit): limit for limit in limits}
        low, high = bounds.get(annotated_types.Ge), bounds.get(annotated_types.Le)
        above, longest = bounds.get(annotated_types.Gt), bounds.get(annotated_types.MaxLen)
        extra = field.json_schema_extra
        yield Input(
            name=name,
            key=field.alias or name,
            label=field.title or name,
            unit=str(extra.get("unit", "")) if isinstance(extra, dict) else "",
            help=field.description or "",
            kind=kind,
            choices=choices,
            low=low.ge if low else above.gt if above else None,
            high=high.le if high else None,
            low_is_open=above is not None,
            longest=longest.max_length if longest else None,
            required=field.is_required(),
            optional=type(None) in options,
            default=None if field.is_required() else field.default,
        )


INPUTS: dict[str, Input] = {each.key: each for each in _inputs()}
"""Every input by its link key, in the order of the link."""
