"""What every case is held to: only the documented errors, no hang, no jump of memory."""

import faulthandler
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_GROWTH_MB = 300.0
HANG_SECONDS = 600
_KIB_PER_MIB = 1024


def peak_mb() -> float:
    """Most memory this process has held so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / _KIB_PER_MIB / (_KIB_PER_MIB if sys.platform == "darwin" else 1)


@dataclass
class Watch:
    """Runs cases one by one and keeps what went wrong with them."""

    most_cpu_seconds: float = 2.0
    quiet: bool = False
    cases: int = 0
    failures: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    start_mb: float = 0.0
    """Most memory held before the second case: the first one loads what is needed."""
    largest_step: tuple[float, str] = (0.0, "")

    def run(self, name: str, case: Callable[[], str]) -> None:
        """One case. It returns what became of it, and raises for nothing that a reader could send."""
        before, began = peak_mb(), time.process_time()
        if self.cases % 100 == 0:
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        try:
            self.outcomes[case()] += 1
        except Exception:  # whatever it is, it is the finding
            self._fail(f"{name}\n{traceback.format_exc(limit=-6)}")
        seconds, growth = time.process_time() - began, peak_mb() - before
        self.cases += 1
        self.slowest = max(self.slowest, (seconds, name))
        if self.cases == 1:
            self.start_mb = peak_mb()
        else:
            self.largest_step = max(self.largest_step, (growth, name))
        if seconds > self.most_cpu_seconds:
            self._fail(f"{name}\ntook {seconds:.1f} s")
        if not self.quiet and self.cases % 500 == 0:
            print(f"  {self.cases} cases, {len(self.failures)} failures, peak {peak_mb():.0f} MiB", flush=True)

    def _fail(self, finding: str) -> None:
        self.failures.append(finding)
        if not self.quiet:
            print(f"FAILED {finding}", flush=True)

    def finish(self) -> None:
        """After the last case: memory over the whole run."""
        faulthandler.cancel_dump_traceback_later()
        growth, (step, name) = peak_mb() - self.start_mb, self.largest_step
        if growth > MOST_GROWTH_MB:
            self._fail(f"memory rose by {growth:.0f} MiB; the largest step, {step:.0f} MiB, was at {name}")

    def text(self) -> str:
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        return (
            f"{self.cases} cases: {outcomes}; slowest {self.slowest[0] * 1000:.0f} ms ({self.slowest[1][:200]}); "
            f"memory +{peak_mb() - self.start_mb:.0f} MiB; {len(self.failures)} failures"
        )
