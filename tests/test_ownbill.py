"""The own bill: properties first, then published numbers, then the faults other tools had."""

import pytest

from costmodel.answer import answer_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare, not_included
from costmodel.ledger import total_usd
from costmodel.link import decode, query_of
from costmodel.scenario import INPUTS

CATALOG = catalog()
NODE = "?scenario=node-8xh200"
EVERYTHING = "&staff=0.5&storage=2000&egress=500&network=100&support=375&setup=90000&kv_tb=1&spare=1"


def answer(query: str) -> Comparison:
    decoded = decode(CATALOG, query_of(query))
    assert decoded.problems == (), decoded.problems
    return compare(CATALOG, decoded.scenario)


def break_even_tok_s(query: str) -> float:
    found = answer(query).apis[0].break_even.output_tok_s
    assert found is not None
    return found


# Properties


@pytest.mark.parametrize("acquire", INPUTS["acquire"].choices)
@pytest.mark.parametrize("identifier", ["deepinfer-128", "node-8xh200", "llama-70b-2xh100"])
def test_the_bill_is_the_sum_of_its_lines(identifier: str, acquire: str) -> None:
    own = answer(f"?scenario={identifier}&acquire={acquire}{EVERYTHING}").self_host
    assert own.usd_per_month == pytest.approx(total_usd(own.lines))
    assert own.usd_per_month == pytest.approx(own.usd_per_hour * own.paid_hours_per_month)


@pytest.mark.parametrize(
    "line",
    ["staff=1", "storage=5000", "egress=9000", "network=50", "support=375", "setup=50000", "kv_tb=1", "spare=1"],
)
def test_each_line_makes_self_hosting_dearer_and_is_no_longer_left_out(line: str) -> None:
    without, with_it = answer(NODE), answer(f"{NODE}&{line}")
    assert with_it.self_host.usd_per_month > without.self_host.usd_per_month
    assert len(not_included(with_it.scenario)) == len(not_included(without.scenario)) - 1
    assert not not_included(answer(NODE + EVERYTHING).scenario)


def test_units_multiply_what_is_paid_per_unit_and_nothing_else() -> None:
    one, three = answer(NODE + EVERYTHING).self_host, answer(f"{NODE}{EVERYTHING}&units=3").self_host
    assert three.unit_usd_per_hour == pytest.approx(one.unit_usd_per_hour)
    assert three.once_usd_per_hour == pytest.approx(one.once_usd_per_hour)
    assert three.usd_per_hour == pytest.approx(4 * one.unit_usd_per_hour + one.once_usd_per_hour)


@pytest.mark.parametrize("key", ["capex", "wacc", "kw", "pue", "kwh", "colo", "maint"])
def test_what_a_purchase_rests_on_makes_it_dearer(key: str) -> None:
    low, high = (1.1, 2) if key == "pue" else (1, 9)
    bills = [answer(f"{NODE}&acquire=buy&{key}={value}").self_host.usd_per_month for value in (low, high)]
    assert bills[0] < bills[1]


def test_a_longer_life_and_a_higher_residual_make_it_cheaper() -> None:
    for key, low, high in (("life", 24, 60), ("residual", 0, 40)):
        bills = [answer(f"{NODE}&acquire=buy&{key}={value}").self_host.usd_per_month for value in (low, high)]
        assert bills[0] > bills[1]


def test_spot_hours_that_are_missing_are_not_paid_and_serve_nothing() -> None:
    whole = answer(f"{NODE}&acquire=spot&spot_off=50&spot_lost=0")
    some = answer(f"{NODE}&acquire=spot&spot_off=50&spot_lost=20")
    assert some.self_host.usd_per_month == pytest.approx(0.8 * whole.self_host.usd_per_month)
    assert some.self_host.output_mtok_per_month == pytest.approx(0.8 * whole.self_host.output_mtok_per_month)
    assert some.self_host.usd_per_mtok == pytest.approx(whole.self_host.usd_per_mtok)
    assert whole.self_host.usd_per_month == pytest.approx(answer(NODE).self_host.usd_per_month / 2)


# Published numbers


def test_a_month_of_a_bought_h100() -> None:
    """The real cost of an AI token, June 2026: 833.33 + 66.43 + 350 + 150 = 1,399.76 $, 1.917 $ an hour."""
    own = answer(
        "?scenario=llama-70b-2xh100&gpu=aws-h100&gpus=8&units=1&hours=730&acquire=buy&capex=30000&residual=0&life=36"
        "&wacc=0&kw=0.7&pue=1.3&kwh=0.10&colo=500&maint=0&staff=0.096&staff_usd=150000"
    ).self_host
    assert own.gpus == 8
    assert own.usd_per_month / 8 == pytest.approx(1_399.76, abs=0.005)
    assert own.usd_per_hour / 8 == pytest.approx(1.917, abs=5e-4)


def test_operations_and_a_second_node_move_the_break_even() -> None:
    """pikas.systems, September 2026: 11,676 tok/s; 2,500 $ a month of operations make it 12,469, failover 23,352."""
    assert break_even_tok_s(NODE) == pytest.approx(11_676, abs=0.5)
    assert break_even_tok_s(f"{NODE}&staff=0.2&staff_usd=150000") == pytest.approx(12_469, abs=1)
    assert break_even_tok_s(f"{NODE}&spare=1") == pytest.approx(23_352, abs=0.5)


def test_the_kv_cache_store_of_128_gpus() -> None:
    """1.84 PB at 0.06 $ per GB and month: 110.6k $ a month, break-even 76 -> 86 %."""
    comparison = answer("?scenario=deepinfer-128&kv_tb=14.4&kv_usd=0.06")
    store = next(line for line in comparison.self_host.lines if line.name == "KV cache store")
    assert store.quantity == pytest.approx(1_843_200)
    assert store.usd == pytest.approx(110_592)
    found = comparison.apis[0].break_even.utilization
    assert found == pytest.approx(0.8601, abs=1e-4)


@pytest.mark.parametrize(
    ("extra", "expected"),
    [("&cur=EUR&fx=0.92", 33_875.5), ("&cur=EUR&fx=0.92&vat=21", 40_989), ("&cur=EUR&asof=2026-09-10", 31_700)],
)
def test_a_month_in_euros(extra: str, expected: float) -> None:
    """pikas.systems, September 2026, at 0.92 and with 21 % VAT; ECB on 2026-09-10: 0.8609."""
    comparison = answer(NODE + extra)
    said = answer_dict(comparison)["self_host"]["usd_per_month_in_currency"]
    assert said == pytest.approx(expected, abs=1)
    assert answer_dict(comparison)["self_host"]["usd_per_month"] == pytest.approx(36_821.2)


# VAT: only where it is due, and not where it is recovered


def test_salaries_bear_no_vat() -> None:
    comparison = answer(f"{NODE}&staff=0.2&staff_usd=150000&vat=21")
    said = answer_dict(comparison)["self_host"]
    assert said["usd_per_month"] == pytest.approx(36_821.2 + 2_500)
    assert said["usd_per_month_in_currency"] == pytest.approx(36_821.2 * 1.21 + 2_500)
    assert sum(line["usd_in_currency"] for line in said["lines"]) == pytest.approx(said["usd_per_month_in_currency"])
    staff = next(line for line in said["lines"] if line["name"] == "People who operate it")
    assert (staff["bears_vat"], staff["usd_in_currency"]) == (False, pytest.approx(2_500))


def test_at_the_break_even_both_bills_are_equal_with_vat_on_both() -> None:
    query = f"{NODE}&staff=1&vat=21&tps=20000"
    utilization = answer(query).apis[0].break_even.utilization
    assert utilization is not None
    assert utilization < 1
    even = answer_dict(answer(f"{query}&util={utilization * 100:.10f}"))
    assert even["self_host"]["usd_per_month_in_currency"] == pytest.approx(even["apis"][0]["usd_per_month_in_currency"])
    assert even["apis"][0]["winner"] == "tie"


def test_recovered_vat_is_no_cost() -> None:
    said = answer_dict(answer(f"{NODE}&staff=1&vat=21&vat_back=yes"))["self_host"]
    assert said["usd_per_month_in_currency"] == pytest.approx(said["usd_per_month"])


# How the GPUs are got


def test_a_reservation_takes_its_discount_off_the_on_demand_price() -> None:
    reserved = answer(f"{NODE}&acquire=reserve&reserve_off=30").self_host
    assert reserved.usd_per_month == pytest.approx(0.7 * 36_821.2)
    assert "reserved 30 % off" in reserved.lines[0].name


def test_a_price_that_is_reserved_already_is_not_discounted_again() -> None:
    query = "?scenario=deepinfer-16&gpu=lambda-b200-cluster-1y&prefill_gpu=lambda-b200-cluster-1y"
    rented, reserved = answer(query), answer(f"{query}&acquire=reserve")
    assert reserved.self_host.usd_per_month == rented.self_host.usd_per_month
    assert any("no reserved discount is taken off" in note for note in reserved.notes)
    typed = answer(f"{query}&acquire=reserve&reserve_off=10")
    assert typed.self_host.usd_per_month == pytest.approx(0.9 * rented.self_host.usd_per_month)


def test_an_assumed_purchase_price_is_said_to_be_one() -> None:
    assert any("assumption" in note for note in answer(f"{NODE}&acquire=buy").notes)
    assert not any("assumption" in note for note in answer(f"{NODE}&acquire=buy&capex=40000").notes)


def test_storage_and_staff_stay_at_the_full_month_when_hours_are_few() -> None:
    """infracost#1556: switched on for 176 hours, the node costs 8,877.44 $, its storage still a month."""
    own = answer(f"{NODE}&hours=176&storage=1000&storage_usd=0.06&staff=1&staff_usd=120000").self_host
    assert [round(line.usd, 2) for line in own.lines] == [8_877.44, 10_000, 60]
