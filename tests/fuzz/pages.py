"""Hostile links as the page draws them, every box of the sidebar open."""

from tests.app_page import page


def show_link(text: str) -> str:
    """The page of a link, as Streamlit hands it over: without halves of characters. Raises where it shows a fault."""
    app = page(text.encode("utf-8", "replace").decode())
    return "without an answer" if app.error else "shown"
