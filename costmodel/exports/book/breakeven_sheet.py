"""The sheet Break-even: each API's price against the own cost, where the two meet, and why they may not."""

from dataclasses import dataclass

from costmodel.compare import ApiAnswer, Comparison
from costmodel.exports.book.cells import COUNT, MONEY, PRICE, SHARE, Book, Sheet, Value
from costmodel.exports.book.prices_sheet import ApiCells
from costmodel.exports.words import Words
from costmodel.units import PERCENT, SECONDS_PER_HOUR, TOKENS_PER_MTOK

_API, _COST, _MONTH, _OWN_MONTH, _TURN, _COMPUTED, _OUTPUT, _GPU_HOUR, _WINNER, _STATUS = range(10)
NOT_REACHABLE, FREE, NO_GPU_PRICE, UNKNOWN = (
    "not reachable", "the API is free", "none: the rest alone costs more", "no price on the price date",
)  # fmt: skip
_WINNERS = {"self_host": "own GPUs", "api": "the API", "tie": "the same"}


@dataclass(frozen=True)
class PriceRows:
    """Where names and prices of the APIs stand, for charts and look-ups."""

    names: str
    prices: str
    price_cells: tuple[tuple[str, str, float], ...]
    """Of each API with a price: the cell of its name, the cell of its price, the price now."""


def write_break_even(
    book: Book, comparison: Comparison, words: Words, apis: tuple[ApiCells, ...], totals: dict[str, str]
) -> PriceRows:
    """The sheet: the answer on top, then a row for each API."""
    sheet = book.sheet("Break-even", (44, 22, 20, 20, 22, 20, 22, 26, 16, 90))
    first = 7
    last = first + len(comparison.apis) - 1
    names, prices = (sheet.span(column, first, max(first, last)) for column in (_API, _COST))
    _answer(sheet, comparison, words, names, prices)
    per = f"{comparison.scenario.currency} per 1M tokens"
    sheet.heads(
        "API", f"Price, {per}", f"Bill, {comparison.scenario.currency} a month", "Own GPUs, the same",
        "Break-even, % utilization", "As computed, %", "Output at equal bills, tok/s",
        "GPU price at equal bills, $ per hour", "Cheaper", "Why there is none, as exported",
    )  # fmt: skip
    assert sheet.row == first, "the answer above refers to the rows below"
    cells = {each.facts.answer.id: each for each in apis}
    priced = []
    for answer in comparison.apis:
        if answer.id in cells:
            price = _row(sheet, comparison, answer, cells[answer.id], totals[answer.id])
            priced.append((sheet.address(_API), price, cells[answer.id].usd_per_bundle_now))
        else:
            sheet.text(_API, answer.name)
            sheet.text(_COST, UNKNOWN)
            sheet.text(_TURN, UNKNOWN)
            sheet.text(_STATUS, answer.break_even.reason or "", "muted")
        sheet.next()
    return PriceRows(names, prices, tuple(priced))


def _answer(sheet: Sheet, comparison: Comparison, words: Words, names: str, prices: str) -> None:
    """The live answer: own cost and the cheapest API."""
    per = f"{comparison.scenario.currency} per 1M tokens: {words.per}"
    own, cheapest = sheet.book.values["own_price"], comparison.cheapest_api
    sheet.text(_API, "Own GPUs at this utilization", bold=True)
    sheet.live(_COST, "own_price", own, PRICE, bold=True)
    sheet.text(_MONTH, per, "muted")
    sheet.next()
    sheet.text(_API, "The cheapest API", bold=True)
    none = "none"
    name: Value = none if cheapest is None else cheapest.name
    price: Value = none if cheapest is None else (cheapest.usd_per_mtok or 0) * comparison.money_factor
    sheet.live(_COST, f'IF(COUNT({prices})=0,"{none}",MIN({prices}))', price, PRICE, bold=True)
    found = f"INDEX({names},MATCH(MIN({prices}),{prices},0))"
    sheet.live(_MONTH, f'IF(COUNT({prices})=0,"{none}",{found})', name, bold=True)
    sheet.next()
    sheet.text(_API, "The limit of the own deployment is")
    sheet.live(_COST, "limit", sheet.book.values["limit"])
    sheet.next()
    sheet.text(_API, "Inputs out of bounds (above 0, results are withheld)")
    sheet.live(_COST, "input_problems", 0)
    sheet.next(3)


def _row(sheet: Sheet, comparison: Comparison, answer: ApiAnswer, api: ApiCells, total: str) -> str:
    """One API; returns the cell of its price."""
    own, factor = comparison.self_host, comparison.money_factor
    bundle, point = api.usd_per_bundle, answer.break_even
    sheet.text(_API, answer.name)
    cost = (answer.usd_per_mtok or 0) * factor
    price = sheet.live(_COST, f"{bundle}/basis_divisor*money_factor", cost, PRICE)
    bill = sheet.live(_MONTH, f"{total}*money_factor", (answer.usd_per_month or 0) * factor, MONEY)
    own_bill = sheet.live(_OWN_MONTH, "own_usd_per_month*money_factor", own.usd_per_month * factor, MONEY)
    percent: Value = FREE if point.utilization is None else point.utilization * PERCENT
    reached: Value = percent if point.reachable or isinstance(percent, str) else NOT_REACHABLE
    computed = sheet.address(_COMPUTED)
    sheet.live(_COMPUTED, f'IF({bundle}<=0,"{FREE}",usd_per_bundle_at_full/{bundle}*{PERCENT})', percent, SHARE)
    words = f'IF(ISNUMBER({computed}),IF({computed}>{PERCENT},"{NOT_REACHABLE}",{computed}),{computed})'
    sheet.live(_TURN, words, reached, SHARE, bold=True)
    tok_s: Value = FREE if point.output_tok_s is None else point.output_tok_s
    output = f"usd_per_hour*{TOKENS_PER_MTOK}/({SECONDS_PER_HOUR}*{bundle})"
    sheet.live(_OUTPUT, f'IF({bundle}<=0,"{FREE}",{output})', tok_s, COUNT)
    left = f"{bundle}*output_tok_s*{SECONDS_PER_HOUR}/{TOKENS_PER_MTOK}-other_usd_per_month/paid_hours"
    gpus = "(billed_gpus+prefill_billed_gpus)" if len(own.pools) > 1 else "billed_gpus"
    gpu_hour = answer.break_even_usd_per_gpu_hour
    sheet.live(
        _GPU_HOUR,
        f'IF({left}>0,({left})/({gpus}*(units+spare_units)),"{NO_GPU_PRICE}")',
        NO_GPU_PRICE if gpu_hour is None else gpu_hour,
        PRICE,
    )
    tie = f"ABS({own_bill}-{bill})<=tie_tolerance_share*MAX({own_bill},{bill})"
    cheaper = f'IF({own_bill}<{bill},"{_WINNERS["self_host"]}","{_WINNERS["api"]}")'
    sheet.live(_WINNER, f'IF({tie},"{_WINNERS["tie"]}",{cheaper})', _WINNERS[answer.winner or "api"])
    sheet.text(_STATUS, answer.break_even.reason or "", "muted")
    return price
