"""Several files in one upload: what is in two of them counts once, and what cannot be told apart is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.imports import UsageError
from tests.usage_files import PLAIN, plain, read, sample

OPENAI = (
    "start_time_iso,end_time_iso,num_model_requests,api_key_id,model,input_tokens,output_tokens,input_cached_tokens"
)
SPEND_LOGS = "request_id,startTime,prompt_tokens,completion_tokens,spend,model,status"
DAILY = "Date,Team,Team ID,Model,Spend ($),Requests,Successful,Failed,Total Tokens,Prompt Tokens,Completion Tokens"


def openai(*days: int, key: str = "k", output_tokens: int = 2, offset: str = "+00:00") -> str:
    rows = [
        f"2026-09-{day:02d}T00:00:00{offset},2026-09-{day + 1:02d}T00:00:00{offset},1,{key},m,10,{output_tokens},5"
        for day in days
    ]
    return "\n".join([OPENAI, *rows]) + "\n"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 10))
def test_two_exports_of_overlapping_days_count_every_day_once(first: int, second: int, length: int) -> None:
    one, two = range(first, first + length), range(second, second + 5)
    usage = read(openai(*one), openai(*two))
    assert usage.rows_used == len({*one, *two})
    assert usage.input_tokens == 10 * usage.rows_used
    assert any("overlaps" in note for note in usage.notes) == bool({*one} & {*two})


def test_an_overlap_is_named_and_the_later_file_counts() -> None:
    """Fault B134: a September file and one that starts in mid-September."""
    usage = read(openai(*range(1, 29)), openai(*range(15, 29), output_tokens=7))
    assert (usage.rows_used, usage.output_tokens) == (28, 14 * 2 + 14 * 7)
    assert "1.csv overlaps a later file: 14 rows in both, counted once as in the later file." in usage.notes
    [skipped] = usage.skipped
    assert (skipped.file, skipped.count, skipped.first_rows[0]) == ("1.csv", 14, 15)


def test_other_keys_in_the_same_days_are_added() -> None:
    usage = read(openai(1, 2), openai(1, 2, key="other"))
    assert (usage.rows_used, usage.skipped) == (4, ())


def test_an_exact_repeat_inside_one_file_counts_once() -> None:
    usage = read(openai(1, 2) + openai(2).partition("\n")[2])
    assert (usage.rows_used, usage.output_tokens) == (2, 4)
    assert any("exact repeat" in note for note in usage.notes)


@pytest.mark.parametrize(
    ("second", "difference"),
    [
        (openai(2, 3, key=""), "grouped by different columns"),
        (openai(2, 3, offset="+08:00"), "different time zones"),
        (openai(2).replace("2026-09-03T00:00:00", "2026-09-02T01:00:00"), "time steps of different length"),
    ],
)
def test_overlaps_that_cannot_be_matched_are_refused(second: str, difference: str) -> None:
    with pytest.raises(UsageError, match=difference):
        read(openai(1, 2, 3), second)


def test_different_formats_in_one_upload_are_refused() -> None:
    for pair in (
        ("openai_completions_usage.csv", "anthropic_usage_tokens.csv"),
        ("vllm_metrics_t0.prom", "deepseek_amount.csv"),
        ("deepseek_amount.csv", "vllm_metrics_t0.prom"),
        ("openrouter_activity_daily.csv", "openrouter_activity_generations.csv"),
    ):
        with pytest.raises(UsageError, match="one format at a time") as caught:
            sample(*pair)
        assert pair[0] in str(caught.value)
        assert pair[1] in str(caught.value)


def test_the_last_row_of_a_request_id_counts() -> None:
    """Fault B133: output 300, then 840, is 840 and flagged."""
    rows = ["a,2026-09-01 10:00:00,100,{},0.5,m,success", "b,2026-09-01 11:00:00,100,1,0.25,m,success"]
    log = "\n".join([SPEND_LOGS, rows[0].format(300), rows[1], rows[0].format(840)])
    usage = read(log)
    assert (usage.output_tokens, usage.input_tokens, usage.requests, usage.rows_used) == (841, 200, 2, 2)
    assert float(usage.cross_check_usd or 0) == 0.75
    assert usage.by_model["m"][:2] == (200, 841)
    assert sum(usage.hourly or ()) == 841
    assert any("Duplicate request ids: 1 row" in note for note in usage.notes)
    assert usage.skipped[0].first_rows == (1,)
    twice = read(log, log)
    assert (twice.output_tokens, twice.requests) == (841, 2)
    assert any(note.startswith("1.csv overlaps a later file") for note in twice.notes)


def test_plain_requests_with_ids_behave_like_any_log() -> None:
    header = "request_id,timestamp,model,input_tokens,output_tokens\n"
    usage = read(header + "a,2026-09-01T10:00:01Z,m,10,300\na,2026-09-01T10:00:01Z,m,10,840\n")
    assert (usage.output_tokens, usage.requests) == (840, 1)


def test_equal_plain_requests_are_different_requests_in_one_file_and_the_same_in_two() -> None:
    row = "2026-09-01T10:00:01Z,m,10,5,3,1"
    other = "2026-09-01T11:00:01Z,m,10,5,3,1"
    assert read(plain([row, row, other])).output_tokens == 9
    assert read(plain([row, row, other]), plain([row, other])).output_tokens == 9
    assert read(plain([row, row]), plain([row.replace(",3,", ",4,"), other])).output_tokens == 13


def test_plain_days_of_two_files_count_as_in_the_later_one() -> None:
    day = "2026-09-{:02d},m,10,5,{},1"
    first = plain([day.format(1, 1), day.format(2, 1), day.format(2, 1)])
    second = plain([day.format(2, 5), day.format(3, 5)])
    usage = read(first, second)
    assert (usage.output_tokens, usage.rows_used) == (11, 3)
    assert any("1.csv overlaps a later file: 2 rows" in note for note in usage.notes)


def test_the_date_order_of_one_file_decides_for_its_companions() -> None:
    usage = read(plain(["05/06/2026,m,10,5,1,1"]), plain(["30/06/2026,m,10,5,1,1"]))
    assert usage.start is not None
    assert (usage.start.month, usage.start.day) == (6, 5)


def test_identical_models_of_a_day_count_once_where_the_split_is_there_too() -> None:
    """Fault B124 in a file that has prompt and completion tokens."""
    row = '2026-09-01,T,t,{},"1,234.5678",10,9,1,1100,1000,100'
    faulty = "\n".join([DAILY, row.format("a"), row.format("b"), row.format("c")])
    usage = read(faulty)
    assert (usage.input_tokens, usage.output_tokens, usage.requests) == (1_000, 100, 9)
    assert str(usage.cross_check_usd) == "1234.5678"
    assert any("identical totals: a known exporter fault" in note for note in usage.notes)
    sound = read(faulty.replace("1000,100", "1000,101", 1))
    assert (sound.input_tokens, sound.output_tokens) == (3_000, 301)


def test_a_request_with_tags_may_be_counted_per_tag() -> None:
    header = DAILY.replace("Team", "Tag").replace("Model,", "")
    usage = read(f"{header}\n2026-09-01,a,a,1.5,10,9,1,1100,1000,100\n")
    assert any("several tags" in note for note in usage.notes)


def test_columns_of_a_plain_table_that_are_not_read_are_named() -> None:
    usage = read(PLAIN.strip() + ",team\n2026-09-01,m,10,5,1,1,sales\n")
    assert any("not read: team" in note for note in usage.notes)
