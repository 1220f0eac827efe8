"""The rented pools of one unit: price on the day, whole instances, memory."""

from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.dated import NotInForceError, in_force
from costmodel.language import number_text, say
from costmodel.machine.hardware import floor_gb_of, recipe_words, recipes_for
from costmodel.records import Recipe, Rent, RentalOffer
from costmodel.scenario import Scenario
from costmodel.selfhost import billed_gpus
from costmodel.serving import Fit, memory_fit
from costmodel.words import count_text
from costmodel.workload import share


class PoolError(ValueError):
    """A pool has no price or cannot hold the model; the message says what would help."""


class TooLittleMemoryError(PoolError):
    """The pool's GPUs do not hold the model."""


@dataclass(frozen=True)
class Pool:
    """One pool of one unit."""

    role: str
    offer: RentalOffer
    gpus: int
    billed_gpus: int
    usd_per_gpu_hour: float
    rent: Rent | None
    """The catalogue's price, or None where the reader typed one."""
    memory_gb: float
    memory_floor_gb: float | None
    fit: Fit
    notes: tuple[str, ...]


def decode_pool(catalog: Catalog, scenario: Scenario) -> Pool:
    """The serving pool. Raises PoolError where it has no price on the day or cannot hold the model."""
    role = "serving" if scenario.prefill_gpu is None else "decode"
    return _pool(catalog, scenario, role, scenario.gpu, scenario.gpus, scenario.gpu_usd_per_hour)


def prefill_pool(catalog: Catalog, scenario: Scenario) -> Pool | None:
    """The prefill pool, or None where one pool does both. Raises PoolError like decode_pool."""
    if scenario.prefill_gpu is None or scenario.prefill_gpus is None:
        return None
    return _pool(
        catalog, scenario, "prefill", scenario.prefill_gpu, scenario.prefill_gpus, scenario.prefill_gpu_usd_per_hour
    )


def _pool(
    catalog: Catalog, scenario: Scenario, role: str, rental: str, gpus: int, own_usd_per_gpu_hour: float | None
) -> Pool:
    offer = catalog.rentals[rental]
    on = scenario.price_date
    try:
        rent = (
            None
            if own_usd_per_gpu_hour
            else in_force(offer.entry.history, on=on, what=say("Rent of {name}", name=offer.name))
        )
        gpu_facts = catalog.gpus[offer.entry.gpu].history
        memory_gb = gpus * max(gpu_facts, key=lambda entry: entry.since).memory_gb
    except NotInForceError as error:
        raise PoolError(
            say("{reason}. Choose a later price date, or type your own price per GPU-hour.", reason=error)
        ) from error
    usd_per_gpu_hour = own_usd_per_gpu_hour or (rent.usd_per_gpu_hour if rent else 0)
    billed = billed_gpus(gpus=gpus, gpus_per_instance=offer.entry.gpus_per_instance)
    model = catalog.models[scenario.model]
    facts = max(model.history, key=lambda entry: entry.since)
    on_host = scenario.tables == "host"
    headroom = in_force(
        catalog.assumptions["memory_headroom_factor"].history, on=on, what=say("GPU memory per byte of weights")
    ).value
    floor_gb = floor_gb_of(facts, headroom=headroom, tables_on_host=on_host)
    margin = in_force(
        catalog.assumptions["memory_tight_percent"].history, on=on, what=say("Margin below which memory is tight")
    ).value
    fit = memory_fit(pool_gb=memory_gb, floor_gb=floor_gb, tight_margin_share=share(margin))
    needed = count_text(floor_gb or 0)
    holds = say(
        "{gpus} × {gpu} hold {memory} GB",
        gpus=gpus,
        gpu=catalog.gpus[offer.entry.gpu].name,
        memory=count_text(memory_gb),
    )
    recipes = [] if fit == "fits" else _recipes(catalog, scenario, gpu=offer.entry.gpu, gpus=gpus)
    notes = []
    if fit == "no" and on_host and recipes:
        fit = "tight"
        notes.append(
            say(
                "{holds}, less than the {needed} GB of the planning rule for {model}; a public recipe runs it there: "
                "{recipes}.",
                holds=holds,
                needed=needed,
                model=model.name,
                recipes=recipe_words(recipes),
            )
        )
    elif fit == "no":
        sentences = [
            say(
                "{model} does not fit: {holds}, its serving recipe asks for at least {needed} GB. Choose more GPUs, or "
                "GPUs with more memory.",
                model=model.name,
                holds=holds,
                needed=needed,
            )
        ]
        if facts.host_memory_tables_gb and not on_host:
            sentences.append(
                say(
                    "Or keep its lookup tables ({tables} GB) in host memory.",
                    tables=count_text(facts.host_memory_tables_gb),
                )
            )
        if recipes:
            sentences.append(say("Below that floor runs {recipes}.", recipes=recipe_words(recipes)))
        raise TooLittleMemoryError(" ".join(sentences))
    elif fit == "tight":
        notes.append(
            say(
                "Memory is tight: {holds}, {model} asks for at least {needed} GB.",
                holds=holds,
                model=model.name,
                needed=needed,
            )
        )
    if fit == "unknown":
        notes.append(
            say(
                "How much memory {model} needs is not known here: check that it fits before you rely on this.",
                model=model.name,
            )
        )
    if billed > gpus:
        notes.append(
            say(
                "{rental} is rented in instances of {size}: {billed} GPUs are billed for the {gpus} that work.",
                rental=offer.name,
                size=offer.entry.gpus_per_instance,
                billed=billed,
                gpus=gpus,
            )
        )
    if own_usd_per_gpu_hour:
        notes += _price_warning(catalog, own_usd_per_gpu_hour)
    return Pool(role, offer, gpus, billed, usd_per_gpu_hour, rent, memory_gb, floor_gb, fit, tuple(notes))


def _recipes(catalog: Catalog, scenario: Scenario, *, gpu: str, gpus: int) -> list[Recipe]:
    """Public recipes that run the model on exactly so many of these GPUs."""
    known = recipes_for(catalog, model=scenario.model, on=scenario.price_date)
    return [each for each in known if (each.gpu, each.gpus) == (gpu, gpus)]


def _price_warning(catalog: Catalog, usd_per_gpu_hour: float) -> list[str]:
    """A typed price outside everything the catalogue knows is more likely per node, per month or a slip."""
    known = [entry.usd_per_gpu_hour for offer in catalog.rentals.values() for entry in offer.entry.history]
    low, high = min(known), max(known)
    if low <= usd_per_gpu_hour <= high:
        return []
    prices = {
        name: number_text(f"{usd:g}") for name, usd in (("price", usd_per_gpu_hour), ("low", low), ("high", high))
    }
    if usd_per_gpu_hour < low:
        return [
            say(
                "Your price of {price} $ per GPU-hour is below every listed rent ({low} to {high}). "
                "Is it per GPU and per hour?",
                **prices,
            )
        ]
    return [
        say(
            "Your price of {price} $ per GPU-hour is above every listed rent ({low} to {high}). "
            "Is it per GPU and per hour?",
            **prices,
        )
    ]
