"""The link: a query string in, a Scenario out, and back. Reading never raises and never guesses in silence.

Whatever is unknown, out of range, malformed or repeated gets the default and a Problem that names the key, the value
and what is used instead.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from costmodel.catalog import Catalog
from costmodel.choices import parse_api_choice
from costmodel.dated import NotInForceError, in_force
from costmodel.hours import check_calendar, parse_days
from costmodel.language import say, spoken
from costmodel.load.profile import profile_weights
from costmodel.machine.ownloads import parse_loads
from costmodel.pins import LONGEST_PIN, MOST_PINS, NOT_PINNED, Pin, parse_pin, pin_name, pin_text
from costmodel.risk.ranges import MOST_RANGES, parse_range
from costmodel.scenario import EARLIEST_PRICE_DATE, INPUTS, LATEST_PRICE_DATE, Input, Scenario
from costmodel.units import DAYS_PER_WEEK, HOURS_PER_DAY

LINK_VERSION = "1"
DEFAULT_EXAMPLE = "deepinfer-128"
MOST_APIS = 12
LONGEST_VALUE = 200
LONGEST_LINK = 8_000
MOST_PROBLEMS = 30
_RESERVED = ("embed", "embed_options")  # Streamlit's own keys, no business of ours
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,20})?")
_WHOLE_NUMBER = re.compile(r"[0-9]{1,12}")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_PRESENTATION = ("view", "title", "lang", "pin")
_PREFILL_POOL = ("prefill_gpu", "prefill_gpus")
_CODES: dict[str, Callable[[str], object]] = {"days": parse_days, "profile": profile_weights, "loads": parse_loads}

Query = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Problem:
    """One thing in a link or a field that could not be used: which key, what it said, what is used instead, and why."""

    key: str
    value: str
    used: str | None
    message: str


@dataclass(frozen=True)
class Decoded:
    """A scenario read from a link, what was wrong with the link, and what it left to the example."""

    scenario: Scenario
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


class ValueProblem(ValueError):  # noqa: N818 - not a failure of the program: the text of a field cannot be used
    """Why a text is no value for an input, phrased to follow '“…” '."""


def plain_number(value: float) -> str:
    """A number as links write it: plain decimal, point, no exponent, exact on reading back.

    >>> plain_number(0.1 + 0.2), plain_number(60.0), plain_number(3e-09)
    ('0.30000000000000004', '60', '0.000000003')
    """
    text = format(Decimal(repr(float(value))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def query_of(link: str) -> dict[str, list[str]]:
    """The query of a link, or of a bare query string, as key -> values. Never raises.

    >>> query_of("https://example.org/app?util=60&api=a:b&api=c:d")
    {'util': ['60'], 'api': ['a:b', 'c:d']}
    """
    try:
        query = urlsplit(link).query if "://" in link or link.startswith("/") else link.partition("?")[2] or link
    except ValueError:
        query = link.partition("?")[2]
    values: dict[str, list[str]] = {}
    for key, value in parse_qsl(query.partition("#")[0], keep_blank_values=True):
        values.setdefault(key, []).append(value)
    return values


def _span(asked: Input) -> str:
    low, high = _plain(asked.low), _plain(asked.high)
    if high is None:
        return say("at least {low}", low=low)
    if asked.low_is_open:
        return say("above {low}, at most {high}", low=low, high=high)
    return say("{low} to {high}", low=low, high=high)


def _plain(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, date):
        return value.isoformat()
    return plain_number(value) if isinstance(value, int | float) else str(value)


def parse_value(asked: Input, text: str) -> Any:
    """The value of one input from its text. Raises ValueProblem saying what is wrong and what to write instead.

    >>> parse_value(INPUTS["util"], "76.4")
    76.4
    >>> parse_value(INPUTS["util"], "0,55")
    Traceback (most recent call last):
    ...
    costmodel.link.ValueProblem: is not a plain number: write digits with a decimal point, like 0.55
    """
    if len(text) > (asked.longest or LONGEST_VALUE):
        raise ValueProblem(say("is longer than {longest} characters", longest=asked.longest or LONGEST_VALUE))
    if asked.kind == "choice":
        if text not in asked.choices:
            raise ValueProblem(say("is not one of {choices}", choices=", ".join(asked.choices)))
        return text
    if asked.kind == "date":
        value: Any = _parse_date(text)
    elif asked.kind == "whole":
        if not _WHOLE_NUMBER.fullmatch(text):
            raise ValueProblem(say("is not a whole number: write digits only"))
        value = int(text)
    elif asked.kind in ("number", "number_or_auto"):
        if asked.kind == "number_or_auto" and text == "auto":
            return text
        if not _PLAIN_NUMBER.fullmatch(text):
            hint = text.replace(",", ".")
            example = hint if "," in text and _PLAIN_NUMBER.fullmatch(hint) else "12.5"
            raise ValueProblem(
                say("is not a plain number: write digits with a decimal point, like {example}", example=example)
            )
        value = float(text)
    else:
        if _UNPRINTABLE.search(text):
            raise ValueProblem(say("holds control characters"))
        return text
    below = asked.low is not None and (value <= asked.low if asked.low_is_open else value < asked.low)
    if below or (asked.high is not None and value > asked.high):
        raise ValueProblem(say("is outside {span}", span=_span(asked)))
    return value


def _parse_date(text: str) -> date:
    try:
        if not _ISO_DATE.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise ValueProblem(say("is not a date: write year-month-day, like 2026-10-25")) from None


def _known_region(catalog: Catalog, text: str) -> None:
    regions = sorted({place.region for offer in catalog.apis.values() for place in offer.entry.residency})
    if text != "none" and text not in regions:
        raise ValueProblem(
            say("is not a region with a known price: one of none, {regions}", regions=", ".join(regions))
        )


def _known_zone(text: str) -> None:
    try:
        if not re.fullmatch(r"[A-Za-z0-9_+\-/]+", text):
            raise ValueError
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueProblem(say("is not an IANA time zone, like Europe/Berlin")) from None


def _known_calendar(text: str) -> None:
    try:
        check_calendar(text)
    except ValueError:
        raise ValueProblem(say("is not year, week or a month like 2026-10")) from None
    first, last = f"{EARLIEST_PRICE_DATE:%Y-%m}", f"{LATEST_PRICE_DATE:%Y-%m}"
    if text not in ("year", "week") and not first <= text <= last:
        raise ValueProblem(say("is outside {first} to {last}", first=first, last=last))


def check_known(catalog: Catalog, asked: Input, value: Any) -> None:
    """Raise ValueProblem for a name that the catalogue, the calendar or the currency list does not know."""
    if asked.key == "model" and value not in catalog.models:
        raise ValueProblem(say("is not a model of the catalogue"))
    if asked.key in ("gpu", "prefill_gpu") and value not in catalog.rentals:
        raise ValueProblem(say("is not a GPU rental of the catalogue"))
    if asked.key == "region":
        _known_region(catalog, value)
    if asked.key == "tz":
        _known_zone(value)
    if asked.key == "cur" and not re.fullmatch("[A-Z]{3}", value):
        raise ValueProblem(say("is not a currency code of three capital letters, like EUR"))
    if asked.key == "calendar":
        _known_calendar(value)
    if asked.key in _CODES:
        try:
            _CODES[asked.key](value)
        except ValueError as error:
            raise ValueProblem(str(error)) from None


class _Reader:
    """One pass over a query. Collects problems; every answer has a value to go on with."""

    def __init__(self, catalog: Catalog, query: Query) -> None:
        self.catalog = catalog
        self.query = query
        self.problems: list[Problem] = []

    def refuse(self, key: str, value: str, used: Any, reason: str) -> None:
        # What a message repeats must be fit to print: no control characters, no halves of characters.
        key, value = (_UNPRINTABLE.sub("\ufffd", text) for text in (key, value))
        shown = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
        label = f"{say(INPUTS[key].label)} ({key})" if key in INPUTS else key[:40]
        if used in (None, ""):
            message = say("{label}: “{value}” {reason}; it is left out.", label=label, value=shown, reason=reason)
        else:
            message = say(
                "{label}: “{value}” {reason}; using {used}.",
                label=label,
                value=shown,
                reason=reason,
                used=_plain(used),
            )
        self.problems.append(Problem(key[:40], shown, _plain(used), message))

    def single(self, asked: Input, default: Any) -> Any:
        texts = self.query.get(asked.key)
        if texts is None:
            return default
        if len(texts) > 1:
            self.refuse(asked.key, _all(texts), default, say("is given more than once"))
            return default
        try:
            value = parse_value(asked, texts[0])
            check_known(self.catalog, asked, value)
        except ValueProblem as problem:
            self.refuse(asked.key, texts[0], default, str(problem))
            return default
        return None if value == "" and asked.optional else value

    def several(self, asked: Input, default: tuple[str, ...], check: Callable[[str], object], most: int) -> Any:
        """The usable texts of an input that may be repeated, each once."""
        texts = self.query.get(asked.key)
        if texts is None:
            return default
        chosen: list[str] = []
        for text in texts:
            try:
                if text in chosen:
                    raise ValueProblem(say("is given more than once"))
                if len(chosen) == most:
                    raise ValueProblem(say("is one more than the {most} that can be used at a time", most=most))
                if len(text) > LONGEST_VALUE or _UNPRINTABLE.search(text):
                    raise ValueProblem(say("is too long or holds control characters"))
                check(text)
                chosen.append(text)
            except ValueError as problem:
                self.refuse(asked.key, text, None, str(problem))
        return tuple(chosen) or default

    def pins(self) -> tuple[str, ...]:
        """The usable pinned scenarios, each once, each as this program writes it."""
        chosen: list[str] = []
        for text in self.query.get("pin", ()):
            name = pin_name(text) if len(text) <= LONGEST_PIN else text
            try:
                if len(chosen) == MOST_PINS:
                    raise ValueProblem(say("is one more than the {most} that can be pinned", most=MOST_PINS))
                pin = pinned(self.catalog, text)
                if pin.text in chosen:
                    raise ValueProblem(say("is given more than once"))
            except ValueError as problem:
                self.refuse("pin", name or text, None, str(problem))
                continue
            chosen.append(pin.text)
            self.problems += [Problem("pin", name, name, _of_pin(name, message)) for message in pin.problems]
        return tuple(chosen)


def _of_pin(name: str, message: str) -> str:
    return say("Pinned “{name}”: {message}", name=name, message=message)


@dataclass(frozen=True)
class Pinned:
    """A pinned scenario: its name, text and query as this program writes them, its inputs, what was wrong with them."""

    name: str
    text: str
    query: str
    scenario: Scenario
    problems: tuple[str, ...]


def pinned(catalog: Catalog, text: str) -> Pinned:
    """A pinned scenario from its text. Raises ValueError, phrased to follow '“…” ', where it cannot be read."""
    return _pinned(catalog, text, spoken())


@lru_cache(maxsize=64)
def _pinned(catalog: Catalog, text: str, language: str) -> Pinned:
    """The same, read once for each language its problems are said in: the page reads its link on every run."""
    pin = parse_pin(text)
    decoded = decode(catalog, query_of(f"?{pin.query}"))
    query = pinned_query(decoded.scenario)
    kept = text if query == pin.query else pin_text(Pin(pin.name, query))
    problems = (*(each.message for each in decoded.problems), *decoded.notes)
    return Pinned(pin.name, kept, query, decoded.scenario, problems)


def pinned_query(scenario: Scenario) -> str:
    """What of a scenario a pin holds: its link without title, view, language and pins."""
    return link_of(pair for pair in encode(scenario) if pair[0] not in NOT_PINNED)[1:]


def pin_of(scenario: Scenario, *, name: str) -> str:
    """A scenario under a name, as the text of a pin. Raises ValueError where it cannot be pinned."""
    return pin_text(Pin(name, pinned_query(scenario)))


def _all(texts: Sequence[str]) -> str:
    """The values of a key that is given more than once, as a problem shows them."""
    return " and ".join(texts)


def decode(catalog: Catalog, query: Query) -> Decoded:
    """A query as a scenario, with every problem it had.

    Without keys it is the default example. `scenario=ID` opens that example, other keys change it. A link that names
    neither an example nor its hardware changes the default example. Any other link stands for itself: what it
    leaves out is neutral, or, where there is no neutral value, taken from the default example and said in a note.
    """
    reader = _Reader(catalog, query)
    if sum(len(key) + sum(map(len, texts)) for key, texts in query.items()) > LONGEST_LINK:
        reader.query = query = {}
        message = say(
            "The link is longer than {longest} characters and was not read; using the example “{example}”.",
            longest=LONGEST_LINK,
            example=DEFAULT_EXAMPLE,
        )
        reader.problems.append(Problem("", "", DEFAULT_EXAMPLE, message))
    notes: list[str] = []
    named = [key for key in query if key in INPUTS and key not in _PRESENTATION]
    example = _example_named(reader)
    stands_alone = example is None and ("v" in query or "gpu" in query)
    base = example_scenario(catalog, example or DEFAULT_EXAMPLE)
    for key, texts in query.items():
        if key == "v" and list(texts) != [LINK_VERSION]:
            reader.refuse("v", _all(texts), LINK_VERSION, say("is not a link version this program knows"))
        elif key not in INPUTS and key not in (*_RESERVED, "v", "scenario"):
            reader.refuse(key, _all(texts), None, say("is not a key of the link"))
    missing = [key for key, asked in INPUTS.items() if asked.required and key not in query]
    if stands_alone and missing:
        notes.append(
            say(
                "Not in the link, so taken from the example “{example}”: {keys}.",
                example=DEFAULT_EXAMPLE,
                keys=", ".join(missing),
            )
        )
    elif named and example is None and not stands_alone:
        notes.append(
            say(
                "The link changes only {keys}; all else is the example “{example}”.",
                keys=", ".join(named),
                example=DEFAULT_EXAMPLE,
            )
        )

    values: dict[str, Any] = {}
    for key, asked in INPUTS.items():
        own_default = stands_alone and not asked.required
        default = asked.default if own_default else getattr(base, asked.name)
        if key == "api":
            check = partial(parse_api_choice, catalog, on=values["asof"])
            values[key] = reader.several(asked, default, check, MOST_APIS)
        elif key == "range":
            values[key] = reader.several(asked, default, parse_range, MOST_RANGES)
        elif key == "pin":
            values[key] = reader.pins()
        else:
            values[key] = reader.single(asked, default)
    _settle(reader, values)
    assumed = _settle_traffic(reader, values)
    if assumed:
        notes.append(
            say("Not in the link, so taken from the assumptions of the catalogue: {inputs}.", inputs=", ".join(assumed))
        )
    return Decoded(Scenario.model_validate(values), _shortened(reader.problems), tuple(notes))


def _example_named(reader: _Reader) -> str | None:
    texts = reader.query.get("scenario")
    if texts is None:
        return None
    if len(texts) == 1 and texts[0] in reader.catalog.examples:
        return texts[0]
    reader.refuse("scenario", _all(texts), DEFAULT_EXAMPLE, say("is not an example of the catalogue"))
    return DEFAULT_EXAMPLE


def _settle(reader: _Reader, values: dict[str, Any]) -> None:
    """Inputs that only make sense together. Changes values in place, one Problem for each change."""
    if (values["prefill_gpu"] is None) != (values["prefill_gpus"] is None):
        given, lacking = _PREFILL_POOL if values["prefill_gpu"] is not None else _PREFILL_POOL[::-1]
        reason = say("needs {lacking} beside it to describe a prefill pool", lacking=lacking)
        reader.refuse(given, str(values[given]), None, reason)
        values["prefill_gpu"] = values["prefill_gpus"] = None
    if values["prefill_gpu"] is None and values["prefill_gpu_usd"] is not None:
        reader.refuse("prefill_gpu_usd", _plain(values["prefill_gpu_usd"]) or "", None, say("needs a prefill pool"))
        values["prefill_gpu_usd"] = None
    if values["cached"] + values["cache_write"] > 100:
        given = _plain(values["cache_write"]) or ""
        values["cache_write"] = 100 - values["cached"]
        reason = say("exceeds 100 % of the input together with cached")
        reader.refuse("cache_write", given, values["cache_write"], reason)
    if values["start"] >= values["end"]:
        hours = say("{low} to {high}", low=values["start"], high=values["end"])
        values["start"], values["end"] = INPUTS["start"].default, INPUTS["end"].default
        reader.refuse("start", hours, values["start"], say("does not start before it ends"))
    _settle_benchmark(reader, values)
    _settle_currency(reader, values)


def _settle_benchmark(reader: _Reader, values: dict[str, Any]) -> None:
    """A benchmark speaks for its own model only, and not beside the reader's own measurement."""
    if values["bench"] is None:
        return
    if values["bench"] not in reader.catalog.benchmarks_of(values["model"]):
        reason = say("is no benchmark of {model} in the library", model=values["model"])
        reader.refuse("bench", values["bench"], None, reason)
        values["bench"] = None
    elif values["loads"] is not None:
        reason = say("stands beside loads, your own benchmark, which is used instead")
        reader.refuse("bench", values["bench"], None, reason)
        values["bench"] = None


_ASSUMED = {"quiet": "diurnal_quiet_percent", "rest_day": "diurnal_rest_day_percent", "wait": "waiting_limit_percent"}


def assumed_value(catalog: Catalog, key: str, *, on: date) -> float:
    """What the catalogue assumes for an input that is needed and not given: quiet, rest_day or wait.

    >>> from costmodel.catalog import catalog
    >>> assumed_value(catalog(), "wait", on=date(2026, 10, 25))
    5.0
    """
    name = _ASSUMED[key]
    return in_force(catalog.assumptions[name].history, on=on, what=name).value


def _settle_traffic(reader: _Reader, values: dict[str, Any]) -> list[str]:
    """The inputs of traffic in time that need each other; what was filled in from the catalogue's assumptions."""
    if values["traffic"] == "imported" and values["profile"] is None:
        values["traffic"] = INPUTS["traffic"].default
        reason = say("needs profile beside it, the 168 hours of a week")
        reader.refuse("traffic", "imported", values["traffic"], reason)
    if values["busy_days"] is not None:
        why_not = _why_no_busy_days(values)
        if why_not:
            reader.refuse("busy_days", _plain(values["busy_days"]) or "", None, why_not)
            values["busy_days"] = None
    if values["against"] is not None and values["against"] not in values["api"]:
        reader.refuse("against", values["against"], None, say("is not one of the API prices of this link"))
        values["against"] = None
    lacking = [key for key in ("quiet", "rest_day") if values["traffic"] == "diurnal" and values[key] is None]
    lacking += ["wait"] if values["slots"] is not None and values["wait"] is None else []
    for key in lacking:
        values[key] = assumed_value(reader.catalog, key, on=values["asof"])
    return [f"{key} ({_plain(values[key])})" for key in lacking]


def _why_no_busy_days(values: dict[str, Any]) -> str | None:
    if values["traffic"] != "business":
        return say("counts the days of business traffic, but the traffic is of another kind")
    if len(parse_days(values["days"])) == DAYS_PER_WEEK:
        return say("needs a day of the week that is not busy")
    if values["busy_days"] * HOURS_PER_DAY > values["hours"]:
        return say("is more days than {hours} hours have", hours=_plain(values["hours"]))
    return None


def _settle_currency(reader: _Reader, values: dict[str, Any]) -> None:
    code, given = values["cur"], "fx" in reader.query
    if code == "USD":
        if values["fx"] != 1:
            reader.refuse("fx", _plain(values["fx"]) or "", 1, say("is a rate, but the currency is the US dollar"))
            values["fx"] = 1.0
        return
    if given:
        return
    currency = reader.catalog.currencies.get(code)
    try:
        history = currency.history if currency else ()
        values["fx"] = in_force(history, on=values["asof"], what=say("{currency} per US dollar", currency=code)).per_usd
    except NotInForceError as error:
        reason = say("has no rate ({why}); give fx, the units per US dollar", why=error)
        reader.refuse("cur", code, "USD", reason)
        values["cur"], values["fx"] = "USD", 1.0


def _shortened(problems: list[Problem]) -> tuple[Problem, ...]:
    if len(problems) <= MOST_PROBLEMS:
        return tuple(problems)
    rest = len(problems) - MOST_PROBLEMS
    message = say("The link has {count} more problems of this kind.", count=rest)
    return (*problems[:MOST_PROBLEMS], Problem("", "", None, message))


def example_scenario(catalog: Catalog, identifier: str) -> Scenario:
    """A named example as a scenario, its inputs read as strictly as a link's."""
    inputs = catalog.examples[identifier].inputs
    values: dict[str, Any] = {}
    for key, asked in INPUTS.items():
        given = inputs.get(key)
        if asked.kind == "list":
            values[key] = tuple(given) if isinstance(given, tuple | list) else (given,) if given else ()
        elif given is None and not asked.required:
            values[key] = asked.default
        elif not isinstance(given, str):
            raise ValueProblem(f"example {identifier}: {key} is missing or not one value")
        else:
            value = parse_value(asked, given)
            check_known(catalog, asked, value)
            values[key] = value
    return Scenario.model_validate(values)


def encode(scenario: Scenario) -> list[tuple[str, str]]:
    """A scenario as the pairs of its link: version first, every input in fixed order, defaults included."""
    pairs = [("v", LINK_VERSION)]
    for key, asked in INPUTS.items():
        value = getattr(scenario, asked.name)
        if asked.kind == "list":
            pairs += [(key, each) for each in value]
        elif value is not None and value != "":
            pairs.append((key, _plain(value) or ""))
    return pairs


def link_of(pairs: Iterable[tuple[str, str]]) -> str:
    """The query string of a link, ready to follow an address."""
    return "?" + urlencode(list(pairs), quote_via=quote, safe=":@,")


@lru_cache(maxsize=256)
def link(scenario: Scenario) -> str:
    """The full link of a scenario, as a query string."""
    return link_of(encode(scenario))
