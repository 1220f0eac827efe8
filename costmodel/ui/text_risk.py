"""The sentences and tables of the views on uncertainty, on what turns the verdict, and of the map."""

from costmodel.breakeven import Winner
from costmodel.compare import Comparison
from costmodel.language import number_text, say
from costmodel.records import Assumed
from costmodel.risk.breakeven_map import BreakEvenMap
from costmodel.risk.montecarlo import FleetOdds, MonteCarlo
from costmodel.risk.outcome import Outcome
from costmodel.risk.priors import Prior
from costmodel.risk.ranges import asked_of
from costmodel.risk.tornado import Swing, Tornado
from costmodel.risk.turning import Turn, Turns
from costmodel.scenario import INPUTS
from costmodel.ui.tables import Table
from costmodel.ui.text import Money, as_typed, number, plain, source_link
from costmodel.ui.text_timed import units_text
from costmodel.units import PERCENT
from costmodel.words import count_text, percent_text

_ANY_DAY = "Not bound to a day: applies to every price date. "
_YEARLY = ("api_drop", "gpu_drop", "growth")
"""Changes a year, whose values say in words which way."""
_RARE = 0.01
"""Shares of the draws below this one are not worth a sentence."""


def label_of(key: str) -> str:
    """An input's name beside its value: a price may be the list's, and of a yearly change the value says which way."""
    names = {
        "gpu_usd": say("GPU price"),
        "prefill_gpu_usd": say("Prefill GPU price"),
        "api_drop": say("API prices, a year"),
        "gpu_drop": say("GPU prices, a year"),
        "growth": say("Demand, a year"),
    }
    asked = INPUTS["units"] if key == "units" else asked_of(key)
    return names.get(key) or say(asked.label)


def unit_of(key: str) -> str:
    """An input's unit; empty where name and value say it all."""
    if key in _YEARLY:
        return ""
    asked = INPUTS["units"] if key == "units" else asked_of(key)
    return say(asked.unit)


def with_unit(key: str) -> str:
    """An input's name with its unit."""
    unit = unit_of(key)
    return f"{label_of(key)}, {unit}" if unit else label_of(key)


def asked_name(key: str) -> str:
    """An input's name beside a bare number of the link: of a yearly change the name says which way."""
    return say(asked_of(key).label) if key in _YEARLY else label_of(key)


def axis_name(key: str) -> str:
    """The same with its unit."""
    return f"{asked_name(key)}, {say(asked_of(key).unit)}" if key in _YEARLY else with_unit(key)


def value_text(key: str, value: float) -> str:
    """An input's value as short as it can be said, its unit where that is one sign.

    >>> [value_text(key, value) for key, value in (("tps", 14_466), ("util", 76.408), ("gpu_usd", 6.398))]
    ['14,466', '76.4 %', '$6.40']
    >>> value_text("api_drop", -17), value_text("growth", -20), value_text("growth", 0)
    ('rise 17 %', 'shrink 20 %', '0 %')
    """
    unit = "" if key == "units" else asked_of(key).unit
    if unit.startswith("$"):
        return say("${amount}", amount=number(value, 2 if value < 1_000 else 0))
    if not unit.startswith("%"):
        return count_text(value)
    size = abs(value)
    share = percent_text(size / PERCENT) if size < PERCENT else f"{number_text(f'{size:,.4g}')} %"
    up, down = {
        "api_drop": (say("fall {share}", share=share), say("rise {share}", share=share)),
        "gpu_drop": (say("fall {share}", share=share), say("rise {share}", share=share)),
        "growth": (say("grow {share}", share=share), say("shrink {share}", share=share)),
    }.get(key, (share, f"−{share}"))
    return share if value == 0 else up if value > 0 else down


def load_words(comparison: Comparison) -> str:
    """What is held: the typed demand, or the utilization."""
    scenario = comparison.scenario
    if scenario.demand_output_tok_s is None:
        return say("{percent} % utilization", percent=as_typed(scenario.utilization_percent))
    return say("a demand of {rate} tok/s", rate=count_text(scenario.demand_output_tok_s))


def more_or_less(usd: float, money: Money) -> str:
    """A saving in words: $431,000 less, or $599,000 more."""
    amount = money.rough(abs(usd))
    return say("{amount} less", amount=amount) if usd >= 0 else say("{amount} more", amount=amount)


def odds_words(found: MonteCarlo, comparison: Comparison, months: int) -> str:
    """The chance, and between what the saving lies."""
    money, odds = Money(comparison), found.rented
    spread = odds.saving_usd_per_month
    return say(
        "**In {share} of {draws} drawn futures self-hosting ({units}) is the cheaper way.** Over {months} months it "
        "costs, in nine futures of ten, between {low} and {high} a month than the API for the same tokens; in the "
        "middle {middle}.",
        units=units_text(odds.units),
        share=percent_text(round(odds.win_share, 3)),
        draws=number(found.draws, 0),
        months=months,
        low=more_or_less(spread.low, money),
        high=more_or_less(spread.high, money),
        middle=more_or_less(spread.middle, money),
    )


def break_even_words(found: MonteCarlo) -> str:
    """Between what the break-even lies."""
    spread = found.break_even_utilization
    if spread is None:
        return say("The API is free for this token mix, so there is no break-even.")
    words = say(
        "The break-even lies between {low} and {high} utilization (middle: {middle})",
        low=percent_text(round(spread.low, 3)),
        high=percent_text(round(spread.high, 3)),
        middle=percent_text(round(spread.middle, 3)),
    )
    if found.unreachable_share < _RARE:
        return f"{words}."
    share = percent_text(round(found.unreachable_share, 3))
    return say("{words}; in {share} of the draws it is above 100 %, out of reach.", words=words, share=share)


def tornado_words(found: Tornado, comparison: Comparison) -> str:
    """Which inputs can turn the verdict by themselves."""
    now = _now_as_entered(found.base.winner, load_words(comparison))
    if not found.flips:
        return say("{now}. No input turns that between its low and its high, if the others stay.", now=now)
    listed = "; ".join(
        say("{name} ({at})", name=label_of(swing.prior.key), at=value_text(swing.prior.key, swing.flips_at or 0.0))
        for swing in found.flips
    )
    return say("{now}. Within its range, each of these alone turns that: {inputs}.", now=now, inputs=listed)


def _now_as_entered(winner: Winner, load: str) -> str:
    """Who is cheaper, in whole sentences: languages differ in where the verb goes."""
    return {
        "self_host": say("At {load} and everything as you entered it, self-hosting is cheaper", load=load),
        "api": say("At {load} and everything as you entered it, the API is cheaper", load=load),
        "tie": say("At {load} and everything as you entered it, both cost the same", load=load),
    }[winner]


def fleets_table(found: MonteCarlo, comparison: Comparison) -> Table:
    """Six sizes of the fleet in the same draws."""
    money = Money(comparison)
    head = [
        say("Units"),
        say("Self-hosting is cheaper in"),
        say("Mean difference a month"),
        say("5 % of draws are worse than"),
        say("5 % are better than"),
    ]
    rows = []
    for fleet in found.fleets:
        spread = fleet.saving_usd_per_month
        cells = [
            _fleet_name(fleet, found),
            percent_text(round(fleet.win_share, 3)),
            more_or_less(fleet.mean_saving_usd_per_month, money),
            more_or_less(spread.low, money),
            more_or_less(spread.high, money),
        ]
        rows.append(cells)
    return Table(head, rows)


def _fleet_name(fleet: FleetOdds, found: MonteCarlo) -> str:
    marks = []
    if fleet.units == found.rented.units:
        marks.append(say("yours"))
    if fleet is found.best_fleet and fleet.mean_saving_usd_per_month > 0:
        marks.append(say("saves most on average"))
    return f"{units_text(fleet.units)} ({', '.join(marks)})" if marks else units_text(fleet.units)


def hindsight_words(found: MonteCarlo) -> str:
    """Why the chance is that of one fleet."""
    words = say(
        "Each row is one decision, kept in all {draws} draws, because the fleet has to be chosen before the future is "
        "known.",
        draws=number(found.draws, 0),
    )
    if found.hindsight_share <= found.rented.win_share + _RARE:
        return words
    return say(
        "{words} With hindsight, the best of these sizes in each draw, it would be {share}: a chance nobody has.",
        words=words,
        share=percent_text(round(found.hindsight_share, 3)),
    )


def overflow_words(outcome: Outcome, found: MonteCarlo) -> str | None:
    """What of the tokens own GPUs cannot serve, where that is worth a word."""
    if outcome.own_share < 1 - _RARE:
        return say(
            "Your units serve {share} of the tokens of today: in the busiest hours demand exceeds them, and the rest "
            "is bought from the API on both sides.",
            share=percent_text(round(outcome.own_share, 3)),
        )
    if found.own_share < 1 - _RARE:
        return say(
            "Over all draws {share} of the tokens do not fit into your units and are bought from the API on both "
            "sides.",
            share=percent_text(round(1 - found.own_share, 3)),
        )
    return None


def priors_table(priors: tuple[Prior, ...], swings: tuple[Swing, ...]) -> Table:
    """Low, value and high of each input, whether it turns the verdict, and where the range is from."""
    flips = {swing.prior.key: swing.flips_at for swing in swings}
    order = {swing.prior.key: place for place, swing in enumerate(swings)}
    head = [
        say("Each input"),
        say("Low"),
        say("In use"),
        say("High"),
        say("Turns the verdict at"),
        say("Where the range is from"),
    ]
    rows = []
    for prior in sorted(priors, key=lambda each: order.get(each.key, 0)):
        flip = flips.get(prior.key)
        cells = [
            plain(with_unit(prior.key)),
            *(value_text(prior.key, value) for value in (prior.low, prior.base, prior.high)),
            say("none") if flip is None else f"**{value_text(prior.key, flip)}**",
            say("your own") if prior.source is None else _source_words(prior.source),
        ]
        rows.append(cells)
    return Table(head, rows)


def idle_words(keys: tuple[str, ...]) -> str:
    """Ranges the reader gave that nothing depends on."""
    names = ", ".join(say(asked_of(key).label) for key in keys)
    return say("Without effect in this scenario, so not varied: {inputs}.", inputs=names)


def _source_words(source: Assumed) -> str:
    """Where a range is from, and why it is that wide."""
    place = say("Judgement of this project") if source.basis == "assumed" else source_link(source)
    note = (source.note or "").removeprefix(_ANY_DAY)
    return f"{place}. {plain(note)}" if note else place


def risk_assumptions(comparison: Comparison, months: int) -> str:
    held = say("utilization is held, so faster GPUs serve more tokens")
    if comparison.scenario.demand_output_tok_s is not None:
        held = say("demand is drawn on its own, so faster GPUs leave more room and no more tokens")
    return say(
        "Assumes: each input is drawn by itself from a triangle with its low, its value in use and its high (own cache "
        "hits move with the API's); {held}; the mean month of {months} months counts, later months less by the cost of "
        "capital; one fleet for the whole term, tokens that do not fit are bought from the API; the API side takes the "
        "cheapest of your price lines.",
        held=held,
        months=months,
    )


def nearest_words(found: Turns, comparison: Comparison) -> str:
    """The change that is closest to turning the verdict."""
    load, winner = load_words(comparison), found.base.winner
    if winner == "tie":
        return say("At {load}, both cost the same already.", load=load)
    if winner == "self_host":
        now = say("At {load}, self-hosting is cheaper", load=load)
    else:
        now = say("At {load}, the API is cheaper", load=load)
    changes = [turn for turn in by_distance(found) if turn.distance is not None]
    if not changes:
        return say("{now}. No single change in proportion turns that.", now=now)
    nearest = changes[0]
    return say(
        "{now}. **The smallest single change that turns it: {name} from {base} to {value} ({change}).**",
        now=now,
        name=label_of(nearest.key),
        base=value_text(nearest.key, nearest.base),
        change=change_text(nearest),
        value=value_text(nearest.key, nearest.at or 0.0),
    )


def change_text(turn: Turn) -> str:
    """The change that is needed, in per cent, or in times where it is large.

    >>> change_text(Turn(key="tps", label="", unit="", base=10, at=12.5, reason=None))
    '+25 %'
    >>> change_text(Turn(key="demand", label="", unit="", base=300, at=11_676, reason=None))
    '× 38.9'
    """
    share = turn.change_share
    if share is None:
        return ""
    if share >= 1:
        return f"× {count_text(1 + share)}"
    return f"{'+' if share >= 0 else '−'}{percent_text(round(abs(share), 4))}"


def turns_table(found: Turns) -> Table:
    """Each input: now, where the verdict turns, the change; or why no value turns it."""
    head = [say("If only this changes"), say("Now"), say("The verdict turns at"), say("Relative change")]
    rows = []
    for turn in by_distance(found):
        if turn.at is None:
            continue
        rows.append(
            [
                plain(with_unit(turn.key)),
                value_text(turn.key, turn.base),
                f"**{value_text(turn.key, turn.at)}**",
                change_text(turn),
            ]
        )
    return Table(head, rows)


def never_words(found: Turns) -> list[str]:
    """The inputs that no value of turns, each with the reason."""
    return [
        say("{name}: no value turns it; {reason}.", name=f"**{label_of(turn.key)}**", reason=plain(turn.reason))
        for turn in found.turns
        if turn.reason is not None
    ]


def by_distance(found: Turns) -> list[Turn]:
    """The smallest change first, halving as far as doubling; last the inputs at 0, whose change has no ratio."""
    return sorted(found.turns, key=lambda turn: (turn.distance is None, round(turn.distance or 0.0, 6)))


def turns_assumptions(comparison: Comparison, months: int) -> str:
    return say(
        "Assumes: one input changes and all others stay as they are, over the whole range the link allows; a discount "
        "is one for all GPUs, people cost what the catalogue or you say, and a term of {months} months counts for the "
        "yearly changes. Whether the model still fits the memory of fewer or other GPUs is another question: see "
        "Hardware.",
        months=months,
    )


def map_words(found: BreakEvenMap, comparison: Comparison) -> str:
    """Where the reader stands, and where each of the two inputs alone turns the verdict."""
    sides = (found.across, found.up)
    here = say(
        "**You are at** {across} {x}, {up} {y}",
        across=label_of(found.across.key),
        x=value_text(found.across.key, found.across.base),
        up=label_of(found.up.key),
        y=value_text(found.up.key, found.up.base),
    )
    turned = [
        say("{name} {value}", name=label_of(side.key), value=value_text(side.key, side.turns_at))
        for side in sides
        if side.turns_at is not None
    ]
    if not turned:
        return say("{here}. Neither of the two turns the verdict alone.", here=here)
    return say(
        "{here}. Changed alone, it takes {turns} to turn the verdict.", here=here, turns=say(" or ").join(turned)
    )


def map_assumptions(months: int) -> str:
    return say(
        "Assumes: the two inputs change together and all others stay; the sides reach over the ranges of the view "
        "Uncertainty and to the turn of each input; the mean month of {months} months counts.",
        months=months,
    )
