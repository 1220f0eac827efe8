"""Many readers at once: real Streamlit sessions on loopback, some of which move the utilization slider every second.

Run from the repository: `python3 -m uv run python -m tests.bench.load [--sessions 100] [--movers 20] [--seconds 600]
[--url http://127.0.0.1:8501]`; a soak is the same with `--seconds 1800`. Every session opens a scenario of its own
under a title of its own; every answer is compared with the sentence that the model gives for that scenario, and every
byte is searched for titles of others. Exits 1 where a goal is missed.
"""

import argparse
import asyncio
import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from urllib.parse import quote

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.link import example_scenario
from costmodel.ui.text import shown, verdict
from tests.bench.reader import Reader, Run
from tests.browser import serve_process

MOST_SESSIONS, MOST_SECONDS = 500, 7_200
P95_SECONDS = 1.0
SETTLING_SECONDS = 60
"""How long a server may fill its caches and pools before its memory has to stay level."""
GROWTH_SHARE = 0.05
"""Memory counts as level up to this growth after settling: Python's allocator never returns to one figure."""
SLIDER = "util"
STEPS = 12
"""Different utilizations that one session visits in turn."""
_TITLE = re.compile(rb"Reader\d{4}")
_OPENING_AT_ONCE = 4


@dataclass
class Tally:
    """What happened to all moves of all sessions."""

    moves: int = 0
    runs: int = 0
    seconds: list[float] = field(default_factory=list)
    """From each move to the end of the run that stated it, or a later one."""
    opening: list[float] = field(default_factory=list)
    merged: int = 0
    """Moves that were overtaken by the next before their run began."""
    lost: int = 0
    wrong: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dropped: int = 0
    reconnected: int = 0
    bytes: int = 0


class Visit:
    """One session with its own scenario, and the sentence it must be given at each of its utilizations."""

    def __init__(self, number: int, url: str, tally: Tally) -> None:
        examples = sorted(catalog().examples)
        self.title = f"Reader{number:04}"
        self.example = examples[number % len(examples)]
        self.tally = tally
        scenario = example_scenario(catalog(), self.example)
        first = 5 + 7 * number % 37
        self.steps = [float(first + 4.5 * step) for step in range(STEPS)]
        self.verdicts: dict[str, float] = {}
        for percent in self.steps:
            answer = compare(catalog(), scenario.model_copy(update={"utilization_percent": percent}))
            self.verdicts[shown(verdict(answer))] = percent
        query = f"scenario={self.example}&util={self.steps[0]:g}&title={quote(self.title)}"
        self.reader = Reader(url, query, mark=_TITLE, cookie=f"replica={self.title}")
        self.stated = self.steps[0]
        self.waiting: list[tuple[float, float]] = []
        """Value and time of each move not yet answered."""

    async def open(self, stack: AsyncExitStack) -> None:
        start = time.perf_counter()
        await stack.enter_async_context(self.reader)
        self.tally.opening.append(self.reader.first_run.ended - start)
        self._check(self.reader.first_run)
        self.reader.on_run = self._check

    async def move_about(self, *, start: float, seconds: float) -> None:
        """Moves once a second, whether or not the last move was answered: readers do not wait for a slow server."""
        turn = 0
        while (at := start + turn) < start + seconds:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            turn += 1
            value = self.steps[turn % STEPS]
            self.tally.moves += 1
            self.waiting.append((value, time.perf_counter()))
            await self.reader.move(SLIDER, value)

    def _check(self, run: Run) -> None:
        tally = self.tally
        tally.runs += 1
        tally.bytes += run.size
        tally.leaks += [f"{self.title} received {mark.decode()}" for mark in run.marks if mark != self.title.encode()]
        tally.errors += [f"{self.title}: {error}" for error in run.errors]
        said = [sentence for text in run.texts for sentence in _sentences(text)]
        stated = [self.verdicts[sentence] for sentence in said if sentence in self.verdicts]
        answered = next((at for at in range(len(self.waiting) - 1, -1, -1) if self.waiting[at][0] in stated), None)
        if answered is not None:
            tally.seconds += [run.ended - sent for _, sent in self.waiting[: answered + 1]]
            tally.merged += answered
            self.stated = self.waiting[answered][0]
            del self.waiting[: answered + 1]
        elif stated != [self.stated] and (stated or not self.waiting):
            # With a move waiting, an answer may be missing: unsent when that move's run began, it was given up for it.
            tally.wrong.append(f"{self.title} ({self.example}) at {self.stated:g} %: {stated or run.texts}")


def _sentences(text: str) -> list[str]:
    """The paragraphs of a text of the page; the verdict may be its heading, or stand below one."""
    return text.removeprefix("## ").split("\n\n")


@dataclass(frozen=True)
class Usage:
    """What a server has used: memory in MB (1,000,000 bytes) and processor seconds; `at` seconds after the opening."""

    mb: float
    cpu_seconds: float
    at: float = 0.0


def usage_of(processes: Sequence[int], *, at: float = 0.0) -> Usage:
    """What processes have used together, as `ps` tells it; those that have ended count nothing."""
    command = ["ps", "-o", "rss=,time=", "-p", ",".join(map(str, processes))]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    kib, cpu_seconds = 0, 0.0
    for resident, spent in map(str.split, told.splitlines()):
        kib += int(resident)
        days, _, clock = spent.rpartition("-")
        cpu_seconds += float(days or 0) * 86_400
        cpu_seconds += sum(float(part) * 60**power for power, part in enumerate(reversed(clock.split(":"))))
    return Usage(kib * 1024 / 1_000_000, cpu_seconds, at)


async def load(
    url: str, tally: Tally, *, processes: Sequence[int] = (), sessions: int, movers: int, seconds: float
) -> list[Usage]:
    """Fills the tally; what the server's processes had used every minute since all sessions were open."""
    used: list[Usage] = []
    visits = [Visit(number, url, tally) for number in range(sessions)]
    gate = asyncio.Semaphore(_OPENING_AT_ONCE)
    async with AsyncExitStack() as stack:

        async def enter(visit: Visit) -> None:
            async with gate:
                await visit.open(stack)

        await asyncio.gather(*map(enter, visits))
        start = time.perf_counter()

        async def watch() -> None:
            while processes and time.perf_counter() < start + seconds:
                used.append(await asyncio.to_thread(usage_of, processes, at=time.perf_counter() - start))
                latest = percentile(tally.seconds[-400:], 95)
                print(f"  {used[-1].at:5.0f} s  {used[-1].mb:6.1f} MB, {len(tally.seconds)} answers", end="")
                print("" if math.isnan(latest) else f", p95 of the latest 400 {1000 * latest:.0f} ms", flush=True)
                await asyncio.sleep(min(60, max(0.0, start + seconds - time.perf_counter())))

        # Spread over the second, as readers are.
        moving = (
            visit.move_about(start=start + turn / max(1, movers), seconds=seconds)
            for turn, visit in enumerate(visits[:movers])
        )
        await asyncio.gather(watch(), *moving)
        await _wait_until(lambda: not any(visit.waiting for visit in visits), seconds=30)
        if processes:
            used.append(usage_of(processes, at=time.perf_counter() - start))
        tally.reconnected = sum(visit.reader.reconnections for visit in visits)
        tally.dropped = sum(not visit.reader.is_open for visit in visits)
        tally.lost = sum(len(visit.waiting) for visit in visits)
    return used


async def _wait_until(is_so: Callable[[], bool], *, seconds: float) -> None:
    deadline = time.perf_counter() + seconds
    while not is_so() and time.perf_counter() < deadline:
        await asyncio.sleep(0.05)


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent of the values do not exceed; nan without values.

    >>> percentile([3, 1, 2, 4], 50)
    2
    """
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)] if values else math.nan


def growth_share(used: Sequence[Usage]) -> float | None:
    """How much more memory the server has at the end than when it had settled; None where that was not measured.

    >>> growth_share([Usage(100, 1, at=0), Usage(200, 9, at=60), Usage(206, 17, at=120)])
    0.03
    """
    settled = [each.mb for each in used if each.at >= SETTLING_SECONDS]
    return round(settled[-1] / settled[0] - 1, 4) if len(settled) > 1 else None


def report(tally: Tally, used: Sequence[Usage]) -> bool:
    """Prints what was measured beside each goal; whether all were met."""
    ms = {percent: 1000 * percentile(tally.seconds, percent) for percent in (50, 95, 99, 100)}
    opening = [1000 * percentile(tally.opening, percent) for percent in (50, 95)]
    print(f"opening a session: median {opening[0]:.0f}, p95 {opening[1]:.0f} ms ({_OPENING_AT_ONCE} at a time)")
    print(
        f"move → answer: median {ms[50]:.0f}, p95 {ms[95]:.0f}, p99 {ms[99]:.0f}, longest {ms[100]:.0f} ms over "
        f"{tally.moves} moves, {tally.merged} of them answered with the next one; "
        f"{tally.bytes / max(1, tally.runs) / 1000:.0f} kB a run"
    )
    if len(used) > 1:
        first, last = used[0], used[-1]
        cpu = last.cpu_seconds - first.cpu_seconds
        print(
            f"server: {first.mb:.0f} MB at the start, {last.mb:.0f} MB at the end; {cpu / (last.at - first.at):.0%} of "
            f"one core, {1000 * cpu / max(1, tally.moves):.0f} ms of it a move"
        )
    for found in (tally.wrong, tally.leaks, tally.errors):
        for line in found[:5]:
            print(f"  {line}")
    growth = growth_share(used)
    goals = {
        f"p95 under {P95_SECONDS:g} s": ms[95] < 1000 * P95_SECONDS,
        f"nothing lost: {tally.lost} lost, {tally.dropped} dropped, {tally.reconnected} reconnected, "
        f"{len(tally.errors)} errors": not (tally.lost or tally.dropped or tally.reconnected or tally.errors),
        f"each its own answer: {len(tally.wrong)} wrong, {len(tally.leaks)} of others": not (
            tally.wrong or tally.leaks
        ),
    }
    if growth is not None:
        goals[f"memory level: {growth:+.1%} after the first {SETTLING_SECONDS} s"] = growth <= GROWTH_SHARE
    for goal, is_met in goals.items():
        print(f"{'pass' if is_met else 'FAIL'}  {goal}")
    return all(goals.values())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load", description="Many readers at once.")
    parser.add_argument("--sessions", type=int, default=100, choices=range(1, MOST_SESSIONS + 1), metavar="N")
    parser.add_argument("--movers", type=int, default=20, help="sessions that move the slider each second", metavar="N")
    parser.add_argument("--seconds", type=float, default=600, metavar="S")
    parser.add_argument("--url", help="a server on this machine; without it one is started, and its memory measured")
    asked = parser.parse_args()
    if not 0 <= asked.movers <= asked.sessions:
        parser.error("--movers is a part of --sessions")
    if not 0 < asked.seconds <= MOST_SECONDS:
        parser.error(f"--seconds is at most {MOST_SECONDS}")
    with ExitStack() as stack:
        if asked.url:
            url, processes = asked.url, []
        else:
            url, server = stack.enter_context(serve_process())
            processes = [server.pid]
        print(f"{asked.sessions} sessions, {asked.movers} of them move the slider each second for {asked.seconds:g} s")
        print(f"{os.cpu_count()} cores, load average before the start {os.getloadavg()[0]:.1f}")
        tally = Tally()
        run = load(
            url.rstrip("/"),
            tally,
            processes=processes,
            sessions=asked.sessions,
            movers=asked.movers,
            seconds=asked.seconds,
        )
        is_met = report(tally, asyncio.run(run))
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
