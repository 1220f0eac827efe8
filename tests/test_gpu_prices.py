"""What a GPU-hour costs in each way to get it: list prices before discounts, and none off a price that has one."""

from dataclasses import replace

import pytest

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.gpu_prices import gpu_price, on_demand_price
from costmodel.link import decode, query_of
from costmodel.pools import Pool
from costmodel.scenario import Scenario

CATALOG = catalog()
NODE = "?scenario=node-8xh200"


def scenario_and_pool(query: str) -> tuple[Scenario, Pool]:
    scenario = decode(CATALOG, query_of(query)).scenario
    return scenario, compare(CATALOG, scenario).self_host.pools[-1]


def usd(query: str) -> float:
    return gpu_price(CATALOG, *scenario_and_pool(query))[0].usd_per_gpu_hour


@pytest.mark.parametrize("acquire", ["reserve", "spot"])
def test_another_list_price_is_one_of_the_same_machine_and_else_nothing_gets_dearer(acquire: str) -> None:
    scenario, pool = scenario_and_pool(f"{NODE}&acquire={acquire}")
    found = 0
    for offer in CATALOG.rentals.values():
        rent = offer.entry.history[-1]
        of_offer = replace(pool, offer=offer, rent=rent, usd_per_gpu_hour=rent.usd_per_gpu_hour)
        price, notes = gpu_price(CATALOG, scenario, of_offer)
        if price.offer is None:
            assert price.usd_per_gpu_hour <= rent.usd_per_gpu_hour
            assert bool(notes) == (price.usd_per_gpu_hour == rent.usd_per_gpu_hour)
            continue
        found += 1
        entry = price.offer.entry
        assert price.offer.provider == offer.provider
        assert (entry.gpu, entry.gpus_per_instance) == (offer.entry.gpu, offer.entry.gpus_per_instance)
        assert entry.commitment in ({"spot"} if acquire == "spot" else {"reserved_1y", "reserved_3y"})
        assert len({entry.region, offer.entry.region} - {None}) <= 1
    assert found > 0


def test_a_list_price_goes_before_an_assumed_discount_and_after_a_typed_one() -> None:
    """CoreWeave H200: 6.305 on demand, 2.61625 spot. Hyperstack B200: 6.00 on demand, 5.10 reserved, “from” a year."""
    assert usd(f"{NODE}&acquire=spot") == 2.61625
    assert usd(f"{NODE}&acquire=spot&spot_off=50") == pytest.approx(6.305 / 2)
    hyperstack = f"{NODE}&gpu=hyperstack-b200&acquire=reserve"
    assert usd(hyperstack) == 5.10
    assert gpu_price(CATALOG, *scenario_and_pool(hyperstack))[0].term_months == 12
    assert usd(f"{hyperstack}&reserve_off=20") == pytest.approx(4.80)


def test_without_a_list_price_the_assumed_discount_is_taken_and_named() -> None:
    price, notes = gpu_price(CATALOG, *scenario_and_pool(f"{NODE}&acquire=reserve"))
    off = CATALOG.assumed("reserved_discount_percent", on=scenario_and_pool(NODE)[0].price_date)
    assert price.usd_per_gpu_hour == pytest.approx(6.305 * (1 - off / 100))
    assert price.words == f", reserved {off:g} % off"
    assert [each.basis for each in price.sources] == ["published", "reported"]
    assert notes == []


@pytest.mark.parametrize("query", [f"{NODE}&gpu_usd=5", f"{NODE}&gpu=coreweave-h200-spot"])
def test_an_own_price_and_one_that_is_reduced_already_stay_as_they_are(query: str) -> None:
    scenario, pool = scenario_and_pool(f"{query}&acquire=reserve")
    price, notes = gpu_price(CATALOG, scenario, pool)
    assert price.usd_per_gpu_hour == pool.usd_per_gpu_hour
    assert "no reserved discount is taken off it" in notes[0]


def on_demand(query: str) -> float | None:
    price = on_demand_price(CATALOG, *scenario_and_pool(query))
    return price and price.usd_per_gpu_hour


def test_on_demand_is_found_from_any_way() -> None:
    for query in (NODE, f"{NODE}&acquire=reserve", f"{NODE}&acquire=buy", f"{NODE}&gpu=coreweave-h200-spot"):
        assert on_demand(query) == 6.305
    assert on_demand(f"{NODE}&gpu_usd=5") == on_demand(f"{NODE}&gpu_usd=5&acquire=buy") == 5
    # A typed price is the quote of the way that is chosen, unless a discount is typed with it.
    assert on_demand(f"{NODE}&gpu_usd=5&acquire=reserve") == 6.305
    assert on_demand(f"{NODE}&gpu_usd=5&acquire=reserve&reserve_off=30") == 5
    # Qubrid lists its B200 by the year only.
    assert on_demand(f"{NODE}&gpu=qubrid-b200-1y") is None
