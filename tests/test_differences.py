"""Where a release and prices/apis/ differ: what is appended, from which day, and what stands in the way."""

from datetime import date
from typing import Any

import pytest

from costmodel.pricefiles.differences import Difference, beyond_the_package, differences
from costmodel.pricefiles.pricelist import ListedModel
from costmodel.records import ApiModel, ApiOffer
from tests.genai_prices_fake import Model, daily, release, starting, usd

ON = date(2026, 11, 30)
SOURCE = {"url": "https://v.example/pricing", "seen": "2026-11-01"}


def entry(since: str, usd_in: float, usd_out: float, **more: Any) -> dict[str, Any]:
    prices = {"input": usd_in, "output": usd_out} | more.pop("kinds", {})
    return {"since": since, "basis": "published", "source": SOURCE, "usd_per_mtok": prices} | more


def offer(*history: dict[str, Any], **more: Any) -> ApiOffer:
    record = {"id": "m", "name": "M", "checked": "2026-11-01", "history": list(history)} | more
    return ApiOffer(vendor="v", vendor_name="V", entry=ApiModel.model_validate(record))


def listed(sold: ApiOffer, *prices: Any, variants: tuple[Any, ...] = ()) -> ListedModel:
    model = release(v=(Model("m", *prices, variants=variants),)).find(sold)
    assert model is not None
    return model


def compared(sold: ApiOffer, *prices: Any, variants: tuple[Any, ...] = ()) -> tuple[Difference, ...]:
    return differences(sold, listed(sold, *prices, variants=variants), on=ON)


def test_the_same_figures_are_no_difference():
    sold = offer(entry("2026-07-01", 1, 2), entry("2026-09-01", 0.15, 0.6, kinds={"cached_input": 0.003}))
    assert compared(sold, usd(input="0.150", cached="0.0030", output="0.6")) == ()


def test_a_kind_that_only_the_catalogue_has_is_no_difference():
    assert compared(offer(entry("2026-07-01", 1, 2, kinds={"cached_input": 0.1})), usd(input="1", output="2")) == ()


def test_a_change_begins_on_the_day_the_package_gives():
    sold = offer(entry("2026-07-01", 1, 2))
    (found,) = compared(sold, (None, usd(input="1", output="2")), (starting("2026-10-05"), usd(input="1", output="3")))
    assert (found.since, found.is_told, found.obstacle) == (date(2026, 10, 5), True, None)
    assert found.text == "history from 2026-10-05: output 2.0 -> 3.0"
    assert found.url == SOURCE["url"]


@pytest.mark.parametrize(
    "prices",
    [
        usd(input="1", output="3"),
        [(None, usd(input="1", output="9")), (starting("2026-06-01"), usd(input="1", output="3"))],
    ],
)
def test_without_a_day_of_its_own_it_begins_on_the_day_of_reading(prices: Any):
    """A first day before our newest entry says nothing about the change."""
    sold = offer(entry("2026-07-01", 1, 2))
    (found,) = compared(sold, *(prices if isinstance(prices, list) else [prices]))
    assert (found.since, found.is_told, found.obstacle) == (ON, False, None)


def test_announced_changes_follow_today():
    sold = offer(entry("2026-07-01", 1, 2))
    conditions = [(None, usd(input="1", output="2"))]
    conditions += [
        (starting(day), usd(input="1", output=price)) for day, price in (("2026-12-01", "3"), ("2027-01-01", "4"))
    ]
    found = compared(sold, *conditions)
    assert [(each.since.isoformat(), each.before["usd_per_mtok"]["output"]) for each in found] == [
        ("2026-12-01", 2),
        ("2027-01-01", 3),
    ]
    already = offer(entry("2026-07-01", 1, 2), entry("2026-12-01", 1, 3))
    assert [each.since.isoformat() for each in compared(already, *conditions)] == ["2027-01-01"]


def test_nothing_is_put_before_an_entry_that_is_there():
    sold = offer(entry("2026-07-01", 1, 2), entry("2026-12-01", 1, 3))
    found = compared(sold, (None, usd(input="1", output="2.5")), (starting("2026-12-01"), usd(input="1", output="3")))
    assert found[0].obstacle == "an entry of 2026-12-01 is there already"
    assert compared(offer(entry("2026-11-30", 1, 2)), usd(input="1", output="3"))[0].obstacle is not None


def test_a_price_that_the_package_lacks_is_not_dropped():
    (found,) = compared(offer(entry("2026-07-01", 1, 2, kinds={"cached_input": 0.1})), usd(input="1", output="3"))
    assert found.obstacle == "the package lists no cached_input"


def test_batch_and_long_prompts_are_compared_too():
    sold = offer(
        entry("2026-07-01", 2, 6),
        batch=[entry("2026-10-14", 1, 3, long_context_usd_per_mtok={"input": 2, "output": 5})],
        long_context=[entry("2026-07-01", 4, 9, above_input_tokens=200_000)],
    )
    standard = usd(input=("2", 200_000, "4"), output=("6", 200_000, "9"))
    batch = usd(input=("1", 200_000, "2"), output=("3", 200_000, "5"))
    when = {"processing": "batch"}
    assert compared(sold, standard, variants=((when, None, batch),)) == ()
    dearer = usd(input=("1", 272_000, "2"), output=("3", 272_000, "5.5"))
    (found,) = compared(sold, standard, variants=((when, None, dearer),))
    assert found.part == "batch"
    assert found.text == "batch from 2026-11-30: long-context output 5.0 -> 5.5"
    moved = usd(input=("2", 272_000, "4"), output=("6", 272_000, "9"))
    (found,) = compared(sold, moved, variants=((when, None, batch),))
    assert (found.part, found.text) == (
        "long_context",
        "long_context from 2026-11-30: above_input_tokens 200000 -> 272000",
    )


def test_a_part_that_is_gone_is_for_a_reader():
    sold = offer(entry("2026-07-01", 2, 6), batch=[entry("2026-10-14", 1, 3)])
    (found,) = compared(sold, usd(input="2", output="6"))
    assert (found.part, found.text) == ("batch", "batch from 2026-11-30: no longer listed")
    assert found.obstacle == "the package lists no input, output"


@pytest.mark.parametrize(
    ("prices", "doubt"),
    [
        (usd(input="1", output="2.5"), None),
        (usd(input="1", output="0.34"), None),
        (usd(input="1", output="2000"), "output: Input should be less than or equal to 1000"),
        (usd(input="1", output="0.0000025"), "output: Input should be greater than or equal to 0.001"),
        (usd(input="1", output="200"), "output is 100 times the one in force; is the unit right?"),
        (usd(input="0.01", output="2"), "input is 0.01 times the one in force; is the unit right?"),
        (usd(input="1", cached="1.5", output="2"), "cached_input 1.5 is above input 1.0: are they swapped?"),
    ],
)
def test_a_price_in_another_unit_is_doubted(prices: Any, doubt: str | None):
    (found,) = compared(offer(entry("2026-07-01", 1, 2)), prices)
    said = found.doubt(factor=6)
    assert said == doubt or (doubt is not None and doubt in str(said))


def test_what_the_package_cannot_know():
    window = {
        "name": "peak",
        "timezone": "UTC",
        "days": ["mon"],
        "hours": ["01:00-04:00"],
        "usd_per_mtok": {"input": 2, "output": 4},
    }
    surcharge = {"since": "2026-03-05", "basis": "published", "source": SOURCE, "region": "eu", "surcharge_percent": 10}
    plain = usd(input="1", output="2")
    for sold, prices, reason in (
        (offer(entry("2026-07-01", 1, 2)), (plain,), None),
        (offer(entry("2026-07-01", 1, 2, windows=[window])), (plain,), "has price windows"),
        (offer(entry("2026-07-01", 1, 2), residency=[surcharge]), (plain,), "has residency"),
        (offer(entry("2026-07-01", 1, 2)), ((None, plain), (daily("01:00", "04:00"), plain)), "has prices by the hour"),
    ):
        said = beyond_the_package(sold, listed(sold, *prices), on=ON)
        assert said == reason or (reason is not None and str(said).startswith(reason))
