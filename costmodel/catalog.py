"""prices/ read into records. Refuses what it cannot vouch for; never guesses.

Every problem is a CatalogError that names the file, the path inside it and the remedy.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, cached_property
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from costmodel.dated import Dated, in_force
from costmodel.paths import PRICES
from costmodel.pricefiles.yamltext import YamlTextError, read_yaml
from costmodel.records import (
    ApiOffer,
    ApiVendor,
    Assumption,
    AssumptionFile,
    Benchmark,
    BenchmarkFile,
    Currency,
    CurrencyFile,
    Engine,
    Example,
    Gpu,
    OpenModel,
    Rental,
    RentalOffer,
    RentalProvider,
)


class CatalogError(ValueError):
    """prices/ holds something that cannot be used; the message names file, path and remedy."""


AnyRecord = TypeVar("AnyRecord", bound=BaseModel)
MODELLED = "-modelled"
"""Ends the name of a file of throughput/ whose figures were computed, not measured."""


def parse(record: type[AnyRecord], document: Any, *, file: str) -> AnyRecord:
    """A YAML document as a record. Raises CatalogError naming the file and the path of the first few faults."""
    try:
        return record.model_validate(document)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(step) for step in fault['loc']) or 'the whole record'}: {fault['msg']}"
            for fault in error.errors()[:5]
        )
        raise CatalogError(f"{file}: {faults}") from error


class Catalog:
    """Everything in prices/, read part by part when first asked for, cross-references checked on reading."""

    def __init__(self, root: Path = PRICES) -> None:
        self.root = root
        self._read_benchmarks: dict[str, tuple[tuple[str, str, Benchmark], ...]] = {}

    def read(self, path: Path, record: type[AnyRecord]) -> AnyRecord:
        """One file as a record. Raises CatalogError naming the file, the path inside it and the remedy."""
        file = str(path.relative_to(self.root.parent))
        try:
            document = read_yaml(path)
        except FileNotFoundError as error:
            raise CatalogError(f"{file}: the file is missing") from error
        except YamlTextError as error:
            raise CatalogError(f"{file}: {error}") from error
        return parse(record, document, file=file)

    def _folder(self, name: str, record: type[AnyRecord]) -> Iterator[tuple[str, AnyRecord]]:
        for path in sorted((self.root / name).glob("*.yaml")):
            yield f"{self.root.name}/{name}/{path.name}", self.read(path, record)

    @staticmethod
    def _unique(pairs: Iterable[tuple[str, str, AnyRecord]]) -> dict[str, AnyRecord]:
        """(file, id, record) as a mapping. Two records of one id are refused, both files named."""
        records: dict[str, AnyRecord] = {}
        files: dict[str, str] = {}
        for file, identifier, record in pairs:
            if identifier in records:
                raise CatalogError(
                    f"{file}: the id '{identifier}' stands in {files[identifier]} already; rename or merge"
                )
            records[identifier], files[identifier] = record, file
        return records

    @staticmethod
    def _in_order(file: str, path: str, history: Sequence[Dated]) -> None:
        """Entries are appended: each takes effect after the one above it."""
        for position, (above, entry) in enumerate(pairwise(history), start=1):
            both = f"{file}: {path}: entries {position - 1} (since {above.since}) and {position} (since {entry.since})"
            if above.since == entry.since:
                raise CatalogError(f"{both} take effect on the same day; keep the right one")
            if above.since > entry.since:
                raise CatalogError(f"{both} are out of order; append the newer one below")

    @staticmethod
    def _one_row_per_sku(file: str, rentals: Sequence[Rental]) -> None:
        """The same SKU twice in a file would leave it to chance which rent is used."""
        rows: dict[tuple[object, ...], Rental] = {}
        for rental in rentals:
            sku = (rental.name, rental.gpu, rental.gpus_per_instance, rental.commitment, rental.region)
            first = rows.setdefault(sku, rental)
            if first is not rental:
                rents = " and ".join(
                    f"'{row.id}' ({row.history[-1].usd_per_gpu_hour} $ per GPU-hour)" for row in (first, rental)
                )
                raise CatalogError(f"{file}: {rents} are the same SKU; keep one, with the other price in its history")

    def _refers(self, file: str, path: str, identifier: str, known: Mapping[str, object]) -> None:
        if identifier not in known:
            raise CatalogError(f"{file}: {path}: '{identifier}' is not in the catalogue; add it or correct the id")

    @cached_property
    def gpus(self) -> Mapping[str, Gpu]:
        def read() -> Iterator[tuple[str, str, Gpu]]:
            for file, gpu in self._folder("gpus", Gpu):
                self._in_order(file, gpu.id, gpu.history)
                yield file, gpu.id, gpu

        return self._unique(read())

    @cached_property
    def models(self) -> Mapping[str, OpenModel]:
        def read() -> Iterator[tuple[str, str, OpenModel]]:
            for file, model in self._folder("models", OpenModel):
                self._in_order(file, model.id, model.history)
                yield file, model.id, model

        return self._unique(read())

    @cached_property
    def rentals(self) -> Mapping[str, RentalOffer]:
        def offers() -> Iterator[tuple[str, str, RentalOffer]]:
            for file, provider in self._folder("rentals", RentalProvider):
                self._one_row_per_sku(file, provider.rentals)
                for rental in provider.rentals:
                    self._refers(file, f"{rental.id}.gpu", rental.gpu, self.gpus)
                    self._in_order(file, rental.id, rental.history)
                    yield (
                        file,
                        rental.id,
                        RentalOffer.model_construct(
                            provider=provider.provider, provider_name=provider.name, entry=rental
                        ),
                    )

        return self._unique(offers())

    @cached_property
    def apis(self) -> Mapping[str, ApiOffer]:
        def offers() -> Iterator[tuple[str, str, ApiOffer]]:
            for file, vendor in self._folder("apis", ApiVendor):
                for model in vendor.models:
                    if model.model is not None:
                        self._refers(file, f"{model.id}.model", model.model, self.models)
                    entry = model
                    if vendor.residency and not model.residency:
                        entry = model.model_copy(update={"residency": vendor.residency})
                    for part in ("history", "batch", "long_context", "concurrency_limit", "speed"):
                        self._in_order(file, f"{entry.id}.{part}", getattr(entry, part))
                    for region, surcharges in groupby(
                        sorted(entry.residency, key=attrgetter("region")), key=attrgetter("region")
                    ):
                        self._in_order(file, f"{entry.id}.residency ({region})", list(surcharges))
                    offer = ApiOffer.model_construct(vendor=vendor.vendor, vendor_name=vendor.name, entry=entry)
                    yield file, offer.id, offer

        return self._unique(offers())

    @cached_property
    def benchmarks(self) -> Mapping[str, Benchmark]:
        files = [path.stem for path in (self.root / "throughput").glob("*.yaml")]
        of_files = (self._benchmarks_in(stem) for stem in sorted(files))
        return self._unique(each for benchmarks in of_files for each in benchmarks)

    def _benchmarks_in(self, stem: str) -> tuple[tuple[str, str, Benchmark], ...]:
        """(file, id, benchmark) of one file of throughput/; the file is read once."""
        if stem not in self._read_benchmarks:
            path = self.root / "throughput" / f"{stem}.yaml"
            file = f"{self.root.name}/throughput/{path.name}"
            benchmarks = self.read(path, BenchmarkFile).benchmarks
            for benchmark in benchmarks:
                self._refers(file, f"{benchmark.id}.model", benchmark.model, self.models)
                self._refers(file, f"{benchmark.id}.gpu", benchmark.gpu, self.gpus)
                if benchmark.model != stem.removesuffix(MODELLED):
                    raise CatalogError(
                        f"{file}: {benchmark.id}.model: is not the model the file is named after; move it"
                    )
            self._read_benchmarks[stem] = tuple((file, each.id, each) for each in benchmarks)
        return self._read_benchmarks[stem]

    def benchmarks_of(self, model: str) -> Mapping[str, Benchmark]:
        """The benchmarks of one model, without reading those of all others."""
        stems = [stem for stem in (model, model + MODELLED) if (self.root / "throughput" / f"{stem}.yaml").exists()]
        return self._unique(each for stem in stems for each in self._benchmarks_in(stem))

    @cached_property
    def engines(self) -> Mapping[str, Engine]:
        def read() -> Iterator[tuple[str, str, Engine]]:
            for file, engine in self._folder("engines", Engine):
                self._in_order(file, engine.id, engine.history)
                recipes, listed = (each.model for each in engine.recipes), (each.model for each in engine.listed)
                for model in (*engine.models, *recipes, *listed):
                    self._refers(file, f"{engine.id}.models", model, self.models)
                for gpu in (
                    *(each.gpu for each in engine.recipes),
                    *(gpu for each in engine.listed for gpu in each.gpus),
                ):
                    self._refers(file, f"{engine.id}: gpu", gpu, self.gpus)
                yield file, engine.id, engine

        return self._unique(read())

    @cached_property
    def examples(self) -> Mapping[str, Example]:
        return self._unique((file, example.id, example) for file, example in self._folder("scenarios", Example))

    @cached_property
    def assumptions(self) -> Mapping[str, Assumption]:
        assumptions = self.read(self.root / "assumptions.yaml", AssumptionFile).assumptions
        for identifier, assumption in assumptions.items():
            self._in_order(f"{self.root.name}/assumptions.yaml", identifier, assumption.history)
        return assumptions

    def assumed(self, name: str, *, on: date) -> float:
        """An assumption's value on a day. Raises NotInForceError before its first entry."""
        return in_force(self.assumptions[name].history, on=on, what=name).value

    @cached_property
    def currencies(self) -> Mapping[str, Currency]:
        currencies = self.read(self.root / "fx.yaml", CurrencyFile).currencies
        for code, currency in currencies.items():
            self._in_order(f"{self.root.name}/fx.yaml", code, currency.history)
        return currencies


@cache
def catalog() -> Catalog:
    """The catalogue this program ships with."""
    return Catalog()
