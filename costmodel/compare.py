"""Scenario in, Comparison out: the one call behind the page, the command line and the exports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from costmodel.api import Quote, Terms, TokenMix, concurrency_note, quote, quote_lines, quote_usd_per_bundle
from costmodel.breakeven import (
    BreakEven,
    Winner,
    break_even,
    break_even_api_usd_per_bundle,
    break_even_usd_per_gpu_hour,
    winner,
)
from costmodel.catalog import Catalog
from costmodel.choices import ApiChoice, parse_api_choice
from costmodel.dated import NotInForceError
from costmodel.hours import peak_share
from costmodel.language import number_text, say, say_count
from costmodel.ledger import CostLine, comparable_usd, total_usd
from costmodel.load.timed import traffic_of
from costmodel.machine.throughput import Throughput, ThroughputError, throughput_of
from costmodel.ownbill import own_bill
from costmodel.pools import Pool, PoolError, decode_pool, prefill_pool
from costmodel.records import PriceWindow
from costmodel.scenario import Scenario
from costmodel.selfhost import usd_per_bundle
from costmodel.serving import Capacity, capacity_of_shared_pool, capacity_of_two_pools, decode_capacity
from costmodel.words import count_text
from costmodel.workload import output_mtok, price_per_token_of_either_kind, share, uncached_input_per_output

FREE_LICENCES = ("MIT", "Apache-2.0")
"""Licences that need no note: they limit neither use nor revenue."""
LEFT_OUT: dict[str, Callable[[Scenario], object]] = {
    "staff who operate it": attrgetter("staff_fte"),
    "storage for weights": attrgetter("storage_gb"),
    "storage for KV cache": attrgetter("kv_store_tb_per_gpu"),
    "network between racks": attrgetter("network_usd_per_gpu_month"),
    "data egress": attrgetter("egress_gb_per_month"),
    "support and licences": attrgetter("support_usd_per_gpu_month"),
    "spare units": attrgetter("spare_units"),
    "set-up": attrgetter("setup_usd"),
}
"""What a bill leaves out unless the reader counts it, and the input that counts it."""


def not_included(scenario: Scenario) -> tuple[str, ...]:
    """What this scenario's figures leave out."""
    return tuple(part for part, counted in LEFT_OUT.items() if not counted(scenario))


class NoAnswerError(ValueError):
    """No answer can be given for this scenario; the message says why and what would help."""


@dataclass(frozen=True)
class SelfHost:
    """The own deployment, all units together. Money in US dollars; prices per 1M tokens in the scenario's basis.

    All amounts but those of the lines are comparable with an API bill: a line without VAT counts at amount / (1 + VAT).
    """

    usd_per_hour: float
    usd_per_month: float
    capacity_output_tok_s: float
    binding: str
    output_tok_s: float
    usd_per_mtok_at_full: float
    usd_per_mtok: float | None
    usd_per_mtok_reason: str | None
    output_mtok_per_month: float
    gpus: int
    pools: tuple[Pool, ...]
    lines: tuple[CostLine, ...]
    throughput: Throughput
    """What one serving GPU delivers, and the measured curve it stands on."""
    unit_usd_per_hour: float
    """One unit, and each spare one."""
    once_usd_per_hour: float
    """What is paid whatever the number of units."""
    other_usd_per_hour: float
    """What is paid beside the GPUs."""
    paid_hours_per_month: float
    """Hours in which there are GPUs; fewer than the month's where spot instances are taken away."""
    notes: tuple[str, ...]

    @property
    def lines_usd_per_month(self) -> float:
        """The sum of the bill's lines before VAT, where usd_per_month counts a line without VAT at what it would be
        with."""
        return total_usd(self.lines)


@dataclass(frozen=True)
class ApiAnswer:
    """One API beside it. Where its price is not known on the day, all figures are None and `reason` says so."""

    id: str
    name: str
    quote: Quote | None
    usd_per_bundle: float | None
    usd_per_mtok: float | None
    usd_per_month: float | None
    peak_share: float | None
    break_even: BreakEven
    winner: Winner | None
    break_even_usd_per_gpu_hour: float | None
    lines: tuple[CostLine, ...]
    same_model: bool | None
    """Whether it serves the model that would be hosted; None for a price of the reader's own."""


@dataclass(frozen=True)
class Comparison:
    """Both bills for one scenario."""

    catalog: Catalog = field(compare=False, repr=False)
    """Whose prices they rest on."""
    scenario: Scenario
    self_host: SelfHost
    apis: tuple[ApiAnswer, ...]
    break_even_api_usd_per_mtok: float | None
    """The API price at which the served output costs the same on both sides."""
    tie_tolerance_share: float
    """Bills that differ by no more than this are called a tie."""
    notes: tuple[str, ...]

    @property
    def money_factor(self) -> float:
        """What one US dollar before tax is in the scenario's currency, tax included."""
        return money_factor(self.scenario)

    @property
    def cheapest_api(self) -> ApiAnswer | None:
        """The API with the lowest price for this traffic, or None where no price is known."""
        priced = [api for api in self.apis if api.usd_per_mtok is not None]
        return min(priced, key=lambda api: api.usd_per_mtok or 0) if priced else None


def money_factor(scenario: Scenario) -> float:
    """What one US dollar before tax is in the scenario's currency, tax included."""
    return scenario.currency_per_usd * (1 + vat_share(scenario))


def line_factor(line: CostLine, scenario: Scenario) -> float:
    """What one US dollar of a bill's line is in the scenario's currency, VAT included where the line bears it."""
    return money_factor(scenario) if line.bears_vat else scenario.currency_per_usd


def vat_share(scenario: Scenario) -> float:
    """VAT that is a cost: none where it is recovered."""
    return 0.0 if scenario.vat_back == "yes" else share(scenario.vat_percent)


def compare(catalog: Catalog, scenario: Scenario) -> Comparison:
    """Compare renting this deployment with paying each API for the same tokens.

    Raises NoAnswerError where the deployment has no price on the day or cannot hold the model.
    """
    try:
        serving = decode_pool(catalog, scenario)
        prefill = prefill_pool(catalog, scenario)
        throughput = throughput_of(catalog, scenario)
        pools = (serving,) if prefill is None else (prefill, serving)
        capacity = capacity_of(scenario, throughput.output_tok_s_per_gpu)
        self_host = _self_host(catalog, scenario, pools, capacity, throughput)
    except (PoolError, ThroughputError, NotInForceError) as error:
        raise NoAnswerError(str(error)) from error
    terms = terms_of(scenario)
    tolerance = share(catalog.assumed("tie_tolerance_percent", on=scenario.price_date))
    apis = tuple(
        _api_answer(parse_api_choice(catalog, text, on=scenario.price_date), terms, scenario, self_host, tolerance)
        for text in scenario.apis
    )
    at_price = break_even_api_usd_per_bundle(usd_per_hour=self_host.usd_per_hour, output_tok_s=self_host.output_tok_s)
    notes = [*(note for pool in pools for note in pool.notes), *_scenario_notes(catalog, scenario, prefill, self_host)]
    notes += [*self_host.notes, *throughput.notes, *_model_notes(catalog, scenario, apis)]
    for api in apis:
        if api.quote:
            limit = concurrency_note(api.quote.choice, on=scenario.price_date, output_tok_s=self_host.output_tok_s)
            notes += [*api.quote.notes, *([limit] if limit else [])]
    return Comparison(
        catalog=catalog,
        scenario=scenario,
        self_host=self_host,
        apis=apis,
        break_even_api_usd_per_mtok=None if at_price is None else in_basis(scenario, at_price),
        tie_tolerance_share=tolerance,
        notes=tuple(dict.fromkeys(notes)),
    )


def cost_at(*, usd_per_mtok_at_full: float, utilization: float) -> float:
    """$ per 1M tokens of the own deployment at a utilization above 0, in the scenario's basis.

    >>> cost_at(usd_per_mtok_at_full=0.4585, utilization=0.5)
    0.917
    """
    return usd_per_mtok_at_full / utilization


def cost_curve(comparison: Comparison, *, points: int, from_utilization: float) -> list[tuple[float, float]]:
    """(utilization, $ per 1M tokens) of the own deployment, evenly spaced up to 1, break-even points among them.

    The break-even points are part of the curve so that the picture crosses the price lines exactly where the text says.
    """
    step = (1 - from_utilization) / (points - 1)
    grid = {from_utilization + step * index for index in range(points - 1)} | {1.0}
    crossings = (api.break_even.utilization for api in comparison.apis if api.break_even.reachable)
    grid.update(each for each in crossings if each is not None and each >= from_utilization)
    at_full = comparison.self_host.usd_per_mtok_at_full
    return [(each, cost_at(usd_per_mtok_at_full=at_full, utilization=each)) for each in sorted(grid)]


def capacity_of(scenario: Scenario, output_tok_s_per_gpu: float) -> Capacity:
    """What one unit delivers when its serving GPUs each deliver so much, and which pool sets the limit."""
    q = uncached_input_per_output(
        input_per_output=scenario.input_per_output, own_cached_share=share(scenario.own_cached_percent)
    )
    decode = decode_capacity(
        gpus=scenario.gpus,
        output_tok_s_per_gpu=output_tok_s_per_gpu,
        efficiency=share(scenario.efficiency_percent),
    )
    rate = scenario.input_tok_s_per_prefill_gpu
    if rate is None:
        return Capacity(decode, "decode")
    if scenario.prefill_gpus is None:
        return capacity_of_shared_pool(
            gpus=scenario.gpus,
            output_tok_s_per_gpu=output_tok_s_per_gpu,
            input_tok_s_per_gpu=rate,
            efficiency=share(scenario.efficiency_percent),
            uncached_input_per_output=q,
        )
    return capacity_of_two_pools(
        decode_output_tok_s=decode,
        prefill_gpus=scenario.prefill_gpus,
        input_tok_s_per_prefill_gpu=rate,
        prefill_efficiency=share(scenario.prefill_efficiency_percent),
        uncached_input_per_output=q,
    )


def terms_of(scenario: Scenario) -> Terms:
    """What the API prices of a scenario depend on besides the API."""
    return Terms(
        on=scenario.price_date,
        peak_share=_peak_share_of(scenario),
        batch_share=share(scenario.batch_percent),
        request_input_tokens=scenario.request_input_tokens,
        region=scenario.region,
        mix=TokenMix(
            input_per_output=scenario.input_per_output,
            cached_share=share(scenario.cached_percent),
            cache_write_share=share(scenario.cache_write_percent),
        ),
    )


def in_basis(scenario: Scenario, usd_per_bundle: float) -> float:
    """The price of a bundle as the price the scenario asks for: per 1M output tokens, or per 1M of either kind."""
    if scenario.basis == "output":
        return usd_per_bundle
    return price_per_token_of_either_kind(usd_per_bundle=usd_per_bundle, input_per_output=scenario.input_per_output)


def _self_host(
    catalog: Catalog, scenario: Scenario, pools: Sequence[Pool], capacity: Capacity, throughput: Throughput
) -> SelfHost:
    bill = own_bill(catalog, scenario, pools)
    capacity_tok_s = capacity.output_tok_s * scenario.units
    utilization = share(scenario.utilization_percent)
    output_tok_s = capacity_tok_s * utilization
    paid_units = scenario.units + scenario.spare_units

    def usd_per_hour(lines: Sequence[CostLine]) -> float:
        return comparable_usd(lines, vat_share=vat_share(scenario)) / bill.paid_hours

    hourly, of_units, once = usd_per_hour(bill.lines), usd_per_hour(bill.unit_lines), usd_per_hour(bill.once_lines)
    at_full = usd_per_bundle(usd_per_hour=hourly, capacity_output_tok_s=capacity_tok_s, utilization=1)
    idle = utilization == 0
    return SelfHost(
        usd_per_hour=hourly,
        usd_per_month=comparable_usd(bill.lines, vat_share=vat_share(scenario)),
        capacity_output_tok_s=capacity_tok_s,
        binding=capacity.binding,
        output_tok_s=output_tok_s,
        usd_per_mtok_at_full=in_basis(scenario, at_full),
        usd_per_mtok=None if idle else in_basis(scenario, at_full / utilization),
        usd_per_mtok_reason=say("no tokens are served, so a cost per token does not exist") if idle else None,
        output_mtok_per_month=output_mtok(output_tok_s=output_tok_s, hours=bill.paid_hours),
        gpus=sum(pool.billed_gpus for pool in pools) * paid_units,
        pools=tuple(pools),
        lines=bill.lines,
        throughput=throughput,
        unit_usd_per_hour=of_units / paid_units,
        once_usd_per_hour=once,
        other_usd_per_hour=hourly - usd_per_hour(bill.gpu_lines),
        paid_hours_per_month=bill.paid_hours,
        notes=bill.notes,
    )


def _peak_share_of(scenario: Scenario) -> Callable[[tuple[PriceWindow, ...]], float]:
    """How much of this scenario's traffic falls into some price windows: as typed, or from the traffic."""
    if scenario.peak_percent != "auto":
        typed = share(scenario.peak_percent)
        return lambda windows: typed
    traffic = traffic_of(scenario)
    return lambda windows: peak_share(
        windows=windows, traffic=traffic, on=scenario.price_date, calendar=scenario.calendar
    )


def _api_answer(
    choice: ApiChoice, terms: Terms, scenario: Scenario, self_host: SelfHost, tolerance_share: float
) -> ApiAnswer:
    same = None if choice.offer is None else choice.offer.entry.model == scenario.model
    try:
        priced = quote(choice, terms)
    except NotInForceError as error:
        unknown = BreakEven(None, None, False, str(error))
        return ApiAnswer(choice.id, choice.name, None, None, None, None, None, unknown, None, None, (), same)
    usd = quote_usd_per_bundle(priced, terms.mix)
    lines = quote_lines(priced, terms.mix, output_mtok=self_host.output_mtok_per_month)
    usd_per_month = total_usd(lines)
    return ApiAnswer(
        id=choice.id,
        name=choice.name,
        quote=priced,
        usd_per_bundle=usd,
        usd_per_mtok=in_basis(scenario, usd),
        usd_per_month=usd_per_month,
        peak_share=priced.peak_share,
        break_even=break_even(
            usd_per_hour=self_host.usd_per_hour,
            capacity_output_tok_s=self_host.capacity_output_tok_s,
            api_usd_per_bundle=usd,
            binding=self_host.binding,
        ),
        winner=winner(self_host_usd=self_host.usd_per_month, api_usd=usd_per_month, tolerance_share=tolerance_share),
        break_even_usd_per_gpu_hour=break_even_usd_per_gpu_hour(
            api_usd_per_bundle=usd,
            output_tok_s=self_host.output_tok_s,
            other_usd_per_hour=self_host.other_usd_per_hour,
            gpus=self_host.gpus,
        ),
        lines=lines,
        same_model=same,
    )


def _model_notes(catalog: Catalog, scenario: Scenario, apis: Sequence[ApiAnswer]) -> list[str]:
    """What the choice of model means for its use, and which of the APIs serve another one."""
    model = catalog.models[scenario.model]
    licence = model.history[-1].licence
    notes = []
    if licence is None:
        notes.append(
            say("The licence of {model} is not known here: read it before you plan with it.", model=model.name)
        )
    elif licence not in FREE_LICENCES:
        notes.append(
            say(
                "Licence of {model}: {licence}. Read its conditions before you plan with it.",
                model=model.name,
                licence=licence,
            )
        )
    others = [api.name for api in apis if api.same_model is False]
    if others:
        notes.append(
            say_count(
                "{apis} serves another model than {model}: the price is compared, the quality differs.",
                "{apis} serve another model than {model}: the price is compared, the quality differs.",
                len(others),
                apis=", ".join(others),
                model=model.name,
            )
        )
    return notes


def _scenario_notes(catalog: Catalog, scenario: Scenario, prefill: Pool | None, self_host: SelfHost) -> list[str]:
    notes = []
    if self_host.usd_per_mtok is None:
        notes.append(
            say(
                "No tokens are served at 0 % utilization: cost per token is undefined; the fixed cost is {amount} "
                "{currency} a month.",
                amount=number_text(f"{self_host.usd_per_month * money_factor(scenario):,.0f}"),
                currency=scenario.currency,
            )
        )
    floor = catalog.assumed("single_stream_below_tok_s_per_gpu", on=scenario.price_date)
    if scenario.output_tok_s_per_gpu < floor:
        notes.append(
            say(
                "{speed} output tok/s per GPU is what a single stream gets. "
                "Is it the throughput of a GPU under full load?",
                speed=count_text(scenario.output_tok_s_per_gpu),
            )
        )
    ceiling = catalog.assumed("cluster_total_above_tok_s_per_gpu", on=scenario.price_date)
    if scenario.output_tok_s_per_gpu > ceiling:
        notes.append(
            say(
                "{speed} output tok/s per GPU is more than any known GPU delivers. Is it the total of all {gpus} GPUs, "
                "or input and output together?",
                speed=count_text(scenario.output_tok_s_per_gpu),
                gpus=scenario.gpus,
            )
        )
    if scenario.input_tok_s_per_prefill_gpu is None and scenario.input_per_output > 0:
        notes.append(
            say(
                "No prefill rate is given, so reading the prompts is taken not to limit the output: use a throughput "
                "measured at about {ratio} input tokens per output token.",
                ratio=count_text(scenario.input_per_output),
            )
        )
    if prefill is not None and self_host.binding == "prefill":
        notes.append(say("Prefill binds: the prefill pool limits the output, serving GPUs wait for it."))
    return notes
