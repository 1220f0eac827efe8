"""Own loads in the link: there and back, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costmodel.machine.ownloads import LONGEST_LOADS, MOST_LOADS, loads_text, parse_loads
from costmodel.machine.speed import Load

numbers = st.integers(1, 10**9).map(lambda value: value / 10**4)


@given(st.dictionaries(numbers, numbers, min_size=1, max_size=MOST_LOADS))
def test_loads_survive_the_link(pairs: dict[float, float]) -> None:
    loads = tuple(sorted(Load(*pair) for pair in pairs.items()))
    for read, given_ in zip(parse_loads(loads_text(loads)), loads, strict=True):
        assert tuple(read) == pytest.approx(tuple(given_))


def test_twelve_full_loads_fit_into_the_longest_text() -> None:
    loads = [Load(100_000.5 + index / 100, 12_345.25) for index in range(MOST_LOADS)]
    assert len(loads_text(loads)) <= LONGEST_LOADS


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no list"),
        ("8;325", "no list"),
        ("8:325,", "no list"),
        ("8:1e3", "no list"),
        ("-8:325", "no list"),
        ("0:325", "0 requests"),
        ("8:0", "0 tok/s"),
        ("8:325,8:300", "twice"),
        (",".join(f"{index}:1" for index in range(1, MOST_LOADS + 2)), "more than"),
    ],
)
def test_what_is_no_load_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_loads(text)
