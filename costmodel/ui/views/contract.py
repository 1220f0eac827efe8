"""Rent, reserve, spot or buy against the API over one to five years: what is paid, when it pays back, what it
survives."""

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.contracts.contract_answer import contract_answer
from costmodel.language import say
from costmodel.load.demand_answer import NoDemandError
from costmodel.ui.charts import Figure
from costmodel.ui.charts_contract import contract_chart, contract_table
from costmodel.ui.tables import show_table
from costmodel.ui.text import Money, left_out, plain, shown
from costmodel.ui.text_contract import (
    commitment_words,
    contract_assumptions,
    contract_verdict,
    horizons_table,
    in_use_table,
    kind_name,
    options_table,
    prices_words,
    purchase_words,
)
from costmodel.ui.views.frame import chart, write


def show_contract(catalog: Catalog, comparison: Comparison) -> None:
    try:
        report = contract_answer(catalog, comparison)
    except NoDemandError as error:
        st.info(shown(say("Nothing to sign: {reason}.", reason=plain(str(error)))))
        return
    money = Money(comparison)
    st.markdown(shown(f"{contract_verdict(report, comparison)} {commitment_words(report, comparison)}"))
    chart(
        comparison,
        contract_chart(report, money),
        view="contract",
        title=say("What each way has cost, month by month"),
        alt=say(
            "Cumulative cost over {months} months. {costs} over the term of {term} months.",
            months=report.chart_months,
            costs="; ".join(
                [
                    f"{report.api.name} {money(report.api_over_term.total_usd)}",
                    *(f"{kind_name(each.kind)} {money(each.over_term.total_usd)}" for each in report.options),
                ]
            ),
            term=report.term_months,
        ),
        table=lambda: contract_table(report, comparison.scenario, money),
    )
    st.markdown(
        shown(
            say(
                "**How to read it.** Each line is all that has been paid by the end of a month, not discounted; a "
                "purchase starts at its price and jumps where it is bought anew, and what the hardware would still "
                "bring is not in the line but in the tables. A circle marks the month from which a way has cost no "
                "more than the API, for good; the thick line is how you get the GPUs now."
            )
        )
    )
    show_table(options_table(report, comparison))
    write(
        purchase_words(report, comparison),
        "\n".join(f"- {plain(note)}" for note in report.notes),
        f"### {say('If the contract is shorter or longer')}",
    )
    show_table(horizons_table(report, comparison))
    st.caption(
        shown(
            say(
                "Not discounted. Bought: less what the hardware would bring then. Reserved: the first contract is "
                "paid to its end."
            )
        )
    )
    write(
        f"### {say('What it rests on')}",
        "\n".join(f"- {sentence}" for sentence in prices_words(report, comparison)),
    )
    inputs = st.expander(say("Every input, with its low and high"), key="contract_inputs", on_change="rerun")
    if inputs.open:
        with inputs:
            show_table(in_use_table(report))
    st.caption(shown(f"{contract_assumptions(report)} {left_out(comparison.scenario)}"))


def contract_figure(catalog: Catalog, comparison: Comparison) -> Figure:
    """The chart at one utilization."""
    return contract_chart(contract_answer(catalog, comparison), Money(comparison))
