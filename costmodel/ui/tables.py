"""Tables with more columns than a phone is wide: they scroll within themselves, the page does not."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from costmodel.ui.text import shown


@dataclass(frozen=True)
class Table:
    """Heads and rows of markdown cells; no two heads are alike."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def show_table(table: Table) -> None:
    """Nothing for a table without rows: what is around it says why there is none."""
    if not table.rows:
        return
    columns = zip(*table.rows, strict=True)
    st.table(
        {shown(head): [shown(cell) for cell in cells] for head, cells in zip(table.heads, columns, strict=True)},
        hide_index=True,
    )
