"""Pinning and the view Compare: what is pinned stays in the link, and stands beside the open scenario."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.compared import compared
from costmodel.link import decode, example_scenario, link, pin_of, pinned, query_of
from costmodel.pins import pin_name
from costmodel.ui.charts_compare import compare_chart, compared_rows
from costmodel.ui.text import Money
from costmodel.ui.text_compare import default_name, short_verdict
from costmodel.words import percent_text
from tests.app_page import figure, page, seen, words

CATALOG = catalog()
CLUSTER, NODE = example_scenario(CATALOG, "deepinfer-128"), example_scenario(CATALOG, "node-8xh200")


def four_pins() -> str:
    """A link with four pins: a smaller cluster, a better price, another currency, one that holds no model."""
    small = example_scenario(CATALOG, "deepinfer-16")
    better = CLUSTER.model_copy(update={"utilization_percent": 85.0, "gpu_usd_per_hour": 7.0})
    euros = CLUSTER.model_copy(update={"currency": "EUR", "currency_per_usd": 0.8609, "vat_percent": 21.0})
    none = small.model_copy(update={"gpus": 2, "prefill_gpu": None, "prefill_gpus": None})
    named = {"16 | B200": small, "Better *price*": better, "In euros": euros, "Too small": none}
    pins = tuple(pin_of(scenario, name=name) for name, scenario in named.items())
    return link(CLUSTER.model_copy(update={"view": "compare", "title": "", "pins": pins}))


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def pins(app: AppTest) -> list[str]:
    """The names of the pins in the address bar, in order."""
    found: Any = app.query_params.get("pin", [])
    return [pin_name(text) for text in ([found] if isinstance(found, str) else found)]


def button(app: AppTest, label: str, number: int = 0) -> Any:
    return [each for each in app.button if each.label == label][number]


def columns(app: AppTest, number: int) -> dict[str, list[str]]:
    """A table by its headings."""
    return {seen(str(name)): [seen(cell) for cell in cells] for name, cells in app.table[number].value.items()}


def test_a_scenario_is_pinned_changed_and_compared() -> None:
    app = page("?scenario=deepinfer-128")
    app.button(key="pin_this").click().run()
    assert pins(app) == ["DeepInfer, 64 B200 + 64 GB200"]
    assert app.button(key="pin_this").disabled
    app.slider(key="util").set_value(85.0).run()
    assert not app.button(key="pin_this").disabled
    app.button(key="pin_this").click().run()
    assert pins(app)[1] == "Utilization 85"
    views: Any = next(each for each in app.get("button_group") if each.key == "view")
    views.set_value("compare").run()
    assert not app.exception
    assert list(columns(app, 0)) == ["Figure", "DeepInfer, 64 B200 + 64 GB200", "Utilization 85 (open now)"]
    assert columns(app, 1)["Field"] == ["Utilization, % of capacity"]
    assert [cells[0] for cells in columns(app, 1).values()][1:] == ["60", "85"]


def test_without_pins_the_view_says_how_to_begin() -> None:
    app = page("?scenario=node-8xh200&view=compare")
    assert "No scenario is pinned yet." in words(app)
    assert not app.table
    app.button(key="pin_here").click().run()
    assert pins(app) == ["8x H200 at 300 tok/s"]
    assert "Every input is the same." in words(app)
    assert list(columns(app, 0)) == ["Figure", "8x H200 at 300 tok/s (open now)"]


def test_the_table_says_the_numbers_of_the_answer() -> None:
    query = four_pins()
    app, answer = page(query), answer_dict(comparison(query))
    found = columns(app, 0)
    money = Money(comparison(query))
    assert list(found) == ["Figure", "open now", "16 | B200", "Better *price*", "In euros", "Too small"]
    for cells, each in zip(list(found.values())[1:], answer["compared"]["scenarios"], strict=True):
        if each["reason"]:
            assert cells[0].startswith("no answer: DeepSeek-V4.1-Flash does not fit")
            assert set(cells[1:]) == {"–"}
            continue
        factor = each["usd_per_mtok_in_currency"] / each["usd_per_mtok"]
        assert cells[1] == percent_text(each["utilization"])
        assert cells[2] == money(each["usd_per_mtok"] * factor)
        assert cells[3].startswith(f"{money(each['api_usd_per_mtok'] * factor)} ")
        assert cells[4] == percent_text(each["break_even_utilization"])
        assert cells[5:7] == [money(each["usd_per_month"] * factor), money(each["api_usd_per_month"] * factor)]
        assert ("own GPUs**;" in cells[0]) == (each["winner"] == "self_host")
    assert "Too small**: no answer. DeepSeek-V4.1-Flash does not fit" in words(app)


def test_only_the_inputs_that_differ_are_listed() -> None:
    query = four_pins()
    found = columns(page(query), 1)
    differing = answer_dict(comparison(query))["compared"]["differing"]
    assert len(found["Field"]) == len(differing) == 10
    labels = [f"{each['label']}{', ' + each['unit'] if each['unit'] else ''}" for each in differing]
    assert found["Field"] == labels
    row = found["Field"].index("Own GPU price, $ per GPU-hour")
    assert [cells[row] for cells in found.values()][1:] == ["not set", "not set", "7", "not set", "not set"]
    assert found["16 | B200"][0] == "CoreWeave HGX B200"


def test_what_was_pinned_in_other_terms_is_said() -> None:
    said = words(page(four_pins()))
    assert "Shown in the open scenario's currency (USD, at its rate)" in said
    assert "though pinned otherwise: In euros." in said


def test_each_curve_is_the_scenario_s_own() -> None:
    asked = comparison(four_pins())
    found = compared(CATALOG, asked)
    drawn = compare_chart(found, asked)
    curves = [each for each in drawn["data"] if each["mode"] == "lines" and len(each["x"]) > 2]
    dots = [each for each in drawn["data"] if each["mode"] == "markers+text" and ":" in each["text"][0]]
    rings = [each for each in drawn["data"] if each["mode"] == "markers+text" and ":" not in each["text"][0]]
    assert len(curves) == len(dots) == len(rings) == len(found.answered) == 4
    assert len({(each["line"]["color"], each["line"]["dash"]) for each in curves}) == 4
    for side, curve, dot, ring in zip(found.answered, curves, dots, rings, strict=True):
        assert side.comparison is not None
        money, own, api = Money(side.comparison), side.comparison.self_host, side.comparison.cheapest_api
        assert curve["y"][-1] == pytest.approx(money.amount(own.usd_per_mtok_at_full))
        assert dot["y"] == [money.amount(own.usd_per_mtok or 0)]
        assert api is not None
        assert ring["x"] == [(api.break_even.utilization or 0) * 100]
        assert ring["y"] == [money.amount(api.usd_per_mtok or 0)]
        assert drawn["layout"]["yaxis"]["range"][1] >= max(*dot["y"], *ring["y"])
    assert figure(page(four_pins()))["data"] == drawn["data"]


def test_far_apart_scenarios_share_a_logarithmic_axis() -> None:
    asked = compare(CATALOG, NODE.model_copy(update={"pins": (pin_of(CLUSTER, name="Cluster"),)}))
    drawn = compare_chart(compared(CATALOG, asked), asked)
    assert drawn["layout"]["yaxis"]["type"] == "log"
    idle = compare(CATALOG, asked.scenario.model_copy(update={"utilization_percent": 0.0}))
    assert len(compare_chart(compared(CATALOG, idle), idle)["data"]) == len(drawn["data"]) - 1


def test_pins_are_renamed_moved_opened_and_removed() -> None:
    app = page(four_pins())
    button(app, "Move down").click().run()
    assert pins(app) == ["Better *price*", "16 | B200", "In euros", "Too small"]
    button(app, "Move up", 3).click().run()
    assert pins(app) == ["Better *price*", "16 | B200", "Too small", "In euros"]
    assert [each.disabled for each in app.button if each.label == "Move up"] == [True, False, False, False]
    assert [each.disabled for each in app.button if each.label == "Move down"] == [False, False, False, True]
    names = [each for each in app.text_input if (each.key or "").startswith("pin_name_")]
    names[1].set_value("  Sixteen  ").run()
    assert pins(app) == ["Better *price*", "Sixteen", "Too small", "In euros"]
    assert [each.value for each in app.text_input if (each.key or "").startswith("pin_name_")] == pins(app)
    button(app, "Remove", 2).click().run()
    assert pins(app) == ["Better *price*", "Sixteen", "In euros"]
    button(app, "Open", 1).click().run()
    assert not app.exception
    assert pins(app) == ["Better *price*", "Sixteen", "In euros"]
    assert (app.query_params["gpus"], app.query_params["view"]) == ("8", "compare")
    assert app.query_params["title"] == "Sixteen"
    assert "Sixteen (open now)" in columns(app, 0)
    assert "open now" not in columns(app, 0)


def test_an_empty_name_keeps_the_old_one() -> None:
    app = page(four_pins())
    next(each for each in app.text_input if (each.key or "").startswith("pin_name_")).set_value("  ").run()
    assert pins(app)[0] == "16 | B200"


def test_a_fifth_cannot_be_pinned() -> None:
    app = page(four_pins())
    assert app.button(key="pin_here").disabled
    assert "remove one first" in app.button(key="pin_here").help


def test_pins_travel_through_every_change() -> None:
    app = page(four_pins().replace("view=compare", "view=cost"))
    before = pins(app)
    app.text_input(key="gpus").set_value("72").run()
    app.slider(key="util").set_value(30.0).run()
    app.selectbox(key="cur").set_value("EUR").run()
    assert pins(app) == before
    assert app.query_params["gpus"] == "72"
    app.selectbox(key="example").set_value("node-8xh200").run()
    assert pins(app) == before, "an example is opened beside what is pinned"


def test_a_pin_that_cannot_be_read_is_named() -> None:
    app = page("?scenario=node-8xh200&view=compare&pin=Mine~AAAA")
    assert "“Mine” has a code that was cut or changed on its way" in words(app)
    assert pins(app) == []


def test_an_example_open_and_pinned_has_one_column() -> None:
    text = pin_of(NODE, name="Node")
    asked = compare(CATALOG, NODE.model_copy(update={"pins": (text,)}))
    assert [side.name for side in compared(CATALOG, asked).sides] == ["Node"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?scenario=deepinfer-128", "**API**; own GPUs above 76.4 %"),
        ("?scenario=deepinfer-128&util=100", "**own GPUs**; the API below 76.4 %"),
        ("?scenario=deepinfer-128&util=0", "nothing is served"),
        ("?scenario=llama-70b-2xh100", "**API**, at any utilization"),
        ("?scenario=deepinfer-128&util=76.40841103788704", "**the same**"),
        ("?scenario=deepinfer-128&asof=2026-06-01&api=tokely:deepseek-v4.1-flash", "no API price"),
        ("?scenario=deepinfer-128&leave=no", "**Compliance decides**"),
    ],
)
def test_the_short_verdict(query: str, said: str) -> None:
    assert short_verdict(comparison(query)).startswith(said)


def test_default_names() -> None:
    untitled = NODE.model_copy(update={"title": ""})
    assert default_name(CATALOG, NODE) == "8x H200 at 300 tok/s"
    assert default_name(CATALOG, untitled) == "8 × CoreWeave HGX H200, DeepSeek-V4.1-Flash"
    changed = {
        "pins": (pin_of(NODE, name="First"),),
        "output_tok_s_per_gpu": 2_000.0,
        "units": 2,
        "hours_per_month": 1.0,
    }
    assert default_name(CATALOG, untitled.model_copy(update=changed)) == "Units 2, Throughput per GPU 2,000"


def test_the_data_holds_figures_and_curves_of_all() -> None:
    asked = comparison(four_pins())
    rows = compared_rows(compared(CATALOG, asked), asked)
    head, *scenarios = rows[:6]
    assert [len(row) for row in scenarios] == [len(head)] * 5
    assert [row[0] for row in scenarios] == ["open", "16 | B200", "Better *price*", "In euros", "Too small"]
    assert scenarios[0][head.index("self_host_USD_per_month")] == pytest.approx(880_128)
    assert "does not fit" in scenarios[4][-1]
    assert sum(row == [] for row in rows) == 4


def test_pinned_texts_are_those_of_the_link() -> None:
    app = page(four_pins())
    texts: Any = app.query_params["pin"]
    assert tuple(texts) == decode(CATALOG, query_of(four_pins())).scenario.pins
    assert all(pinned(CATALOG, text).text == text for text in texts)
