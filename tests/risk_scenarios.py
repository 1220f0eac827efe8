"""Scenarios that between them use everything the risk views vary."""

from costmodel.catalog import catalog
from costmodel.compare import Comparison, compare
from costmodel.link import decode, query_of

CATALOG = catalog()
CLUSTER, NODE = "?scenario=deepinfer-128", "?scenario=node-8xh200"
HOURLY = f"{CLUSTER}&traffic=diurnal&api=deepseek:deepseek-flash"
MOVING = "&growth=20&api_drop=5&gpu_drop=3"
SCENARIOS = (
    CLUSTER,
    NODE,
    f"{HOURLY}&demand=900000&ratio=3&cached=40&own_cached=20&slots=200{MOVING}",
    f"{CLUSTER}&traffic=business&tz=Europe/Berlin&calendar=year&util=20&api=deepseek:deepseek-flash&ratio=4&cached=50",
    f"{NODE}&acquire=buy&staff=1&vat=21&setup=10000&storage=1000&egress=100&kv_tb=2&network=10&support=5&spare=1"
    "&demand=3000&growth=30&slo=60",
    f"{NODE}&acquire=spot&prefill_tps=20000&ratio=9&peak=30&batch=10&api=deepseek:deepseek-flash"
    "&api=custom:Other:0.2:0.02:0.5",
    f"{CLUSTER}&acquire=reserve&util=80&own_cached=20&ratio=8&cached=60",
    f"{CLUSTER}&demand=400000&demand_at=busiest&traffic=diurnal&against=tokely:deepseek-v4.1-flash&units=2&term=12",
)


def comparison(query: str) -> Comparison:
    decoded = decode(CATALOG, query_of(query))
    assert decoded.problems == (), decoded.problems
    return compare(CATALOG, decoded.scenario)
