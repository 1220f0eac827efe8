"""The page's views on what the hardware can do, and the sidebar that takes its throughput from the library."""

import pytest

from costmodel.catalog import catalog
from costmodel.ui.serving_inputs import cheapest_hosts
from costmodel.ui.views.hardware import H100
from tests.app_page import figure, figures, page, words


def test_the_speed_view_shows_the_published_curve() -> None:
    app = page("scenario=deepinfer-128&view=speed")
    text = words(app)
    for each in ("349.8 tok/s", "36,636 tok/s", "at 212 tok/s per user", "190 to 214", "| 300 | 5,218 | $1.27 |"):
        assert each in text, each
    own = figure(app)["data"][0]
    assert own["x"][0] == 100
    assert own["x"][-1] == 325
    assert own["y"][0] == pytest.approx(0.2535, abs=0.0005)


def test_a_promise_moves_the_whole_page() -> None:
    app = page("scenario=deepinfer-128&slo=300")
    shown = {label: value for label, (value, _) in figures(app).items()}
    assert shown["Own GPUs"] == "$2.12"
    assert shown["Break-even"] == "none"
    assert "not possible on this hardware" in words(page("scenario=deepinfer-128&slo=360"))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("scenario=node-8xh200&view=speed", "The library has no benchmark of DeepSeek-V4.1-Flash on NVIDIA H200"),
        ("scenario=deepinfer-16&view=speed", "not how fast each user is"),
        ("scenario=node-8xh200&view=prefill", "60,000 (small batches) to 89,000 (large batches)"),
        ("scenario=deepinfer-128&view=prefill&ratio=20&cached=95", "none (219 %)"),
        ("scenario=deepinfer-128&view=prefill&ratio=2", "0.39"),
        ("scenario=deepinfer-128&view=hardware", "Two H100s are not enough: they hold 160 GB"),
        ("scenario=deepinfer-128&view=hardware", "NVIDIA Dynamo 1.7"),
        ("scenario=deepinfer-128&view=hardware", "CANN 9.2"),
        ("scenario=llama-70b-2xh100&view=hardware", "Two H100s are enough"),
        ("scenario=deepinfer-128&view=speed&tps=740659.2", "the total of all 64 GPUs"),
    ],
)
def test_what_the_views_say(query: str, said: str) -> None:
    assert said in words(page(query))


def test_the_hardware_table_marks_the_cheapest_that_works() -> None:
    app = page("scenario=deepinfer-128&view=hardware")
    rows = app.dataframe[0].value
    marked = rows[rows["Note"] != ""]
    assert len(marked) == 1
    assert marked.iloc[0]["Fit"] == "fits"


def test_the_library_lists_the_benchmarks_of_the_model_when_its_box_is_opened() -> None:
    app = page("scenario=deepinfer-128&view=speed")
    assert not app.dataframe
    app.session_state["benchmark_library"] = True
    app.run()
    listed = set(app.dataframe[0].value["Benchmark"])
    # What only reads prompts has no output to be ranked by.
    assert listed == set(catalog().benchmarks_of("deepseek-v4.1-flash")) - {"deepseek-v4.1-flash-prefill"}
    assert "Best fit first" in words(app)


def test_another_gpu_takes_the_throughput_of_its_benchmark() -> None:
    app = page("scenario=gpt-oss-120b-1xh200")
    app.selectbox(key="gpu").select("coreweave-h100").run()
    app.text_input(key="gpus").set_value("8").run()
    assert float(app.text_input(key="tps").value) > 500
    assert "The library has" in words(app) or "From the library" in words(app)
    assert "not of this machine" not in words(app)


def test_a_gpu_without_a_benchmark_is_never_given_one() -> None:
    app = page("scenario=deepinfer-128")
    app.selectbox(key="gpu").select("coreweave-h200").run()
    assert not app.exception
    assert "The throughput is not of this machine" in words(app)
    app.text_input(key="tps").set_value("900").run()
    assert "The throughput is not of this machine" not in words(app)


def test_another_model_brings_its_own_apis_and_no_foreign_prefill_rate() -> None:
    app = page("scenario=deepinfer-128")
    app.selectbox(key="model").select("kimi-k2.5").run()
    assert not app.exception
    assert "prefill_tps" not in app.query_params
    chosen = app.multiselect(key="api").value
    assert chosen
    assert {catalog().apis[each].entry.model for each in chosen} == {"kimi-k2.5"}
    assert "Licence: Modified MIT" in words(app)


def test_hosts_are_of_the_model_and_priced() -> None:
    for model in ("deepseek-v4.1-flash", "kimi-k3"):
        hosts = cheapest_hosts(catalog(), model, on=catalog().apis["deepseek:deepseek-flash"].entry.checked)
        assert 0 < len(hosts) <= 3
        assert {catalog().apis[each].entry.model for each in hosts} == {model}
    assert H100 in catalog().gpus


def test_a_node_too_small_is_answered_with_those_that_hold_the_model() -> None:
    app = page("?scenario=node-8xh200&gpus=4")
    assert "does not fit" in words(app)
    assert "The cheapest node that works is" in words(app)
    assert app.dataframe


@pytest.mark.parametrize("gpus", [4, 8])
def test_the_hardware_view_shows_its_nodes_once_with_and_without_an_answer(gpus: int) -> None:
    app = page(f"?scenario=node-8xh200&gpus={gpus}&view=hardware")
    assert bool(app.error) == (gpus == 4)
    assert words(app).count("The cheapest node that works is") == 1
    assert words(app).count("What the engines need") == 1
    assert len(app.dataframe) == 1
    app.toggle(key="only_fitting").set_value(False).run()
    assert not app.exception
    assert len(app.dataframe) == 1


def test_round_the_clock_out_of_reach_is_said_as_such() -> None:
    assert "there is no break-even either (181 %)" in words(page("?scenario=deepinfer-128&ratio=20&cached=95"))
