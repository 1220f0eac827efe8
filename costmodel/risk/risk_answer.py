"""The part of the answer on not knowing: tornado, what would have to be true, Monte Carlo. As data.

The same rules hold as in answer.py. It is computed only where it is asked for, as loading numpy alone takes longer than
a whole comparison.
"""

from typing import Any

from costmodel.catalog import Catalog
from costmodel.compare import Comparison
from costmodel.load.demand_answer import NoDemandError
from costmodel.risk.montecarlo import FleetOdds, MonteCarlo, Spread, monte_carlo
from costmodel.risk.outcome import Outcome, outlook_of
from costmodel.risk.priors import Prior, idle_ranges
from costmodel.risk.tornado import Swing, Tornado, tornado
from costmodel.risk.turning import Turn, Turns, turns

OUTSIDE = "nothing can be said at this end: the deployment has no answer there"


def risk_dict(catalog: Catalog, comparison: Comparison) -> dict[str, Any]:
    """The key risk; where it is null, a reason beside it."""
    try:
        swings, turned = tornado(catalog, comparison), turns(catalog, comparison)
        draws = monte_carlo(catalog, comparison)
    except NoDemandError as error:
        return {"risk": None, "risk_reason": str(error)}
    scenario = comparison.scenario
    return {
        "risk": {
            "term_months": outlook_of(catalog, scenario).months,
            **_base_dict(swings, turned),
            "monte_carlo": _draws_dict(draws),
            "ranges_without_effect": list(idle_ranges(scenario, draws.priors)),
        }
    }


def _base_dict(swings: Tornado, turned: Turns) -> dict[str, Any]:
    base = swings.base
    return {
        "against": base.api_id,
        "self_host_usd_per_month": base.self_host_usd_per_month,
        "api_usd_per_month": base.api_usd_per_month,
        **_outcome_dict(base),
        "own_share": base.own_share,
        "tornado": [_swing_dict(swing) for swing in swings.swings],
        "turns": [_turn_dict(turn) for turn in turned.turns],
    }


def _outcome_dict(outcome: Outcome) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "saving_usd_per_month": outcome.saving_usd_per_month,
        "winner": outcome.winner,
        "break_even_utilization": outcome.break_even_utilization,
    }
    if outcome.break_even_utilization is None:
        answer["break_even_utilization_reason"] = "the API is free for this token mix, so no rent can match it"
    return answer


def _swing_dict(swing: Swing) -> dict[str, Any]:
    ends = {"at_low": swing.at_low, "at_high": swing.at_high}
    answer: dict[str, Any] = {**_prior_dict(swing.prior), "swing_usd_per_month": swing.swing_usd_per_month}
    for name, outcome in ends.items():
        answer[name] = None if outcome is None else _outcome_dict(outcome)
        if outcome is None:
            answer[f"{name}_reason"] = OUTSIDE
    answer["flips_at"] = swing.flips_at
    if swing.flips_at is None:
        answer["flips_at_reason"] = "the verdict is the same from low to high"
    return answer


def _prior_dict(prior: Prior) -> dict[str, Any]:
    place = None if prior.source is None else prior.source.source
    return {
        "key": prior.key,
        "label": prior.label,
        "unit": prior.unit,
        "low": prior.low,
        "value": prior.base,
        "high": prior.high,
        "source": {"document": "typed in by the reader"}
        if place is None
        else place.model_dump(mode="json", exclude_none=True),
    }


def _turn_dict(turn: Turn) -> dict[str, Any]:
    return {
        "key": turn.key,
        "label": turn.label,
        "unit": turn.unit,
        "value": turn.base,
        "turns_at": turn.at,
        **({} if turn.reason is None else {"turns_at_reason": turn.reason}),
    }


def _draws_dict(found: MonteCarlo) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "draws": found.draws,
        "seed": found.seed,
        **_odds_dict(found.rented),
        "tie_share": found.tie_share,
        **_spread_dict("break_even_utilization", found.break_even_utilization),
        "break_even_unreachable_share": found.unreachable_share,
        "own_share": found.own_share,
        "fleets": [_odds_dict(fleet) for fleet in found.fleets],
        "best_fleet_units": found.best_fleet.units,
        "hindsight_share": found.hindsight_share,
    }
    if found.break_even_utilization is None:
        answer["break_even_utilization_reason"] = "the API is free for this token mix, so no rent can match it"
    return answer


def _odds_dict(fleet: FleetOdds) -> dict[str, Any]:
    return {
        "units": fleet.units,
        "win_share": fleet.win_share,
        "mean_saving_usd_per_month": fleet.mean_saving_usd_per_month,
        **_spread_dict("saving_usd_per_month", fleet.saving_usd_per_month),
    }


def _spread_dict(name: str, spread: Spread | None) -> dict[str, Any]:
    if spread is None:
        return {f"{name}_{part}": None for part in ("p5", "p50", "p95")}
    return {f"{name}_p5": spread.low, f"{name}_p50": spread.middle, f"{name}_p95": spread.high}
