"""`python -m costmodel refresh`: appends to prices/apis/ what a newer release of genai-prices says.

Shows the change as a diff, and writes it only on request. Entries are added, never changed. What the package cannot
know (price windows, weekdays, holidays, residency) is reported and left to a reader, and so is every price that the
check of prices/ would doubt.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from costmodel.catalog import Catalog, CatalogError
from costmodel.dated import NotInForceError
from costmodel.pricefiles.appending import Addition, CannotAppendError, with_additions
from costmodel.pricefiles.check import run
from costmodel.pricefiles.differences import Difference, beyond_the_package, differences
from costmodel.pricefiles.pricelist import ListedModel, NoPriceListError, PriceList, installed_price_list
from costmodel.pricefiles.stale import needed_assumption
from costmodel.records import ApiOffer


@dataclass
class Refresh:
    """What a release says about prices/apis/."""

    release: str
    agree: int = 0
    """Offers whose prices are those of the release."""
    additions: dict[str, list[Addition]] = field(default_factory=dict)
    """Entries to append, by offer."""
    by_hand: list[str] = field(default_factory=list)
    """Differences that the release alone cannot settle."""
    refused: list[str] = field(default_factory=list)
    """Prices of the release that are too far off to be believed."""
    unknown: list[str] = field(default_factory=list)
    """Offers the release does not list."""
    moved: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    diff: str = ""
    written: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        return 1 if self.refused or self.errors else 0

    def text(self) -> str:
        """The result as printed: the diff first, nothing left out."""
        lines = [self.diff] if self.diff else []
        lines.append(f"{self.release}: {self.agree} offers agree, {len(self.additions)} get new entries")
        for title, findings in (
            ("Errors, nothing can be written", self.errors),
            ("Refused, read the vendor's page", self.refused),
            ("Differ, append by hand", self.by_hand),
            (f"Not in {self.release}", self.unknown),
            ("Headline results that move", self.moved),
        ):
            lines += [f"\n{title}: {len(findings)}", *(f"  {finding}" for finding in findings)]
        remedy = "nothing; add --write to write it" if self.additions and not self.errors else "nothing"
        return "\n".join([*lines, f"\nWritten: {', '.join(self.written) or remedy}"])


def _addition(offer: ApiOffer, difference: Difference, model: ListedModel, *, release: str, on: date) -> Addition:
    """A difference as an entry of the vendor's file."""
    figures = {
        key: {kind: f"{price:.12g}" for kind, price in value.items()} if isinstance(value, Mapping) else value
        for key, value in difference.after.items()
    }
    return Addition(
        record=offer.entry.id,
        part=difference.part,
        entry={
            "since": difference.since,
            "basis": "published",
            **figures,
            "source": {
                "url": difference.url or model.url,
                "document": release,
                "seen": on,
                "via": f"its entry {model.name}",
            },
            "note": "Valid from the day the package gives."
            if difference.is_told
            else "Valid from the day the package was read; it gives no first day.",
        },
    )


def _consider(offer: ApiOffer, model: ListedModel, result: Refresh, *, on: date, factor: float) -> None:
    """One offer against the release: all of its differences are appended, or none."""
    found = differences(offer, model, on=on)
    if not found:
        result.agree += 1
        return
    beyond = beyond_the_package(offer, model, on=on)
    obstacles = [(each, beyond or each.obstacle) for each in found]
    doubts = [(each, each.doubt(factor=factor)) for each in found]
    result.by_hand += [f"{offer.id}: {each.text}; {why}" for each, why in obstacles if why]
    result.refused += [f"{offer.id}: {each.text}; {why}" for each, why in doubts if why]
    if not any(why for _, why in (*obstacles, *doubts)):
        result.additions[offer.id] = [_addition(offer, each, model, release=result.release, on=on) for each in found]


def _texts(root: Path, additions: Mapping[str, Sequence[Addition]]) -> dict[Path, str]:
    """The new text of each file that gets entries, by its path below root. Raises CannotAppendError."""
    by_file: dict[Path, list[Addition]] = {}
    for offer, each in additions.items():
        by_file.setdefault(Path("apis") / f"{offer.partition(':')[0]}.yaml", []).extend(each)
    return {path: with_additions(_read(root / path), each) for path, each in by_file.items()}


def _read(path: Path) -> str:
    """A file's text with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


def _write(root: Path, texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        (root / path).write_bytes(text.encode("utf-8"))


def _settle(root: Path, result: Refresh, *, on: date) -> dict[Path, str]:
    """The new texts, without the offers that the check would doubt. `errors` says why nothing can be written at all."""
    if not result.additions:
        return {}
    with TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy)
        report = run(copy, on=on)
        known = report.warnings
        while result.additions and not report.errors:
            texts = _texts(root, result.additions)
            _write(copy, texts)
            report = run(copy, on=on)
            doubts = [warning for warning in report.warnings if warning not in known]
            doubted = [offer for offer in result.additions if any(each.startswith(f"{offer}: ") for each in doubts)]
            if not doubted:
                result.errors, result.moved = report.errors, report.moved
                return texts
            result.refused += doubts
            for offer in doubted:
                del result.additions[offer]
            _write(copy, {path: _read(root / path) for path in texts})
            run(copy, on=on)
        result.errors = report.errors
        return {}


def refresh(root: Path, prices: PriceList, *, on: date, write: bool) -> Refresh:
    """Compare a folder like prices/ with a release as of a day, and append what can be believed if asked to.

    Raises CatalogError, NotInForceError or CannotAppendError where the folder cannot be used.
    """
    catalog, result = Catalog(root), Refresh(prices.name)
    factor = needed_assumption(catalog, "suspicious_price_factor", on=on)
    for offer in catalog.apis.values():
        model = prices.find(offer)
        if model is None:
            result.unknown.append(offer.id)
        else:
            _consider(offer, model, result, on=on, factor=factor)
    texts = _settle(root, result, on=on)
    for path, text in texts.items():
        name, before = f"{root.name}/{path.as_posix()}", _read(root / path)
        result.diff += "".join(unified_diff(before.splitlines(True), text.splitlines(True), f"a/{name}", f"b/{name}"))
    if write and texts and not result.errors:
        _write(root, texts)
        result.written = [*(f"{root.name}/{path.as_posix()}" for path in texts), *run(root, on=on).written]
    return result


def run_refresh(
    root: Path, *, on: date, write: bool, price_list: Callable[[], PriceList] = installed_price_list
) -> int:
    """Print what a release says. 0; 1 where a price was refused or nothing could be written; 2 without the package."""
    try:
        result = refresh(root.resolve(), price_list(), on=on, write=write)
    except NoPriceListError as error:
        print(f"error: {error}")
        return 2
    except (CatalogError, NotInForceError, CannotAppendError, OSError) as error:
        print(f"error: {error}")
        return 1
    print(result.text())
    return result.exit_code
