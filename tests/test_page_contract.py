"""The view Contract: the numbers of the answer in words, on the chart, in the export, and its fields in the link."""

from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.answer_contract import contract_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.contracts.contract_answer import contract_answer
from costmodel.link import decode, query_of
from costmodel.ui.charts import MUTED, OWN, READER
from costmodel.ui.charts_contract import contract_table
from costmodel.ui.text import Money
from costmodel.ui.text_contract import kind_name
from costmodel.ui.views.frame import csv_text
from costmodel.words import percent_text
from tests.app_page import figure, page, words

CATALOG = catalog()
CLUSTER, UNIT, NODE = "?scenario=deepinfer-128", "?scenario=deepinfer-16", "?scenario=node-8xh200"
PATHS = "&api_drop=20&gpu_drop=15&growth=30&setup=100000&staff=1&vat=21&cur=EUR"
QUERIES = [
    CLUSTER,
    f"{UNIT}&acquire=reserve{PATHS}",
    f"{CLUSTER}&acquire=buy&capex=45000&term=84&api_drop=-10",
    f"{NODE}&gpu_usd=5&acquire=spot",
]


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(f"{query}&view=contract")).scenario)


@cache
def view(query: str) -> AppTest:
    """The open view, for reading only."""
    return page(f"{query}&view=contract")


def address(app: AppTest) -> dict[str, Any]:
    return {key: values[0] if isinstance(values, list) else values for key, values in app.query_params.items()}


@pytest.mark.parametrize("query", QUERIES)
def test_the_view_says_the_numbers_of_the_answer(query: str) -> None:
    asked = comparison(query)
    found, money, said = contract_dict(CATALOG, asked)["contract"], Money(asked), words(view(query))
    assert "How to read it." in said
    assert "Assumes: demand starts at" in said
    assert f"Over {found['term_months']} months" in said
    for part in (found["api"], *found["options"]):
        row = f"{money(part['usd_per_month'])} | {money(part['over_term']['usd_total'])} | "
        assert f"{row}{money(part['over_term']['usd_npv'])} |" in said
        for cost in part["horizons"]:
            assert money(cost["usd_total"]) in said
    for each in found["options"]:
        fall, rise = each["survives_api_price_fall"], each["needs_api_price_rise"]
        assert (f"| {percent_text(fall)} a year" if fall is not None else f"rise of {percent_text(rise)}") in said
        assert percent_text(each["break_even_utilization_today"]) in said
        assert percent_text(each["break_even_utilization_at_end"]) in said
    for each in found["not_offered"]:
        assert f"{kind_name(each['acquire'])} is not offered: " in said


def test_a_commitment_says_what_it_survives_and_what_is_expected() -> None:
    said = words(view(f"{UNIT}&acquire=reserve{PATHS}"))
    assert "This commitment survives an API price fall of at most **15.3 % a year**; you expect 20 %." in said
    assert "Its break-even moves from 65.8 % of capacity today to 128 % (not reachable) at the end of the term." in said
    assert "As you get the GPUs now, reserving, they cost" in said
    assert "Demand outgrows the own GPUs" in said


def test_a_way_that_costs_more_today_says_which_rise_it_needs() -> None:
    said = words(view(f"{NODE}&acquire=buy"))
    assert "is cheapest: $30,316 in today's money (8 % a year)" in said
    assert (
        "Buying costs more than the API if the API's price stays: it would pay only if the API's price rose by" in said
    )
    assert "no price at which buying and the API cost the same: the running costs of bought GPUs alone are" in said


def test_an_assumed_purchase_price_is_named_as_one() -> None:
    assert "Buying rests on an assumed $" in words(view(CLUSTER))
    typed = words(view(f"{CLUSTER}&capex=45000"))
    assert "rests on an assumed" not in typed
    assert "Buying costs less than the API up to **$" in typed


@pytest.mark.parametrize("query", QUERIES)
def test_the_chart_shows_what_has_been_paid(query: str) -> None:
    asked = comparison(query)
    found, money, drawn = contract_answer(CATALOG, asked), Money(asked), figure(view(query))
    api, *own = [trace for trace in drawn["data"] if trace["mode"] == "lines"]
    assert api["line"]["color"] == MUTED
    assert {trace["line"]["color"] for trace in own} == {OWN}
    thick = [option.kind for option, trace in zip(found.options, own, strict=True) if trace["line"]["width"] > 3]
    assert thick == [found.chosen]
    for option, trace in zip(found.options, own, strict=True):
        assert trace["x"] == list(range(found.chart_months + 1))
        assert trace["y"][0] == pytest.approx(money.amount(option.way.paid_usd[0]))
        assert trace["y"][-1] == pytest.approx(money.amount(sum(option.way.paid_usd)))
    points = next(trace for trace in drawn["data"] if trace["mode"] == "markers")
    paid_back = [option for option in found.options if option.payback_month]
    assert points["x"] == [option.payback_month for option in paid_back]
    texts = [label["text"] for label in drawn["layout"]["annotations"]]
    for option in paid_back:
        assert f"{kind_name(option.kind)}: month {option.payback_month}" in texts
    assert f"term: {found.term_months} months" in texts
    (line,) = drawn["layout"]["shapes"]
    assert (line["x0"], line["line"]["color"]) == (found.term_months, READER)


@pytest.mark.parametrize("query", QUERIES)
def test_the_exported_table_holds_every_month_and_the_years(query: str) -> None:
    asked = comparison(query)
    found, money = contract_answer(CATALOG, asked), Money(asked)
    rows = contract_table(found, asked.scenario, money)
    months = rows[1 : found.chart_months + 2]
    assert [row[0] for row in months] == list(range(found.chart_months + 1))
    assert months[-1][1] == pytest.approx(money.amount(sum(found.api_way.paid_usd)))
    assert money.amount(found.api_over_term.npv_usd) in [row[1] for row in rows if len(row) > 1]
    assert "?v=1&" in csv_text(asked, rows)


def test_every_input_in_use_stands_on_the_page_with_its_range_and_source() -> None:
    app = page(f"{CLUSTER}&capex=45000&view=contract")
    app.session_state["contract_inputs"] = True
    said = words(app.run())
    assert "| Purchase price | 45,000 $ per GPU, server included |  | typed in by you |" in said
    entry = CATALOG.assumptions["cost_of_capital_percent"].history[-1]
    assert f"| Cost of capital | {entry.value:g} % a year | {entry.low:g} – {entry.high:g} |" in said
    assert "API prices fall by | 0 % a year |  | no change unless you enter one |" in said


def test_without_tokens_or_prices_the_view_says_why() -> None:
    assert "Nothing to sign: no tokens are served" in words(view(f"{CLUSTER}&util=0"))
    free = words(view(f"{CLUSTER}&api=custom:Free:0:0:0"))
    assert "does not apply" in free
    assert "none: the API is free" in free


def test_every_field_moves_the_link() -> None:
    app = page(f"{NODE}&view=contract")
    expected = {"term": "24", "reserve_off": "35", "spot_off": "55", "spot_lost": "5", "capex": "42000"}
    expected |= {"residual": "20", "life": "48", "wacc": "9", "kw": "1.3", "pue": "1.4", "kwh": "0.2"}
    expected |= {"colo": "180", "maint": "5", "api_drop": "-20", "gpu_drop": "15", "growth": "40"}
    app.selectbox(key="acquire").set_value("buy").run()
    for key, text in expected.items():
        app.text_input(key=key).set_value(text)
    app.run()
    assert not app.exception
    assert (expected | {"acquire": "buy"}).items() <= address(app).items()
    assert "you expect a rise of 20 %" in words(app)


def test_an_empty_field_shows_what_is_assumed() -> None:
    app = page(f"{NODE}&view=contract")
    for key, name in (("term", "contract_term_months"), ("wacc", "cost_of_capital_percent"), ("pue", "pue")):
        assert app.text_input(key=key).placeholder == f"assumed {CATALOG.assumptions[name].history[-1].value:g}"
        assert key not in address(app)


@pytest.mark.parametrize(("key", "text"), [("term", "0"), ("wacc", "8%"), ("api_drop", "100"), ("pue", "0.9")])
def test_what_is_no_number_is_named_at_its_field(key: str, text: str) -> None:
    app = page(f"{NODE}&view=contract")
    before = address(app)
    app.text_input(key=key).set_value(text).run()
    (message,) = [each.value.replace("\\", "") for each in app.error]
    assert text in message
    assert address(app) == before
