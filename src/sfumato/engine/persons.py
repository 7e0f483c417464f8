"""Tables in which somebody has several rows: what is told of them, and what the holder's manifest keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.documents import Persons
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["Several", "constant_secrets", "rows_of_persons"]


@dataclass(frozen=True)
class Several:
    """How many persons there are and how many rows they have."""

    column: str
    rows: int
    persons: int
    most: int

    @classmethod
    def of(cls, coded: Tuples, column: str | None) -> Several | None:
        """None if nobody has several rows."""
        if coded.person is None or column is None:
            return None
        counts = np.bincount(coded.person, weights=coded.counts).astype(np.int64)
        return cls(column, coded.rows, int((counts > 0).sum()), int(counts.max()))

    def __str__(self) -> str:
        persons = counted(self.persons, "person")
        return f"column {self.column!r} names {persons} in {self.rows} rows, up to {self.most} rows of one"


def constant_secrets(coded: Tuples) -> dict[str, int]:
    """Per sensitive column, how many persons have one value in several rows; columns without any left out."""
    person = coded.person
    if person is None:
        return {}
    found = {}
    for column in coded.sensitive:
        keys = person.astype(np.int64) * column.size + coded.codes[column.name]
        pairs, place = np.unique(keys, return_inverse=True)
        rows = np.bincount(place, weights=coded.counts)
        found[column.name] = len(np.unique(pairs[rows > 1] // column.size))
    return {name: persons for name, persons in found.items() if persons}


def rows_of_persons(column: str, person: NDArray[np.int32] | None, people: NDArray[np.int64] | None) -> Persons | None:
    """Which published rows are of one person, by their places in the first table; None if the form does not say."""
    if person is not None and people is None:
        return None
    if person is None or people is None:
        return Persons(column=column, rows=())
    mine = person[people]
    several = np.flatnonzero((np.bincount(mine) > 1)[mine])
    order = several[np.argsort(mine[several], kind="stable")]
    runs = np.split(order, np.flatnonzero(np.diff(mine[order])) + 1) if len(order) else []
    return Persons(column=column, rows=tuple(sorted(tuple(run.tolist()) for run in runs)))
