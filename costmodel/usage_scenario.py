"""A usage file's yield as inputs of a scenario: token mix, cached share, demand, and the week where it is hourly."""

from dataclasses import dataclass
from typing import Any

from costmodel.imports import ImportLimits, ModelTokens, Usage
from costmodel.language import number_text, say, say_count
from costmodel.link import plain_number
from costmodel.load.profile import profile_text
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
            left_alone.append(say("{input} stays as it was: {reason}", input=say(asked.label), reason=why_not))
            return
        rounded = round(value) if asked.kind == "whole" else round(value, _DIGITS)
        if (asked.low is not None and rounded < asked.low) or (asked.high is not None and rounded > asked.high):
            left_alone.append(
                say(
                    "{input} stays as it was: {value} is outside what can be compared",
                    input=say(asked.label),
                    value=count_text(value),
                )
            )
            return
        changes[asked.name] = rounded
        number = number_text(plain_number(rounded))
        set_by_file.append(f"{say(asked.label)}: {number} {say(asked.unit)}".rstrip())

    take("ratio", usage.input_per_output, say("the file has no output tokens"))
    take("cached", _percent(usage.cached_share), say("cached input is not in this file, which is not the same as none"))
    take("cache_write", _percent(usage.cache_write_share), say("cache writes are not in this file"))
    take("batch", _percent(usage.batch_share), say("batch work is not in this file"))
    mean_request = usage.input_tokens / usage.requests if usage.requests else None
    take("request", mean_request, say("the number of requests is not in this file"))
    demand_at, demand = "mean", usage.mean_output_tok_s
    if usage.hourly is not None and any(usage.hourly):
        changes |= {"traffic": "imported", "timezone": "UTC", "profile": profile_text(usage.hourly)}
        changes["peak_percent"] = "auto"
        if usage.hours_covered < HOURS_PER_WEEK:
            # The mean of the file's own hours would be taken for the mean of a week in which all others are empty.
            demand_at, demand = "busiest", max(usage.hourly) / SECONDS_PER_HOUR
        set_by_file.append(
            say("Traffic: the week of the file, hour by hour ({covered} of its 168 hours)", covered=usage.hours_covered)
        )
    else:
        why_not = usage.hourly_reason or say("the file has no times")
        left_alone.append(say("Traffic and peak share stay as they were: {reason}", reason=why_not))
    take("demand", demand, usage.mean_output_reason or say("the file has no times"))
    if "demand_output_tok_s" in changes:
        changes["demand_at"] = demand_at
        typed = set_by_file.pop()
        is_busiest = demand_at == "busiest"
        set_by_file.append(
            say("{input} in the busiest hour", input=typed) if is_busiest else say("{input}, mean", input=typed)
        )
    return UsageApplied(scenario.model_copy(update=changes), usage, tuple(set_by_file), tuple(left_alone))


def _percent(value: float | None) -> float | None:
    return None if value is None else value * PERCENT


def usage_sentences(applied: UsageApplied) -> list[str]:
    """What a reader should know about an import, most important first."""
    usage = applied.usage
    recognised = say_count(
        "Recognised as {format}: {rows} row used, {input} input and {output} output tokens.",
        "Recognised as {format}: {rows} rows used, {input} input and {output} output tokens.",
        usage.rows_used,
        format=usage.format_name,
        rows=_whole(usage.rows_used),
        input=_whole(usage.input_tokens),
        output=_whole(usage.output_tokens),
    )
    sentences = [recognised, *_models(usage)]
    if usage.cached_share is not None:
        sentences.append(
            say(
                "Of the input {share} was cached ({tokens} tokens).",
                share=percent_text(usage.cached_share),
                tokens=_whole(usage.cached_input_tokens or 0),
            )
        )
    sentences += [say("Set: {input}.", input=each) for each in applied.set_by_file]
    sentences += [f"{each}." for each in applied.left_alone]
    for skipped in usage.skipped:
        first = ", ".join(str(row) for row in skipped.first_rows)
        sentences.append(
            say(
                "Left out {number}: {reason} ({file}, first at row {rows}).",
                number=_whole(skipped.count),
                reason=skipped.reason,
                file=skipped.file,
                rows=first,
            )
        )
    sentences += usage.notes
    if usage.cross_check_usd is not None:
        usd = number_text(f"{usage.cross_check_usd:f}")
        sentences.append(say("Cost in the file, to check the bill against: {usd} $.", usd=usd))
    return sentences


def _models(usage: Usage) -> list[str]:
    """The models of the file by name. No price is looked up for them: what to compare with is the reader's choice."""
    if not usage.by_model:
        return []
    by_size = sorted(usage.by_model.items(), key=lambda pair: -(pair[1].input_tokens + pair[1].output_tokens))
    named = ", ".join(_model(name, tokens) for name, tokens in by_size[:_MODELS_NAMED])
    if len(by_size) <= _MODELS_NAMED:
        return [say("Models in the file: {models}. All of them count as tokens to serve.", models=named)]
    return [
        say(
            "Models in the file: {models} and {more} more. All of them count as tokens to serve.",
            models=named,
            more=_whole(len(by_size) - _MODELS_NAMED),
        )
    ]


def _model(name: str, tokens: ModelTokens) -> str:
    number = _whole(tokens.input_tokens + tokens.output_tokens)
    if tokens.self_hosted:
        return say("{model} ({tokens} tokens, self-hosted)", model=name, tokens=number)
    return say("{model} ({tokens} tokens)", model=name, tokens=number)


def _whole(number: int) -> str:
    return number_text(f"{number:,}")


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
