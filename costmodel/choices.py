"""What `api=` in a link can name: a catalogue model, one of its price windows, or a price of the reader's own."""

import re
from dataclasses import dataclass
from datetime import date

from costmodel.catalog import Catalog
from costmodel.dated import NotInForceError, in_force
from costmodel.language import say
from costmodel.records import DEAREST_USD_PER_MTOK, ApiOffer, TokenPrices

LONGEST_NAME = 40
_PRICE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,12})?")


class ApiChoiceError(ValueError):
    """Why a text names no API price, phrased to follow '“…” '."""


@dataclass(frozen=True)
class ApiChoice:
    """One API price line: of the catalogue (`offer`, maybe one window of it) or of the reader's own (`custom`)."""

    id: str
    name: str
    offer: ApiOffer | None = None
    window: str | None = None
    custom: TokenPrices | None = None


def window_name(window: str) -> str:
    """A window's name as bills and the JSON answer write it.

    >>> window_name("off_peak")
    'off-peak'
    """
    return window.replace("_", "-")


def window_label(window: str) -> str:
    """A window's name as a reader sees it.

    >>> window_label("off_peak")
    'off-peak'
    """
    known = {"peak": say("peak"), "off_peak": say("off-peak")}
    return known.get(window) or window_name(window)


def custom_choice_id(*, name: str, usd_input: str, usd_cached: str, usd_output: str) -> str:
    """The link's form of a price of one's own: custom:Name:input:cached:output, $ per 1M tokens.

    >>> custom_choice_id(name="Our quote", usd_input="0.1", usd_cached="", usd_output="0.4")
    'custom:Our quote:0.1::0.4'
    """
    return f"custom:{name}:{usd_input}:{usd_cached}:{usd_output}"


def _custom(text: str) -> ApiChoice:
    parts = text.split(":")
    if len(parts) != 5:
        raise ApiChoiceError(say("does not have the form custom:Name:input:cached:output (no colon in the name)"))
    _, name, *prices = parts
    if not name.strip() or len(name) > LONGEST_NAME:
        raise ApiChoiceError(say("needs a name of 1 to {longest} characters", longest=LONGEST_NAME))
    fields = dict(zip(("input", "cached input", "output"), prices, strict=True))
    kinds = {"input": say("input"), "cached input": say("cached input"), "output": say("output")}
    for field, price in fields.items():
        if price == "" and field == "cached input":
            continue
        if not _PRICE.fullmatch(price):
            raise ApiChoiceError(
                say("has no plain number as its {kind} price in $ per 1M tokens, like 0.15", kind=kinds[field])
            )
        if float(price) > DEAREST_USD_PER_MTOK:
            raise ApiChoiceError(
                say(
                    "costs over {dearest} $ per 1M {kind} tokens: is it per 1M tokens?",
                    dearest=DEAREST_USD_PER_MTOK,
                    kind=kinds[field],
                )
            )
    usd_input, usd_output = float(fields["input"]), float(fields["output"])
    usd_cached = float(fields["cached input"]) if fields["cached input"] else None
    if usd_cached is not None and usd_cached > usd_input:
        raise ApiChoiceError(say("has a cached input price above its input price: are they swapped?"))
    prices_per_mtok = TokenPrices.model_construct(
        input=usd_input, cached_input=usd_cached, cache_write=None, cache_write_1h=None, output=usd_output
    )
    return ApiChoice(id=text, name=name.strip(), custom=prices_per_mtok)


def parse_api_choice(catalog: Catalog, text: str, *, on: date) -> ApiChoice:
    """The price line a link value names. Raises ApiChoiceError with the reason it names none.

    A catalogue model whose price starts only after the day is still a choice; its line says so.
    """
    if text.startswith("custom:"):
        return _custom(text)
    identifier, at, window = text.partition("@")
    offer = catalog.apis.get(identifier)
    if offer is None:
        raise ApiChoiceError(say("is not an API of the catalogue (vendor:model)"))
    if not at:
        return ApiChoice(id=text, name=offer.name, offer=offer)
    try:
        price = in_force(offer.entry.history, on=on, what=offer.name)
        names = [price.base_name, *(each.name for each in price.windows)] if price.windows else []
    except NotInForceError:
        names = [window]
    if window not in names:
        if not names:
            raise ApiChoiceError(
                say("names a price window that does not exist on that day: it has one price at all hours")
            )
        known = ", ".join("@" + each for each in names)
        raise ApiChoiceError(say("names a price window that does not exist on that day: only {known}", known=known))
    return ApiChoice(id=text, name=f"{offer.name}, {window_label(window)}", offer=offer, window=window)
