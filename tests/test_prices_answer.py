"""What has changed since a link's price date, and both verdicts; the key prices of the answer."""

from datetime import date

import pytest

from costmodel.answer_prices import NO_ANSWER_TODAY, OF_TODAY, prices_dict
from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.in_use import figures_in_use
from costmodel.link import decode, query_of
from costmodel.prices_answer import since_then

CATALOG = catalog()
TODAY = date(2026, 11, 30)
SOL = "?scenario=node-8xh200&api=openai:gpt-5.6-sol"


def comparison(query: str) -> Comparison:
    return compare(CATALOG, decode(CATALOG, query_of(query)).scenario)


def test_a_link_of_today_has_no_then() -> None:
    assert since_then(CATALOG, comparison(f"{SOL}&asof=2026-11-30"), today=TODAY) is None


def test_where_today_gives_no_answer_there_is_none() -> None:
    answer = comparison(f"{SOL}&asof=2026-11-30")
    assert since_then(CATALOG, answer, today=date(2023, 6, 1)) is None
    found = prices_dict(CATALOG, answer, today=date(2023, 6, 1))["prices"]
    assert (found["since_then"], found["since_then_reason"]) == (None, NO_ANSWER_TODAY)
    assert prices_dict(CATALOG, answer, today=TODAY)["prices"]["since_then_reason"] == OF_TODAY


def test_the_cut_of_a_price_is_found() -> None:
    """Sol cost 5 and 30 $ until 20 August 2026, 4 and 20 $ since: at 4 to 1, 50 $ became 36 $."""
    since = since_then(CATALOG, comparison(f"{SOL}&asof=2026-08-20"), today=TODAY)
    assert since is not None
    (change,) = since.changes
    assert (change.name, change.usd_then, change.usd_now) == ("OpenAI GPT-5.6 Sol", 50, 36)
    assert since.then.scenario.price_date == date(2026, 8, 20)
    assert since.now.scenario == since.then.scenario.model_copy(update={"price_date": TODAY})
    assert since_then(CATALOG, comparison(f"{SOL}&asof=2026-08-21"), today=TODAY).changes == ()  # type: ignore[union-attr]


def test_a_price_that_was_not_known_then_is_one_of_today() -> None:
    since = since_then(
        CATALOG, comparison("?scenario=node-8xh200&asof=2026-08-01&api=deepseek:deepseek-flash@off_peak"), today=TODAY
    )
    assert since is not None
    assert [(each.usd_then, each.usd_now) for each in since.changes] == [(None, 1.2)]
    assert since.then.cheapest_api is None
    assert since.now.cheapest_api is not None


@pytest.mark.parametrize("more", ["", "&gpu_usd=4"])
def test_a_rent_that_rose_is_found_unless_the_reader_typed_one(more: str) -> None:
    """Every rental of the catalogue with a second entry, a day before it and a day after."""
    found = 0
    for key, offer in CATALOG.rentals.items():
        if len(offer.entry.history) < 2:
            continue
        before, after = offer.entry.history[-2:]
        query = f"?scenario=llama-70b-2xh100&gpu={key}&gpus=8&asof={before.since}&api=custom:Own:0.1::0.3{more}"
        since = since_then(CATALOG, comparison(query), today=after.since)
        assert since is not None
        changes = [(each.usd_then, each.usd_now) for each in since.changes]
        assert changes == ([] if more else [(before.usd_per_gpu_hour, after.usd_per_gpu_hour)])
        found += 1
    assert found > 0


def test_the_answer_holds_every_figure_with_its_source() -> None:
    answer = comparison(f"{SOL}&asof=2026-08-20&cur=EUR&vat=19&fx=0.9")
    prices = prices_dict(CATALOG, answer, today=TODAY)["prices"]
    assert prices["today"] == "2026-11-30"
    assert prices["stale_after_days"] == 60
    figures = figures_in_use(CATALOG, answer, today=TODAY)
    assert [each["value"] for each in prices["in_use"]] == [each.value for each in figures]
    for each in prices["in_use"]:
        assert (each["state"] == "typed") == ("source" not in each)
        assert each["state"] != "replaced" or each["replaced_since"] <= "2026-11-30"
    since = prices["since_then"]
    factor = 0.9 * 1.19
    assert since["changes"][0]["usd_then_in_currency"] == pytest.approx(50 * factor)
    assert (since["then"]["on"], since["now"]["on"]) == ("2026-08-20", "2026-11-30")
    assert since["then"]["api_usd_per_mtok"] == 50
    assert since["now"]["api_usd_per_mtok_in_currency"] == pytest.approx(36 * factor)
    assert (since["then"]["winner"], since["now"]["winner"]) == ("self_host", "api"), (
        "46.70 $ of one's own between them"
    )
