"""A settled scenario compares like the one it was made from, and one input can be changed in it."""

import pytest

from costmodel.compare import compare
from costmodel.risk.outcome import outcome, outcome_of
from costmodel.risk.settled import settled, value_of, with_value
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


@pytest.mark.parametrize("query", SCENARIOS)
def test_it_compares_like_the_original(query: str) -> None:
    original = comparison(query)
    again = compare(CATALOG, settled(CATALOG, original))
    assert again.self_host.usd_per_month == pytest.approx(original.self_host.usd_per_month, rel=1e-12)
    assert again.self_host.capacity_output_tok_s == pytest.approx(original.self_host.capacity_output_tok_s, rel=1e-12)
    assert [api.usd_per_month for api in again.apis] == pytest.approx([api.usd_per_month for api in original.apis])
    found, expected = outcome(CATALOG, settled(CATALOG, original)), outcome_of(CATALOG, original)
    assert found.saving_usd_per_month == pytest.approx(expected.saving_usd_per_month, rel=1e-9)


def test_prices_and_assumptions_are_written_out() -> None:
    scenario = settled(CATALOG, comparison(CLUSTER))
    assert (scenario.gpu_usd_per_hour, scenario.prefill_gpu_usd_per_hour) == (10.5, 8.6)
    assert (scenario.term_months, scenario.cost_of_capital_percent) == (36, 8)
    assert value_of(scenario, "api_price") == 100
    assert value_of(scenario, "demand") is None
    assert value_of(scenario, "peak") is None
    assert value_of(scenario, "reserve_off") == 0


def test_a_throughput_that_follows_from_a_speed_becomes_a_figure() -> None:
    original = comparison(f"{CLUSTER}&slo=250")
    scenario = settled(CATALOG, original)
    assert scenario.slo_tok_s_per_user is None
    assert scenario.output_tok_s_per_gpu == original.self_host.throughput.output_tok_s_per_gpu != 14_466


def test_a_discount_is_kept_where_it_is_one_and_taken_off_where_it_is_in_the_price() -> None:
    typed = settled(CATALOG, comparison(f"{CLUSTER}&acquire=reserve&reserve_off=40"))
    assert (typed.gpu_usd_per_hour, typed.reserved_discount_percent) == (10.5, 40)
    quoted = settled(CATALOG, comparison(f"{CLUSTER}&acquire=reserve&gpu_usd=7&prefill_gpu_usd=6"))
    assert (quoted.gpu_usd_per_hour, quoted.prefill_gpu_usd_per_hour, quoted.reserved_discount_percent) == (7, 6, 0)


def test_one_input_changes_and_nothing_else() -> None:
    scenario = settled(CATALOG, comparison(NODE))
    changed = with_value(scenario, "tps", 2000.0)
    assert changed.model_dump() | {"output_tok_s_per_gpu": 1875.0} == scenario.model_dump()
    assert with_value(scenario, "api_price", 50.0) == scenario
    assert with_value(scenario, "util", 50.0).demand_output_tok_s is None
    assert with_value(scenario, "reserve_off", 50.0).acquire == "reserve"
    assert with_value(scenario, "life", 30.4).life_months == 30
