"""The sidebar's box for uncertainty: how low and how high each input may turn out, and the seed of the draws."""

import streamlit as st

from costmodel.compare import NoAnswerError, compare
from costmodel.language import say
from costmodel.link import decode, plain_number
from costmodel.risk.priors import Prior, own_ranges, priors_of
from costmodel.risk.ranges import Range, asked_of, parse_range, range_text
from costmodel.ui.sidebar import Sidebar
from costmodel.ui.state import RANGE_FIELD
from costmodel.ui.text import as_typed, plain, shown


def show_risk_inputs(side: Sidebar) -> None:
    """Two fields for each input that is uncertain here; empty ones keep the range of the catalogue."""
    scenario = decode(side.catalog, side.texts).scenario.model_copy(update={"ranges": ()})
    try:
        priors = priors_of(side.catalog, compare(side.catalog, scenario))
    except NoAnswerError as error:
        st.caption(shown(say("No ranges: {reason}", reason=plain(str(error)))))
        return
    st.caption(say("Lowest and highest, in the unit named. Empty: the range of the catalogue."))
    own = own_ranges(side.start)
    shown_keys = {prior.key for prior in priors}
    texts = [range_text(each) for key, each in own.items() if key not in shown_keys]
    for prior in priors:
        text = _fields(prior, own.get(prior.key))
        if text is not None:
            texts.append(text)
    side.put("range", *texts)
    side.number("seed")


def _fields(prior: Prior, own: Range | None) -> str | None:
    """The range of one input as the link writes it; None where both fields are empty."""
    asked = asked_of(prior.key)
    st.caption(
        shown(
            say(
                "{name}, {unit}: {value} in use",
                name=say(asked.label),
                unit=plain(say(asked.unit)),
                value=as_typed(prior.base),
            )
        )
    )
    starts = ("", "") if own is None else (plain_number(own.low), plain_number(own.high))
    ends = (say("lowest"), say("highest"))
    given = []
    for place, which, start, end, of_prior in zip(
        st.columns(2), ("low", "high"), starts, ends, (prior.low, prior.high), strict=True
    ):
        with place:
            given.append(
                st.text_input(
                    say("{name}, {end}", name=say(asked.label), end=end),
                    value=start,
                    key=f"{RANGE_FIELD}{which}_{prior.key}",
                    placeholder=plain_number(of_prior),
                    label_visibility="collapsed",
                ).strip()
            )
    if given == ["", ""]:
        return None
    filled = [text or plain_number(of_prior) for text, of_prior in zip(given, (prior.low, prior.high), strict=True)]
    text = ":".join((prior.key, *filled))
    try:
        return range_text(parse_range(text))
    except ValueError as problem:
        used = say("the range of the catalogue") if own is None else " – ".join(starts)
        st.error(
            shown(
                say(
                    "{name}: “{text}” {problem}; still using {used}.",
                    name=say(asked.label),
                    text=plain(text),
                    problem=plain(str(problem)),
                    used=used,
                )
            )
        )
        return None if own is None else range_text(own)
