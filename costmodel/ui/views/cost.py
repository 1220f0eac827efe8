"""The main view: cost per token over utilization."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
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
        title=say("Cost per {tokens} over GPU utilization", tokens=per),
        alt=_cost_alt(comparison),
        table=lambda: charts.cost_table(comparison),
    )
    st.markdown(
        shown(
            say(
                "**How to read it.** The blue curve is what {tokens} cost on your own GPUs: the rent is the same "
                "however busy they are, so the emptier they run, the dearer each token. The dashed lines are API "
                "prices. Where the curve dips below a line (ring), self-hosting is the cheaper of the two from there "
                "on to the right.",
                tokens=per,
            )
        )
    )
    for api in comparison.apis:
        reason = api.break_even.reason
        if reason and not api.break_even.reachable:
            if api.usd_per_mtok is None:
                words = f"{plain(reason)}."
            else:
                words = say("{api}: no break-even, {reason}.", api=plain(api.name), reason=plain(reason))
            st.markdown(shown(f"- {words}"))
    binding = {
        "decode": say("generating output"),
        "prefill": say("reading prompts (prefill)"),
        "shared": say("prompts and output on the same GPUs"),
    }[own.binding]
    assumes = say(
        "Assumes {rate} output tok/s when full, limited by {binding}, and {amount} an hour for {gpus} GPUs.",
        rate=number(own.capacity_output_tok_s, 0),
        binding=binding,
        amount=money.exact(own.usd_per_hour),
        gpus=own.gpus,
    )
    st.caption(shown(f"{assumes} {left_out(comparison.scenario)}"))


def _cost_alt(comparison: Comparison) -> str:
    money = Money(comparison)
    points = [
        say(
            "{api} at {price}, break-even {turn}",
            api=api.name,
            price=money(api.usd_per_mtok or 0),
            turn=percent_text(api.break_even.utilization or 0) if api.break_even.reachable else say("not reachable"),
        )
        for api in charts.priced(comparison)
    ]
    return say(
        "Curve of self-hosting cost over utilization, falling. API price lines: {lines}.",
        lines="; ".join(points) or say("none"),
    )
