"""The view Prices: every figure in use with source and age, today's verdict beside the link's, the catalogue."""

import csv
import io
from collections.abc import Iterator
from datetime import date
from typing import Any, Self

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.in_use import figures_in_use
from costmodel.link import decode, query_of
from costmodel.pricefiles.price_history import KINDS, records, series_in_use, series_of
from costmodel.ui.charts_prices import history_chart, history_table
from costmodel.ui.text import Money, verdict
from costmodel.ui.text_prices import figure_name, figure_words
from costmodel.ui.views import prices as view
from costmodel.ui.views.frame import csv_text
from tests.app_page import figure, page, seen, words

CATALOG = catalog()
TODAY = date(2026, 11, 30)
SOL = "?scenario=node-8xh200&api=openai:gpt-5.6-sol&asof=2026-08-20"
QUERIES = ["?scenario=deepinfer-128", SOL, "?scenario=node-8xh200&acquire=buy&staff=1", "?scenario=node-8xh200&cur=EUR"]


class FixedDay(date):
    """Today as these tests have it."""

    @classmethod
    def today(cls) -> Self:
        return cls(TODAY.year, TODAY.month, TODAY.day)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("costmodel.ui.views.prices", "costmodel.ui.page"):
        monkeypatch.setattr(f"{module}.date", FixedDay)


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def tables(app: AppTest) -> Iterator[Any]:
    return (each.value for each in app.dataframe)


@pytest.mark.parametrize("query", QUERIES)
def test_every_figure_in_use_is_said_with_its_source(query: str) -> None:
    said = words(page(f"{query}&view=prices"))
    for each in figures_in_use(CATALOG, comparison(query), today=TODAY):
        assert f"| {seen(figure_name(each))} | {figure_words(each.value)} " in said
        if each.entry is not None:
            assert f"read {each.entry.source.seen.isoformat()} ({each.entry.basis};" in said
    assert "How to read it." in said
    assert "nan" not in said.lower().split()


def test_figures_have_all_their_digits() -> None:
    assert [figure_words(each) for each in (6.305, 0.0028, 0.1275, 14_466, 740_659.25, 36, 0)] == [
        "6.305",
        "0.0028",
        "0.1275",
        "14,466",
        "740,659.2",
        "36",
        "0",
    ]


def test_both_verdicts_and_the_way_to_todays_prices() -> None:
    app = page(f"{SOL}&view=prices")
    said = words(app)
    then, now = comparison(SOL), comparison(SOL.replace("2026-08-20", "2026-11-30"))
    assert seen(verdict(then)) in said
    assert f"Today's prices would say: {seen(verdict(now))}" in said
    assert "OpenAI GPT-5.6 Sol $50.00 then, $36.00 today (per 1M tokens of this mix)" in said
    assert "| OpenAI GPT-5.6 Sol (per 1M tokens of this mix) | $50.00 | $36.00 | −28 % |" in said
    app.button(key="use_today").click().run()
    assert app.query_params["asof"] == "2026-11-30"
    assert "Prices have changed" not in words(app)
    assert "Since " not in words(app)


def test_where_nothing_changed_it_says_so() -> None:
    said = words(page("?scenario=deepinfer-128&view=prices"))
    assert "No price in use has changed: today's prices would say the same." in said
    assert "Prices have changed" not in said


def test_stale_prices_are_marked_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Later(FixedDay):
        @classmethod
        def today(cls) -> Self:
            return cls(2027, 3, 1)

    monkeypatch.setattr("costmodel.ui.views.prices.date", Later)
    app = page("?scenario=deepinfer-128&view=prices")
    said = words(app)
    assert "**5 prices in use are stale**: they were last confirmed more than 60 days ago." in said
    assert "| CoreWeave HGX B200 | 8.6 $ per GPU-hour | published, **stale**: confirmed 127 days ago |" in said
    app.session_state["prices_rental"] = True
    app.run()
    (rents,) = tables(app)
    states = dict(zip(rents["Id"], rents["State"], strict=True))
    assert states["coreweave-b200"] == "stale: read it again"


def test_parts_of_the_catalogue_are_drawn_when_they_are_opened() -> None:
    app = page("?scenario=deepinfer-128&view=prices")
    assert not app.dataframe
    for kind in KINDS:
        app.session_state[f"prices_{kind}"] = True
    app.run()
    assert not app.exception
    shown = list(tables(app))
    assert [len(each) for each in shown] == [len(records(CATALOG, kind)) for kind in KINDS]
    rents = shown[0].set_index("Id")
    assert rents.loc["coreweave-b200", "$ per GPU-hour"] == 8.6
    assert rents.loc["coreweave-b200", "Source"] == "https://www.coreweave.com/pricing"
    assert rents.loc["coreweave-b200", "Age, days"] == 36
    assert rents.loc["akash-b300", "State"] != "current"
    apis = shown[1].set_index("Id")
    assert apis.loc["deepseek:deepseek-flash", "Output, peak, $ per 1M tokens"] == 1.2
    assumed = shown[5].set_index("Id")
    assert assumed.loc["stale_after_days", "Value"] == "60 days"


def test_the_catalogue_can_be_searched() -> None:
    app = page("?scenario=deepinfer-128&view=prices")
    app.session_state["prices_api"] = True
    app.run()
    app.text_input(key="prices_find").set_value("deepseek FLASH").run()
    (found,) = tables(app)
    assert 0 < len(found) < len(CATALOG.apis)
    assert all("flash" in f"{name} {key}".lower() for name, key in zip(found["Name"], found["Id"], strict=True))
    assert f"{len(found)} of {len(CATALOG.apis)} records" in words(app)
    app.text_input(key="prices_find").set_value("no such thing").run()
    assert not app.dataframe
    assert f"0 of {len(CATALOG.apis)} records" in words(app)


def test_the_history_of_any_record_can_be_drawn() -> None:
    app = page("?scenario=deepinfer-128&view=prices")
    app.selectbox(key="prices_record").set_value("api:openai:gpt-5.6-sol").run()
    assert not app.exception
    drawn = figure(app)
    output = next(each for each in drawn["data"] if "output" in each["hovertext"][0])
    assert output["line"]["shape"] == "hv"
    assert [output["y"][0], output["y"][-1]] == [30, 20]
    assert "2026-08-21" in output["x"]
    labels = [each["text"] for each in drawn["layout"]["annotations"]]
    assert "OpenAI GPT-5.6 Sol, output $20.00" in labels


def test_every_record_of_the_catalogue_can_be_drawn() -> None:
    answer = comparison("?scenario=deepinfer-128&cur=EUR&vat=19")
    money = Money(answer)
    for kind in view.WITH_HISTORY:
        for record in records(CATALOG, kind).values():
            series = series_of(record)
            drawn = history_chart(series, money, price_date=answer.scenario.price_date, today=TODAY)
            assert len(drawn["data"]) == len(drawn["layout"]["annotations"]) == len(series)
            for line, trace in zip(series, drawn["data"], strict=True):
                factor = money.factor if line.is_money else 1
                stated = [None if step.value is None else step.value * factor for step in line.steps]
                assert trace["y"][:-1] == stated
                assert trace["x"][:-1] == [step.since.isoformat() for step in line.steps]


def test_steps_go_on_to_today_and_both_days_are_marked() -> None:
    answer = comparison(SOL)
    drawn = history_chart(
        series_in_use(CATALOG, answer), Money(answer), price_date=answer.scenario.price_date, today=TODAY
    )
    assert [each["x0"] for each in drawn["layout"]["shapes"]] == ["2026-08-20", "2026-11-30"]
    assert all(each["x"][-1] > "2026-11-30" for each in drawn["data"])
    assert {each["yaxis"] for each in drawn["data"]} == {"y", "y2"}


def test_where_all_is_typed_there_is_no_history() -> None:
    said = words(page("?scenario=node-8xh200&gpu_usd=4&api=custom:Mine:0.1::0.3&view=prices"))
    assert "Every price here was typed by you" in said


def test_the_history_as_data_has_dollars_and_sources() -> None:
    answer = comparison(f"{SOL}&cur=EUR")
    rows = list(csv.reader(io.StringIO(csv_text(answer, history_table(series_in_use(CATALOG, answer))))))
    assert rows[0] == ["record", "price", "since", "value", "unit", "basis", "source", "read"]
    sol = [row for row in rows[1:] if row and row[0] == "OpenAI GPT-5.6 Sol"]
    assert [row[3] for row in sol] == ["30.0", "20.0"]
    assert {row[4] for row in sol} == {"$ per 1M tokens"}


@pytest.mark.parametrize(
    ("language", "words_said"),
    [
        ("de", ("Verwendete Zahlen", "Mit heutigen Preisen hieße es:")),
        ("es", ("Cifras en uso", "Con los precios de hoy")),
    ],
)
def test_the_view_speaks_the_language_of_the_link(language: str, words_said: tuple[str, ...]) -> None:
    app = page(f"{SOL}&view=prices&lang={language}")
    said = words(app) + " ".join(each.value for each in app.subheader)
    for each in words_said:
        assert each in said
