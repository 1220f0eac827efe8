"""The sheet Sources: where every figure was read and when, what is left out, and the link to the scenario."""

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.exports.book.cells import Book
from costmodel.exports.sources import sources_of
from costmodel.exports.words import Words
from costmodel.link import link

_WHAT, _PLACE, _READ, _BASIS, _SINCE, _VIA, _NOTE = range(7)


def write_sources(book: Book, catalog: Catalog, comparison: Comparison, words: Words, *, address: str) -> None:
    """The sheet."""
    sheet = book.sheet("Sources", (54, 60, 12, 12, 14, 44, 90))
    sheet.heads("What", "Read where", "Read on", "Basis", "In force since", "Via", "Note")
    for used in sources_of(catalog, comparison):
        entry = used.entry
        sheet.text(_WHAT, used.what)
        place = entry.source.document or entry.source.url or ""
        sheet.link(_PLACE, entry.source.url or "", place)
        sheet.day(_READ, entry.source.seen, "formula")
        sheet.text(_BASIS, entry.basis)
        sheet.day(_SINCE, entry.since, "formula")
        sheet.text(_VIA, entry.source.via or "")
        sheet.text(_NOTE, entry.note or "")
        sheet.next()
    sheet.next()
    for sentence in (words.verdict, words.second_look or "", *words.notes, *words.good_to_know):
        if sentence:
            sheet.text(_WHAT, sentence)
            sheet.next()
    sheet.next()
    sheet.link(_WHAT, f"{address}{link(comparison.scenario)}", words.labels.link)
