"""The sheet API prices: every part of each API's price, the share of the tokens billed at it, and the mean."""

from dataclasses import dataclass

from costmodel.api import PricePart, TokenMix, bundle_usd, quote_usd_per_bundle
from costmodel.compare import Comparison, terms_of
from costmodel.exports.book.cells import PRICE, SHARE, Book, Sheet
from costmodel.exports.book.looked_up import ApiFacts
from costmodel.exports.sources import OWN_INPUT, entry_text
from costmodel.units import PERCENT

_API, _PART, _INPUT, _CACHED, _WRITE, _OUTPUT, _COUNTED, _SHARE, _BUNDLE, _SURCHARGE, _MEAN, _SOURCE = range(12)
_HEADS = (
    "API", "Part of the price", "Input, $ per 1M", "Cached input", "Written to the cache", "Output",
    "Tokens in the window as counted, %", "Share of the tokens, %", "1M output tokens with their input, $",
    "Surcharge for the region, %", "Mean of the parts with surcharge, $", "Where from",
)  # fmt: skip


@dataclass(frozen=True)
class PartCells:
    """Where the figures of one part of a price stand."""

    part: PricePart
    share: str
    share_now: float
    usd_input: str
    usd_cached: str
    usd_write: str
    usd_output: str


@dataclass(frozen=True)
class ApiCells:
    """Where the figures of one API stand."""

    facts: ApiFacts
    parts: tuple[PartCells, ...]
    surcharge: str
    surcharge_share: float
    usd_per_bundle: str
    usd_per_bundle_now: float


def write_prices(book: Book, comparison: Comparison, facts: tuple[ApiFacts, ...]) -> tuple[ApiCells, ...]:
    """The sheet; returns where everything on it stands."""
    sheet = book.sheet("API prices", (34, 26, 14, 14, 14, 14, 20, 14, 20, 16, 20, 80))
    sheet.text(
        _API, "Prices on the price date. Changes here count in this file only: opened in the app, the file brings"
    )
    sheet.next()
    sheet.text(
        _API,
        "back the inputs. Empty: no such price is known, so the input price is used. Shares follow peak and batch.",
    )
    sheet.next(2)
    sheet.heads(*_HEADS)
    sheet.page.freeze_panes(sheet.row, 1)
    return tuple(_api(sheet, comparison, each) for each in facts)


def _api(sheet: Sheet, comparison: Comparison, facts: ApiFacts) -> ApiCells:
    answer, scenario = facts.answer, comparison.scenario
    mix = terms_of(scenario).mix
    first = sheet.row
    batch_share = scenario.batch_percent / PERCENT if facts.batch else 0.0
    peak = scenario.peak_percent if scenario.peak_percent != "auto" else facts.counted_peak_percent
    peak_share = 0.0 if facts.counted_peak_percent is None or peak is None else peak / PERCENT
    counted = sheet.address(_COUNTED, first)
    if facts.counted_peak_percent is not None:
        sheet.number(_COUNTED, facts.counted_peak_percent, "looked_up", SHARE)
    batch = "batch_percent" if facts.batch else "0"
    in_window = f"IF(ISNUMBER(peak_percent),peak_percent,{counted})"
    outside = f"({PERCENT}-{batch})"
    shares = [(outside, 1 - batch_share)]
    if facts.counted_peak_percent is not None:
        shares = [
            (f"({PERCENT}-{in_window})*{outside}/{PERCENT}", (1 - peak_share) * (1 - batch_share)),
            (f"{in_window}*{outside}/{PERCENT}", peak_share * (1 - batch_share)),
        ]
    parts = list(facts.standard)
    if facts.batch:
        parts.append(facts.batch)
        shares.append(("batch_percent", batch_share))
    cells = [
        _part(sheet, answer.name, part, formula, now, mix) for part, (formula, now) in zip(parts, shares, strict=True)
    ]
    surcharge = facts.surcharge.share if facts.surcharge else 0.0
    last = sheet.row - 1
    sheet.row = first
    sheet.number(_SURCHARGE, surcharge * PERCENT, "looked_up", SHARE)
    over = sheet.address(_SURCHARGE)
    usd = quote_usd_per_bundle(answer.quote, mix) if answer.quote else 0.0
    spans = f"{sheet.span(_SHARE, first, last)},{sheet.span(_BUNDLE, first, last)}"
    mean = sheet.live(_MEAN, f"SUMPRODUCT({spans})/{PERCENT}*(1+{over}/{PERCENT})", usd, PRICE)
    sheet.row = last + 1
    return ApiCells(facts, tuple(cells), over, surcharge, mean, usd)


def _part(sheet: Sheet, name: str, part: PricePart, formula: str, now: float, mix: TokenMix) -> PartCells:
    prices = part.prices
    sheet.text(_API, name)
    sheet.text(_PART, part.name or "at all hours")
    figures = (
        (_INPUT, prices.input),
        (_CACHED, prices.cached_input),
        (_WRITE, prices.cache_write),
        (_OUTPUT, prices.output),
    )
    for column, usd in figures:
        if usd is None:
            sheet.empty(column, "looked_up")
        else:
            sheet.number(column, usd, "looked_up", PRICE)
    share = sheet.live(_SHARE, formula, now * PERCENT, SHARE)
    plain = sheet.address(_INPUT)
    cached, write = (
        f"IF(ISNUMBER({sheet.address(column)}),{sheet.address(column)},{plain})" for column in (_CACHED, _WRITE)
    )
    output = sheet.address(_OUTPUT)
    bundle = (
        f"input_per_output*(({PERCENT}-cached_percent-cache_write_percent)*{plain}+cached_percent*{cached}"
        f"+cache_write_percent*{write})/{PERCENT}+{output}"
    )
    sheet.live(_BUNDLE, bundle, bundle_usd(prices, mix), PRICE)
    sheet.text(_SOURCE, entry_text(part.source) if part.source else OWN_INPUT, "muted")
    sheet.next()
    return PartCells(part, share, now, plain, cached, write, output)
