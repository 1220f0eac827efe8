"""The command line: 1 where a case did what it must not."""

import argparse
import logging
import sys

from tests.fuzz.campaigns import run
from tests.fuzz.watch import Watch

PAGE_CPU_SECONDS = 20.0
"""A page draws every box of the sidebar here, which no reader opens at once."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description="Hostile links and files, many and seeded.")
    parser.add_argument("--links", type=int, default=1_000)
    parser.add_argument(
        "--files", type=int, default=200, help="usage, price and exported files: two, two and one in five"
    )
    parser.add_argument("--pages", type=int, default=0, help="hostile links drawn as a whole page")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # Streamlit complains that no browser is there
    fifth = given.files // 5
    failures = 0
    for name, count, watch in (
        ("links", given.links, Watch()),
        ("usage files", 2 * fifth, Watch()),
        ("price files", 2 * fifth, Watch()),
        ("exported files", given.files - 4 * fifth, Watch()),
        ("pages", given.pages, Watch(most_cpu_seconds=PAGE_CPU_SECONDS)),
    ):
        print(f"{name}:", flush=True)
        run(name, count, given.seed, watch)
        print(f"  {watch.text()}", flush=True)
        failures += len(watch.failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
