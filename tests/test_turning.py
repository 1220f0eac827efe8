"""What would have to be true: values that really make both bills equal, or a reason why none does."""

import pytest

from costmodel.compare import compare
from costmodel.risk.outcome import cheapest_of
from costmodel.risk.riskmodel import risk_model
from costmodel.risk.settled import settled, with_value
from costmodel.risk.tornado import changed_outcome
from costmodel.risk.turning import TURNING, Turn, turns
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


def turns_of(query: str) -> dict[str, Turn]:
    return {turn.key: turn for turn in turns(CATALOG, comparison(query)).turns}


@pytest.mark.parametrize("query", SCENARIOS)
def test_at_the_turn_both_bills_are_equal(query: str) -> None:
    scenario = settled(CATALOG, comparison(query))
    for key, turn in turns_of(query).items():
        assert (turn.at is None) == (turn.reason is not None)
        if turn.at is None or key == "units":
            continue
        at = changed_outcome(CATALOG, scenario, key, turn.at)
        assert at is not None
        assert abs(at.saving_usd_per_month) <= 1e-6 * max(at.api_usd_per_month, at.self_host_usd_per_month), key


@pytest.mark.parametrize("query", SCENARIOS)
def test_before_the_turn_the_verdict_stays(query: str) -> None:
    compared = comparison(query)
    scenario, found = settled(CATALOG, compared), turns(CATALOG, compared)
    for turn in found.turns:
        if turn.at is None or turn.key == "units" or found.base.winner == "tie":
            continue
        for part in (0.2, 0.6, 0.95):
            between = changed_outcome(CATALOG, scenario, turn.key, turn.base + part * (turn.at - turn.base))
            assert between is not None
            assert between.saving_usd_per_month * found.base.saving_usd_per_month > 0, (turn.key, part)


def test_the_values_of_the_closed_forms() -> None:
    compared, found = comparison(CLUSTER), turns_of(CLUSTER)
    api = cheapest_of(compared)
    assert api.usd_per_mtok is not None
    assert api.break_even.utilization is not None
    assert found["util"].at == pytest.approx(100 * api.break_even.utilization)
    assert found["demand"].at == pytest.approx(api.break_even.output_tok_s)
    assert compared.break_even_api_usd_per_mtok is not None
    assert found["api_price"].at == pytest.approx(100 * compared.break_even_api_usd_per_mtok / api.usd_per_mtok)
    one_pool = comparison(f"{NODE}&demand=9000&util=60")
    assert cheapest_of(one_pool).break_even_usd_per_gpu_hour == pytest.approx(
        turns_of(f"{NODE}&demand=9000")["gpu_usd"].at
    )


def test_the_published_cluster() -> None:
    """76.4 % against $0.60 at 60 %: 27 % more of throughput, load or API price."""
    found = turns_of(CLUSTER)
    assert found["util"].at == pytest.approx(76.4084, abs=1e-4)
    assert found["tps"].at == pytest.approx(14_466 * 0.764084 / 0.6, rel=1e-5)
    assert found["api_price"].change_share == pytest.approx(0.27347, abs=1e-5)
    assert found["reserve_off"].at == pytest.approx(100 * (1 - 0.6 / 0.764084), rel=1e-4)
    assert found["eff"].reason == "even at 100 % the API stays cheaper"
    assert found["cached"].reason == "there is no input to be cached"
    assert found["staff"].reason == "0 is already the best value for self-hosting"


def test_the_published_node() -> None:
    """8 H200 for 300 tok/s: 11,676 tok/s against $1.20; faster GPUs change nothing, the rent is the same."""
    found = turns_of(NODE)
    assert found["demand"].at == pytest.approx(11_676, abs=0.5)
    assert found["demand"].base == 300
    assert found["util"].base == pytest.approx(2)
    assert found["tps"].reason == "your tokens stay the same, so faster GPUs serve them for the same money"
    assert found["api_price"].at == pytest.approx(100 * 11_675.926 / 300, rel=1e-6)
    assert found["gpu_usd"].at == pytest.approx(946.08 / (8 * 730))
    assert found["reserve_off"].reason == "even at 95 % the API stays cheaper"


def test_a_saving_can_carry_so_many_people() -> None:
    compared = comparison(f"{CLUSTER}&util=90")
    saving = -compared.self_host.usd_per_month + (cheapest_of(compared).usd_per_month or 0)
    assert turns_of(f"{CLUSTER}&util=90")["staff"].at == pytest.approx(saving / (150_000 / 12))


def test_whole_units_turn_at_a_whole_number() -> None:
    query = f"{NODE}&demand=27000&units=2"
    turn = turns_of(query)["units"]
    scenario = settled(CATALOG, comparison(query))
    winners = [
        changed_outcome(CATALOG, scenario.model_copy(update={"units": units}), "api_price", 100.0) for units in (2, 3)
    ]
    assert turn.at == 3
    assert [each.winner for each in winners if each] == ["self_host", "api"]


def test_the_nearest_turn_is_taken_where_there_are_two() -> None:
    """Longer prompts make the API's bundle dearer, until prefill binds and they slow down the own output."""
    slow_prefill = f"{CLUSTER}&prefill_tps=30000"
    model = risk_model(CATALOG, comparison(slow_prefill))
    savings = [float(model.month({"ratio": ratio}).saving_usd) for ratio in (0.0, 2.6, 50.0)]
    assert [saving > 0 for saving in savings] == [False, True, False]
    from_below, from_above = (turns_of(f"{slow_prefill}&ratio={ratio}")["ratio"].at for ratio in (0, 50))
    assert from_below == pytest.approx(1.0938941, rel=1e-6)
    assert from_above is not None
    assert 2.6 < from_above < 50


def test_a_tie_turns_where_it_stands() -> None:
    found = turns(CATALOG, comparison(f"{CLUSTER}&util=76.40841103"))
    assert found.base.winner == "tie"
    assert all(turn.at == turn.base for turn in found.turns)


def test_a_free_api_never_turns_on_its_price() -> None:
    assert (
        turns_of(f"{CLUSTER}&api=custom:Free:0:0:0")["api_price"].reason
        == "it does not change what the two bills differ by"
    )


def test_every_input_is_offered_somewhere() -> None:
    assert {key for query in SCENARIOS for key in turns_of(query)} == set(TURNING)


def test_the_turn_of_the_page_is_the_turn_of_the_link() -> None:
    """Typed into the link, a turn turns the answer of the page."""
    found = turns_of(CLUSTER)
    scenario = comparison(CLUSTER).scenario
    for key in ("tps", "util", "gpu_usd", "ratio"):
        at, base = found[key].at, found[key].base
        assert at is not None
        for beyond, winner in ((0.999, "api"), (1.001, "self_host")):
            changed = compare(CATALOG, with_value(scenario, key, base + (at - base) * beyond)).cheapest_api
            assert changed is not None
            assert changed.winner in (winner, "tie")
