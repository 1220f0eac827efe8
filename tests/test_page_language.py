"""The page in the other languages: no English sentence is left, numbers have its marks, and the data stay the same."""

import json
import re
import string
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.__main__ import main
from costmodel.catalog import catalog
from costmodel.compare import NoAnswerError, compare
from costmodel.language import LANGUAGES, speaking, translations
from costmodel.ledger import CostLine
from costmodel.link import decode, query_of
from costmodel.paths import PRICES
from costmodel.ui.charts import reader_track
from costmodel.ui.text import Money
from costmodel.ui.text_lines import line_name, line_unit
from costmodel.ui.views import NAMES
from tests.app_page import components, figures, opened_menu, page, seen, words
from tests.test_page import address

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
OTHERS = [code for code in LANGUAGES if code != "en"]
EXTRAS = "&cur=EUR&vat=19&traffic=business&tz=Europe/Berlin&staff=0.5&kv_tb=20&setup=1000&storage=100&leave=no"
_FEWEST_WORDS = 4
"""Shorter templates may be parts of names and of numbers."""
_NOT_SAID = ("id", "element_id", "form_id", "json", "css_content", "js_content", "html_content", "url", "link")


def _strings(message: Any) -> Iterator[str]:
    """Every text of an element."""
    for field, value in message.ListFields():
        if field.name in _NOT_SAID:
            continue
        for each in value if field.is_repeated and not isinstance(value, Mapping) else [value]:
            if isinstance(each, str):
                yield each
            elif hasattr(each, "ListFields"):
                yield from _strings(each)


def _leaves(data: Any) -> Iterator[str]:
    """Every text that a part of the page in the browser was given."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in _NOT_SAID:
                yield from _leaves(json.loads(value) if key in ("figure", "follow") else value)
    elif isinstance(data, list):
        for value in data:
            yield from _leaves(value)


def shown_texts(app: AppTest) -> set[str]:
    """Everything a reader can see, hover over or have read out, the sidebar included."""
    protos = [node.proto for part in (app.main, app.sidebar) for node in part if hasattr(node.proto, "ListFields")]
    given = [each for name in ("_figures", "_live_chart", "_png", "_copy_link") for each in components(app, name)]
    return {seen(text) for proto in protos for text in _strings(proto)} | {seen(text) for text in _leaves(given)}


@cache
def _english(code: str) -> list[tuple[str, re.Pattern[str]]]:
    """Templates that a language says in other words: their longest part, and what they look like filled in.

    What stands in the price files is shown as it stands there.
    """
    data = "".join(path.read_text(encoding="utf-8") for path in PRICES.rglob("*.yaml"))
    patterns = []
    for key, translated in translations(code).items():
        forms, foreign = (key, translated) if isinstance(key, tuple) else ((key,), (translated,))
        for template, other in zip(forms, foreign, strict=True):
            literals = [seen(literal) for literal, *_ in string.Formatter().parse(template)]
            part = max(literals, key=len)
            if template != other and len(" ".join(literals).split()) >= _FEWEST_WORDS and part not in data:
                patterns.append((part, re.compile(".+".join(map(re.escape, literals)))))
    return patterns


@cache
def is_english(text: str, code: str) -> bool:
    """Whether a text holds a sentence that this language says in other words."""
    return any(part in text and pattern.search(text) for part, pattern in _english(code))


# No English is left


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    "query", [CLUSTER, f"{NODE}{EXTRAS}&acquire=buy", "?scenario=deepinfer-16&cached=50&ratio=4&gpus=4&util=3"]
)
def test_no_english_sentence_is_left(query: str, code: str) -> None:
    with speaking(code):
        app = page(f"{query}&lang={code}")
        # What the view Method prints is the code's own documentation.
        for view in NAMES.keys() - {"method"}:
            app.session_state["view"] = view
            app.run()
            assert not app.exception, view
            left = [text for text in shown_texts(app) if is_english(text, code)]
            assert not left, f"{view}: {sorted(left)[:5]}"


@pytest.mark.parametrize("code", OTHERS)
def test_the_method_frames_its_english_equations(code: str) -> None:
    with speaking(code):
        app = page(f"{CLUSTER}&view=method&lang={code}")
        said = words(app)
    assert translations(code)["The equations below stay in English: they are printed from the code itself."] in said
    assert translations(code)["The self-hosting bill"] in [box.label for box in app.expander]


@pytest.mark.parametrize(
    "query",
    [f"{CLUSTER}&util=0", f"{CLUSTER}&asof=2025-01-01", f"{CLUSTER}&api=custom:Free:0:0:0&peak=3", f"{NODE}&gpus=4"],
)
def test_refusals_are_said_in_the_language(query: str) -> None:
    with speaking("de"):
        app = page(f"{query}&lang=de")
        assert not [text for text in shown_texts(app) if is_english(text, "de")]


def test_what_is_wrong_with_a_link_is_said_in_its_language() -> None:
    with speaking("de"):
        said = words(page(f"{CLUSTER}&util=abc&lang=de"))
    assert "Ein Teil des Links war nicht zu verwenden:" in said
    assert "Auslastung" in next(line for line in said.splitlines() if "abc" in line)


def test_a_callback_answers_in_the_language() -> None:
    with speaking("de"):
        app = page(f"{CLUSTER}&lang=de")
        app.text_input(key="typed_input").set_value("0,1")
        next(button for button in app.button if button.label == "Diesen Preis hinzufügen").click().run()
        assert "Dieser Preis" in words(app)
        assert not [text for text in shown_texts(app) if is_english(text, "de")]


def test_the_check_would_find_english() -> None:
    assert len([text for text in shown_texts(page(CLUSTER)) if is_english(text, "de")]) > 20


# Bills


def _bills() -> Iterator[CostLine]:
    """Every line of every example, however its GPUs are got, with everything that can be on a bill."""
    everything = (
        "&staff=1&storage=9&egress=9&network=9&support=9&setup=9&kv_tb=2&spare=1&region=eu&batch=20&cache_write=5"
    )
    for example in CATALOG.examples:
        for acquire in ("rent", "reserve", "spot", "buy"):
            for more in ("", "&spot_off=37.5&reserve_off=12", "&request=200000&cached=20&peak=30"):
                query = f"?scenario={example}&acquire={acquire}{everything}{more}"
                try:
                    comparison = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
                except NoAnswerError:
                    continue
                yield from comparison.self_host.lines
                yield from (line for api in comparison.apis for line in api.lines)


def test_every_line_of_a_bill_is_translated() -> None:
    lines = {(line.name, line.unit): line for line in _bills()}.values()
    assert len(lines) > 50
    alike = {"Colocation", "Input", "Output"}
    """Words that are the same in both languages."""
    for line in lines:
        assert line_name(line) == line.name, "in English a line is called what the bill calls it"
        assert line_unit(line) == line.unit
        with speaking("de"):
            assert line_name(line) != line.name or line.name.partition(":")[0] in alike, line.name
            assert line_unit(line) != line.unit or line.unit in ("kWh", "GB", "USD of the lines above")


# Numbers and data


@pytest.mark.parametrize("code", OTHERS)
def test_numbers_have_the_marks_of_the_language(code: str) -> None:
    with speaking(code):
        app = page(f"{CLUSTER}&util=50&lang={code}")
        said = words(app)
    assert "0,917" in said
    assert "740.659" in said
    assert not re.search(r"0\.917|740,659", said)
    (chart,) = components(app, "_live_chart")
    assert json.loads(chart["figure"])["layout"]["separators"] == ",."
    assert re.search(r"50 %, 0,917\u00a0(US)?\$", chart["follow"].encode().decode("unicode_escape"))


@pytest.mark.parametrize("code", OTHERS)
def test_the_link_and_the_data_stay_the_same(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(query: str) -> dict[str, Any]:
        assert main(["compare", query]) == 0
        data: dict[str, Any] = json.loads(capsys.readouterr().out)
        return data

    english, other = answer(CLUSTER), answer(f"{CLUSTER}&lang={code}")
    assert other["scenario"].pop("lang") == code
    english["scenario"].pop("lang", None)
    assert other.pop("link") == english.pop("link").replace("&gpu=", f"&lang={code}&gpu=", 1)
    assert other == english
    (plain,) = components(opened_menu(CLUSTER), "_copy_link")
    with speaking(code):
        (copied,) = components(opened_menu(f"{CLUSTER}&lang={code}"), "_copy_link")
    assert copied["link"].replace(f"&lang={code}", "") == plain["link"]


def test_labels_that_are_kept_are_kept_by_language() -> None:
    def label() -> str:
        return reader_track(0.4585, Money(decode(CATALOG, query_of(CLUSTER)).scenario))["50"][2]

    assert label().startswith("you: 50 %")
    with speaking("de"):
        assert label().startswith("Sie: 50 %")
    assert label().startswith("you: 50 %")


# The choice


def test_the_language_is_chosen_at_the_side() -> None:
    off_peak = "deepseek:deepseek-flash@off_peak"
    app = page(f"{CLUSTER}&api={off_peak}&api=custom:Quote:1:0.5:2&traffic=business&days=mon-wed")
    assert app.selectbox(key="lang").options[1:] == list(LANGUAGES.values())
    before = address(app)
    app.selectbox(key="lang").set_value("de")
    app.run()
    with speaking("de"):
        assert not app.exception
        assert app.selectbox(key="gpu").label == "GPU-Mietangebot"
        assert next(iter(figures(app))) == "Eigene GPUs"
        for key, value in (("basis", "total"), ("traffic", "diurnal")):
            app.selectbox(key=key).set_value(value)
        app.run()
        assert not app.exception
        assert app.multiselect(key="api").value == [off_peak, "custom:Quote:1:0.5:2"]
        assert address(app)["lang"] == "de"
        assert address(app)["api"] == [off_peak, "custom:Quote:1:0.5:2"]
        for key, value in (("basis", "output"), ("traffic", "business")):
            app.selectbox(key=key).set_value(value)
        app.selectbox(key="lang").set_value("browser")
        app.run()
    assert app.selectbox(key="gpu").label == "GPU rental"
    assert address(app) == before


def test_an_example_keeps_the_language() -> None:
    with speaking("es"):
        app = page(f"{CLUSTER}&lang=es")
        app.selectbox(key="example").set_value("node-8xh200").run()
        assert address(app)["lang"] == "es"
        assert "su" in words(app)


def test_two_readers_do_not_share_a_language() -> None:
    with speaking("de"):
        german = page(f"{CLUSTER}&lang=de")
    english = page(CLUSTER)
    assert "utilization your own GPUs cost" in words(english)
    assert "Auslastung kosten Ihre eigenen GPUs" in words(german)
