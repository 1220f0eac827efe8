"""The history of every figure of the catalogue, and the catalogue as of a day."""

from datetime import date

import pytest

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.dated import in_force
from costmodel.in_use import Kind
from costmodel.link import decode, query_of
from costmodel.pricefiles.price_history import KINDS, parts_of, records, rows, series_in_use, series_of

CATALOG = catalog()
ON, TODAY = date(2026, 10, 25), date(2026, 11, 30)


@pytest.mark.parametrize("kind", KINDS)
def test_series_hold_every_entry_and_nothing_else(kind: Kind) -> None:
    for record in records(CATALOG, kind).values():
        found = series_of(record)
        assert len({(each.what, each.slot) for each in found}) == len(found)
        for history in record.histories:
            for entry in history:
                drawn = {
                    (each.what, each.slot): step.value
                    for each in found
                    for step in each.steps
                    if step.entry is entry and step.value is not None
                }
                stated = {(part.what, part.slot): part.value for part in parts_of(entry, unit=record.unit)}
                assert drawn == stated
        for each in found:
            days = [step.since for step in each.steps]
            assert days == sorted(days)
            assert each.steps[0].value is not None


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_the_records_in_force(kind: Kind) -> None:
    found = rows(CATALOG, kind, on=ON, today=TODAY)
    assert [row.record.id for row in found] == list(records(CATALOG, kind))
    for row in found:
        history = row.record.histories[0]
        if row.is_in_force:
            assert row.entry is in_force(history, on=ON, what="")
        else:
            assert row.entry is history[0]
            assert row.entry.since > ON
        assert row.confirmed <= TODAY


def test_a_price_that_split_into_windows_is_one_line() -> None:
    """V4 Flash had one price at all hours until 17 August 2026, and peak hours since."""
    found = series_of(records(CATALOG, "api")["deepseek:deepseek-v4-flash"])
    base, peak = (each for each in found if each.what == "output")
    assert (base.where, [step.value for step in base.steps]) == ("off-peak", [0.28, 0.66, 0.66, 0.6])
    assert (peak.where, peak.steps[0].since, peak.steps[0].value) == ("peak", date(2026, 8, 17), 1.32)


def test_the_prices_in_use_are_rents_and_output_prices() -> None:
    answer = compare(CATALOG, decode(CATALOG, query_of("?scenario=deepinfer-128")).scenario)
    found = [(each.record, each.where, each.steps[-1].value) for each in series_in_use(CATALOG, answer)]
    assert found == [
        ("CoreWeave HGX B200", "", 8.6),
        ("CoreWeave GB200 NVL72 (4-GPU tray)", "", 10.5),
        ("DeepSeek V4.1 Flash", "off-peak", 0.6),
        ("Tokely DeepSeek V4.1 Flash", "", 0.8),
        ("DeepSeek V4.1 Flash", "peak", 1.2),
    ]


def test_of_a_price_window_in_use_no_other_is_drawn() -> None:
    query = "?scenario=node-8xh200&api=deepseek:deepseek-flash@off_peak&gpu_usd=4"
    answer = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    assert [(each.record, each.where) for each in series_in_use(CATALOG, answer)] == [
        ("DeepSeek V4.1 Flash", "off-peak")
    ]
    typed = compare(CATALOG, decode(CATALOG, query_of(f"{query[: query.index('&api')]}&gpu_usd=4")).scenario)
    assert all(each.unit != "$ per GPU-hour" for each in series_in_use(CATALOG, typed))


@pytest.mark.parametrize(
    ("query", "slots"),
    [
        ("batch=100&api=anthropic:claude-opus-5", ["batch"]),
        ("batch=30&api=anthropic:claude-opus-5", ["", "batch"]),
        ("request=150000&api=anthropic:claude-haiku-5-5", ["long"]),
        ("request=99999&api=anthropic:claude-haiku-5-5", [""]),
    ],
)
def test_batch_and_long_context_prices_are_drawn_where_they_are_used(query: str, slots: list[str]) -> None:
    answer = compare(CATALOG, decode(CATALOG, query_of(f"?scenario=node-8xh200&asof=2026-11-30&{query}")).scenario)
    drawn = [each.slot for each in series_in_use(CATALOG, answer) if each.unit == "$ per 1M tokens"]
    assert drawn == slots
