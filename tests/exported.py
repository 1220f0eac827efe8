"""Exports of a link, for tests."""

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.exports.words import Words
from costmodel.link import decode, query_of
from costmodel.scenario import Scenario
from costmodel.ui.export_words import words_of

ADDRESS = "https://cost.example.org/app/"
TWELVE_APIS = "&".join(f"api={key}" for key in list(catalog().apis)[:11]) + "&api=custom:=1%2B1:0.1::0.4"
LINKS = {
    "two pools": "?scenario=deepinfer-128",
    "one node": "?scenario=node-8xh200&cur=EUR&vat=21&staff=0.5&title=Q3%20plan",
    "shared pool": "?scenario=node-8xh200&prefill_tps=20000&util=40&cached=30&api=custom:Free:0::0",
    "not reachable": "?scenario=deepinfer-128&eff=30&spare=1&storage=2000&storage_usd=0.1",
    "twelve APIs": f"?scenario=node-4xgb200&region=eu&batch=20&cache_write=10&{TWELVE_APIS}",
    "bought": "?scenario=deepinfer-16&acquire=buy&kv_tb=1&setup=100000&egress=500&network=20&support=10",
    "nothing served": "?scenario=deepinfer-16&util=0&basis=total&ratio=3",
}


def scenario_of(query: str) -> Scenario:
    return decode(catalog(), query_of(query)).scenario


def comparison_of(query: str) -> Comparison:
    return compare(catalog(), scenario_of(query))


def words_for(comparison: Comparison) -> Words:
    return words_of(catalog(), comparison)
