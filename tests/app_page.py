"""The page run without a browser, and its words as a reader sees them."""

import json
import re
from typing import Any

from streamlit.testing.v1 import AppTest

from costmodel.link import query_of
from costmodel.ui.inputs import BOXES, box_key
from tests.browser import APP


def page(query: str = "") -> AppTest:
    """The page that a link opens, run once and without an exception, every box of the sidebar open."""
    app = AppTest.from_file(str(APP), default_timeout=120)
    for title in BOXES:
        app.session_state[box_key(title)] = True
    for key, values in query_of(query).items():
        app.query_params[key] = values
    app.run()
    assert not app.exception
    return app


def opened_menu(query: str) -> AppTest:
    """The same with the menu of what leaves the page open."""
    app = page(query)
    app.session_state["share_menu"] = True
    return app.run()


def seen(markdown: str) -> str:
    """What a reader sees of markdown: no escapes, no invisible joiners, plain spaces."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "").replace("\u00a0", " ")


def words(app: AppTest) -> str:
    """Everything the page says outside its widgets."""
    kinds = (app.title, app.caption, app.markdown, app.error, app.warning, app.info)
    said = [each.value for kind in kinds for each in kind]
    tables = [
        f"| {' | '.join(map(str, row))} |" for table in app.table for row in (table.value.columns, *table.value.values)
    ]
    framed = [" ".join((label, *rest)) for label, rest in figures(app).items()]
    return "\n".join(map(seen, [*said, *tables, *framed]))


def components(app: AppTest, name: str) -> list[dict[str, Any]]:
    """What the parts of the page that run in the browser were given."""
    protos = [each.proto for each in app.get("bidi_component")]
    return [json.loads(proto.json) for proto in protos if proto.component_name.endswith(name)]


def figures(app: AppTest) -> dict[str, tuple[str, str]]:
    """The figures that answer, by label: each with what stands below it."""
    shown = [figure for data in components(app, "_figures") for figure in data["figures"]]
    return {each["label"]: (each["value"], each["below"]) for each in shown}


def figure(app: AppTest) -> dict[str, Any]:
    """The plotly figure of the open view."""
    (data,) = components(app, "_live_chart")
    drawn: dict[str, Any] = json.loads(data["figure"])
    return drawn
