"""`python -m costmodel check`: is prices/ valid, what in it is old, what looks odd, and which results did an edit move.

Also writes what is generated from prices/: the editor schemas, and the headline results of the examples.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from costmodel.catalog import Catalog, CatalogError
from costmodel.compare import NoAnswerError, compare
from costmodel.doubts import (
    breaches_of_littles_law,
    falling_curves,
    outputs_below_inputs,
    prices_far_from_neighbours,
    repeated_measurements,
)
from costmodel.link import ValueProblem, decode, example_scenario, link, query_of
from costmodel.pricefiles.editor_schemas import FILES, FOLDER, FOLDERS, first_line, write_schemas
from costmodel.pricefiles.stale import needed_assumption, stale_figures
from costmodel.scenario import INPUTS

SECTIONS = ("gpus", "models", "rentals", "apis", "benchmarks", "engines", "examples", "assumptions", "currencies")
HEADLINES = "headlines.json"

Headlines = Mapping[str, Mapping[str, float | None]]


@dataclass
class Report:
    """What a check found. Errors forbid using prices/, the rest is for a reader to judge."""

    counts: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    """Headline results that differ from those of the last check."""
    written: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        return 1 if self.errors else 0

    def text(self) -> str:
        """The report as printed: errors first, nothing left out."""
        lines = [", ".join(f"{count} {name}" for name, count in self.counts.items())]
        for title, findings in (
            ("Errors", self.errors),
            ("Warnings", self.warnings),
            ("Stale, read again", self.stale),
            ("Headline results that moved", self.moved),
        ):
            lines += [f"\n{title}: {len(findings)}", *(f"  {finding}" for finding in findings)]
        lines += [f"\nWritten: {', '.join(self.written) or 'nothing'}"]
        return "\n".join(lines)


def _each_file(catalog: Catalog) -> Iterator[tuple[Path, type[Any], int]]:
    """Every file that prices/ should hold: path, record, depth below prices/."""
    for folder, record in FOLDERS.items():
        for path in sorted((catalog.root / folder).glob("*.yaml")):
            yield path, record, 1
    for name, record in FILES.items():
        yield catalog.root / name, record, 0


def _file_errors(catalog: Catalog) -> Iterator[str]:
    """Each file by itself, so that one bad file does not hide the next."""
    for path, record, depth in _each_file(catalog):
        try:
            catalog.read(path, record)
        except CatalogError as error:
            yield str(error)
            continue
        wanted = first_line(record, depth=depth)
        with path.open(encoding="utf-8") as file:
            if file.readline().rstrip("\n") != wanted:
                yield f"{path.relative_to(catalog.root.parent)}: line 1: editors need '{wanted}' there; put it back"
    known = {path for path, _, _ in _each_file(catalog)}
    for path in sorted(catalog.root.rglob("*.y*ml")):
        if path not in known:
            yield f"{path.relative_to(catalog.root.parent)}: is never read; move it into a folder of prices/, as .yaml"


def _section_errors(catalog: Catalog, report: Report) -> Iterator[str]:
    """Ids, references and histories across files."""
    for section in SECTIONS:
        try:
            report.counts[section] = len(getattr(catalog, section))
        except CatalogError as error:
            yield str(error)


def _example_errors(catalog: Catalog) -> Iterator[str]:
    """Each example has every input, gives an answer, and survives its own link."""
    for identifier, example in catalog.examples.items():
        file = f"{catalog.root.name}/scenarios/{identifier}.yaml"
        unknown = [key for key in example.inputs if key not in INPUTS]
        if unknown:
            yield f"{file}: inputs.{unknown[0]}: is not a key of the link; correct or remove it"
        try:
            scenario = example_scenario(catalog, identifier)
        except ValueProblem as error:
            yield f"{file}: inputs: {error}"
            continue
        problems = decode(catalog, query_of(link(scenario))).problems
        yield from (f"{file}: inputs.{problem.key}: {problem.message}" for problem in problems)
        try:
            if not problems:
                compare(catalog, scenario)
        except NoAnswerError as error:
            yield f"{file}: gives no answer: {error}"


def _future_readings(catalog: Catalog, today: date) -> Iterator[str]:
    for kind, offers in (("rentals", catalog.rentals.values()), ("apis", catalog.apis.values())):
        for offer in offers:
            days = [offer.entry.checked, *(entry.source.seen for entry in offer.entry.history)]
            if max(days) > today:
                yield f"{kind}: {offer.id}: read on {max(days)}, which has not come yet; correct seen or checked"


def headline_results(catalog: Catalog) -> Headlines:
    """Of each example: rent, cost at full load, and the price and break-even of each API. Rounded, so that they are
    the same on every machine."""
    results: dict[str, dict[str, float | None]] = {}
    for identifier in catalog.examples:
        answer = compare(catalog, example_scenario(catalog, identifier))
        figures: dict[str, float | None] = {
            "usd_per_hour": answer.self_host.usd_per_hour,
            "usd_per_mtok_at_full": answer.self_host.usd_per_mtok_at_full,
        }
        for api in answer.apis:
            figures[f"usd_per_mtok {api.id}"] = api.usd_per_mtok
            figures[f"break_even_utilization {api.id}"] = api.break_even.utilization
        results[identifier] = {name: _rounded(figure) for name, figure in figures.items()}
    return results


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else float(f"{figure:.6g}")


def _moved(before: Headlines, after: Headlines) -> Iterator[str]:
    for example in sorted({*before, *after}):
        old, new = before.get(example), after.get(example)
        if old is None or new is None:
            yield f"{example}: {'new' if old is None else 'gone'}"
            continue
        for name in dict.fromkeys((*old, *new)):
            if old.get(name) != new.get(name):
                yield f"{example}: {name}: {old.get(name)} -> {new.get(name)}"


def _write_generated(catalog: Catalog, report: Report) -> None:
    root = catalog.root
    path = root / FOLDER / HEADLINES
    try:
        report.written += [str(each.relative_to(root.parent)) for each in write_schemas(root)]
        after = headline_results(catalog)
        before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        report.moved += _moved(before, after)
        path.write_text(json.dumps(after, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        report.written.append(str(path.relative_to(root.parent)))
    except OSError as error:
        report.errors.append(f"{root.name}/{FOLDER}: cannot be written ({error.strerror}); run the check where it can")


def run(root: Path, *, on: date) -> Report:
    """Check a folder like prices/ as of a day, and write what is generated from it if it is free of errors."""
    report, catalog = Report(), Catalog(root)

    def gather(findings: list[str], find: Callable[[], Iterable[str]]) -> None:
        try:
            findings += find()
        except CatalogError as error:
            report.errors.append(str(error))

    gather(report.errors, lambda: _file_errors(catalog))
    if not report.errors:
        gather(report.errors, lambda: _section_errors(catalog, report))
    if report.errors:
        return report
    benchmarks = catalog.benchmarks.values()
    gather(report.errors, lambda: _example_errors(catalog))
    gather(report.errors, lambda: _future_readings(catalog, on))
    gather(
        report.errors,
        lambda: breaches_of_littles_law(
            benchmarks, tolerance_percent=needed_assumption(catalog, "littles_law_tolerance_percent", on=on)
        ),
    )
    gather(report.warnings, lambda: outputs_below_inputs(catalog.apis.values()))
    gather(
        report.warnings,
        lambda: prices_far_from_neighbours(
            catalog, factor=needed_assumption(catalog, "suspicious_price_factor", on=on)
        ),
    )
    gather(report.warnings, lambda: repeated_measurements(benchmarks))
    gather(report.warnings, lambda: falling_curves(benchmarks))
    gather(report.stale, lambda: stale_figures(catalog, on=on))
    if not report.errors:
        _write_generated(catalog, report)
    return report


def run_check(root: Path, *, on: date) -> int:
    """Print the report of a check. 1 where prices/ has errors, else 0."""
    report = run(root, on=on)
    print(report.text())
    return report.exit_code
