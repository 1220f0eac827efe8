"""A short fuzz of everything that strangers may send, any text at all, and what the long one found.

The long one: `python3 -m uv run python -m tests.fuzz --links 10000 --files 2000 --pages 100`.
"""

import io
import json
import sys
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.__main__ import main
from costmodel.catalog import CatalogError, catalog, parse
from costmodel.exports.given_back import NotGivenBackError, given_back
from costmodel.imports import ImportLimits, UsageError, read_usage
from costmodel.link import decode, encode, link_of, query_of
from costmodel.pricefiles.yamltext import LARGEST_FILE_BYTES, YamlTextError, read_text, read_yaml
from costmodel.purchase import annuity_usd_per_year
from costmodel.records import AssumptionFile
from tests.fuzz.campaigns import run
from tests.fuzz.handbacks import bombs as books
from tests.fuzz.handbacks import originals as exports
from tests.fuzz.prices import YAML_BOMBS
from tests.fuzz.watch import Watch

SEED = 20261130
ANY_CHARACTER = st.characters(exclude_categories=[])
"""Halves of characters included."""


@pytest.mark.parametrize(
    ("campaign", "cases"), [("links", 100), ("usage files", 50), ("price files", 60), ("exported files", 35)]
)
def test_a_short_fuzz(campaign: str, cases: int) -> None:
    """Each bomb once, the rest by chance. Time is not asked about here: a busy machine is no fault of the code."""
    watch = run(campaign, cases, SEED, Watch(most_cpu_seconds=float("inf"), quiet=True))
    assert watch.failures == []
    assert watch.cases == cases
    assert len(watch.outcomes) > 1, "the campaign no longer reaches both what is read and what is refused"


@given(st.text(ANY_CHARACTER, max_size=300))
def test_any_text_is_a_link_with_problems(text: str) -> None:
    decoded = decode(catalog(), query_of(text))
    assert decode(catalog(), query_of(link_of(encode(decoded.scenario)))).scenario == decoded.scenario
    for problem in decoded.problems:
        problem.message.encode()


@given(st.binary(max_size=500), st.text(ANY_CHARACTER, max_size=30))
def test_any_bytes_are_usage_or_refused(content: bytes, name: str) -> None:
    with suppress(UsageError):
        read_usage([(name, io.BytesIO(content))], limits=ImportLimits(max_bytes=1_000, max_rows=100))


@given(st.text(max_size=300))
def test_any_text_is_yaml_or_refused_in_one_line(text: str) -> None:
    refusals: list[str] = []
    try:
        read_text(text)
    except YamlTextError as refusal:
        refusals.append(str(refusal))
    assert not any("\n" in each for each in refusals)


# Found by the long one


@pytest.mark.parametrize("key", ["title", "api", "gpu", "nothing\udcff"])
def test_half_a_character_is_refused_and_the_message_can_be_printed(key: str) -> None:
    """A byte that is no UTF-8, given on the command line."""
    decoded = decode(catalog(), {key: ["a\udcffb"]})
    (problem,) = decoded.problems
    assert "a\ufffdb" in problem.message
    json.dumps([problem.key, problem.value, problem.message], ensure_ascii=False).encode()


def test_an_empty_text_is_an_input_that_is_not_set() -> None:
    decoded = decode(catalog(), query_of("?scenario=deepinfer-128&map_x="))
    assert decoded.scenario.map_across is None


def test_a_console_that_cannot_show_a_character_gets_it_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["compare", "?scenario=deepinfer-16&title=für 300 tok/s “✓”"]) == 0
    sys.stdout.flush()
    answer: dict[str, Any] = json.loads(raw.getvalue())
    assert answer["scenario"]["title"] == "für 300 tok/s “✓”"


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity"])
def test_an_assumption_is_a_number(value: str) -> None:
    entry = {
        "since": "2026-01-01",
        "basis": "assumed",
        "value": value,
        "source": {"document": "d", "seen": "2026-01-01"},
    }
    with pytest.raises(CatalogError, match="finite"):
        parse(AssumptionFile, {"assumptions": {"a": {"name": "A", "unit": "%", "history": [entry]}}}, file="f")


@pytest.mark.parametrize("bomb", ["many keys", "one scalar of 3 MB", "a folded scalar of 3 MB"])
def test_a_price_file_of_some_megabytes_is_not_read(tmp_path: Any, bomb: str) -> None:
    """Two hundred thousand keys took more than two seconds to be refused."""
    path = tmp_path / "big.yaml"
    path.write_text(YAML_BOMBS[bomb], encoding="utf-8")
    with pytest.raises(YamlTextError, match=f"larger than {LARGEST_FILE_BYTES}"):
        read_yaml(path)


@pytest.mark.parametrize("bomb", ["many texts", "many fonts", "many names", "many rows", "one long text"])
def test_a_workbook_that_swells_is_not_unpacked(bomb: str) -> None:
    """158 kB took a minute, 358 kB two minutes and two gigabytes."""
    assert len(books()[bomb]) < 2_000_000
    with pytest.raises(NotGivenBackError, match="unpacks to more"):
        given_back(catalog(), name="plan.xlsx", content=books()[bomb])


@pytest.mark.parametrize("bomb", ["a sheet named many times", "many parts"])
def test_a_workbook_is_not_read_over_and_over(bomb: str) -> None:
    """44 kB took 45 seconds, and would have taken hours with a sheet named as often as its size allows."""
    with pytest.raises(NotGivenBackError, match="unpacks to more"):
        given_back(catalog(), name="plan.xlsx", content=books()[bomb])


def test_cells_and_texts_are_read_from_counted_parts_only() -> None:
    """56 kB had 3.4 MB of texts unpacked where only pictures are expected, which are not counted."""
    with pytest.raises(NotGivenBackError, match="no XLSX spreadsheet that can be read"):
        given_back(catalog(), name="plan.xlsx", content=books()["texts among the pictures"])


@pytest.mark.parametrize("way", ["", ", as BZIP2", ", as LZMA"])
def test_a_part_unpacks_to_no_more_than_it_says(way: str) -> None:
    """All of it was unpacked before the surplus was thrown away: 70 kB took 61 MB, and could have taken a gigabyte."""
    book = books()[f"a part larger than it says{way}"]
    tracemalloc.start()
    with suppress(NotGivenBackError):
        given_back(catalog(), name="plan.xlsx", content=book)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000


def test_a_part_that_stands_beyond_every_place_is_refused() -> None:
    with pytest.raises(NotGivenBackError, match="no XLSX spreadsheet that can be read"):
        given_back(catalog(), name="plan.xlsx", content=books()["a part beyond every place"])


VERSION, FLAGS, METHOD, DATA = 4, 6, 8, 56
"""Places in the first part of an archive; the first three also in the list of its parts."""


@pytest.mark.parametrize(
    ("place", "byte"), [(VERSION, 131), (FLAGS, 1), (METHOD, 12), (METHOD, 14), (METHOD, 99), (DATA, 255)]
)
def test_a_damaged_workbook_is_refused_whatever_is_damaged(place: int, byte: int) -> None:
    """An archive of version 13.1, an encrypted one, other ways of packing, and data that does not unpack."""
    spoilt = bytearray(exports()["plan.xlsx"])
    spoilt[place] = byte
    if place < DATA:
        spoilt[spoilt.index(b"PK\x01\x02") + 2 + place] = byte
    with pytest.raises(NotGivenBackError):
        given_back(catalog(), name="plan.xlsx", content=bytes(spoilt))


def test_half_a_character_in_an_exported_file_can_be_printed() -> None:
    answer = {"scenario": {"title": "a\ud800b", "\udcff": 1}, "link": "?scenario=node-8xh200"}
    decoded = given_back(catalog(), name="plan.json", content=json.dumps(answer).encode())
    assert decoded.scenario.title == "a\ufffdb"
    json.dumps([*decoded.notes, *(problem.message for problem in decoded.problems)], ensure_ascii=False).encode()


@pytest.mark.parametrize("share", [1e-22, 1e-16, 1e-12, 1e-9])
def test_almost_no_interest_is_almost_the_price_without(share: float) -> None:
    """1e-14 % was a division by zero, 1e-10 % gave an annuity that was wrong in its fifth digit."""
    bought = {"purchase_usd": 300_000.0, "residual_usd": 30_000.0, "life_years": 3.0}
    without = annuity_usd_per_year(cost_of_capital_share=0, **bought)
    assert annuity_usd_per_year(cost_of_capital_share=share, **bought) == pytest.approx(without, rel=1e-8)
