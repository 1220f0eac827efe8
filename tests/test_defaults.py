"""Inputs left empty and the assumptions that stand in."""

import pytest

from costmodel.catalog import catalog
from costmodel.defaults import ASSUMED_BY, given
from costmodel.link import decode, query_of
from costmodel.scenario import INPUTS

CATALOG = catalog()


@pytest.mark.parametrize("key", ASSUMED_BY)
def test_an_empty_field_is_the_assumption_and_a_typed_one_itself(key: str) -> None:
    empty = decode(CATALOG, query_of("?scenario=node-8xh200")).scenario
    found = given(CATALOG, empty, key)
    assert found.value == CATALOG.assumed(ASSUMED_BY[key], on=empty.price_date)
    assert found.sources
    typed = decode(CATALOG, query_of(f"?scenario=node-8xh200&{key}=3")).scenario
    assert (given(CATALOG, typed, key).value, given(CATALOG, typed, key).sources) == (3, ())


@pytest.mark.parametrize("key", ASSUMED_BY)
def test_every_assumption_lies_between_its_low_and_high_and_inside_the_field(key: str) -> None:
    for entry in CATALOG.assumptions[ASSUMED_BY[key]].history:
        assert entry.low is not None
        assert entry.high is not None
        assert INPUTS[key].low <= entry.low <= entry.value <= entry.high <= INPUTS[key].high
