"""The worked example: every figure is the published one, or the corrected one, to the digit."""

import pytest

from costmodel.catalog import catalog
from costmodel.compare import compare
from costmodel.link import decode, query_of
from costmodel.worked_example import ARTICLES, CLUSTER, NODE, STEPS, answered

CATALOG = catalog()


@pytest.mark.parametrize(
    ("example", "texts"),
    [
        (CLUSTER, ["$880,128", "$0.917", "76.4 %", "63.2 %", "50.6 %", "41.9 %", "$99,072", "56.8 %", "219 %"]),
        (
            NODE,
            [
                *("$36,821", "$946.08", "$1,143", "$714.29", "11,676 tok/s", "9,663 tok/s", "12,469 tok/s"),
                *("23,352 tok/s", "€31,699", "29.8 %", "$15,768"),
            ],
        ),
    ],
)
def test_the_figures_of_the_two_articles(example: str, texts: list[str]) -> None:
    assert [each.text for each in answered(CATALOG, example)] == texts


def test_every_step_is_a_link_that_opens_without_a_problem() -> None:
    assert set(STEPS) == set(ARTICLES)
    for steps in STEPS.values():
        for step in steps:
            assert decode(CATALOG, query_of(step.query)).problems == (), step.said


def test_a_unit_of_16_gpus_replaces_125_411_dollars() -> None:
    """At full use its tokens would cost that much at the off-peak price."""
    query = "?scenario=deepinfer-16&util=100&api=deepseek:deepseek-flash@off_peak"
    comparison = compare(CATALOG, decode(CATALOG, query_of(query)).scenario)
    assert comparison.apis[0].usd_per_month == pytest.approx(125_411, abs=1)
