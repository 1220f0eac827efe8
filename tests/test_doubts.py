"""Valid figures that look wrong are found, ordinary ones are not."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.catalog import Catalog
from costmodel.doubts import (
    breaches_of_littles_law,
    falling_curves,
    output_tok_s_by_littles_law,
    outputs_below_inputs,
    prices_far_from_neighbours,
    repeated_measurements,
)
from costmodel.records import ApiModel, ApiOffer, Benchmark, Rental, RentalOffer

PROVENANCE: dict[str, Any] = {
    "since": "2026-03-25",
    "basis": "measured",
    "source": {"document": "A benchmark", "seen": "2026-03-25"},
}


def benchmark(*points: object, identifier: str = "a", gpus: int = 8) -> Benchmark:
    return Benchmark.model_validate(
        PROVENANCE
        | {"id": identifier, "model": "m", "gpu": "h200", "gpus": gpus, "engine": "e", "output_tokens": 1024}
        | {"points": list(points)}
    )


POSITIVE = st.floats(min_value=1, max_value=1e4)


@given(POSITIVE, POSITIVE, POSITIVE, st.integers(2, 100_000))
def test_littles_law_grows_with_concurrency_and_falls_with_latency(
    concurrency: float, ttft: float, tpot: float, output: int
) -> None:
    known = {"output_tokens": output, "tpot_ms": tpot}
    base = output_tok_s_by_littles_law(concurrency=concurrency, ttft_ms=ttft, **known)
    doubled = output_tok_s_by_littles_law(concurrency=2 * concurrency, ttft_ms=ttft, **known)
    assert doubled == pytest.approx(2 * base)
    assert output_tok_s_by_littles_law(concurrency=concurrency, ttft_ms=ttft + 1, **known) <= base


GOOD_ROW = [64, 418.7, 32.99, 1918.2]


@pytest.mark.parametrize("column", range(4))
def test_one_mistyped_number_of_a_row_is_found(column: int) -> None:
    row = [value * 1.5 if place == column else value for place, value in enumerate(GOOD_ROW)]
    row[0] = round(row[0])
    found = list(breaches_of_littles_law([benchmark(row)], tolerance_percent=3))
    small = column == 1  # the time to the first token is one hundredth of this request
    assert len(found) == (0 if small else 1)
    assert all(text.startswith("a: points.0: ") for text in found)


def test_speed_per_user_and_per_gpu_are_held_to_the_law_too() -> None:
    """256 requests per GPU at 100 tok/s each are 25,600 tok/s per GPU, published as about 26,000."""
    right = {"concurrency": 16_384, "output_tok_s_per_gpu": 26_000, "tok_s_per_user": 100}
    assert list(breaches_of_littles_law([benchmark(right, gpus=64)], tolerance_percent=3)) == []
    assert len(list(breaches_of_littles_law([benchmark(right, gpus=32)], tolerance_percent=3))) == 1


def test_a_falling_curve_is_found() -> None:
    """gpt-oss-120b on four H100: 2,719.9 tok/s at 16 requests and 1,992.0 at 32."""
    rows = ([16, 62.2, 5.83, 2719.9], [32, 166.3, 15.92, 1992.0])
    (found,) = falling_curves([benchmark(*rows)])
    assert "1992 output tok/s at 32 requests, but 2719.9 at 16" in found
    assert list(falling_curves([benchmark(rows[0])])) == []


def test_a_measurement_that_stands_twice_is_found() -> None:
    """22,624.6 tok/s, once for two GPUs and once for four."""
    row = [256, 280.3, 11.05, 22624.6]
    (found,) = repeated_measurements([benchmark(row, gpus=2), benchmark(row, identifier="b", gpus=4)])
    assert found == "b: repeats a measurement of a to the digit; keep the right one"
    assert list(repeated_measurements([benchmark(row), benchmark(GOOD_ROW, identifier="b")])) == []


def api(vendor: str, *prices: tuple[float, float]) -> ApiOffer:
    history = [
        PROVENANCE | {"since": date(2026, 1 + month, 1), "usd_per_mtok": {"input": usd_in, "output": usd_out}}
        for month, (usd_in, usd_out) in enumerate(prices)
    ]
    entry = ApiModel.model_validate(
        {"id": "m", "name": "M", "model": "open", "checked": "2026-11-09", "history": history}
    )
    return ApiOffer(vendor=vendor, vendor_name=vendor, entry=entry)


def test_an_output_price_below_the_input_price_is_found() -> None:
    (found,) = outputs_below_inputs([api("a", (0.6, 0.15)), api("b", (0.15, 0.6))])
    assert found == "a:m: history.0: output 0.15 is below input 0.6: are they swapped?"


def rental(identifier: str, *rents: float) -> RentalOffer:
    history = [
        PROVENANCE | {"since": date(2026, 1 + month, 1), "usd_per_gpu_hour": usd} for month, usd in enumerate(rents)
    ]
    entry = Rental.model_validate(
        {"id": identifier, "name": "HGX", "gpu": "h200", "gpus_per_instance": 8, "commitment": "on_demand"}
        | {"checked": "2026-11-09", "history": history}
    )
    return RentalOffer(provider="p", provider_name="P", entry=entry)


def catalogue(apis: tuple[ApiOffer, ...] = (), rentals: tuple[RentalOffer, ...] = ()) -> Catalog:
    prices = Catalog()
    prices.__dict__ |= {"apis": {each.id: each for each in apis}, "rentals": {each.id: each for each in rentals}}
    return prices


@pytest.mark.parametrize(
    ("prices", "named"),
    [
        (catalogue(rentals=(rental("a", 6.3), rental("b", 4.5), rental("c", 50.44))), ["c: 50.44 $ per GPU-hour"]),
        (catalogue(rentals=(rental("a", 6.3), rental("b", 4.5), rental("c", 12.5))), []),
        (catalogue(rentals=(rental("a", 3.85, 38.5),)), ["a: the rent of 2026-02-01 is 10 times the one before"]),
        (catalogue(rentals=(rental("a", 2.95, 3.85, 4.50),)), []),
        (catalogue((api("a", (0.1, 1.2)), api("b", (0.1, 1)), api("c", (0.1, 120)))), ["c:m: output 120 $ per 1M"]),
        (catalogue((api("a", (0.1, 0.6), (0.1, 60)),)), ["a:m: the output price of 2026-02-01 is 100 times"]),
        (catalogue((api("a", (1, 6), (0.2, 1.2)),)), []),
    ],
)
def test_a_price_in_another_unit_is_found(prices: Catalog, named: list[str]) -> None:
    found = list(prices_far_from_neighbours(prices, factor=6))
    assert [text.startswith(start) for text, start in zip(found, named, strict=True)] == [True] * len(named)
