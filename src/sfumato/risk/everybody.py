"""Everybody in the original table, by what an attacker knows of them.

Somebody with several rows is looked for in each of the combinations that these have. Where several rows of one
combination are theirs, they are found the more easily: the rows that may be theirs are divided by those that are. So a
person counts once for every combination of quasi-identifiers that a row of theirs has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.fits import Known
from sfumato.table.packing import Packed
from sfumato.table.tuples import Tuples

__all__ = ["Everybody"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Everybody:
    """Combinations of quasi-identifiers, and the people who have them.

    known     the combinations, and the rows of each
    persons   different people of each
    place     people of one kind: the combination that they have
    own       how many of its rows are theirs
    many      how many people these are
    """

    known: Known
    persons: Ints
    place: Ints
    own: Ints
    many: Ints

    @classmethod
    def of(cls, tuples: Tuples, names: Sequence[str]) -> Everybody:
        known = Known.of(tuples, names)
        if tuples.person is None:
            every = np.arange(len(known.counts))
            return cls(known, known.counts, every, np.ones_like(every), known.counts)
        whose = (tuples.person, int(tuples.person.max(initial=0)) + 1)
        columns = [(tuples.codes[name], tuples[name].size) for name in reversed(names)]
        pairs = Packed.of([whose, *columns], tuples.counts, canonical=True)
        place = _runs([pairs.codes(at) for at in range(1, len(columns) + 1)], len(pairs.counts))
        kinds = Packed.of_rows([(pairs.counts, int(pairs.counts.max(initial=0)) + 1), (place, len(known.counts))])
        persons = np.bincount(place, minlength=len(known.counts)).astype(np.int64)
        return cls(known, persons, kinds.codes(1), kinds.codes(0), kinds.counts)

    def some(self, known: Known, share: int) -> Everybody:
        """Those of one in so many combinations, which are these."""
        if share == 1:
            return self
        kept = self.place % share == 0
        return Everybody(known, self.persons[::share], self.place[kept] // share, self.own[kept], self.many[kept])

    def rows(self, fitting: Floats) -> Floats:
        """Per kind of people how many rows there are for each of theirs, by the rows that fit each combination."""
        return np.asarray(fitting[self.place] / self.own)


def _runs(columns: Sequence[Ints], rows: int) -> Ints:
    """A number per row, from 0 on, for rows in which equal ones stand together."""
    new = np.zeros(rows, dtype=np.bool_)
    for codes in columns:
        new[1:] |= codes[1:] != codes[:-1]
    return np.cumsum(new)
