"""prices/ read into records. Refuses what it cannot vouch for; never guesses.

Every problem is a CatalogError that names the file, the path inside it and the remedy.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from costmodel.dated import Dated
from costmodel.paths import PRICES
from costmodel.records import (
    ApiOffer,
    ApiVendor,
    Assumption,
    AssumptionFile,
    Benchmark,
    BenchmarkFile,
    Currency,
    CurrencyFile,
    Example,
    Gpu,
    OpenModel,
    RentalOffer,
    RentalProvider,
)
from costmodel.yamltext import YamlTextError, read_yaml


class CatalogError(ValueError):
    """prices/ holds something that cannot be used; the message names file, path and remedy."""


AnyRecord = TypeVar("AnyRecord", bound=BaseModel)


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

    def _read(self, path: Path, record: type[AnyRecord]) -> AnyRecord:
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
            yield f"{self.root.name}/{name}/{path.name}", self._read(path, record)

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
    def _one_entry_per_day(file: str, what: str, history: Iterable[Dated]) -> None:
        days = [entry.since for entry in history]
        twice = next((day for day in days if days.count(day) > 1), None)
        if twice:
            raise CatalogError(f"{file}: {what} has two entries since {twice.isoformat()}; keep the right one")

    def _refers(self, file: str, path: str, identifier: str, known: Mapping[str, object]) -> None:
        if identifier not in known:
            raise CatalogError(f"{file}: {path}: '{identifier}' is not in the catalogue; add it or correct the id")

    @cached_property
    def gpus(self) -> Mapping[str, Gpu]:
        return self._unique((file, gpu.id, gpu) for file, gpu in self._folder("gpus", Gpu))

    @cached_property
    def models(self) -> Mapping[str, OpenModel]:
        return self._unique((file, model.id, model) for file, model in self._folder("models", OpenModel))

    @cached_property
    def rentals(self) -> Mapping[str, RentalOffer]:
        def offers() -> Iterator[tuple[str, str, RentalOffer]]:
            for file, provider in self._folder("rentals", RentalProvider):
                for rental in provider.rentals:
                    self._refers(file, f"{rental.id}.gpu", rental.gpu, self.gpus)
                    self._one_entry_per_day(file, rental.id, rental.history)
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
                for entry in vendor.models:
                    if entry.model is not None:
                        self._refers(file, f"{entry.id}.model", entry.model, self.models)
                    for history in (
                        entry.history,
                        entry.batch,
                        entry.long_context,
                        entry.concurrency_limit,
                        entry.speed,
                    ):
                        self._one_entry_per_day(file, entry.id, history)
                    offer = ApiOffer.model_construct(vendor=vendor.vendor, vendor_name=vendor.name, entry=entry)
                    yield file, offer.id, offer

        return self._unique(offers())

    @cached_property
    def benchmarks(self) -> Mapping[str, Benchmark]:
        def measured() -> Iterator[tuple[str, str, Benchmark]]:
            for file, content in self._folder("throughput", BenchmarkFile):
                for benchmark in content.benchmarks:
                    self._refers(file, f"{benchmark.id}.model", benchmark.model, self.models)
                    self._refers(file, f"{benchmark.id}.gpu", benchmark.gpu, self.gpus)
                    yield file, benchmark.id, benchmark

        return self._unique(measured())

    @cached_property
    def examples(self) -> Mapping[str, Example]:
        return self._unique((file, example.id, example) for file, example in self._folder("scenarios", Example))

    @cached_property
    def assumptions(self) -> Mapping[str, Assumption]:
        return self._read(self.root / "assumptions.yaml", AssumptionFile).assumptions

    @cached_property
    def currencies(self) -> Mapping[str, Currency]:
        return self._read(self.root / "fx.yaml", CurrencyFile).currencies


@cache
def catalog() -> Catalog:
    """The catalogue this program ships with."""
    return Catalog()
