"""The package's prices in the catalogue's terms: by day, tier, batch and prompt length, and never a guess."""

import sys
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from costmodel.catalog import catalog
from costmodel.dated import in_force
from costmodel.pricefiles.pricelist import HOMEPAGE, ListedModel, NoPriceListError, installed_price_list
from costmodel.records import ApiModel, ApiOffer
from tests.genai_prices_fake import Model, daily, release, starting, usd

ON = date(2026, 11, 30)


def offer(identifier: str = "m", vendor: str = "v", **more: Any) -> ApiOffer:
    price = {
        "since": "2026-01-01",
        "basis": "published",
        "usd_per_mtok": {"input": 1, "output": 2},
        "source": {"url": "https://v.example", "seen": "2026-01-01"},
    }
    entry = {"id": identifier, "name": "M", "checked": "2026-01-01", "history": [price]} | more
    return ApiOffer(vendor=vendor, vendor_name="V", entry=ApiModel.model_validate(entry))


def found(*prices: Any, when: dict[str, str] | None = None, variants: tuple[Any, ...] = ()) -> ListedModel:
    named = {"genai_prices": {"model": "m", "when": when}} if when else {}
    listed = release(v=(Model("m", *prices, variants=variants),)).find(offer(**named))
    assert listed is not None
    return listed


def test_a_model_is_found_under_the_vendors_own_id_before_ours():
    prices = release(v=(Model("m", usd(input="1", output="2")), Model("org/M", usd(input="1", output="2"))))
    for more, name in (({}, "v/m"), ({"vendor_model_id": "org/M"}, "v/org/M"), ({"vendor_model_id": "gone"}, "v/m")):
        listed = prices.find(offer(**more))
        assert listed is not None
        assert (listed.name, listed.url) == (name, "https://v.example/pricing")


def test_a_name_is_never_guessed():
    prices = release(v=(Model("M", usd(input="1", output="2")), Model("m-1017", usd(input="1", output="2"))))
    assert prices.find(offer()) is None
    assert prices.find(offer("M".lower(), vendor="w")) is None
    assert prices.find(offer(genai_prices={"model": "m"})) is None
    elsewhere = prices.find(offer(vendor="w", genai_prices={"provider": "v", "model": "m-1017"}))
    assert elsewhere is not None
    assert elsewhere.name == "v/m-1017"


def test_a_provider_without_a_page_is_cited_by_the_package():
    prices = release(v=(Model("m", usd(input="1", output="2")),))
    prices.providers["v"].pricing_urls = ["http://plain.example"]
    listed = prices.find(offer())
    assert listed is not None
    assert listed.url == HOMEPAGE


def test_prices_hold_from_their_day():
    model = found(
        (None, usd(input="1", output="2")),
        (starting("2026-07-30"), usd(input="0.8", cached="0.1", output="1.5")),
        (starting("2027-01-01"), usd(input="3", output="4")),
    )
    for on, since, output in (
        ("2026-07-29", None, "2"),
        ("2026-07-30", "2026-07-30", "1.5"),
        ("2026-12-31", "2026-07-30", "1.5"),
    ):
        listed = model.prices(date.fromisoformat(on))
        assert listed is not None
        assert listed.since == (date.fromisoformat(since) if since else None)
        assert listed.usd_per_mtok["output"] == Decimal(output)
    assert model.change_days(after=ON) == (date(2027, 1, 1),)
    assert "cached_input" in (model.prices(ON) or pytest.fail("no prices")).usd_per_mtok


def test_prices_by_the_hour_are_read_outside_their_hours():
    peak = usd(input="3", output="6")
    model = found((None, usd(input="1", output="2")), (daily("10:00", "14:00"), peak), (daily("20:00", "23:00"), peak))
    listed = model.prices(ON)
    assert model.has_hours
    assert listed is not None
    assert listed.usd_per_mtok == {"input": 1, "output": 2}


def test_a_tier_that_is_gone_is_not_the_standard_price():
    variants = (({"service_tier": "flex"}, starting("2026-10-12"), usd(input="0.5", output="1")),)
    flex = found(usd(input="1", cached="0.2", output="2"), when={"service_tier": "flex"}, variants=variants)
    listed = flex.prices(ON)
    assert listed is not None
    assert listed.usd_per_mtok == {"input": Decimal("0.5"), "cached_input": Decimal("0.2"), "output": 1}
    assert listed.since == date(2026, 10, 12)
    assert flex.prices(date(2026, 10, 11)) is None
    assert found(usd(input="1", output="2"), when={"service_tier": "flex"}).prices(ON) is None
    assert found(usd(input="1", output="2")).prices(ON, batch=True) is None


def test_a_step_is_long_context_and_two_steps_are_neither():
    one = found(usd(input=("1", 200_000, "2"), cached="0.1", output=("4", 200_000, "6"))).prices(ON)
    assert one is not None
    assert one.usd_per_mtok == {"input": 1, "cached_input": Decimal("0.1"), "output": 4}
    assert one.above_input_tokens == 200_000
    assert one.long_context_usd_per_mtok == {"input": 2, "cached_input": Decimal("0.1"), "output": 6}
    two = found(usd(input=("1", 100_000, "2"), output=("4", 200_000, "6"))).prices(ON)
    assert two is not None
    assert (two.above_input_tokens, two.long_context_usd_per_mtok) == (None, None)


def test_a_model_without_token_prices_has_none():
    assert found(usd(input="1")).prices(ON) is None


@pytest.mark.parametrize(
    "broken", [{"genai_prices": None}, {"genai_prices": object(), "genai_prices.data_snapshot": object()}]
)
def test_without_a_usable_package_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any]):
    for name, module in broken.items():
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(NoPriceListError, match=r"install"):
        installed_price_list()


def test_every_mapping_in_the_files_is_in_the_package():
    """Against the installed release, where there is one: ids and tiers that the files name are really there."""
    pytest.importorskip("genai_prices")
    prices = installed_price_list()
    named = [each for each in catalog().apis.values() if each.entry.genai_prices]
    assert len(named) > 30
    for each in named:
        listed = prices.find(each)
        assert listed is not None, each.id
        today = listed.prices(ON)
        assert today is not None, each.id
        held = in_force(each.entry.history, on=ON, what=each.id).usd_per_mtok
        assert held.model_dump(exclude_none=True).keys() == today.usd_per_mtok.keys(), each.id
