"""The language of what is said: English in the code, the others in costmodel/languages/, chosen for each reader.

A sentence is a template, `say("At {share} utilization …", share=…)`; its English text is the key of the translations.
Without `speak` everything is English: the command line, the JSON answer and the tests.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
LOCALES = {"en": "en_US", "de": "de_DE", "es": "es_ES"}
"""Whose number formats go with a language."""
TRANSLATIONS = Path(__file__).parent / "languages"
"""One folder a language, in it gettext files by subject."""
_SPOKEN: ContextVar[str] = ContextVar("spoken", default="en")


def speak(code: str) -> None:
    """From here on, in this thread or task, everything is said in this language."""
    _SPOKEN.set(code)


def spoken() -> str:
    """The code of the language in use."""
    return _SPOKEN.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """A language for the lines within.

    >>> with speaking("de"):
    ...     spoken()
    'de'
    >>> spoken()
    'en'
    """
    before = _SPOKEN.set(code)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def in_this_language(task: Callable[..., T]) -> Callable[..., T]:
    """A task that will run in another thread, later, in the language of now."""
    code = spoken()

    def run(*positional: Any, **named: Any) -> T:
        with speaking(code):
            return task(*positional, **named)

    return run


def language_of(locale: str | None) -> str:
    """The language for a browser's locale; English where it is none of ours.

    >>> language_of("de-AT"), language_of("fr"), language_of(None)
    ('de', 'en', 'en')
    """
    code = (locale or "").partition("-")[0].lower()
    return code if code in LANGUAGES else "en"


@cache
def translations(code: str) -> Mapping[Any, Any]:
    """Every translated template of a language by its English text, or by both forms where a count decides."""
    from babel.messages.pofile import read_po  # here, because English needs none of it

    found: dict[Any, Any] = {}
    for path in sorted((TRANSLATIONS / code).glob("*.po")):
        with path.open("rb") as file:
            found |= {message.id: message.string for message in read_po(file, locale=code) if message.string}
    found.pop("", None)
    return found


def say(template: str, /, **values: object) -> str:
    """A sentence in the language in use; English where it is not translated yet.

    >>> say("{count} GPUs", count=8)
    '8 GPUs'
    """
    if spoken() != "en":
        template = str(translations(spoken()).get(template, template))
    return template.format(**values) if values else template


def number_text(english: str) -> str:
    """A number written the English way, with the marks of the language in use.

    >>> with speaking("de"):
    ...     number_text("740,659.2")
    '740.659,2'
    """
    if spoken() == "en":
        return english
    group, decimal = marks()
    whole, point, decimals = english.partition(".")
    return whole.replace(",", group) + (decimal if point else "") + decimals


def marks() -> tuple[str, str]:
    """How the language in use groups thousands and marks decimals.

    >>> marks()
    (',', '.')
    """
    return _marks(spoken())


@cache
def _marks(code: str) -> tuple[str, str]:
    from babel.numbers import get_decimal_symbol, get_group_symbol  # here, because English needs none of it

    return get_group_symbol(LOCALES[code]), get_decimal_symbol(LOCALES[code])


def say_count(one: str, many: str, /, count: float, **values: object) -> str:
    """A sentence whose form depends on a count.

    >>> say_count("{count} unit", "{count} units", 1), say_count("{count} unit", "{count} units", 3)
    ('1 unit', '3 units')
    """
    template = one if count == 1 else many
    if spoken() != "en":
        forms = translations(spoken()).get((one, many))
        if forms:
            template = forms[0 if count == 1 else 1]
    return template.format(**{"count": count, **values})
