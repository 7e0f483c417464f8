"""Columns that nobody looks at: insensitive ones, published as they are. How many rows they single out.

No promise speaks of an insensitive column: the holder vouches that nobody could use it against somebody. A row that
shows there what no other row shows is found by whoever knows that, whatever is generalized beside it. So it is counted,
and told: which column does it alone, what all of them do together, and together with the quasi-identifiers.

Definition: a row is *unique* by some columns if no other row of the release shows the same in all of them; a missing
value is a value. A column is *nearly unique* if at least half of the rows of a table of at least 20 are unique by it
alone; it is told by itself, and left out of what is counted of several. *Needed* is a column by those rows that are
unique by all of them and not without it. A column *links* a person with several rows if it is the same in all of them,
and different in everybody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.document import Policy
from sfumato.policy.sections import Part
from sfumato.release.codes import Codes
from sfumato.release.received import Received
from sfumato.table.tally import CodedRows, Counted

__all__ = ["ColumnAlone", "Unlooked", "nearly_unique", "too_unique", "unlooked"]

Ints = NDArray[np.int64]

_FEW_ROWS = 20
"""Below so many rows, half of them being unique means nothing."""
_MANY = 20
"""One row in so many, unique by insensitive columns, is many."""
_MOST = 5
"""Columns that are named as those that do it."""


class ColumnAlone(Part):
    """One insensitive column: rows that are unique by it alone, those that are not without it, and whether the policy
    accepts the former; `links` are persons whose several rows it puts together, null where they are not known."""

    alone: int
    needed: int
    nearly_unique: bool = False
    accepted: bool = False
    links: int | None = None


class Unlooked(Part):
    """The insensitive columns of rows that show them side by side.

    rows         published
    together     rows that are unique by those columns that are not nearly unique by themselves
    quasi        rows that are unique by the published quasi-identifiers alone, and with these columns; null where a
    with_quasi   form shows quasi-identifiers as they are, and tells rows apart by them anyway
    persons      persons with several rows, where the manifest tells; null: not known
    """

    rows: int
    columns: dict[str, ColumnAlone]
    together: int
    quasi: int | None = None
    with_quasi: int | None = None
    persons: int | None = None

    def sentences(self) -> Iterator[str]:
        """All that there is to tell, without values."""
        for name, column in self.columns.items():
            if column.nearly_unique or (column.alone and len(self._several) == 1):
                told = "; the policy accepts it" if column.accepted else ""
                yield (
                    f"column {name!r}: insensitive, and {self._share(column.alone)} show a value that no other row"
                    f" shows{told}"
                )
        yield from self._together()

    def warnings(self) -> Iterator[str]:
        """What a person is warned of: a row in twenty, or more, that insensitive columns single out; half of the rows,
        or more, with the quasi-identifiers; or a person in twenty whose rows a column links. A column that is nearly
        unique by itself is an error, or accepted."""
        linked = max((column.links or 0 for column in self.columns.values()), default=0)
        mixed = 0 if self.with_quasi is None else self.with_quasi - (self.quasi or 0)
        many = _MANY * self.together >= self.rows or 2 * mixed >= self.rows
        if (many and self.rows >= _FEW_ROWS) or (linked and _MANY * linked >= (self.persons or 0)):
            yield from self._together()

    def _together(self) -> Iterator[str]:
        if len(self._several) > 1 and self.together:
            yield (
                f"insensitive columns together: {self._share(self.together)} show what no other row shows, by"
                f" {self._doers()}; whoever knows it finds the row"
            )
        if self.with_quasi is not None and self.quasi is not None and self.with_quasi > max(self.quasi, self.together):
            yield (
                f"insensitive columns with the published quasi-identifiers: {self._share(self.with_quasi)} show what no"
                f" other row shows; by quasi-identifiers alone: {self.quasi}"
            )
        for name, column in self.columns.items():
            if column.links:
                yield (
                    f"column {name!r}: insensitive, and the same in all rows of {column.links} of {self.persons} people"
                    " who have several, and in nobody else's: it puts their rows together again"
                )

    @property
    def _several(self) -> dict[str, ColumnAlone]:
        return {name: column for name, column in self.columns.items() if not column.nearly_unique}

    def _share(self, rows: int) -> str:
        return f"{rows} of {self.rows} rows"

    def _doers(self) -> str:
        """The columns that do it, those first without which most rows would not be unique."""
        doers = [(name, column) for name, column in self._several.items() if column.needed or column.alone]
        if not doers:
            return f"{len(self._several)} columns, none of which is needed for it"
        ranked = sorted(doers, key=lambda pair: (-pair[1].needed, -pair[1].alone, pair[0]))
        shown = [f"{name!r} ({column.alone} alone, {column.needed} only with it)" for name, column in ranked[:_MOST]]
        more = len(self._several) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")


def unlooked(received: Received) -> tuple[Unlooked, ...]:
    """What is found of every group of columns that stand side by side and of which some are insensitive."""
    policy, seen = received.policy, received.seen
    parts = seen.parts or (seen.table,)
    sets = _persons(received) if len(seen.people) <= 1 else None  # slices stand in orders of their own
    found = []
    for place, side in enumerate(parts):
        names = [name for name in policy.with_role("insensitive") if name in side.columns]
        quasi = [] if seen.exact else [name for name in policy.quasi if name in side.columns]
        if names and side.height:
            found.append(_counted(side, names, quasi, policy, None if place else sets))
    return tuple(found)


def nearly_unique(alone: int, rows: int) -> bool:
    """Whether so many unique rows are too many for a column that gives nothing away."""
    return rows >= _FEW_ROWS and 2 * alone >= rows


def too_unique(columns: Mapping[str, tuple[int, int]], policy: Policy) -> list[str]:
    """A line for every column that is nearly unique, by its unique rows and all, unless the policy accepts it."""
    return [
        f"  column {name!r}: {alone} of {rows} rows have a value that no other row has"
        for name, (alone, rows) in columns.items()
        if nearly_unique(alone, rows) and policy.columns[name].unique is None
    ]


def _counted(
    side: pl.DataFrame, names: Sequence[str], quasi: Sequence[str], policy: Policy, sets: Sequence[Ints] | None
) -> Unlooked:
    codes = {name: Codes.alone(side[name]) for name in (*names, *quasi)}
    rows = side.height
    alone = {name: _unique([codes[name]]) for name in names}
    several = [name for name in names if not nearly_unique(alone[name], rows)]
    together, without = _leaving_out([codes[name] for name in several])
    needed = dict(zip(several, (together - rest for rest in without), strict=True))
    by_quasi = _unique([codes[name] for name in quasi]) if quasi else None
    return Unlooked(
        rows=rows,
        columns={
            name: ColumnAlone(
                alone=alone[name],
                needed=needed.get(name, 0),
                nearly_unique=name not in several,
                accepted=policy.columns[name].unique is not None,
                links=None if sets is None else _links(codes[name], sets),
            )
            for name in names
        },
        together=together,
        quasi=by_quasi,
        with_quasi=None if by_quasi is None else _unique([codes[name] for name in (*several, *quasi)]),
        persons=None if sets is None else len(sets),
    )


def _unique(columns: Sequence[Codes]) -> int:
    """Rows that no other row equals in these columns."""
    if not columns:
        return 0
    if len(columns) == 1:  # counted without sorting
        return int((np.bincount(columns[0].rows, minlength=1) == 1).sum())
    return sum(int((each.counts == 1).sum()) for each in _combinations(columns))


def _combinations(columns: Sequence[Codes]) -> Iterator[Counted]:
    """The different combinations of some columns, and their rows, in few parts."""
    rows = CodedRows({str(place): (codes.rows, codes.size) for place, codes in enumerate(columns)})
    names = list(rows.columns)
    return (shard.count(names) for shard in rows.shards(names))


def _leaving_out(columns: Sequence[Codes]) -> tuple[int, list[int]]:
    """Rows that are unique by all these columns, and by all but each of them.

    Counted on different combinations, of which one that several rows have stands there twice: so it is never unique.
    """
    if not columns:
        return 0, []
    found = [*_combinations(columns)]
    counts = np.concatenate([each.counts for each in found])
    which = np.repeat(np.arange(len(counts)), np.minimum(counts, 2))
    parts = [
        Codes(np.concatenate([each.codes[place] for each in found])[which], codes.size)
        for place, codes in enumerate(columns)
    ]
    left = [_unique([*parts[:place], *parts[place + 1 :]]) for place in range(len(parts))]
    return int((counts == 1).sum()), left


def _persons(received: Received) -> Sequence[Ints] | None:
    """The rows of everybody who has several, if the manifest tells."""
    manifest = received.evidence.manifest
    told = None if manifest is None else manifest.persons
    if told is None or received.evidence.document is None:
        return None
    height = next(iter(received.evidence.tables.values())).height
    sets = [np.array(rows, dtype=np.int64) for rows in told.rows if len(rows) > 1]
    return None if any(int(rows.max()) >= height for rows in sets) else sets


def _links(codes: Codes, sets: Sequence[Ints]) -> int:
    """Persons whose rows share a code that no other row has."""
    if not sets:
        return 0
    sizes = np.array([len(rows) for rows in sets])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    mine = codes.rows[np.concatenate(list(sets))].astype(np.int64)
    least, most = np.minimum.reduceat(mine, starts), np.maximum.reduceat(mine, starts)
    everywhere = np.bincount(codes.rows.astype(np.int64), minlength=codes.size)
    return int(((least == most) & (everywhere[least] == sizes)).sum())
