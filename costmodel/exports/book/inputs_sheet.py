"""The sheet Inputs: every input by its link key, what stands in for empty ones, and whether the file recomputes it.

This is the sheet that the page reads back, so its columns Key and Value hold the link and nothing else.
"""

from datetime import date
from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.defaults import ASSUMED_BY
from costmodel.exports.book.cells import PRICE, Book, Sheet
from costmodel.exports.book.looked_up import PoolFacts
from costmodel.exports.data import rounded
from costmodel.exports.sources import entry_text, origin_of
from costmodel.exports.words import Words
from costmodel.inputs.asked import Input
from costmodel.link import LINK_VERSION, link
from costmodel.scenario import INPUTS

KEY, NAME, VALUE, UNIT, ORIGIN, WHEN_EMPTY, EMPTY_ORIGIN, IN_USE, EFFECT, CHECK = range(10)
HEADS = (
    "Key", "Name", "Value", "Unit", "Where from", "Used when empty", "Where from", "In use", "In this file", "Check",
)  # fmt: skip
_WIDTHS = (16, 27, 24, 28, 44, 12, 30, 12, 52, 30)
RECOMPUTES = "changing it recomputes every sheet"
_NO_FIGURE = "no figure depends on it"
_FREE = (
    "util", "gpus", "gpu_usd", "units", "tps", "prefill_tps", "eff", "ratio", "cached", "own_cached", "cache_write",
    "peak", "batch", "hours", "fx", "vat", "vat_back", "basis", "acquire", "spare", "kv_tb", "network", "support",
    "staff", "storage", "egress", "setup",
)  # fmt: skip
_OF_PREFILL_POOL = ("prefill_gpus", "prefill_gpu_usd", "prefill_eff")
_NEEDS_APP = {
    "asof": "prices are looked up by date: change it in the app",
    "model": "throughput, licence and APIs go with it: change it in the app",
    "gpu": "its price and instance size are looked up: change it in the app",
    "prefill_gpu": "its price and instance size are looked up: change it in the app",
    "api": "its prices are looked up, see API prices: choose others in the app",
    "region": "surcharges are looked up by region, see API prices: change it in the app",
    "request": "long-context prices are looked up by it: change it in the app",
    "cur": "change the exchange rate (fx) with it",
    "slo": "the throughput at a promised speed is read off a benchmark: change it in the app",
    "bench": "the throughput at a promised speed is read off a benchmark: change it in the app",
    "loads": "the throughput at a promised speed is read off a benchmark: change it in the app",
    "accept": "its effect is read off a benchmark: change it in the app",
}
_COUNTED = "the peak shares on the sheet API prices are counted from it: change it in the app"
_OF_TRAFFIC = (
    "calendar", "traffic", "tz", "start", "end", "days", "busy_days", "quiet", "rest_day", "profile",
)  # fmt: skip
_OTHER_VIEW = "not part of this comparison: a view of the app uses it"
_PROMISED = "the throughput at the promised speed, below, is used instead"
_NO_PREFILL_POOL = "adding a prefill pool takes a rental with its price: do it in the app"


def write_inputs(
    book: Book, catalog: Catalog, comparison: Comparison, words: Words, pools: tuple[PoolFacts, ...], *, address: str
) -> Sheet:
    """The sheet, with a name for each cell that formulas use."""
    sheet = book.sheet("Inputs", _WIDTHS)
    _head(sheet, comparison, words)
    sheet.heads(*HEADS)
    sheet.page.freeze_panes(sheet.row, VALUE)
    first = sheet.row
    recomputed = recomputed_keys(comparison)
    for is_recomputed, group in ((True, "Inputs to change here"), (False, "The rest of the scenario")):
        sheet.text(NAME, group, bold=True)
        sheet.next()
        for asked in INPUTS.values():
            if (asked.key in recomputed) == is_recomputed:
                for value in _values(comparison, asked):
                    _input_row(sheet, catalog, comparison, asked, value, is_recomputed=is_recomputed)
    _row(sheet, "v", "Version of the link", LINK_VERSION, effect=_NO_FIGURE)
    _row(sheet, "link", "The scenario as exported", f"{address}{link(comparison.scenario)}", effect="stays as exported")
    checks = sheet.span(CHECK, first, sheet.row - 1)
    sheet.next()
    _looked_up(sheet, comparison, pools)
    sheet.next()
    sheet.text(NAME, "Inputs out of bounds", bold=True)
    sheet.live(VALUE, f'COUNTIF({checks},"?*")', 0, bold=True)
    sheet.text(ORIGIN, "counted from the column Check; above 0, the results are withheld")
    sheet.call("input_problems", VALUE, 0)
    return sheet


def recomputed_keys(comparison: Comparison) -> frozenset[str]:
    """Link keys of the inputs that formulas use."""
    has_prefill_pool = len(comparison.self_host.pools) > 1
    return frozenset((*_FREE, *ASSUMED_BY, *(_OF_PREFILL_POOL if has_prefill_pool else ())))


def _head(sheet: Sheet, comparison: Comparison, words: Words) -> None:
    sheet.text(KEY, words.title, bold=True)
    sheet.next()
    sheet.text(KEY, " ".join(words.notes))
    sheet.next()
    sheet.text(KEY, "Blue on yellow: an input to change.", "input")
    sheet.text(VALUE, "Blue on grey: looked up by the app.", "looked_up")
    sheet.text(ORIGIN, "Black: a formula. The answer is on the sheets Model, Bills, Break-even and Curve.")
    sheet.next(2)


def _values(comparison: Comparison, asked: Input) -> tuple[Any, ...]:
    """What an input holds: one value, one a row for a list, or nothing."""
    value = getattr(comparison.scenario, asked.name)
    if isinstance(value, tuple):
        return value or (None,)
    return (value,)


def _input_row(
    sheet: Sheet, catalog: Catalog, comparison: Comparison, asked: Input, value: Any, *, is_recomputed: bool
) -> None:
    origin = origin_of(catalog, comparison, asked.key)
    effect = RECOMPUTES if is_recomputed else _effect(asked.key, comparison)
    if asked.key == "tps" and not comparison.self_host.throughput.is_typed:
        effect = _PROMISED
    if is_recomputed:
        _named(sheet, asked, value)
        _check(sheet, asked)
    if asked.key in ASSUMED_BY:
        _when_empty(sheet, catalog, comparison, asked, value)
    _row(sheet, asked.key, asked.label, value, unit=asked.unit, origin=origin, effect=effect)


def _row(sheet: Sheet, key: str, name: str, value: Any, *, unit: str = "", origin: str = "", effect: str = "") -> None:
    sheet.text(KEY, key)
    sheet.text(NAME, name)
    _put(sheet, value)
    for column, text in ((UNIT, unit), (ORIGIN, origin), (EFFECT, effect)):
        sheet.text(column, text, "muted")
    sheet.next()


def _put(sheet: Sheet, value: Any) -> None:
    """A value as its type: days as days, numbers as numbers, words as words, nothing as an empty input."""
    if value is None or value == "":
        sheet.empty(VALUE, "input")
    elif isinstance(value, date):
        sheet.day(VALUE, value, "input")
    elif isinstance(value, int | float):
        sheet.number(VALUE, rounded(value), "input")
    else:
        sheet.text(VALUE, str(value), "input")


def _named(sheet: Sheet, asked: Input, value: Any) -> None:
    sheet.call(asked.name, VALUE, "" if value is None else value)


def _when_empty(sheet: Sheet, catalog: Catalog, comparison: Comparison, asked: Input, value: Any) -> None:
    """The assumption that stands in, and which of the two is in use, under the name ending in _used."""
    assumption = catalog.assumptions[ASSUMED_BY[asked.key]]
    entry = max(
        (each for each in assumption.history if each.since <= comparison.scenario.price_date),
        key=lambda each: each.since,
    )
    sheet.number(WHEN_EMPTY, entry.value, "looked_up")
    sheet.text(EMPTY_ORIGIN, f"{assumption.name}: {entry_text(entry)}", "muted")
    own, assumed = sheet.address(VALUE), sheet.address(WHEN_EMPTY)
    in_use = entry.value if value is None else float(value)
    sheet.live(IN_USE, f"IF(ISNUMBER({own}),{own},{assumed})", in_use)
    sheet.call(used(asked.name), IN_USE, in_use)


def used(name: str) -> str:
    """The name under which formulas find an input, or what stands in for it."""
    return f"{name}_used"


def _effect(key: str, comparison: Comparison) -> str:
    if key in ("title", "view", "lang"):
        return _NO_FIGURE
    if key in (*_OF_PREFILL_POOL, "prefill_gpu") and len(comparison.self_host.pools) == 1:
        return _NO_PREFILL_POOL
    return _COUNTED if key in _OF_TRAFFIC else _NEEDS_APP.get(key, _OTHER_VIEW)


def _check(sheet: Sheet, asked: Input) -> None:
    """Says what is wrong with a value that the app would refuse; empty where nothing is."""
    cell = sheet.address(VALUE)
    if asked.kind == "choice":
        options = ",".join(f'{cell}="{option}"' for option in asked.choices)
        fine, wrong = f"OR({options})", f"one of {', '.join(asked.choices)}"
        sheet.page.data_validation(
            sheet.row, VALUE, sheet.row, VALUE, {"validate": "list", "source": list(asked.choices)}
        )
    else:
        fine, wrong = _bounds(asked, cell)
    if asked.kind == "number_or_auto":
        fine, wrong = f'OR({cell}="auto",{fine})', f"auto, or {wrong}"
    if asked.key == "cache_write":
        fine, wrong = f"AND({fine},cached_percent+{cell}<=100)", f"{wrong}, and with cached at most 100"
    if asked.optional:
        fine = f"OR(ISBLANK({cell}),{fine})"
    sheet.live(CHECK, f'IF({fine},"","must be {wrong}")', "", kind="warning")


def _bounds(asked: Input, cell: str) -> tuple[str, str]:
    """A formula that is true within an input's bounds, and the bounds in words."""
    parts = [f"ISNUMBER({cell})"]
    words = ["a whole number" if asked.kind == "whole" else "a number"]
    if asked.low is not None:
        parts.append(f"{cell}{'>' if asked.low_is_open else '>='}{asked.low}")
        words.append(f"{'above' if asked.low_is_open else 'at least'} {asked.low:,.15g}")
    if asked.high is not None:
        parts.append(f"{cell}<={asked.high}")
        words.append(f"at most {asked.high:,.15g}")
    if asked.kind == "whole":
        parts.append(f"{cell}=INT({cell})")
    # Nested, for AND looks at all its parts: INT of a word would be an error.
    fine = "TRUE"
    for part in reversed(parts):
        fine = f"IF({part},{fine},FALSE)"
    return fine, ", ".join(words)


def _looked_up(sheet: Sheet, comparison: Comparison, pools: tuple[PoolFacts, ...]) -> None:
    """Figures that formulas use and that are no inputs of the scenario."""
    sheet.text(NAME, "Looked up by the app", bold=True)
    sheet.text(
        ORIGIN, "Changes here count in this file only: opened in the app, the file brings back the inputs above."
    )
    sheet.next()
    for facts in pools:
        pool, role = facts.pool, facts.pool.role
        entry = "" if pool.rent is None else entry_text(pool.rent)
        named = f"{pool.offer.name} ({role})"
        prefix = "prefill_" if facts.key == "prefill_gpus" else ""
        rows: list[tuple[str, str, float | None, str, str]] = [
            (f"{prefix}gpus_per_instance", "GPUs per instance", pool.offer.entry.gpus_per_instance, "GPUs", ""),
            (f"{prefix}list_usd_per_gpu_hour", "list price", facts.list_usd, "$ per GPU-hour", entry),
            (
                f"{prefix}reserved_usd_per_gpu_hour",
                "reserved, no discount typed",
                facts.reserved_usd,
                "$ per GPU-hour",
                "",
            ),
            (f"{prefix}spot_usd_per_gpu_hour", "spot, no discount typed", facts.spot_usd, "$ per GPU-hour", ""),
        ]
        for name, what, value, unit, source in rows:
            _fact(sheet, name, f"{named}: {what}", value, unit, source)
    throughput, scenario = comparison.self_host.throughput, comparison.scenario
    promised = None if throughput.is_typed else throughput.output_tok_s_per_gpu
    what = "Throughput at the promised speed"
    _fact(
        sheet,
        "promised_output_tok_s_per_gpu",
        what,
        promised,
        INPUTS["tps"].unit,
        "in place of tps; read off a benchmark for these GPUs and this token mix",
    )
    factor = 1 if promised else throughput.output_tok_s_per_gpu / scenario.output_tok_s_per_gpu
    _fact(sheet, "draft_acceptance_factor", "Throughput factor of the draft acceptance", factor, "times tps", "")
    tolerance = comparison.tie_tolerance_share
    _fact(
        sheet, "tie_tolerance_share", "Bills this close are called the same", tolerance, "share of the larger bill", ""
    )


def _fact(sheet: Sheet, name: str, what: str, value: float | None, unit: str, source: str) -> None:
    sheet.text(NAME, what)
    if value is None:
        sheet.text(VALUE, "none", "looked_up")
    else:
        sheet.number(VALUE, value, "looked_up", PRICE)
    sheet.text(UNIT, unit, "muted")
    sheet.text(ORIGIN, source, "muted")
    sheet.call(name, VALUE, "none" if value is None else value)
    sheet.next()
