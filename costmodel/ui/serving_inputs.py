"""The sidebar's part on what the hardware can do: throughput from the library, promised speed, memory, KV store."""

from datetime import date
from functools import cache

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.dated import NotInForceError, in_force
from costmodel.language import say, spoken
from costmodel.link import ValueProblem, parse_value
from costmodel.machine.library import Doubt, Match, Wanted, best_match, by_fit, known_on, questions
from costmodel.scenario import INPUTS, Scenario
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.state import good_texts, set_input
from costmodel.ui.text import as_typed, plain, shown
from costmodel.words import count_text

_HOSTS_SHOWN = 3
_STALE = "stale_throughput"


@cache
def _match(catalog: Catalog, wanted: Wanted, language: str) -> Match | None:
    """The best match. `language` is the one in use: a match comes with sentences."""
    return best_match(catalog.benchmarks_of(wanted.model).values(), wanted)


def _number_now(key: str, start: Scenario) -> float:
    """What a number field shows now, or last showed that could be used."""
    for text in (st.session_state.get(key), good_texts().get(key)):
        try:
            return float(parse_value(INPUTS[key], str(text)))
        except ValueProblem:
            continue
    return float(getattr(start, INPUTS[key].name))


def _wanted(catalog: Catalog, start: Scenario) -> Wanted:
    return Wanted(
        model=st.session_state.get("model", start.model),
        gpu=catalog.rentals[st.session_state.get("gpu", start.gpu)].entry.gpu,
        gpus=int(_number_now("gpus", start)),
        input_per_output=_number_now("ratio", start),
    )


def take_throughput(catalog: Catalog, start: Scenario) -> None:
    """After a change of model or GPU: the throughput of the best match, since that of another machine means nothing."""
    match = _match(catalog, _wanted(catalog, start), spoken())
    set_input("bench", None)
    set_input("loads", None)
    st.session_state[_STALE] = None
    if match is not None:
        set_input("tps", round(match.output_tok_s_per_gpu, 1))
    else:
        shown_now = (st.session_state["model"], st.session_state["gpu"], _number_now("tps", start))
        st.session_state[_STALE] = shown_now


def take_model(catalog: Catalog, start: Scenario) -> None:
    """After a change of model: its throughput, and the APIs that serve it where none of those chosen does."""
    take_throughput(catalog, start)
    model = st.session_state["model"]
    # How fast a GPU reads prompts is a property of the model, too: without a figure for the new one there is none.
    set_input("prefill_tps", _prefill_rate(catalog, model))
    chosen: list[str] = st.session_state.get("api", list(start.apis))
    offers = [catalog.apis.get(each.partition("@")[0]) for each in chosen]
    if any(offer is not None and offer.entry.model == model for offer in offers):
        return
    hosts = cheapest_hosts(catalog, model, on=st.session_state.get("asof") or start.price_date)
    if hosts:
        set_input("api", (*hosts, *(each for each in chosen if each.startswith("custom:"))))


def _prefill_rate(catalog: Catalog, model: str) -> float | None:
    """The library's prefill rate of a model at small batches, the careful end of its range."""
    for benchmark in catalog.benchmarks_of(model).values():
        if benchmark.pool == "prefill":
            return benchmark.points[0].input_tok_s_per_gpu_low
    return None


def warn_of_stale_throughput(catalog: Catalog, scenario: Scenario) -> None:
    """Beside the answer: the throughput is still that of another model or GPU, as the library has none for these."""
    if st.session_state.get(_STALE) == (scenario.model, scenario.gpu, scenario.output_tok_s_per_gpu):
        model, gpu = catalog.models[scenario.model].name, catalog.gpus[catalog.rentals[scenario.gpu].entry.gpu].name
        st.warning(
            shown(
                say(
                    "**The throughput is not of this machine.** The library has no benchmark of {model} on {gpu}, so "
                    "{rate} output tok/s per GPU is left from the choice before. Type what you measured (Hardware, "
                    "Throughput per GPU): until then the costs here mean nothing.",
                    model=plain(model),
                    gpu=plain(gpu),
                    rate=count_text(scenario.output_tok_s_per_gpu),
                )
            )
        )


def cheapest_hosts(catalog: Catalog, model: str, *, on: date) -> list[str]:
    """The cheapest APIs that serve a model on a day, by their output price."""
    priced = []
    for key, offer in catalog.apis.items():
        if offer.entry.model == model:
            try:
                price = in_force(offer.entry.history, on=on, what=offer.name)
            except NotInForceError:
                continue
            priced.append((price.usd_per_mtok.output, key))
    return [key for _, key in sorted(priced)[:_HOSTS_SHOWN]]


def licence_caption(catalog: Catalog, model: str) -> None:
    """The licence of the chosen model, below its name."""
    licence = catalog.models[model].history[-1].licence
    if licence:
        st.caption(shown(say("Licence: {licence}", licence=plain(licence))))
    else:
        st.caption(say("Licence: not known here, read it first"))


def quality_caption(catalog: Catalog, model: str, chosen: list[str]) -> None:
    """Below the API prices: which of them serve another model, so that only the price compares."""
    offers = [catalog.apis.get(each.partition("@")[0]) for each in chosen]
    others = dict.fromkeys(offer.name for offer in offers if offer is not None and offer.entry.model != model)
    hosts = sum(offer.entry.model == model for offer in catalog.apis.values())
    name = catalog.models[model].name
    if others:
        names = plain(", ".join(others))
        st.caption(
            shown(say("**Different quality**, other models than {model}: {apis}.", model=plain(name), apis=names))
        )
    if hosts:
        words = say("{count} of the APIs serve {model}; they come first in the list.", count=hosts, model=plain(name))
    else:
        words = say("No API here serves {model}: every line is of another model.", model=plain(name))
    st.caption(shown(words))


def throughput_caption(side: Sidebar) -> None:
    """Below the throughput: which benchmark says what, and what is odd about the figure typed."""
    catalog, wanted = side.catalog, _wanted(side.catalog, side.start)
    match = _match(catalog, wanted, spoken())
    entered = _number_now("tps", side.start)
    if match is None:
        on = known_on(catalog.benchmarks_of(wanted.model).values())
        text = say(
            "No benchmark of this model on {gpu} in the library (it has: {known}). Type what you measured.",
            gpu=catalog.gpus[wanted.gpu].name,
            known=on,
        )
        st.caption(shown(plain(text)))
        return
    is_taken = abs(entered - match.output_tok_s_per_gpu) < 0.1
    statement = plain(match.statement)
    if is_taken:
        st.caption(shown(say("From the library: {benchmark}", benchmark=statement)))
    else:
        st.caption(shown(say("The library has {benchmark}", benchmark=statement)))
    limits = (
        in_force(catalog.assumptions[name].history, on=side.price_date, what=name).value
        for name in ("single_stream_below_tok_s_per_gpu", "throughput_doubt_factor")
    )
    stream, factor = limits
    asked = questions(
        entered_tok_s_per_gpu=entered,
        gpus=wanted.gpus,
        input_per_output=wanted.input_per_output,
        match=match,
        doubt=Doubt(single_stream_below_tok_s=stream, factor=factor),
    )
    for question in asked:
        st.warning(shown(plain(question)))


def show_serving(side: Sidebar) -> None:
    """Promised speed and where its curve comes from, memory, and the store for the KV cache."""
    catalog, wanted = side.catalog, _wanted(side.catalog, side.start)
    side.number("slo", placeholder=say("none: the throughput is as typed"))
    _benchmark(side, wanted)
    side.number("accept", placeholder=say("as in the benchmark"))
    if catalog.models[wanted.model].history[-1].host_memory_tables_gb:
        places = {"gpu": say("in GPU memory"), "host": say("in host memory")}
        side.choice("tables", list(places), label_of=places.__getitem__)
    else:
        side.put("tables", "gpu")
    side.number("kv_tb")
    history = catalog.assumptions["kv_store_usd_per_gb_month"].history
    price = say("assumed: {value}", value=as_typed(history[-1].value))
    side.number("kv_usd", placeholder=price, disabled=_number_now("kv_tb", side.start) == 0)


def _benchmark(side: Sidebar, wanted: Wanted) -> None:
    """The benchmark whose loads tell speed and throughput apart; a reader's own takes its place."""
    is_same_machine = wanted.model == side.start.model and st.session_state.get("gpu", side.start.gpu) == side.start.gpu
    if side.start.own_loads is not None and is_same_machine:
        side.put("bench", None)
        st.caption(say("Your own benchmark is in use (view Speed)."))
        return
    side.put("loads", None)
    asked, benchmarks = INPUTS["bench"], side.catalog.benchmarks_of(wanted.model)
    options = [each.id for each in by_fit(benchmarks, wanted)]
    start = side.start_value("bench")
    if st.session_state.get("bench") not in (None, *options):
        st.session_state["bench"] = None
    chosen = st.selectbox(
        say(asked.label),
        options,
        index=options.index(start) if start in options else None,
        key="bench",
        placeholder=say("the best match"),
        help=say(asked.help),
    )
    side.put("bench", chosen)
