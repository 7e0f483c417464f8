"""The ordered distance: Σ_j |P_j − Q_j| / (m−1), P and Q cumulated in the order of the m values; 0 for m = 1."""

from __future__ import annotations

import numpy as np

from sfumato.auditor.exactly import Exact, Ints, widened
from sfumato.release.classes import Classes

__all__ = ["ordered"]


def ordered(classes: Classes, original: Ints, ranks: Ints) -> tuple[Exact, Exact]:
    """Distance of every class to the original table as numerators and denominators; `ranks` orders the codes.

    P_j only changes at a value of the class, and Q_j grows. So from one value of the class to the next there is one
    place where Q overtakes P, and sums of Q up to any place, made once, give the whole stretch.

    >>> from sfumato.table.tally import CodedRows
    >>> block = Classes.of(CodedRows({"s": (np.array([0, 2]), 3)}), [], "s", 3)
    >>> ordered(block, np.array([1, 1, 2]), np.array([0, 1, 2]))  # (|1/2 − 1/4| + |1/2 − 2/4|) / 2 = 2/16
    (array([2]), array([16]))
    """
    total, m, first = int(original.sum()), len(original), classes.starts[:-1]
    if m == 1:
        return np.zeros(len(classes), dtype=np.int64), np.ones(len(classes), dtype=np.int64)
    table = np.empty_like(original)
    table[ranks] = original
    q = np.cumsum(table)
    order = classes.ordered_by(ranks)
    begin = ranks[classes.values[order]]
    end = np.append(begin[1:], m)
    end[classes.starts[1:] - 1] = m
    p = np.cumsum(classes.counts[order])
    p -= np.repeat(p[first] - classes.counts[order][first], classes.distinct)

    bound = 4 * int(classes.sizes.max()) * total * (m + 1)
    p, sizes, steps = widened(bound, p, classes.sizes, q)
    p, rows, sums = p * total, sizes[classes.owner], np.concatenate(([0], np.cumsum(steps)))
    overtakes = np.searchsorted(q, (-(-p // rows)).astype(np.int64))
    turn = np.minimum(np.maximum(overtakes, begin), end)
    stretch = p * (2 * turn - begin - end) + rows * (sums[begin] + sums[end] - 2 * sums[turn])
    return np.add.reduceat(stretch, first) + sizes * sums[begin[first]], sizes * (total * (m - 1))
