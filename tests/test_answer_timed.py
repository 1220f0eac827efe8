"""Traffic, demand and hybrid in the answer: the numbers of the reports, and a reason beside every null."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import demand_answer
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.load.traffic_answer import traffic_answer

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"


def answer(query: str) -> dict[str, Any]:
    opened = decode(CATALOG, query_of(query))
    given: dict[str, Any] = json.loads(json.dumps(answer_dict(compare(CATALOG, opened.scenario)), allow_nan=False))
    return given


def nulls_without_reason(value: Any, path: str = "") -> list[str]:
    """Paths of nulls in a structure that no other key of their object explains."""
    if isinstance(value, list):
        return [found for each in value for found in nulls_without_reason(each, f"{path}[]")]
    if not isinstance(value, dict):
        return []
    has_reason = any(key.endswith("reason") and text for key, text in value.items())
    found = [
        f"{path}.{key}" for key, each in value.items() if each is None and not key.endswith("reason") and not has_reason
    ]
    return found + [each for key, part in value.items() for each in nulls_without_reason(part, f"{path}.{key}")]


QUERIES = [
    CLUSTER,
    f"{CLUSTER}&util=0",
    f"{CLUSTER}&demand=900000&traffic=diurnal&calendar=year&schedule=scheduled&prewarm=1&slots=8&spare=3&defer=50",
    f"{CLUSTER}&api=custom:Free:0:0:0",
    f"{CLUSTER}&api=custom:Cheap:0::0.001",
    f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash",
    f"{NODE}&traffic=business&busy_days=22&demand_at=busiest&peak=40&cur=EUR&fx=0.92&vat=21",
    f"{NODE}&demand=1000000000",
    f"{NODE}&demand=0.001&basis=total",
]


@pytest.mark.parametrize("query", QUERIES)
def test_every_null_has_a_reason_beside_it(query: str) -> None:
    found = answer(query)
    timed = {key: each for key, each in found.items() if key.partition("_")[0] in ("traffic", "demand", "hybrid")}
    assert {"traffic", "demand", "hybrid"} <= set(timed)
    assert nulls_without_reason(timed) == []


@settings(max_examples=80, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "demand": st.sampled_from(["0.001", "300", "740659.2", "1000000000"]),
            "demand_at": st.sampled_from(["mean", "busiest"]),
            "traffic": st.sampled_from(["flat", "business", "diurnal"]),
            "tz": st.sampled_from(["UTC", "Asia/Kathmandu", "Australia/Lord_Howe"]),
            "calendar": st.sampled_from(["year", "week", "2026-03", "2035-12", "2023-02"]),
            "days": st.sampled_from(["mon", "sat,sun", "mon-sun"]),
            "busy_days": st.sampled_from(["0.5", "22", "30"]),
            "quiet": st.sampled_from(["0", "100"]),
            "schedule": st.sampled_from(["always", "scheduled"]),
            "prewarm": st.sampled_from(["0.5", "168"]),
            "spare": st.sampled_from(["1", "1000"]),
            "slots": st.sampled_from(["1", "1000000"]),
            "wait": st.sampled_from(["0.001", "100"]),
            "defer": st.sampled_from(["1", "100"]),
            "peak": st.sampled_from(["0", "100"]),
            "util": st.sampled_from(["0", "100"]),
            "gpu_usd": st.sampled_from(["0.01", "1000"]),
            "tps": st.sampled_from(["0.01", "1000000"]),
            "api": st.sampled_from(["custom:Free:0:0:0", "custom:Dear:1000::1000", "deepseek:deepseek-flash"]),
        },
    )
)
def test_no_link_gives_nan_infinity_or_an_unexplained_null(query: dict[str, str]) -> None:
    opened = decode(CATALOG, {"scenario": ["deepinfer-128"], **{key: [value] for key, value in query.items()}})
    try:
        found = answer_dict(compare(CATALOG, opened.scenario))
    except NoAnswerError:
        return
    json.dumps(found, allow_nan=False)
    assert nulls_without_reason({key: found[key] for key in ("traffic", "demand", "hybrid") if found[key]}) == []


def test_the_answer_is_the_reports() -> None:
    query = f"{CLUSTER}&demand=900000&traffic=business&tz=Europe/Berlin&calendar=year&spare=1"
    found, comparison = answer(query), compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    traffic, demand, hybrid = traffic_answer(comparison), demand_answer(comparison), hybrid_answer(comparison)
    assert found["traffic"]["load_factor"] == traffic.week.load_factor
    assert found["traffic"]["apis"][0]["peak_share"] == traffic.peaks[0].peak_share
    assert len(found["traffic"]["hourly_output_tok_s"]) == 168
    assert found["demand"]["units"] == demand.fleet.units
    assert found["demand"]["usd_per_month"] == demand.fleet.usd_per_month
    assert found["demand"]["otherwise"]["usd_per_month"] == demand.other_fleet.usd_per_month
    assert [each["id"] for each in found["demand"]["apis"]] == [each.api.id for each in demand.apis]
    assert found["hybrid"]["usd_per_month"] == hybrid.result.hybrid_usd_per_month
    own, bought = found["hybrid"]["usd_per_month_own_part"], found["hybrid"]["usd_per_month_api_part"]
    assert own + bought == pytest.approx(found["hybrid"]["usd_per_month"])


def test_the_published_figures_of_the_answer() -> None:
    node, cluster = answer(NODE)["demand"], answer(f"{CLUSTER}&demand=900000")["demand"]
    assert node["usd_per_mtok"] == pytest.approx(46.70, abs=0.005)
    assert node["apis"][0]["turns_at_output_tok_s"] == pytest.approx(11_676, abs=0.5)
    assert node["apis"][0]["demand_over_break_even"] == pytest.approx(0.0257, abs=5e-5)
    assert (cluster["units"], cluster["demand_in_units"]) == (2, pytest.approx(1.215, abs=5e-4))
    assert cluster["usd_per_mtok"] == pytest.approx(0.7546, abs=5e-5)
    assert cluster["apis"][0]["ahead_from_units"] == 4


def test_currency_and_tax_are_twins_of_every_amount() -> None:
    found = answer(f"{NODE}&cur=EUR&fx=0.92&vat=21")
    for part in (found["demand"], found["demand"]["otherwise"], found["demand"]["apis"][0], found["hybrid"]):
        amounts = [key for key in part if "usd" in key and not key.endswith(("_in_currency", "_reason"))]
        assert amounts
        for key in amounts:
            twin = part[f"{key}_in_currency"]
            assert twin == (None if part[key] is None else pytest.approx(part[key] * 0.92 * 1.21))
