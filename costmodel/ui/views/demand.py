"""Both monthly bills over demand: how many units, how full, and at which demand it turns."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.load.demand_answer import ApiAtDemand, DemandReport, NoDemandError, demand_answer
from costmodel.ui.charts import Figure
from costmodel.ui.charts_demand import demand_chart, demand_table
from costmodel.ui.text import Money, left_out, number, plain, shown
from costmodel.ui.text_demand import (
    apis_table,
    capacity_words,
    demand_assumptions,
    demand_verdict,
    fleet_table,
    gap_words,
    schedule_words,
    turn_words,
)
from costmodel.ui.views.frame import chart, write


def show_demand(catalog: Catalog, comparison: Comparison) -> None:
    try:
        report = demand_answer(comparison)
    except NoDemandError as error:
        st.info(shown(say("Nothing to plan for: {reason}.", reason=plain(str(error)))))
        return
    write(demand_verdict(report, comparison))
    if report.compared is not None:
        _bills_over_demand(report, report.compared, comparison)
    against_each = [f"### {say('Against each API')}", apis_table(report, comparison)] if report.apis else []
    write(
        "\n".join(f"- {sentence}" for sentence in capacity_words(report, comparison)),
        f"### {say('Always on, or only when needed')}",
        schedule_words(report) or fleet_table(report, comparison),
        *against_each,
    )
    st.caption(shown(f"{demand_assumptions(comparison)} {left_out(comparison.scenario)}"))


def demand_figure(_: Catalog, comparison: Comparison) -> Figure | None:
    """The chart at one utilization."""
    report = demand_answer(comparison)
    if report.compared is None:
        return None
    return demand_chart(report, report.compared, comparison.scenario, Money(comparison))


def _bills_over_demand(report: DemandReport, against: ApiAtDemand, comparison: Comparison) -> None:
    money, scenario = Money(comparison), comparison.scenario
    answer = against.view.answer
    chart(
        comparison,
        demand_chart(report, against, scenario, money),
        view="demand",
        title=say("The monthly bill over demand: whole units against the API"),
        alt=say(
            "Monthly bills over demand. At {rate} tok/s own units cost {own}, {api} {bill}.",
            rate=number(answer.demand_tok_s, 0),
            own=money(answer.self_host_usd_per_month),
            api=against.api.name,
            bill=money(answer.api_usd_per_month),
        ),
        table=lambda: demand_table(report, against, scenario, money),
    )
    write(
        say(
            "**How to read it.** The blue staircase is the rent of whole units: each step is one more, needed "
            "because those before are full. The grey line is the API's bill, which grows with every token "
            "(dotted: the other APIs); where the staircase is below it the ground is shaded, and self-hosting is "
            "cheaper."
        ),
        f"{turn_words(against)} {gap_words(report, against)}",
    )
