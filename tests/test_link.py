"""The link, a public contract: exact both ways, never raising, never guessing in silence."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.choices import custom_choice_id
from costmodel.link import (
    DEFAULT_EXAMPLE,
    MOST_APIS,
    MOST_PROBLEMS,
    Decoded,
    decode,
    encode,
    example_scenario,
    link,
    plain_number,
    query_of,
)
from costmodel.scenario import INPUTS

CATALOG = catalog()


def read(query: str) -> Decoded:
    return decode(CATALOG, query_of(query))


def problems(query: str) -> dict[str, str]:
    return {problem.key: problem.message for problem in read(query).problems}


@pytest.mark.parametrize("identifier", sorted(CATALOG.examples))
def test_every_example_survives_its_own_link(identifier: str) -> None:
    opened = read(f"?scenario={identifier}")
    assert opened.problems == ()
    again = read(link(opened.scenario))
    assert again.scenario == opened.scenario
    assert again.problems == ()
    assert again.notes == ()
    assert link(again.scenario) == link(opened.scenario)


def test_a_bare_link_is_the_default_example() -> None:
    assert read("").scenario == example_scenario(CATALOG, DEFAULT_EXAMPLE)
    assert read("").notes == ()


def test_the_link_holds_every_input_that_is_set() -> None:
    keys = {key for key, _ in encode(read("?scenario=deepinfer-128").scenario)}
    optional = {key for key, asked in INPUTS.items() if asked.optional or asked.default in ("", ())}
    assert set(INPUTS) - optional <= keys
    assert "v" in keys
    assert not keys & {"embed", "embed_options"}


def test_absent_prefill_means_one_pool() -> None:
    stands_alone = read("?v=1&gpu=coreweave-h200&gpus=8&tps=1000&util=50").scenario
    assert stands_alone.prefill_gpu is None
    changed = read("?scenario=deepinfer-128&gpus=72").scenario
    assert changed.prefill_gpu == "coreweave-b200"


def test_what_a_link_leaves_out_is_said() -> None:
    decoded = read("?gpu=coreweave-h200&gpus=8")
    assert "tps" in decoded.notes[0]
    assert read("?util=70").notes


BAD_NUMBERS = ["nan", "inf", "1e400", "1_0", "0,55", "75%", "101", "-1", "", " 5", "+5", "٣", "5.", ".5"]


@pytest.mark.parametrize("value", BAD_NUMBERS)
def test_a_bad_number_gets_the_default_and_a_note(value: str) -> None:
    decoded = decode(CATALOG, {"util": [value]})
    assert decoded.scenario.utilization_percent == 60
    (problem,) = decoded.problems
    assert (problem.key, problem.value, problem.used) == ("util", value, "60")
    assert value in problem.message
    assert "using 60" in problem.message


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("?gpus=0", "gpus"),
        ("?gpus=1.5", "gpus"),
        ("?gpu=A100", "gpu"),
        ("?sku=A100", "sku"),
        ("?model=gpt-5", "model"),
        ("?asof=25.10.2026", "asof"),
        ("?asof=2026-02-30", "asof"),
        ("?asof=0001-01-01", "asof"),
        ("?tz=Mars/Olympus", "tz"),
        ("?tz=../../etc/passwd", "tz"),
        ("?days=mon-xyz", "days"),
        ("?region=moon", "region"),
        ("?view=secret", "view"),
        ("?basis=both", "basis"),
        ("?calendar=month", "calendar"),
        ("?cur=eur", "cur"),
        ("?cur=QQQ", "cur"),
        ("?fx=2", "fx"),
        ("?v=2", "v"),
        ("?scenario=nobody", "scenario"),
        ("?util=60&util=70", "util"),
        ("?title=" + "x" * 121, "title"),
        ("?title=a%00b", "title"),
        ("?title=a%E2%80%AEb", "title"),
        ("?prefill_gpu=coreweave-b200&gpu=coreweave-b200&gpus=8", "prefill_gpu"),
        ("?v=1&prefill_gpu_usd=3", "prefill_gpu_usd"),
        ("?cached=60&cache_write=50", "cache_write"),
        ("?start=18&end=9", "start"),
        ("?hours=0", "hours"),
        ("?tps=0", "tps"),
        ("?api=nobody:nothing", "api"),
        ("?api=deepseek:deepseek-flash@midnight", "api"),
        ("?api=tokely:deepseek-v4.1-flash@peak", "api"),
        ("?api=tokely:deepseek-v4.1-flash&api=tokely:deepseek-v4.1-flash", "api"),
        ("?api=custom:Mine:0.1", "api"),
        ("?api=custom::0.1::0.2", "api"),
        ("?api=custom:Mine:nan::0.2", "api"),
        ("?api=custom:Mine:0.1:0.2:0.3", "api"),
        ("?api=custom:Mine:0.1::15000", "api"),
    ],
)
def test_whatever_cannot_be_used_is_named(query: str, key: str) -> None:
    assert key in problems(query)


def test_messages_name_the_remedy() -> None:
    assert "like 0.55" in problems("?util=0,55")["util"]
    assert "2026-10-25" in problems("?asof=yesterday")["asof"]
    assert "Europe/Berlin" in problems("?tz=CEST5")["tz"]
    assert "swapped" in problems("?api=custom:Mine:0.1:0.2:0.3")["api"]


def test_one_bad_api_does_not_lose_the_others() -> None:
    decoded = read("?api=nobody:nothing&api=tokely:deepseek-v4.1-flash")
    assert decoded.scenario.apis == ("tokely:deepseek-v4.1-flash",)


def test_at_most_so_many_apis() -> None:
    many = "&".join(f"api=custom:Own {number}:0.1::0.2" for number in range(MOST_APIS + 3))
    decoded = read(f"?{many}")
    assert len(decoded.scenario.apis) == MOST_APIS
    assert len(decoded.problems) == 3


def test_many_problems_are_shortened() -> None:
    decoded = read("?" + "&".join(f"k{number}=1" for number in range(200)))
    assert len(decoded.problems) == MOST_PROBLEMS + 1
    assert "170 more" in decoded.problems[-1].message


def test_a_link_too_long_is_not_read() -> None:
    decoded = read("?util=70&title=" + "x" * 9_000)
    assert decoded.scenario == read("").scenario
    assert "longer than 8000" in decoded.problems[0].message


def test_a_currency_brings_its_dated_rate() -> None:
    assert read("?cur=EUR&asof=2026-09-25").scenario.currency_per_usd == 0.8609
    assert read("?cur=EUR&asof=2026-11-30").scenario.currency_per_usd == 0.895
    assert read("?cur=EUR&fx=0.92").scenario.currency_per_usd == 0.92
    early = read("?cur=EUR&asof=2024-01-01")
    assert early.scenario.currency == "USD"
    assert "give fx" in early.problems[0].message


def test_a_name_with_plus_and_percent_survives() -> None:
    named = read("?title=A%2BB%2050%25").scenario
    assert named.title == "A+B 50%"
    assert read(link(named)).scenario.title == "A+B 50%"


def test_a_price_of_ones_own_survives() -> None:
    text = custom_choice_id(name="Our <b>quote</b> & more", usd_input="0.15", usd_cached="", usd_output="0.6")
    scenario = decode(CATALOG, {"api": [text]}).scenario
    assert scenario.apis == (text,)
    assert read(link(scenario)).scenario == scenario


def test_links_with_an_address_read_the_same() -> None:
    query = link(read("?scenario=node-8xh200").scenario)
    assert read(f"https://example.org/tools/app/{query}#top").scenario == read(query).scenario
    assert read(query.lstrip("?")).scenario == read(query).scenario


@given(st.floats(min_value=0, max_value=100))
def test_every_utilization_survives_exactly(percent: float) -> None:
    text = plain_number(percent)
    assert float(text) == percent
    if len(text) <= 22:
        assert decode(CATALOG, {"util": [text]}).scenario.utilization_percent == percent


@given(
    st.dictionaries(
        st.sampled_from([*INPUTS, "v", "scenario", "junk"]) | st.text(max_size=8),
        st.lists(st.text(max_size=20) | st.sampled_from(["1", "60", "auto", "eu", "business"]), min_size=1, max_size=3),
        max_size=8,
    )
)
def test_no_query_ever_raises(query: dict[str, list[str]]) -> None:
    decoded = decode(CATALOG, query)
    again = read(link(decoded.scenario))
    assert again.scenario == decoded.scenario
    assert again.problems == ()


@given(st.text(max_size=300))
def test_no_text_ever_raises(text: str) -> None:
    decode(CATALOG, query_of(text))


def test_the_link_fixes_the_price_date() -> None:
    pairs = dict(encode(read("").scenario))
    assert pairs["asof"] == "2026-10-25"
    assert read("?asof=2026-11-30").scenario.price_date == date(2026, 11, 30)
