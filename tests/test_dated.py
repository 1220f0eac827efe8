"""Values that change on a day: the newest that has begun holds, and before the first there is none."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from costmodel.dated import Dated, NotInForceError, Source, in_force

SOURCE = Source(document="A price list", seen=date(2026, 9, 20))
DAYS = st.dates(min_value=date(2024, 1, 1), max_value=date(2028, 12, 31))


class Price(Dated):
    usd: float


def price(since: date, usd: float = 1) -> Price:
    return Price(since=since, basis="published", source=SOURCE, usd=usd)


@given(st.lists(DAYS, min_size=1, max_size=6, unique=True), DAYS)
def test_the_newest_entry_that_has_begun_holds(days: list[date], on: date) -> None:
    history = [price(day) for day in days]
    begun = [day for day in days if day <= on]
    if begun:
        assert in_force(history, on=on, what="Price").since == max(begun)
    else:
        with pytest.raises(NotInForceError, match=f"Price: no figure is known for {on}, the first is of {min(days)}"):
            in_force(history, on=on, what="Price")


def test_an_entry_holds_from_its_first_day_on() -> None:
    """GPT-5.6 Sol cost 30 $ per 1M output tokens until 20 August 2026 and 20 $ from the 21st."""
    history = [price(date(2026, 7, 9), 30), price(date(2026, 8, 21), 20)]
    change = date(2026, 8, 21)
    assert in_force(history, on=change - timedelta(days=1), what="Sol").usd == 30
    assert in_force(history, on=change, what="Sol").usd == 20


def test_an_empty_history_is_an_error() -> None:
    with pytest.raises(NotInForceError, match="Rent: no figure is known"):
        in_force([], on=date(2026, 10, 25), what="Rent")


def test_a_source_names_a_place_and_a_day() -> None:
    assert SOURCE.label.startswith("A price list (")
    assert "2026-09-20" in SOURCE.label
    assert "https://example.org" in Source(url="https://example.org", seen=date(2026, 1, 2)).label
    with pytest.raises(ValidationError, match="needs a url or a document"):
        Source(seen=date(2026, 9, 20))


@pytest.mark.parametrize("missing", ["since", "basis", "source"])
def test_an_entry_without_provenance_is_refused(missing: str) -> None:
    entry = {"since": "2026-09-20", "basis": "published", "source": {"document": "x", "seen": "2026-09-20"}, "usd": "1"}
    del entry[missing]
    with pytest.raises(ValidationError, match=missing):
        Price.model_validate(entry)


@pytest.mark.parametrize(
    ("key", "value"), [("basis", "guessed"), ("since", "2026-9-20"), ("since", "soon"), ("sinse", "2026-09-20")]
)
def test_a_misspelt_entry_is_refused(key: str, value: str) -> None:
    entry = {"since": "2026-09-20", "basis": "published", "source": {"document": "x", "seen": "2026-09-20"}, "usd": "1"}
    with pytest.raises(ValidationError, match=key):
        Price.model_validate(entry | {key: value})
