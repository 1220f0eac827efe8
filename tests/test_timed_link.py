"""Traffic in time in the link: neutral where absent, exact on reading back, named where it is wrong."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.link import Decoded, assumed_value, decode, encode, link, query_of
from costmodel.load.profile import profile_text
from costmodel.scenario import INPUTS

CATALOG = catalog()
WEEK = profile_text([float(hour) for hour in range(168)])
NODE = "?scenario=node-8xh200"
# A link as it was written before there were inputs of traffic in time.
OLD = (
    "?v=1&asof=2026-10-25&title=&view=cost&model=deepseek-v4.1-flash&gpu=coreweave-gb200&gpus=64"
    "&prefill_gpu=coreweave-b200&prefill_gpus=64&units=1&util=60&tps=14466&prefill_tps=60000&eff=80&prefill_eff=100"
    "&ratio=0&cached=0&own_cached=0&cache_write=0&peak=auto&calendar=year&traffic=business&tz=Europe/Berlin&start=9"
    "&end=17&days=mon-fri&api=deepseek:deepseek-flash&region=none&batch=0&hours=720&cur=USD&fx=1&vat=0&basis=output"
)


def read(query: str) -> Decoded:
    return decode(CATALOG, query_of(query))


def test_an_old_link_means_what_it_meant() -> None:
    opened = read(OLD)
    assert (opened.problems, opened.notes) == ((), ())
    old = {key: values[0] for key, values in query_of(OLD).items() if key != "title"}
    assert old.items() <= dict(encode(opened.scenario)).items()
    neutral = {"demand_at": "mean", "schedule": "always", "prewarm": "0", "spare": "0", "defer": "0"}
    assert neutral.items() <= dict(encode(opened.scenario)).items()
    unset = ("profile", "busy_days", "quiet", "rest_day", "slots", "wait", "demand", "against")
    assert not {key for key, _ in encode(opened.scenario)} & set(unset)


EVERYTHING = dict(
    pair.split("=", 1)
    for pair in (
        "traffic=business&tz=Asia/Kolkata&start=8&end=20&days=mon-thu,sat&calendar=2026-10&busy_days=21.5&quiet=12.5"
        f"&rest_day=0&profile={WEEK}&demand=300&demand_at=busiest&schedule=scheduled&prewarm=0.25&spare=2&slots=64"
        "&wait=1&defer=30&against=deepseek:deepseek-flash"
    ).split("&")
)


def test_every_input_survives_its_own_link() -> None:
    opened = read(f"{NODE}&{'&'.join(f'{key}={value}' for key, value in EVERYTHING.items())}")
    assert opened.problems == ()
    assert EVERYTHING.items() <= dict(encode(opened.scenario)).items()
    again = read(link(opened.scenario))
    assert (again.scenario, again.problems, again.notes) == (opened.scenario, (), ())


def test_an_imported_week_survives_its_link() -> None:
    opened = read(f"{NODE}&traffic=imported&profile={WEEK}")
    assert opened.problems == ()
    assert read(link(opened.scenario)).scenario == opened.scenario
    assert opened.scenario.profile == WEEK


def test_what_is_assumed_is_written_into_the_link_and_said() -> None:
    opened = read(f"{NODE}&traffic=diurnal&slots=64")
    assumed = {key: assumed_value(CATALOG, key, on=opened.scenario.price_date) for key in ("quiet", "rest_day", "wait")}
    assert {key: float(dict(encode(opened.scenario))[key]) for key in assumed} == assumed
    assert all(f"{key} (" in opened.notes[-1] for key in assumed)
    assert read(link(opened.scenario)).notes == ()
    assert CATALOG.assumptions["diurnal_quiet_percent"].history[-1].basis == "assumed"


@pytest.mark.parametrize(
    ("query", "key", "used", "reason"),
    [
        ("traffic=weekly", "traffic", "flat", "one of flat, business, diurnal, imported"),
        ("traffic=imported", "traffic", "flat", "needs profile"),
        ("traffic=imported&profile=zz", "profile", None, "2 characters, not 336"),
        (f"profile={WEEK[:-1]}!", "profile", None, "“!”"),
        ("profile=" + "00" * 168, "profile", None, "no traffic"),
        ("calendar=2026-13", "calendar", "week", "a month like 2026-10"),
        ("calendar=1999-01", "calendar", "week", "outside 2023-01 to 2035-12"),
        ("calendar=Oct 2026", "calendar", "week", "a month like 2026-10"),
        ("quiet=101", "quiet", None, "outside 0 to 100"),
        ("rest_day=-1", "rest_day", None, "outside 0 to 100"),
        ("busy_days=22", "busy_days", None, "business traffic"),
        ("traffic=business&days=mon-sun&busy_days=22", "busy_days", None, "a day of the week that is not busy"),
        ("traffic=business&busy_days=31", "busy_days", None, "more days than 730 hours have"),
        ("schedule=sometimes", "schedule", "always", "one of always, scheduled"),
        ("demand_at=peak", "demand_at", "mean", "one of mean, busiest"),
        ("prewarm=-0.5", "prewarm", "0", "outside 0 to 168"),
        ("spare=1.5", "spare", "0", "whole number"),
        ("slots=0", "slots", None, "outside 1"),
        ("wait=0", "wait", None, "above 0"),
        ("defer=100.1", "defer", "0", "outside 0 to 100"),
        ("against=nobody:nothing", "against", None, "not one of the API prices"),
        ("against=tokely:deepseek-v4.1-flash", "against", None, "not one of the API prices"),
    ],
)
def test_whatever_cannot_be_used_is_named(query: str, key: str, used: Any, reason: str) -> None:
    opened = read(f"{NODE}&{query}")
    problems = {problem.key: problem for problem in opened.problems}
    assert key in problems
    assert problems[key].used == used
    assert reason in problems[key].message
    assert read(link(opened.scenario)).problems == ()


@given(
    st.dictionaries(st.sampled_from(sorted(EVERYTHING)), st.text(max_size=12) | st.sampled_from([*EVERYTHING.values()]))
)
def test_no_combination_raises_and_its_link_is_clean(query: dict[str, str]) -> None:
    opened = decode(CATALOG, {key: [value] for key, value in query.items()})
    again = read(link(opened.scenario))
    assert (again.scenario, again.problems) == (opened.scenario, ())


def test_the_new_keys_are_inputs() -> None:
    assert set(EVERYTHING) <= set(INPUTS)
