"""Bought hardware: properties, then worked numbers with their source."""

import pytest

from costmodel.purchase import annuity_usd_per_year
from tests.model_cases import Case, model_cases


@model_cases("annuity")
def test_published_annuities(case: Case) -> None:
    given = case.inputs
    case.check(
        annuity_usd_per_year(
            purchase_usd=given["capex"],
            residual_usd=given["salvage"],
            cost_of_capital_share=given["wacc"],
            life_years=given["T"],
        )
    )


@pytest.mark.parametrize("rate", [0.0, 1e-9, 0.04, 0.08, 0.5])
def test_the_annuity_pays_the_purchase_back_with_interest(rate: float) -> None:
    annuity = annuity_usd_per_year(purchase_usd=300_000, residual_usd=30_000, cost_of_capital_share=rate, life_years=3)
    worth = sum(annuity / (1 + rate) ** year for year in (1, 2, 3)) + 30_000 / (1 + rate) ** 3
    assert worth == pytest.approx(300_000, rel=1e-6)


def test_dearer_money_and_shorter_lives_cost_more() -> None:
    def annuity(rate: float, years: float) -> float:
        return annuity_usd_per_year(purchase_usd=1_000, residual_usd=0, cost_of_capital_share=rate, life_years=years)

    assert annuity(0.04, 3) < annuity(0.08, 3) < annuity(0.12, 3)
    assert annuity(0.08, 5) < annuity(0.08, 3) < annuity(0.08, 1)
