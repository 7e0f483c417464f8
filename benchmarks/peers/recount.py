"""Published rows counted again, by nothing but what they show: the promise, and the information that is lost.

A cell stands for the leaves of its column's hierarchy that it covers: a value, a node's label, ``*``, a set or an
interval. Its NCP is (leaves covered - 1) / (all leaves - 1), whatever the notation. A row that is not published loses
all. Rows of a group share every published quasi-identifier; the order in which a set is written does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sfumato.release.cells import covered

__all__ = ["COUNT", "Found", "Leaves", "cost", "leaves_of", "meaning", "recounted"]

COUNT = "count"
"""Where a tool publishes a row once and says how often it occurs."""

Leaves = Mapping[str, frozenset[str]]
"""Of a column: the leaves under every label, each leaf being the label of itself."""


@dataclass(frozen=True)
class Found:
    """What a recount finds."""

    k: int
    l: int
    ncp: float
    rows: int


def leaves_of(hierarchy: Path) -> Leaves:
    """The leaves under every label of a hierarchy's file: a line per leaf, its generalizations after it."""
    found: dict[str, set[str]] = {}
    for leaf, *above in pl.read_csv(hierarchy, infer_schema=False).iter_rows():
        for label in (leaf, *above):
            found.setdefault(label, set()).add(leaf)
    return {label: frozenset(leaves) for label, leaves in found.items()}


def meaning(text: str, leaves: Leaves) -> frozenset[str]:
    """The leaves that a cell may stand for; `ValueError` if it cannot be read.

    >>> tree = {"1": frozenset("1"), "2": frozenset("2"), "3": frozenset("3"), "low": frozenset("12")}
    >>> sorted(meaning("low", tree)), sorted(meaning("3,1", tree)), sorted(meaning("2-3", tree))
    (['1', '2'], ['1', '3'], ['2', '3'])
    """
    if text in leaves:
        return leaves[text]
    every = frozenset().union(*leaves.values())
    members = frozenset(text.split(","))
    found = members if members <= every else frozenset(value for value in covered(text, every) if value is not None)
    if not found:
        raise ValueError("a published cell is no value, label, set or interval of its column")
    return found


def cost(text: str, leaves: Leaves) -> float:
    """The NCP of a cell."""
    every = len(frozenset().union(*leaves.values()))
    return (len(meaning(text, leaves)) - 1) / (every - 1)


def recounted(
    published: pl.DataFrame, given: pl.DataFrame, quasi: Sequence[str], sensitive: str, trees: Mapping[str, Leaves]
) -> Found:
    """The smallest group, the fewest sensitive values in one, and the loss, of rows published as texts.

    given    the table that they were made from: no value of the sensitive column may occur more often than in it
    """
    if COUNT not in published.columns:
        published = published.with_columns(pl.lit(1).alias(COUNT))
    published = published.with_columns(pl.col(COUNT).cast(pl.Int64))
    rows = int(published[COUNT].sum())
    _nothing_made_up(published, given, sensitive)
    lost = float(given.height - rows)
    for name in quasi:
        texts = published.group_by(name).agg(pl.col(COUNT).sum())
        lost += sum(cost(text, trees[name]) * count for text, count in texts.iter_rows()) / len(quasi)
    same = [pl.col(name).str.split(",").list.sort().list.join(",") for name in quasi]
    groups = published.group_by(same).agg(pl.col(COUNT).sum(), pl.col(sensitive).n_unique().alias("values"))
    if not groups.height:
        return Found(0, 0, lost / given.height, rows)
    return Found(int(groups[COUNT].min()), int(groups["values"].min()), lost / given.height, rows)  # type: ignore[arg-type]


def _nothing_made_up(published: pl.DataFrame, given: pl.DataFrame, sensitive: str) -> None:
    """`ValueError` if a sensitive value occurs more often than in the table that was given."""
    shown = published.group_by(sensitive).agg(pl.col(COUNT).sum())
    had = given.group_by(pl.col(sensitive).cast(pl.String)).agg(pl.len().alias("had"))
    more = shown.join(had, on=sensitive, how="left").filter(pl.col(COUNT) > pl.col("had").fill_null(0))
    if more.height:
        raise ValueError(f"column {sensitive!r}: {more.height} values are published more often than the table has them")
