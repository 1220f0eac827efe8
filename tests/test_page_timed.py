"""The views traffic, demand and hybrid: the numbers of the answer in words, on charts, in exports, in the link."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import demand_answer
from costmodel.load.hybrid_answer import hybrid_answer
from costmodel.load.profile import profile_text
from costmodel.load.traffic_answer import traffic_answer
from costmodel.ui.charts import MUTED, OWN, READER
from costmodel.ui.charts_demand import demand_table
from costmodel.ui.charts_hybrid import hybrid_table
from costmodel.ui.charts_traffic import blocks, week_table
from costmodel.ui.text import Money
from costmodel.ui.views.frame import csv_text
from costmodel.words import percent_text
from tests.app_page import figure, page, words

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128&demand=900000", "?scenario=node-8xh200"
OFFICE = (
    "&traffic=business&tz=Europe/Berlin&calendar=year&busy_days=22&demand_at=busiest&schedule=scheduled&prewarm=0.5"
)
DAY = "&traffic=diurnal&tz=Asia/Kolkata&calendar=2026-10&slots=256&spare=1&defer=20"
WEEK = profile_text([1.0 + hour % 24 for hour in range(168)])
SCENARIOS = [CLUSTER, NODE, f"{NODE}{OFFICE}", f"{CLUSTER}{DAY}", f"{CLUSTER}&traffic=imported&profile={WEEK}&peak=30"]
VIEWS = ("traffic", "demand", "hybrid")


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def address(app: AppTest) -> dict[str, Any]:
    return {key: values[0] if isinstance(values, list) else values for key, values in app.query_params.items()}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("query", SCENARIOS)
def test_every_view_draws_and_explains_itself(query: str, view: str) -> None:
    app = page(f"{query}&view={view}")
    said = words(app)
    assert "How to read it." in said
    assert "Assumes: " in said
    assert figure(app)["data"]
    assert address(app)["view"] == view
    assert not app.error
    assert "nan" not in said.lower().split()
    assert [each for each in app.get("download_button") if each.label == "Download CSV"] != []


@pytest.mark.parametrize("query", SCENARIOS)
def test_the_demand_view_says_the_numbers_of_the_answer(query: str) -> None:
    asked = comparison(query)
    found, money, said = answer_dict(asked)["demand"], Money(asked), words(page(f"{query}&view=demand"))
    for figure_said in (
        f"{found['units']} unit",
        f"{100 * found['demand_in_units']:,.1f} % of one unit's capacity",
        f"{percent_text(found['utilization'])} used",
        f"{money(found['usd_per_mtok'])}** per",
        f"{money(found['usd_per_month'])} a month",
    ):
        assert figure_said in said
    other = f"{money(found['otherwise']['usd_per_month'])}, {money(found['otherwise']['usd_per_mtok'])} per 1M |"
    assert (other in said) != ("Switching units off saves nothing" in said)
    for api in found["apis"]:
        assert f"{money(api['usd_per_month'])} |" in said
        turns = api["turns_at_output_tok_s"]
        assert (f"| above {turns:,.0f} tok/s" if turns else "| never |") in said


def test_the_published_figures_stand_on_the_page() -> None:
    node, cluster = words(page(f"{NODE}&view=demand")), words(page(f"{CLUSTER}&view=demand"))
    assert "$46.70" in node
    assert "turns cheaper above **11,676 tok/s**; your demand is 2.57 % of that" in node
    assert "900,000 tok/s (121.5 % of one unit's capacity), takes **2 units**, 60.8 % used" in cluster
    assert "From 4 units on (2,263,704 tok/s) it never falls behind again" in cluster
    assert "740,659 to 1,131,852" in cluster
    assert "**Your demand lies in such a gap.**" in cluster
    assert "cannot serve this: in 720 of 720 hours a month" in cluster
    office = words(page(f"{NODE}{OFFICE}&view=demand"))
    assert "1 unit, 187 unit-hours" in office
    assert "$9,432" in office
    assert "$36,821" in office
    assert "$228.10" in office


@pytest.mark.parametrize("query", SCENARIOS)
def test_the_hybrid_view_says_the_numbers_of_the_answer(query: str) -> None:
    asked = comparison(query)
    found, money, app = answer_dict(asked)["hybrid"], Money(asked), page(f"{query}&view=hybrid")
    said = words(app)
    for key in ("usd_per_month_all_api", "usd_per_month_all_own", "usd_per_month", "next_unit_saves_usd_per_month"):
        assert money(found[key]) in said
    assert percent_text(found["break_even_share"]) in said
    own, api, totals = (trace for trace in figure(app)["data"] if trace["type"] == "bar" or trace.get("mode") == "text")
    assert [own["marker"]["color"], api["marker"]["color"]] == [OWN, MUTED]
    assert totals["x"][0] == pytest.approx(found["usd_per_month_all_api"])
    assert totals["x"][-1] == pytest.approx(found["usd_per_month"])
    assert own["x"][-1] + api["x"][-1] == pytest.approx(found["usd_per_month"])
    dashed = [shape for shape in figure(app)["layout"]["shapes"] if shape["line"].get("dash") == "dash"]
    assert [shape["x0"] for shape in dashed] == [pytest.approx(100 * found["break_even_share"])]


@pytest.mark.parametrize("query", SCENARIOS)
def test_the_traffic_view_says_the_numbers_of_the_answer(query: str) -> None:
    found, app = answer_dict(comparison(query))["traffic"], page(f"{query}&view=traffic")
    said = words(app)
    for api in found["apis"]:
        assert f"{percent_text(api['peak_share'])} of your tokens fall into the peak hours" in said
        assert f"of all hours {percent_text(api['clock_share'])} are peak" in said
    assert percent_text(found["load_factor"]) in said
    (heat,) = figure(app)["data"]
    hours = [value for day in heat["z"] for value in day]
    assert len(hours) == 168
    assert max(hours) == pytest.approx(1)
    busiest = found["busiest_output_tok_s"]
    assert [value * busiest for value in hours] == pytest.approx(found["hourly_output_tok_s"])
    assert ("you typed, 30 %" in said) == ("peak=30" in query)


def test_the_outlines_are_the_peak_hours() -> None:
    berlin = traffic_answer(comparison(f"{CLUSTER}&traffic=business&tz=Europe/Berlin&calendar=year")).peaks[0]
    hours = {
        hour
        for block in blocks(berlin.fractions_without_holidays)
        for day in range(block.first_day, block.last_day + 1)
        for hour in range(day * 24 + block.start_hour, day * 24 + block.end_hour)
    }
    assert hours == {hour for hour, fraction in enumerate(berlin.fractions_without_holidays) if fraction > 0}
    whole = [block for block in blocks(berlin.fractions_without_holidays) if block.whole]
    assert [(block.start_hour, block.end_hour) for block in whole] == [(3, 5), (8, 11)]


def test_the_demand_chart_shows_what_it_says() -> None:
    drawn = figure(page(f"{CLUSTER}&view=demand"))
    stairs = next(trace for trace in drawn["data"] if trace.get("line", {}).get("shape") == "hv")
    assert stairs["y"][:3] == pytest.approx([880_128, 2 * 880_128, 3 * 880_128])
    assert stairs["x"][1:3] == pytest.approx([740_659.2, 2 * 740_659.2])
    reader = next(trace for trace in drawn["data"] if trace.get("marker", {}).get("color") == READER)
    assert reader["x"] == [900_000, 900_000]
    assert reader["y"] == pytest.approx([1_760_256, 1_399_680])
    shades = [(shape["x0"], shape["x1"]) for shape in drawn["layout"]["shapes"]]
    assert shades[0] == (pytest.approx(565_926, abs=1), pytest.approx(740_659.2))
    assert (drawn["layout"]["xaxis"]["type"], drawn["layout"]["yaxis"]["type"]) == ("log", "log")


def test_a_free_api_has_no_point_on_the_logarithmic_axis() -> None:
    drawn = figure(page(f"{CLUSTER}&view=demand&api=custom:Free:0:0:0"))
    reader = next(trace for trace in drawn["data"] if trace.get("marker", {}).get("color") == READER)
    assert reader["text"] == ["you: $1,760,256 own"]
    amounts = [y for trace in drawn["data"] for y in trace["y"]]
    assert amounts
    assert min(amounts) > 0


@pytest.mark.parametrize("query", SCENARIOS)
def test_the_exported_tables_hold_the_figures(query: str) -> None:
    asked = comparison(query)
    money, scenario = Money(asked), asked.scenario
    week = csv_text(asked, week_table(traffic_answer(asked)))
    demand = demand_answer(asked)
    assert demand.compared is not None
    steps = demand_table(demand, demand.compared, scenario, money)
    hours = hybrid_table(hybrid_answer(asked), scenario, money)
    assert len(week.splitlines()) > 168
    assert "?v=1&" in week
    first = next(row for row in steps[1:] if row[0] <= demand.week.mean_output_tok_s <= row[1])
    assert first[2] == pytest.approx(demand.fleet.units_paid)
    assert first[3] == pytest.approx(money.amount(demand.fleet.usd_per_month))
    assert sum(row[2] for row in hours[1:169]) / 168 == pytest.approx(demand.week.mean_output_tok_s, rel=0.02)
    assert csv_text(asked, steps)
    assert csv_text(asked, hours)


def test_without_demand_the_views_say_why() -> None:
    query = "?scenario=deepinfer-128&util=0"
    assert "Nothing to plan for: no tokens are served" in words(page(f"{query}&view=demand"))
    assert "Nothing to mix: no tokens are served" in words(page(f"{query}&view=hybrid"))
    assert not page(f"{query}&view=traffic").exception


def test_without_a_known_price_the_views_say_so() -> None:
    query = f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash"
    assert "takes **2 units**" in words(page(f"{query}&view=demand"))
    assert "no API with a known price" in words(page(f"{query}&view=hybrid"))
    assert "is free for this token mix" in words(page(f"{CLUSTER}&api=custom:Free:0:0:0&view=hybrid"))
    assert "it never turns" in words(page(f"{CLUSTER}&api=custom:Free:0:0:0&view=demand"))


# The sidebar


def test_every_field_moves_the_link() -> None:
    app = page(NODE)
    app.selectbox(key="traffic").set_value("business").run()
    app.selectbox(key="tz").set_value("Europe/Berlin").run()
    app.text_input(key="busy_days").set_value("22").run()
    app.selectbox(key="demand_at").set_value("busiest").run()
    app.selectbox(key="schedule").set_value("scheduled").run()
    app.text_input(key="prewarm").set_value("0.5").run()
    app.text_input(key="spare").set_value("1").run()
    app.text_input(key="slots").set_value("64").run()
    app.text_input(key="defer").set_value("10").run()
    app.selectbox(key="calendar").set_value("2026-09").run()
    assert not app.exception
    expected = {"traffic": "business", "tz": "Europe/Berlin", "busy_days": "22", "demand_at": "busiest"}
    expected |= {"schedule": "scheduled", "prewarm": "0.5", "spare": "1", "slots": "64", "wait": "5", "defer": "10"}
    expected |= {"calendar": "2026-09"}
    assert expected.items() <= address(app).items()
    again = page("?" + "&".join(f"{key}={value}" for key, value in expected.items() | {("scenario", "node-8xh200")}))
    assert again.text_input(key="wait").value == "5"


def test_what_is_assumed_shows_in_its_field_and_goes_into_the_link() -> None:
    app = page(CLUSTER)
    app.selectbox(key="traffic").set_value("diurnal").run()
    assert app.text_input(key="quiet").placeholder == "assumed: 30"
    assert {"quiet": "30", "rest_day": "60"}.items() <= address(app).items()
    app.text_input(key="quiet").set_value("10").run()
    assert address(app)["quiet"] == "10"
    app.selectbox(key="traffic").set_value("flat").run()
    assert not {"quiet", "rest_day"} & set(address(app))


@pytest.mark.parametrize(("key", "text"), [("demand", "1e6"), ("prewarm", "0,5"), ("slots", "1.5"), ("defer", "120")])
def test_what_is_no_number_is_named_at_its_field(key: str, text: str) -> None:
    app = page(f"{NODE}&schedule=scheduled")
    before = address(app)
    app.text_input(key=key).set_value(text).run()
    (message,) = [each.value.replace("\\", "") for each in app.error]
    assert text in message
    assert address(app) == before


def test_busy_days_of_the_week_are_chosen_one_by_one() -> None:
    app = page(f"{NODE}&traffic=business&days=mon-fri")
    (days,) = [each for each in app.get("button_group") if each.key == "days"]
    assert days.value == ["mon", "tue", "wed", "thu", "fri"]
    days.set_value(["sat", "sun"]).run()
    assert address(app)["days"] == "sat,sun"
    next(each for each in app.get("button_group") if each.key == "days").set_value([]).run()
    assert "choose at least one day" in app.error[0].value


def test_an_imported_week_can_be_left_and_taken_up_again() -> None:
    app = page(f"{CLUSTER}&traffic=imported&profile={WEEK}")
    assert address(app)["profile"] == WEEK
    app.selectbox(key="traffic").set_value("flat").run()
    assert address(app)["profile"] == WEEK
    app.selectbox(key="traffic").set_value("imported").run()
    assert (address(app)["traffic"], address(app)["profile"]) == ("imported", WEEK)
    assert "imported" not in page(CLUSTER).selectbox(key="traffic").options


def test_the_api_to_compare_with_follows_the_list() -> None:
    app = page(f"{CLUSTER}&view=demand")
    app.selectbox(key="against").set_value("tokely:deepseek-v4.1-flash").run()
    assert address(app)["against"] == "tokely:deepseek-v4.1-flash"
    assert "Against Tokely DeepSeek V4.1 Flash self-hosting turns" in words(app)
    app.multiselect(key="api").set_value(["deepseek:deepseek-flash"]).run()
    assert not app.exception
    assert "against" not in address(app)


def test_another_year_keeps_the_month_that_was_chosen() -> None:
    app = page(f"{CLUSTER}&calendar=2026-10")
    app.selectbox(key="calendar").set_value("2026-11").run()
    app.date_input(key="asof").set_value("2027-03-01").run()
    assert not app.exception
    assert address(app)["calendar"] == "2026-11"
