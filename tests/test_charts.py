"""The figures as data: properties over odd scenarios, then what a reader must be able to see."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any
from urllib.parse import quote

import pytest

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of
from costmodel.ui.charts import (
    OWN,
    READER,
    Figure,
    cost_chart,
    cost_table,
    distinct,
    money_axis,
    money_format,
    money_ticks,
)
from costmodel.ui.charts_bars import bills_chart, earnings, gpu_hour_chart
from costmodel.ui.text import Money

CATALOG = catalog()
CLUSTER = "?scenario=deepinfer-128"
FREE, DEAR = "api=custom:Free:0:0:0", "api=custom:Dear:900::900"
CLAIM = ("DeepSeek's own claim", 38.0)


def answer(query: str) -> Comparison:
    decoded = decode(CATALOG, query_of(query))
    assert decoded.problems == (), decoded.problems
    return compare(CATALOG, decoded.scenario)


MONEY = Money(answer(CLUSTER))


def curve_of(figure: Figure) -> dict[str, Any]:
    trace: dict[str, Any] = next(each for each in figure["data"] if each.get("line", {}).get("color") == OWN)
    return trace


def rings_of(figure: Figure) -> dict[str, Any]:
    trace: dict[str, Any] = next(each for each in figure["data"] if each["mode"] == "markers+text")
    return trace


def texts(value: Any) -> Iterator[str]:
    """Every text of a figure that plotly would read as markup."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("text", "hovertext", "hovertemplate", "name", "y", "ticktext", "title"):
                yield from texts(each) if not isinstance(each, str) else [each]
            elif isinstance(each, dict | list):
                yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from [each] if isinstance(each, str) else texts(each)


# Properties


@pytest.mark.parametrize("apis", ["", FREE, DEAR, f"{FREE}&{DEAR}"])
@pytest.mark.parametrize("currency", ["cur=USD", "cur=JPY&fx=150&vat=10"])
def test_no_figure_holds_anything_but_numbers(apis: str, currency: str) -> None:
    for util, tps, ratio in product(("0", "0.0001", "50", "100"), ("0.01", "14466", "1000000"), ("0", "10000")):
        query = f"{CLUSTER}&util={util}&tps={tps}&ratio={ratio}&{currency}&{apis}"
        comparison = answer(query)
        for figure in (cost_chart(comparison), bills_chart(comparison), gpu_hour_chart(comparison, vendor_claim=CLAIM)):
            drawn = json.dumps(figure, allow_nan=False)
            assert not re.search(r"\b(nan|inf|None)\b", drawn, re.IGNORECASE), query
        low, high = cost_chart(comparison)["layout"]["yaxis"]["range"]
        assert low < high
        json.dumps(cost_table(comparison), allow_nan=False)


@pytest.mark.parametrize("example", sorted(CATALOG.examples))
def test_break_even_points_lie_on_the_curve_and_on_their_line(example: str) -> None:
    comparison = answer(f"?scenario={example}")
    figure = cost_chart(comparison)
    curve, rings = curve_of(figure), rings_of(figure)
    drawn = dict(zip(curve["x"], curve["y"], strict=True))
    reachable = [api for api in comparison.apis if api.break_even.reachable]
    assert len(rings["x"]) == len(reachable)
    for percent, amount in zip(rings["x"], rings["y"], strict=True):
        assert drawn[percent] == pytest.approx(amount), "the curve passes through it, so the picture crosses there"
    assert rings["x"] == sorted(rings["x"])


@pytest.mark.parametrize("example", sorted(CATALOG.examples))
def test_everything_marked_is_in_sight(example: str) -> None:
    comparison = answer(f"?scenario={example}")
    figure = cost_chart(comparison)
    axis = figure["layout"]["yaxis"]
    low, high = (10**each for each in axis["range"]) if axis["type"] == "log" else axis["range"]
    for trace in figure["data"]:
        if "markers" in trace["mode"] or trace["line"]["color"] != OWN:
            assert all(low <= amount <= high for amount in trace["y"]), trace
    feet = sorted((each["xanchor"], each["y"]) for each in figure["layout"]["annotations"])
    for (side, one), (other_side, other) in pairwise(feet):
        assert side != other_side or other - one >= 0.05, "labels in one column do not overlap"


# What must be seen


def test_the_published_crossings() -> None:
    rings = rings_of(cost_chart(answer(CLUSTER)))
    assert rings["text"] == ["38.2 %", "57.3 %", "63.2 %", "76.4 %"]
    assert rings["x"] == pytest.approx([38.20, 57.31, 63.23, 76.41], abs=0.01)


def test_the_spike_at_low_utilization_does_not_flatten_the_rest() -> None:
    axis = cost_chart(answer(CLUSTER))["layout"]["yaxis"]
    assert axis["type"] == "linear"
    assert axis["range"][0] == 0
    assert 1.2 < axis["range"][1] < 2, "not the 45.85 $ of 1 %"


def test_far_apart_prices_get_a_logarithmic_axis_with_whole_amounts() -> None:
    axis = cost_chart(answer("?scenario=node-8xh200"))["layout"]["yaxis"]
    assert axis["type"] == "log"
    assert axis["ticktext"] == ["$1", "$2", "$5", "$10", "$20", "$50"]
    assert "tickprefix" not in axis


@pytest.mark.parametrize(("low", "high"), [(0.003, 0.2), (0.4, 2e6), (5e-5, 0.9), (0.3, 3e9), (20, 700)])
def test_ticks_are_written_out(low: float, high: float) -> None:
    ticks = money_ticks(low, high, Money(answer(CLUSTER)))
    assert 3 <= len(ticks["tickvals"]) <= 12
    for value, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        assert re.fullmatch(r"\$[0-9,]+(\.[0-9]+)?", text), "no exponent, no k, M or G"
        assert float(text[1:].replace(",", "")) == pytest.approx(value)


@pytest.mark.parametrize("high", [1e-4, 0.3, 1.4, 9, 25, 3e9])
def test_no_axis_turns_billions_into_g(high: float) -> None:
    assert re.fullmatch(r",(\.2f|~r)", money_format(high, MONEY)["tickformat"]), (
        "d3's f and r write amounts out; s and the default do not"
    )


@pytest.mark.parametrize(
    ("high", "texts"),
    [
        (3.2e9, ["$0", "$1B", "$2B", "$3B"]),
        (1_630_000, ["$0", "$0.5M", "$1M", "$1.5M"]),
        (42_000, ["$0", "$20k", "$40k"]),
        (9_000, ["$0", "$5,000"]),
        (49.4, ["$0", "$20", "$40"]),
        (1.7, ["$0.00", "$0.50", "$1.00", "$1.50"]),
        (0.006, ["$0.000", "$0.002", "$0.004", "$0.006"]),
    ],
)
def test_axes_of_bars_have_a_few_short_round_amounts(high: float, texts: list[str]) -> None:
    axis = money_axis("", Money(answer(CLUSTER)), high=high)
    assert axis["ticktext"] == texts
    assert axis["tickvals"][-1] <= high


def test_idle_gpus_have_a_curve_but_no_point() -> None:
    figure = cost_chart(answer(f"{CLUSTER}&util=0"))
    assert min(curve_of(figure)["x"]) > 0
    assert READER not in json.dumps(figure)


def test_the_curve_reaches_the_reader_and_early_break_even_points() -> None:
    assert min(curve_of(cost_chart(answer(f"{CLUSTER}&util=0.5")))["x"]) == 0.5
    early = cost_chart(answer(f"{CLUSTER}&{DEAR}"))
    assert rings_of(early)["x"][0] < 1
    assert min(curve_of(early)["x"]) == rings_of(early)["x"][0]


def test_a_price_unknown_on_the_day_is_no_line() -> None:
    comparison = answer("?scenario=node-8xh200&asof=2026-09-05")
    assert any(api.usd_per_mtok is None for api in comparison.apis)
    assert "DeepSeek" not in json.dumps(cost_chart(comparison))
    assert "DeepSeek" not in json.dumps(bills_chart(comparison))


def test_names_are_drawn_literally() -> None:
    name = "<b>%{x}</b> &lt; <a href=x>"
    comparison = answer(f"{CLUSTER}&api={quote(f'custom:{name}:1::2', safe='')}")
    for figure in (cost_chart(comparison), bills_chart(comparison), gpu_hour_chart(comparison, vendor_claim=None)):
        drawn = list(texts(figure))
        assert any("&lt;b&gt;" in text for text in drawn)
        assert not any(re.search(r"<(?!extra></extra>|/extra>)", text) for text in drawn)
        templates = [trace["hovertemplate"] for trace in figure["data"]]
        assert not any("%{x}</b>" in text or "&lt;b&gt;" in text for text in templates), "a template is filled in"


def test_bars_of_one_name_stay_apart() -> None:
    assert distinct(["Own GPUs", "A", "A", "Own GPUs", "A"]) == ["Own GPUs", "A", "A (2)", "Own GPUs (2)", "A (3)"]
    comparison = answer(f"{CLUSTER}&api=custom:A:0::1&api=custom:A:0::2&api=custom:Own GPUs:0::3")
    bars = bills_chart(comparison)["data"][0]
    assert bars["y"] == ["Own GPUs", "A", "A (2)", "Own GPUs (2)"]
    assert bars["x"][0] == pytest.approx(880_128)
    assert bars["marker"]["color"][0] == OWN


def test_what_a_gpu_hour_earns() -> None:
    comparison = answer(CLUSTER)
    full = {api.id: usd for api, usd, _ in earnings(comparison)}
    assert full["deepseek:deepseek-flash@off_peak"] == pytest.approx(12.50, abs=0.005)
    figure = gpu_hour_chart(comparison, vendor_claim=CLAIM)
    band = figure["layout"]["shapes"][0]
    assert (band["x0"], band["x1"]) == (8.60, 10.50)
    assert figure["data"][2]["text"] == ["$38.00 unaudited"]


def test_tax_and_currency_scale_every_amount_alike() -> None:
    dollars, euros = cost_chart(answer(CLUSTER)), cost_chart(answer(f"{CLUSTER}&cur=EUR&fx=0.5&vat=20"))
    assert euros["layout"]["yaxis"]["range"] == pytest.approx(
        [0.6 * each for each in dollars["layout"]["yaxis"]["range"]]
    )
    for one, other in zip(dollars["data"], euros["data"], strict=True):
        assert other["x"] == one["x"]
        assert other["y"] == pytest.approx([0.6 * each for each in one["y"]])
    assert euros["layout"]["yaxis"]["title"]["text"].startswith("€ per")
