"""Classes that lose more than their parts would: taken apart, each part with sensitive values generalized in place.

A class that is closed far up shows little of its quasi-identifiers, and the last one shows nothing of them. Its parts,
rows with equal quasi-identifiers, could show these as they are and have their sensitive values generalized instead. A
class is taken apart if it loses more, of quasi-identifiers and of sensitive values, than its parts would if they told
no sensitive value at all; a sensitive value is `balance` times as dear. A class of one part comes down if that loses
less.

Guarantee: a part is whole, as a class is: all rows with its quasi-identifiers are in it, and all values below a node
climb together. It keeps the promise as it is shown; no class that stays is changed. What rows lose, weighed so, never
grows. Whether a class is taken apart follows from what it would have shown, and not from who of it has which value: to
see one that was not tells no more than what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.sweep.climb import Climb
from sfumato.partition.sweep.information import Levels

if TYPE_CHECKING:
    from sfumato.partition.sweep.loops.judging import Caps, Tree

__all__ = ["Closed", "dissolved"]

Ints = NDArray[np.int64]


class Closed(NamedTuple):
    """Classes of items.

    labels    the class of every item
    vectors   the place of every class's level vector
    first     an item of every class
    nodes     what every run shows of the sensitive column
    """

    labels: Ints
    vectors: Ints
    first: Ints
    nodes: Ints


def dissolved(
    closed: Closed,
    climb: Climb,
    levels: Sequence[Levels],
    vectors: Ints,
    values: Ints,
    tree: Tree,
    bounds: Caps,
    balance: Fraction,
) -> Closed:
    """The same with some classes taken apart; `values` are what runs hold of the sensitive column.

    The first vector shows items as they are.
    """
    from sfumato.partition.sweep.loops.judging import blur_classes, keeping

    counts, owner, items = climb.packed.counts, climb.owner, len(closed.labels)
    starts = np.append(np.searchsorted(owner, np.arange(items)), len(owner)).astype(np.int64)
    kept = np.asarray(keeping(starts, counts, bounds)).copy()
    cuts = np.asarray(blur_classes(starts, values, counts, kept, np.full(items, np.inf), tree, bounds))
    nodes = np.where(cuts[owner, 0] >= 0, cuts[owner, values], values)

    rows = np.bincount(owner, weights=counts, minlength=items)
    lost = rows * _climbed(closed, climb, levels, vectors)
    dear, classes = float(balance), len(closed.vectors)
    mine = closed.labels[owner]
    blurred = np.bincount(mine, _blurred(counts, closed.nodes, tree), classes)
    cost = np.bincount(closed.labels, lost, classes) + dear * blurred
    alone = np.bincount(closed.labels, minlength=classes) == 1
    apart = np.bincount(mine, _blurred(counts, nodes, tree), classes)
    nothing = np.bincount(closed.labels, rows, classes) * (1 - 1 / tree.shares.shape[1])
    other = dear * np.where(alone, apart, nothing)
    other[np.unique(closed.labels[~kept])] = np.inf
    gone = (other < cost) & (closed.vectors > 0)
    if not gone.any():
        return closed

    number = np.cumsum(~gone) - 1
    free = np.flatnonzero(gone[closed.labels])
    labels = number[closed.labels]
    labels[free] = int((~gone).sum()) + np.arange(len(free))
    return Closed(
        labels,
        np.append(closed.vectors[~gone], np.zeros(len(free), dtype=np.int64)),
        np.append(closed.first[~gone], free),
        np.where(gone[mine], nodes, closed.nodes),
    )


def _climbed(closed: Closed, climb: Climb, levels: Sequence[Levels], vectors: Ints) -> NDArray[np.float64]:
    """What a row of every item does not tell of its quasi-identifiers."""
    shown, lost = vectors[closed.vectors][closed.labels], np.zeros(len(closed.labels))
    for axis, (each, codes) in enumerate(zip(levels, climb.codes, strict=True)):
        tells = np.stack([each.tells(level, np.arange(len(each.first[0]))) for level in range(len(each))])
        lost += tells[-1, codes] - tells[shown[:, axis], codes]
    return lost


def _blurred(counts: Ints, nodes: Ints, tree: Tree) -> NDArray[np.float64]:
    """What the rows of every run do not tell of their sensitive value."""
    return np.asarray(counts * (1 - 1 / (tree.last[nodes] - tree.first[nodes] + 1)))
