"""The spreadsheet: inputs to change, and live formulas that recompute bills, break-even and curve from them."""

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.exports.book.bills_sheet import write_bills
from costmodel.exports.book.breakeven_sheet import write_break_even
from costmodel.exports.book.cells import Book
from costmodel.exports.book.curve_sheet import write_curve
from costmodel.exports.book.inputs_sheet import write_inputs
from costmodel.exports.book.looked_up import api_facts, pool_facts
from costmodel.exports.book.model_sheet import write_model
from costmodel.exports.book.prices_sheet import write_prices
from costmodel.exports.book.sources_sheet import write_sources
from costmodel.exports.words import Words


def spreadsheet(catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> bytes:
    """An XLSX whose formulas say what the model says, and go on saying it when an input is changed.

    `address` is the page's own, which the link is added to.
    """
    book = Book(made_on=comparison.scenario.price_date)
    pools = pool_facts(catalog, comparison)
    write_inputs(book, catalog, comparison, words, pools, address=address)
    apis = write_prices(book, comparison, api_facts(comparison))
    write_model(book, comparison, pools)
    totals = write_bills(book, comparison, words, pools, apis)
    rows = write_break_even(book, comparison, words, apis, totals)
    write_curve(book, comparison, words, rows)
    write_sources(book, catalog, comparison, words, address=address)
    return book.bytes()
