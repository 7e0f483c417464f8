"""The ordered distance: Σ_j |P_j − Q_j| / (m−1), P and Q cumulated in the order of the m values; 0 for m = 1."""

from __future__ import annotations

import numpy as np

from sfumato.audit.classes import Classes
from sfumato.audit.exactly import Exact, Ints, widened

__all__ = ["ordered"]


def ordered(classes: Classes, original: Ints, ranks: Ints) -> tuple[Exact, Exact]:
    """Distance of every class to the original table as numerators and denominators; `ranks` orders the codes.

    On a line nothing beats moving rows in order: the lowest share of the class goes to the lowest share of the table,
    and so on. A class of N rows and a table of T each have N·T parts, so a value of the class goes to as many parts
    of the table as it has itself; each travels as many steps as the ranks differ.

    >>> block = Classes.of(np.zeros(2, dtype=np.int64), np.array([0, 2]))
    >>> ordered(block, np.array([1, 1, 2]), np.array([0, 1, 2]))  # (|1/2 − 1/4| + |1/2 − 2/4|) / 2 = 2/16
    (array([2]), array([16]))
    """
    total, last, first = int(original.sum()), len(original) - 1, classes.starts[:-1]
    if last == 0:
        return np.zeros(len(classes), dtype=np.int64), np.ones(len(classes), dtype=np.int64)
    table = np.empty_like(original)
    table[ranks] = original
    order = np.lexsort((ranks[classes.values], classes.owner))
    rank, counts = ranks[classes.values[order]], classes.counts[order]
    before = np.cumsum(counts) - counts
    before -= np.repeat(before[first], classes.distinct)
    bound = 4 * int(classes.sizes.max()) * total * (last + 1)
    counts, before, sizes, table = widened(bound, counts, before, classes.sizes, table)
    rows = sizes[classes.owner]
    line = _Line(np.cumsum(table), np.concatenate(([0], np.cumsum(table * np.arange(last + 1)))))

    start, stop = before * total, (before + counts) * total
    own_start, own_stop = (line.ends[rank] - table[rank]) * rows, line.ends[rank] * rows
    down, up = np.clip(own_start, start, stop), np.clip(own_stop, start, stop)
    steps = rank * (down - start) - (line.ranks(down, rows) - line.ranks(start, rows))
    steps += line.ranks(stop, rows) - line.ranks(up, rows) - rank * (stop - up)
    return np.add.reduceat(steps, first), sizes * (total * last)


class _Line:
    """The table laid out by rank: where each rank ends, and the sum of ranks of all rows before it."""

    def __init__(self, ends: Exact, sums: Exact) -> None:
        self.ends, self.sums = ends, sums

    def ranks(self, parts: Exact, rows: Exact) -> Exact:
        """The sum of ranks over the first `parts` parts, where every row of the table has `rows` of them."""
        rank = np.searchsorted(self.ends.astype(np.int64), (parts // rows).astype(np.int64), side="right")
        behind = np.where(rank > 0, self.ends[rank - 1], 0)
        return np.asarray(self.sums[rank] * rows + rank * (parts - behind * rows))
