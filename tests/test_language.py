"""The languages of the page: every sentence of the code is translated, and no translation is left over or broken."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from costmodel.language import LANGUAGES, language_of, number_text, say, say_count, speaking, spoken, translations
from costmodel.scenario import INPUTS
from costmodel.words import percent_text

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
    for asked in INPUTS.values():
        yield from ((text,) for text in (asked.label, asked.unit, asked.help) if text)


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
