"""One group of a release beside the people it was made from: what a promise does, on a few rows that can be read.

Shows values of the data: for the holder, or of synthetic tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from sfumato.release.cells import covered

__all__ = ["OneGroup", "one_group"]


@dataclass(frozen=True, eq=False)
class OneGroup:
    """Rows of one published group, and those of the original that they were made from.

    before   as many rows of the original, all columns, as text
    after    rows of the group as published, in random order
    found    whether `before` are its people: found by what the group says of them, where that can be read; else the
             first rows of the original stand in for them
    """

    before: pl.DataFrame = field(repr=False)
    after: pl.DataFrame = field(repr=False)
    found: bool

    def __repr__(self) -> str:
        return f"<OneGroup of {self.after.height} rows>"


def one_group(original: pl.DataFrame, published: pl.DataFrame, columns: Sequence[str], rows: int = 8) -> OneGroup:
    """A group that fits in so many rows and says as much as possible, and the people whom it stands for.

    original    the table that was read
    published   a table of its release
    columns     the quasi-identifiers, by which rows of a group look alike
    rows        how many fit; of larger groups only so many are shown

    >>> import sfumato as sf
    >>> people = pl.DataFrame({"name": ["Eve", "Gil", "Ann"], "age": [50, 55, 20]})
    >>> made = sf.one_group(people, pl.DataFrame({"age": ["[50, 55]", "[50, 55]", "20"]}), ["age"])
    >>> made.before["name"].to_list(), made.after["age"].to_list()
    (['Eve', 'Gil'], ['[50, 55]', '[50, 55]'])
    """
    quasi = [name for name in columns if name in published.columns and name in original.columns]
    before, after = original.cast(pl.String), published.cast(pl.String)
    group = _readable(after, quasi, rows)
    people = _people(before, group, quasi)
    return OneGroup(before.head(group.height) if people is None else people, group, people is not None)


def _readable(published: pl.DataFrame, quasi: Sequence[str], rows: int) -> pl.DataFrame:
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
