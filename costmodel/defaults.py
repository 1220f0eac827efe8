"""Inputs the reader left empty: the assumption of the catalogue stands in, the one in force on the price date."""

from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.dated import in_force
from costmodel.records import Assumed
from costmodel.scenario import INPUTS, Scenario

ASSUMED_BY = {
    "kv_usd": "kv_store_usd_per_gb_month",
    "staff_usd": "staff_usd_per_year",
    "storage_usd": "storage_usd_per_gb_month",
    "egress_usd": "egress_usd_per_gb",
    "term": "contract_term_months",
    "reserve_off": "reserved_discount_percent",
    "spot_off": "spot_discount_percent",
    "spot_lost": "spot_interrupted_percent",
    "capex": "purchase_usd_per_gpu",
    "residual": "residual_percent",
    "life": "purchase_life_months",
    "wacc": "cost_of_capital_percent",
    "kw": "power_kw_per_gpu",
    "pue": "pue",
    "kwh": "electricity_usd_per_kwh",
    "colo": "colocation_usd_per_kw_month",
    "maint": "maintenance_percent_per_year",
}
"""The assumption behind each input that may be left empty, by link key."""


@dataclass(frozen=True)
class Given:
    """A value in use, and the assumption it is where the reader typed none."""

    value: float
    assumed: Assumed | None

    @property
    def sources(self) -> tuple[Assumed, ...]:
        return (self.assumed,) if self.assumed else ()


def given(catalog: Catalog, scenario: Scenario, key: str) -> Given:
    """The value of an input that may be left empty, by its link key.

    Raises NotInForceError where it is empty and its assumption is not in force on the price date.

    >>> from costmodel.catalog import catalog
    >>> from costmodel.link import example_scenario
    >>> given(catalog(), example_scenario(catalog(), "deepinfer-128"), "term").value
    36.0
    """
    typed = getattr(scenario, INPUTS[key].name)
    if typed is not None:
        return Given(float(typed), None)
    name = ASSUMED_BY[key]
    assumption = catalog.assumptions[name]
    entry = in_force(assumption.history, on=scenario.price_date, what=assumption.name)
    return Given(entry.value, entry)
