"""Reading prompts in a scenario: what binds, the balanced ratio, and what an own store for the KV cache is worth."""

from dataclasses import dataclass

from costmodel.answer_serving import balance_of, prefill_side, uncached_of
from costmodel.catalog import Catalog
from costmodel.compare import Comparison, NoAnswerError, compare
from costmodel.language import say
from costmodel.machine.prefill import PrefillSide


@dataclass(frozen=True)
class Store:
    """The same scenario with some share of its input served from the own cache."""

    name: str
    own_cached_percent: float
    kv_store_tb_per_gpu: float
    comparison: Comparison


@dataclass(frozen=True)
class PrefillReport:
    """What reading prompts does to a deployment. `side` is None where no prefill rate is given."""

    side: PrefillSide | None
    uncached_input_per_output: float
    balanced_prefill_per_decode: float | None
    prefill_per_decode: float | None
    stores: tuple[Store, ...]
    """The API's cache share served from an own store, with its price, without it, and no cache at all."""


def prefill_report(catalog: Catalog, comparison: Comparison) -> PrefillReport:
    """What reading prompts does in a comparison."""
    scenario = comparison.scenario
    pair = None if scenario.prefill_gpus is None else scenario.prefill_gpus / scenario.gpus
    return PrefillReport(
        side=prefill_side(comparison),
        uncached_input_per_output=uncached_of(scenario),
        balanced_prefill_per_decode=balance_of(comparison),
        prefill_per_decode=pair,
        stores=tuple(_stores(catalog, comparison)),
    )


def _stores(catalog: Catalog, comparison: Comparison) -> list[Store]:
    """Only where the API bills cached input: else there is nothing to set an own cache against."""
    scenario = comparison.scenario
    if scenario.cached_percent == 0 or scenario.input_per_output == 0:
        return []
    # DeepSeek's figure is of October 2026; for an earlier price date it is still the only size there is.
    sized = catalog.assumptions["kv_store_tb_per_gpu"].history[-1].value
    cached = scenario.cached_percent
    variants = (
        (say("as the API"), cached, 0.0),
        (say("with the store paid for"), cached, scenario.kv_store_tb_per_gpu or sized),
        (say("no store"), 0.0, 0.0),
    )
    stores = []
    for name, percent, tb_per_gpu in variants:
        changed = {"own_cached_percent": percent, "kv_store_tb_per_gpu": tb_per_gpu}
        try:
            stores.append(Store(name, percent, tb_per_gpu, compare(catalog, scenario.model_copy(update=changed))))
        except NoAnswerError:
            continue
    return stores
