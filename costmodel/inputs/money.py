"""The API prices to compare with, and how money is counted."""

from typing import Literal

from costmodel.inputs.asked import InputGroup, ask
from costmodel.units import HOURS_PER_YEAR, LONGEST_MONTH_HOURS, MONTHS_PER_YEAR


class MoneyInputs(InputGroup):
    """The API prices, the month, currency and tax."""

    apis: tuple[str, ...] = ask((), key="api", label="API prices", help="The API price lines to compare with.")
    region: str = ask(
        "none", key="region", label="Data residency", help="Region the API must process in.", max_length=20
    )
    batch_percent: float = ask(
        0,
        key="batch",
        label="Batch share",
        unit="% of tokens",
        help="Share of the tokens sent as batch, at the batch price of vendors that have one.",
        ge=0,
        le=100,
    )
    hours_per_month: float = ask(
        HOURS_PER_YEAR / MONTHS_PER_YEAR,
        key="hours",
        label="Hours in a month",
        unit="hours",
        help="Paid hours, used for the rent and for the tokens alike. 720 = 30 days, 730 = a twelfth of 8,760.",
        gt=0,
        le=LONGEST_MONTH_HOURS,
    )
    currency: str = ask("USD", key="cur", label="Currency", help="Three-letter code.", max_length=3)
    currency_per_usd: float = ask(
        1,
        key="fx",
        label="Exchange rate",
        unit="units per US dollar",
        help="Applied once, at the end, to every amount alike.",
        ge=0.0001,
        le=1_000_000,
    )
    vat_percent: float = ask(
        0, key="vat", label="VAT", unit="%", help="Added once, at the end, to every amount alike.", ge=0, le=100
    )
    basis: Literal["output", "total"] = ask(
        "output",
        key="basis",
        label="Price per",
        help="output: 1M output tokens with the input that goes with them. total: 1M tokens of either kind.",
    )
