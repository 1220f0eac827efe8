"""The self-hosting bill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.selfhost import billed_gpus, usd_earned_per_gpu_hour, usd_per_bundle


@given(gpus=st.integers(1, 10_000), instance=st.integers(1, 72))
def test_whole_instances_hold_the_gpus_and_no_spare_instance(gpus: int, instance: int) -> None:
    billed = billed_gpus(gpus=gpus, gpus_per_instance=instance)
    assert billed % instance == 0
    assert gpus <= billed < gpus + instance


@given(rent=st.floats(0.1, 1e5), capacity=st.floats(1, 1e6), low=st.floats(0.01, 1), high=st.floats(0.01, 1))
def test_cost_falls_with_use(rent: float, capacity: float, low: float, high: float) -> None:
    def cost(use: float) -> float:
        return usd_per_bundle(usd_per_hour=rent, capacity_output_tok_s=capacity, utilization=use)

    assert (cost(low) >= cost(high)) == (low <= high)


def test_a_single_stream_is_dear() -> None:
    """leanlm.ai claims 0.01 $ per 1M at 2.50 $ an hour; 300 tok/s make it 2.31 $ (40: 17.36 $, 2,000: 0.347 $)."""
    costs = [usd_per_bundle(usd_per_hour=2.50, capacity_output_tok_s=rate, utilization=1) for rate in (300, 40, 2_000)]
    assert costs == pytest.approx([2.3148, 17.36, 0.347], abs=0.005)


def test_sized_for_peaks_it_never_gets_cheap() -> None:
    """HN 45064329: capacity for 2.5 times the mean caps utilization at 40 %."""
    cost = usd_per_bundle(usd_per_hour=1_222.40, capacity_output_tok_s=740_659.2, utilization=1 / 2.5)
    assert cost == pytest.approx(1.146, abs=5e-4)


def test_what_a_gpu_hour_earns_at_the_break_even_is_its_rent() -> None:
    earned = usd_earned_per_gpu_hour(
        capacity_output_tok_s=740_659.2, utilization=0.7640841103788704, usd_per_bundle=0.60, gpus=128
    )
    assert earned == pytest.approx(1_222.40 / 128)
