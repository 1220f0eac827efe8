"""Loads a reader measured, as the link carries them: requests per GPU and tok/s per user, in pairs."""

import re
from collections.abc import Iterable

from costmodel.language import say
from costmodel.machine.speed import Load

MOST_LOADS = 12
LONGEST_LOADS = 260
"""Characters of a text of so many loads."""
_PAIR = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?):([0-9]{1,7}(?:\.[0-9]{1,6})?)")
_DIGITS = 6


def parse_loads(text: str) -> tuple[Load, ...]:
    """Loads from their text. Raises ValueError saying what is wrong, phrased to follow '“…” '.

    >>> parse_loads("8:325,256:101.5625")
    (Load(requests_per_gpu=8.0, tok_s_per_user=325.0), Load(requests_per_gpu=256.0, tok_s_per_user=101.5625))
    """
    loads: dict[float, Load] = {}
    for part in text.split(","):
        found = _PAIR.fullmatch(part)
        if not found:
            raise ValueError(say("is no list of requests per GPU and tok/s per user: write them like 8:325,256:101.5"))
        load = Load(float(found[1]), float(found[2]))
        if load.requests_per_gpu == 0 or load.tok_s_per_user == 0:
            raise ValueError(say("has a load of 0 requests or 0 tok/s: leave it out"))
        if load.requests_per_gpu in loads:
            raise ValueError(say("has the load of {requests} requests per GPU twice: keep one", requests=found[1]))
        loads[load.requests_per_gpu] = load
    if len(loads) > MOST_LOADS:
        raise ValueError(say("has more than {most} loads: keep those that span the curve", most=MOST_LOADS))
    return tuple(sorted(loads.values()))


def loads_text(loads: Iterable[Load]) -> str:
    """Loads as the link writes them; the inverse of parse_loads up to six decimals.

    >>> loads_text([Load(256, 101.5625), Load(8, 325)])
    '8:325,256:101.5625'
    """
    return ",".join(f"{_plain(load.requests_per_gpu)}:{_plain(load.tok_s_per_user)}" for load in sorted(loads))


def _plain(value: float) -> str:
    return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
