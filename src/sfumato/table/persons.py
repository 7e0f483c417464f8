"""Tables in which somebody has several rows: how many, and whose values stay the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["Several", "constant_secrets"]


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
