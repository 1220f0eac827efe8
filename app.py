"""The Streamlit script: page set-up and the call into costmodel.ui; and, for the server, the headers of its answers."""

import streamlit as st

from costmodel.ui.page import show_page
from costmodel.ui.server import MIDDLEWARE, warm_up

if __name__ == "__main__":
    st.set_page_config(page_title="Self-host or API?", page_icon="⚖️", layout="wide")
    show_page()
else:
    # `streamlit run` finds this assignment in the text of the file, and imports the file to serve it.
    warm_up()
    app = st.App(__file__, middleware=MIDDLEWARE)
