"""What is shown: the day, the title, the open view, the model."""

from datetime import date
from typing import Annotated, Literal

import annotated_types

from costmodel.inputs.asked import InputGroup, ask

View = Literal[
    "cost",
    "bills",
    "speed",
    "prefill",
    "hardware",
    "traffic",
    "demand",
    "hybrid",
    "contract",
    "risk",
    "map",
    "turns",
    "gpu_hour",
    "prices",
    "compare",
    "method",
]
EARLIEST_PRICE_DATE, LATEST_PRICE_DATE = date(2023, 1, 1), date(2035, 12, 31)


class PageInputs(InputGroup):
    """What is shown."""

    price_date: Annotated[date, annotated_types.Ge(EARLIEST_PRICE_DATE), annotated_types.Le(LATEST_PRICE_DATE)] = ask(
        key="asof",
        label="Price date",
        unit="date",
        help="Every price is the one in force on this day. The link keeps it, so a shared link keeps its meaning.",
    )
    title: str = ask("", key="title", label="Title", help="Shown above the answer and on every export.", max_length=120)
    view: View = ask("cost", key="view", label="View", help="The open view.")
    model: str = ask(key="model", label="Model", help="The open-weight model that would be hosted.")
    language: Literal["en", "de", "es"] | None = ask(
        None, key="lang", label="Language", help="Of the page and of its exports. Empty: the browser's."
    )
    pins: tuple[str, ...] = ask(
        (),
        key="pin",
        label="Pinned scenarios",
        help="Scenarios to see beside this one, each a name and its whole link in a few letters.",
    )
