"""Which rented nodes can hold and run a model: memory, KV room, engines, public recipes, price."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from costmodel.catalog import Catalog
from costmodel.dated import NotInForceError, in_force
from costmodel.language import number_text, say
from costmodel.records import Engine, EngineFacts, ModelFacts, Recipe, Rent, RentalOffer
from costmodel.selfhost import rent_usd
from costmodel.serving import Fit, memory_fit
from costmodel.units import BYTES_PER_GB
from costmodel.words import count_text
from costmodel.workload import share

NODE_GPUS = (1, 2, 4, 8, 16)
"""Sizes of a replica that are listed: one node, its halves, and two nodes of eight."""
MACHINE_GPUS = 8
"""GPUs of one machine; a replica over more of them needs a fast network between machines, which not all rent out."""
State = Literal["fits", "tight", "no", "unknown", "no_engine"]


def kv_room_tokens(
    *,
    memory_gb: float,
    usable_share: float,
    weights_gb: float,
    headroom: float,
    kv_bytes_per_token: float,
    copies: int,
) -> float:
    """Tokens of KV cache that fit beside the weights; 0 where the weights leave no room.

    Formula: tokens = max(0, μ · V - W · headroom) / (κ · copies)
    Assumes: the headroom on the weights covers activations and graphs; with latent attention under tensor parallelism
    each GPU keeps a copy of every request's cache.
    Source: the same memory rule as for the fit, (W - O) · headroom + κ · tokens ≤ μ · V, solved for the tokens.

    >>> round(kv_room_tokens(memory_gb=1_128, usable_share=0.9, weights_gb=511, headroom=1.2, kv_bytes_per_token=890,
    ...                      copies=8) / 1e6)
    56
    """
    room_gb = max(0.0, usable_share * memory_gb - weights_gb * headroom)
    return room_gb * BYTES_PER_GB / (kv_bytes_per_token * copies)


def most_requests_in_memory(
    *,
    memory_gb_per_gpu: float,
    usable_share: float,
    gpus: int,
    weights_gb: float,
    kv_bytes_per_token: float,
    tokens_per_request: float,
) -> float:
    """Requests per GPU whose KV cache fits beside the weights: the most that any engine could keep open.

    Formula: n = max(0, μ · V - W / G) / (κ · tokens per request)
    Assumes: weights and caches are spread evenly, one copy of each; nothing else takes memory. An upper limit.
    Source: the same memory rule without its planning headroom.

    >>> round(most_requests_in_memory(memory_gb_per_gpu=186, usable_share=0.9, gpus=64, weights_gb=511,
    ...                               kv_bytes_per_token=890, tokens_per_request=131_072))
    1367
    """
    room_gb = max(0.0, usable_share * memory_gb_per_gpu - weights_gb / gpus)
    return room_gb * BYTES_PER_GB / (kv_bytes_per_token * tokens_per_request)


def floor_gb_of(facts: ModelFacts, *, headroom: float, tables_on_host: bool) -> float | None:
    """Least GPU memory by the planning rule: the recipe's, or with the lookup tables kept in host memory."""
    if facts.memory_floor_gb is None:
        return None
    moved_gb = (facts.host_memory_tables_gb or 0) if tables_on_host else 0
    return facts.memory_floor_gb - moved_gb * headroom


@dataclass(frozen=True)
class Node:
    """A rental SKU at one number of GPUs, for one model."""

    offer: RentalOffer
    gpus: int
    memory_gb: float
    floor_gb: float | None
    fit: Fit
    kv_tokens: float | None
    """Tokens of KV cache beside the weights; None where the model's size or cache is not known."""
    contexts: float | None
    """Requests of the stated length those tokens hold."""
    engines: tuple[str, ...]
    """Engines known to serve the model that name this GPU's architecture, or no limit."""
    recipes: tuple[Recipe, ...]
    """Public recipes that serve the model on exactly so many of these GPUs."""
    state: State
    """The fit, or that no engine is known to serve the model on this GPU."""
    works: bool
    """Whether the model fits into one machine and an engine is known to serve it on this GPU, where any is known."""
    rent: Rent
    usd_per_month: float

    @property
    def spare_gb(self) -> float | None:
        """Memory above the floor; negative below it."""
        return None if self.floor_gb is None else self.memory_gb - self.floor_gb

    @property
    def can_be_taken_away(self) -> bool:
        """Spot instances are preempted, so they serve no promise."""
        return self.offer.entry.commitment == "spot"


@dataclass(frozen=True)
class HardwareReport:
    """Every node that is listed, cheapest first, and what a reader asks of them."""

    nodes: tuple[Node, ...]
    floor_gb: float | None
    context_tokens: int | None
    """Length of a request in the `contexts` of each node."""
    without_price: tuple[str, ...]
    """Rentals that have no price on the day."""
    headroom_factor: float
    usable_percent: float
    """The planning rule: what weights take per byte, and how much of its memory a GPU may be filled to."""

    @property
    def cheapest(self) -> Node | None:
        """The cheapest node that works and cannot be taken away."""
        return next((node for node in self.nodes if node.works and not node.can_be_taken_away), None)

    @property
    def cheapest_on_demand(self) -> Node | None:
        """The cheapest node that works and binds nobody to a term."""
        kept = (node for node in self.nodes if node.works and node.offer.entry.commitment == "on_demand")
        return next(kept, None)


def engine_facts(engine: Engine, *, on: date) -> EngineFacts | None:
    """What is known of an engine on a day, or None before its release."""
    try:
        return in_force(engine.history, on=on, what=engine.name)
    except NotInForceError:
        return None


def engines_for(catalog: Catalog, *, model: str, on: date) -> list[tuple[Engine, EngineFacts]]:
    """Engines known here to serve a model on a day."""
    found = ((engine, engine_facts(engine, on=on)) for engine in catalog.engines.values() if model in engine.models)
    return [(engine, facts) for engine, facts in found if facts is not None]


def recipes_for(catalog: Catalog, *, model: str, on: date) -> list[Recipe]:
    """Public recipes for a model that exist on a day."""
    return [
        recipe
        for engine in catalog.engines.values()
        for recipe in engine.recipes
        if recipe.model == model and recipe.since <= on
    ]


def _counts(gpus_per_instance: int) -> list[int]:
    whole = [count for count in NODE_GPUS if count % gpus_per_instance == 0]
    return whole or [gpus_per_instance]


@lru_cache(maxsize=16)
def hardware_report(
    catalog: Catalog,
    *,
    model: str,
    on: date,
    hours_per_month: float,
    request_tokens: int | None,
    tables_on_host: bool,
) -> HardwareReport:
    """Every rental SKU at every node size, for a model on a day."""
    facts = catalog.models[model].history[-1]
    headroom = catalog.assumed("memory_headroom_factor", on=on)
    usable_percent = catalog.assumed("gpu_memory_utilization_percent", on=on)
    usable = share(usable_percent)
    margin = share(catalog.assumed("memory_tight_percent", on=on))
    floor_gb = floor_gb_of(facts, headroom=headroom, tables_on_host=tables_on_host)
    engines, recipes = engines_for(catalog, model=model, on=on), recipes_for(catalog, model=model, on=on)
    context = request_tokens or facts.context_tokens
    nodes: list[Node] = []
    unpriced: list[str] = []
    for offer in catalog.rentals.values():
        try:
            rent = in_force(offer.entry.history, on=on, what=offer.name)
        except NotInForceError:
            unpriced.append(offer.name)
            continue
        gpu_id = offer.entry.gpu
        gpu = catalog.gpus[gpu_id].history[-1]
        for gpus in _counts(offer.entry.gpus_per_instance):
            memory_gb = gpus * gpu.memory_gb
            fit = memory_fit(pool_gb=memory_gb, floor_gb=floor_gb, tight_margin_share=margin)
            shown = tuple(each for each in recipes if (each.gpu, each.gpus) == (offer.entry.gpu, gpus))
            served_by = tuple(
                engine.name
                for engine, known in engines
                if _runs_on(engine, known, model=model, gpu=gpu_id, architecture=gpu.architecture)
            )
            is_served = bool(served_by) or not engines
            holds = fit == "fits" or (tables_on_host and bool(shown))
            tokens = _kv_tokens(
                facts, gpus=gpus, memory_gb=memory_gb, usable=usable, headroom=headroom, on_host=tables_on_host
            )
            nodes.append(
                Node(
                    offer=offer,
                    gpus=gpus,
                    memory_gb=memory_gb,
                    floor_gb=floor_gb,
                    fit=fit,
                    kv_tokens=tokens,
                    contexts=tokens / context if tokens is not None and context else None,
                    engines=served_by,
                    recipes=shown,
                    state=fit if is_served else "no_engine",
                    works=holds and is_served and gpus <= max(MACHINE_GPUS, offer.entry.gpus_per_instance),
                    rent=rent,
                    usd_per_month=rent_usd(gpus=gpus, usd_per_gpu_hour=rent.usd_per_gpu_hour, hours=hours_per_month),
                )
            )
    nodes.sort(key=lambda node: (node.usd_per_month, node.offer.id))
    return HardwareReport(tuple(nodes), floor_gb, context, tuple(unpriced), headroom, usable_percent)


def _kv_tokens(
    facts: ModelFacts, *, gpus: int, memory_gb: float, usable: float, headroom: float, on_host: bool
) -> float | None:
    if facts.checkpoint_gb is None or facts.kv_bytes_per_token is None:
        return None
    return kv_room_tokens(
        memory_gb=memory_gb,
        usable_share=usable,
        weights_gb=facts.checkpoint_gb - ((facts.host_memory_tables_gb or 0) if on_host else 0),
        headroom=headroom,
        kv_bytes_per_token=facts.kv_bytes_per_token,
        copies=gpus if facts.kv_copy_per_gpu else 1,
    )


def _runs_on(engine: Engine, facts: EngineFacts, *, model: str, gpu: str, architecture: str | None) -> bool:
    """Whether an engine is known to serve a model on a GPU: by its own list for the model, else by architecture."""
    listed = [each.gpus for each in engine.listed if each.model == model]
    if listed:
        return any(gpu in gpus for gpus in listed)
    return not facts.architectures or architecture in facts.architectures


def two_h100(report: HardwareReport, *, name: str, h100_gb: float) -> str:
    """The trap of planning two H100s because a 70B model fitted, in one sentence."""
    held_gb = 2 * h100_gb
    if report.floor_gb is None:
        return say(
            "Two H100s hold {held} GB; how much {model} needs is not known here: check before you plan.",
            held=count_text(held_gb),
            model=name,
        )
    if held_gb >= report.floor_gb:
        return say(
            "Two H100s are enough: {model} asks for {needed} of their {held} GB.",
            model=name,
            needed=count_text(report.floor_gb),
            held=count_text(held_gb),
        )
    return say(
        "Two H100s are not enough: they hold {held} GB and {model} asks for {needed} GB, {times} times as much, "
        "however few tokens you need.",
        held=count_text(held_gb),
        model=name,
        needed=count_text(report.floor_gb),
        times=number_text(f"{report.floor_gb / held_gb:.1f}"),
    )


def recipe_words(recipes: Sequence[Recipe]) -> str:
    """Public recipes as a phrase, each with what it moves out of GPU memory."""
    return "; ".join(
        say("{recipe} with the lookup tables in host memory", recipe=each.name)
        if each.tables_in_host_memory
        else each.name
        for each in recipes
    )


def below_floor(recipes: Iterable[Recipe], catalog: Catalog, *, floor_gb: float | None) -> list[tuple[Recipe, float]]:
    """Recipes that run on less memory than the planning floor, with the memory they run on."""
    held = [(recipe, recipe.gpus * catalog.gpus[recipe.gpu].history[-1].memory_gb) for recipe in recipes]
    return [(recipe, gb) for recipe, gb in held if floor_gb is not None and gb < floor_gb]
