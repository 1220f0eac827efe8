import tomllib

from costmodel.paths import APP, PRICES
from tests.browser import REPOSITORY


def test_the_app_and_the_prices_are_where_the_paths_say():
    assert REPOSITORY / "app.py" == APP
    assert APP.is_file()
    assert PRICES.is_dir()


def test_the_wheel_carries_what_the_paths_look_for():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert carried == {name: f"costmodel/bundle/{name}" for name in ("app.py", ".streamlit", "prices")}
    assert all((REPOSITORY / name).exists() for name in carried)
