"""Which rented nodes can hold and run the model: memory, KV room, engines, public recipes, price."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.language import say
from costmodel.machine.hardware import (
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
from costmodel.ui.charts_hardware import hardware_chart, hardware_table, state_names
from costmodel.ui.text import Money, as_typed, commitment_word, plain, shown, source_link
from costmodel.ui.views.frame import chart, write
from costmodel.units import TOKENS_PER_MTOK
from costmodel.words import count_text

H100 = "h100"


def show_hardware(catalog: Catalog, comparison: Comparison) -> None:
    """Which node is the cheapest, and the chart of all. `show_nodes` draws what stands below."""
    scenario = comparison.scenario
    report = _report(catalog, scenario)
    if not report.nodes:
        st.info(say("No rental has a price on this date. Choose a later price date."))
        return
    name = catalog.models[scenario.model].name
    h100_gb = catalog.gpus[H100].history[-1].memory_gb
    cheapest = _cheapest(report, Money(scenario), name)
    st.markdown(shown(f"{cheapest} {plain(two_h100(report, name=name, h100_gb=h100_gb))}"))
    chart(
        comparison,
        hardware_chart(report, comparison),
        view="hardware",
        title=say("Rent of every node over its GPU memory, for {model}", model=name),
        alt=say(
            "{fitting} of {nodes} rented nodes hold the model.",
            fitting=sum(node.fit == "fits" for node in report.nodes),
            nodes=len(report.nodes),
        ),
        table=lambda: hardware_table(report, comparison),
    )


def show_nodes(catalog: Catalog, scenario: Scenario) -> None:
    """What the chart shows in words and as a table, whether or not there is an answer."""
    report = _report(catalog, scenario)
    if not report.nodes:
        return
    st.markdown(
        shown(
            say(
                "**How to read it.** Each dot is a rented node, from one GPU to two machines of eight. Left of the "
                "floor the model does not fit by the planning rule of its recipe; a ring marks a public recipe that "
                "runs it there all the same, a cross a GPU on which no engine is known to serve the model. Spot "
                "instances are in the table only: they are taken away, so they keep no promise."
            )
        )
    )
    _below_floor(catalog, report, scenario)
    _table(report, scenario)
    _engines(catalog, scenario)
    facts = catalog.models[scenario.model].history[-1]
    sentences = [
        say(
            "Assumes that an engine may fill {percent} % of GPU memory and that weights take {factor} times their "
            "size; KV room is what is left, {copies}.",
            percent=as_typed(report.usable_percent),
            factor=as_typed(report.headroom_factor),
            copies=_copies(facts.kv_copy_per_gpu),
        )
    ]
    if facts.host_memory_tables_gb:
        sentences.append(
            say(
                "Lookup tables of {gigabytes} GB are counted {place} (Speed and memory).",
                gigabytes=count_text(facts.host_memory_tables_gb),
                place=say("in host memory") if scenario.tables == "host" else say("in GPU memory"),
            )
        )
    sentences += [
        say("Model facts: {source}.", source=source_link(facts)),
        say(
            "{count} rentals have no price on {day} and are left out.",
            count=len(report.without_price),
            day=scenario.price_date.isoformat(),
        ),
    ]
    st.caption(shown(" ".join(sentences)))


def show_nodes_that_fit(catalog: Catalog, scenario: Scenario) -> None:
    """Beside an answer that cannot be given: which rented nodes hold the model, and what the cheapest costs.

    The Hardware view has its table anyway.
    """
    report = _report(catalog, scenario)
    if not report.nodes:
        return
    st.markdown(shown(_cheapest(report, Money(scenario), catalog.models[scenario.model].name)))
    if scenario.view != "hardware":
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
        return say("with a copy of each request on every GPU, as tensor parallelism keeps it for this model")
    return say("each request kept once")


def _cheapest(report: HardwareReport, money: Money, name: str) -> str:
    best = report.cheapest
    if report.floor_gb is None:
        return say(
            "**How much memory {model} needs is not known here**, so no node is marked as fitting.", model=plain(name)
        )
    if best is None:
        return say(
            "**No listed node holds {model}**: it asks for {floor} GB.",
            model=plain(name),
            floor=count_text(report.floor_gb),
        )
    terms = commitment_word(best.offer.entry.commitment)
    words = say(
        "**The cheapest node that works is {node}** ({terms}): {amount} a month for {memory} GB, where {model} asks "
        "for {floor} GB.",
        node=f"{best.gpus} × {plain(best.offer.name)}",
        terms=f"{terms}, {plain(best.offer.entry.region)}" if best.offer.entry.region else terms,
        amount=money(best.usd_per_month),
        memory=count_text(best.memory_gb),
        model=plain(name),
        floor=count_text(report.floor_gb),
    )
    other = report.cheapest_on_demand
    if other is None or other is best:
        return words
    node = f"{other.gpus} × {plain(other.offer.name)}"
    return f"{words} {say('On demand it is {node} for {amount}.', node=node, amount=money(other.usd_per_month))}"


def _below_floor(catalog: Catalog, report: HardwareReport, scenario: Scenario) -> None:
    recipes = recipes_for(catalog, model=scenario.model, on=scenario.price_date)
    below = [(recipe, gb) for recipe, gb in below_floor(recipes, catalog, floor_gb=report.floor_gb)]
    tight = [each for each in recipes if each not in [recipe for recipe, _ in below]]
    lines = [
        "- "
        + say(
            "{gpus}, {memory} GB, below the floor: {recipe} ({source})",
            gpus=f"{recipe.gpus} × {recipe.gpu.upper()}",
            memory=count_text(gb),
            recipe=plain(recipe_words([recipe])),
            source=source_link(recipe),
        )
        for recipe, gb in below
    ]
    lines += [
        f"- {recipe.gpus} × {recipe.gpu.upper()}: {plain(recipe_words([recipe]))} ({source_link(recipe)})"
        for recipe in tight
    ]
    if lines:
        lead = say("**Public recipes.** The floor is a planning rule, not a hard limit:")
        st.markdown(shown("\n".join([lead, "", *lines])))


def _table(report: HardwareReport, scenario: Scenario) -> None:
    only = st.toggle(say("Only nodes that can run the model"), value=report.floor_gb is not None, key="only_fitting")
    nodes = [node for node in report.nodes if not only or node.works or node.state in ("fits", "tight") or node.recipes]
    help_on_requests = say(
        "Requests of {tokens} tokens whose cache fits.", tokens=count_text(report.context_tokens or 0)
    )
    columns: dict[str, Any] = {
        "Node": say("Node"),
        "Bill": st.column_config.NumberColumn(
            say("{currency} a month", currency=scenario.currency), format="localized"
        ),
        "Commitment": say("Commitment"),
        "Fit": say("Fit"),
        "Note": say("Note"),
        "Memory": say("Memory, GB"),
        "Above floor": say("Above floor, GB"),
        "KV room": st.column_config.NumberColumn(say("KV room, M tokens"), format="%.1f"),
        "Requests": st.column_config.NumberColumn(say("Requests"), format="%.0f", help=help_on_requests),
        "Engines": say("Engines"),
        "Public recipe": say("Public recipe"),
        "Region": say("Region"),
    }
    rows = _rows(nodes, report, Money(scenario))
    st.dataframe(rows, hide_index=True, height=420, column_config=columns)


def _rows(nodes: Sequence[Node], report: HardwareReport, money: Money) -> list[dict[str, Any]]:
    states, by_recipe, best = state_names(), say("below the floor, by public recipe"), say("cheapest that works")
    terms = {each: commitment_word(each) for each in {node.offer.entry.commitment for node in nodes}}
    return [
        {
            "Node": f"{node.gpus} × {node.offer.name}",
            "Bill": round(money.amount(node.usd_per_month)),
            "Commitment": terms[node.offer.entry.commitment],
            "Fit": by_recipe if node.recipes and node.fit == "no" else states[node.state],
            "Note": best if node is report.cheapest else "",
            "Memory": round(node.memory_gb),
            "Above floor": None if node.spare_gb is None else round(node.spare_gb),
            "KV room": None if node.kv_tokens is None else node.kv_tokens / TOKENS_PER_MTOK,
            "Requests": node.contexts,
            "Engines": ", ".join(node.engines),
            "Public recipe": recipe_words(node.recipes),
            "Region": node.offer.entry.region or "",
        }
        for node in nodes
    ]


def _engines(catalog: Catalog, scenario: Scenario) -> None:
    parts = [f"### {say('What the engines need')}"]
    engines = engines_for(catalog, model=scenario.model, on=scenario.price_date)
    if not engines:
        parts.append(say("No engine's requirements for this model are known here."))
    for engine, facts in engines:
        needs = [*facts.architectures, *facts.other_accelerators]
        lines = [f"**{plain(engine.name)}** {plain(facts.version or '')}".strip()]
        if needs:
            lines.append(say("- Runs on {accelerators} only", accelerators=plain(say(" or ").join(needs))))
        if facts.host:
            lines.append(say("- Host: {needs}", needs=plain(", ".join(facts.host))))
        if facts.container_image:
            lines.append(say("- Image: {image}", image=plain(facts.container_image)))
        if facts.licence:
            lines.append(say("- Licence: {licence}", licence=plain(facts.licence)))
        if facts.missing:
            lines.append(say("- Not in its release: {missing}", missing=plain("; ".join(facts.missing))))
        lines.append(say("- Source: {source}", source=source_link(facts)))
        parts += [lines[0], "\n".join(lines[1:])]
    write(*parts)
