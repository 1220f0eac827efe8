"""Time of the risk views' work, without page and browser: tornado, turns, map, Monte Carlo for one fleet and for six.

Run from the repository: `python3 -m uv run python -m tests.bench.bench_risk [repetitions]`. Each line is the median.
"""

import statistics
import sys
import time
from collections.abc import Callable

from costmodel.risk.breakeven_map import break_even_map, default_keys
from costmodel.risk.montecarlo import DRAWS, draw, monte_carlo
from costmodel.risk.priors import priors_of
from costmodel.risk.riskmodel import risk_model
from costmodel.risk.tornado import tornado
from costmodel.risk.turning import turns
from tests.risk_scenarios import CATALOG, CLUSTER, HOURLY, comparison

SCENARIOS = {"flat": CLUSTER, "168 h": f"{HOURLY}&demand=500000&ratio=4&cached=50&own_cached=40"}
TARGETS_MS = {"Monte Carlo, one fleet": 800, "Monte Carlo, six fleets": 500, "map of 200 × 200": 50, "turns": 300}


def median_ms(work: Callable[[], object], repetitions: int) -> float:
    work()
    taken = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def main(repetitions: int = 9) -> None:
    for name, query in SCENARIOS.items():
        compared = comparison(query)
        model, priors = risk_model(CATALOG, compared), priors_of(CATALOG, compared)
        values = draw(priors, seed=1, cached_base=model.scenario.cached_percent)
        across, up = default_keys(model)
        works: dict[str, Callable[[], object]] = {
            "tornado": lambda compared=compared: tornado(CATALOG, compared),
            "turns": lambda compared=compared: turns(CATALOG, compared),
            "map of 200 × 200": lambda model=model, priors=priors, across=across, up=up: break_even_map(
                model, priors, across=across, up=up
            ),
            "Monte Carlo, one fleet": lambda model=model, values=values: model.month(values),
            "Monte Carlo, six fleets": lambda compared=compared: monte_carlo(CATALOG, compared),
        }
        print(f"{name}: {len(priors)} uncertain inputs, {DRAWS:,} draws, {model.scenario.term_months} months")
        for what, work in works.items():
            target = f" (at most {TARGETS_MS[what]})" if what in TARGETS_MS else ""
            print(f"  {what:24} {median_ms(work, repetitions):7.1f} ms{target}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
