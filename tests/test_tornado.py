"""The tornado: each input through compare(), and the flips where the bills are equal."""

import pytest

from costmodel.risk.outcome import outcome, outcome_of
from costmodel.risk.settled import settled, with_value
from costmodel.risk.tornado import changed_outcome, tornado
from tests.risk_scenarios import CATALOG, CLUSTER, NODE, SCENARIOS, comparison


@pytest.mark.parametrize("query", SCENARIOS)
def test_widest_first_and_flips_are_crossings(query: str) -> None:
    compared = comparison(query)
    found, scenario = tornado(CATALOG, compared), settled(CATALOG, compared)
    widths = [swing.swing_usd_per_month for swing in found.swings]
    assert widths == sorted(widths, reverse=True)
    for swing in found.swings:
        prior, winners = swing.prior, {each.winner for each in (swing.at_low, swing.at_high) if each}
        turned = {"self_host": "api", "api": "self_host"}[found.base.winner]
        assert (swing.flips_at is not None) or turned not in winners
        if swing.flips_at is not None:
            assert prior.low <= swing.flips_at <= prior.high
            at = changed_outcome(CATALOG, scenario, prior.key, swing.flips_at)
            assert at is not None
            assert at.winner == "tie"


def test_the_ends_are_comparisons_of_their_own() -> None:
    compared = comparison(CLUSTER)
    swing = next(each for each in tornado(CATALOG, compared).swings if each.prior.key == "util")
    for end, percent in ((swing.at_low, 36.0), (swing.at_high, 84.0)):
        assert end == outcome_of(CATALOG, comparison(f"{CLUSTER}&util={percent}"))
    assert swing.flips_at == pytest.approx(76.4084, abs=1e-4)


def test_the_published_cluster_turns_on_its_load_but_not_on_its_throughput() -> None:
    """A 60 % full cluster needs 76.4 %, or 27 % more throughput; the catalogue's high is 15 % more."""
    found = tornado(CATALOG, comparison(CLUSTER))
    flips = {swing.prior.key for swing in found.flips}
    assert {"util", "growth", "api_drop", "gpu_drop"} <= flips
    assert not flips & {"tps", "eff", "gpu_usd", "api_price"}
    assert "tps" in {
        swing.prior.key for swing in tornado(CATALOG, comparison(f"{CLUSTER}&range=tps:10000:20000")).flips
    }


def test_an_end_without_an_answer_is_said_to_be_none() -> None:
    scenario = settled(CATALOG, comparison(NODE))
    too_few = scenario.model_copy(update={"gpus": 4})
    assert changed_outcome(CATALOG, too_few, "tps", 1_000.0) is None
    assert changed_outcome(CATALOG, scenario, "tps", 1_000.0) == outcome(CATALOG, with_value(scenario, "tps", 1_000.0))


def test_a_sure_input_has_no_swing() -> None:
    found = tornado(CATALOG, comparison(f"{CLUSTER}&range=util:60:60"))
    swing = next(each for each in found.swings if each.prior.key == "util")
    assert (swing.swing_usd_per_month, swing.flips_at) == (0, None)
