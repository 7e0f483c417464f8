"""Sliced: columns in slices, every slice in a random order of its own within every bucket.

The adversary knows everybody's quasi-identifiers and, at worst, the bucket of each person. Columns of one slice are
shown side by side; so what shares a slice with a sensitive column tells its values apart, and a group is what shares
the bucket and all of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import polars as pl

from sfumato.policy.document import Policy
from sfumato.policy.sections import SlicesShown
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, only_table, shown_id

__all__ = ["see_sliced"]


def see_sliced(opened: Opened, policy: Policy) -> Seen:
    """The table itself; groups by id and by what stands beside a sensitive column."""
    table = only_table(opened.tables, "sliced")
    stated = opened.shown(SlicesShown).slices
    slices = [[name for name in part if name in table.columns] for part in stated]
    named = {name for part in slices for name in part}
    # A column that no slice names could stand beside anything.
    loose = [name for name in table.columns if name not in named and name != opened.group_id]
    sensitive = set(policy.secret)
    beside = [name for part in slices if sensitive & set(part) for name in part if name not in sensitive]
    quasi = [[name for name in part if name in policy.quasi] for part in [*slices, loose]]
    return Seen(
        table=table,
        exact=True,
        beside=(*beside, *(name for name in loose if name not in sensitive)),
        pieces=tuple(frozenset(part) & sensitive for part in slices),
        singled=tuple(table.select(part) for part in quasi if part),
        parts=tuple(table.select(*part, *shown_id(opened, table)) for part in [*slices, *([name] for name in loose)]),
        people=tuple(table.select(*part, *shown_id(opened, table)) for part in quasi if part),
        problems=tuple(_faults(table, stated, opened.group_id)),
        notes=(
            "sliced: judged by bucket, for a reader who knows all quasi-identifiers and the bucket of everybody; that"
            " slices stand in random orders cannot be seen from the release",
        ),
    )


def _faults(table: pl.DataFrame, stated: tuple[tuple[str, ...], ...], group_id: str | None) -> Iterator[str]:
    counted = Counter(name for part in stated for name in part)
    shown = [name for name in table.columns if name != group_id]
    if any(count > 1 for count in counted.values()) or set(counted) != set(shown):
        yield "release.json: every column of the table must be in exactly one slice"
