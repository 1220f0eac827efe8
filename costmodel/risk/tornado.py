"""Which uncertain input matters most: each at its low and its high, all others as they are, through compare()."""

from dataclasses import dataclass

from costmodel.catalog import Catalog
from costmodel.compare import Comparison, NoAnswerError
from costmodel.risk.outcome import Outcome, outcome, outcome_of
from costmodel.risk.priors import Prior, priors_of
from costmodel.risk.ranges import API_PRICE
from costmodel.risk.riskmodel import RiskModel, risk_model
from costmodel.risk.settled import with_value
from costmodel.risk.turning import turn_between
from costmodel.scenario import Scenario
from costmodel.units import PERCENT


@dataclass(frozen=True, kw_only=True)
class Swing:
    """What one uncertain input does to the outcome. At an end that has no answer, the outcome is None."""

    prior: Prior
    at_low: Outcome | None
    at_high: Outcome | None
    swing_usd_per_month: float
    """Between the saving at the low and at the high; at an end without an answer the scenario's own stands in."""
    flips_at: float | None
    """The value, between low and high, nearest to the scenario's at which the cheaper side changes."""


@dataclass(frozen=True, kw_only=True)
class Tornado:
    """All uncertain inputs, the one that moves the outcome most first."""

    base: Outcome
    swings: tuple[Swing, ...]

    @property
    def flips(self) -> tuple[Swing, ...]:
        """Those that turn the verdict within their low and high."""
        return tuple(each for each in self.swings if each.flips_at is not None)


def tornado(catalog: Catalog, comparison: Comparison) -> Tornado:
    """Every uncertain input of a scenario at its low and its high. Raises NoDemandError where no API has a price."""
    base, model = outcome_of(catalog, comparison), risk_model(catalog, comparison)
    swings = [_swing(catalog, model, prior, base) for prior in priors_of(catalog, comparison)]
    return Tornado(base=base, swings=tuple(sorted(swings, key=lambda each: -each.swing_usd_per_month)))


def _swing(catalog: Catalog, model: RiskModel, prior: Prior, base: Outcome) -> Swing:
    ends = [changed_outcome(catalog, model.scenario, prior.key, value) for value in (prior.low, prior.high)]
    savings = [(base if end is None else end).saving_usd_per_month for end in ends]
    return Swing(
        prior=prior,
        at_low=ends[0],
        at_high=ends[1],
        swing_usd_per_month=abs(savings[1] - savings[0]),
        flips_at=turn_between(model, prior.key, low=prior.low, base=prior.base, high=prior.high),
    )


def changed_outcome(catalog: Catalog, scenario: Scenario, key: str, value: float) -> Outcome | None:
    """The outcome of a settled scenario with one input changed; None where there is no answer (memory, speed)."""
    level = value if key == API_PRICE else PERCENT
    try:
        return outcome(catalog, with_value(scenario, key, value), api_price_percent=level)
    except NoAnswerError:
        return None
