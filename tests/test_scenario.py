"""Every input is described once, completely."""

import pytest

from costmodel.scenario import INPUTS, Scenario

CONTRACT = {
    *("asof", "title", "view", "model", "gpu", "gpus", "prefill_gpu", "prefill_gpus", "gpu_usd", "prefill_gpu_usd"),
    *("units", "util", "tps", "prefill_tps", "eff", "prefill_eff", "ratio", "cached", "own_cached", "peak", "calendar"),
    *("traffic", "tz", "start", "end", "days", "demand", "slo", "api", "region", "batch", "hours", "cur", "fx", "vat"),
    "basis",
}


def test_the_keys_of_the_link_contract_are_all_there() -> None:
    assert set(INPUTS) >= CONTRACT
    assert not set(INPUTS) & {"embed", "embed_options", "v", "scenario"}


@pytest.mark.parametrize("key", sorted(INPUTS))
def test_every_input_explains_itself(key: str) -> None:
    asked = INPUTS[key]
    assert asked.label
    assert len(asked.help) > 10
    if asked.kind in ("number", "whole") and key not in ("units",):
        assert asked.unit, "a number needs its unit"
        assert asked.low is not None
        assert asked.high is not None


def test_fields_and_inputs_are_one_list() -> None:
    assert [asked.name for asked in INPUTS.values()] == list(Scenario.model_fields)
