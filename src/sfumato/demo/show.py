"""Before and after, for the terminal: one group of people as they are in the table, and as they were published.

Shows values of the data, so it is for synthetic tables only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import polars as pl
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from sfumato.release.cells import covered

__all__ = ["before_after"]


def before_after(original: pl.DataFrame, published: pl.DataFrame, columns: Sequence[str], rows: int = 8) -> Group:
    """Two tables one above the other: the people of one published group before, and the group after.

    `columns` are the quasi-identifiers, by which the rows of a group look alike; all other columns are shown as well.
    The people are found by what the group says of them; if that cannot be read, the first rows of the original stand
    in for them, and the heading says so.
    """
    quasi = [name for name in columns if name in published.columns and name in original.columns]
    before, after = original.cast(pl.String), published.cast(pl.String)
    group = _readable_group(after, quasi, rows)
    people = _people(before, group, quasi)
    heading = f"before: {group.height} of {original.height} rows" if people is not None else "before: the first rows"
    first = before.head(group.height) if people is None else people
    return Group(_drawn(first, heading, quasi), _drawn(group, "after: one group, rows in random order", quasi))


def _readable_group(published: pl.DataFrame, quasi: Sequence[str], rows: int) -> pl.DataFrame:
    """A whole group that fits, says as much as possible, and is as large as possible; the smallest if none fits."""
    if not quasi or published.is_empty():
        return published.head(rows)
    hidden = pl.sum_horizontal((pl.col(name) == "*").fill_null(False).cast(pl.Int32) for name in quasi)
    groups = published.group_by(quasi).agg(pl.len().alias(size := _free("size", published))).sort(size, *quasi)
    fitting = groups.filter(pl.col(size) <= rows)
    best = fitting.sort(hidden, -pl.col(size).cast(pl.Int64), maintain_order=True) if len(fitting) else groups
    return published.join(best.head(1), on=quasi, how="semi", nulls_equal=True).head(rows)


def _free(name: str, frame: pl.DataFrame) -> str:
    while name in frame.columns:
        name += "_"
    return name


def _people(original: pl.DataFrame, group: pl.DataFrame, quasi: Sequence[str]) -> pl.DataFrame | None:
    """Original rows that the group stands for, told apart by the columns that were published as they are."""
    found = original.with_row_index(index := _free("row", original))
    for name in quasi:
        if group.height:
            shown = group[name][0]
            fitting = covered(shown, found[name].unique().to_list())
            found = found.filter(pl.col(name).is_in(pl.Series(fitting, dtype=pl.String), nulls_equal=True))
    exact = [name for name in group.columns if name in original.columns and name not in quasi]
    waiting: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for row in found.select(index, *exact).reverse().iter_rows():
        waiting[row[1:]].append(row[0])
    keys = group.select(exact).iter_rows() if exact else [()] * group.height
    chosen = [waiting[key].pop() for key in keys if waiting[key]]
    return original[sorted(chosen)] if len(chosen) == group.height else None


def _drawn(frame: pl.DataFrame, heading: str, quasi: Sequence[str]) -> Table:
    table = Table(title=Text(heading), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in frame.columns:
        table.add_column(Text(name), style="cyan" if name in quasi else "", no_wrap=True)
    for row in frame.iter_rows():
        table.add_row(*(Text("" if cell is None else cell) for cell in row))
    return table
