"""The main view: cost per token over utilization."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.ui import charts
from costmodel.ui.text import Money, left_out, number, plain, shown, tokens_word
from costmodel.ui.views.frame import chart
from costmodel.words import percent_text


def show_cost(catalog: Catalog, comparison: Comparison) -> None:
    money, own = Money(comparison), comparison.self_host
    per = tokens_word(comparison.scenario)
    figure = charts.cost_chart(comparison)
    track = charts.reader_track(own.usd_per_mtok_at_full, money)
    is_marked = own.usd_per_mtok is not None  # then the reader's point is the last of the traces
    chart(
        comparison,
        figure,
        follow={"slider": "util", "trace": len(figure["data"]) - 1, "points": track} if is_marked else None,
        view="cost",
        title=f"Cost per {per} over GPU utilization",
        alt=_cost_alt(comparison),
        table=lambda: charts.cost_table(comparison),
    )
    st.markdown(
        shown(
            f"**How to read it.** The blue curve is what {per} cost on your own GPUs: the rent is the same however "
            "busy they are, so the emptier they run, the dearer each token. The dashed lines are API prices. Where the "
            "curve dips below a line (ring), self-hosting is the cheaper of the two from there on to the right."
        )
    )
    for api in comparison.apis:
        reason = api.break_even.reason
        if reason and not api.break_even.reachable:
            none = f"{plain(api.name)}: no break-even, " if api.usd_per_mtok is not None else ""
            st.markdown(shown(f"- {none}{plain(reason)}."))
    binding = {
        "decode": "generating output",
        "prefill": "reading prompts (prefill)",
        "shared": "prompts and output on the same GPUs",
    }[own.binding]
    st.caption(
        shown(
            f"Assumes {number(own.capacity_output_tok_s, 0)} output tok/s when full, limited by {binding}, and "
            f"{money.exact(own.usd_per_hour)} an hour for {own.gpus} GPUs. {left_out(comparison.scenario)}"
        )
    )


def _cost_alt(comparison: Comparison) -> str:
    money = Money(comparison)
    points = [
        f"{api.name} at {money(api.usd_per_mtok or 0)}, break-even "
        + (percent_text(api.break_even.utilization or 0) if api.break_even.reachable else "not reachable")
        for api in charts.priced(comparison)
    ]
    return f"Curve of self-hosting cost over utilization, falling. API price lines: {'; '.join(points) or 'none'}."
