"""Pinned scenarios in the link: exact both ways, never trusted, never raising."""

import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.link import (
    LONGEST_LINK,
    Decoded,
    decode,
    encode,
    example_scenario,
    link,
    pin_of,
    pinned,
    pinned_query,
    query_of,
)
from costmodel.load.profile import profile_text
from costmodel.pins import (
    LONGEST_PIN,
    LONGEST_PIN_NAME,
    LONGEST_PINNED_QUERY,
    MOST_PINS,
    NOT_PINNED,
    Pin,
    parse_pin,
    pin_name,
    pin_text,
)
from costmodel.scenario import INPUTS, Scenario

CATALOG = catalog()
NODE = example_scenario(CATALOG, "node-8xh200")
QUERY = (
    "v=1&asof=2026-09-25&model=deepseek-v4.1-flash&gpu=coreweave-h200&gpus=8&util=2&tps=1875&ratio=4"
    "&api=deepseek:deepseek-flash&cur=EUR&fx=0.8609"
)
MADE_BEFORE = "Node at 2 %~ePmbDEa9Q034BpakJHxEXrOApGEjSBK2MDeFZzV8YY9SnFqYGVgCAK-uLkY"
NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp")), min_size=1, max_size=LONGEST_PIN_NAME
).filter(str.strip)


def with_pins(*texts: str) -> Decoded:
    return decode(CATALOG, {"scenario": ["deepinfer-128"], "pin": list(texts)})


def packed(data: bytes, name: str = "Packed") -> str:
    return f"{name}~{urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip('=')}"


@pytest.mark.parametrize("identifier", sorted(CATALOG.examples))
@given(percent=st.floats(min_value=0, max_value=100), gpus=st.integers(1, 100_000), name=NAMES)
@settings(max_examples=20)
def test_a_pin_holds_exactly_its_scenario(identifier: str, percent: float, gpus: int, name: str) -> None:
    changed = {"utilization_percent": round(percent, 6), "gpus": gpus, "title": "Kept apart", "view": "risk"}
    scenario = example_scenario(CATALOG, identifier).model_copy(update={**changed, "language": "de"})
    read = pinned(CATALOG, pin_of(scenario, name=name))
    assert read.name == name
    assert read.problems == ()
    neutral = {"title": "", "view": "cost", "language": None, "pins": ()}
    assert read.scenario == scenario.model_copy(update=neutral)
    assert pinned_query(read.scenario) == pinned_query(scenario)


def test_a_pin_is_its_link_without_title_view_language_and_pins() -> None:
    scenario = NODE.model_copy(update={"pins": (pin_of(NODE, name="Before"),), "language": "es"})
    pairs = query_of(f"?{parse_pin(pin_of(scenario, name='Node')).query}")
    whole = query_of(link(scenario))
    assert set(NOT_PINNED) <= set(whole)
    assert pairs == {key: values for key, values in whole.items() if key not in NOT_PINNED}


def test_a_pin_made_before_can_be_read() -> None:
    """What pins are packed against is part of the link's contract: it can never change."""
    assert parse_pin(MADE_BEFORE) == Pin("Node at 2 %", QUERY)


def test_a_pin_of_plain_zlib_can_be_read() -> None:
    assert parse_pin(packed(QUERY.encode())).query == QUERY


@given(name=NAMES, query=st.text("abcdefghijklmno0123456789=.-_:@,%", max_size=300))
def test_texts_survive(name: str, query: str) -> None:
    assert parse_pin(pin_text(Pin(name, query))) == Pin(name, query)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Node", "a name and a code with ~ between"),
        ("", "a name and a code with ~ between"),
        ("~eNor", "needs a name"),
        ("   ~eNor", "needs a name"),
        ("x" * (LONGEST_PIN_NAME + 1) + "~eNor", "needs a name"),
        ("a\x00b~eNor", "needs a name"),
        ("a\u202eb~eNor", "needs a name"),
        ("Node~", "cut or changed"),
        ("Node~eN+/", "cut or changed"),
        ("Node~eNor=", "cut or changed"),
        ("Node~A", "cut or changed"),
        ("Node~AAAA", "cut or changed"),
        (f"{MADE_BEFORE}A", "cut or changed"),
        (MADE_BEFORE[:-4], "cut or changed"),
        (packed(b"v=1") + "AAAA", "cut or changed"),
        (packed("v=1&model=ü".encode()), "cut or changed"),
        (packed(b"v=1\x00"), "cut or changed"),
        (packed(b"\xff\xfe"), "cut or changed"),
        (packed(b"v=1&pin=x~y"), "holds pin"),
        (packed(b"v=1&title=x"), "holds title"),
        (packed(b"v=1&view=cost"), "holds view"),
        (packed(b"v=1&lang=de"), "holds lang"),
        (packed(b"v=1&%70in=x~y"), "holds pin"),
        ("Node~" + "A" * LONGEST_PIN, f"longer than the {LONGEST_PIN}"),
        (packed(b"a" * (LONGEST_PINNED_QUERY + 1)), f"more than the {LONGEST_PINNED_QUERY}"),
        (packed(b"a" * 500_000), f"more than the {LONGEST_PINNED_QUERY}"),
    ],
)
def test_what_is_no_pin_is_left_out_and_named(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_pin(text)
    decoded = with_pins(text, MADE_BEFORE)
    assert [pin_name(each) for each in decoded.scenario.pins] == ["Node at 2 %"]
    problem = decoded.problems[0]
    assert problem.key == "pin"
    assert reason in problem.message
    assert "Pinned scenarios (pin)" in problem.message


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what unpacks to half a megabyte no more is made than what a pin may hold, and one byte."""
    sizes: list[int] = []
    unwatched = zlib.decompressobj

    class Watched:
        def __init__(self, zdict: bytes) -> None:
            self.unpacker = unwatched(zdict=zdict)

        def decompress(self, data: bytes, most: int) -> bytes:
            found = self.unpacker.decompress(data, most)
            sizes.append(len(found))
            return found

    bomb = packed(b"a" * 500_000)
    assert len(bomb) < LONGEST_PIN
    monkeypatch.setattr(zlib, "decompressobj", Watched)
    with pytest.raises(ValueError, match="unpacks to more"):
        parse_pin(bomb)
    assert sizes == [LONGEST_PINNED_QUERY + 1]


def test_a_fifth_pin_and_a_repeated_one_are_named() -> None:
    texts = [pin_of(NODE.model_copy(update={"gpus": 8 * count}), name=f"No. {count}") for count in range(1, 7)]
    decoded = with_pins(*texts)
    assert decoded.scenario.pins == tuple(texts[:MOST_PINS])
    assert [problem.value for problem in decoded.problems] == ["No. 5", "No. 6"]
    again = with_pins(texts[0], texts[0])
    assert again.scenario.pins == (texts[0],)
    assert "more than once" in again.problems[0].message


def test_what_is_wrong_inside_a_pin_is_said_once_and_put_right() -> None:
    text = pin_text(Pin("Half", "v=1&gpu=nobody&gpus=8&util=999&sku=1"))
    decoded = with_pins(text)
    messages = " ".join(problem.message for problem in decoded.problems)
    assert {problem.key for problem in decoded.problems} == {"pin"}
    assert messages.count("Pinned “Half”") == len(decoded.problems) >= 4
    for said in ("nobody", "999", "sku", "taken from the example"):
        assert said in messages
    again = with_pins(*decoded.scenario.pins)
    assert again.problems == ()
    assert again.scenario.pins == decoded.scenario.pins


def test_a_pin_keeps_its_meaning_when_the_open_scenario_changes() -> None:
    text = pin_of(NODE, name="Node")
    for query in ("?scenario=llama-70b-2xh100", "?asof=2026-11-30&cur=EUR", "?scenario=deepinfer-16&hours=720"):
        opened = decode(CATALOG, {**query_of(query), "pin": [text]}).scenario
        assert compare(CATALOG, pinned(CATALOG, opened.pins[0]).scenario).self_host.usd_per_month == 36_821.2


def test_pins_alone_change_nothing_of_the_example() -> None:
    decoded = decode(CATALOG, {"pin": [MADE_BEFORE], "lang": ["de"]})
    assert decoded.notes == ()
    assert decoded.scenario.gpus == example_scenario(CATALOG, "deepinfer-128").gpus


def test_four_pins_fit_into_a_link_and_survive_it() -> None:
    names = ["node-8xh200", "deepinfer-16", "llama-70b-2xh100", "kimi-k2.5-4xb200"]
    pins = tuple(pin_of(example_scenario(CATALOG, name), name=name) for name in names)
    assert max(map(len, pins)) < 200
    scenario = example_scenario(CATALOG, "deepinfer-128").model_copy(update={"pins": pins})
    assert len(link(scenario)) < 2_000, "the longest link that Excel opens"
    again = decode(CATALOG, query_of(link(scenario)))
    assert again.scenario == scenario
    assert again.problems == ()


def test_the_fullest_pins_still_leave_room_for_the_open_scenario() -> None:
    """Four pins of the greatest length, twelve prices of one's own and a week leave a link that is read."""
    week = profile_text([float(hour * 37 % 101 + 1) for hour in range(168)])
    own = tuple(f"custom:{f'{index:02d} Our quote'.ljust(40, '.')}:1.2345:0.6789:9.8765" for index in range(12))
    full = NODE.model_copy(update={"apis": own, "traffic": "imported", "profile": week})
    texts = [f"{'n' * 60}{index}"[-LONGEST_PIN_NAME:] for index in range(4)]
    length = sum(len(key) + len(value) for key, value in encode(full)) + 4 * (LONGEST_PIN + len("pin"))
    assert length < LONGEST_LINK
    pins = tuple(pin_of(full, name=name) for name in texts)
    decoded = decode(CATALOG, query_of(link(full.model_copy(update={"pins": pins}))))
    assert decoded.problems == ()
    assert decoded.scenario.pins == pins


@given(st.lists(st.text(max_size=40) | st.just(MADE_BEFORE) | st.binary(max_size=60).map(packed), max_size=6))
def test_no_pin_ever_raises(texts: list[str]) -> None:
    decoded = with_pins(*texts)
    assert len(decoded.scenario.pins) <= MOST_PINS
    again = decode(CATALOG, query_of(link(decoded.scenario)))
    assert again.problems == ()
    assert again.scenario == decoded.scenario


@given(st.dictionaries(st.sampled_from([*INPUTS, "scenario", "junk"]), st.text("0123456789.-aeu", max_size=8)))
@settings(max_examples=60)
def test_whatever_a_pin_holds_becomes_a_scenario(query: dict[str, str]) -> None:
    pairs = {key: value for key, value in query.items() if key not in NOT_PINNED}
    text = packed("&".join(f"{key}={value}" for key, value in pairs.items()).encode())
    (kept,) = with_pins(text).scenario.pins
    assert isinstance(pinned(CATALOG, kept).scenario, Scenario)
    assert pinned(CATALOG, kept).problems == ()
