"""The data itself: every figure has its day and source, references resolve, headline prices hold on their days."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from costmodel.catalog import Catalog, catalog
from costmodel.dated import Dated, NotInForceError, in_force
from costmodel.doubts import (
    breaches_of_littles_law,
    falling_curves,
    outputs_below_inputs,
    prices_far_from_neighbours,
    repeated_measurements,
)
from costmodel.paths import PRICES
from costmodel.records import ApiOffer, ApiPrice, RentalOffer, TokenPrices

READ_BY = date(2026, 11, 30)
"""No figure may have been read later than the last edit of the data; moves with it."""
FILES = sorted(PRICES.rglob("*.yaml"))
PRICED_DAY, NODE_DAY = date(2026, 10, 25), date(2026, 9, 25)


@pytest.fixture(scope="module")
def prices() -> Catalog:
    return catalog()


def entries(record: object, path: str = "") -> Iterator[tuple[str, Dated]]:
    """Every dated entry within a record, with its path."""
    if isinstance(record, Dated):
        yield path, record
    elif isinstance(record, BaseModel):
        for name in type(record).model_fields:
            yield from entries(getattr(record, name), f"{path}.{name}")
    elif isinstance(record, tuple):
        for position, item in enumerate(record):
            yield from entries(item, f"{path}.{position}")


def all_entries(prices: Catalog) -> list[tuple[str, Dated]]:
    sections: tuple[Any, ...] = (
        prices.gpus,
        prices.models,
        prices.rentals,
        prices.apis,
        prices.benchmarks,
        prices.engines,
        prices.assumptions,
        prices.currencies,
    )
    return [each for section in sections for name, record in section.items() for each in entries(record, name)]


def test_every_figure_has_a_day_a_basis_and_a_source(prices: Catalog) -> None:
    found = all_entries(prices)
    assert len(found) > 700
    for path, entry in found:
        assert entry.source.url or entry.source.document, path
        assert entry.source.seen <= READ_BY, path
        assert entry.source.url is None or entry.source.url.startswith("https://"), path
        assert entry.basis != "assumed" or entry.note, f"{path}: an assumption says why"


def offers(prices: Catalog) -> list[RentalOffer | ApiOffer]:
    return [*prices.rentals.values(), *prices.apis.values()]


def test_confirmed_no_earlier_than_read_and_not_in_the_future(prices: Catalog) -> None:
    """An entry that began after the last look at its record was appended later, so it was read later."""
    for offer in offers(prices):
        assert offer.entry.checked <= READ_BY, offer.id
        for entry in offer.entry.history:
            assert not offer.entry.checked < entry.since <= READ_BY or entry.source.seen > offer.entry.checked, offer.id


def test_histories_are_appended(prices: Catalog) -> None:
    for offer in offers(prices):
        for earlier, later in pairwise(offer.entry.history):
            assert earlier.since < later.since, offer.id


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sources_can_be_looked_up_from_anywhere(path: Any) -> None:
    """An editor schema in the first line, and below it no path of somebody's own machine."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"# yaml-language-server: \$schema=(\.\./)?\.schema/[a-z-]+\.schema\.json", first)
    path_of_a_machine = re.compile(r"""(^|[\s"'(:,{\[])(/|~/|\.{1,2}/|[A-Z]:\\|file:)""")
    for line in rest:
        assert not path_of_a_machine.search(line.replace("https://", "")), line
        assert "localhost" not in line


@pytest.mark.parametrize("folder", ["gpus", "models", "scenarios", "rentals", "apis", "engines"])
def test_a_file_is_named_after_what_it_holds(folder: str) -> None:
    for path in (PRICES / folder).glob("*.yaml"):
        key = {"rentals": "provider", "apis": "vendor"}.get(folder, "id")
        assert re.search(rf"^{key}: {re.escape(path.stem)}$", path.read_text(encoding="utf-8"), re.MULTILINE), path


CONTRACT = {
    "models": ["deepseek-v4.1-flash", "llama-3.3-70b-instruct", "gpt-oss-120b", "deepseek-v3"],
    "rentals": [
        *(f"coreweave-{gpu}" for gpu in ("b200", "gb200", "h200", "h100")),
        *(f"coreweave-{gpu}-spot" for gpu in ("b200", "h200", "h100")),
        "lambda-b200",
        "lambda-b200-cluster-2w",
        "lambda-b200-cluster-1y",
        "hyperstack-b200",
        "aws-h100",
    ],
    "apis": [
        "deepseek:deepseek-flash",
        *(f"{vendor}:deepseek-v4.1-flash" for vendor in ("tokely", "baseten", "together")),
        "openai:gpt-5.6-terra",
        "openai:gpt-5.6-sol",
        "anthropic:claude-sonnet-5",
        "anthropic:claude-opus-5",
    ],
    "examples": ["deepinfer-128", "deepinfer-136-rack", "deepinfer-16", "node-8xh200", "node-4xgb200"],
}


@pytest.mark.parametrize(("section", "ids"), CONTRACT.items())
def test_ids_that_links_rely_on_exist(prices: Catalog, section: str, ids: list[str]) -> None:
    assert [identifier for identifier in ids if identifier not in getattr(prices, section)] == []


def token_prices(prices: Catalog, api: str, on: date) -> TokenPrices:
    price: ApiPrice = in_force(prices.apis[api].entry.history, on=on, what=api)
    return price.usd_per_mtok


@pytest.mark.parametrize(
    ("api", "on", "usd"),
    [
        ("openai:gpt-5.6-terra", "2026-07-29", (2.5, 0.25, 15)),
        ("openai:gpt-5.6-terra", "2026-07-30", (2, 0.2, 12)),
        ("openai:gpt-5.6-sol", "2026-08-20", (5, 0.5, 30)),
        ("openai:gpt-5.6-sol", "2026-08-21", (4, 0.4, 20)),
        ("openai:gpt-5.6-luna", "2026-07-29", (1, 0.1, 6)),
        ("openai:gpt-5.6-luna", "2026-07-30", (0.2, 0.02, 1.2)),
        ("deepseek:deepseek-v4-flash", "2026-08-16", (0.14, 0.0028, 0.28)),
        ("deepseek:deepseek-v4-flash", "2026-08-17", (0.22, 0.007, 0.66)),
        ("deepseek:deepseek-v4-flash", "2026-09-10", (0.15, 0.003, 0.60)),
        ("deepseek:deepseek-flash", "2026-09-10", (0.15, 0.003, 0.60)),
        ("tokely:deepseek-v4.1-flash", "2026-10-25", (0.20, 0.004, 0.80)),
        ("baseten:deepseek-v4.1-flash", "2026-10-25", (0.30, 0.007, 1.20)),
        ("together:deepseek-v4.1-flash", "2026-10-25", (0.30, 0.006, 1.20)),
        ("anthropic:claude-sonnet-5", "2026-09-01", (2, 0.2, 10)),
        ("anthropic:claude-opus-5", "2026-09-25", (5, 0.5, 25)),
        ("google:gemini-4-argon", "2026-11-30", (2, 0.1, 10)),
        ("google:gemini-4-argon", "2026-12-01", (4, 0.2, 20)),
        ("mistral:mistral-large-4", "2026-10-19", (0.68, 0.07, 2.09)),
        ("mistral:mistral-large-4", "2026-10-20", (1.36, 0.14, 4.18)),
        ("mistral:mistral-large-4", "2026-10-29", (0.70, 0.07, 2.10)),
    ],
)
def test_api_prices_on_their_days(prices: Catalog, api: str, on: str, usd: tuple[float, ...]) -> None:
    found = token_prices(prices, api, date.fromisoformat(on))
    assert (found.input, found.cached_input, found.output) == usd


@pytest.mark.parametrize(
    ("rental", "on", "usd"),
    [
        ("coreweave-b200", "2026-10-25", 8.60),
        ("coreweave-gb200", "2026-10-25", 10.50),
        ("coreweave-h200", "2026-09-25", 6.305),
        ("coreweave-b200", "2026-08-20", 8.60),
        ("coreweave-h100", "2026-09-25", 6.155),
        ("lambda-b200", "2026-10-25", 6.69),
        ("lambda-b200-cluster-2w", "2026-10-25", 9.86),
        ("lambda-b200-cluster-1y", "2026-10-25", 8.87),
        ("nebius-h100", "2026-09-24", 2.95),
        ("nebius-h100", "2026-10-23", 3.85),
        ("nebius-h100", "2026-10-24", 4.50),
        ("nebius-h200", "2026-10-24", 5.40),
        ("aws-h100", "2026-11-09", 6.88),
    ],
)
def test_rents_on_their_days(prices: Catalog, rental: str, on: str, usd: float) -> None:
    rent = in_force(prices.rentals[rental].entry.history, on=date.fromisoformat(on), what=rental)
    assert rent.usd_per_gpu_hour == usd


def test_rents_are_per_gpu_and_not_rounded(prices: Catalog) -> None:
    """Published per instance: 68.80 $ for 8 B200, 34.11 $ on the spot market, 42.00 $ for a tray of four GB200."""
    for rental, usd in (("coreweave-b200", 68.80), ("coreweave-b200-spot", 34.11), ("coreweave-gb200", 42.00)):
        entry = prices.rentals[rental].entry
        assert entry.history[-1].usd_per_gpu_hour * entry.gpus_per_instance == pytest.approx(usd, abs=1e-9)


def test_before_the_first_price_there_is_none(prices: Catalog) -> None:
    for offer in offers(prices):
        first = offer.entry.history[0].since
        with pytest.raises(NotInForceError):
            in_force(offer.entry.history, on=first - timedelta(days=1), what=offer.id)


def test_deepseek_peak_hours_are_35_of_a_week_on_the_vendors_clock(prices: Catalog) -> None:
    for api in ("deepseek:deepseek-flash", "deepseek:deepseek-v4-pro"):
        price: ApiPrice = in_force(prices.apis[api].entry.history, on=PRICED_DAY, what=api)
        (peak,) = price.windows
        assert (price.base_name, peak.name, peak.timezone, peak.holidays) == ("off_peak", "peak", "UTC", "CN")
        assert len(peak.days) * sum(end - start for start, end in peak.hours) / 60 == 35
        doubled = (2 * price.usd_per_mtok.input, 2 * price.usd_per_mtok.output)
        assert (peak.usd_per_mtok.input, peak.usd_per_mtok.output) == doubled


def test_deepseek_weekends_are_off_peak_since_23_august(prices: Catalog) -> None:
    history = prices.apis["deepseek:deepseek-v4-flash"].entry.history
    for on, days in ((date(2026, 8, 16), 0), (date(2026, 8, 22), 7), (date(2026, 8, 23), 5)):
        price: ApiPrice = in_force(history, on=on, what="V4 Flash")
        assert sum(len(window.days) for window in price.windows) == days


def test_every_host_of_v41_flash_carries_the_model(prices: Catalog) -> None:
    hosts = {offer.vendor for offer in prices.apis.values() if offer.entry.model == "deepseek-v4.1-flash"}
    assert len(hosts) == 19
    for vendor in hosts - {"deepseek"}:
        assert f"{vendor}:deepseek-v4.1-flash" in prices.apis


@pytest.mark.parametrize(
    ("vendor", "regions"), [("openai", {"eu", "us"}), ("anthropic", {"us"}), ("deepseek", set()), ("google", set())]
)
def test_residency_costs_ten_percent_where_it_is_offered(prices: Catalog, vendor: str, regions: set[str]) -> None:
    sold = [offer for offer in prices.apis.values() if offer.vendor == vendor]
    assert sold
    for offer in sold:
        assert {each.region for each in offer.entry.residency} == regions
        assert all(each.surcharge_percent == 10 for each in offer.entry.residency)


def test_long_context_begins_above_the_vendors_own_threshold(prices: Catalog) -> None:
    """xAI counts 200,000 itself as long, Google does not; OpenAI says more than 272K."""
    thresholds = {"x-ai": 199_999, "google": 200_000, "openai": 272_000, "anthropic": 100_000, "minimax": 512_000}
    tiers = [(offer, tier) for offer in prices.apis.values() for tier in offer.entry.long_context]
    assert {offer.vendor for offer, _ in tiers} == set(thresholds)
    for offer, tier in tiers:
        assert tier.above_input_tokens == thresholds[offer.vendor], offer.id
        base = in_force(offer.entry.history, on=tier.since, what=offer.id).usd_per_mtok
        assert tier.usd_per_mtok.input > base.input, offer.id


def test_batch_is_cheaper(prices: Catalog) -> None:
    for offer in prices.apis.values():
        for batch in offer.entry.batch:
            base = in_force(offer.entry.history, on=batch.since, what=offer.id).usd_per_mtok
            assert batch.usd_per_mtok.input < base.input, offer.id
            assert batch.usd_per_mtok.output < base.output, offer.id


def test_what_is_known_of_the_speed_and_size_of_an_api(prices: Catalog) -> None:
    flash = prices.apis["deepseek:deepseek-flash"].entry
    assert (flash.speed[0].output_tok_s_low, flash.speed[0].output_tok_s_high) == (190, 214)
    assert flash.concurrency_limit[0].requests == 2_500
    assert prices.apis["baseten:deepseek-v4.1-flash"].entry.speed[0].output_tok_s_high == 289


@pytest.mark.parametrize(
    ("gpu", "gigabytes"), [("h100", 80), ("h200", 141), ("b200", 180), ("gb200", 186), ("b300", 288), ("a100-40gb", 40)]
)
def test_memory_of_a_gpu(prices: Catalog, gpu: str, gigabytes: float) -> None:
    assert prices.gpus[gpu].history[-1].memory_gb == gigabytes


def test_the_memory_of_a_gpu_is_known_when_its_rent_is(prices: Catalog) -> None:
    for offer in prices.rentals.values():
        in_force(prices.gpus[offer.entry.gpu].history, on=offer.entry.history[0].since, what=offer.entry.gpu)


def test_v41_flash_as_its_recipe_states_it(prices: Catalog) -> None:
    facts = prices.models["deepseek-v4.1-flash"].history[-1]
    assert (facts.memory_floor_gb, facts.kv_bytes_per_token, facts.context_tokens) == (614, 890, 1_048_576)


def test_published_throughput_is_there(prices: Catalog) -> None:
    per_gpu = [point.output_tok_s_per_gpu for point in prices.benchmarks["deepseek-v4.1-flash-ep64"].points]
    assert per_gpu == [2_600, 14_466, 26_000]
    assert prices.benchmarks["deepseek-v4.1-flash-ep8"].points[0].output_tok_s_per_gpu == 12_600
    prefill = prices.benchmarks["deepseek-v4.1-flash-prefill"].points[0]
    assert (prefill.input_tok_s_per_gpu_low, prefill.input_tok_s_per_gpu_high) == (60_000, 89_000)
    measured = {benchmark.model for benchmark in prices.benchmarks.values() if benchmark.basis == "measured"}
    assert measured >= {"deepseek-v3", "deepseek-r1", "gpt-oss-120b", "llama-3.3-70b-instruct", "kimi-k2.5", "glm-5"}


@pytest.mark.parametrize("path", sorted((PRICES / "throughput").glob("*.yaml")), ids=lambda path: path.stem)
def test_throughput_obeys_littles_law(prices: Catalog, path: Any) -> None:
    """Tokens per second follow from concurrency and latencies within 3 %."""
    of_file = [each for each in prices.benchmarks.values() if f"id: {each.id}\n" in path.read_text(encoding="utf-8")]
    assert of_file
    assert list(breaches_of_littles_law(of_file, tolerance_percent=3)) == []


def test_suspect_measurements_stay_out(prices: Catalog) -> None:
    """Curves that fall, and a four-GPU row that repeats a two-GPU row to the digit."""
    benchmarks = prices.benchmarks.values()
    assert list(falling_curves(benchmarks)) == []
    assert list(repeated_measurements(benchmarks)) == []
    for benchmark in benchmarks:
        rows = [point for point in benchmark.points if point.tpot_ms is not None and point.concurrency is not None]
        for fewer, more in pairwise(sorted(rows, key=lambda point: point.concurrency or 0)):
            assert (more.tpot_ms or 0) > 0.97 * (fewer.tpot_ms or 0), benchmark.id


def test_no_price_is_far_from_its_neighbours(prices: Catalog) -> None:
    assert list(prices_far_from_neighbours(prices, factor=6)) == []
    assert list(outputs_below_inputs(prices.apis.values())) == []


def test_the_usual_range_of_rents_is_that_of_the_catalogue(prices: Catalog) -> None:
    rents = [rent.usd_per_gpu_hour for offer in prices.rentals.values() for rent in offer.entry.history]
    usual = prices.assumptions["usual_usd_per_gpu_hour"].history[-1]
    assert (usual.low, usual.high) == (min(rents), max(rents))
    assert min(rents) < usual.value < max(rents)


@pytest.mark.parametrize(("on", "rate"), [("2026-09-10", 0.8609), ("2026-10-29", 0.8609), ("2026-10-30", 0.895)])
def test_euros_per_dollar(prices: Catalog, on: str, rate: float) -> None:
    history = prices.currencies["EUR"].history
    assert in_force(history, on=date.fromisoformat(on), what="EUR").per_usd == rate


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tie_tolerance_percent", 0.1),
        ("single_stream_below_tok_s_per_gpu", 100),
        ("load_balancing_efficiency_percent", 80),
        ("deepseek_revenue_usd_per_gpu_hour", 38),
        ("vat_es", 21),
        ("vat_de", 19),
    ],
)
def test_assumptions_on_the_priced_day(prices: Catalog, name: str, value: float) -> None:
    assert in_force(prices.assumptions[name].history, on=PRICED_DAY, what=name).value == value


def test_judgements_apply_to_every_price_date(prices: Catalog) -> None:
    for name, assumption in prices.assumptions.items():
        if assumption.history[0].basis == "assumed":
            in_force(assumption.history, on=date(2023, 1, 1), what=name)


def test_examples_stand_on_figures_in_force_on_their_day(prices: Catalog) -> None:
    for identifier, example in prices.examples.items():
        inputs = example.inputs
        on = date.fromisoformat(str(inputs["asof"]))
        assert on == (NODE_DAY if identifier.startswith("node-") else PRICED_DAY)
        for key in ("gpu", "prefill_gpu"):
            if key in inputs:
                in_force(prices.rentals[str(inputs[key])].entry.history, on=on, what=identifier)
        in_force(prices.models[str(inputs["model"])].history, on=on, what=identifier)
        for api in inputs["api"]:
            in_force(prices.apis[api.partition("@")[0]].entry.history, on=on, what=identifier)


def test_examples_rest_on_the_figure_their_claim_names(prices: Catalog) -> None:
    """Throughput of an ordinary example is a point of the benchmark that its claim names."""
    named = 0
    for example in prices.examples.values():
        found = re.search(r"Benchmark (\S+): ", example.claim)
        if found:
            named += 1
            benchmark = prices.benchmarks[found[1]]
            per_gpu = [(point.output_tok_s or 0) / benchmark.gpus for point in benchmark.points]
            assert float(str(example.inputs["tps"])) == pytest.approx(max(per_gpu), rel=1e-9)
            assert int(str(example.inputs["gpus"])) == benchmark.gpus
            assert (benchmark.input_tokens or 0) / (benchmark.output_tokens or 1) == float(str(example.inputs["ratio"]))
            rental = prices.rentals[str(example.inputs["gpu"])].entry
            assert (rental.gpu, example.inputs["model"]) == (benchmark.gpu, benchmark.model)
    assert named >= 4


@pytest.mark.parametrize("example", ["node-8xh200", "node-4xgb200"])
def test_a_node_serves_the_300_tok_s_of_the_article(prices: Catalog, example: str) -> None:
    inputs = {key: str(value) for key, value in prices.examples[example].inputs.items()}
    served = float(inputs["util"]) / 100 * int(inputs["gpus"]) * float(inputs["tps"]) * float(inputs["eff"]) / 100
    assert served == float(inputs["demand"]) == 300


@pytest.mark.parametrize(
    ("example", "usd_per_hour"),
    [("deepinfer-128", 1_222.40), ("deepinfer-136-rack", 1_306.40), ("deepinfer-16", 137.6)],
)
def test_rent_of_the_published_clusters(prices: Catalog, example: str, usd_per_hour: float) -> None:
    """64 · 10.50 + 64 · 8.60, 72 · 10.50 + 64 · 8.60 and 16 · 8.60 (tokely.me, 25 October 2026)."""
    inputs = prices.examples[example].inputs
    rent = sum(
        int(str(inputs[count]))
        * in_force(prices.rentals[str(inputs[gpu])].entry.history, on=PRICED_DAY, what=example).usd_per_gpu_hour
        for gpu, count in (("gpu", "gpus"), ("prefill_gpu", "prefill_gpus"))
    )
    assert rent == pytest.approx(usd_per_hour, abs=1e-9)
