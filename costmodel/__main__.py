"""python -m costmodel: compare a scenario, check prices/."""

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
from costmodel.imports import NamedBinary, UsageError, read_usage
from costmodel.link import decode, query_of
from costmodel.paths import PRICES
from costmodel.scenario import Scenario
from costmodel.usage_scenario import LIMITS, apply_usage, usage_dict


def _compare(link: str, usage_files: Sequence[Path]) -> int:
    """Print the answer to a link as JSON, usage files applied. 0, or 2 with {"error": …} where there is none."""
    try:
        prices = catalog()
        decoded = decode(prices, query_of(link))
        scenario = decoded.scenario
        imported: dict[str, Any] = {}
        if usage_files:
            scenario, imported = _with_usage(scenario, usage_files)
        answer = answer_dict(compare(prices, scenario), decoded.problems, decoded.notes) | imported
    except (NoAnswerError, CatalogError, UsageError, OSError) as error:
        print(json.dumps({"error": str(error)}, ensure_ascii=False))
        return 2
    print(json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False))
    return 0


def _with_usage(scenario: Scenario, paths: Sequence[Path]) -> tuple[Scenario, dict[str, Any]]:
    """A scenario with what usage files say, and the import as part of the answer."""
    with ExitStack() as stack:
        files = [NamedBinary(path.name, stack.enter_context(path.open("rb"))) for path in paths]
        applied = apply_usage(scenario, read_usage(files, limits=LIMITS))
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
    checking = commands.add_parser("check", help="validate prices/, write editor schemas, list stale figures")
    checking.add_argument("--prices", type=Path, default=PRICES, help="the folder to check")
    checking.add_argument("--date", type=date.fromisoformat, default=None, help="the day ages are counted to (today)")
    given = parser.parse_args(arguments)
    if given.command == "compare":
        return _compare(given.link, given.usage)
    from costmodel.check import run_check  # here, because compare need not pay for loading it

    return run_check(given.prices, on=given.date or date.today())


if __name__ == "__main__":
    sys.exit(main())
