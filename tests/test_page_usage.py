"""A usage file on the page: read on request, said what it held, taken into the link, refused with the reason."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app_page import page, words

SAMPLES = Path(__file__).parent / "usage_samples"


def uploaded(name: str) -> AppTest:
    app = page("?scenario=deepinfer-128")
    content = (SAMPLES / name).read_bytes()
    app.file_uploader(key="usage_files").set_value([(name, content, "text/csv")]).run()
    app.button(key="use_usage").click().run()
    assert not app.exception
    return app


def test_an_export_sets_mix_demand_and_link() -> None:
    app = uploaded("openai_completions_usage.csv")
    assert "Recognised as OpenAI completions usage export: 4 rows used" in words(app)
    assert app.text_input(key="ratio").value == "9.636364"
    assert "9.636364" in app.query_params["ratio"]
    assert "cache writes are not in this file" in words(app)


def test_hourly_rows_bring_their_week() -> None:
    app = uploaded("deepseek_amount.csv")
    assert app.selectbox(key="traffic").value == "imported"
    assert "profile" in app.query_params


def test_the_report_can_be_dismissed_and_the_values_stay() -> None:
    app = uploaded("openai_completions_usage.csv")
    app.button(key="usage_seen").click().run()
    assert "Recognised as" not in words(app)
    assert app.text_input(key="ratio").value == "9.636364"


@pytest.mark.parametrize("name", ["openai_costs.csv", "openai_completions_usage_empty.csv"])
def test_what_gives_no_mix_is_said_and_changes_nothing(name: str) -> None:
    app = uploaded(name)
    assert name in words(app)
    assert app.text_input(key="ratio").value == "0"


def test_damaged_rows_are_named() -> None:
    app = uploaded("broken_numbers.csv")
    assert "first at row 1" in words(app)
    assert app.text_input(key="cached").value == "83.333333"
