"""The page without a browser: the same numbers as the answer, bad input named, other people's words shown literally."""

import ast
import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, encode, example_scenario, link, query_of
from costmodel.scenario import INPUTS
from costmodel.ui.charts import OWN, READER, cost_table
from costmodel.ui.text import shown
from costmodel.ui.views import NAMES
from costmodel.ui.views.frame import csv_text, file_stem
from costmodel.ui.views.method import EQUATIONS, explained, method_key
from tests.app_page import components, figure, figures, opened_menu, page, seen, words
from tests.browser import APP

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
OFF_PEAK = "deepseek:deepseek-flash@off_peak"
HOSTILE = "<img src=x onerror=alert(1)> **b** $x^2$ [a](http://e.com) :material/home: a -> b &lt; www.e.com | `c`"


def typed(app: AppTest, key: str, text: str) -> AppTest:
    return app.text_input(key=key).set_value(text).run()


def address(app: AppTest) -> dict[str, Any]:
    return {key: values[0] if len(values) == 1 else values for key, values in _lists(app.query_params).items()}


def _lists(query: Mapping[str, Any]) -> dict[str, list[str]]:
    return {key: values if isinstance(values, list) else [values] for key, values in query.items()}


def component(app: AppTest, name: str) -> dict[str, Any]:
    (data,) = components(app, name)
    return data


def verdict(app: AppTest) -> str:
    said = next(each.value for each in app.main.markdown if each.value.startswith("## "))
    return seen(said[3:].partition("\n\n")[0])


def figure_values(app: AppTest) -> dict[str, str]:
    """The values of the figures by label, the cheapest API's also by its name."""
    shown = figures(app)
    cheapest, below = shown.get("Cheapest API", ("", ""))
    named = {f"Cheapest API: {below.rpartition(', per 1M')[0]}": cheapest}
    return {label: value for label, (value, _) in shown.items()} | named


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def agrees(shown: str, value: float) -> bool:
    """Whether a number on the page is this value, rounded to the digits it shows."""
    digits = re.search(r"[0-9][0-9,]*(\.[0-9]+)?", shown)
    assert digits, shown
    text = digits[0].replace(",", "")
    decimals = len(text.partition(".")[2])
    return abs(float(text) - value) <= 0.5 * 10**-decimals * 1.000001


# The same numbers everywhere


@pytest.mark.parametrize("example", sorted(CATALOG.examples))
def test_every_example_opens_in_every_view(example: str) -> None:
    app = page(f"?scenario={example}")
    for view in NAMES:
        app.session_state["view"] = view
        app.run()
        assert not app.exception, view
        assert not app.error, view
        assert address(app)["view"] == view
        files = [data["file_name"] for data in components(app, "_png")]
        assert files or view not in ("cost", "bills", "gpu_hour")
        assert all(name.endswith(f"-{view.replace('_', '-')}-{address(app)['asof']}.png") for name in files)


@pytest.mark.parametrize(
    "query",
    [
        *(f"?scenario={example}" for example in sorted(CATALOG.examples)),
        f"{CLUSTER}&cur=EUR&fx=0.92&vat=19",
        f"{CLUSTER}&basis=total&ratio=4&cached=50",
        f"{CLUSTER}&util=100&gpu_usd=0.5&prefill_gpu_usd=0.5",
        f"{CLUSTER}&api={OFF_PEAK}&api=custom:Quote:0.1::0.3",
    ],
)
def test_page_and_answer_say_the_same(query: str) -> None:
    app = page(query)
    answer = answer_dict(comparison(query))
    own, apis = answer["self_host"], answer["apis"]
    cheapest = min(apis, key=lambda api: api["usd_per_mtok"])
    shown = figure_values(app)
    assert agrees(shown["Own GPUs"], own["usd_per_mtok_in_currency"])
    assert agrees(shown[f"Cheapest API: {cheapest['name']}"], cheapest["usd_per_mtok_in_currency"])
    break_even = cheapest["break_even_utilization"] * 100
    said = verdict(app)
    if cheapest["reachable"]:
        assert agrees(shown["Break-even"], break_even)
    else:
        assert shown["Break-even"] == "none"
        assert "not reachable" in said
    saved = cheapest["usd_per_month_in_currency"] - own["usd_per_month_in_currency"]
    assert agrees(shown["Own GPUs save" if saved > 0 else "Own GPUs cost more"], abs(saved))

    amounts = [own["usd_per_mtok_in_currency"], cheapest["usd_per_mtok_in_currency"]]
    told = re.findall(r"[$€] ?[0-9][0-9,.]*[0-9]", said)
    assert len(told) == 2
    assert all(agrees(*pair) for pair in zip(told, amounts, strict=True))
    assert agrees(re.findall(r"[0-9.,]+ %", said)[-1], break_even)
    winner = "API" if cheapest["winner"] == "api" else "Self-hosting"
    assert re.search(rf"\*\*(The )?{winner} is cheaper", said)


@pytest.mark.parametrize("query", [CLUSTER, NODE, f"{CLUSTER}&cur=EUR&fx=0.92&vat=19", f"{NODE}&basis=total&util=0.4"])
def test_the_chart_draws_the_answer(query: str) -> None:
    answer = answer_dict(comparison(query))
    own, apis = answer["self_host"], answer["apis"]
    traces = figure(page(query))["data"]
    curve = next(each for each in traces if each["mode"] == "lines" and each["line"]["color"] == OWN)
    for percent, amount in zip(curve["x"], curve["y"], strict=True):
        assert amount == pytest.approx(own["usd_per_mtok_at_full_in_currency"] * 100 / percent)
    lines = [each["y"] for each in traces if each["mode"] == "lines" and each is not curve]
    prices = sorted(api["usd_per_mtok_in_currency"] for api in apis)
    assert [y[0] for y in lines] == [y[1] for y in lines] == pytest.approx(prices)
    rings, reader = (each for each in traces if each["mode"] == "markers+text")
    reachable = {
        api["break_even_utilization"] * 100: api["usd_per_mtok_in_currency"] for api in apis if api["reachable"]
    }
    assert dict(zip(rings["x"], rings["y"], strict=True)) == pytest.approx(reachable)
    assert reader["marker"]["color"] == READER
    assert (reader["x"], reader["y"]) == (
        [answer["scenario"]["util"]],
        pytest.approx([own["usd_per_mtok_in_currency"]]),
    )


def test_the_published_break_even() -> None:
    app = page()
    assert "At 60 % utilization your own GPUs cost $0.764 per 1M output tokens" in verdict(app)
    assert (
        "DeepSeek V4.1 Flash, off-peak costs $0.60. **The API is cheaper**; self-hosting wins above 76.4 %."
        in verdict(app)
    )
    assert "With 20.8 % of your tokens in peak hours" in words(app)
    assert "the break-even is 63.2 %" in words(app)


# Fields


def test_every_number_field_names_a_bad_text_and_keeps_the_value_in_use() -> None:
    app = page(f"{CLUSTER}&title=x")
    before, answered = address(app), verdict(app)
    fields = [each for each in app.text_input if each.key in INPUTS and not each.disabled]
    numbers = [each for each in fields if INPUTS[each.key].kind in ("number", "whole")]
    assert len(numbers) >= 15
    for field in numbers:
        asked, old = INPUTS[field.key], field.value
        typed(app, field.key, "abc")
        assert [asked.label in seen(each.value) for each in app.sidebar.error] == [True], field.key
        assert "“abc” is not a" in seen(app.sidebar.error[0].value)
        assert not app.exception
        assert (address(app), verdict(app)) == (before, answered)
        typed(app, field.key, old)
        assert not app.error


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        (
            "gpu_usd",
            "0,25",
            "“0,25” is not a plain number: write digits with a decimal point, like 0.25; still using 9",
        ),
        ("gpu_usd", "0", "“0” is outside 0.01 to 1000; still using 9"),
        ("gpu_usd", "1e2", "“1e2” is not a plain number"),
        ("gpu_usd", "$9", "“$9” is not a plain number"),
        ("gpus", "1e2", "“1e2” is not a whole number: write digits only; still using 64"),
        ("gpus", "0,25", "“0,25” is not a whole number"),
        ("gpus", "0", "“0” is outside 1 to 100000; still using 64"),
        ("gpus", "", "is empty: write a number; still using 64"),
        ("tps", "0", "“0” is outside 0.01 to 1000000; still using 14466"),
        ("tps", "nan", "“nan” is not a plain number"),
        ("hours", "745", "“745” is outside above 0, at most 744; still using 720"),
        ("cached", "101", "“101” is outside 0 to 100; still using 0"),
        ("eff", "", "is empty: write a number; still using 80"),
    ],
)
def test_a_bad_text_is_answered_with_field_reason_and_remedy(key: str, text: str, says: str) -> None:
    app = page(f"{CLUSTER}&gpu_usd=9")
    before = verdict(app)
    typed(app, key, text)
    message = seen(app.sidebar.error[0].value)
    assert message.startswith(f"{INPUTS[key].label}: ")
    assert says in message
    assert verdict(app) == before
    app.slider(key="util").set_value(100.0).run()
    assert verdict(app).startswith("At 100 %"), "the rest of the page keeps working"


def test_a_price_typed_in_two_steps() -> None:
    app = typed(page("?scenario=deepseek-v3-8xh200"), "gpu_usd", "9")
    assert "$72.00 an hour for 8 GPUs" in words(app)
    assert "$76.00 an hour for 8 GPUs" in words(typed(app, "gpu_usd", "9.5"))
    assert address(app)["gpu_usd"] == "9.5"
    assert "gpu_usd" not in address(typed(app, "gpu_usd", ""))


def test_digits_that_matter_are_kept() -> None:
    app = page(f"{CLUSTER}&cur=EUR&fx=0.003")
    assert app.text_input(key="fx").value == "0.003"
    assert "EUR at 0.003 per US dollar" in words(app)


def test_shares_that_exceed_the_input_are_said() -> None:
    app = typed(typed(page(CLUSTER), "cached", "80"), "cache_write", "30")
    assert "Cache writes (API) (cache_write): “30” exceeds 100 %" in words(app)
    assert address(app)["cache_write"] == "20"


def test_a_prefill_pool_needs_its_gpus() -> None:
    app = page(NODE)
    app.selectbox(key="prefill_gpu").set_value("coreweave-b200").run()
    assert "Prefill GPUs: write how many" in words(app)
    assert "prefill_gpu" not in address(app)
    typed(app, "prefill_gpus", "8")
    assert not app.error
    assert (address(app)["prefill_gpu"], address(app)["prefill_gpus"]) == ("coreweave-b200", "8")
    app.selectbox(key="prefill_gpu").set_value("none").run()
    assert not app.exception
    assert not {"prefill_gpu", "prefill_gpus"} & set(address(app))


def test_prices_of_ones_own() -> None:
    app = page(CLUSTER)

    def add(**fields: str) -> AppTest:
        for name, text in fields.items():
            app.text_input(key=f"typed_{name}").set_value(text)
        return next(button for button in app.button if button.label == "Add this price").click().run()

    add(name="Our quote", input="0,1", cached="", output="0.4")
    assert "This price has no plain number as its input price" in words(app)
    assert "custom:" not in str(address(app)["api"])
    add(input="0.1")
    assert "custom:Our quote:0.1::0.4" in address(app)["api"]
    assert "Our quote costs $0.40" in verdict(app)
    assert "This price" not in words(app)
    add()
    assert "This price is in the list already" in words(app)
    add(name="per token", input="0.0000001", output="2000")
    assert "This price costs over 1000 $ per 1M output tokens" in words(app)


# Edges


def test_nothing_served() -> None:
    app = page(CLUSTER)
    app.slider(key="util").set_value(0.0).run()
    assert "no cost per token, and the rent of $880,128 a month is paid all the same" in verdict(app)
    assert figure_values(app)["Own GPUs"] == "none"
    curve = next(each for each in figure(app)["data"] if each.get("line", {}).get("color") == OWN)
    assert min(curve["x"]) > 0
    for view in NAMES.keys() - {"method"}:
        app.session_state["view"] = view
        app.run()
        assert not app.exception, view
        assert not re.search(r"\b(nan|inf|none %|None(?! of))\b", words(app)), view


def test_one_stream_instead_of_a_full_gpu() -> None:
    app = page(f"{CLUSTER}&tps=0.01")
    assert "not reachable (110,532,407 %)" in verdict(app)
    assert "would be 110,532,407 %" in words(app)
    assert "is what a single stream gets" in words(app)
    assert not re.search(r"\de[+-]?\d", words(app)), "no exponents"


def test_one_gpu_more_than_whole_instances() -> None:
    app = typed(page(CLUSTER), "gpus", "65")
    assert "is rented in instances of 4: 68 GPUs are billed for the 65 that work." in words(app)
    assert "for 132 GPUs" in words(app)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?scenario=deepinfer-16&prefill_gpus=1", "does not fit: 1 × NVIDIA B200"),
        (f"{CLUSTER}&asof=2025-01-01", "no figure is known for 2025-01-01"),
    ],
)
def test_no_answer_is_said_and_nothing_is_drawn(query: str, says: str) -> None:
    app = page(query)
    assert [seen(each.value).startswith("**No answer.** ") for each in app.error] == [True]
    assert says in words(app)
    assert "Choose" in words(app), "the remedy"
    assert not figures(app)
    assert not app.get("bidi_component")
    app.slider(key="util").set_value(30.0).run()
    assert address(app)["util"] == "30"


@pytest.mark.parametrize(("view", "says"), [("method", "The equations"), ("prices", "The whole catalogue")])
def test_what_needs_no_answer_stands_without_one(view: str, says: str) -> None:
    app = page(f"{CLUSTER}&asof=2025-01-01&view={view}")
    assert app.error
    told = [each.value for each in (*app.markdown, *app.subheader)]
    assert any(says in each for each in told)
    assert app.expander


def test_an_api_without_a_price_on_the_day_leaves_the_others() -> None:
    app = page(f"{NODE}&asof=2026-09-05")
    assert "Price of DeepSeek V4.1 Flash: no figure is known for 2026-09-05" in words(app)
    assert "Cheapest API: Anthropic Claude Sonnet 5" in figure_values(app)
    app.session_state["view"] = "bills"
    app.run()
    assert "No bill: Price of DeepSeek V4.1 Flash" in words(app)


def test_no_apis_at_all() -> None:
    app = page(CLUSTER)
    app.multiselect(key="api").set_value([]).run()
    for view in NAMES:
        app.session_state["view"] = view
        app.run()
        assert not app.exception, view
    assert "Choose an API with a known price on this day" in verdict(app)
    assert "api" not in address(app)


def test_a_free_api_has_no_break_even() -> None:
    app = page(f"{CLUSTER}&api=custom:Free:0:0:0")
    assert "the API is free for this token mix" in verdict(app)
    assert figure_values(app)["Break-even"] == "none"
    assert "the API is free" in words(app)


def test_equal_costs_are_a_tie() -> None:
    app = page(f"{CLUSTER}&util=76.40841103788704")
    assert "The two cost the same** (within 0.1 %)" in verdict(app)
    assert figure_values(app)["Monthly bills"] == "are equal"


def test_a_break_even_nobody_reaches_has_its_number() -> None:
    app = page("?scenario=deepinfer-16&api=custom:Quote:0:0:0.30")
    assert "the break-even is not reachable (158 %)" in verdict(app)
    assert "not reachable (158 %): even fully used, self-hosting costs 1.58 times the API price" in words(app)


# Words of others


def test_titles_and_names_are_shown_literally() -> None:
    name = '=HYPERLINK("x") <b>x</b> $y$'
    api = quote(f"custom:{name}:1:0.5:2", safe="")
    app = page(f"{CLUSTER}&title={quote(HOSTILE, safe='')}&api={api}")
    assert component(app, "_png")["title"] == HOSTILE
    for view in NAMES:
        app.session_state["view"] = view
        app.run()
        assert not app.exception
        assert app.title[0].value != HOSTILE
        assert seen(app.title[0].value) == HOSTILE
        assert re.sub(r"\\.", "", app.title[0].value).isascii() is False, "joiners break addresses and icons"
        assert not re.search(r"(?<!\\)[<>$*`\[\]|&]", app.title[0].value)
        assert f"{name} costs $2.00" in verdict(app)
        markdown = "\n".join(each.value for each in app.main.markdown)
        assert name not in markdown


def test_exports_run_no_formula_and_say_what_is_left_out() -> None:
    query = f"{CLUSTER}&title=%3Dcmd&api={quote('custom:=HYPERLINK(1):1:0.5:2', safe='')}"
    answered = comparison(query)
    rows = csv_text(answered, cost_table(answered)).splitlines()
    assert rows[0].startswith("utilization,self_host_USD_per_mtok,")
    assert not any(re.match(r'^"?[=+@-]', cell) for row in rows for cell in row.split(","))
    table = [[float(cell) for cell in row.split(",")] for row in rows[1 : rows.index("")]]
    assert len(table) >= 160
    own = answered.self_host
    assert all(row[1] == pytest.approx(own.usd_per_mtok_at_full / row[0]) and row[2] == 2 for row in table)
    assert "Not included: staff who operate it" in "\n".join(rows)
    assert "Prices in force on 2026-10-25" in "\n".join(rows)
    assert link(answered.scenario) in rows[-1]


def test_file_names_name_the_scenario_and_are_safe() -> None:
    assert file_stem(comparison(CLUSTER), "gpu_hour") == "deepinfer-64-b200-64-gb200-gpu-hour-2026-10-25"
    assert file_stem(comparison(f"{CLUSTER}&title=../..%5C/etc"), "cost") == "etc-cost-2026-10-25"
    assert file_stem(comparison(f"{CLUSTER}&title=%3D%3D"), "cost") == "scenario-cost-2026-10-25"
    assert file_stem(comparison(f"{CLUSTER}&title=%C3%9Cbersicht"), "cost") == "übersicht-cost-2026-10-25"


# The link


def test_a_hostile_link_is_answered_with_notes_that_can_be_dismissed() -> None:
    app = page("?v=1&util=1e400&tps=nan&gpus=0&sku=A100&gpu=A100&ratio=0,55&eff=75%25&units=1_0&cached=5&cached=6")
    said = words(app)
    for key, value, used in [
        ("util", "1e400", "60"),
        ("tps", "nan", "14466"),
        ("gpus", "0", "64"),
        ("gpu", "A100", "coreweave-gb200"),
        ("ratio", "0,55", "0"),
        ("eff", "75%", "100"),
        ("units", "1_0", "1"),
        ("cached", "5 and 6", "0"),
    ]:
        assert re.search(rf"\({key}\): “{value}” .*; using {re.escape(used)}\.", said), key
    assert "sku: “A100” is not a key of the link; it is left out." in said
    assert not app.exception
    app.button(key="dismiss").click().run()
    assert "could not be used" not in words(app)
    assert address(app)["util"] == "60"


def test_a_bare_address_stays_bare_until_something_changes() -> None:
    app = page()
    assert address(app) == {}
    app.slider(key="util").set_value(70.0).run()
    assert address(app) == address(page(f"{CLUSTER}&util=70"))
    app.slider(key="util").set_value(60.0).run()
    assert address(app)["util"] == "60", "once written, the address is kept in step"


def test_an_example_chosen_on_a_bare_address_is_written_into_it() -> None:
    app = page()
    app.selectbox(key="example").set_value("node-8xh200").run()
    assert address(app) == address(page(NODE))


def test_the_copied_link_is_the_page() -> None:
    app = opened_menu(f"{CLUSTER}&util=33&title={quote('A+B 50%')}")
    copied = component(app, "_copy_link")["link"]
    again = decode(CATALOG, query_of(copied))
    assert (again.problems, again.notes) == ((), ())
    assert again.scenario.title == "A+B 50%"
    assert verdict(page(copied)) == verdict(app)
    assert component(app, "_png")["link"] == copied


def test_an_example_sets_everything() -> None:
    app = page(f"{CLUSTER}&util=33&cur=EUR&fx=0.9&vat=19&own_cached=5")
    for example in CATALOG.examples:
        app.selectbox(key="example").set_value(example).run()
        assert not app.exception
        expected: dict[str, list[str]] = {}
        for key, value in encode(example_scenario(CATALOG, example)):
            expected.setdefault(key, []).append(value)
        assert _lists(address(app)) == expected
        assert seen(app.title[0].value) == expected["title"][0]
        app.slider(key="util").set_value(11.0)
        typed(app, "tps", "77")
        assert address(app)["tps"] == "77"


def test_two_readers_do_not_meet() -> None:
    one, other = page(CLUSTER), page(CLUSTER)
    typed(one, "gpu_usd", "5")
    other.slider(key="util").set_value(61.0).run()
    assert "gpu_usd" not in address(other)
    assert "$1,222.40 an hour" in words(other)


def test_currency_and_vat() -> None:
    app = page(CLUSTER)
    app.selectbox(key="cur").set_value("EUR").run()
    rate = float(address(app)["fx"])
    assert 0.8 < rate < 1
    assert agrees(figure_values(app)["Own GPUs"], 1222.40e6 / 3600 / 740659.2 / 0.6 * rate)
    typed(typed(app, "fx", "0.5"), "vat", "20")
    assert figure_values(app)["Own GPUs"] == "€0.458"
    assert "EUR at 0.5 per US dollar, 20 % VAT included" in words(app)
    app.selectbox(key="cur").set_value("USD").run()
    assert address(app)["fx"] == "1"


class _BudgetDay(date):
    @classmethod
    def today(cls) -> date:
        return date(2026, 10, 25)


def test_prices_that_changed_since_are_shown_and_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costmodel.ui.page.date", _BudgetDay)
    app = page(f"{NODE}&asof=2026-08-20&api=openai:gpt-5.6-sol")
    assert figure_values(app)["Cheapest API: OpenAI GPT-5.6 Sol"] == "$50.00"
    box = next(seen(each.value) for each in app.main.markdown if "Prices have changed" in each.value)
    assert "since 2026-08-20: OpenAI GPT-5.6 Sol $50.00 then, $36.00 today" in box
    assert "OpenAI GPT-5.6 Sol costs $36.00. **The API is cheaper**" in box
    app.button(key="use_today").click().run()
    assert address(app)["asof"] == "2026-10-25"
    assert figure_values(app)["Cheapest API: OpenAI GPT-5.6 Sol"] == "$36.00"
    assert "Prices have changed" not in words(app)


def test_unchanged_prices_are_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costmodel.ui.page.date", _BudgetDay)
    assert "Prices have changed" not in words(page(f"{CLUSTER}&asof=2026-10-26"))


# The script


@pytest.mark.parametrize("title", EQUATIONS)
def test_an_opened_box_of_the_method_prints_its_docstrings(title: str) -> None:
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params["view"] = "method"
    app.session_state[method_key(title)] = True
    app.run()
    assert not app.exception
    said, codes = words(app).replace("**", ""), [each.value for each in app.code]
    for equation in EQUATIONS[title]:
        meaning, labelled, example = explained(equation)
        assert seen(shown(meaning)) in said
        assert all(text in codes for label, text in labelled if label == "Formula")
        assert example in codes


def test_the_script_holds_no_arithmetic_and_no_branches() -> None:
    nodes = list(ast.walk(ast.parse(APP.read_text(encoding="utf-8"))))
    forbidden = (ast.BinOp, ast.AugAssign, ast.For, ast.While, ast.FunctionDef, ast.Try)
    assert not [node for node in nodes if isinstance(node, forbidden)]
    # The server imports the file for its middleware, the reader's session runs it.
    assert [ast.unparse(node.test) for node in nodes if isinstance(node, ast.If)] == ["__name__ == '__main__'"]
    assert not [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, int | float)]
