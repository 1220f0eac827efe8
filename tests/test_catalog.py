"""prices/ as records: what is refused, and that the message names file, path and remedy."""

from collections.abc import Callable
from pathlib import Path

import pytest

from costmodel.catalog import Catalog, CatalogError
from costmodel.records import ApiPrice, LoadPoint

GPU = "id: b200\nname: B200\nhistory:\n  - {since: 2026-02-28, basis: published, memory_gb: 180, %s}\n"
SOURCE = "source: {document: A price list, seen: 2026-09-20}"
RENTAL = (
    "{id: %s, name: %s, gpu: b200, gpus_per_instance: 8, commitment: on_demand, checked: 2026-09-20, history: [%s]}"
)


def rent(usd: str, since: str = "2026-09-20") -> str:
    return f"{{since: {since}, basis: published, usd_per_gpu_hour: {usd}, {SOURCE}}}"


def rental(identifier: str = "coreweave-b200", name: str = "HGX B200", history: str = rent("8.60")) -> str:
    return RENTAL % (identifier, name, history)


def api(prices: str, more: str = "") -> str:
    entry = f"{{since: 2026-09-20, basis: published, usd_per_mtok: {{{prices}}}, {SOURCE}{more}}}"
    return f"vendor: maker\nname: Maker\nmodels:\n  - {{id: one, name: One, checked: 2026-09-20, history: [{entry}]}}\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Catalog]:
    """Puts a file into a small prices/ that has one GPU, and returns its catalogue."""
    root = tmp_path / "prices"

    def put(name: str, text: str) -> Catalog:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return Catalog(root)

    put("gpus/b200.yaml", GPU % SOURCE)
    return put


def provider(*rentals: str) -> str:
    return "provider: coreweave\nname: CoreWeave\nrentals:\n" + "".join(f"  - {each}\n" for each in rentals)


Write = Callable[[str, str], Catalog]


def test_a_rental_is_read_with_its_provider(write: Write) -> None:
    offer = write("rentals/coreweave.yaml", provider(rental())).rentals["coreweave-b200"]
    assert (offer.id, offer.name, offer.entry.gpu) == ("coreweave-b200", "CoreWeave HGX B200", "b200")
    assert offer.entry.history[0].usd_per_gpu_hour == 8.60


@pytest.mark.parametrize(
    ("rentals", "named"),
    [
        ([rental(), rental(history=rent("8.06"))], "(8.6 $ per GPU-hour) and 'coreweave-b200' (8.06 $ per GPU-hour)"),
        ([rental(), rental("coreweave-b200-b", history=rent("8.06"))], "'coreweave-b200-b' (8.06 $ per GPU-hour)"),
        ([rental(), rental(name="Other")], "the id 'coreweave-b200' stands in prices/rentals/coreweave.yaml already"),
        ([rental(history=f"{rent('8.60')}, {rent('8.06')}")], "entries 0 (since 2026-09-20) and 1 (since 2026-09-20)"),
        ([rental(history=f"{rent('8.60')}, {rent('8.06', '2026-09-19')}")], "are out of order; append the newer"),
    ],
)
def test_two_prices_of_one_sku_are_refused_and_both_are_named(write: Write, rentals: list[str], named: str) -> None:
    """Never silently the first or the last (8.60 and 8.06 for the same B200)."""
    catalog = write("rentals/coreweave.yaml", provider(*rentals))
    with pytest.raises(CatalogError, match=r"^prices/rentals/coreweave\.yaml: ") as caught:
        _ = catalog.rentals
    assert named in str(caught.value)


def test_an_id_in_two_files_is_refused_and_both_are_named(write: Write) -> None:
    write("rentals/a.yaml", provider(rental()))
    catalog = write("rentals/b.yaml", provider(rental()))
    with pytest.raises(CatalogError, match=r"prices/rentals/b\.yaml: .* stands in prices/rentals/a\.yaml already"):
        _ = catalog.rentals


@pytest.mark.parametrize("usd", ["0.01", "0", "-1", "8600", "68800", "nan", "inf", "8,60", "free"])
def test_a_rent_that_cannot_be_per_gpu_hour_is_refused(write: Write, usd: str) -> None:
    catalog = write("rentals/coreweave.yaml", provider(rental(history=rent(f'"{usd}"'))))
    with pytest.raises(CatalogError, match=r"rentals\.0\.history\.0\.usd_per_gpu_hour"):
        _ = catalog.rentals


@pytest.mark.parametrize(
    ("prices", "path"),
    [
        ("input: 0.00000015, output: 0.0000006", "usd_per_mtok.input"),
        ("input: 15000, output: 75000", "usd_per_mtok.input"),
        ("input: 150, output: 1200", "usd_per_mtok.output"),
        ("input: 0, output: 1", "usd_per_mtok.input"),
        ("input: 1", "usd_per_mtok.output"),
        ("input: 1, output: 2, input_above_200k: 2", "input_above_200k"),
        ("input: 1, output: 2, input_cost_per_token: 0.015", "input_cost_per_token"),
        ("input: 0.15, cached_input: 0.30, output: 0.60", "cached_input 0.3 is above input 0.15: are they swapped?"),
    ],
)
def test_a_token_price_of_another_unit_or_shape_is_refused(write: Write, prices: str, path: str) -> None:
    """0.015 $ per token is 15,000 $ per 1M tokens; a key nobody reads is never dropped in silence."""
    catalog = write("apis/maker.yaml", api(prices))
    with pytest.raises(CatalogError, match=r"^prices/apis/maker\.yaml: models\.0\.history\.0\.usd_per_mtok") as caught:
        _ = catalog.apis
    assert path in str(caught.value)


@pytest.mark.parametrize("usd", ["0.001", "1000"])
def test_the_bounds_of_a_token_price_are_prices(write: Write, usd: str) -> None:
    assert write("apis/maker.yaml", api(f"input: {usd}, output: {usd}")).apis["maker:one"].name == "Maker One"


WINDOW = ", windows: [{name: peak, timezone: %s, days: [%s], hours: [%s], usd_per_mtok: {input: 2, output: 4}%s}]"


def window(timezone: str = "UTC", days: str = "mon", hours: str = "01:00-04:00", more: str = "") -> str:
    return api("input: 1, output: 2", WINDOW % (timezone, days, hours, more))


def test_clock_times_and_country_codes_stay_what_they_are(write: Write) -> None:
    """Plain YAML turns 16:30 into 990 and NO into False."""
    text = window(hours="16:30-24:00, 00:00-00:30", more=", holidays: NO")
    price = write("apis/maker.yaml", text).apis["maker:one"].entry.history[0]
    assert isinstance(price, ApiPrice)
    assert price.windows[0].hours == ((990, 1440), (0, 30))
    assert price.windows[0].holidays == "NO"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (window(hours="16:30"), "windows.0.hours.0"),
        (window(hours="04:00-01:00"), "windows.0.hours.0"),
        (window(hours="01:00-25:00"), "windows.0.hours.0"),
        (window(hours="01:75-04:00"), "windows.0.hours.0"),
        (window(hours=""), "windows.0.hours"),
        (window(timezone="Beijing"), "'Beijing' is no IANA time zone"),
        (window(timezone="../etc/passwd"), "is no IANA time zone"),
        (window(days="monday"), "windows.0.days.0"),
        (window(days=""), "windows.0.days"),
    ],
)
def test_a_window_that_is_no_window_is_refused(write: Write, text: str, path: str) -> None:
    with pytest.raises(CatalogError) as caught:
        _ = write("apis/maker.yaml", text).apis
    assert path in str(caught.value)


def test_a_vendor_surcharge_reaches_the_models_that_state_none(write: Write) -> None:
    surcharge = f"residency: [{{since: 2026-03-05, basis: published, region: eu, surcharge_percent: 10, {SOURCE}}}]\n"
    entry = write("apis/maker.yaml", api("input: 1, output: 2") + surcharge).apis["maker:one"].entry
    assert [(each.region, each.surcharge_percent) for each in entry.residency] == [("eu", 10)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rentals/x.yaml", provider(rental()).replace("gpu: b200", "gpu: b2000"), "coreweave-b200.gpu: 'b2000' is not"),
        ("apis/x.yaml", api("input: 1, output: 2").replace("name: One", "name: One, model: gone"), "one.model: 'gone'"),
        ("apis/x.yaml", api("input: 1, output: 2").replace("id: one", "id: One"), "models.0.id"),
        ("apis/x.yaml", "vendor: maker\nname: Maker\nmodels: []\n", "models"),
        ("apis/x.yaml", "- a list\n", "the whole record"),
        ("apis/x.yaml", "vendor: maker\nvendor: other\n", "line 2: the key 'vendor' stands twice"),
        ("gpus/b200.yaml", GPU % SOURCE.replace("document: A price list, ", ""), "needs a url or a document"),
        ("gpus/b200.yaml", (GPU % SOURCE).replace("180", '""'), "memory_gb"),
    ],
)
def test_an_unusable_file_is_refused_by_file_and_path(write: Write, name: str, text: str, message: str) -> None:
    catalog = write(name, text)
    with pytest.raises(CatalogError, match=f"^prices/{name}: ") as caught:
        getattr(catalog, name.partition("/")[0])
    assert message in str(caught.value)


@pytest.mark.parametrize("section", ["assumptions", "currencies"])
def test_a_missing_file_is_named(tmp_path: Path, section: str) -> None:
    with pytest.raises(CatalogError, match="the file is missing"):
        getattr(Catalog(tmp_path), section)


BENCHMARK = (
    "benchmarks:\n  - {id: a, model: m, gpu: b200, gpus: 8, engine: e, output_tokens: 1024, "
    f"since: 2026-03-25, basis: measured, {SOURCE}, points: [%s]}}\n"
)
MODEL = f"id: m\nname: M\nhf_id: maker/m\nhistory:\n  - {{since: 2026-03-25, basis: published, {SOURCE}}}\n"


def test_a_point_may_be_a_row_or_a_mapping(write: Write) -> None:
    write("models/m.yaml", MODEL)
    row = "[4, 259.9, 10.29, 379.6]"
    mapping = "{concurrency: 4, ttft_ms: 259.9, tpot_ms: 10.29, output_tok_s: 379.6}"
    points = write("throughput/m.yaml", BENCHMARK % f"{row}, {mapping}").benchmarks["a"].points
    assert points[0] == points[1] == LoadPoint(concurrency=4, ttft_ms=259.9, tpot_ms=10.29, output_tok_s=379.6)


@pytest.mark.parametrize("row", ["[4, 259.9, 10.29]", "[4, 259.9, 10.29, 379.6, 47]", "[4, 259.9, 10.29, 0]", "4"])
def test_a_row_of_another_length_or_without_a_value_is_refused(write: Write, row: str) -> None:
    write("models/m.yaml", MODEL)
    with pytest.raises(CatalogError, match=r"benchmarks\.0\.points"):
        _ = write("throughput/m.yaml", BENCHMARK % row).benchmarks
