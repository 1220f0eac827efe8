"""Which nodes hold and run a model."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import Catalog, catalog
from costmodel.machine.hardware import (
    HardwareReport,
    Node,
    below_floor,
    engines_for,
    floor_gb_of,
    hardware_report,
    kv_room_tokens,
    most_requests_in_memory,
    recipe_words,
    recipes_for,
    two_h100,
)

DAY = date(2026, 10, 25)


@pytest.fixture(scope="module")
def prices() -> Catalog:
    return catalog()


def report_of(
    prices: Catalog, model: str = "deepseek-v4.1-flash", *, host: bool = False, **more: object
) -> HardwareReport:
    return hardware_report(
        prices,
        model=model,
        on=DAY,
        hours_per_month=730,
        request_tokens=None,
        tables_on_host=host,
        **more,  # type: ignore[arg-type]
    )


def node(report: HardwareReport, rental: str, gpus: int) -> Node:
    return next(each for each in report.nodes if (each.offer.id, each.gpus) == (rental, gpus))


def test_memory_of_v41_flash(prices: Catalog) -> None:
    """Floor 614 GB: 4 H200 hold 564 GB, 8 H100 640, 8 H200 1,128, 4 GB200 744."""
    report = report_of(prices)
    assert report.floor_gb == 614
    fits = {
        (rental, gpus): node(report, rental, gpus).fit
        for rental, gpus in (
            ("hyperstack-h200", 4),
            ("coreweave-h100", 8),
            ("coreweave-h200", 8),
            ("coreweave-gb200", 4),
        )
    }
    assert list(fits.values()) == ["no", "tight", "fits", "fits"]
    assert node(report, "coreweave-h200", 8).usd_per_month == pytest.approx(36_821.2)
    assert node(report, "coreweave-h100", 8).spare_gb == 26


def test_tables_in_host_memory_lower_the_floor(prices: Catalog) -> None:
    facts = prices.models["deepseek-v4.1-flash"].history[-1]
    assert floor_gb_of(facts, headroom=1.2, tables_on_host=True) == pytest.approx(614 - 196.6 * 1.2)
    report = report_of(prices, host=True)
    assert node(report, "hyperstack-h200", 4).works
    below = node(report, "lambda-b200-2x", 2)
    assert (below.fit, below.works) == ("no", True)
    assert not node(report_of(prices), "lambda-b200-2x", 2).works


def test_the_cheapest_that_works_is_one_machine_an_engine_runs_on(prices: Catalog) -> None:
    """Sixteen L40S are cheaper and large enough, but no recipe of the model lists them and they are two machines."""
    report = report_of(prices)
    best = report.cheapest
    assert best is not None
    assert best.fit == "fits"
    assert best.gpus <= 8
    assert best.engines
    assert best.offer.entry.commitment != "spot"
    assert all(
        other.usd_per_month >= best.usd_per_month
        for other in report.nodes
        if other.works and not other.can_be_taken_away
    )
    large = [each for each in report.nodes if each.offer.entry.gpu == "l40s" and each.gpus == 16]
    assert large
    assert {(each.state, each.works) for each in large} == {("no_engine", False)}


def test_every_rental_with_a_price_is_listed_whole(prices: Catalog) -> None:
    report = report_of(prices)
    listed = {each.offer.id for each in report.nodes}
    assert len(listed) + len(report.without_price) == len(prices.rentals)
    for each in report.nodes:
        assert each.gpus % each.offer.entry.gpus_per_instance == 0
        assert each.rent.since <= DAY
    assert list(report.nodes) == sorted(report.nodes, key=lambda each: (each.usd_per_month, each.offer.id))


def test_public_recipes_below_the_floor_are_cited(prices: Catalog) -> None:
    recipes = recipes_for(prices, model="deepseek-v4.1-flash", on=DAY)
    assert {(each.gpu, each.gpus) for each in recipes} == {("h200", 4), ("b200", 2), ("h100", 8)}
    assert {(each.gpu, gb) for each, gb in below_floor(recipes, prices, floor_gb=614)} == {("h200", 564), ("b200", 360)}
    assert "NVIDIA Dynamo 1.7" in recipe_words(recipes)
    assert recipes_for(prices, model="deepseek-v4.1-flash", on=date(2026, 9, 1)) == []


def test_what_deepinfer_needs(prices: Catalog) -> None:
    known = {engine.id: facts for engine, facts in engines_for(prices, model="deepseek-v4.1-flash", on=DAY)}
    deepinfer = known["deepinfer"]
    assert deepinfer.architectures == ("SM100",)
    assert deepinfer.other_accelerators == ("Huawei Ascend 950",)
    assert len(deepinfer.missing) == 3
    for need in ("GCC 13", "Python 3.12", "CUDA 13", "CANN 9.2"):
        assert any(need in each for each in deepinfer.host)
    assert known["vllm"].version == "0.30.0"
    assert {engine.id for engine, _ in engines_for(prices, model="deepseek-v4.1-flash", on=date(2026, 10, 1))} == {
        "vllm"
    }
    report = report_of(prices)
    assert node(report, "coreweave-gb200", 4).engines == ("DeepInfer", "vLLM")
    assert node(report, "coreweave-h200", 8).engines == ("vLLM",)


def test_two_h100_in_one_sentence(prices: Catalog) -> None:
    sentence = two_h100(report_of(prices), name="V4.1 Flash", h100_gb=80)
    assert sentence.startswith("Two H100s are not enough: they hold 160 GB and V4.1 Flash asks for 614 GB")
    assert sentence.endswith("3.8 times as much, however few tokens you need.")
    assert ". " not in sentence
    assert "are enough" in two_h100(report_of(prices, "llama-3.3-70b-instruct"), name="Llama", h100_gb=80)
    assert "not known" in two_h100(report_of(prices, "deepseek-v4-pro"), name="Pro", h100_gb=80)


def test_a_model_of_unknown_size_is_never_called_fitting(prices: Catalog) -> None:
    report = report_of(prices, "deepseek-v4-pro")
    assert report.floor_gb is None
    assert report.cheapest is None
    assert {each.fit for each in report.nodes} == {"unknown"}


@given(
    memory=st.floats(0, 5_000),
    weights=st.floats(1, 3_000),
    kv_bytes=st.floats(100, 500_000),
    copies=st.integers(1, 16),
)
def test_kv_room_is_never_negative_and_fits(memory: float, weights: float, kv_bytes: float, copies: int) -> None:
    tokens = kv_room_tokens(
        memory_gb=memory, usable_share=0.9, weights_gb=weights, headroom=1.2, kv_bytes_per_token=kv_bytes, copies=copies
    )
    assert tokens >= 0
    if tokens:
        used_gb = weights * 1.2 + tokens * kv_bytes * copies / 1e9
        assert used_gb == pytest.approx(0.9 * memory)


def test_requests_in_memory_fall_with_their_length() -> None:
    def most(tokens: float) -> float:
        return most_requests_in_memory(
            memory_gb_per_gpu=141,
            usable_share=0.9,
            gpus=8,
            weights_gb=511,
            kv_bytes_per_token=890,
            tokens_per_request=tokens,
        )

    assert most(1_000) == pytest.approx(2 * most(2_000))
    assert most(1_048_576) > 1
