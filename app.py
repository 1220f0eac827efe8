"""The Streamlit script: page set-up and the call into costmodel.ui."""

import streamlit as st

from costmodel.ui.page import show_page

st.set_page_config(page_title="Self-host or API?", page_icon="⚖️", layout="wide")
show_page()
