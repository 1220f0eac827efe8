"""How tables are written: numbers, dates, encodings, separators, and what is no table at all."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costmodel.imports import UsageError
from costmodel.imports.numbers import Numbers
from costmodel.imports.spans import hour_of_week
from costmodel.imports.times import DateOrder, Times, seconds_utc
from costmodel.imports.usage import RowDamagedError
from tests.usage_files import PLAIN, SAMPLES, plain, read, sample

SEMICOLONS = PLAIN.replace(",", ";")


def count(text: str, delimiter: str = ",") -> int | None:
    return Numbers(file="a.csv", delimiter=delimiter).count(text, column="output_tokens", row=1)


def moment(text: str, order: DateOrder | None = None) -> int | tuple[int | None, int | None]:
    return Times(file="a.csv", order=order or DateOrder()).read(text, column="timestamp", row=1)


# Numbers


@given(st.integers(0, 10**14))
def test_every_way_to_write_a_count_is_the_same_count(number: int) -> None:
    english, german = f"{number:,}", f"{number:,}".replace(",", ".")
    assert count(str(number)) == count(english) == count(f'="{number}"') == count(f"{number}.0") == number
    assert count(german, ";") == count(english.replace(",", "\u00a0")) == count(english.replace(",", "’")) == number
    assert count(f" {number} ") == count(f"{number},0", ";") == number


@pytest.mark.parametrize(
    ("text", "delimiter", "wanted"),
    [
        ("2.000", ";", 2_000),  # fault B113: never 2
        ("1.234.567", ",", 1_234_567),
        ("2.000,00", ";", 2_000),
        ("2,000", ",", 2_000),
        ("0.000", ",", 0),
        ("0012", ",", 12),
        ("", ",", None),
        ('=""', ",", None),
    ],
)
def test_counts(text: str, delimiter: str, wanted: int | None) -> None:
    assert count(text, delimiter) == wanted


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-5", "1e3", "1e400", "1_0", "+5", "12.5", "12,5", "0x10", "ten", "٣", "9" * 16]
)
def test_what_is_no_count_is_damage(text: str) -> None:
    for delimiter in (",", ";"):
        with pytest.raises(RowDamagedError):
            count(text, delimiter)


@pytest.mark.parametrize(("text", "delimiter"), [("2.000", ","), ("2,000", ";"), ("2.000", "\t"), ("2,000", "\t")])
def test_a_number_that_can_mean_two_things_refuses_the_file(text: str, delimiter: str) -> None:
    with pytest.raises(UsageError, match="thousandfold"):
        count(text, delimiter)


def test_one_file_cannot_use_one_mark_both_ways() -> None:
    numbers = Numbers(file="a.csv", delimiter=";")
    assert numbers.count("2.000", column="x", row=1) == 2_000
    with pytest.raises(UsageError, match="thousandfold"):
        numbers.count("17.0", column="x", row=2)


def test_german_spreadsheet() -> None:
    """Fault B113, with the quoted cells and day-first dates of the same spreadsheet."""
    rows = ['01.09.2026;flash;2.000;1.000;="500";12', "02.09.2026;pro;1.500;0;250;1"]
    usage = read(plain(rows, SEMICOLONS))
    assert (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens) == (3_500, 1_000, 750)
    assert usage.start == datetime(2026, 9, 1, tzinfo=UTC)
    assert any("“.” was read as the thousands separator" in note for note in usage.notes)


@pytest.mark.parametrize(
    ("text", "delimiter", "dollars"),
    [
        ("39,20", ";", 39.20),  # fault B119
        ("29,51", ";", 29.51),
        ("1.234,5678", ";", 1234.5678),
        ("1,234.5678", ",", 1234.5678),  # fault B115
        ("$12.5", ",", 12.5),
        ("1.2e-05", ",", 0.000012),
        ("-3.5", ",", -3.5),
        ("12.500", ",", 12.5),
    ],
)
def test_amounts(text: str, delimiter: str, dollars: float) -> None:
    pico = Numbers(file="a.csv", delimiter=delimiter).amount(text)
    assert pico is not None
    assert pico / 1e12 == pytest.approx(dollars, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "delimiter"), [("12.500", ";"), ("12,500", "\t"), ("nan", ","), ("1e999", ","), ("", ","), ("1" * 30, ",")]
)
def test_unreadable_amounts_are_unknown(text: str, delimiter: str) -> None:
    assert Numbers(file="a.csv", delimiter=delimiter).amount(text) is None


def test_quoted_formula_cells_keep_their_columns() -> None:
    """Fault B119: four columns, whatever stands in the ="..." cells."""
    usage = read('model;input_tokens;output_tokens;cost_usd\n=("844...");="39";=29;39,20\n=("8");39;29;29,51\n')
    assert (usage.input_tokens, usage.rows_used) == (39, 1)  # =29 is a formula, not a number
    assert list(usage.by_model) == ['=("8")']


# Times


@given(
    st.datetimes(datetime(2020, 1, 2), datetime(2099, 12, 30)),
    st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
)
def test_offsets_are_respected(naive: datetime, zone: timezone) -> None:
    local = naive.replace(tzinfo=zone)
    wanted = int((local - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() // 1)
    assert moment(local.isoformat()) == moment(local.isoformat(" ")) == wanted
    assert moment(str(wanted)) == moment(f"{wanted}.0") == moment(f"{wanted}999") == wanted
    assert hour_of_week(wanted) == local.astimezone(UTC).weekday() * 24 + local.astimezone(UTC).hour


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-22T08:00:00+08:00",
        "2026-09-22 00:00:00 UTC",
        "2026-09-22T00:00:00Z",
        "2026-09-22 00:00:00.999",
        "2026-09-22 08:00:00 +0800",
        "2026/09/22",
        "20260922",
        "22.09.2026",
        "22.09.2026 00:00",
        '="2026-09-22"',
    ],
)
def test_one_instant_in_many_spellings(text: str) -> None:
    found, wanted = moment(text), seconds_utc(datetime(2026, 9, 22, tzinfo=UTC))
    assert found in (wanted, (wanted, wanted))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-13-01",
        "31/02/2026",
        "1970-01-01",
        "46266",
        "2026-09-22 25:00",
        "9/22/26",
        "22/09/2026 13:00 PM",
    ],
)
def test_what_is_no_date_is_damage(text: str) -> None:
    with pytest.raises(RowDamagedError):
        moment(text)


def test_day_first_is_decided_on_the_whole_column() -> None:
    """Fault B143: 05/06/2026 ... 30/06/2026 is June."""
    june = read(plain(f"{day:02d}/06/2026,m,10,5,1,1" for day in range(5, 31)))
    assert (june.start, june.end) == (datetime(2026, 6, 5, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))
    american = read(plain(f"06/{day:02d}/2026,m,10,5,1,1" for day in range(5, 31)))
    assert american.start == june.start
    reverse = read(plain(f"{day:02d}/06/2026,m,10,5,1,1" for day in range(30, 4, -1)))
    assert reverse.start == june.start


def test_dates_that_stay_ambiguous_give_tokens_but_no_times() -> None:
    usage = read(plain(["05/06/2026 10:00,m,10,5,1,1", "06/06/2026 11:00,m,10,5,1,1"]))
    assert (usage.input_tokens, usage.output_tokens) == (20, 2)
    assert usage.start is usage.hourly is usage.mean_output_tok_s is None
    assert "day first or month first" in (usage.hourly_reason or "")
    assert usage.hourly_reason == usage.mean_output_reason


def test_dates_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(UsageError, match="day first, others only month first") as caught:
        read(plain(["30/06/2026,m,10,5,1,1", "06/30/2026,m,10,5,1,1"]))
    assert caught.value.row == 2


def test_american_afternoons() -> None:
    usage = read(plain(["9/22/2026 12:00 AM,m,10,5,1,1", "9/22/2026 1:00 PM,m,10,5,2,1"]))
    assert usage.hourly is not None
    assert (usage.hourly[24], usage.hourly[37]) == (1, 2)


def test_naive_times_are_utc_with_a_note() -> None:
    naive = read(plain(["2026-09-22 10:00:00,m,10,5,1,1"]))
    assert naive.start == datetime(2026, 9, 22, 10, tzinfo=UTC)
    assert any("no zone and were read as UTC" in note for note in naive.notes)
    stated = read(plain(["2026-09-22 10:00:00Z,m,10,5,1,1"]))
    assert not any("no zone" in note for note in stated.notes)
    assert not any("no zone" in note for note in sample("anthropic_usage_tokens.csv").notes)  # usage_date_utc


def test_daily_rows_of_another_zone_are_days_not_traffic_at_22() -> None:
    """Fault B140, in a DeepSeek file (which says how long its rows are) and in a plain one (which does not)."""
    header = "user_id,start_time_iso,end_time_iso,model,api_key_name,api_key,type,price,amount"
    deepseek = "\n".join(
        [
            header,
            "u,2026-09-22T00:00:00+02:00,2026-09-23T00:00:00+02:00,m,k,s,output_tokens,,10",
            "u,2026-09-22T00:00:00+02:00,2026-09-23T00:00:00+02:00,m,k,s,input_cache_miss_tokens,,10",
        ]
    )
    plain_days = plain(f"2026-09-{day}T22:00:00Z,m,10,5,1,1" for day in range(10, 20))
    for content in (deepseek, plain_days):
        usage = read(content)
        assert usage.bucket == "day"
        assert usage.hourly is None
        assert "daily buckets" in (usage.hourly_reason or "")
        assert usage.mean_output_tok_s is not None


def test_the_step_of_a_plain_table_is_seen_from_its_times() -> None:
    hours = [f"2026-09-{day}T{hour:02d}:00:00Z,m,10,5,{hour},1" for day in (21, 22) for hour in (8, 9)]
    requests = [f"2026-09-21T{hour:02d}:12:13Z,m,10,5,7,1" for hour in (8, 9)]
    assert read(plain(hours)).bucket == "hour"
    assert read(plain(hours)).end == datetime(2026, 9, 22, 10, tzinfo=UTC)
    assert read(plain(requests)).bucket == "request"
    assert read(plain(requests)).mean_output_tok_s == pytest.approx(14 / 3600)
    assert read(plain(["2026-09-21T08:12:13Z,m,10,5,7,1"])).mean_output_tok_s is None


def test_the_profile_is_a_mean_week() -> None:
    """Ten flat days are a flat week, not one with three heavier days; a day without traffic pulls its hours down."""
    start = datetime(2026, 9, 7, tzinfo=UTC)  # a Monday

    def rows(hours: int, skipped: range = range(0)) -> list[str]:
        return [f"{(start + timedelta(hours=h)).isoformat()},m,40,20,10,1" for h in range(hours) if h not in skipped]

    ten_days = read(plain(rows(240)))
    assert set(ten_days.hourly or ()) == {10.0}
    assert ten_days.hours_covered == 168
    idle_tuesday = read(plain(rows(336, range(24, 48))))
    assert idle_tuesday.hourly is not None
    assert (idle_tuesday.hourly[24], idle_tuesday.hourly[48]) == (5.0, 10.0)
    two_days = read(plain(rows(48)))
    assert two_days.hours_covered == 48
    assert any("covers 48 of the 168 hours" in note for note in two_days.notes)
    assert two_days.mean_output_tok_s == pytest.approx(10 / 3600)


def test_hours_between_utc_hours_count_where_they_start() -> None:
    header = "start_time_iso,end_time_iso,num_model_requests,model,input_tokens,output_tokens,input_cached_tokens\n"
    usage = read(header + "2026-09-22T08:00:00+05:30,2026-09-22T09:00:00+05:30,1,m,10,2,5\n")  # 02:30 to 03:30 UTC
    assert usage.bucket == "hour"
    assert usage.hourly is not None
    assert (usage.hourly[26], usage.hourly[27], usage.hours_covered) == (2, 0, 2)
    assert (usage.start, usage.end) == (
        datetime(2026, 9, 22, 2, 30, tzinfo=UTC),
        datetime(2026, 9, 22, 3, 30, tzinfo=UTC),
    )
    assert any("between two UTC hours" in note for note in usage.notes)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7 * 86_400 - 1), st.integers(1, 10**6)), min_size=2, max_size=30, unique=True))
def test_the_profile_of_one_week_holds_every_output_token(rows: list[tuple[int, int]]) -> None:
    start = seconds_utc(datetime(2026, 9, 9, 17, tzinfo=UTC))
    usage = read(plain(f"{start + second},m,{tokens},0,{tokens},1" for second, tokens in rows))
    if usage.hourly is not None:
        assert sum(usage.hourly) == usage.output_tokens == sum(tokens for _, tokens in rows)
    assert (usage.hourly is None) == (usage.bucket == "day")


def test_times_are_optional() -> None:
    usage = read("model,input_tokens,output_tokens\nm,10,5\n")
    assert (usage.input_per_output, usage.start, usage.bucket) == (2, None, "snapshot")
    assert usage.hourly_reason == usage.mean_output_reason == "this file has no times"


# Bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, line_end: str) -> None:
    """Fault B116."""
    text = (SAMPLES / "anthropic_usage_tokens.csv").read_text(encoding="utf-8").replace("\n", line_end)
    usage = read(text.encode(encoding))
    assert (usage.format_id, usage.input_tokens, usage.output_tokens) == ("anthropic-usage", 1_010_000, 45_000)


def test_windows_encoding_is_named() -> None:
    usage = read(plain(["2026-09-01,Müller,10,5,1,1"]).encode("cp1252"))
    assert list(usage.by_model) == ["Müller"]
    assert any("Windows-1252" in note for note in usage.notes)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(separator: str) -> None:
    text = plain(["2026-09-01,m,10,5,1,1"]).replace(",", separator)
    assert read(text).input_tokens == 10
    assert read(f"sep={separator}\r\n{text}").input_tokens == 10


def archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("amount.csv", PLAIN)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (archive(), "ZIP archive or Excel"),
        (gzip.compress(PLAIN.encode(), mtime=0), "gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel"),
        (b"%PDF-1.7", "PDF"),
        (b"PAR1\x15\x04", "Parquet"),
        (PLAIN.encode() + b"2026\x00", "binary"),
        (b'{"data": []}', "JSON"),
        (b"[1]", "JSON"),
        (b"<!doctype html>", "web page"),
        (b"", "empty"),
        (codecs.BOM_UTF8 + b"\r\n\r\n", "empty"),
        (b"x" * 2_000_000, "longer than"),
        (PLAIN.encode() + b"1," * 1_000_000, "longer than"),
    ],
)
def test_what_is_no_table_is_refused_with_a_remedy(content: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        read(content)
    assert caught.value.file == "1.csv"
    assert "1.csv: " in str(caught.value)


def test_broken_quoting_never_swallows_rows() -> None:
    rows = ['2026-09-01,"m,10,5,1,1', "2026-09-02,m,10,5,1,1", "2026-09-03,m,10,5,1,1"]
    with pytest.raises(UsageError, match="quoting is broken"):
        read(plain(rows))
    with pytest.raises(UsageError, match="quoting is broken"):
        read(plain(['2026-09-01,"a"b,10,5,1,1']))


def test_rows_of_another_length_are_refused_and_trailing_separators_are_not() -> None:
    usage = read(plain(["2026-09-01,m,10,5,1,1,,", "2026-09-02,m,10,5", "", "2026-09-03,m,10,5,1,1,9"]))
    assert usage.rows_used == 1
    [skipped] = usage.skipped
    assert (skipped.count, skipped.first_rows) == (2, (2, 4))


def test_columns_that_are_there_twice_are_refused() -> None:
    with pytest.raises(UsageError, match="two columns “input_tokens”"):
        read("input_tokens,output_tokens,input_tokens\n1,1,1\n")
