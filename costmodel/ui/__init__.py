"""The page: the only part that loads Streamlit and Plotly."""
