"""A usage file as inputs: what it says is set, what it does not say stays, and both are said."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from costmodel.__main__ import main
from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.imports import read_usage
from costmodel.link import decode, link, query_of
from costmodel.usage_scenario import LIMITS, UsageApplied, apply_usage, usage_sentences

SAMPLES = Path(__file__).parent / "usage_samples"
CATALOG = catalog()
BASE = decode(CATALOG, query_of("?scenario=deepinfer-128&cached=33")).scenario


def applied(name: str, content: bytes | None = None) -> UsageApplied:
    stream = io.BytesIO((SAMPLES / name).read_bytes() if content is None else content)
    return apply_usage(BASE, read_usage([(name, stream)], limits=LIMITS))


def test_the_mix_of_an_openai_export() -> None:
    found = applied("openai_completions_usage.csv").scenario
    assert found.input_per_output == pytest.approx(9.636364)
    assert found.cached_percent == pytest.approx(62.2642, abs=1e-4)
    assert found.batch_percent == pytest.approx(18.1818, abs=1e-4)


def test_an_absent_cache_column_is_unknown_not_zero() -> None:
    for name in ("anthropic_usage_tokens_nocache_cols.csv", "litellm_usage_export_daily.csv"):
        found = applied(name)
        assert found.scenario.cached_percent == 33
        assert any("not in this file" in sentence for sentence in usage_sentences(found))


def test_daily_buckets_leave_traffic_and_peak_share_alone() -> None:
    found = applied("openai_completions_usage.csv")
    assert (found.scenario.traffic, found.scenario.profile) == (BASE.traffic, BASE.profile)
    assert any("daily buckets" in sentence for sentence in usage_sentences(found))


def test_hourly_buckets_give_the_peak_share() -> None:
    """Half of the output tokens of the sample fall into DeepSeek's peak hours."""
    found = applied("deepseek_amount.csv").scenario
    assert found.traffic == "imported"
    (flash,) = [api for api in compare(CATALOG, found).apis if api.id == "deepseek:deepseek-flash"]
    assert flash.peak_share == pytest.approx(0.5, abs=0.001)


def test_a_file_of_part_of_a_week_gives_its_busiest_hour_not_its_mean() -> None:
    found = applied("deepseek_amount.csv")
    assert found.usage.hours_covered < 168
    assert found.scenario.demand_at == "busiest"
    assert any("of its 168 hours" in sentence for sentence in usage_sentences(found))


def test_a_whole_flat_week_gives_its_mean() -> None:
    rows = [f"2026-10-{5 + hour // 24:02}T{hour % 24:02}:00:00Z,flash,4000,2000,360000" for hour in range(168)]
    text = "\n".join(["timestamp,model,input_tokens,cached_input_tokens,output_tokens", *rows])
    found = applied("week.csv", text.encode())
    assert (found.scenario.traffic, found.scenario.demand_at) == ("imported", "mean")
    assert found.scenario.demand_output_tok_s == pytest.approx(100)
    assert found.scenario.cached_percent == pytest.approx(50)


@pytest.mark.parametrize("name", ["openai_completions_usage.csv", "deepseek_amount.csv", "anthropic_usage_tokens.csv"])
def test_what_a_file_yields_survives_the_link(name: str) -> None:
    found = applied(name).scenario
    again = decode(CATALOG, query_of(link(found)))
    assert again.problems == ()
    assert again.scenario == found


def test_models_are_listed_and_never_priced_by_guess() -> None:
    text = "model,input_tokens,output_tokens\ndeepseek-flash-2,100,10\nhosted_vllm/example-7b,50,5\n"
    sentences = " ".join(usage_sentences(applied("plain.csv", text.encode())))
    assert "deepseek-flash-2 (110 tokens)" in sentences
    assert "hosted_vllm/example-7b (55 tokens, self-hosted)" in sentences


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["compare", *arguments])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, answer


def test_the_command_line_takes_a_usage_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, "?scenario=deepinfer-128", "--usage", str(SAMPLES / "openai_completions_usage.csv"))
    assert code == 0
    assert answer["usage"]["format_name"] == "OpenAI completions usage export"
    assert answer["scenario"]["ratio"] == pytest.approx(9.636364)


@pytest.mark.parametrize("name", ["openai_costs.csv", "openai_completions_usage_empty.csv", "nothing-here.csv"])
def test_the_command_line_refuses_what_gives_no_mix(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, "", "--usage", str(SAMPLES / name))
    assert code == 2
    assert name in answer["error"]
