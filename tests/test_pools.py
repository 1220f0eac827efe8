"""Rented pools: the price on the day, whole instances, memory."""

import pytest

from costmodel.catalog import catalog
from costmodel.link import decode, query_of
from costmodel.pools import PoolError, decode_pool, prefill_pool
from costmodel.scenario import Scenario

CATALOG = catalog()


def scenario(query: str) -> Scenario:
    return decode(CATALOG, query_of(query)).scenario


def test_a_list_price_has_its_source_and_a_typed_one_none() -> None:
    listed = decode_pool(CATALOG, scenario("?scenario=deepinfer-128"))
    assert listed.usd_per_gpu_hour == 10.50
    assert listed.rent is not None
    typed = decode_pool(CATALOG, scenario("?scenario=deepinfer-128&gpu_usd=4"))
    assert (typed.usd_per_gpu_hour, typed.rent) == (4, None)


def test_roles() -> None:
    assert decode_pool(CATALOG, scenario("?scenario=deepinfer-128")).role == "decode"
    assert decode_pool(CATALOG, scenario("?scenario=node-8xh200")).role == "serving"
    assert prefill_pool(CATALOG, scenario("?scenario=node-8xh200")) is None


def test_memory_of_the_pool_not_of_the_bill() -> None:
    pool = decode_pool(CATALOG, scenario("?scenario=deepinfer-128&gpus=65"))
    assert (pool.gpus, pool.billed_gpus) == (65, 68)
    assert pool.memory_gb == pytest.approx(65 * 186)


def test_one_h100_holds_no_v41_flash() -> None:
    with pytest.raises(PoolError, match="more GPUs"):
        decode_pool(CATALOG, scenario("?scenario=node-8xh200&gpu=coreweave-h100&gpus=2"))


def test_a_model_without_a_known_floor_says_so() -> None:
    unknown = [
        key for key, model in CATALOG.models.items() if all(each.memory_floor_gb is None for each in model.history)
    ]
    assert unknown
    pool = decode_pool(CATALOG, scenario(f"?scenario=node-8xh200&model={unknown[0]}"))
    assert pool.fit == "unknown"
    assert any("not known" in note for note in pool.notes)
