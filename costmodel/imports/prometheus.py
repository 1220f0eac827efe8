"""vLLM's Prometheus text: counters since each engine started, or their increase between two snapshots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

from costmodel.imports.sheet import Sheet, Upload
from costmodel.imports.skipped import whole
from costmodel.imports.usage import ModelTokens, Skipped, Usage, UsageError
from costmodel.language import number_text, say, say_count
from costmodel.units import MILLISECONDS_PER_SECOND

NAME = "vLLM metrics (Prometheus text)"
PROMPT = "vllm:prompt_tokens_total"
CACHED = "vllm:prompt_tokens_cached_total"
GENERATED = "vllm:generation_tokens_total"
QUERIES = "vllm:prefix_cache_queries_total"
HITS = "vllm:prefix_cache_hits_total"
FINISHED = "vllm:request_success_total"
COUNTERS = (PROMPT, CACHED, GENERATED, QUERIES, HITS, FINISHED)
SAMPLE = re.compile(r"([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+(-?\d{1,15}))?\s*(?:#.*)?", re.ASCII)
LABEL = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?', re.ASCII)
NUMBER = re.compile(r"\d{1,16}(?:\.\d*)?(?:[eE]\+?\d{1,2})?", re.ASCII)
LATER = re.compile(r"(\d{1,9})s_later")
MOST_SERIES = 100_000
LARGEST_COUNTER = 10**18
LONGEST_NAME = 120
LONGEST_SAMPLE = 4_096  # characters

Engine = tuple[tuple[str, str], ...]  # the labels that tell one engine from another
Counters = dict[str, int]


@dataclass
class Snapshot:
    """The counters of one scrape by engine, and its time where the text gives one (Unix seconds)."""

    file: str
    engines: dict[Engine, Counters] = field(default_factory=dict)
    second: float | None = None


def read_snapshot(sheet: Sheet, upload: Upload) -> Snapshot:
    """The token counters of one file. Raises UsageError for damaged numbers and where there are none."""
    snapshot = Snapshot(sheet.file)
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(chain([sheet.first_line], sheet.lines), start=1):
        upload.count_row(sheet.file)
        if not line.startswith(COUNTERS):
            continue
        sample = SAMPLE.fullmatch(line.strip())
        if sample is None or len(line) > LONGEST_SAMPLE:
            raise UsageError(say("this line is damaged. Save the metrics page again."), file=sheet.file, row=number)
        if sample[1] not in COUNTERS:
            continue
        if (sample[1], sample[2] or "") in seen:
            raise UsageError(
                say("{counter} is there twice with the same labels. Give one scrape per file.", counter=sample[1]),
                file=sheet.file,
                row=number,
            )
        seen.add((sample[1], sample[2] or ""))
        _enter(snapshot, sample, number)
    if not any(PROMPT in counters and GENERATED in counters for counters in snapshot.engines.values()):
        raise UsageError(
            say(
                "no usage in this file: it has no counters {prompt} and {generated} of one engine. Save the text of "
                "the engine's /metrics page.",
                prompt=PROMPT,
                generated=GENERATED,
            ),
            file=sheet.file,
        )
    return snapshot


def _enter(snapshot: Snapshot, sample: re.Match[str], number: int) -> None:
    if not NUMBER.fullmatch(sample[3]) or float(sample[3]) > LARGEST_COUNTER:
        raise UsageError(
            say("“{text}” is not a count ({counter}).", text=sample[3][:40], counter=sample[1]),
            file=snapshot.file,
            row=number,
        )
    labels = {name: text for name, text in LABEL.findall(sample[2] or "") if name != "finished_reason"}
    engine = tuple(sorted(labels.items()))
    counters = snapshot.engines.setdefault(engine, {})
    if len(snapshot.engines) > MOST_SERIES:
        raise UsageError(
            say("there are more than {most} engines in this file.", most=whole(MOST_SERIES)), file=snapshot.file
        )
    counters[sample[1]] = counters.get(sample[1], 0) + round(float(sample[3]))
    if sample[4]:
        snapshot.second = int(sample[4]) / MILLISECONDS_PER_SECOND


def usage_of_snapshots(snapshots: Sequence[Snapshot], seconds_between: float | None) -> Usage:
    """Tokens since start (one snapshot) or between two. A counter that fell was reset: its new value counts."""
    if len(snapshots) > 2:
        raise UsageError(say("give one or two snapshots: the first and the last."), file=snapshots[2].file)
    notes: list[str] = []
    if len(snapshots) == 1:
        engines = snapshots[0].engines
        seconds, start, end = None, None, _instant(snapshots[0].second)
        notes.append(say("One snapshot: everything since each engine started. A second, later snapshot gives a rate."))
        no_rate = say("one snapshot has no duration; upload a second one, taken later")
    else:
        first, second = _in_order(*snapshots)
        engines = _increase(first, second, notes)
        seconds, note = _seconds_between(first, second, seconds_between)
        start, end = _instant(first.second), _instant(second.second)
        no_rate = say(
            "the snapshots carry no time; give the seconds between them, or name the later file x_3600s_later"
        )
        if seconds is not None:
            notes.append(note)
    totals = {name: sum(counters.get(name, 0) for counters in engines.values()) for name in COUNTERS}
    if not totals[PROMPT] and not totals[GENERATED]:
        raise UsageError(say("no usage in these files: no tokens were counted."), file=snapshots[-1].file)
    cached = _cached(engines, totals, notes)
    present = {name for counters in engines.values() for name in counters}
    return Usage(
        format_id="vllm-prometheus",
        format_name=say(NAME),
        files=tuple(snapshot.file for snapshot in snapshots),
        input_tokens=totals[PROMPT],
        cached_input_tokens=cached,
        cache_write_tokens=None,
        output_tokens=totals[GENERATED],
        requests=totals[FINISHED] if FINISHED in present else None,
        reasoning_tokens=None,
        batch_output_tokens=None,
        start=start,
        end=end,
        bucket="snapshot",
        hourly=None,
        hourly_reason=say("counters do not say in which hours the tokens were made"),
        hours_covered=0,
        mean_output_tok_s=None if seconds is None else totals[GENERATED] / seconds,
        mean_output_reason=no_rate if seconds is None else None,
        by_model=_by_model(engines),
        rows_used=sum(len(counters) for counters in engines.values()),
        skipped=_unused(engines, snapshots[-1].file),
        notes=(
            *notes,
            say("Reasoning tokens are inside the generated tokens; vLLM does not count them separately."),
        ),
        cross_check_usd=None,
    )


def _increase(first: Snapshot, second: Snapshot, notes: list[str]) -> dict[Engine, Counters]:
    increases: dict[Engine, Counters] = {}
    reset = 0
    for engine, now in second.engines.items():
        before = first.engines.get(engine, {})
        if any(now[name] < before.get(name, 0) for name in now):
            reset += 1
            before = {}
        increases[engine] = {name: value - before.get(name, 0) for name, value in now.items()}
    if reset:
        notes.append(
            say_count(
                "{reset} of {engines} engine restarted between the snapshots (a counter fell): what it counted since "
                "then is taken, a lower bound.",
                "{reset} of {engines} engines restarted between the snapshots (a counter fell): what it counted since "
                "then is taken, a lower bound.",
                len(second.engines),
                reset=reset,
                engines=whole(len(second.engines)),
            )
        )
    gone = len(first.engines.keys() - second.engines.keys())
    if gone:
        notes.append(
            say_count(
                "{engines} engine of {first} missing in {second}: its last tokens are unknown.",
                "{engines} engines of {first} missing in {second}: its last tokens are unknown.",
                gone,
                engines=whole(gone),
                first=first.file,
                second=second.file,
            )
        )
    new = len(second.engines.keys() - first.engines.keys())
    if new:
        notes.append(
            say_count(
                "{engines} new engine in {file}: everything it counted is taken.",
                "{engines} new engines in {file}: everything it counted is taken.",
                new,
                engines=whole(new),
                file=second.file,
            )
        )
    return increases


def _in_order(first: Snapshot, second: Snapshot) -> tuple[Snapshot, Snapshot]:
    if first.second is not None and second.second is not None:
        swapped = second.second < first.second
    else:
        swapped = LATER.search(first.file) is not None and LATER.search(second.file) is None
    return (second, first) if swapped else (first, second)


def _seconds_between(first: Snapshot, second: Snapshot, given: float | None) -> tuple[float | None, str]:
    """The seconds, and a note on where they are from."""
    if given is not None:
        if not given > 0:
            raise UsageError(say("the seconds between the snapshots must be more than 0."), file=second.file)
        return given, say("{seconds} seconds between the snapshots, as given.", seconds=_rounded(given))
    if first.second is not None and second.second is not None and second.second > first.second:
        apart = second.second - first.second
        return apart, say(
            "{seconds} seconds between the snapshots, from the times in the text.", seconds=_rounded(apart)
        )
    named = LATER.search(second.file)
    if named is None or not int(named[1]):
        return None, ""
    apart = float(named[1])
    return apart, say("{seconds} seconds between the snapshots, from the file name.", seconds=_rounded(apart))


def _rounded(seconds: float) -> str:
    return number_text(f"{seconds:,.0f}")


def _cached(engines: Mapping[Engine, Counters], totals: Counters, notes: list[str]) -> int | None:
    prompting = [counters for counters in engines.values() if counters.get(PROMPT)]
    if prompting and all(CACHED in counters for counters in prompting) and totals[CACHED] <= totals[PROMPT]:
        notes.append(
            say("Cached tokens ({cached}) are part of {prompt}: they were not added.", cached=CACHED, prompt=PROMPT)
        )
        return totals[CACHED]
    if totals[QUERIES] and totals[HITS] <= totals[QUERIES]:
        notes.append(
            say(
                "{cached} is missing: the cached share is estimated from prefix cache hits over queries, which count a "
                "queued prompt again at each try.",
                cached=CACHED,
            )
        )
        return round(totals[PROMPT] * totals[HITS] / totals[QUERIES])
    notes.append(say("The text has no usable counter of cached tokens: the cached share is unknown, not zero."))
    return None


def _by_model(engines: Mapping[Engine, Counters]) -> dict[str, ModelTokens]:
    models: dict[str, ModelTokens] = {}
    for engine, counters in engines.items():
        name = dict(engine).get("model_name", "")[:LONGEST_NAME] or say("(no model named)")
        before = models.get(name, ModelTokens(0, 0, True))
        models[name] = ModelTokens(
            before.input_tokens + counters.get(PROMPT, 0), before.output_tokens + counters.get(GENERATED, 0), True
        )
    return models


def _unused(engines: Mapping[Engine, Counters], file: str) -> tuple[Skipped, ...]:
    idle = sum(1 for counters in engines.values() if not counters.get(PROMPT) and not counters.get(GENERATED))
    return (Skipped(say("an engine without tokens"), idle, (), file),) if idle else ()


def _instant(second: float | None) -> datetime | None:
    if second is None:
        return None
    try:
        return datetime.fromtimestamp(second, UTC)
    except (OverflowError, ValueError, OSError):
        return None
