"""Ranges of the link: exact round trips, and every slip named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.risk.ranges import UNCERTAIN, Range, asked_of, is_inside, parse_range, range_text


@given(st.sampled_from(UNCERTAIN), st.floats(0, 1), st.floats(0, 1))
def test_what_is_written_reads_back(key: str, one: float, other: float) -> None:
    asked = asked_of(key)
    span = min(asked.high, 1_000_000) - asked.low
    ends = sorted(round(asked.low + span * max(share, 0.001), 9) for share in (one, other))
    written = Range(key, *ends)
    assert parse_range(range_text(written)) == written


@pytest.mark.parametrize("key", UNCERTAIN)
def test_every_uncertain_input_has_bounds_and_a_label(key: str) -> None:
    asked = asked_of(key)
    assert asked.label
    assert asked.kind in ("number", "whole", "number_or_auto")
    assert is_inside(asked, asked.high)
    assert is_inside(asked, asked.low) != asked.low_is_open
    assert not is_inside(asked, asked.high + 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no range"),
        ("tps", "is no range"),
        ("tps:1", "is no range"),
        ("tps:1:2:3", "is no range"),
        ("title:1:2", "begins with no input that has a range"),
        ("model:1:2", "begins with no input"),
        ("asof:1:2", "begins with no input"),
        ("tps:16000:10000", "has a low above its high"),
        ("tps:1,5:2", "has “1,5” where a plain number should stand"),
        ("tps:1e3:2000", "has “1e3”"),
        ("tps::2000", "has “”"),
        ("tps:nan:2000", "has “nan”"),
        ("tps:+1:2000", "has “+1”"),
        ("tps: 1:2000", "has “ 1”"),
        ("util:-1:50", "outside 0 to 100, the limits of util"),
        ("util:50:100.1", "outside 0 to 100"),
        ("eff:0:50", "outside above 0, up to 100"),
        ("api_drop:-2000:0", "outside -1000 to 99"),
        ("api_price:50:100001", "outside 0 to 100000"),
    ],
)
def test_every_slip_is_named(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^(is|has|begins)") as problem:
        parse_range(text)
    assert reason in str(problem.value)
