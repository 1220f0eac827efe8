"""The API bill: list prices, peak hours, batch, long context and residency, as parts of one quote."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from costmodel.choices import ApiChoice, window_name
from costmodel.dated import Dated, DatedEntry, NotInForceError, in_force
from costmodel.language import number_text, say
from costmodel.ledger import CostLine
from costmodel.records import CHEAPEST_USD_PER_MTOK, ApiOffer, ApiPrice, PriceWindow, TokenPrices
from costmodel.words import count_text
from costmodel.workload import share as share_of


@dataclass(frozen=True)
class TokenMix:
    """The tokens behind one output token: input per output, and the shares of the input that are not plain input."""

    input_per_output: float
    cached_share: float = 0
    cache_write_share: float = 0


@dataclass(frozen=True)
class PricePart:
    """A share of the tokens and the prices they are billed at."""

    name: str
    share: float
    prices: TokenPrices
    source: Dated | None


@dataclass(frozen=True)
class Surcharge:
    """A residency surcharge on the whole bill."""

    region: str
    share: float
    source: Dated


@dataclass(frozen=True)
class Quote:
    """One API's prices for one kind of traffic: shares of the tokens by price, a surcharge, and what to know."""

    choice: ApiChoice
    parts: tuple[PricePart, ...]
    surcharge: Surcharge | None
    peak_share: float | None
    batch_share: float
    """Share of the tokens billed at a batch price; 0 where the vendor has none."""
    notes: tuple[str, ...]


def api_usd_per_bundle(
    *,
    input_per_output: float,
    cached_share: float,
    cache_write_share: float,
    usd_input: float,
    usd_cached_input: float,
    usd_cache_write: float,
    usd_output: float,
) -> float:
    """What an API charges for 1M output tokens with the input that goes with them, US dollars.

    Formula: A = r · ((1 - h - w) · p_in + h · p_cached + w · p_write) + p_out
    Assumes: cached and written tokens are parts of the input, never additions to it; reasoning is part of the output.
    Source: DeepSeek off-peak 0.15 / 0.003 / 0.60 with 4:1 input, half cached (tokely.me, 25 October 2026): $0.906.

    >>> round(api_usd_per_bundle(input_per_output=4, cached_share=0.5, cache_write_share=0, usd_input=0.15,
    ...                          usd_cached_input=0.003, usd_cache_write=0.15, usd_output=0.60), 6)
    0.906
    """
    plain_share = 1 - cached_share - cache_write_share
    usd_per_input = plain_share * usd_input + cached_share * usd_cached_input + cache_write_share * usd_cache_write
    return input_per_output * usd_per_input + usd_output


def mean_usd_over_shares(*, usd: tuple[float, ...], shares: tuple[float, ...]) -> float:
    """The mean price of traffic that is billed at several prices (peak and off-peak, batch and standard).

    Formula: mean = Σ share_i · price_i
    Assumes: the shares are of this traffic's tokens and add up to 1; the token mix is the same in all of them.
    Source: a flat week has 35 of its 168 hours in DeepSeek's peak windows: 0.60 off-peak, 1.20 peak give $0.725.

    >>> round(mean_usd_over_shares(usd=(0.60, 1.20), shares=(133 / 168, 35 / 168)), 4)
    0.725
    """
    return sum(price * part for price, part in zip(usd, shares, strict=True))


def with_surcharge(*, usd: float, surcharge_share: float) -> float:
    """A price with a residency surcharge on the whole of it.

    Formula: A · (1 + ρ)
    Assumes: the surcharge applies to every kind of token alike.
    Source: OpenAI's +10 % for processing in the EU (pikas.systems, September 2026).

    >>> round(with_surcharge(usd=20, surcharge_share=0.10), 6)
    22.0
    """
    return usd * (1 + surcharge_share)


def largest_output_tok_s(*, concurrent_requests: float, tok_s_per_stream: float) -> float:
    """The most output an account can draw under a vendor's concurrency limit, tok/s.

    Formula: requests · tok/s of one stream
    Assumes: every request streams output all the time, so the real limit is lower.
    Source: DeepSeek's limit of 2,500 concurrent requests at 200 tok/s each.

    >>> largest_output_tok_s(concurrent_requests=2_500, tok_s_per_stream=200)
    500000
    """
    return concurrent_requests * tok_s_per_stream


def bundle_usd(prices: TokenPrices, mix: TokenMix) -> float:
    """Price of a bundle at one set of token prices. A missing cached or write price is the input price, never zero."""
    return api_usd_per_bundle(
        input_per_output=mix.input_per_output,
        cached_share=mix.cached_share,
        cache_write_share=mix.cache_write_share,
        usd_input=prices.input,
        usd_cached_input=prices.input if prices.cached_input is None else prices.cached_input,
        usd_cache_write=prices.input if prices.cache_write is None else prices.cache_write,
        usd_output=prices.output,
    )


def quote_usd_per_bundle(quote: Quote, mix: TokenMix) -> float:
    """Mean price of a bundle over all parts of a quote, surcharge included."""
    mean = mean_usd_over_shares(
        usd=tuple(bundle_usd(part.prices, mix) for part in quote.parts),
        shares=tuple(part.share for part in quote.parts),
    )
    return with_surcharge(usd=mean, surcharge_share=quote.surcharge.share if quote.surcharge else 0)


def quote_lines(quote: Quote, mix: TokenMix, *, output_mtok: float) -> tuple[CostLine, ...]:
    """The API bill for some output: one line for each price and kind of token, and the surcharge."""
    lines: list[CostLine] = []
    input_mtok = output_mtok * mix.input_per_output
    for part in quote.parts:
        plain_share = 1 - mix.cached_share - mix.cache_write_share
        prices = part.prices
        kinds = (
            ("Input", input_mtok * plain_share, prices.input),
            ("Cached input", input_mtok * mix.cached_share, prices.cached_input),
            ("Input written to the cache", input_mtok * mix.cache_write_share, prices.cache_write),
            ("Output", output_mtok, prices.output),
        )
        for kind, mtok, usd_per_mtok in kinds:
            if mtok * part.share > 0 or (kind == "Output" and output_mtok == 0):
                price = prices.input if usd_per_mtok is None else usd_per_mtok
                name = f"{kind}, {part.name}" if part.name else kind
                lines.append(CostLine(name, mtok * part.share, "Mtok", price, (part.source,) if part.source else ()))
    if quote.surcharge:
        subtotal = sum(line.usd for line in lines)
        name = f"Surcharge for processing in {quote.surcharge.region.upper()}"
        lines.append(
            CostLine(name, subtotal, "USD of the lines above", quote.surcharge.share, (quote.surcharge.source,))
        )
    return tuple(lines)


@dataclass(frozen=True)
class Terms:
    """What a quote depends on besides the API itself. `peak_share` gives this traffic's share inside some windows."""

    on: date
    peak_share: Callable[[tuple[PriceWindow, ...]], float]
    batch_share: float
    request_input_tokens: int | None
    region: str
    mix: TokenMix


def quote(choice: ApiChoice, terms: Terms) -> Quote:
    """The prices of one API for this traffic. Raises NotInForceError where none is known for the day."""
    if choice.offer is None:
        return _own_quote(choice, terms)
    offer = choice.offer
    notes: list[str] = []
    price = in_force(offer.entry.history, on=terms.on, what=say("Price of {name}", name=offer.name))
    peak_share = _peak_share(choice, price, terms)
    standard = _long_context_part(offer, terms) or _window_parts(price, peak_share)
    batch = _batch_part(offer, terms, notes)
    if batch is None:
        parts = standard
    else:
        parts = (*(replace(part, share=part.share * (1 - batch.share)) for part in standard), batch)
    parts = tuple(part for part in parts if part.share > 0)
    notes += _missing_prices(offer.name, parts, terms.mix)
    batch_share = batch.share if batch else 0.0
    return Quote(choice, parts, _surcharge(offer, terms, notes), peak_share, batch_share, tuple(notes))


def _own_quote(choice: ApiChoice, terms: Terms) -> Quote:
    """A price the reader typed: one price at all hours, no batch, no surcharge."""
    prices = choice.custom
    assert prices is not None, "a choice is of the catalogue or of the reader's own"
    part = PricePart("", 1, prices, None)
    notes = _missing_prices(choice.name, (part,), terms.mix)
    kinds = ((say("input"), prices.input), (say("cached input"), prices.cached_input), (say("output"), prices.output))
    for kind, usd in kinds:
        if usd is not None and 0 < usd < CHEAPEST_USD_PER_MTOK:
            notes.append(
                say(
                    "{name}: {usd} $ per 1M {kind} tokens is very low. Is it a price per token?",
                    name=choice.name,
                    usd=number_text(f"{usd:f}"),
                    kind=kind,
                )
            )
    return Quote(choice, (part,), None, None, 0.0, tuple(notes))


def _peak_share(choice: ApiChoice, price: ApiPrice, terms: Terms) -> float | None:
    """Share of the tokens billed at the window's price; None where the vendor has one price at all hours."""
    if not price.windows:
        return None
    if choice.window is None:
        return terms.peak_share(price.windows)
    return 0.0 if choice.window == price.base_name else 1.0


def _window_parts(price: ApiPrice, peak_share: float | None) -> tuple[PricePart, ...]:
    if peak_share is None:
        return (PricePart("", 1, price.usd_per_mtok, price),)
    window = price.windows[0]
    return (
        PricePart(window_name(price.base_name), 1 - peak_share, price.usd_per_mtok, price),
        PricePart(window_name(window.name), peak_share, window.usd_per_mtok, price),
    )


def _in_force_or_none(history: Sequence[DatedEntry], on: date) -> DatedEntry | None:
    try:
        return in_force(history, on=on, what="")
    except NotInForceError:
        return None


def _is_long(offer: ApiOffer, terms: Terms) -> bool:
    tier = _in_force_or_none(offer.entry.long_context, terms.on)
    return tier is not None and (terms.request_input_tokens or 0) > tier.above_input_tokens


def _long_context_part(offer: ApiOffer, terms: Terms) -> tuple[PricePart, ...] | None:
    tier = _in_force_or_none(offer.entry.long_context, terms.on)
    if tier is None or not _is_long(offer, terms):
        return None
    return (PricePart(f"requests above {tier.above_input_tokens:,} tokens", 1, tier.usd_per_mtok, tier),)


def _batch_part(offer: ApiOffer, terms: Terms, notes: list[str]) -> PricePart | None:
    if terms.batch_share == 0:
        return None
    batch = _in_force_or_none(offer.entry.batch, terms.on)
    if batch is None:
        notes.append(
            say(
                "{name} has no known batch price on this day: all tokens are billed at the standard price.",
                name=offer.name,
            )
        )
        return None
    prices = batch.usd_per_mtok
    if _is_long(offer, terms) and batch.long_context_usd_per_mtok is not None:
        prices = batch.long_context_usd_per_mtok
    return PricePart("batch", terms.batch_share, prices, batch)


def _surcharge(offer: ApiOffer, terms: Terms, notes: list[str]) -> Surcharge | None:
    if terms.region == "none":
        return None
    places = [place for place in offer.entry.residency if place.region == terms.region]
    place = _in_force_or_none(places, terms.on)
    if place is None:
        notes.append(
            say(
                "{name}: no price for processing in {region} is known, so none is added. "
                "Ask the vendor whether it offers it at all.",
                name=offer.name,
                region=terms.region.upper(),
            )
        )
        return None
    return Surcharge(terms.region, share_of(place.surcharge_percent), place)


def _missing_prices(name: str, parts: tuple[PricePart, ...], mix: TokenMix) -> list[str]:
    notes = []
    if mix.input_per_output and mix.cached_share and any(part.prices.cached_input is None for part in parts):
        notes.append(
            say("{name}: no cached price is known, so cached input is billed at the full input price.", name=name)
        )
    if mix.input_per_output and mix.cache_write_share and any(part.prices.cache_write is None for part in parts):
        notes.append(
            say("{name}: no cache-write price is known, so cache writes are billed at the input price.", name=name)
        )
    return notes


def concurrency_note(choice: ApiChoice, *, on: date, output_tok_s: float) -> str | None:
    """Whether the vendor's concurrency limit carries this output, where limit and stream speed are both known."""
    if choice.offer is None:
        return None
    limit = _in_force_or_none(choice.offer.entry.concurrency_limit, on)
    speed = _in_force_or_none(choice.offer.entry.speed, on)
    if limit is None or speed is None:
        return None
    most = largest_output_tok_s(concurrent_requests=limit.requests, tok_s_per_stream=speed.output_tok_s_high)
    if output_tok_s <= most:
        return None
    return say(
        "{name} allows {requests} concurrent requests per account, at most about {most} output tok/s; this scenario "
        "serves {served}.",
        name=choice.offer.name,
        requests=count_text(limit.requests),
        most=count_text(most),
        served=count_text(output_tok_s),
    )
