"""Which rented nodes can hold and run the model: memory, KV room, engines, public recipes, price."""

from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.hardware import (
    HardwareReport,
    Node,
    below_floor,
    engines_for,
    hardware_report,
    recipe_words,
    recipes_for,
    two_h100,
)
from costmodel.scenario import Scenario
from costmodel.ui.charts_serving import STATE_NAMES, hardware_chart, hardware_table
from costmodel.ui.text import Money, plain, shown, source_link
from costmodel.ui.views.frame import chart
from costmodel.units import TOKENS_PER_MTOK
from costmodel.words import count_text

H100 = "h100"


def show_hardware(catalog: Catalog, comparison: Comparison) -> None:
    scenario = comparison.scenario
    report = _report(catalog, scenario)
    if not report.nodes:
        st.info("No rental has a price on this date. Choose a later price date.")
        return
    name = catalog.models[scenario.model].name
    h100_gb = catalog.gpus[H100].history[-1].memory_gb
    cheapest = _cheapest(report, Money(scenario), name)
    st.markdown(shown(f"{cheapest} {plain(two_h100(report, name=name, h100_gb=h100_gb))}"))
    chart(
        comparison,
        hardware_chart(report, comparison),
        view="hardware",
        title=f"Rent of every node over its GPU memory, for {name}",
        alt=f"{sum(node.fit == 'fits' for node in report.nodes)} of {len(report.nodes)} rented nodes hold the model.",
        table=lambda: hardware_table(report, comparison),
    )
    st.markdown(
        shown(
            "**How to read it.** Each dot is a rented node, from one GPU to two machines of eight. Left of the floor "
            "the model does not fit by the planning rule of its recipe; a ring marks a public recipe that runs it "
            "there all the same, a cross a GPU on which no engine is known to serve the model. Spot instances are in "
            "the table only: they are taken away, so they keep no promise."
        )
    )
    _below_floor(catalog, report, scenario)
    _table(report, scenario)
    _engines(catalog, scenario)
    facts = catalog.models[scenario.model].history[-1]
    tables = ""
    if facts.host_memory_tables_gb:
        where = "in host memory" if scenario.tables == "host" else "in GPU memory"
        tables = (
            f" Lookup tables of {count_text(facts.host_memory_tables_gb)} GB are counted {where} (Speed and memory)."
        )
    st.caption(
        shown(
            f"Assumes that an engine may fill {report.usable_percent:g} % of GPU memory and that weights take "
            f"{report.headroom_factor:g} times their size; KV room is what is left, "
            f"{_copies(facts.kv_copy_per_gpu)}.{tables} Model facts: {source_link(facts)}. "
            f"{len(report.without_price)} rentals have no price on {scenario.price_date.isoformat()} and are left out."
        )
    )


def show_nodes_that_fit(catalog: Catalog, scenario: Scenario) -> None:
    """Beside an answer that cannot be given: which rented nodes hold the model, and what the cheapest costs."""
    report = _report(catalog, scenario)
    if not report.nodes:
        return
    st.markdown(shown(_cheapest(report, Money(scenario), catalog.models[scenario.model].name)))
    _below_floor(catalog, report, scenario)
    _table(report, scenario)


def _report(catalog: Catalog, scenario: Scenario) -> HardwareReport:
    return hardware_report(
        catalog,
        model=scenario.model,
        on=scenario.price_date,
        hours_per_month=scenario.hours_per_month,
        request_tokens=scenario.request_input_tokens,
        tables_on_host=scenario.tables == "host",
    )


def _copies(kv_copy_per_gpu: bool) -> str:
    if kv_copy_per_gpu:
        return "with a copy of each request on every GPU, as tensor parallelism keeps it for this model"
    return "each request kept once"


def _cheapest(report: HardwareReport, money: Money, name: str) -> str:
    best = report.cheapest
    if report.floor_gb is None:
        return f"**How much memory {plain(name)} needs is not known here**, so no node is marked as fitting."
    if best is None:
        return f"**No listed node holds {plain(name)}**: it asks for {count_text(report.floor_gb)} GB."
    region = f", {best.offer.entry.region}" if best.offer.entry.region else ""
    return (
        f"**The cheapest node that works is {best.gpus} × {plain(best.offer.name)}** "
        f"({best.offer.entry.commitment.replace('_', ' ')}{plain(region)}): {money(best.usd_per_month)} a month for "
        f"{count_text(best.memory_gb)} GB, where {plain(name)} asks for {count_text(report.floor_gb)} GB."
        f"{_on_demand(report, money)}"
    )


def _on_demand(report: HardwareReport, money: Money) -> str:
    node = report.cheapest_on_demand
    if node is None or node is report.cheapest:
        return ""
    return f" On demand it is {node.gpus} × {plain(node.offer.name)} for {money(node.usd_per_month)}."


def _below_floor(catalog: Catalog, report: HardwareReport, scenario: Scenario) -> None:
    recipes = recipes_for(catalog, model=scenario.model, on=scenario.price_date)
    below = [(recipe, gb) for recipe, gb in below_floor(recipes, catalog, floor_gb=report.floor_gb)]
    tight = [each for each in recipes if each not in [recipe for recipe, _ in below]]
    lines = [
        f"- {recipe.gpus} × {recipe.gpu.upper()}, {count_text(gb)} GB, below the floor: "
        f"{plain(recipe_words([recipe]))} "
        f"({source_link(recipe)})"
        for recipe, gb in below
    ]
    lines += [
        f"- {recipe.gpus} × {recipe.gpu.upper()}: {plain(recipe_words([recipe]))} ({source_link(recipe)})"
        for recipe in tight
    ]
    if lines:
        st.markdown(shown("**Public recipes.** The floor is a planning rule, not a hard limit:\n\n" + "\n".join(lines)))


def _table(report: HardwareReport, scenario: Scenario) -> None:
    only = st.toggle("Only nodes that can run the model", value=report.floor_gb is not None, key="only_fitting")
    nodes = [node for node in report.nodes if not only or node.works or node.state in ("fits", "tight") or node.recipes]
    money, currency = Money(scenario), scenario.currency
    st.dataframe(
        [_row(node, report, money, currency) for node in nodes],
        hide_index=True,
        height=420,
        column_config={
            "KV room, M tokens": st.column_config.NumberColumn(format="%.1f"),
            "Requests": st.column_config.NumberColumn(
                format="%.0f", help=f"Requests of {count_text(report.context_tokens or 0)} tokens whose cache fits."
            ),
            f"{currency} a month": st.column_config.NumberColumn(format="localized"),
        },
    )


def _row(node: Node, report: HardwareReport, money: Money, currency: str) -> dict[str, Any]:
    spare = node.spare_gb
    mark = "cheapest that works" if node is report.cheapest else ""
    return {
        "Node": f"{node.gpus} × {node.offer.name}",
        f"{currency} a month": round(money.amount(node.usd_per_month)),
        "Commitment": node.offer.entry.commitment.replace("_", " "),
        "Fit": "below the floor, by public recipe" if node.recipes and node.fit == "no" else STATE_NAMES[node.state],
        "Note": mark,
        "Memory, GB": round(node.memory_gb),
        "Above floor, GB": None if spare is None else round(spare),
        "KV room, M tokens": None if node.kv_tokens is None else node.kv_tokens / TOKENS_PER_MTOK,
        "Requests": node.contexts,
        "Engines": ", ".join(node.engines),
        "Public recipe": recipe_words(node.recipes),
        "Region": node.offer.entry.region or "",
    }


def _engines(catalog: Catalog, scenario: Scenario) -> None:
    st.subheader("What the engines need")
    engines = engines_for(catalog, model=scenario.model, on=scenario.price_date)
    if not engines:
        st.markdown("No engine's requirements for this model are known here.")
        return
    for engine, facts in engines:
        needs = [*facts.architectures, *facts.other_accelerators]
        lines = [f"**{plain(engine.name)}** {plain(facts.version or '')}".strip()]
        if needs:
            lines.append(f"- Runs on {plain(' or '.join(needs))} only")
        if facts.host:
            lines.append(f"- Host: {plain(', '.join(facts.host))}")
        if facts.container_image:
            lines.append(f"- Image: {plain(facts.container_image)}")
        if facts.licence:
            lines.append(f"- Licence: {plain(facts.licence)}")
        if facts.missing:
            lines.append(f"- Not in its release: {plain('; '.join(facts.missing))}")
        lines.append(f"- Source: {source_link(facts)}")
        st.markdown(shown(lines[0] + "\n\n" + "\n".join(lines[1:])))
