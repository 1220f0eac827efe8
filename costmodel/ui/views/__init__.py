"""The views, by the name the link gives them. Only the open one is computed."""

from collections.abc import Callable

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.scenario import Scenario
from costmodel.ui.ahead import FigureOf, show_figures_ahead
from costmodel.ui.serving_inputs import warn_of_stale_throughput
from costmodel.ui.views.bills import bills_figure, show_bills
from costmodel.ui.views.compare import show_compare
from costmodel.ui.views.contract import contract_figure, show_contract
from costmodel.ui.views.cost import show_cost
from costmodel.ui.views.demand import demand_figure, show_demand
from costmodel.ui.views.frame import chart_key
from costmodel.ui.views.gpu_hour import gpu_hour_figure, show_gpu_hour
from costmodel.ui.views.hardware import show_hardware, show_nodes
from costmodel.ui.views.hybrid import hybrid_figure, show_hybrid
from costmodel.ui.views.map import map_figure, show_map
from costmodel.ui.views.method import show_method
from costmodel.ui.views.prefill import show_prefill
from costmodel.ui.views.prices import show_catalogue, show_prices
from costmodel.ui.views.risk import risk_figure, show_risk
from costmodel.ui.views.speed import show_speed, speed_figure
from costmodel.ui.views.traffic import show_week
from costmodel.ui.views.turns import show_turns, turns_figure

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
}
"""What rests on the answer."""
_BESIDE: dict[str, Callable[[Catalog, Scenario], None]] = {
    "hardware": show_nodes,
    "prices": show_catalogue,
    "method": show_method,
}
"""What stands below it and is the same at any utilization: not drawn again when that is moved."""

_AHEAD: dict[str, FigureOf] = {
    "bills": bills_figure,
    "demand": demand_figure,
    "hybrid": hybrid_figure,
    "contract": contract_figure,
    "turns": turns_figure,
    "risk": risk_figure,
    "map": map_figure,
    "speed": speed_figure,
    "gpu_hour": gpu_hour_figure,
}
"""Charts that change with the utilization. The main one needs none of this: its point alone moves."""


def show_view(catalog: Catalog, comparison: Comparison) -> None:
    """Compute and draw the open view, and no other."""
    warn_of_stale_throughput(catalog, comparison.scenario)
    view = comparison.scenario.view
    if view in _SHOW:
        _SHOW[view](catalog, comparison)


def show_beside(catalog: Catalog, scenario: Scenario) -> None:
    """Draw what the open view shows at any utilization, below the rest of it."""
    if scenario.view in _BESIDE:
        _BESIDE[scenario.view](catalog, scenario)


def show_ahead(catalog: Catalog, scenario: Scenario) -> None:
    """Send what the open view's chart becomes with the next key press on the slider."""
    view = scenario.view
    if view in _AHEAD:
        show_figures_ahead(catalog, scenario, _AHEAD[view], chart_key=chart_key(view))
