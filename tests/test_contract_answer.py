"""The contract of the reader's scenario: consistent with the bill of the month, and with every path it is asked for."""

import json
from dataclasses import replace

import pytest

from costmodel.answer_contract import contract_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.contracts.contract import cumulative_usd, npv_usd
from costmodel.contracts.contract_answer import ContractReport, chosen_kind, contract_answer
from costmodel.contracts.contract_options import KINDS, Kind, Option
from costmodel.link import decode, query_of
from costmodel.load.demand_answer import NoDemandError
from costmodel.risk.outcome import outcome_of

CATALOG = catalog()
CLUSTER, UNIT, NODE = "?scenario=deepinfer-128", "?scenario=deepinfer-16", "?scenario=node-8xh200"
PATHS = "&api_drop=20&gpu_drop=15&growth=30"
EVERYTHING = "&staff=0.5&storage=2000&egress=500&network=100&support=375&setup=90000&kv_tb=1&spare=1"
QUERIES = [
    CLUSTER,
    f"{CLUSTER}&acquire=spot&api_drop=-40&growth=-30&term=7",
    f"{UNIT}{PATHS}{EVERYTHING}&vat=21&cur=EUR",
    f"{UNIT}&acquire=buy&term=84&life=30&traffic=diurnal&tz=Europe/Madrid&demand=90000",
    f"{NODE}&gpu=hyperstack-b200&acquire=reserve&term=24&wacc=0",
]


def comparison(query: str) -> Comparison:
    decoded = decode(CATALOG, query_of(query))
    assert decoded.problems == (), decoded.problems
    return compare(CATALOG, decoded.scenario)


def report(query: str) -> ContractReport:
    return contract_answer(CATALOG, comparison(query))


def option(query: str, kind: Kind) -> Option:
    found = report(query).option(kind)
    assert found is not None
    return found


# Properties


@pytest.mark.parametrize("acquire", KINDS)
@pytest.mark.parametrize("query", [CLUSTER, f"{UNIT}{EVERYTHING}&vat=21", f"{NODE}&gpu_usd=5"])
def test_the_readers_way_costs_what_the_bill_of_the_month_says(query: str, acquire: Kind) -> None:
    asked = comparison(f"{query}&acquire={acquire}")
    found = contract_answer(CATALOG, asked)
    own = found.option(found.chosen)
    assert own is not None
    assert found.chosen == acquire
    api_part = own.api_share_today * found.api_way.outlook.api_usd_per_month
    assert own.usd_per_month - api_part == pytest.approx(asked.self_host.usd_per_month)
    assert [line.name for line in own.lines] == [line.name for line in asked.self_host.lines]
    assert own.break_even_today == pytest.approx(asked.cheapest_api.break_even.utilization)  # type: ignore[union-attr]


@pytest.mark.parametrize("acquire", KINDS)
@pytest.mark.parametrize("query", [CLUSTER, f"{UNIT}{EVERYTHING}{PATHS}"])
def test_how_the_reader_gets_the_gpus_changes_no_way(query: str, acquire: Kind) -> None:
    found, rented = report(f"{query}&acquire={acquire}"), report(query)
    for mine, other in zip(found.options, rented.options, strict=True):
        assert mine.costs == other.costs
        assert mine.limit == other.limit


@pytest.mark.parametrize("query", QUERIES)
def test_years_are_those_of_the_chart_and_the_cheapest_is_the_cheapest(query: str) -> None:
    found = report(query)
    assert {12, 24, 36, 48, 60, found.term_months} == {cost.months for cost in found.api_costs}
    for each in found.options:
        assert [cost.months for cost in each.costs] == [cost.months for cost in found.api_costs]
        assert each.over_term in each.costs
        last = each.costs[-1]
        assert last.total_usd == pytest.approx(cumulative_usd(each.way.paid_usd)[-1] - each.way.left_usd)
    npv = {each.kind: each.over_term.npv_usd for each in found.options}
    best = min([found.api_over_term.npv_usd, *npv.values()])
    assert (found.api_over_term.npv_usd if found.cheapest == "api" else npv[found.cheapest]) == best


@pytest.mark.parametrize("query", QUERIES)
def test_a_way_is_cheaper_over_the_term_just_while_the_price_falls_less_than_it_survives(query: str) -> None:
    asked = comparison(query)
    for each in contract_answer(CATALOG, asked).options:
        limit = each.limit
        fall = -limit.yearly_rise_share if limit.yearly_rise_share is not None else limit.yearly_fall_share
        for step, is_cheaper in ((-0.01, True), (0.01, False)):
            if fall is None or fall + step > 0.99:
                continue
            path = asked.scenario.model_copy(update={"api_price_fall_percent": 100 * (fall + step)})
            at = contract_answer(CATALOG, replace(asked, scenario=path))
            there = at.option(each.kind)
            assert there is not None
            assert (there.over_term.npv_usd < at.api_over_term.npv_usd) == is_cheaper


@pytest.mark.parametrize("acquire", ["rent", "reserve", "spot"])
@pytest.mark.parametrize(
    "query",
    [
        CLUSTER,
        f"{CLUSTER}{PATHS}&traffic=business",
        f"{UNIT}&api_drop=-10&growth=-20&traffic=diurnal&tz=Europe/Madrid&staff=1&vat=21&slots=64&wait=5",
    ],
)
def test_the_mean_month_of_the_risk_views_saves_as_much(query: str, acquire: Kind) -> None:
    asked = comparison(f"{query}&acquire={acquire}")
    found = contract_answer(CATALOG, asked)
    own = found.option(acquire)
    assert own is not None
    months = npv_usd([0.0] + [1.0] * found.term_months, yearly_rate_share=found.yearly_rate_share)
    saved = (found.api_over_term.npv_usd - own.over_term.npv_usd) / months
    assert saved == pytest.approx(outcome_of(CATALOG, asked).saving_usd_per_month)


def test_up_to_the_purchase_limit_buying_is_the_cheaper_way() -> None:
    for query in (CLUSTER, f"{UNIT}{PATHS}{EVERYTHING}", f"{CLUSTER}&life=12&maint=10"):
        limit = report(query).purchase_limit.usd_per_gpu
        assert limit is not None
        at = report(f"{query}&capex={limit:.6f}")
        bought = at.option("buy")
        assert bought is not None
        assert bought.over_term.npv_usd == pytest.approx(at.api_over_term.npv_usd)
    assert "running costs" in (report(NODE).purchase_limit.reason or "")
    limits = [report(query).purchase_limit.usd_per_gpu for query in (CLUSTER, f"{CLUSTER}&capex=0")]
    assert limits[0] == pytest.approx(limits[1])
    assert "any price" in (report(f"{CLUSTER}&residual=100&wacc=0&maint=0").purchase_limit.reason or "")


@pytest.mark.parametrize("query", QUERIES)
def test_the_answer_as_data_has_a_reason_for_every_null(query: str) -> None:
    data = contract_dict(CATALOG, comparison(query))["contract"]
    json.dumps(data, allow_nan=False)
    assert data["acquired"] in {each["acquire"] for each in data["options"]}
    for part in (data, *data["options"]):
        for key, value in part.items():
            if value is None and key != "needs_api_price_rise":
                assert part[f"{key}_reason"]
    assert {each["acquire"] for each in (*data["options"], *data["not_offered"])} == set(KINDS)


@pytest.mark.parametrize("acquire", KINDS)
@pytest.mark.parametrize("term", [1, 120])
def test_every_corner_of_the_inputs_has_an_answer(term: int, acquire: Kind) -> None:
    corners = [
        {"api_drop": api, "gpu_drop": gpu, "growth": growth, "wacc": wacc, "life": life}
        for api, gpu, growth in ((99, 99, 10_000), (-1_000, -1_000, -99), (99, -1_000, 0), (-1_000, 99, 10_000))
        for wacc, life in ((0, 1), (100, 120))
    ]
    corners.append({"capex": 0, "kw": 0, "colo": 0, "maint": 0, "residual": 100, "spot_lost": 95, "reserve_off": 95})
    for corner in corners:
        query = f"{UNIT}&acquire={acquire}&term={term}" + "".join(f"&{key}={value}" for key, value in corner.items())
        json.dumps(contract_dict(CATALOG, comparison(query)), allow_nan=False)


# Worked numbers


def test_over_the_term_without_paths_it_is_the_months_bills() -> None:
    """128 GPUs, 880,128 $ a month; DeepSeek off-peak at 60 %: 691,124 $; 36 months."""
    found = report(f"{CLUSTER}&term=36&wacc=8")
    assert found.api_over_term.total_usd == pytest.approx(36 * 691_123.9, rel=1e-6)
    rent, reserve = found.option("rent"), found.option("reserve")
    assert rent is not None
    assert reserve is not None
    assert rent.over_term.total_usd == 36 * 880_128
    assert reserve.over_term.total_usd == pytest.approx(0.7 * 36 * 880_128)
    assert rent.break_even_today == pytest.approx(0.7641, abs=1e-4)
    assert (rent.payback_month, reserve.payback_month) == (None, 0)
    annuity = npv_usd([0.0] + [1.0] * 36, yearly_rate_share=0.08)
    assert rent.over_term.npv_usd == pytest.approx(880_128 * annuity)


def test_a_saving_of_thirty_percent_survives_a_fall_of_23_percent_a_year() -> None:
    """A reservation of 36 months at 8 % that costs 70 % of the API: at utilization u* / 0.7."""
    fall = option(f"{CLUSTER}&term=36&wacc=8&reserve_off=0&util=100&api=custom:A:0:0:0.654977", "reserve").limit
    assert fall.yearly_fall_share == pytest.approx(0.2264, abs=1e-4)


def test_a_price_that_falls_by_a_third_within_twelve_months_moves_the_break_even_from_40_to_60_percent() -> None:
    """Output at $30, then $20, with a commitment of twelve months that needs 40 % of the capacity at $30."""
    rent = 30 * 0.4 * 3600e-6 * 12_600 * 8 * 0.8 / 16
    query = f"{UNIT}&gpu_usd={rent}&prefill_gpu_usd={rent}&term=12&api=custom:Sol:0:0:30&ratio=0"
    found = option(f"{query}&api_drop=33.333333&acquire=reserve", "reserve")
    assert found.break_even_today == pytest.approx(0.40, abs=1e-4)
    assert found.break_even_at_end == pytest.approx(0.60, abs=1e-4)
    # On demand at rents that fall alike, the break-even stays where it is.
    rented = option(f"{query}&api_drop=33.333333&gpu_drop=33.333333", "rent")
    assert rented.break_even_at_end == pytest.approx(rented.break_even_today)


def test_spot_buys_the_interrupted_share_from_the_api() -> None:
    found = report(f"{CLUSTER}&acquire=spot&spot_off=50&spot_lost=10")
    spot = found.option("spot")
    assert spot is not None
    api_usd = found.api_way.outlook.api_usd_per_month
    assert api_usd == pytest.approx(691_123.9, rel=1e-6)
    assert spot.usd_per_month == pytest.approx(0.5 * 0.9 * 880_128 + 0.1 * api_usd)


def test_a_purchase_pays_its_price_at_once() -> None:
    """128 GPUs at 40,000 $, 10 % left after 36 months; 1 kW, PUE 1.5, 0.10 $ per kWh, 100 $ of space, 3 % upkeep."""
    query = f"{CLUSTER}&term=36&capex=40000&residual=10&life=36&kw=1&pue=1.5&kwh=0.1&colo=100&maint=3"
    bought = option(query, "buy")
    assert bought.way.paid_usd[0] == 128 * 40_000
    running = 128 * (1 * 1.5 * 0.10 * 720 + 100 + 40_000 * 0.03 / 12)
    assert bought.way.paid_usd[1] == pytest.approx(running)
    assert bought.left_usd == pytest.approx(128 * 4_000)
    assert bought.over_term.total_usd == pytest.approx(128 * 36_000 + 36 * running)


def test_a_list_price_for_a_year_is_renewed_each_year() -> None:
    found = option(f"{NODE}&gpu=hyperstack-b200&gpu_drop=20&term=36", "reserve")
    assert found.commitment_months == 12
    monthly = 5.10 * 8 * 730
    hours = comparison(NODE).scenario.hours_per_month
    assert found.way.paid_usd[12] == pytest.approx(monthly * hours / 730)
    assert found.way.paid_usd[13] == pytest.approx(0.8 * monthly * hours / 730)


# Edges


def test_what_is_listed_as_reserved_or_spot_is_the_readers_way() -> None:
    assert chosen_kind(comparison(f"{NODE}&gpu=coreweave-h200-spot")) == "spot"
    assert chosen_kind(comparison(f"{NODE}&gpu=hyperstack-h200-reserved")) == "reserve"
    assert chosen_kind(comparison(f"{NODE}&gpu=hyperstack-h200-reserved&gpu_usd=2")) == "rent"
    found = report(f"{NODE}&gpu=qubrid-b200-1y")
    assert {each.kind: each.reason for each in found.missing}["rent"].startswith("Qubrid")
    own_price = report(f"{NODE}&gpu_usd=5")
    assert {each.kind for each in own_price.missing} == {"spot", "reserve"}
    assert all("your own price" in each.reason for each in own_price.missing)


def test_typed_demand_and_its_busy_hours_decide_what_the_api_serves() -> None:
    """Two thirds of the capacity on average, but only in business hours: far more than it can do then."""
    flat = option(f"{UNIT}&demand=53000", "rent")
    office = option(f"{UNIT}&demand=53000&traffic=business", "rent")
    assert flat.api_share_today == 0
    assert office.api_share_today > 0.6
    assert any("cannot serve all" in note for note in report(f"{UNIT}&demand=53000&traffic=business").notes)
    assert any("outgrows" in note for note in report(f"{UNIT}&growth=50").notes)


def test_without_tokens_or_prices_there_is_a_reason_instead() -> None:
    with pytest.raises(NoDemandError, match="no tokens are served"):
        report(f"{CLUSTER}&util=0")
    asked = comparison(f"{CLUSTER}&asof=2025-01-01&gpu_usd=5&prefill_gpu_usd=5&api=tokely:deepseek-v4.1-flash")
    assert "no API with a known price" in contract_dict(CATALOG, asked)["contract_reason"]
    free = report(f"{CLUSTER}&api=custom:Free:0:0:0")
    assert free.cheapest == "api"
    assert {each.limit.reason for each in free.options} == {"the API is free for this token mix"}
    assert {each.break_even_today for each in free.options} == {None}


def test_the_api_of_the_readers_choice_is_the_one_compared_with() -> None:
    assert report(f"{CLUSTER}&against=tokely:deepseek-v4.1-flash").api.id == "tokely:deepseek-v4.1-flash"
    assert any("some hours only" in note for note in report(CLUSTER).notes)


def test_every_input_in_use_is_listed_with_where_it_is_from() -> None:
    listed = {each.key: each for each in report(f"{UNIT}&capex=45000&api_drop=10").in_use}
    assert listed["capex"].value == 45_000
    assert listed["capex"].assumed is None
    assert listed["wacc"].assumed is not None
    assert listed["api_drop"].value == 10
    # CoreWeave lists a spot price for the B200, so no discount is assumed for it.
    assert "spot_off" not in listed
    assert "reserve_off" in listed
