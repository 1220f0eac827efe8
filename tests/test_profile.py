"""An imported week in a link: exact on reading back, fine enough, and refused where it is no week."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.load.profile import PROFILE_LENGTH, profile_text, profile_weights

STEPS = 62**2 - 1
weeks = st.lists(st.floats(0, 1e12, allow_subnormal=False), min_size=168, max_size=168).filter(
    lambda week: max(week) > 0
)


@given(weeks)
def test_a_text_reads_back_as_itself(week: list[float]) -> None:
    text = profile_text(week)
    assert len(text) == PROFILE_LENGTH
    assert quote(text, safe="") == text
    assert profile_text(profile_weights(text)) == text


@given(weeks)
def test_no_hour_is_off_by_more_than_half_a_step_of_the_busiest(week: list[float]) -> None:
    for given_value, read in zip(week, profile_weights(profile_text(week)), strict=True):
        assert abs(given_value / max(week) - read / STEPS) <= 0.5 / STEPS * (1 + 1e-9)


@given(weeks, st.floats(0.01, 100))
def test_only_proportions_count(week: list[float], factor: float) -> None:
    scaled = profile_weights(profile_text([value * factor for value in week]))
    for one, other in zip(profile_weights(profile_text(week)), scaled, strict=True):
        assert abs(one - other) <= 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 0 characters, not 336"),
        ("zz" * 167, "has 334 characters"),
        ("zz" * 167 + "z", "has 335"),
        ("zz" * 168 + "0", "has 337"),
        ("zz" * 167 + "z-", "“-”"),
        ("zz" * 167 + "zé", "“é”"),
        ("00" * 168, "no traffic"),
    ],
)
def test_what_is_no_week_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        profile_weights(text)


@pytest.mark.parametrize(
    "week", [[], [1.0] * 167, [0.0] * 168, [-1.0] + [1.0] * 167, [float("nan")] * 168, [float("inf")] + [1.0] * 167]
)
def test_what_cannot_be_written_is_refused(week: list[float]) -> None:
    with pytest.raises(ValueError, match="give 168 finite numbers"):
        profile_text(week)
