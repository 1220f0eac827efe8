"""python -m costmodel: compare a scenario, check prices/."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from costmodel.answer import answer_dict
from costmodel.catalog import CatalogError, catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.link import decode, query_of
from costmodel.paths import PRICES


def _compare(link: str) -> int:
    """Print the answer to a link as JSON. 0, or 2 with {"error": …} where there is none."""
    try:
        prices = catalog()
        decoded = decode(prices, query_of(link))
        answer = answer_dict(compare(prices, decoded.scenario), decoded.problems, decoded.notes)
    except (NoAnswerError, CatalogError) as error:
        print(json.dumps({"error": str(error)}, ensure_ascii=False))
        return 2
    print(json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="costmodel", description="Self-host or API? The cost model.")
    commands = parser.add_subparsers(dest="command", required=True)
    comparing = commands.add_parser("compare", help="the answer to a link, as JSON")
    comparing.add_argument("link", help="a link, or its query string")
    checking = commands.add_parser("check", help="validate prices/, write editor schemas, list stale figures")
    checking.add_argument("--prices", type=Path, default=PRICES, help="the folder to check")
    checking.add_argument("--date", type=date.fromisoformat, default=None, help="the day ages are counted to (today)")
    given = parser.parse_args(arguments)
    if given.command == "compare":
        return _compare(given.link)
    from costmodel.check import run_check  # here, because compare need not pay for loading it

    return run_check(given.prices, on=given.date or date.today())


if __name__ == "__main__":
    sys.exit(main())
