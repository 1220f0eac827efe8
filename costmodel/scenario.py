"""Scenario: every input of the comparison, once. The inputs themselves are in costmodel/inputs/, by subject.

Field aliases are the keys of the link. Reading and writing links is the business of link.py.
"""

from pydantic import ConfigDict

from costmodel.inputs.asked import Input, inputs_of
from costmodel.inputs.beyond_money import BeyondMoneyInputs
from costmodel.inputs.bill import BillInputs
from costmodel.inputs.contract import ContractInputs
from costmodel.inputs.deployment import DeploymentInputs
from costmodel.inputs.money import MoneyInputs
from costmodel.inputs.page import EARLIEST_PRICE_DATE, LATEST_PRICE_DATE, PageInputs, View
from costmodel.inputs.risk import RiskInputs
from costmodel.inputs.serving import ServingInputs
from costmodel.inputs.tokens import TokenInputs
from costmodel.inputs.traffic import TrafficInputs

__all__ = ["EARLIEST_PRICE_DATE", "INPUTS", "LATEST_PRICE_DATE", "Input", "Scenario", "View"]


class Scenario(
    # Pydantic takes fields from the last base to the first: the link begins with the page and ends with the questions.
    BeyondMoneyInputs,
    RiskInputs,
    ContractInputs,
    BillInputs,
    MoneyInputs,
    ServingInputs,
    TrafficInputs,
    TokenInputs,
    DeploymentInputs,
    PageInputs,
):
    """All inputs. Those with a default are neutral there: nothing applied, nothing added."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=False)


INPUTS: dict[str, Input] = {each.key: each for each in inputs_of(Scenario)}
"""Every input by its link key, in the order of the link."""
