"""How long the model takes, without server or browser, beside what each part may take.

Run from the repository: `python3 -m uv run python -m tests.bench.bench_model [repetitions]`. Times of functions are
medians; whole processes are timed in turn with a Python that does nothing, which tells how fast the machine is now.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare, cost_curve
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import demand_answer
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.load.traffic_answer import traffic_answer
from costmodel.scenario import Scenario
from tests.browser import REPOSITORY

APIS = 12
CURVE_POINTS = 200
HYBRID_MS = DEMAND_MS = TRAFFIC_MS = 5.0
COMPARE_MS = 5.0
LOAD_MS = 400.0
PROCESS_MS = 600.0
LINK = "?scenario=deepinfer-128"
# Office hours over a real year: the dearest of the traffic that can be chosen.
BUSY = f"{LINK}&traffic=business&tz=Europe/Berlin&calendar=year"

_PYDANTIC = "import pydantic, yaml; pydantic.create_model('Smallest', text=(str, ...))"
_LOAD = """
import time
start = time.perf_counter()
import costmodel
from costmodel.catalog import catalog
prices = catalog()
prices.gpus, prices.models, prices.rentals, prices.apis, prices.examples, prices.assumptions, prices.currencies
{benchmarks}
print((time.perf_counter() - start) * 1000)
"""
# An answer reads the benchmarks of its own model only.
_OF_AN_ANSWER = _LOAD.format(benchmarks='prices.benchmarks_of("deepseek-v4.1-flash")')
_EVERYTHING = _LOAD.format(benchmarks="prices.benchmarks, prices.engines")


def scenario_of(link: str, *, apis: int) -> Scenario:
    """The scenario of a link, with so many different APIs to compare with."""
    prices = catalog()
    scenario = decode(prices, query_of(link)).scenario
    priced = (identifier for identifier in prices.apis if _is_priced(scenario, identifier))
    return scenario.model_copy(update={"apis": tuple(islice(priced, apis))})


def _is_priced(scenario: Scenario, api: str) -> bool:
    answer = compare(catalog(), scenario.model_copy(update={"apis": (api,)}))
    return answer.apis[0].usd_per_mtok is not None


def compare_with_curve(scenario: Scenario) -> Comparison:
    comparison = compare(catalog(), scenario)
    cost_curve(comparison, points=CURVE_POINTS, from_utilization=0.01)
    return comparison


def median_ms(task: Callable[[], object], repetitions: int) -> float:
    taken = []
    for _ in range(repetitions):
        start = time.perf_counter()
        task()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def process_ms(*arguments: str) -> tuple[float, str]:
    """How long a Python with these arguments takes from start to end, and what it printed."""
    # As installed: compiled once, not anew in each process.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=True)
    return (time.perf_counter() - start) * 1000, done.stdout


def main(repetitions: int = 9) -> None:
    scenario = scenario_of(BUSY, apis=APIS)
    comparison = compare_with_curve(scenario)
    # Utilizations that no earlier run has seen: what is remembered between runs must not count.
    fresh = iter(range(10_000))

    def at_next_utilization() -> Scenario:
        return scenario.model_copy(update={"utilization_percent": 20 + next(fresh) % 700 / 10})

    turns = 20 * repetitions
    found = {
        f"compare, {len(comparison.apis)} APIs, {CURVE_POINTS} points": (
            median_ms(lambda: compare_with_curve(at_next_utilization()), turns),
            COMPARE_MS,
        ),
        "traffic, a year of hours": (median_ms(lambda: traffic_answer(comparison), turns), TRAFFIC_MS),
        "demand": (median_ms(lambda: demand_answer(comparison), turns), DEMAND_MS),
        "hybrid, 168 hours": (median_ms(lambda: hybrid_answer(comparison), turns), HYBRID_MS),
    }
    process_ms("-m", "costmodel", "compare", LINK)
    processes: dict[str, list[float]] = {"nothing": [], "pydantic": [], "load": [], "everything": [], "compare": []}
    for _ in range(repetitions):
        processes["nothing"].append(process_ms("-c", "pass")[0])
        processes["pydantic"].append(process_ms("-c", _PYDANTIC)[0])
        processes["load"].append(float(process_ms("-c", _OF_AN_ANSWER)[1]))
        processes["everything"].append(float(process_ms("-c", _EVERYTHING)[1]))
        processes["compare"].append(process_ms("-m", "costmodel", "compare", LINK)[0])
    middle = {name: statistics.median(taken) for name, taken in processes.items()}
    found["import costmodel, catalogue of an answer"] = (middle["load"], LOAD_MS)
    found["costmodel compare, whole process"] = (middle["compare"], PROCESS_MS)
    for name, (taken, limit) in found.items():
        print(f"{'pass' if taken <= limit else 'FAIL'}  {name:42} {taken:7.2f} ms (at most {limit:g})")
    nothing = middle["nothing"]
    spread = f"{min(processes['compare']):.0f} to {max(processes['compare']):.0f} ms"
    libraries = middle["pydantic"]
    print(f"a Python that does nothing takes {nothing:.0f} ms, one that defines a pydantic model {libraries:.0f} ms")
    print(f"`compare` took {spread} in {repetitions} runs")
    best, every = min(processes["load"]), middle["everything"]
    print(
        f"import and the catalogue of an answer took {best:.0f} ms at best; with every file of prices/ {every:.0f} ms"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
