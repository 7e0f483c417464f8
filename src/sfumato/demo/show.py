"""Before and after, for the terminal: one group of people as they are in the table, and as they were published.

Shows values of the data, so it is for synthetic tables only.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

import sfumato as sf

__all__ = ["before_after"]


def before_after(original: pl.DataFrame, published: pl.DataFrame, columns: Sequence[str], rows: int = 8) -> Group:
    """Two tables one above the other: the people of one published group before, and the group after.

    `columns` are the quasi-identifiers, by which the rows of a group look alike; all other columns are shown as well.
    The people are found by what the group says of them; if that cannot be read, the first rows of the original stand
    in for them, and the heading says so.
    """
    made = sf.one_group(original, published, columns, rows)
    quasi = [name for name in columns if name in published.columns and name in original.columns]
    heading = f"before: {made.after.height} of {original.height} rows" if made.found else "before: the first rows"
    after = _drawn(made.after, "after: one group, rows in random order", quasi)
    return Group(_drawn(made.before, heading, quasi), after)


def _drawn(frame: pl.DataFrame, heading: str, quasi: Sequence[str]) -> Table:
    table = Table(title=Text(heading), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in frame.columns:
        table.add_column(Text(name), style="cyan" if name in quasi else "", no_wrap=True)
    for row in frame.iter_rows():
        table.add_row(*(Text("" if cell is None else cell) for cell in row))
    return table
