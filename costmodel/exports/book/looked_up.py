"""What the sheets cannot look up themselves: prices of the catalogue on the price date, and the counted peak shares."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from costmodel.api import PricePart, Surcharge, quote
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, terms_of
from costmodel.dated import Dated
from costmodel.gpu_prices import gpu_price
from costmodel.pools import Pool, PoolError, decode_pool, prefill_pool
from costmodel.scenario import Scenario
from costmodel.units import PERCENT

_SOME = 0.5
"""A share at which every part of a quote shows."""


@dataclass(frozen=True)
class PoolFacts:
    """A pool of the scenario with the prices it would have in each way to get it, $ per GPU-hour."""

    pool: Pool
    gpu_name: str
    """What is bought where it is bought: the GPU, from no landlord."""
    key: str
    """Link key of its number of GPUs; its own price is at the same key with _usd."""
    list_usd: float | None
    reserved_usd: float | None
    spot_usd: float | None
    usd_now: float
    """The rent in the scenario's own way."""
    words: str
    """How the GPUs are got now, to follow the rental's name on a bill."""
    sources: tuple[Dated, ...]


@dataclass(frozen=True)
class ApiFacts:
    """An API with every part of its price, those without traffic now included."""

    answer: ApiAnswer
    standard: tuple[PricePart, ...]
    """The one price, or the price outside the window and the one in it."""
    batch: PricePart | None
    counted_peak_percent: float | None
    """Share of the tokens in the window by the traffic; None where there is one price."""
    surcharge: Surcharge | None


def pool_facts(catalog: Catalog, comparison: Comparison) -> tuple[PoolFacts, ...]:
    """The pools in the order of the bill."""
    scenario = comparison.scenario
    facts = []
    for pool in comparison.self_host.pools:
        is_prefill = pool.role == "prefill"
        listed = _listed_pool(catalog, scenario, is_prefill=is_prefill)
        price, _ = gpu_price(catalog, scenario, pool)
        facts.append(
            PoolFacts(
                pool=pool,
                gpu_name=catalog.gpus[pool.offer.entry.gpu].name,
                key="prefill_gpus" if is_prefill else "gpus",
                list_usd=None if listed is None else listed.usd_per_gpu_hour,
                reserved_usd=_usd(catalog, scenario, listed, acquire="reserve", reserved_discount_percent=None),
                spot_usd=_usd(catalog, scenario, listed, acquire="spot", spot_discount_percent=None),
                usd_now=price.usd_per_gpu_hour,
                words=price.words,
                sources=price.sources,
            )
        )
    return tuple(facts)


def _listed_pool(catalog: Catalog, scenario: Scenario, *, is_prefill: bool) -> Pool | None:
    """The pool at its list price; None where there is none on the day."""
    listed = scenario.model_copy(update={"gpu_usd_per_hour": None, "prefill_gpu_usd_per_hour": None})
    try:
        return prefill_pool(catalog, listed) if is_prefill else decode_pool(catalog, listed)
    except PoolError:
        return None


def _usd(catalog: Catalog, scenario: Scenario, pool: Pool | None, **changes: Any) -> float | None:
    return None if pool is None else gpu_price(catalog, scenario.model_copy(update=changes), pool)[0].usd_per_gpu_hour


def api_facts(comparison: Comparison) -> tuple[ApiFacts, ...]:
    """The APIs that have a price on the day, in the order of the scenario."""
    terms = terms_of(comparison.scenario)
    counted = terms_of(comparison.scenario.model_copy(update={"peak_percent": "auto"})).peak_share
    every_part = replace(terms, batch_share=_SOME, peak_share=lambda windows: _SOME)
    facts = []
    for answer in comparison.apis:
        if answer.quote is None:
            continue
        priced = quote(answer.quote.choice, every_part)
        parts: Sequence[PricePart] = priced.parts
        has_batch = priced.batch_share > 0
        standard = parts[:-1] if has_batch else parts
        share = None
        if len(standard) > 1:
            offered = quote(answer.quote.choice, replace(terms, batch_share=0, peak_share=counted))
            share = offered.peak_share
        facts.append(
            ApiFacts(
                answer=answer,
                standard=tuple(standard),
                batch=parts[-1] if has_batch else None,
                counted_peak_percent=None if share is None else share * PERCENT,
                surcharge=priced.surcharge,
            )
        )
    return tuple(facts)
