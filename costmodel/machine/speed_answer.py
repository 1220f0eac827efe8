"""What speed costs: throughput, cost and break-even at any promised speed, with the API speeds beside them."""

from dataclasses import dataclass

from costmodel.breakeven import break_even_utilization
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, capacity_of, in_basis
from costmodel.dated import NotInForceError, in_force
from costmodel.machine.library import Doubt, questions
from costmodel.machine.speed import Frontier, Load
from costmodel.machine.throughput import Throughput, library_throughput
from costmodel.records import StreamSpeed
from costmodel.selfhost import usd_per_bundle
from costmodel.workload import share


@dataclass(frozen=True)
class AtSpeed:
    """The deployment while each user gets a given speed."""

    tok_s_per_user: float
    output_tok_s_per_gpu: float
    usd_per_mtok_at_full: float
    break_even_utilization: float | None
    """Against the cheapest API; None where no API is priced."""


@dataclass(frozen=True)
class ApiSpeed:
    """An API whose speed of one stream is known."""

    api: ApiAnswer
    speed: StreamSpeed


@dataclass(frozen=True)
class SpeedReport:
    """The curve of a deployment, what it costs along it, and what the library says of the entered throughput."""

    throughput: Throughput
    curve: Frontier | None
    rows: tuple[AtSpeed, ...]
    """Evenly spaced over the measured speeds, fastest last."""
    measured: tuple[tuple[Load, AtSpeed], ...]
    at_typed: AtSpeed | None
    """Where the typed throughput lies on the curve."""
    apis: tuple[ApiSpeed, ...]
    apis_without_speed: tuple[str, ...]
    questions: tuple[str, ...]


def at_speed(comparison: Comparison, curve: Frontier, tok_s_per_user: float) -> AtSpeed | None:
    """The deployment at a promised speed; None above the fastest measured one."""
    output = curve.output_tok_s_at(tok_s_per_user)
    return None if output is None else _at_output(comparison, tok_s_per_user, output)


def _at_output(comparison: Comparison, tok_s_per_user: float, output_tok_s_per_gpu: float) -> AtSpeed:
    scenario, own, api = comparison.scenario, comparison.self_host, comparison.cheapest_api
    capacity = capacity_of(scenario, output_tok_s_per_gpu).output_tok_s * scenario.units
    usd = usd_per_bundle(usd_per_hour=own.usd_per_hour, capacity_output_tok_s=capacity, utilization=1)
    turn = None
    if api is not None and api.usd_per_bundle is not None:
        turn = break_even_utilization(
            usd_per_hour=own.usd_per_hour, capacity_output_tok_s=capacity, api_usd_per_bundle=api.usd_per_bundle
        )
    return AtSpeed(tok_s_per_user, output_tok_s_per_gpu, in_basis(scenario, usd), turn)


def speed_report(catalog: Catalog, comparison: Comparison, *, points: int) -> SpeedReport:
    """What speed costs in a comparison, at so many speeds."""
    scenario = comparison.scenario
    throughput = library_throughput(catalog, scenario)
    curve = throughput.curve
    rows: list[AtSpeed] = []
    measured: list[tuple[Load, AtSpeed]] = []
    at_typed = None
    if curve is not None and not curve.is_one_load:
        step = (curve.fastest_tok_s - curve.slowest_tok_s) / (points - 1)
        speeds = [curve.slowest_tok_s + step * index for index in range(points - 1)] + [curve.fastest_tok_s]
        rows = [row for speed in speeds if (row := at_speed(comparison, curve, speed)) is not None]
        measured = [
            (load, _at_output(comparison, load.tok_s_per_user, load.requests_per_gpu * load.tok_s_per_user))
            for load in curve.loads
        ]
        typed = scenario.output_tok_s_per_gpu * throughput.acceptance_factor
        typed_speed = curve.speed_of(typed)
        at_typed = None if typed_speed is None else _at_output(comparison, typed_speed, typed)
    with_speed = [ApiSpeed(api, speed) for api in comparison.apis if (speed := _speed_of(comparison, api)) is not None]
    known = {each.api.id for each in with_speed}
    return SpeedReport(
        throughput=throughput,
        curve=curve,
        rows=tuple(rows),
        measured=tuple(measured),
        at_typed=at_typed,
        apis=tuple(with_speed),
        apis_without_speed=tuple(api.name for api in comparison.apis if api.id not in known),
        questions=throughput_questions(catalog, comparison, throughput),
    )


def _speed_of(comparison: Comparison, api: ApiAnswer) -> StreamSpeed | None:
    offer = api.quote.choice.offer if api.quote else None
    if offer is None or api.usd_per_mtok is None or not offer.entry.speed:
        return None
    try:
        return in_force(offer.entry.speed, on=comparison.scenario.price_date, what=f"Speed of {api.name}")
    except NotInForceError:
        return None


def throughput_questions(catalog: Catalog, comparison: Comparison, throughput: Throughput) -> tuple[str, ...]:
    """What the library makes one ask about the entered throughput."""
    scenario, match = comparison.scenario, throughput.match
    if match is None:
        return ()
    return questions(
        entered_tok_s_per_gpu=scenario.output_tok_s_per_gpu,
        gpus=scenario.gpus,
        input_per_output=scenario.input_per_output,
        match=match,
        doubt=doubt_of(catalog, comparison),
    )


def doubt_of(catalog: Catalog, comparison: Comparison) -> Doubt:
    """The limits of the catalogue beyond which a throughput asks for a second look."""
    on = comparison.scenario.price_date
    names = ("single_stream_below_tok_s_per_gpu", "throughput_doubt_factor")
    stream, factor = (in_force(catalog.assumptions[name].history, on=on, what=name).value for name in names)
    return Doubt(single_stream_below_tok_s=stream, factor=factor)


def cost_at_utilization(row: AtSpeed, utilization_percent: float) -> float | None:
    """$ per 1M tokens at a speed and a utilization; None where nothing is served."""
    return None if utilization_percent == 0 else row.usd_per_mtok_at_full / share(utilization_percent)
