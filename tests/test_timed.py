"""A scenario's week: every kind of traffic on its clock, the month's hours, and the demand in each hour."""

import math
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.catalog import catalog
from costmodel.link import decode, query_of
from costmodel.load.fleet import scheduled_hours
from costmodel.load.profile import profile_text
from costmodel.load.timed import ServedWeek, hour_shares_of, served_week, traffic_of
from costmodel.load.traffic import hour_weights
from costmodel.scenario import Scenario

CATALOG = catalog()
BUSINESS = "?scenario=node-8xh200&traffic=business&tz=Europe/Berlin"


def scenario(query: str) -> Scenario:
    opened = decode(CATALOG, query_of(query))
    assert opened.problems == (), opened.problems
    return opened.scenario


def week(query: str, served: float = 1_000.0) -> ServedWeek:
    return served_week(scenario(query), served_output_tok_s=served)


KINDS = [
    "traffic=flat",
    "traffic=business&busy_days=22",
    "traffic=diurnal",
    f"traffic=imported&profile={profile_text([1.0 + hour % 5 for hour in range(168)])}",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("calendar", ["week", "year", "2026-02", "2026-10"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_the_hours_of_every_week_add_up_and_its_mean_is_the_demand(kind: str, calendar: str, zone: str) -> None:
    query = f"?scenario=node-8xh200&{kind}&tz={zone}&calendar={calendar}"
    found = week(f"{query}&demand=500")
    assert math.fsum(found.hour_shares) == pytest.approx(1)
    assert math.fsum(map(mul, found.hour_shares, found.output_tok_s)) == pytest.approx(500)
    assert found.mean_output_tok_s == 500
    assert found.load_factor == pytest.approx(500 / found.busiest_output_tok_s)
    at_busiest = week(f"{query}&demand=500&demand_at=busiest")
    assert at_busiest.busiest_output_tok_s == pytest.approx(500)
    assert at_busiest.mean_output_tok_s == pytest.approx(500 * found.load_factor)


def test_without_a_demand_it_is_what_is_served() -> None:
    assert week("?scenario=deepinfer-128", served=123.0).mean_output_tok_s == 123.0
    assert week("?scenario=deepinfer-128&demand_at=busiest&traffic=business", served=123.0).mean_output_tok_s == 123.0
    assert week("?scenario=node-8xh200", served=123.0).mean_output_tok_s == 300


def test_without_tokens_there_is_still_a_shape() -> None:
    idle = week("?scenario=deepinfer-128&traffic=business", served=0.0)
    assert (idle.mean_output_tok_s, idle.busiest_output_tok_s) == (0, 0)
    assert idle.load_factor == pytest.approx(40 / 168)


def test_an_imported_week_is_the_profile() -> None:
    hours = [float(hour % 24) for hour in range(168)]
    weights = hour_weights(
        traffic_of(scenario(f"?scenario=node-8xh200&traffic=imported&profile={profile_text(hours)}"))
    )
    assert [round(value / weights[23] * 23, 2) for value in weights] == pytest.approx(hours, abs=0.01)


@settings(deadline=None, max_examples=40)
@given(st.floats(0.1, 30), st.sampled_from(["week", "year", "2026-02"]))
def test_busy_days_are_as_many_as_typed(days: float, calendar: str) -> None:
    asked = scenario(f"{BUSINESS}&calendar={calendar}&busy_days={days:.4f}")
    shares = hour_shares_of(asked)
    assert math.fsum(shares[: 5 * 24]) * 730 / 24 == pytest.approx(round(days, 4))
    assert math.fsum(shares) == pytest.approx(1)
    assert min(shares) >= 0


def test_eight_hours_on_twenty_two_days() -> None:
    """pikas.systems, September 2026: 300 tok/s for 176 hours of a month of 730."""
    found = week(f"{BUSINESS}&busy_days=22&demand_at=busiest")
    assert found.mean_output_tok_s * 730 == pytest.approx(300 * 176)
    assert scheduled_hours(busy_hours=176, starts=22, pre_warm_hours=0.5) == 187


def test_september_2026_has_twenty_two_working_days() -> None:
    found = week(f"{BUSINESS}&calendar=2026-09&hours=720&demand_at=busiest")
    assert found.mean_output_tok_s * 720 == pytest.approx(300 * 176)
