"""What a knowledge table says about a table's terms, and what it cannot say.

Counts only: a term that the knowledge table does not hold is data, so it is listed only to the holder, who asks.

>>> ill = Knowledge.of([("flu", ["cough", "headache"]), ("hepatitis", ["vomiting"]), ("healthy", [])])
>>> check(ill, [["cough", "tired"], ["tired"], ["cough", "vomiting"]]).summary()
'3 labels, 3 terms; 1 of 3 rows linked, 2 unlinked; 1 unknown term in 2 rows; 2 labels never reached; 1 label without \
terms'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.linking import TermSets, Unknown, link
from sfumato.knowledge.table import Knowledge

__all__ = ["Coverage", "check", "unknown_terms"]


@dataclass(frozen=True)
class Coverage:
    """How a knowledge table covers rows of terms.

    `unknown` counts different unknown terms, `unknown_rows` the rows that hold one; `unreached` names labels that no
    row is linked to, `unused` terms that no row has, `bare` labels with a set of no terms. `length` is the number of
    terms if all rows have the same: then it is known how many were removed, and links should use it.
    """

    labels: int
    terms: int
    rows: int
    linked: int
    unique: int
    unknown: int
    unknown_rows: int
    unreached: tuple[str, ...]
    unused: tuple[str, ...]
    bare: tuple[str, ...]
    length: int | None

    @property
    def unlinked(self) -> int:
        return self.rows - self.linked

    def summary(self) -> str:
        parts = [
            f"{_counted(self.labels, 'label')}, {_counted(self.terms, 'term')}",
            f"{self.linked} of {_counted(self.rows, 'row')} linked, {self.unlinked} unlinked",
            f"{_counted(self.unknown, 'unknown term')} in {_counted(self.unknown_rows, 'row')}",
            f"{_counted(len(self.unreached), 'label')} never reached",
        ]
        if self.bare:
            parts.append(f"{_counted(len(self.bare), 'label')} without terms")
        if self.length is not None:
            parts.append(f"every row has {_counted(self.length, 'term')}")
        return "; ".join(parts)


def check(knowledge: Knowledge, rows: Sequence[Iterable[str]], unknown: Unknown = "drop") -> Coverage:
    """Compare a knowledge table with rows of terms."""
    sets = TermSets.of(knowledge, rows)
    links = link(knowledge, sets, unknown)
    reached = np.bincount(links.labels, minlength=len(knowledge.labels))
    used = np.bincount(sets.codes[sets.codes >= 0], minlength=len(knowledge.terms))
    bare = {knowledge.labels[label] for label in knowledge.row_labels[knowledge.row_lengths == 0]}
    same = len(sets) > 1 and bool((sets.lengths == sets.lengths[0]).all())
    return Coverage(
        len(knowledge.labels),
        len(knowledge.terms),
        len(sets),
        int(links.linked.sum()),
        int((links.counts == 1).sum()),
        len(unknown_terms(knowledge, rows)),
        int((sets.unknown > 0).sum()),
        _named(knowledge.labels, reached == 0),
        _named(knowledge.terms, used == 0),
        tuple(sorted(bare)),
        int(sets.lengths[0]) if same else None,
    )


def unknown_terms(knowledge: Knowledge, rows: Iterable[Iterable[str]]) -> dict[str, int]:
    """Terms that the knowledge table does not hold, with the number of rows that do. These are data: for the holder."""
    found: dict[str, int] = {}
    for row in rows:
        for term in dict.fromkeys(row):
            if term not in knowledge.code:
                found[term] = found.get(term, 0) + 1
    return dict(sorted(found.items()))


def _named(names: tuple[str, ...], which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(names[at] for at in np.flatnonzero(which))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
