"""The Method view: the equations as the code states them, what is assumed, what is left out."""

import inspect
from collections.abc import Callable
from typing import Any

import streamlit as st

from costmodel import api, beyond_money, breakeven, hours, hybrid, ledger, purchase, selfhost, serving, workload
from costmodel.catalog import Catalog
from costmodel.contracts import contract, contract_ways
from costmodel.language import say, spoken
from costmodel.load import demand, fleet, loadcurve, timed
from costmodel.machine import hardware, library, prefill, speed
from costmodel.scenario import Scenario
from costmodel.ui.text import left_out, shown
from costmodel.ui.views.published import show_published

EQUATIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "Tokens": (
        workload.output_mtok,
        workload.uncached_input_per_output,
        workload.price_per_token_of_either_kind,
    ),
    "What a deployment delivers": (
        serving.decode_capacity,
        serving.capacity_of_two_pools,
        serving.capacity_of_shared_pool,
        serving.memory_fit,
    ),
    "Speed, prefill and memory": (
        speed.inter_token_s,
        speed.affine_fit,
        speed.output_tok_s_per_gpu_at,
        speed.tok_s_per_user_at,
        speed.requests_at,
        speed.expected_tokens_per_step,
        library.with_band,
        prefill.balanced_prefill_per_decode,
        prefill.most_uncached_input_per_output,
        prefill.kv_store_gb,
        hardware.kv_room_tokens,
        hardware.most_requests_in_memory,
    ),
    "The self-hosting bill": (
        selfhost.billed_gpus,
        selfhost.rent_usd,
        selfhost.usd_per_bundle,
        selfhost.usd_earned_per_gpu_hour,
        purchase.annuity_usd_per_year,
        purchase.power_kwh,
        purchase.colocation_kw,
        purchase.maintenance_usd_per_month,
        purchase.owned_usd_per_hour,
        ledger.comparable_usd,
    ),
    "The API bill": (
        api.api_usd_per_bundle,
        hours.peak_share,
        api.mean_usd_over_shares,
        api.with_surcharge,
        api.largest_output_tok_s,
    ),
    "Break-even": (
        breakeven.break_even_utilization,
        breakeven.break_even_output_tok_s,
        breakeven.break_even_api_usd_per_bundle,
        breakeven.break_even_usd_per_gpu_hour,
        breakeven.winner,
        beyond_money.decision,
    ),
    "Traffic and whole units": (
        hours.load_factor,
        timed.with_busy_days,
        fleet.units_needed,
        fleet.duty,
        fleet.scheduled_hours,
        fleet.erlang_c,
        fleet.planning_limit,
        demand.usd_per_month,
        demand.demand_view,
        fleet.contiguous_from_units,
    ),
    "Own the base, rent the peak": (
        loadcurve.worth_steps,
        loadcurve.best_level_tok_s,
        hybrid.api_usd_per_hour,
        hybrid.hybrid,
    ),
    "Contract over the years": (
        contract.level,
        contract.level_when_signed,
        contract.discount_factor,
        contract.npv_usd,
        contract.value_left_usd,
        contract.payback_month,
        contract.survivable_price_fall,
        contract.break_even_later,
        contract_ways.api_share,
        contract_ways.rented,
        contract_ways.reserved,
        contract_ways.bought,
    ),
}


def explained(equation: Callable[..., Any]) -> tuple[str, list[tuple[str, str]], str]:
    """An equation's docstring as (meaning, [(label, text)], worked example)."""
    text = inspect.getdoc(equation) or ""
    words, _, example = text.partition(">>>")
    paragraphs = words.strip().split("\n")
    meaning: list[str] = []
    labelled: list[tuple[str, str]] = []
    for line in paragraphs:
        label, colon, rest = line.partition(": ")
        if colon and label in ("Formula", "Assumes", "Source"):
            labelled.append((label, rest))
        elif labelled:
            labelled[-1] = (labelled[-1][0], f"{labelled[-1][1]} {line.strip()}")
        else:
            meaning.append(line.strip())
    return " ".join(meaning).strip(), labelled, f">>>{example}".rstrip() if example else ""


def show_method(catalog: Catalog, _scenario: Scenario) -> None:
    """Every equation with its meaning, assumptions, source and worked example, straight from the code."""
    st.markdown(
        say(
            "These are the equations the program runs, with the words and worked examples that stand beside them in "
            "the code; the examples are run as tests. Every price has a source and a date: open **Bills** to see those "
            "in use."
        )
    )
    st.markdown(
        say("**What the figures leave out.** {left_out} Each would make self-hosting dearer.", left_out=left_out())
    )
    st.markdown(
        say(
            "**What they assume.** The rent is paid for every hour, used or not. Utilization is the mean over those "
            "hours. The API's quality, speed and terms are taken as good enough; prices are list prices before "
            "discounts."
        )
    )
    show_published(catalog)
    st.subheader(say("The equations"))
    if spoken() != "en":
        st.caption(say("The equations below stay in English: they are printed from the code itself."))
    for title, equations in EQUATIONS.items():
        # Only an open box draws its equations: all of them on every rerun would take half a second.
        box = st.expander(say(title), key=method_key(title), on_change="rerun")
        if box.open:
            with box:
                for equation in equations:
                    _show_equation(equation)


def method_key(title: str) -> str:
    """The key of the box with the equations under a title.

    >>> method_key("The API bill")
    'method_the_api_bill'
    """
    return f"method_{title.lower().replace(' ', '_').replace(',', '')}"


def _show_equation(equation: Callable[..., Any]) -> None:
    meaning, labelled, example = explained(equation)
    what, stop, more = meaning.partition(". ")
    st.markdown(shown(f"**{what}{stop.strip()}** {more}"))
    for label, words in labelled:
        if label == "Formula":
            st.code(words, language=None, wrap_lines=True)
        else:
            st.markdown(shown(f"**{label}:** {words}"))
    if example:
        st.caption(say("Worked example"))
        st.code(example, language="python", wrap_lines=True)
