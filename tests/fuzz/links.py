"""Hostile links: full ones with some values spoilt, extremes that are allowed, and noise."""

import json
from collections.abc import Iterator
from random import Random
from urllib.parse import quote, urlencode

from costmodel.answer import answer_dict
from costmodel.catalog import Catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.link import decode, encode, example_scenario, link_of, plain_number, query_of
from costmodel.risk.risk_answer import risk_dict
from costmodel.scenario import INPUTS, Input
from tests.fuzz import hostile

Pairs = list[tuple[str, str]]
APIS = (
    *("custom:x:0:0:0", "custom:x:1000:0:1000", "custom::1:1:1", "custom:a:b:c:d:e", "custom:x:1", "custom:x:-1:1:1"),
    *("deepseek:deepseek-flash", "deepseek:deepseek-flash@peak", "deepseek:deepseek-flash@", "@peak", ":", "a:b@c@d"),
)


def extreme(asked: Input, dice: Random) -> str:
    """A value that the input allows: its bounds, and what lies close to them."""
    low, high = asked.low or 0, asked.high if asked.high is not None else 10**12 - 1
    if asked.kind == "choice":
        return dice.choice(asked.choices)
    if asked.kind == "whole":
        return str(dice.choice([low, high, low + 1, high - 1, 0, 1, dice.randint(int(low), int(high))]))
    if asked.kind in ("number", "number_or_auto"):
        tiny = 10.0 ** -dice.randint(0, 20)
        return plain_number(dice.choice([low, high, low + tiny, high - tiny, 0, 1, dice.uniform(low, high), tiny]))
    return dice.choice(hostile.ALL)


def noise(dice: Random, longest: int) -> str:
    """Random characters of all planes, surrogates included."""
    ranges = ((0, 0x7F), (0x80, 0x2FF), (0x2000, 0x206F), (0xD800, 0xDFFF), (0x1F000, 0x1FAFF))
    return "".join(chr(dice.randint(*dice.choice(ranges))) for _ in range(dice.randint(0, longest)))


def _spoilt_pair(key: str, value: str, catalog: Catalog, dice: Random) -> Pairs:
    """One pair of a link, changed."""
    asked = INPUTS.get(key)
    ways = ("extreme", "extreme", "hostile", "other", "catalogue", "gone", "twice", "noise", "key", "cut")
    way = dice.choice(ways)
    if way == "extreme" and asked:
        return [(key, extreme(asked, dice))]
    if way == "hostile":
        return [(key, dice.choice(hostile.ALL))]
    if way == "other":
        return [(key, dice.choice(list(INPUTS)))]
    if way == "catalogue":
        known = (*catalog.models, *catalog.rentals, *catalog.apis, *catalog.benchmarks, *catalog.examples, *APIS)
        return [(key, dice.choice(known))]
    if way == "gone":
        return []
    if way == "twice":
        return [(key, value)] * dice.choice([2, 2, 3, 50])
    if way == "noise":
        return [(key, noise(dice, 40))]
    if way == "key":
        return [(dice.choice([key.upper(), key + "\x00", "", "embed", "__class__", noise(dice, 6), "scenario"]), value)]
    return [(key, value[: dice.randint(0, len(value))])]


def hostile_links(catalog: Catalog, count: int, seed: int) -> Iterator[str]:
    """Seeded links, the same for the same seed."""
    dice = Random(seed)
    bases: list[Pairs] = [encode(example_scenario(catalog, name)) for name in catalog.examples]
    for _ in range(count):
        pairs = list(dice.choice(bases))
        for key in dice.sample(list(INPUTS), dice.randint(0, 3)):
            pairs.append((key, extreme(INPUTS[key], dice)))
        for _ in range(dice.randint(0, 6)):
            place = dice.randrange(len(pairs))
            pairs[place : place + 1] = _spoilt_pair(*pairs[place], catalog, dice)
            if not pairs:
                break
        text = urlencode(pairs, quote_via=quote, errors="surrogatepass")
        form = dice.random()
        if form < 0.02:
            text = noise(dice, 300)
        elif form < 0.04:
            text = "&".join(f"{key}={noise(dice, 30)}" for key in dice.sample(list(INPUTS), 8))
        elif form < 0.06:
            place = dice.randint(0, len(text))
            text = (
                text[:place] + dice.choice(["%", "%u0041", "%ff%fe", ";", "&&&", "=", "#", "?", "\x00"]) + text[place:]
            )
        elif form < 0.07:
            text = "&".join([text] * dice.choice([2, 5, 40]))
        yield dice.choice(["?", "?", "?", "https://example.org/app?", "http://[::1/?", "//x?", ""]) + text


def read_link(catalog: Catalog, text: str, *, with_risk: bool = False) -> str:
    """Everything a link goes through. Returns what became of it; raises for what must not happen."""
    decoded = decode(catalog, query_of(text))
    again = decode(catalog, query_of(link_of(encode(decoded.scenario))))
    assert again.scenario == decoded.scenario, "a link of the scenario does not read back as the scenario"
    assert not again.problems, f"a link that the program wrote has problems: {again.problems}"
    try:
        comparison = compare(catalog, decoded.scenario)
    except NoAnswerError:
        return "without an answer"
    parts = risk_dict(catalog, comparison) if with_risk else {}
    answer = answer_dict(comparison, decoded.problems, decoded.notes, parts=parts)
    json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
    return "answered with problems" if decoded.problems else "answered"
