"""A usage file's yield as inputs of a scenario: token mix, cached share, demand, and the week where it is hourly."""

from dataclasses import dataclass
from typing import Any

from costmodel.imports import ImportLimits, Usage
from costmodel.link import plain_number
from costmodel.profile import profile_text
from costmodel.scenario import INPUTS, Scenario
from costmodel.units import HOURS_PER_WEEK, PERCENT, SECONDS_PER_HOUR
from costmodel.words import count_text, percent_text

LIMITS = ImportLimits(max_bytes=256_000_000, max_rows=3_000_000)
"""One upload, all files together: more than a year of hourly rows of many keys."""
_DIGITS = 6
_MODELS_NAMED = 6


@dataclass(frozen=True)
class UsageApplied:
    """The scenario with what the file says, and two lists in plain words: what it set, and what stays as it was."""

    scenario: Scenario
    usage: Usage
    set_by_file: tuple[str, ...]
    left_alone: tuple[str, ...]


def apply_usage(scenario: Scenario, usage: Usage) -> UsageApplied:
    """Take from a usage file what it knows; what it does not know keeps the scenario's value, and is said."""
    changes: dict[str, Any] = {}
    set_by_file: list[str] = []
    left_alone: list[str] = []

    def take(key: str, value: float | None, why_not: str) -> None:
        asked = INPUTS[key]
        if value is None:
            left_alone.append(f"{asked.label} stays as it was: {why_not}")
            return
        rounded = round(value) if asked.kind == "whole" else round(value, _DIGITS)
        if (asked.low is not None and rounded < asked.low) or (asked.high is not None and rounded > asked.high):
            left_alone.append(f"{asked.label} stays as it was: {count_text(value)} is outside what can be compared")
            return
        changes[asked.name] = rounded
        set_by_file.append(f"{asked.label}: {plain_number(rounded)} {asked.unit}".rstrip())

    take("ratio", usage.input_per_output, "the file has no output tokens")
    take("cached", _percent(usage.cached_share), "cached input is not in this file, which is not the same as none")
    take("cache_write", _percent(usage.cache_write_share), "cache writes are not in this file")
    take("batch", _percent(usage.batch_share), "batch work is not in this file")
    mean_request = usage.input_tokens / usage.requests if usage.requests else None
    take("request", mean_request, "the number of requests is not in this file")
    demand_at, demand = "mean", usage.mean_output_tok_s
    if usage.hourly is not None and any(usage.hourly):
        changes |= {"traffic": "imported", "timezone": "UTC", "profile": profile_text(usage.hourly)}
        changes["peak_percent"] = "auto"
        if usage.hours_covered < HOURS_PER_WEEK:
            # The mean of the file's own hours would be taken for the mean of a week in which all others are empty.
            demand_at, demand = "busiest", max(usage.hourly) / SECONDS_PER_HOUR
        set_by_file.append(f"Traffic: the week of the file, hour by hour ({usage.hours_covered} of its 168 hours)")
    else:
        left_alone.append(f"Traffic and peak share stay as they were: {usage.hourly_reason or 'the file has no times'}")
    take("demand", demand, usage.mean_output_reason or "the file has no times")
    if "demand_output_tok_s" in changes:
        changes["demand_at"] = demand_at
        set_by_file[-1] += " in the busiest hour" if demand_at == "busiest" else ", mean"
    return UsageApplied(scenario.model_copy(update=changes), usage, tuple(set_by_file), tuple(left_alone))


def _percent(value: float | None) -> float | None:
    return None if value is None else value * PERCENT


def usage_sentences(applied: UsageApplied) -> list[str]:
    """What a reader should know about an import, most important first."""
    usage = applied.usage
    rows = f"{usage.rows_used:,} row{'' if usage.rows_used == 1 else 's'} used"
    tokens = f"{usage.input_tokens:,} input and {usage.output_tokens:,} output tokens"
    sentences = [f"Recognised as {usage.format_name}: {rows}, {tokens}.", *_models(usage)]
    if usage.cached_share is not None:
        cached = usage.cached_input_tokens or 0
        sentences.append(f"Of the input {percent_text(usage.cached_share)} was cached ({cached:,} tokens).")
    sentences += [f"Set: {each}." for each in applied.set_by_file]
    sentences += [f"{each}." for each in applied.left_alone]
    for skipped in usage.skipped:
        first = ", ".join(str(row) for row in skipped.first_rows)
        sentences.append(f"Left out {skipped.count:,}: {skipped.reason} ({skipped.file}, first at row {first}).")
    sentences += usage.notes
    if usage.cross_check_usd is not None:
        sentences.append(f"Cost in the file, to check the bill against: {usage.cross_check_usd:f} $.")
    return sentences


def _models(usage: Usage) -> list[str]:
    """The models of the file by name. No price is looked up for them: what to compare with is the reader's choice."""
    if not usage.by_model:
        return []
    by_size = sorted(usage.by_model.items(), key=lambda pair: -(pair[1].input_tokens + pair[1].output_tokens))
    named = [
        f"{name} ({tokens.input_tokens + tokens.output_tokens:,} tokens{', self-hosted' if tokens.self_hosted else ''})"
        for name, tokens in by_size[:_MODELS_NAMED]
    ]
    more = f" and {len(by_size) - _MODELS_NAMED:,} more" if len(by_size) > _MODELS_NAMED else ""
    return [f"Models in the file: {', '.join(named)}{more}. All of them count as tokens to serve."]


def usage_dict(applied: UsageApplied) -> dict[str, Any]:
    """The import as data, for the JSON answer."""
    usage = applied.usage
    return {
        "format": usage.format_id,
        "format_name": usage.format_name,
        "files": list(usage.files),
        "rows_used": usage.rows_used,
        "skipped": [
            {"reason": each.reason, "count": each.count, "first_rows": list(each.first_rows), "file": each.file}
            for each in usage.skipped
        ],
        "input_tokens": usage.input_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "requests": usage.requests,
        "mean_output_tok_s": usage.mean_output_tok_s,
        "cross_check_usd": None if usage.cross_check_usd is None else str(usage.cross_check_usd),
        "by_model": {
            name: {
                "input_tokens": tokens.input_tokens,
                "output_tokens": tokens.output_tokens,
                "self_hosted": tokens.self_hosted,
            }
            for name, tokens in usage.by_model.items()
        },
        "set": list(applied.set_by_file),
        "left_alone": list(applied.left_alone),
        "notes": list(usage.notes),
    }
