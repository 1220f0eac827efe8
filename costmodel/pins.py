"""Pinned scenarios as a link carries them: a name and a whole query, packed into a few letters. `name~code`.

A pin keeps its meaning whatever else changes in the link, so it holds every input, defaults included, as a link does.
Reading one trusts nothing: not its alphabet, not its length, not what it unpacks to.
"""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from urllib.parse import parse_qsl

from costmodel.language import say

MOST_PINS = 4
LONGEST_PIN_NAME = 60
LONGEST_PIN = 1_200
"""Characters of a pin in the link, name included; most have 50 to 100. Four of this length leave room for the rest."""
LONGEST_PINNED_QUERY = 4_000
"""Characters a pin may unpack to."""
NOT_PINNED = ("title", "view", "lang", "pin")
"""Keys of a link that are no part of a pin: the name stands for the title, the rest is of the page."""
_CODE = re.compile(r"[A-Za-z0-9_-]+")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_WORDS = (
    b"&title=&lang=&gpu_usd=&prefill_gpu_usd=&request=&busy_days=&quiet=30&rest_day=60&profile=&demand=300&slots=&wait=5"
    b"&against=&slo=&bench=&loads=&accept=&kv_usd=&staff_usd=&storage_usd=&egress_usd=&term=36&reserve_off=&spot_off="
    b"&spot_lost=&capex=&residual=&life=&wacc=&kw=&pue=&kwh=&colo=&maint=&range=&map_x=&map_y=&traffic=business"
    b"&tz=Europe%2FBerlin&calendar=year&schedule=scheduled&demand_at=busiest&cur=EUR&fx=0.&region=eu&basis=total"
    b"&acquire=buy&acquire=spot&acquire=reserve&api=custom:&api=anthropic:claude-opus-5&api=anthropic:claude-sonnet-5"
    b"&api=openai:gpt-5.6-sol&api=openai:gpt-5.6-terra&api=minimax:minimax-m2.7&api=moonshotai:kimi-k2.5&api=zai:glm-5"
    b"&model=llama-3.3-70b-instruct&model=gpt-oss-120b&model=deepseek-v3&gpu=nebius-h200&gpu=lambda-h100&gpu=lambda-b200"
    b"&gpu=aws-h100&gpu=coreweave-h100&gpu=coreweave-h200&gpus=4&gpus=8&hours=730&ratio=4&cached=50&util=50&"
    b"v=1&asof=2026-10-25&model=deepseek-v4.1-flash&gpu=coreweave-gb200&gpus=64&prefill_gpu=coreweave-b200"
    b"&prefill_gpus=64&units=1&util=60&tps=14466&prefill_tps=60000&eff=80&prefill_eff=100&ratio=0&cached=0&own_cached=0"
    b"&cache_write=0&peak=auto&calendar=week&traffic=flat&tz=UTC&start=9&end=17&days=mon-fri&demand_at=mean"
    b"&schedule=always&prewarm=0&spare=0&defer=0&tables=gpu&kv_tb=0&api=deepseek:deepseek-flash@off_peak"
    b"&api=tokely:deepseek-v4.1-flash&api=deepseek:deepseek-flash@peak&api=deepseek:deepseek-flash&region=none&batch=0"
    b"&hours=720&cur=USD&fx=1&vat=0&basis=output&staff=0&storage=0&network=0&egress=0&support=0&setup=0&vat_back=no"
    b"&acquire=rent&api_drop=0&gpu_drop=0&growth=0&seed=1&leave=unasked&identical=unasked&faster=unasked&owner=unasked"
    b"&trouble=unasked"
)
"""What pins are packed against: texts that stand in many queries cost next to nothing. Part of the public contract:
with another one no pin made before can be read."""


@dataclass(frozen=True)
class Pin:
    """A pinned scenario: its name, and its query as a link writes it, without title, view, language and pins."""

    name: str
    query: str


def pin_text(pin: Pin) -> str:
    """A pin as the link writes it; the inverse of parse_pin.

    Raises ValueError, phrased to follow '“…” ', where it could not be read back.

    >>> parse_pin(pin_text(Pin("Our ~ node", "v=1&util=2"))) == Pin("Our ~ node", "v=1&util=2")
    True
    """
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zdict=_WORDS)
    packed = packer.compress(pin.query.encode()) + packer.flush()
    text = f"{pin.name}~{urlsafe_b64encode(packed).decode().rstrip('=')}"
    for length, most in ((len(pin.query), LONGEST_PINNED_QUERY), (len(text), LONGEST_PIN)):
        if length > most:
            raise ValueError(
                say(
                    "has too many inputs of its own to be pinned: {length} characters, and {most} fit",
                    length=length,
                    most=most,
                )
            )
    parse_pin(text)
    return text


def pin_name(text: str) -> str:
    """The name in a pin's text, whether the rest can be read or not.

    >>> pin_name("Our ~ node~eNor")
    'Our ~ node'
    """
    return text.rpartition("~")[0]


def parse_pin(text: str) -> Pin:
    """A pin from its text. Raises ValueError saying what is wrong, phrased to follow '“…” '.

    >>> parse_pin("Node~ePmbDEa9K4OlPyMAEfMDOA")
    Pin(name='Node', query='v=1&util=2')
    >>> parse_pin("Node~AAAA")
    Traceback (most recent call last):
    ...
    ValueError: has a code that was cut or changed on its way: pin the scenario again
    """
    name, mark, code = text.rpartition("~")
    if not mark:
        raise ValueError(say("is no pinned scenario: a name and a code with ~ between, as the page writes it"))
    if len(text) > LONGEST_PIN:
        raise ValueError(say("is longer than the {most} characters a pinned scenario may have", most=LONGEST_PIN))
    if not name.strip() or len(name) > LONGEST_PIN_NAME or _UNPRINTABLE.search(name):
        raise ValueError(
            say("needs a name of 1 to {most} characters, none of them a control character", most=LONGEST_PIN_NAME)
        )
    if not _CODE.fullmatch(code):
        raise ValueError(_cut())
    query = _unpacked(code)
    inside = [key for key, _ in parse_qsl(query, keep_blank_values=True) if key in NOT_PINNED]
    if inside:
        raise ValueError(say("holds {key}, which no pinned scenario can: pin the scenario again", key=inside[0]))
    return Pin(name, query)


def _cut() -> str:
    return say("has a code that was cut or changed on its way: pin the scenario again")


def _unpacked(code: str) -> str:
    """The query in a code; never more of it than a link can hold, whatever the code says."""
    unpacker = zlib.decompressobj(zdict=_WORDS)
    try:
        query = unpacker.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), LONGEST_PINNED_QUERY + 1)
    except (binascii.Error, zlib.error):
        raise ValueError(_cut()) from None
    if len(query) > LONGEST_PINNED_QUERY:
        raise ValueError(
            say("unpacks to more than the {most} characters a pinned scenario may have", most=LONGEST_PINNED_QUERY)
        )
    text = query.decode("ascii", errors="replace")
    if not unpacker.eof or unpacker.unused_data or not query.isascii() or not text.isprintable():
        raise ValueError(_cut())
    return text
