"""Several sensitive columns as one secret: a code per combination that the original table has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.shares import Shares
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Numbered, Subject

__all__ = ["Secret"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Secret:
    """Sensitive columns that are looked at together.

    numbered   the classes of the release, with what they say of the secret
    names      its columns
    parts      of several columns, the code in each of every combination that the original has
    """

    numbered: Numbered
    names: tuple[str, ...]
    parts: tuple[Ints, ...] = ()

    @classmethod
    def of(cls, subject: Subject, names: Sequence[str]) -> Secret | None:
        """What a release says of them; None if it does not show them side by side, or not as they are."""
        if len(names) == 1:
            return cls(subject.numbered(names[0]), (*names,))
        cells = [subject.cells(name) for name in names]
        exact = all((each.spans.values == 1).all() for each in cells)
        if not exact or subject.seen.changed or not subject.seen.linked(frozenset(names)):
            return None
        parts = subject.tuples.count(names).codes
        mine = cls._places(parts, [each.spans.low[each.codes] for each in cells], [each.domain.size for each in cells])
        people, rows, sizes = subject.classes
        many = len(parts[0]) + 1  # one for what the original does not have
        alone, none = np.arange(many), np.zeros(0, dtype=np.int64)
        spans = CellSpans(alone, alone, np.ones_like(alone), np.zeros(many + 1, dtype=np.int64), none)
        shares = Shares.counted(rows, mine, len(sizes), spans, np.ones(many, dtype=np.bool_))
        return cls(Numbered(people, sizes, shares), (*names,), parts)

    @staticmethod
    def _places(parts: Sequence[Ints], codes: Sequence[Ints], sizes: Sequence[int]) -> Ints:
        """Which of the combinations, which ascend, some codes are; one more than there are: none."""
        known, wanted = np.zeros(len(parts[0]), dtype=object), np.zeros(len(codes[0]), dtype=object)
        if np.prod([float(size) for size in sizes]) < 2**62:
            known, wanted = known.astype(np.int64), wanted.astype(np.int64)
        for part, code, size in zip(parts, codes, sizes, strict=True):
            known, wanted = known * size + part, wanted * size + code
        place = np.searchsorted(known, wanted)
        found = np.append(known, -1)[place] == wanted
        return np.where(found, place, len(known)).astype(np.int64)

    def held(self, subject: Subject, known: Sequence[str]) -> tuple[Ints, Ints, Ints]:
        """Who has what in the original: people by the number of their quasi-identifiers, the secret, and how many."""
        found = subject.tuples.count([*known, *self.names])
        person = np.cumsum(found.fresh(len(known))) - 1  # combinations ascend here as they do in `Known.of`
        mine = found.codes[len(known) :]
        if len(mine) == 1:
            return person, mine[0], found.counts
        return person, self._places(self.parts, mine, [subject.domain(name).size for name in self.names]), found.counts
