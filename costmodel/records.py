"""What prices/ holds, as frozen records: one class per kind of file, every attribute explained where it stands."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema, field_validator
from pydantic import model_validator as check

from costmodel.dated import Dated, Record
from costmodel.units import HOURS_PER_DAY, MINUTES_PER_HOUR

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Commitment = Literal["on_demand", "reserved_1y", "reserved_3y", "spot", "cluster"]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
PositiveInt = Annotated[int, Field(gt=0)]
# Outside these ranges a price is almost surely per token, per 1K tokens, in cents, or for a whole node.
CHEAPEST_USD_PER_MTOK, DEAREST_USD_PER_MTOK = 0.001, 1_000
UsdPerMtok = Annotated[float, Field(ge=CHEAPEST_USD_PER_MTOK, le=DEAREST_USD_PER_MTOK)]
UsdPerGpuHour = Annotated[float, Field(ge=0.05, le=100)]


def _hour_span(text: object) -> object:
    """'01:00-04:00' as minutes of the day (60, 240): half-open, 24:00 allowed as an end."""
    match = re.fullmatch(r"([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})", text) if isinstance(text, str) else None
    if not match:
        raise ValueError("write hours as 'HH:MM-HH:MM'")
    hour, minute, end_hour, end_minute = map(int, match.groups())
    start, end = hour * MINUTES_PER_HOUR + minute, end_hour * MINUTES_PER_HOUR + end_minute
    if not (minute < MINUTES_PER_HOUR > end_minute and start < end <= HOURS_PER_DAY * MINUTES_PER_HOUR):
        raise ValueError("hours must lie within one day and end after they start; split a span at midnight")
    return (start, end)


HourSpan = Annotated[
    tuple[int, int],
    BeforeValidator(_hour_span),
    WithJsonSchema({"type": "string", "pattern": r"^\d\d:\d\d-\d\d:\d\d$", "examples": ["01:00-04:00"]}),
]


class TokenPrices(Record):
    """$ per 1M tokens. A kind that is absent is unknown, not free."""

    input: UsdPerMtok
    """Uncached input."""
    cached_input: UsdPerMtok | None = None
    """Input served from the vendor's cache (a part of the input, never added to it)."""
    cache_write: UsdPerMtok | None = None
    """Input written to the cache for the default time."""
    cache_write_1h: UsdPerMtok | None = None
    """Input written to the cache for an hour."""
    output: UsdPerMtok
    """Output, reasoning included."""

    @check(mode="after")
    def _cached_is_not_dearer(self) -> Self:
        if self.cached_input is not None and self.cached_input > self.input:
            raise ValueError(f"cached_input {self.cached_input} is above input {self.input}: are they swapped?")
        return self


class PriceWindow(Record):
    """Hours of the week with their own prices, on the vendor's clock. Half-open: the end minute is outside."""

    name: Identifier
    """How links call it: vendor:model@name, e.g. peak."""
    timezone: str
    """IANA zone of the vendor's clock."""
    days: tuple[Day, ...] = Field(min_length=1)
    hours: tuple[HourSpan, ...] = Field(min_length=1)
    """Spans 'HH:MM-HH:MM', kept as minutes of the day."""
    holidays: str | None = None
    """Country whose public holidays are outside the window (ISO code, e.g. CN)."""
    usd_per_mtok: TokenPrices

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"'{name}' is no IANA time zone") from error
        return name


class ApiPrice(Dated):
    """List price of an API model: the base price, and windows that replace it in their hours."""

    usd_per_mtok: TokenPrices
    base_name: Identifier = "base"
    """How links call the hours outside all windows: vendor:model@name, e.g. off_peak."""
    windows: tuple[PriceWindow, ...] = ()


class BatchPrice(Dated):
    """Price of tokens sent as batch."""

    usd_per_mtok: TokenPrices
    long_context_usd_per_mtok: TokenPrices | None = None
    """Batch price of requests above the long-context threshold."""


class LongContext(Dated):
    """Price of whole requests whose own input is above a threshold; a month's total never triggers it."""

    above_input_tokens: PositiveInt
    usd_per_mtok: TokenPrices


class Residency(Dated):
    """Surcharge for processing in a region."""

    region: Identifier
    surcharge_percent: Positive


class ConcurrencyLimit(Dated):
    """Requests one account may have open at a time."""

    requests: PositiveInt


class StreamSpeed(Dated):
    """Measured output tok/s of one stream, as a range."""

    output_tok_s_low: Positive
    output_tok_s_high: Positive


class GenaiPricesModel(Record):
    """A model as the package genai-prices lists it."""

    provider: str | None = None
    """The package's provider; absent: the vendor of this file."""
    model: str
    when: Mapping[str, str] = {}
    """Service tier or speed, where the package lists several under one model."""


class ApiModel(Record):
    """A model as one vendor sells it."""

    id: Identifier
    name: str
    vendor_model_id: str | None = None
    """What the vendor calls it, where that is not a usable id."""
    model: Identifier | None = None
    """The open-weight model it serves (id in models/); absent for closed models."""
    genai_prices: GenaiPricesModel | None = None
    """Where `python -m costmodel refresh` finds it; absent: under the vendor's own id, if the package has that."""
    checked: date
    """Day on which the newest entries were last confirmed."""
    history: tuple[ApiPrice, ...] = Field(min_length=1)
    batch: tuple[BatchPrice, ...] = ()
    long_context: tuple[LongContext, ...] = ()
    residency: tuple[Residency, ...] = ()
    concurrency_limit: tuple[ConcurrencyLimit, ...] = ()
    speed: tuple[StreamSpeed, ...] = ()


class ApiVendor(Record):
    """One file of apis/."""

    vendor: Identifier
    name: str
    residency: tuple[Residency, ...] = ()
    """Surcharges on every model of this vendor that states none of its own."""
    models: tuple[ApiModel, ...] = Field(min_length=1)


class Rent(Dated):
    usd_per_gpu_hour: UsdPerGpuHour


class Rental(Record):
    """A GPU instance as one provider rents it out, for one commitment and region."""

    id: Identifier
    name: str
    """The provider's name of the SKU."""
    gpu: Identifier
    gpus_per_instance: PositiveInt
    """Rented as a whole: six of a four-GPU tray are billed as eight."""
    commitment: Commitment
    region: str | None = None
    checked: date
    history: tuple[Rent, ...] = Field(min_length=1)


class RentalProvider(Record):
    """One file of rentals/."""

    provider: Identifier
    name: str
    rentals: tuple[Rental, ...] = Field(min_length=1)


class GpuFacts(Dated):
    memory_gb: Positive
    architecture: str | None = None
    """NVIDIA compute architecture, e.g. SM100 (engines name it as a requirement)."""


class Gpu(Record):
    """One file of gpus/."""

    id: Identifier
    name: str
    history: tuple[GpuFacts, ...] = Field(min_length=1)


class ModelFacts(Dated):
    """What is known about the weights. Absent means unknown."""

    total_parameters: str | None = None
    """As stated, with unit (parts of a model are counted differently by different sources)."""
    active_parameters: str | None = None
    context_tokens: PositiveInt | None = None
    precision: str | None = None
    """Of the published checkpoint."""
    checkpoint_gb: Positive | None = None
    memory_floor_gb: Positive | None = None
    """Least GPU memory by the serving recipe's planning rule."""
    kv_bytes_per_token: Positive | None = None
    """At the precision the recipe serves with (fp8 where a model has both)."""
    kv_bytes_per_token_bf16: Positive | None = None
    kv_copy_per_gpu: bool = False
    """Latent attention: under tensor parallelism each GPU keeps the KV cache of every request, not a part of it."""
    host_memory_tables_gb: Positive | None = None
    """Lookup tables that an engine may keep in host memory."""
    licence: str | None = None


class OpenModel(Record):
    """One file of models/: weights that can be hosted."""

    id: Identifier
    name: str
    hf_id: str
    history: tuple[ModelFacts, ...] = Field(min_length=1)


POINT_ROW = ("concurrency", "ttft_ms", "tpot_ms", "output_tok_s")


class LoadPoint(Record):
    """One measurement. Concurrency counts requests on the whole replica."""

    concurrency: PositiveInt | None = None
    ttft_ms: Positive | None = None
    tpot_ms: Positive | None = None
    output_tok_s: Positive | None = None
    """Output tok/s of the whole replica."""
    output_tok_s_per_gpu: Positive | None = None
    tok_s_per_user: Positive | None = None
    input_tok_s_per_gpu_low: Positive | None = None
    """Prefill: uncached input tok/s per GPU, small batches."""
    input_tok_s_per_gpu_high: Positive | None = None
    """Prefill: uncached input tok/s per GPU, large batches."""
    in_production: bool = False
    """The setting its operator runs in production, rather than the fastest or fullest one measured."""


def _rows_too(schema: dict[str, Any]) -> None:
    """For editors: a point may be a mapping or a row."""
    row = {"type": "array", "items": {"type": "number"}, "minItems": len(POINT_ROW), "maxItems": len(POINT_ROW)}
    schema["items"] = {"anyOf": [schema["items"], {**row, "description": f"[{', '.join(POINT_ROW)}]"}]}


class Benchmark(Dated):
    """One engine, one set-up, one load shape; its points differ in concurrency only."""

    id: Identifier
    model: Identifier
    gpu: Identifier
    gpus: PositiveInt
    """GPUs of the replica that was measured."""
    pool: Literal["decode", "prefill", "both"] = "both"
    precision: str | None = None
    parallelism: str | None = None
    engine: str
    engine_version: str | None = None
    input_tokens: PositiveInt | None = None
    output_tokens: PositiveInt | None = None
    draft_acceptance_percent: Annotated[float, Field(gt=0, le=100)] | None = None
    """Share of drafted tokens accepted during the measurement, where the engine drafts."""
    drafted_tokens: PositiveInt | None = None
    """Tokens drafted ahead at each decode step."""
    points: tuple[LoadPoint, ...] = Field(min_length=1, json_schema_extra=_rows_too)

    @field_validator("points", mode="before")
    @classmethod
    def _points_may_be_rows(cls, points: Any) -> Any:
        """A row [concurrency, ttft_ms, tpot_ms, output_tok_s] stands for the mapping: long tables stay readable."""
        if not isinstance(points, list):
            return points
        return [_mapping_of_row(point) if isinstance(point, list) else point for point in points]


def _mapping_of_row(row: list[Any]) -> dict[str, Any]:
    if len(row) != len(POINT_ROW):
        raise ValueError(f"a row has {len(row)} numbers, not {len(POINT_ROW)}: [{', '.join(POINT_ROW)}]")
    return dict(zip(POINT_ROW, row, strict=True))


class BenchmarkFile(Record):
    """One file of throughput/."""

    benchmarks: tuple[Benchmark, ...] = Field(min_length=1)


class EngineFacts(Dated):
    """What an engine needs around it, and what its release lacks."""

    version: str | None = None
    """The release these facts are of."""
    licence: str | None = None
    architectures: tuple[str, ...] = ()
    """NVIDIA compute architectures it is limited to; absent where it names no limit."""
    other_accelerators: tuple[str, ...] = ()
    """Accelerators besides NVIDIA's that its makers name."""
    host: tuple[str, ...] = ()
    """Software the host must have."""
    container_image: str | None = None
    missing: tuple[str, ...] = ()
    """What a production service needs and the release does not hold."""


class Recipe(Dated):
    """A public recipe that serves a model on so many GPUs of a kind."""

    model: Identifier
    gpu: Identifier
    gpus: PositiveInt
    """GPUs of one replica."""
    name: str
    """Whose recipe it is, as a reader can find it."""
    tables_in_host_memory: bool = False
    """Whether it keeps the model's lookup tables in host memory."""


class ListedGpus(Dated):
    """The GPUs an engine's own recipe for a model lists."""

    model: Identifier
    gpus: tuple[Identifier, ...] = Field(min_length=1)


class Engine(Record):
    """One file of engines/: software that serves models."""

    id: Identifier
    name: str
    models: tuple[Identifier, ...] = Field(min_length=1)
    """The models of this catalogue it is known here to serve."""
    history: tuple[EngineFacts, ...] = Field(min_length=1)
    recipes: tuple[Recipe, ...] = ()
    listed: tuple[ListedGpus, ...] = ()
    """Where a recipe of a model lists its GPUs; on others the engine is not known to serve it."""


LinkValue = Annotated[str, WithJsonSchema({"type": ["string", "number"]})]


class Example(Record):
    """One file of scenarios/: a named, dated set of inputs and the claim it reproduces."""

    id: Identifier
    name: str
    summary: str
    """One sentence for the list of examples."""
    claim: str
    """What was published, which these inputs reproduce."""
    source: Annotated[str, Field(min_length=1)]
    inputs: Mapping[str, LinkValue | tuple[LinkValue, ...]]
    """Link keys and values, every key the link has but v, scenario, view."""


Finite = Annotated[float, Field(allow_inf_nan=False)]


class Assumed(Dated):
    value: Finite
    low: Finite | None = None
    high: Finite | None = None


class Assumption(Record):
    """A figure that is a judgement or a rule of thumb rather than a price."""

    name: str
    unit: str
    history: tuple[Assumed, ...] = Field(min_length=1)


class ExchangeRate(Dated):
    per_usd: Positive
    """Units of the currency for one US dollar."""


class Currency(Record):
    name: str
    history: tuple[ExchangeRate, ...] = Field(min_length=1)


class AssumptionFile(Record):
    assumptions: Mapping[Identifier, Assumption]


class CurrencyFile(Record):
    currencies: Mapping[Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")], Currency]


class ApiOffer(Record):
    """An API model with its vendor: what a link calls vendor:model."""

    vendor: Identifier
    vendor_name: str
    entry: ApiModel

    @property
    def id(self) -> str:
        return f"{self.vendor}:{self.entry.id}"

    @property
    def name(self) -> str:
        return f"{self.vendor_name} {self.entry.name}"


class RentalOffer(Record):
    """A rental with its provider."""

    provider: Identifier
    provider_name: str
    entry: Rental

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def name(self) -> str:
        return f"{self.provider_name} {self.entry.name}"
