"""The console script `self-host-or-api`: starts the page; further arguments go to `streamlit run`."""

import sys

from streamlit.web import cli

from costmodel.paths import APP


def main() -> None:
    """Serve the page until interrupted, e.g. `self-host-or-api --server.port 8600`."""
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    cli.main()
