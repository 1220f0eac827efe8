"""The views, by the name the link gives them. Only the open one is computed."""

from collections.abc import Callable

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.ui.serving_inputs import warn_of_stale_throughput
from costmodel.ui.views.bills import show_bills
from costmodel.ui.views.compare import show_compare
from costmodel.ui.views.contract import show_contract
from costmodel.ui.views.cost import show_cost
from costmodel.ui.views.demand import show_demand
from costmodel.ui.views.gpu_hour import show_gpu_hour
from costmodel.ui.views.hardware import show_hardware
from costmodel.ui.views.hybrid import show_hybrid
from costmodel.ui.views.map import show_map
from costmodel.ui.views.method import show_method
from costmodel.ui.views.prefill import show_prefill
from costmodel.ui.views.prices import show_prices
from costmodel.ui.views.risk import show_risk
from costmodel.ui.views.speed import show_speed
from costmodel.ui.views.traffic import show_week
from costmodel.ui.views.turns import show_turns

NAMES = {
    "cost": "Cost per token",
    "bills": "Bills",
    "traffic": "Traffic",
    "demand": "Demand",
    "hybrid": "Hybrid",
    "contract": "Contract",
    "turns": "What turns it",
    "risk": "Uncertainty",
    "map": "Map",
    "compare": "Compare",
    "speed": "Speed",
    "prefill": "Prefill",
    "hardware": "Hardware",
    "gpu_hour": "GPU-hour",
    "prices": "Prices",
    "method": "Method",
}
_SHOW: dict[str, Callable[[Catalog, Comparison], None]] = {
    "cost": show_cost,
    "bills": show_bills,
    "speed": show_speed,
    "prefill": show_prefill,
    "hardware": show_hardware,
    "traffic": show_week,
    "demand": show_demand,
    "hybrid": show_hybrid,
    "contract": show_contract,
    "risk": show_risk,
    "map": show_map,
    "turns": show_turns,
    "gpu_hour": show_gpu_hour,
    "prices": show_prices,
    "compare": show_compare,
    "method": show_method,
}


def show_view(catalog: Catalog, comparison: Comparison) -> None:
    """Compute and draw the open view, and no other."""
    warn_of_stale_throughput(catalog, comparison.scenario)
    _SHOW[comparison.scenario.view](catalog, comparison)
