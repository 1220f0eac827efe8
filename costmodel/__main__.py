"""python -m costmodel: compare a scenario, check prices/, refresh API prices."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

from costmodel.answer import answer_dict
from costmodel.catalog import CatalogError, catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.link import decode, query_of
from costmodel.paths import PRICES
from costmodel.scenario import Scenario


def _print_json(data: dict[str, Any], *, indent: int | None = None) -> None:
    """Print data as JSON: readable, and escaped where the console cannot show a character of it."""
    try:
        print(json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False))
    except UnicodeEncodeError:
        print(json.dumps(data, indent=indent, allow_nan=False))


def _compare(link: str, usage_files: Sequence[Path], *, with_risk: bool) -> int:
    """Print the answer to a link as JSON, usage files applied. 0, or 2 with {"error": …} where there is none."""
    try:
        prices = catalog()
        decoded = decode(prices, query_of(link))
        scenario = decoded.scenario
        imported: dict[str, Any] = {}
        if usage_files:
            scenario, imported = _with_usage(scenario, usage_files)
        comparison = compare(prices, scenario)
        parts: dict[str, Any] = {}
        if with_risk:
            from costmodel.risk.risk_answer import risk_dict  # here, because it loads numpy

            parts = risk_dict(prices, comparison)
        answer = answer_dict(comparison, decoded.problems, decoded.notes, parts=parts) | imported
    except (NoAnswerError, CatalogError, OSError) as error:
        _print_json({"error": str(error)})
        return 2
    _print_json(answer, indent=2)
    return 0


def _with_usage(scenario: Scenario, paths: Sequence[Path]) -> tuple[Scenario, dict[str, Any]]:
    """A scenario with what usage files say, and the import as part of the answer. Raises NoAnswerError."""
    # Loaded here, because most answers need no file.
    from costmodel.imports import NamedBinary, UsageError, read_usage
    from costmodel.usage_scenario import LIMITS, apply_usage, usage_dict

    try:
        with ExitStack() as stack:
            files = [NamedBinary(path.name, stack.enter_context(path.open("rb"))) for path in paths]
            applied = apply_usage(scenario, read_usage(files, limits=LIMITS))
    except UsageError as error:
        raise NoAnswerError(str(error)) from error
    return applied.scenario, {"usage": usage_dict(applied)}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="costmodel", description="Self-host or API? The cost model.")
    commands = parser.add_subparsers(dest="command", required=True)
    comparing = commands.add_parser("compare", help="the answer to a link, as JSON")
    comparing.add_argument("link", nargs="?", default="", help="a link, or its query string; none: the default example")
    comparing.add_argument(
        "--usage",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="take token mix, cached share, demand and hours from a usage file; repeat for several files",
    )
    comparing.add_argument(
        "--risk", action="store_true", help="add the key risk: what turns the verdict, and how likely it is"
    )
    checking = commands.add_parser("check", help="validate prices/, write editor schemas, list stale figures")
    checking.add_argument("--stale", action="store_true", help="only list what should be read again; never fails")
    refreshing = commands.add_parser("refresh", help="append API prices that a newer genai-prices release lists")
    refreshing.add_argument("--write", action="store_true", help="write the entries; without it they are only shown")
    for each in (checking, refreshing):
        each.add_argument("--prices", type=Path, default=PRICES, help="the folder with the price files")
        each.add_argument("--date", type=date.fromisoformat, default=None, help="the day it is taken to be (today)")
    given = parser.parse_args(arguments)
    if given.command == "compare":
        return _compare(given.link, given.usage, with_risk=given.risk)
    on: date = given.date or date.today()
    # Loaded here, because compare need not pay for it.
    if given.command == "refresh":
        from costmodel.pricefiles.refresh import run_refresh

        return run_refresh(given.prices, on=on, write=given.write)
    if given.stale:
        from costmodel.pricefiles.stale import run_stale

        return run_stale(given.prices, on=on)
    from costmodel.pricefiles.check import run_check

    return run_check(given.prices, on=on)


if __name__ == "__main__":
    sys.exit(main())
