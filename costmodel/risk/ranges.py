"""How low and how high an input may turn out: the reader's own ranges, as the link has them: tps:10000:16000."""

import re
from dataclasses import dataclass
from decimal import Decimal

from costmodel.inputs.asked import Input
from costmodel.language import say
from costmodel.scenario import INPUTS

API_PRICE = "api_price"
"""The price level of all APIs, % of the price in force. It is no input of a scenario, yet it is uncertain like one."""
UNCERTAIN = (
    API_PRICE,
    *("util", "demand", "growth", "api_drop", "gpu_drop"),
    *("tps", "eff", "prefill_tps", "prefill_eff"),
    *("ratio", "cached", "own_cached", "peak"),
    *("gpu_usd", "prefill_gpu_usd", "reserve_off", "spot_off", "spot_lost"),
    *("capex", "residual", "life", "wacc", "kw", "pue", "kwh", "colo", "maint"),
    *("staff", "staff_usd", "storage", "storage_usd", "network", "egress", "egress_usd", "support", "setup", "kv_usd"),
)
"""Link keys of the inputs that may have a low and a high."""
MOST_RANGES = len(UNCERTAIN)
_NUMBER = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,12})?")
_API_PRICE_INPUT = Input(
    name=API_PRICE,
    key=API_PRICE,
    label="API price",
    unit="% of the price in force",
    help="All APIs alike. 100: the prices in force. 80: a discount of 20 %.",
    kind="number",
    choices=(),
    low=0.0,
    high=100_000.0,
    low_is_open=False,
    longest=None,
    required=False,
    optional=False,
    default=100.0,
)


@dataclass(frozen=True)
class Range:
    """An input's low and high, in the units of the link."""

    key: str
    low: float
    high: float


def asked_of(key: str) -> Input:
    """Label, unit and bounds of an input that may be uncertain, by its link key.

    >>> asked_of("tps").label, asked_of("api_price").unit
    ('Throughput per GPU', '% of the price in force')
    """
    return _API_PRICE_INPUT if key == API_PRICE else INPUTS[key]


def parse_range(text: str) -> Range:
    """A range from its text. Raises ValueError saying what is wrong, phrased to follow '“…” '.

    >>> parse_range("tps:10000:16000")
    Range(key='tps', low=10000.0, high=16000.0)
    >>> parse_range("util:50:120")
    Traceback (most recent call last):
    ...
    ValueError: has a value outside 0 to 100, the limits of util
    """
    parts = text.split(":")
    if len(parts) != 3:
        raise ValueError(say("is no range: write the input's key, its low and its high, like tps:10000:16000"))
    key, *ends = parts
    if key not in UNCERTAIN:
        raise ValueError(say("begins with no input that has a range: one of {keys}", keys=", ".join(UNCERTAIN)))
    for end in ends:
        if not _NUMBER.fullmatch(end):
            raise ValueError(
                say("has “{text}” where a plain number should stand: write it like tps:10000:16000.5", text=end)
            )
    low, high = map(float, ends)
    if low > high:
        raise ValueError(say("has a low above its high: put the lower number first"))
    asked = asked_of(key)
    if not all(is_inside(asked, value) for value in (low, high)):
        span = {"low": _plain(asked.low), "high": _plain(asked.high)}
        edges = say("above {low}, up to {high}", **span) if asked.low_is_open else say("{low} to {high}", **span)
        raise ValueError(say("has a value outside {span}, the limits of {key}", span=edges, key=key))
    return Range(key, low, high)


def is_inside(asked: Input, value: float) -> bool:
    """Whether a value is within an input's bounds."""
    above = value > asked.low if asked.low_is_open else value >= asked.low
    return bool(above and value <= asked.high)


def range_text(of: Range) -> str:
    """A range as the link writes it; the inverse of parse_range.

    >>> range_text(Range("api_drop", -30, 12.5))
    'api_drop:-30:12.5'
    """
    return f"{of.key}:{_plain(of.low)}:{_plain(of.high)}"


def _plain(value: float) -> str:
    text = format(Decimal(repr(float(value))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
