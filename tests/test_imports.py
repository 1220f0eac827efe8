"""The importer: every sample file to the token, then what each format means, then the faults other tools had."""

from __future__ import annotations

import io
import json
import tracemalloc
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from costmodel.imports import FORMATS, ImportLimits, Usage, UsageError, known_formats, read_usage
from costmodel.imports.plain import HEADER
from tests.usage_files import LIMITS, PLAIN, SAMPLES, plain, read, sample

EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text())
OPENAI = "start_time_iso,end_time_iso,num_model_requests,model,input_tokens,output_tokens,input_cached_tokens"
ANTHROPIC = (
    "usage_date_utc,model_version,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,"
    "usage_input_tokens_cache_read,usage_output_tokens"
)
GENERATIONS = "generation_id,created_at,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug"
SPEND_LOGS = "request_id,startTime,endTime,prompt_tokens,completion_tokens,spend,model,metadata,cache_hit,status"


def openai_row(day: int, model: str = "m", tokens: tuple[int, int, int] = (10, 2, 5)) -> str:
    start, end = f"2026-09-{day:02d}T00:00:00+00:00", f"2026-09-{day + 1:02d}T00:00:00+00:00"
    return f"{start},{end},1,{model},{tokens[0]},{tokens[1]},{tokens[2]}"


def table(header: str, *rows: str) -> str:
    return "\n".join([header, *rows]) + "\n"


def outcome(content: str | bytes) -> Usage | UsageError:
    try:
        return read(content)
    except UsageError as error:
        return error


# Properties: nothing but UsageError, and parts that add up to the whole


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
@example(b"\xff\xfe\x00")
@example(b"input_tokens,output_tokens\n1,\x00\n")
@example(b"sep=\n")
@example(b"vllm:prompt_tokens_total{} 1e99999\n")
def test_arbitrary_bytes_raise_nothing_but_usage_error(content: bytes) -> None:
    with pytest.raises(UsageError):
        read(b"\x00" + content)
    result = outcome(content)
    assert isinstance(result, Usage) or str(result)


CELLS = st.one_of(
    st.integers(-5, 10**20).map(str),
    st.sampled_from(
        [
            "",
            "nan",
            "1e3",
            "2.000",
            "1,5",
            "2026-09-01",
            "05/06/2026",
            "30/06/2026",
            "06/30/2026",
            "1788220800",
            '"',
            "True",
        ]
    ),
    st.text(max_size=8),
)
HEADERS = [",".join(sorted(columns)) for fmt in FORMATS for columns in fmt.headers] + [
    PLAIN.strip(),
    OPENAI,
    ANTHROPIC,
    GENERATIONS,
    SPEND_LOGS,
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(HEADERS), st.sampled_from([",", ";", "\t"]), st.lists(st.lists(CELLS, max_size=12), max_size=6))
def test_any_cells_below_a_known_header_raise_nothing_but_usage_error(
    header: str, separator: str, rows: list[list[str]]
) -> None:
    width = header.count(",") + 1
    lines = [header.replace(",", separator)]
    lines += [separator.join((row + [""] * width)[:width]) for row in rows]
    usage = outcome("\n".join(lines))
    if isinstance(usage, UsageError):
        assert str(usage)
        return
    assert usage.input_tokens + usage.output_tokens > 0
    assert (usage.cached_input_tokens or 0) + (usage.cache_write_tokens or 0) <= usage.input_tokens
    assert usage.rows_used + sum(skipped.count for skipped in usage.skipped) <= len(rows)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(0, 23), st.integers(0, 10**6), st.integers(0, 10**6)),
        min_size=1,
        max_size=40,
    )
)
def test_single_days_add_up_to_the_whole_range(rows: list[tuple[int, int, int, int]]) -> None:
    """Fault B139: sums over single days equal the whole range, to the token, as one file and as one upload of many."""

    def line(row: tuple[int, int, int, int]) -> str:
        day, hour, tokens_in, tokens_out = row
        return f"2026-09-{day:02d}T{hour:02d}:17:00Z,m,{tokens_in + 1},{tokens_in // 2},{tokens_out},1"

    days = [[line(row) for row in rows if row[0] == day] for day in range(1, 10)]
    files = [plain(lines) for lines in days if lines]
    whole, together, single = read(plain(map(line, rows))), read(*files), [read(file) for file in files]
    for figure in ("input_tokens", "cached_input_tokens", "output_tokens", "requests", "rows_used"):
        assert getattr(whole, figure) == sum(getattr(day, figure) for day in single) == getattr(together, figure)
    assert whole.by_model == together.by_model


# Worked numbers: the sample files


def test_openai_usage_sample() -> None:
    want, usage = EXPECTED["openai_completions_usage.csv"], sample("openai_completions_usage.csv")
    assert (usage.format_id, usage.bucket) == ("openai-usage", "day")
    assert (usage.input_tokens, usage.cached_input_tokens) == (want["input_total"], want["cached"])
    assert usage.input_tokens - (usage.cached_input_tokens or 0) == want["fresh"]
    assert (usage.output_tokens, usage.requests, usage.rows_used) == (
        want["output"],
        want["requests"],
        want["rows_used"],
    )
    assert usage.cached_share == pytest.approx(want["cached_share"], abs=1e-6)
    assert usage.input_per_output == pytest.approx(want["in_out_ratio"], abs=1e-6)
    assert usage.batch_share == pytest.approx(want["batch_output_share"], abs=1e-6)
    [empty] = usage.skipped
    assert (empty.reason[:12], empty.count, empty.first_rows) == ("empty bucket", want["empty_buckets"], (4,))
    assert list(usage.by_model) == ["gpt-example-large", "gpt-example-mini"]
    assert usage.mean_output_tok_s == pytest.approx(275_000 / (4 * 86_400))


@pytest.mark.parametrize("name", ["anthropic_usage_tokens.csv", "anthropic_usage_tokens_bom_crlf.csv"])
def test_anthropic_usage_sample(name: str) -> None:
    want, usage = EXPECTED["anthropic_usage_tokens.csv"], sample(name)
    assert usage.format_id == "anthropic-usage"
    assert (usage.input_tokens, usage.cached_input_tokens) == (want["input_total"], want["cache_read"])
    assert usage.cache_write_tokens == want["cache_write_5m"] + want["cache_write_1h"]
    fresh = usage.input_tokens - (usage.cached_input_tokens or 0) - (usage.cache_write_tokens or 0)
    assert fresh == want["no_cache"]
    assert usage.output_tokens == want["output"]
    assert usage.cached_share == pytest.approx(want["cached_share"], abs=1e-6)
    assert usage.input_per_output == pytest.approx(want["in_out_ratio"], abs=1e-6)
    assert usage.batch_share == pytest.approx(5_000 / 45_000)
    assert usage.requests is None


def test_absent_cache_columns_are_unknown_not_zero() -> None:
    usage = sample("anthropic_usage_tokens_nocache_cols.csv")
    want = EXPECTED["anthropic_usage_tokens_nocache_cols.csv"]
    assert (usage.input_tokens, usage.output_tokens) == (want["input_total"], want["output"])
    assert usage.cached_input_tokens is usage.cached_share is usage.cache_write_share is None
    assert any("unknown, not zero" in note for note in usage.notes)


def test_openrouter_generations_sample() -> None:
    want, usage = EXPECTED["openrouter_activity_generations.csv"], sample("openrouter_activity_generations.csv")
    assert (usage.format_id, usage.bucket) == ("openrouter-generations", "request")
    assert (usage.input_tokens, usage.cached_input_tokens) == (want["prompt"], want["cached"])
    assert (usage.output_tokens, usage.reasoning_tokens) == (want["completion"], want["reasoning_inside_completion"])
    assert usage.input_tokens + usage.output_tokens == want["total"]
    assert usage.requests == want["requests"]
    assert usage.cross_check_usd == Decimal(want["credits_usd"])
    assert usage.input_per_output == pytest.approx(want["in_out_ratio"], abs=1e-6)
    assert usage.cached_share == pytest.approx(want["cached_share"], abs=1e-6)
    assert any(want["byok_usd"] in note for note in usage.notes)
    assert any(f"{want['cancelled']} cancelled" in note for note in usage.notes)
    assert usage.hourly is not None
    assert (usage.hourly[24], usage.hourly[25], usage.hourly[36]) == (800, 0, 120)  # 00:59:59.9 is still hour 0


def test_openrouter_daily_sample() -> None:
    want, usage = EXPECTED["openrouter_activity_daily.csv"], sample("openrouter_activity_daily.csv")
    assert (usage.format_id, usage.bucket) == ("openrouter-daily", "day")
    assert (usage.input_tokens, usage.output_tokens) == (want["prompt"], want["completion"])
    assert (usage.reasoning_tokens, usage.requests) == (want["reasoning_inside_completion"], want["requests"])
    assert usage.cross_check_usd == Decimal(want["usage_usd"])
    assert any(f"{want['byok_usd']} $" in note for note in usage.notes)
    assert usage.cached_share is None
    assert usage.hourly is None
    assert "daily buckets" in (usage.hourly_reason or "")


def test_litellm_spend_logs_sample() -> None:
    want, usage = EXPECTED["litellm_spend_logs.csv"], sample("litellm_spend_logs.csv")
    assert usage.format_id == "litellm-spend-logs"
    assert (usage.input_tokens, usage.output_tokens) == (want["billable_prompt"], want["billable_completion"])
    assert usage.cached_input_tokens == want["cached"]
    assert [(skipped.count, skipped.first_rows) for skipped in usage.skipped] == [
        (want["proxy_cache_hits"], (2,)),
        (want["failures"], (3,)),
    ]
    assert usage.by_model["hosted_vllm/example-7b"].self_hosted
    assert not usage.by_model["deepseek/deepseek-flash"].self_hosted
    assert any("Self-hosted" in note and "hosted_vllm/example-7b" in note for note in usage.notes)
    assert any("no zone" in note for note in usage.notes)
    assert usage.hourly is not None
    assert usage.hourly[6 * 24] == 500  # Sunday 00:30 UTC
    assert usage.hourly[1] == 100  # Monday 01:30 UTC


def test_litellm_daily_sample() -> None:
    """Fault B115: 1,234.5678 $ with its comma, and big days not lost."""
    want, usage = EXPECTED["litellm_usage_export_daily.csv"], sample("litellm_usage_export_daily.csv")
    assert (usage.input_tokens, usage.output_tokens) == (want["prompt"], want["completion"])
    assert usage.input_tokens + usage.output_tokens == want["total"]
    assert usage.cross_check_usd == Decimal(want["spend_usd"])
    assert usage.cached_share is None


def test_litellm_daily_with_models_sample_counts_a_day_once() -> None:
    """Fault B124: every model row carries the whole day."""
    want = EXPECTED["litellm_usage_export_daily_with_models.csv"]
    with pytest.raises(UsageError, match="identical totals: a known exporter fault") as caught:
        sample("litellm_usage_export_daily_with_models.csv")
    assert caught.value.cost_usd == Decimal(want["true_spend_usd"])


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("openai_costs.csv", EXPECTED["openai_costs.csv"]["total_usd"]),
        ("anthropic_cost.csv", EXPECTED["anthropic_cost.csv"]["total_usd"]),
        ("deepseek_cost.csv", str(EXPECTED["deepseek_amount.csv"]["cost_usd"])),
    ],
)
def test_cost_exports_are_refused_with_their_total(name: str, total: str) -> None:
    with pytest.raises(UsageError, match="cost export") as caught:
        sample(name)
    assert caught.value.cost_usd == Decimal(total)
    assert total in str(caught.value)
    assert caught.value.file == name


def test_the_amounts_of_anthropics_cost_api_are_cents() -> None:
    """Fault B020: amount 41280.000000 in currency USD is 412.80 $."""
    table = "starting_at,ending_at,amount,currency,cost_type,model\n" + (
        "2026-10-01T00:00:00Z,2026-10-02T00:00:00Z,41280.000000,USD,tokens,claude-opus-5\n"
    )
    with pytest.raises(UsageError, match="cost API") as caught:
        read(table)
    assert caught.value.cost_usd == Decimal("412.8")


def test_a_cost_export_beside_the_usage_of_its_vendor_is_the_cross_check() -> None:
    usage = sample("anthropic_cost.csv", "anthropic_usage_tokens.csv")
    assert usage.cross_check_usd == Decimal("1.37")
    assert usage.input_tokens == 1_010_000
    with pytest.raises(UsageError, match="different format"):
        sample("openai_costs.csv", "anthropic_usage_tokens.csv")


def test_deepseek_amount_sample() -> None:
    """Faults B116 and B130: a byte-order mark, and types that must not be added into one number."""
    want, usage = EXPECTED["deepseek_amount.csv"], sample("deepseek_amount.csv")
    assert (usage.format_id, usage.bucket) == ("deepseek-amount", "hour")
    assert usage.cached_input_tokens == want["hit"]
    assert usage.input_tokens == want["input_total"] == want["hit"] + want["miss"]
    assert (usage.output_tokens, usage.requests) == (want["output"], want["requests"])
    assert (usage.cached_share, usage.input_per_output) == (want["cached_share"], want["in_out_ratio"])
    assert usage.cross_check_usd == Decimal(str(want["cost_usd"]))
    assert usage.hourly is not None
    peak_hour, off_peak_hour = usage.hourly[25], usage.hourly[24]  # Tuesday 01:00 UTC is in the window 01-04
    assert peak_hour / (peak_hour + off_peak_hour) == want["peak_output_share"]


def test_vllm_sample_of_one_snapshot() -> None:
    want, usage = EXPECTED["vllm_metrics_t0.prom"], sample("vllm_metrics_t0.prom")
    assert (usage.format_id, usage.bucket) == ("vllm-prometheus", "snapshot")
    assert (usage.input_tokens, usage.cached_input_tokens) == (want["prompt"], want["cached"])
    assert usage.output_tokens == want["generation"]
    assert usage.cached_share == pytest.approx(want["cached_share"], abs=1e-6)
    assert usage.input_per_output == pytest.approx(want["in_out_ratio"], abs=1e-6)
    assert usage.mean_output_tok_s is None
    assert "second one" in (usage.mean_output_reason or "")
    assert usage.by_model["example/model"].self_hosted


@pytest.mark.parametrize(
    "names",
    [
        ("vllm_metrics_t0.prom", "vllm_metrics_t1_3600s_later.prom"),
        ("vllm_metrics_t1_3600s_later.prom", "vllm_metrics_t0.prom"),
    ],
)
def test_vllm_sample_of_two_snapshots_with_a_restart(names: tuple[str, str]) -> None:
    """Fault B136: a counter that fell is a restart, never a negative. The name tells which file is the later one."""
    want, usage = EXPECTED["vllm_metrics_t0->t1 (3600 s, engine 1 restarted)"], sample(*names)
    assert (usage.input_tokens, usage.cached_input_tokens) == (want["prompt_increase"], want["cached_increase"])
    assert usage.output_tokens == want["generation_increase"]
    assert usage.mean_output_tok_s == want["out_tok_s"]
    assert usage.cached_share == pytest.approx(want["cached_share"], abs=1e-6)
    assert any("1 of 2 engines restarted" in note for note in usage.notes)


def test_hostile_names_stay_inert_text() -> None:
    want, usage = EXPECTED["hostile_names.csv"], sample("hostile_names.csv")
    assert (usage.input_tokens, usage.output_tokens) == (want["input_total"], want["output"])
    assert list(usage.by_model) == ['=HYPERLINK("http://example.invalid","x")']
    markup = read(plain(["2026-09-01,<img src=x onerror=alert(1)>,10,5,1,1"]))
    assert list(markup.by_model) == ["<img src=x onerror=alert(1)>"]


def test_broken_numbers_are_refused_with_their_rows() -> None:
    """Fault B118."""
    usage = sample("broken_numbers.csv")
    assert (usage.input_tokens, usage.output_tokens, usage.rows_used) == (600, 10, 1)
    assert usage.cached_share == pytest.approx(0.833333, abs=1e-6)
    assert sorted(row for skipped in usage.skipped for row in skipped.first_rows) == [1, 2]
    assert any("2 of 3 rows could not be read" in note for note in usage.notes)


def test_an_empty_export_is_no_usage_and_no_zero_division() -> None:
    """Fault B121."""
    with pytest.raises(UsageError, match="no usage in this file"):
        sample("openai_completions_usage_empty.csv")
    with pytest.raises(UsageError, match="no usage in this file"):
        read(plain([]))
    with pytest.raises(UsageError, match="no usage in this file"):
        read(plain(["2026-09-01,m,0,0,0,0"]))
    only_input = read(plain(["2026-09-01,m,100,0,0,1"]))
    assert only_input.input_per_output is only_input.batch_share is None
    assert only_input.cached_share == 0


def test_every_sample_file_has_its_test() -> None:
    tested = {name for name in EXPECTED if "->" not in name} | {"deepseek_cost.csv", "vllm_metrics_t1_3600s_later.prom"}
    assert {path.name for path in SAMPLES.iterdir()} == tested | {"expected.json"}


# Faults: what a column means


@pytest.mark.parametrize(
    ("row", "cached_share", "ratio"),
    [
        ((17_903, 100, 17_817), 0.9952, 179.03),  # B004: not 49.88 %, and not 35,720 tokens
        ((117_231, 225, 115_584), 0.985951, 521.03),  # B005: not 1,034.7
    ],
)
def test_openai_cached_tokens_are_part_of_the_input(
    row: tuple[int, int, int], cached_share: float, ratio: float
) -> None:
    usage = read(table(OPENAI, openai_row(1, tokens=row)))
    assert usage.input_tokens == row[0]
    assert usage.cached_share == pytest.approx(cached_share, abs=1e-4)
    assert usage.input_per_output == pytest.approx(ratio, abs=1e-2)


def test_the_same_numbers_mean_different_totals_by_source() -> None:
    """Fault B007: 1,010,000 tokens to serve in OpenAI's convention, 1,990,000 in Anthropic's."""
    partition = read(table(OPENAI, openai_row(1, tokens=(1_000_000, 10_000, 980_000))))
    addition = read(table(ANTHROPIC, "2026-09-01,m,1000000,0,980000,10000"))
    assert partition.input_tokens + partition.output_tokens == 1_010_000
    assert addition.input_tokens + addition.output_tokens == 1_990_000
    assert "OpenAI" in partition.format_name
    assert any("part of input_tokens" in note for note in partition.notes)
    assert "Anthropic" in addition.format_name
    assert any("sum of" in note for note in addition.notes)


def test_cache_writes_are_counted_once() -> None:
    """Fault B002: no_cache 3, cache_write 12,304 at 3 / 3.75 / 15 $ per 1M cost 0.054399 $."""
    usage = read(table(ANTHROPIC, "2026-09-01,m,3,12304,0,550"))
    written = usage.cache_write_tokens or 0
    fresh = usage.input_tokens - written - (usage.cached_input_tokens or 0)
    assert (fresh * 3 + written * 3.75 + usage.output_tokens * 15) / 1e6 == pytest.approx(0.054399)


@pytest.mark.parametrize(
    "details",
    [
        '{"prompt_tokens_details": {"cached_tokens": 4864}}',
        '{"cache_read_input_tokens": 4864}',
    ],
)
def test_litellm_cached_tokens_come_from_the_metadata(details: str) -> None:
    """Fault B008: 9,126 tokens of which 4,864 cached at 1.25 / 0.125 / 10 $ per 1M cost 0.0379055 $."""
    metadata = '{"additional_usage_values": ' + details + "}"
    quoted = metadata.replace('"', '""')
    row = f'a,2026-09-01 10:00:00,2026-09-01 10:00:05,9126,3197,0.0379055,m,"{quoted}",False,success'
    usage = read(table(SPEND_LOGS, row))
    cached = usage.cached_input_tokens or 0
    cost = ((usage.input_tokens - cached) * 1.25 + cached * 0.125 + usage.output_tokens * 10) / 1e6
    assert cost == pytest.approx(float(usage.cross_check_usd or 0))


def test_litellm_without_any_details_does_not_know_its_cached_share() -> None:
    rows = (f"{name},2026-09-01 10:00:00,,100,10,0.1,m,{text},None,success" for name, text in (("a", "{}"), ("b", "x")))
    usage = read(table(SPEND_LOGS, *rows))
    assert usage.cached_share is None
    assert any("unknown, not zero" in note for note in usage.notes)


def test_reasoning_tokens_are_inside_the_output() -> None:
    """Faults B013 and B014: 136 tokens with 31 of reasoning are 136, not 167."""
    usage = read(table(GENERATIONS, "gen-1,2026-09-22 10:00:00,500,136,31,0,m"))
    assert (usage.output_tokens, usage.reasoning_tokens) == (136, 31)
    assert any("Reasoning tokens are inside" in note for note in usage.notes)


def test_parts_larger_than_their_whole_are_refused() -> None:
    with pytest.raises(UsageError, match="more cached than input tokens") as caught:
        read(plain(["2026-09-01T10:00Z,m,100,101,10,1"]))
    assert caught.value.row == 1
    with pytest.raises(UsageError, match="more reasoning than output tokens"):
        read(table(GENERATIONS, "gen-1,2026-09-22 10:00:00,500,136,137,0,m"))
    with pytest.raises(UsageError, match="add up to more than input_tokens"):
        read(table(OPENAI + ",input_uncached_tokens", openai_row(1, tokens=(10, 2, 5)) + ",6"))


def test_a_figure_that_some_rows_lack_is_unknown() -> None:
    usage = read(plain(["2026-09-01,m,100,50,10,1", "2026-09-02,m,100,,10,1"]))
    assert usage.input_tokens == 200
    assert usage.cached_input_tokens is None
    assert any("cached tokens is empty in 1 row" in note for note in usage.notes)


def test_unknown_models_are_listed_by_name_with_their_tokens() -> None:
    """Fault B053."""
    usage = read(plain(["2026-09-01,deepseek-flash-2,100,0,10,1", "2026-09-01,deepseek-flash,7,0,3,1"]))
    assert usage.by_model["deepseek-flash-2"][:2] == (100, 10)
    assert usage.by_model["deepseek-flash"][:2] == (7, 3)


def test_total_rows_are_not_usage() -> None:
    usage = read(table("model,input_tokens,output_tokens", "a,100,10", "b,200,20", "Total,300,30"))
    assert (usage.input_tokens, usage.rows_used) == (300, 2)
    assert usage.skipped[0].first_rows == (3,)


def test_deepseek_unknown_types_are_named_and_totals_left_out() -> None:
    header = "user_id,utc_date,model,api_key_name,api_key,type,price,amount"
    rows = ["u,20260725,m,k,s,output_tokens,0.0000006,100", "u,20260725,m,k,s,input_cache_miss_tokens,8.0,900"]
    usage = read(table(header, *rows, "u,20260725,m,k,s,total_token,,1000", "u,20260725,m,k,s,surprise,,5"))
    assert (usage.input_tokens, usage.output_tokens, usage.bucket) == (900, 100, "day")
    assert [skipped.reason for skipped in usage.skipped] == ["a total of the other types", "an unknown type of token"]
    assert usage.cross_check_usd is None  # 8.0 $ for one token is a price per million


def test_amounts_in_other_currencies_are_not_dollars() -> None:
    header = "user_id,start_time_iso,end_time_iso,model,wallet_type,cost,currency"
    row = "u,2026-09-22T00:00:00+08:00,2026-09-23T00:00:00+08:00,m,Paid,2.772,{}"
    with pytest.raises(UsageError, match="no usage"):
        read(table(header, row.format("CNY")))
    with pytest.raises(UsageError) as caught:
        read(table(header, row.format("CNY"), row.format("USD")))
    assert caught.value.cost_usd == Decimal("2.772")


def test_a_new_input_column_is_not_left_out_in_silence() -> None:
    with pytest.raises(UsageError, match="usage_input_tokens_tool"):
        read(table(ANTHROPIC + ",usage_input_tokens_tool", "2026-09-01,m,1,0,0,1,5"))
    with pytest.raises(UsageError, match="cache_read_input_tokens"):
        read(table("model,input_tokens,cache_read_input_tokens,output_tokens", "m,1,5,1"))


# Faults: metrics


def metrics(*lines: str) -> str:
    return "# TYPE vllm:prompt_tokens_total counter\n" + "".join(f"vllm:{line}\n" for line in lines)


def test_cached_share_comes_from_the_token_counters_first() -> None:
    """Fault B137: 57.63 %, and 80 % only where the first counter is missing, and marked."""
    tokens = ["prompt_tokens_total 59e6", "generation_tokens_total 740000.0"]
    queries = ["prefix_cache_queries_total 150e6", "prefix_cache_hits_total 120e6"]
    both = read(metrics(*tokens, "prompt_tokens_cached_total 3.4e+07", *queries))
    assert both.cached_share == pytest.approx(0.576271, abs=1e-6)
    estimate = read(metrics(*tokens, *queries))
    assert estimate.cached_share == pytest.approx(0.8)
    assert any("estimated" in note for note in estimate.notes)
    assert read(metrics(*tokens)).cached_share is None


def test_snapshots_take_their_time_from_the_call_or_the_text() -> None:
    def scrape(prompt: int, generated: int, time: str = "") -> str:
        return metrics(f"prompt_tokens_total {prompt}{time}", f"generation_tokens_total {generated}{time}")

    untimed = read(scrape(100, 10), scrape(200, 40))
    assert untimed.output_tokens == 30
    assert untimed.mean_output_tok_s is None
    assert "seconds between" in (untimed.mean_output_reason or "")
    assert read(scrape(100, 10), scrape(200, 40), seconds_between_snapshots=60.0).mean_output_tok_s == 0.5
    timed = read(scrape(200, 40, " 1788220810000"), scrape(100, 10, " 1788220800000"))
    assert (timed.output_tokens, timed.mean_output_tok_s) == (30, 3.0)
    with pytest.raises(UsageError, match="more than 0"):
        read(scrape(100, 10), scrape(200, 40), seconds_between_snapshots=0.0)
    with pytest.raises(UsageError, match="one or two"):
        read(scrape(1, 1), scrape(2, 2), scrape(3, 3))


def test_a_restart_resets_all_counters_of_its_engine_and_only_those() -> None:
    before = metrics('prompt_tokens_total{engine="0"} 100', 'generation_tokens_total{engine="0"} 10')
    after = metrics('prompt_tokens_total{engine="0"} 40', 'generation_tokens_total{engine="0"} 12')
    usage = read(before, after)
    assert (usage.input_tokens, usage.output_tokens) == (40, 12)
    moved = read(before, before.replace('"0"', '"1"'))
    assert (moved.input_tokens, moved.output_tokens) == (100, 10)
    assert any("missing in" in note for note in moved.notes)
    assert any("new engine" in note for note in moved.notes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("prompt_tokens_total NaN", "not a count"),
        ("prompt_tokens_total -5", "not a count"),
        ("prompt_tokens_total 1 2 3", "damaged"),
        ("num_requests_running 7", "no counters"),
    ],
)
def test_damaged_metrics_are_refused(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(metrics(line))
    with pytest.raises(UsageError, match="twice"):
        read(metrics("prompt_tokens_total 1", "prompt_tokens_total 2"))


# Limits, progress, memory


def test_unknown_headers_name_what_is_known() -> None:
    with pytest.raises(UsageError) as caught:
        read("model;tokens\nflash;2.000\npro;1.500\n")
    message = str(caught.value)
    assert "model, tokens" in message
    assert HEADER in message
    assert all(name in message for name in known_formats())
    assert {"OpenAI", "Anthropic", "OpenRouter", "LiteLLM", "DeepSeek", "vLLM", "plain"} <= {
        word for word in message.replace("(", " ").split() if word.isalpha()
    } | {"plain"}


def test_limits_name_themselves() -> None:
    content = plain(f"2026-09-01,m,{row},0,1,1" for row in range(100))
    with pytest.raises(UsageError, match="more than 99 rows"):
        read(content, limits=ImportLimits(max_bytes=10**6, max_rows=99))
    with pytest.raises(UsageError, match="larger than 500 bytes"):
        read(content, limits=ImportLimits(max_bytes=500, max_rows=10**6))
    assert read(content, limits=ImportLimits(max_bytes=10**6, max_rows=100)).rows_used == 100
    with pytest.raises(UsageError, match="different models"):
        read(plain(f"2026-09-01,model-{row},1,0,1,1" for row in range(2_000)))
    with pytest.raises(UsageError, match="no file"):
        read_usage([], limits=LIMITS)


def test_progress_rises_to_one_and_the_stream_stays_open() -> None:
    stream = io.BytesIO(plain(f"2026-09-01T10:00:{row % 60:02d}Z,m,{row},0,1,1" for row in range(20_000)).encode())
    told: list[float] = []
    first = read_usage([("a.csv", stream)], limits=LIMITS, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert 5 < len(told) <= 101
    assert read_usage([("a.csv", stream)], limits=LIMITS) == first


class GeneratedRows(io.RawIOBase):
    """A long usage file that is made while it is read, so that only the importer's own memory counts."""

    def __init__(self, rows: int) -> None:
        self._hours = iter(range(0, rows, 3_600))
        self._rest = f"{GENERATIONS}\n".encode()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._rest and (first := next(self._hours, None)) is not None:
            hour = f"2026-09-{1 + first // 86_400:02d} {first // 3_600 % 24:02d}"
            self._rest = "".join(
                f"gen-{first + second},{hour}:{second // 60:02d}:{second % 60:02d},1000,100,50,400,m\n"
                for second in range(3_600)
            ).encode()
        block, self._rest = self._rest[:size], self._rest[size:]
        return block


def traced_peak_bytes(rows: int) -> int:
    tracemalloc.start()
    try:
        usage = read_usage([("long.csv", GeneratedRows(rows))], limits=LIMITS)  # type: ignore[list-item]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (usage.input_tokens, usage.output_tokens) == (rows * 1_000, rows * 100)
    assert (usage.cached_input_tokens, usage.requests) == (rows * 400, rows)
    return peak


def test_memory_grows_by_one_compact_entry_per_row() -> None:
    """Rows are never held: at most 150 bytes each, so that 2 million stay under 300 MB (tracing all is slow)."""
    few, many = 2 * 3_600, 8 * 3_600
    assert (traced_peak_bytes(many) - traced_peak_bytes(few)) / (many - few) < 150


def test_302_400_rows_are_read_to_the_token() -> None:
    rows = 84 * 3_600
    usage = read_usage([("long.csv", GeneratedRows(rows))], limits=LIMITS)  # type: ignore[list-item]
    assert (usage.input_tokens, usage.output_tokens, usage.rows_used) == (rows * 1_000, rows * 100, rows)
    assert usage.hours_covered == 84
    assert usage.mean_output_tok_s == pytest.approx(100, rel=1e-4)
