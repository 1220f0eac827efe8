"""An imported week in a link: 168 hourly values as letters and digits, compact and exact on reading back."""

from collections.abc import Sequence
from math import inf
from string import ascii_lowercase, ascii_uppercase, digits

from costmodel.language import say
from costmodel.units import HOURS_PER_WEEK

_ALPHABET = digits + ascii_uppercase + ascii_lowercase
_BASE = len(_ALPHABET)
_DIGITS_PER_HOUR = 2
_BUSIEST = _BASE**_DIGITS_PER_HOUR - 1
PROFILE_LENGTH = HOURS_PER_WEEK * _DIGITS_PER_HOUR


def profile_text(weights: Sequence[float]) -> str:
    """168 hourly values, in any unit, as the text of a link: two digits of base 62 each, the busiest hour "zz".

    Formula: digit pair = round(value / highest value · 3,843)
    Assumes: steps of 1/3,843 of the busiest hour (0.03 %) are fine enough; the page computes with the steps as well.
    Raises ValueError for another number of values, a negative or infinite one, or a week without traffic.

    >>> profile_text([1.0] * 24 + [0.5] * 24 + [0.0] * 120)[44:54]
    'zzzzV0V0V0'
    """
    if len(weights) != HOURS_PER_WEEK or not all(0 <= value < inf for value in weights) or not any(weights):
        raise ValueError(
            f"{len(weights)} hourly values: give {HOURS_PER_WEEK} finite numbers from 0 on, at least one above 0"
        )
    highest = max(weights)
    steps = (round(value / highest * _BUSIEST) for value in weights)
    return "".join(_ALPHABET[step // _BASE] + _ALPHABET[step % _BASE] for step in steps)


def profile_weights(text: str) -> tuple[float, ...]:
    """The 168 hourly values of such a text, their highest at most 3,843.

    Raises ValueError for another length, other characters or a week without traffic.

    >>> weights = profile_weights("zz" * 24 + "V0" * 24 + "00" * 120)
    >>> weights[0], weights[30], weights[100]
    (3843.0, 1922.0, 0.0)
    >>> profile_text(weights) == "zz" * 24 + "V0" * 24 + "00" * 120
    True
    """
    if len(text) != PROFILE_LENGTH:
        raise ValueError(
            say(
                "has {characters} characters, not {wanted}: two for each of the {hours} hours",
                characters=len(text),
                wanted=PROFILE_LENGTH,
                hours=HOURS_PER_WEEK,
            )
        )
    wrong = next((character for character in text if character not in _ALPHABET), None)
    if wrong is not None:
        raise ValueError(
            say("holds “{character}”: only digits and the letters A to Z and a to z stand for hours", character=wrong)
        )
    values = [_ALPHABET.index(character) for character in text]
    weights = tuple(float(high * _BASE + low) for high, low in zip(values[::2], values[1::2], strict=True))
    if not any(weights):
        raise ValueError(say("has no traffic in any hour"))
    return weights
