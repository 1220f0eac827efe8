"""The sidebar: every input as a widget whose text is read by the same codec as the link."""

from collections.abc import Callable
from functools import cache, partial

import streamlit as st

from costmodel.catalog import Catalog
from costmodel.choices import ApiChoiceError, custom_choice_id, parse_api_choice, window_label
from costmodel.dated import NotInForceError, in_force
from costmodel.language import LANGUAGES, in_this_language, say, spoken
from costmodel.link import MOST_APIS, Decoded, decode, plain_number
from costmodel.scenario import INPUTS, Scenario
from costmodel.ui.bill_inputs import show_beyond_money, show_whole_bill
from costmodel.ui.contract_inputs import show_contract_inputs
from costmodel.ui.risk_inputs import show_risk_inputs
from costmodel.ui.serving_inputs import (
    licence_caption,
    quality_caption,
    show_serving,
    take_model,
    take_throughput,
    throughput_caption,
)
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.state import (
    BROWSERS,
    CHEAPEST,
    NO_POOL,
    forget_undrawn,
    keep_through_relabelling,
    open_example,
)
from costmodel.ui.text import as_typed, commitment_word, dollars, plain, shown
from costmodel.ui.traffic_inputs import show_traffic
from costmodel.ui.usage_inputs import show_usage


def show_sidebar(catalog: Catalog, start: Decoded) -> Decoded:
    """Draw the sidebar; the scenario it says, with what is wrong about it.

    Only open boxes draw their fields: every field costs each rerun, here and in the browser.
    """
    side = Sidebar(catalog, start.scenario)
    keep_through_relabelling((*INPUTS, *map(box_key, BOXES)), spoken())
    with st.sidebar:
        _example(catalog)
        for title, draw in BOXES.items():
            box = st.expander(say(title), expanded=draw is _hardware, key=box_key(title), on_change="rerun")
            if box.open:
                with box:
                    draw(side)
    forget_undrawn({*side.drawn, "util", "view", *(("peak_auto",) if "peak" in side.drawn else ())})
    return decode(catalog, side.texts)


def box_key(title: str) -> str:
    """The key of a box of the sidebar.

    >>> box_key("API prices")
    'box_api_prices'
    """
    return f"box_{title.lower().replace(' ', '_')}"


def _example(catalog: Catalog) -> None:
    examples = catalog.examples
    st.selectbox(
        say("Start from an example"),
        list(examples),
        index=None,
        format_func=lambda identifier: examples[identifier].name,
        key="example",
        placeholder=say("Choose an example"),
        on_change=_load_example,
        args=(catalog,),
    )
    chosen = st.session_state.get("example")
    if chosen:
        example = examples[chosen]
        source = say("Source: {source}", source=plain(example.source))
        st.caption(shown(f"{plain(example.summary)} {plain(example.claim)} {source}"))


def _load_example(catalog: Catalog) -> None:
    if st.session_state["example"]:
        open_example(catalog, st.session_state["example"])


def _hardware(side: Sidebar) -> None:
    catalog = side.catalog
    model = side.choice(
        "model",
        list(catalog.models),
        label_of=lambda key: catalog.models[key].name,
        on_change=partial(take_model, catalog, side.start),
    )
    licence_caption(catalog, model)
    rental = side.choice(
        "gpu",
        list(catalog.rentals),
        label_of=lambda key: _rental_label(catalog, key, spoken()),
        on_change=partial(take_throughput, catalog, side.start),
    )
    side.number("gpus")
    side.number("gpu_usd", placeholder=_list_price(catalog, rental, side))
    side.number("tps")
    throughput_caption(side)
    side.number("eff")
    side.number("units")


def _prefill(side: Sidebar) -> None:
    """The pool that reads the prompts, where it is one of its own."""
    catalog = side.catalog
    prefill = st.selectbox(
        say(INPUTS["prefill_gpu"].label),
        [NO_POOL, *catalog.rentals],
        index=[NO_POOL, *catalog.rentals].index(side.start_value("prefill_gpu")),
        key="prefill_gpu",
        format_func=lambda key: (
            say("None: one pool does both") if key == NO_POOL else _rental_label(catalog, key, spoken())
        ),
        help=say(INPUTS["prefill_gpu"].help),
    )
    one_pool = prefill == NO_POOL
    side.put("prefill_gpu", None if one_pool else prefill)
    side.number("prefill_gpus", disabled=one_pool)
    side.number(
        "prefill_gpu_usd", disabled=one_pool, placeholder=None if one_pool else _list_price(catalog, prefill, side)
    )
    side.number("prefill_tps")
    side.number("prefill_eff", disabled=one_pool)
    if one_pool:
        side.put("prefill_gpus", None)
        side.put("prefill_gpu_usd", None)
    elif "prefill_gpus" not in side.texts:
        st.error(
            say(
                "{field}: write how many GPUs the prefill pool has; until then there is none.",
                field=say(INPUTS["prefill_gpus"].label),
            )
        )
        side.put("prefill_gpu", None)
        side.put("prefill_gpu_usd", None)


@cache
def _rental_label(catalog: Catalog, key: str, language: str) -> str:
    """A rental for the list of choices. `language` is the one in use; it keeps the labels of each apart."""
    offer = catalog.rentals[key]
    newest = max(offer.entry.history, key=lambda entry: entry.since)
    terms = commitment_word(offer.entry.commitment)
    return say(
        "{name} · {gpus}-GPU instance, {terms} · {price}",
        name=offer.name,
        gpus=offer.entry.gpus_per_instance,
        terms=f"{terms}, {offer.entry.region}" if offer.entry.region else terms,
        price=dollars(newest.usd_per_gpu_hour),
    )


def _list_price(catalog: Catalog, rental: str, side: Sidebar) -> str:
    try:
        rent = in_force(catalog.rentals[rental].entry.history, on=side.price_date, what="")
    except NotInForceError:
        return say("no list price on this date")
    return say("list price {usd}", usd=as_typed(rent.usd_per_gpu_hour))


def _tokens(side: Sidebar) -> None:
    for key in ("ratio", "cached", "own_cached", "cache_write", "request"):
        side.number(key)
    _batch(side)


def _batch(side: Sidebar) -> None:
    chosen = [side.catalog.apis.get(each.partition("@")[0]) for each in _chosen_apis(side)]
    any_batch = any(offer and offer.entry.batch for offer in chosen)
    side.number("batch")
    if not any_batch:
        st.caption(say("None of the chosen APIs has a batch price."))


def _peak(side: Sidebar) -> None:
    asked = INPUTS["peak"]
    auto = st.toggle(
        say("Peak share from the traffic"),
        value=side.start.peak_percent == "auto",
        key="peak_auto",
        help=say("Counts how many of your tokens fall into each API's peak hours, on the vendor's clock."),
    )
    value = st.slider(
        f"{say(asked.label)}, {say(asked.unit)}",
        min_value=0.0,
        max_value=100.0,
        value=side.start_value("peak"),
        step=0.5,
        format="%g %%",
        key="peak",
        help=say(asked.help),
        disabled=auto,
    )
    side.put("peak", "auto" if auto else plain_number(value))


def _chosen_apis(side: Sidebar) -> list[str]:
    chosen: list[str] = st.session_state.get("api", list(side.start.apis))
    return chosen


@cache
def _api_ids(catalog: Catalog, model: str) -> tuple[str, ...]:
    """Every price line of the catalogue, windows included, by name; those that serve the model first."""
    ids: list[str] = []
    for key, offer in sorted(
        catalog.apis.items(), key=lambda pair: (pair[1].entry.model != model, pair[1].name.lower())
    ):
        ids.append(key)
        newest = max(offer.entry.history, key=lambda entry: entry.since)
        if newest.windows:
            ids += [f"{key}@{name}" for name in dict.fromkeys([newest.base_name, *(w.name for w in newest.windows)])]
    return tuple(ids)


def api_label(catalog: Catalog, text: str) -> str:
    """A price line's name for the list of choices."""
    if text.startswith("custom:"):
        return say("{name} (own price)", name=text.split(":")[1])
    key, _, window = text.partition("@")
    if not window:
        return catalog.apis[key].name
    return say("{name}, {window} only", name=catalog.apis[key].name, window=window_label(window))


def _apis(side: Sidebar) -> None:
    catalog, asked = side.catalog, INPUTS["api"]
    model = side.texts["model"][0]
    own = [each for each in (*side.start.apis, *st.session_state.get("own_prices", ())) if each.startswith("custom:")]
    chosen = st.multiselect(
        say(asked.label),
        list(dict.fromkeys([*own, *_chosen_apis(side), *_api_ids(catalog, model)])),
        default=list(side.start.apis),
        key="api",
        format_func=lambda text: api_label(catalog, text),
        max_selections=MOST_APIS,
        help=say(asked.help),
    )
    quality_caption(catalog, model, chosen)
    side.put("api", *chosen)
    with st.popover(say("Add a price of your own"), width="stretch"):
        st.caption(say("$ per 1M tokens. Leave the cached price empty if there is none."))
        fields = {"name": say("Name"), "input": say("Input"), "cached": say("Cached input"), "output": say("Output")}
        for name, label in fields.items():
            st.text_input(label, key=f"typed_{name}", max_chars=40)
        # A callback runs before the page speaks to its reader again.
        st.button(say("Add this price"), on_click=in_this_language(_add_own_price), args=(catalog, side.start))
        if st.session_state.get("own_problem"):
            st.error(shown(plain(st.session_state["own_problem"])))
    regions = sorted({place.region for offer in catalog.apis.values() for place in offer.entry.residency})
    _against(side)
    side.choice("region", ["none", *regions], label_of=lambda key: say("anywhere") if key == "none" else key.upper())


def _against(side: Sidebar) -> None:
    asked, options = INPUTS["against"], [CHEAPEST, *_chosen_apis(side)]
    if st.session_state.get("against", CHEAPEST) not in options:
        st.session_state["against"] = CHEAPEST
    start = side.start_value("against")
    chosen = st.selectbox(
        say(asked.label),
        options,
        index=options.index(start) if start in options else 0,
        key="against",
        format_func=lambda key: say("the cheapest") if key == CHEAPEST else api_label(side.catalog, key),
        help=say(asked.help),
    )
    side.put("against", None if chosen == CHEAPEST else chosen)


def _add_own_price(catalog: Catalog, start: Scenario) -> None:
    name, usd_input, usd_cached, usd_output = (
        str(st.session_state.get(f"typed_{field}", "")).strip() for field in ("name", "input", "cached", "output")
    )
    text = custom_choice_id(name=name, usd_input=usd_input, usd_cached=usd_cached, usd_output=usd_output)
    chosen = list(st.session_state.get("api", start.apis))
    try:
        parse_api_choice(catalog, text, on=start.price_date)
        if text in chosen:
            raise ApiChoiceError(say("is in the list already"))
        if len(chosen) >= MOST_APIS:
            raise ApiChoiceError(say("would be one more than {most} lines: remove one first", most=MOST_APIS))
    except ApiChoiceError as problem:
        st.session_state["own_problem"] = say("This price {problem}.", problem=problem)
        return
    st.session_state["own_problem"] = ""
    st.session_state["own_prices"] = (*st.session_state.get("own_prices", ()), text)
    st.session_state["api"] = [*chosen, text]


def _money(side: Sidebar) -> None:
    asked = INPUTS["asof"]
    day = st.date_input(
        say(asked.label),
        value=side.start.price_date,
        min_value=asked.low,
        max_value=asked.high,
        key="asof",
        help=say(asked.help),
        format="YYYY-MM-DD",
    )
    side.put("asof", day.isoformat())
    side.number("hours")
    side.choice(
        "basis", list(INPUTS["basis"].choices), label_of={"output": say("output"), "total": say("total")}.__getitem__
    )
    currency = side.choice("cur", ["USD", *side.catalog.currencies], on_change=_forget_rate)
    dollars = currency == "USD"
    side.number("fx", disabled=dollars, may_be_empty=True, placeholder=say("the rate of the price date"))
    if dollars:
        side.put("fx", None)
    side.number("vat")
    side.choice("vat_back", list(INPUTS["vat_back"].choices), label_of={"no": say("no"), "yes": say("yes")}.__getitem__)
    side.text("title")
    _language(side)


def _language(side: Sidebar) -> None:
    """The languages, each named in itself; the browser's where none is chosen."""
    asked, options = INPUTS["lang"], [BROWSERS, *LANGUAGES]
    chosen = st.selectbox(
        say(asked.label),
        options,
        index=options.index(side.start_value("lang")),
        key="lang",
        format_func=lambda code: say("the browser's") if code == BROWSERS else LANGUAGES[code],
        help=say(asked.help),
    )
    side.put("lang", None if chosen == BROWSERS else chosen)


def _forget_rate() -> None:
    """A new currency starts from its own dated rate, not from the rate of the one before."""
    st.session_state["fx"] = ""


BOXES: dict[str, Callable[[Sidebar], None]] = {
    "Hardware": _hardware,
    "Prefill pool": _prefill,
    "Speed and memory": show_serving,
    "Tokens": _tokens,
    "Traffic and demand": show_traffic,
    "Your usage file": show_usage,
    "Peak and off-peak": _peak,
    "API prices": _apis,
    "The whole bill": show_whole_bill,
    "Contract and purchase": show_contract_inputs,
    "Uncertainty": show_risk_inputs,
    "Besides money": show_beyond_money,
    "Money and month": _money,
}
