"""Both charts of bars, as plain plotly dicts: the monthly bills, and what a GPU-hour earns against its rent."""

from typing import Any

from costmodel.compare import ApiAnswer, Comparison
from costmodel.language import say
from costmodel.selfhost import usd_earned_per_gpu_hour
from costmodel.ui.charts import MUTED, OWN, READER, Figure, distinct, hover, layout, money_axis, priced
from costmodel.ui.text import Money, as_typed
from costmodel.units import PERCENT


def bills_chart(comparison: Comparison) -> Figure:
    """Both monthly bills as bars: the rent, and each API for the same tokens."""
    money, own = Money(comparison), comparison.self_host
    bars = [(say("Own GPUs"), own.usd_per_month, OWN)]
    bars += [(api.name, api.usd_per_month or 0, MUTED) for api in priced(comparison)]
    names = distinct([name for name, _, _ in bars])
    amounts = [money.amount(usd) for _, usd, _ in bars]
    most = max(amounts)
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": amounts,
                "y": names,
                "marker": {"color": [colour for _, _, colour in bars]},
                "text": [money(usd) for _, usd, _ in bars],
                "textposition": bar_text_places(amounts, most),
                "textangle": 0,
                "cliponaxis": False,
                "hovertemplate": hover(say("{name}: {amount} a month", name="%{y}", amount="%{text}")),
            }
        ],
        "layout": layout(
            xaxis=money_axis(say("{currency} a month", currency=money.name), money, high=most * 1.18 or 1),
            yaxis={"automargin": True, "fixedrange": True, "type": "category", "autorange": "reversed"},
            height=130 + 42 * len(bars),
        ),
    }


def bar_text_places(amounts: list[float], most: float) -> list[str]:
    """A long bar holds its own amount, as beside it there may be no room; a short one has it beside it."""
    return ["inside" if amount > most / 2 else "outside" for amount in amounts]


def earnings(comparison: Comparison) -> list[tuple[ApiAnswer, float, float]]:
    """(API, $ a GPU-hour earns at full utilization, $ it earns at the reader's) at each API's price."""
    own = comparison.self_host

    def earned(api: ApiAnswer, utilization: float) -> float:
        return usd_earned_per_gpu_hour(
            capacity_output_tok_s=own.capacity_output_tok_s,
            utilization=utilization,
            usd_per_bundle=api.usd_per_bundle or 0,
            gpus=own.gpus,
        )

    at = comparison.scenario.utilization_percent / PERCENT
    return [(api, earned(api, 1), earned(api, at)) for api in priced(comparison)]


def gpu_hour_chart(comparison: Comparison, *, vendor_claim: tuple[str, float] | None) -> Figure:
    """What a GPU-hour of this deployment earns at each API's price, against its rent."""
    money, own = Money(comparison), comparison.self_host
    rows = earnings(comparison)
    claims = [vendor_claim] if vendor_claim else []
    names = distinct([*(api.name for api, _, _ in rows), *(name for name, _ in claims)])
    full, at = [full for _, full, _ in rows], [earned for _, _, earned in rows]
    claimed = [usd for _, usd in claims]
    most = money.amount(max([*full, *claimed, own.usd_per_hour / own.gpus]))
    used = say("at {percent} %", percent=as_typed(comparison.scenario.utilization_percent))
    traces = [
        _earning_bars(names[: len(rows)], full, money, OWN, say("fully used"), most=most, group="full"),
        _earning_bars(names[: len(rows)], at, money, READER, used, most=most, group="at"),
        _earning_bars(names[len(rows) :], claimed, money, MUTED, say("unaudited"), most=most, group="full"),
    ]
    rents = sorted(money.amount(pool.usd_per_gpu_hour) for pool in own.pools)
    rent = say(" to ").join(dict.fromkeys(money(pool.usd_per_gpu_hour) for pool in own.pools))
    return {
        "data": traces,
        "layout": layout(
            barmode="group",
            margin={"l": 8, "r": 12, "t": 28, "b": 8},
            xaxis=money_axis(say("{currency} per GPU-hour", currency=money.name), money, high=most * 1.3),
            yaxis={"automargin": True, "fixedrange": True, "type": "category", "autorange": "reversed"},
            shapes=[
                {
                    "type": "rect",
                    "xref": "x",
                    "yref": "paper",
                    "x0": rents[0],
                    "x1": rents[-1] if rents[-1] > rents[0] else rents[0] * 1.004,
                    "y0": 0,
                    "y1": 1,
                    "fillcolor": MUTED,
                    "opacity": 0.3,
                    "line": {"width": 0},
                    "layer": "below",
                }
            ],
            annotations=[
                {
                    "xref": "x",
                    "yref": "paper",
                    "x": (rents[0] + rents[-1]) / 2,
                    "y": 1,
                    "xanchor": "center",
                    "yanchor": "bottom",
                    "text": say("rent {amounts}", amounts=rent),
                    "showarrow": False,
                    "font": {"color": MUTED, "size": 12},
                }
            ],
            height=170 + 62 * (len(rows) + bool(vendor_claim)),
        ),
    }


def _earning_bars(
    names: list[str], usd: list[float], money: Money, colour: str, label: str, *, most: float, group: str
) -> dict[str, Any]:
    amounts = [money.amount(each) for each in usd]
    return {
        "type": "bar",
        "orientation": "h",
        "offsetgroup": group,
        "x": amounts,
        "y": names,
        "marker": {"color": colour},
        "text": [f"{money(each)} {label}" for each in usd],
        "textposition": bar_text_places(amounts, most),
        "textangle": 0,
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
