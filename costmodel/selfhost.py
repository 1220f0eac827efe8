"""The self-hosting bill: whole instances, rented by the hour, used or not."""

from math import ceil

from costmodel.units import SECONDS_PER_HOUR, TOKENS_PER_MTOK


def billed_gpus(*, gpus: int, gpus_per_instance: int) -> int:
    """GPUs on the bill: instances are rented whole.

    Formula: billed = ceil(GPUs / GPUs per instance) · GPUs per instance
    Assumes: the provider rents no part of an instance.
    Source: CoreWeave lists GB200 as trays of four GPUs (tokely.me, 25 October 2026).

    >>> billed_gpus(gpus=6, gpus_per_instance=4)
    8
    """
    return ceil(gpus / gpus_per_instance) * gpus_per_instance


def rent_usd(*, gpus: float, usd_per_gpu_hour: float, hours: float) -> float:
    """Rent of one pool over some hours, US dollars.

    Formula: rent = GPUs · $/GPU-hour · hours
    Assumes: rent is paid whatever the utilization is.
    Source: CoreWeave on demand, 64 GB200 at $10.50 (tokely.me, 25 October 2026).

    >>> rent_usd(gpus=64, usd_per_gpu_hour=10.50, hours=1)
    672.0
    """
    return gpus * usd_per_gpu_hour * hours


def usd_per_bundle(*, usd_per_hour: float, capacity_output_tok_s: float, utilization: float) -> float:
    """What 1M output tokens (with their input) cost on the own deployment.

    Formula: c(u) = F · 1,000,000 / (3,600 · C · u)
    Assumes: the whole rent F is charged to the output actually delivered, u of the capacity C. u and C above 0.
    Source: tokely.me, 25 October 2026: $0.46, $0.92 and $2.29 at 100, 50 and 20 % of a 128-GPU cluster.

    >>> [round(usd_per_bundle(usd_per_hour=1_222.40, capacity_output_tok_s=740_659.2, utilization=u), 4)
    ...  for u in (1, 0.5, 0.2)]
    [0.4585, 0.9169, 2.2923]
    """
    return usd_per_hour * TOKENS_PER_MTOK / (SECONDS_PER_HOUR * capacity_output_tok_s * utilization)


def usd_earned_per_gpu_hour(
    *, capacity_output_tok_s: float, utilization: float, usd_per_bundle: float, gpus: float
) -> float:
    """What a GPU-hour of this deployment would earn if its output were sold at an API's price.

    Formula: earned = C · u · 3,600 / 1,000,000 · A / GPUs
    Assumes: every token is sold at the API price A of a bundle; all GPUs of the unit count, prefill included.
    Source: own arithmetic, to set against the vendor's unaudited $38 per GPU-hour (tokely.me, 25 October 2026).

    >>> round(usd_earned_per_gpu_hour(capacity_output_tok_s=740_659.2, utilization=1, usd_per_bundle=0.60, gpus=128), 2)
    12.5
    """
    return capacity_output_tok_s * utilization * SECONDS_PER_HOUR / TOKENS_PER_MTOK * usd_per_bundle / gpus
