"""How the GPUs are got and for how long, and what prices and demand do meanwhile."""

from typing import Literal

from costmodel.inputs.asked import InputGroup, ask
from costmodel.units import MONTHS_PER_YEAR

_ASSUMED = "Empty: the assumption of the catalogue."
LONGEST_TERM_MONTHS = 10 * MONTHS_PER_YEAR


class ContractInputs(InputGroup):
    """Rent, reserve, spot or buy; the term; how prices and demand move."""

    acquire: Literal["rent", "reserve", "spot", "buy"] = ask(
        "rent",
        key="acquire",
        label="The GPUs are",
        help="rent: at the rental's price, hour by hour. reserve: rented for a term at a discount. spot: cheap, and "
        "taken away at times. buy: owned, with power and colocation.",
    )
    term_months: int | None = ask(
        None,
        key="term",
        label="Term",
        unit="months",
        help=f"Length of the contract; one-off costs are spread over it. {_ASSUMED}",
        ge=1,
        le=LONGEST_TERM_MONTHS,
    )
    reserved_discount_percent: float | None = ask(
        None,
        key="reserve_off",
        label="Discount for a term",
        unit="% off on demand",
        help=f"What a reservation saves against the on-demand price. {_ASSUMED}",
        ge=0,
        le=95,
    )
    spot_discount_percent: float | None = ask(
        None,
        key="spot_off",
        label="Spot discount",
        unit="% off on demand",
        help=f"What spot instances save against the on-demand price. {_ASSUMED}",
        ge=0,
        le=95,
    )
    spot_interrupted_percent: float | None = ask(
        None,
        key="spot_lost",
        label="Spot interruptions",
        unit="% of hours",
        help=f"Hours in which no spot instance is to be had. They are not paid; the API has to serve them. {_ASSUMED}",
        ge=0,
        le=95,
    )
    purchase_usd_per_gpu: float | None = ask(
        None,
        key="capex",
        label="Purchase price",
        unit="$ per GPU, server included",
        help=f"A GPU with its share of server, network and installation. {_ASSUMED}",
        ge=0,
        le=10_000_000,
    )
    residual_percent: float | None = ask(
        None,
        key="residual",
        label="Value left at the end",
        unit="% of the purchase price",
        help=f"What the hardware still brings when it is sold after its life. {_ASSUMED}",
        ge=0,
        le=100,
    )
    life_months: int | None = ask(
        None,
        key="life",
        label="Life of the hardware",
        unit="months",
        help=f"Over how long the purchase is spread. {_ASSUMED}",
        ge=1,
        le=LONGEST_TERM_MONTHS,
    )
    cost_of_capital_percent: float | None = ask(
        None,
        key="wacc",
        label="Cost of capital",
        unit="% a year",
        help=f"Weighted cost of capital: interest on the purchase, and the rate at which later money counts less. "
        f"{_ASSUMED}",
        ge=0,
        le=100,
    )
    power_kw_per_gpu: float | None = ask(
        None,
        key="kw",
        label="Power",
        unit="kW per GPU",
        help=f"Mean draw at the wall, the GPU's share of its server included. {_ASSUMED}",
        ge=0,
        le=100,
    )
    pue: float | None = ask(
        None,
        key="pue",
        label="PUE",
        unit="site power ÷ server power",
        help=f"Power usage effectiveness: what cooling and losses add. {_ASSUMED}",
        ge=1,
        le=5,
    )
    electricity_usd_per_kwh: float | None = ask(
        None,
        key="kwh",
        label="Electricity",
        unit="$ per kWh",
        help=_ASSUMED,
        ge=0,
        le=10,
    )
    colocation_usd_per_kw_month: float | None = ask(
        None,
        key="colo",
        label="Colocation",
        unit="$ per kW and month",
        help=f"Space, cooling and connections in a data centre, electricity not included. {_ASSUMED}",
        ge=0,
        le=100_000,
    )
    maintenance_percent_per_year: float | None = ask(
        None,
        key="maint",
        label="Maintenance",
        unit="% of the purchase price a year",
        help=f"Spare parts, service contract, insurance. {_ASSUMED}",
        ge=0,
        le=100,
    )
    api_price_fall_percent: float = ask(
        0,
        key="api_drop",
        label="API prices fall by",
        unit="% a year",
        help="Negative: they rise. 0: they stay as they are.",
        ge=-1_000,
        le=99,
    )
    gpu_price_fall_percent: float = ask(
        0,
        key="gpu_drop",
        label="GPU prices fall by",
        unit="% a year",
        help="On-demand and spot rents follow; a reservation and a purchase do not. Negative: they rise.",
        ge=-1_000,
        le=99,
    )
    demand_growth_percent: float = ask(
        0,
        key="growth",
        label="Demand grows by",
        unit="% a year",
        help="Tokens to serve, compounded month by month. Negative: demand shrinks.",
        ge=-99,
        le=10_000,
    )
