"""The lines of a bill in the reader's language. The bill itself is data: the same English words for every program."""

import re
from collections.abc import Callable

from costmodel.language import number_text, say
from costmodel.ledger import CostLine
from costmodel.ui.text import pool_word


def line_name(line: CostLine) -> str:
    """What a line is for.

    >>> line_name(CostLine("Electricity: CoreWeave HGX B200 (decode, spare)", 1, "kWh", 0.1))
    'Electricity: CoreWeave HGX B200 (decode, spare)'
    """
    return _said(line.name)


def line_unit(line: CostLine) -> str:
    """What a line counts."""
    units = {
        "GPU-hours": say("GPU-hours"),
        "GPU-months": say("GPU-months"),
        "kWh": say("kWh"),
        "kW-months": say("kW-months"),
        "GB-months": say("GB-months"),
        "person-months": say("person-months"),
        "GB": say("GB"),
        "of it": say("of it"),
        "Mtok": say("Mtok"),
    }
    return units.get(line.unit, line.unit)


def _said(name: str) -> str:
    for pattern, words in _FORMS:
        found = pattern.fullmatch(name)
        if found:
            return words(*found.groups())
    return name


def _pool(rental: str, role: str, spare: str | None, way: str | None) -> str:
    """The GPUs of a pool, and how they are got."""
    purpose = say("{role}, spare", role=pool_word(role)) if spare else pool_word(role)
    pool = f"{rental} ({purpose})"
    return f"{pool}, {_said(way)}" if way else pool


def _discounted(way: str, percent: str) -> str:
    return say("{way} {percent} % off", way=_said(way), percent=percent)


def _listed(way: str) -> str:
    return say("{way} (list price)", way=_said(way))


def _of_api(kind: str, part: str | None) -> str:
    """Tokens of a kind, and which of their prices it is."""
    kinds = {
        "Input": say("Input"),
        "Cached input": say("Cached input"),
        "Input written to the cache": say("Input written to the cache"),
        "Output": say("Output"),
    }
    return f"{kinds[kind]}, {_said(part)}" if part else kinds[kind]


def _fixed(name: str) -> str:
    """Names that hold nothing of the scenario."""
    return {
        "KV cache store": say("KV cache store"),
        "Network between racks": say("Network between racks"),
        "Support and licences": say("Support and licences"),
        "People who operate it": say("People who operate it"),
        "Storage for weights": say("Storage for weights"),
        "Data egress": say("Data egress"),
        "Electricity": say("Electricity"),
        "Colocation": say("Colocation"),
        "Maintenance": say("Maintenance"),
        "reserved": say("reserved"),
        "spot": say("spot"),
        "peak": say("peak"),
        "off-peak": say("off-peak"),
        "batch": say("batch"),
    }[name]


_FORMS: tuple[tuple[re.Pattern[str], Callable[..., str]], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            r"(KV cache store|Network between racks|Support and licences|People who operate it|Storage for weights"
            r"|Data egress|Electricity|Colocation|Maintenance|reserved|spot|peak|off-peak|batch)",
            _fixed,
        ),
        (r"(Electricity|Colocation|Maintenance): (.+)", lambda what, pool: f"{_said(what)}: {_said(pool)}"),
        (
            r"Purchase over (\S+) months: (.+)",
            lambda months, pool: say("Purchase over {months} months: {pool}", months=months, pool=_said(pool)),
        ),
        (
            r"Set-up, spread over (\S+) months",
            lambda months: say("Set-up, spread over {months} months", months=months),
        ),
        (
            r"Surcharge for processing in (.+)",
            lambda region: say("Surcharge for processing in {region}", region=region),
        ),
        (r"(reserved|spot) \(list price\)", _listed),
        (r"(reserved|spot) (\S+) % off", _discounted),
        (
            r"requests above (\S+) tokens",
            lambda tokens: say("requests above {tokens} tokens", tokens=number_text(tokens)),
        ),
        (r"(Input|Cached input|Input written to the cache|Output)(?:, (.+))?", _of_api),
        (r"(.+) \((serving|decode|prefill)(, spare)?\)(?:, (.+))?", _pool),
    )
)
"""Every form of a line's name, or of a part of one, with what says it."""
