"""The languages of the page: every sentence of the code is translated, and no translation is left over or broken."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from costmodel.catalog import catalog
from costmodel.compare import LEFT_OUT, Comparison, compare
from costmodel.imports import FORMATS, prometheus
from costmodel.language import LANGUAGES, language_of, number_text, say, say_count, speaking, spoken, translations
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import NO_PRICE
from costmodel.machine.library import BASIS_WORDS
from costmodel.risk.ranges import API_PRICE, asked_of
from costmodel.scenario import INPUTS
from costmodel.ui.inputs import BOXES
from costmodel.ui.text import TAGLINE
from costmodel.ui.views import NAMES
from costmodel.ui.views.method import EQUATIONS
from costmodel.words import percent_text
from costmodel.worked_example import ARTICLES, STEPS

CODE = Path(__file__).parents[1] / "costmodel"
TRANSLATED = [code for code in LANGUAGES if code != "en"]


def said_in(path: Path) -> Iterator[tuple[str, ...]]:
    """Every template that a module passes to say or say_count."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "say_count"):
            forms = node.args[: 1 if node.func.id == "say" else 2]
            if all(isinstance(form, ast.Constant) and isinstance(form.value, str) for form in forms):
                yield tuple(str(form.value) for form in forms if isinstance(form, ast.Constant))
            else:
                # Names of tables and inputs are said where they are shown; their texts are collected below.
                assert isinstance(forms[0], ast.Name | ast.Attribute | ast.Subscript), (
                    f"{path.name}:{node.lineno}: a sentence put together before it is said cannot be translated"
                )


def named_texts() -> Iterator[tuple[str, ...]]:
    """Texts that are kept as data and said where they are shown: what the inputs are called, and explain."""
    for asked in (*INPUTS.values(), asked_of(API_PRICE)):
        yield from ((text,) for text in (asked.label, asked.unit, asked.help) if text)
    yield from ((text,) for text in (*LEFT_OUT, *BASIS_WORDS.values(), NO_PRICE, prometheus.NAME))
    yield from ((known.name,) for known in FORMATS)
    yield from ((text,) for text in (TAGLINE, *NAMES.values(), *BOXES, *EQUATIONS))
    yield from ((name,) for name in ARTICLES.values())
    yield from ((text,) for steps in STEPS.values() for step in steps for text in (step.said, step.why))


def templates() -> set[tuple[str, ...]]:
    modules = (path for path in CODE.rglob("*.py"))
    return {forms for path in modules for forms in said_in(path)} | set(named_texts())


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_sentence_is_translated(code: str) -> None:
    known = translations(code)
    missing = [forms for forms in templates() if (forms if len(forms) > 1 else forms[0]) not in known]
    assert not missing, f"{len(missing)} sentences have no {LANGUAGES[code]}: {sorted(missing)[:20]}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_keep_what_is_filled_in_and_are_all_used(code: str) -> None:
    used = templates()
    for key, translated in translations(code).items():
        forms, words = (key, translated) if isinstance(key, tuple) else ((key,), (translated,))
        assert forms in used, f"{LANGUAGES[code]}: nobody says {forms}"
        for english, foreign in zip(forms, words, strict=True):
            assert fields(foreign) <= fields(english), f"{LANGUAGES[code]}: {foreign}"
            lost = fields(english) - fields(foreign) - {"count"}
            assert not lost, f"{LANGUAGES[code]} of “{english}” leaves out {lost}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_bill_is_the_same_data_in_every_language(code: str) -> None:
    query = "?scenario=deepinfer-128&acquire=reserve&reserve_off=37.5&spare=1&staff=1&setup=1000&request=300000"
    scenario = decode(catalog(), query_of(f"{query}&api=deepseek:deepseek-flash@peak&api=openai:gpt-5.6-sol")).scenario

    def lines(comparison: Comparison) -> list[tuple[str, str, float]]:
        bills = (comparison.self_host.lines, *(api.lines for api in comparison.apis))
        return [(line.name, line.unit, line.usd) for bill in bills for line in bill]

    english = compare(catalog(), scenario)
    with speaking(code):
        foreign = compare(catalog(), scenario)
    assert lines(foreign) == lines(english)
    assert foreign.apis[0].name != english.apis[0].name, "a price window is a word"


def test_numbers_follow_the_language() -> None:
    assert percent_text(0.764087) == "76.4 %"
    with speaking("de"):
        assert percent_text(0.764087) == "76,4 %"
        assert number_text("1,234,567.5") == "1.234.567,5"
    assert spoken() == "en"


def test_a_sentence_without_translation_stays_english() -> None:
    with speaking("de"):
        assert say("Nobody {verb} this.", verb="says") == "Nobody says this."
        assert say_count("{count} quux", "{count} quuxes", 2) == "2 quuxes"


@pytest.mark.parametrize(
    ("locale", "code"), [("de-DE", "de"), ("es-419", "es"), ("en-GB", "en"), ("fr-FR", "en"), ("", "en"), (None, "en")]
)
def test_the_browser_chooses(locale: str | None, code: str) -> None:
    assert language_of(locale) == code
