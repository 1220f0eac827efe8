"""The views, by the name the link gives them. Only the open one is computed."""

from collections.abc import Callable

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.ui.serving_inputs import warn_of_stale_throughput
from costmodel.ui.views.bills import show_bills
from costmodel.ui.views.cost import show_cost
from costmodel.ui.views.demand import show_demand
from costmodel.ui.views.gpu_hour import show_gpu_hour
from costmodel.ui.views.hardware import show_hardware
from costmodel.ui.views.hybrid import show_hybrid
from costmodel.ui.views.method import show_method
from costmodel.ui.views.prefill import show_prefill
from costmodel.ui.views.speed import show_speed
from costmodel.ui.views.traffic import show_week

NAMES = {
    "cost": "Cost per token",
    "bills": "Bills",
    "speed": "Speed",
    "prefill": "Prefill",
    "hardware": "Hardware",
    "traffic": "Traffic",
    "demand": "Demand",
    "hybrid": "Hybrid",
    "gpu_hour": "GPU-hour",
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
    "gpu_hour": show_gpu_hour,
    "method": show_method,
}


def show_view(catalog: Catalog, comparison: Comparison) -> None:
    """Compute and draw the open view, and no other."""
    warn_of_stale_throughput(catalog, comparison.scenario)
    _SHOW[comparison.scenario.view](catalog, comparison)
