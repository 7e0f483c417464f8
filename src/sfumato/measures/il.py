"""IL, by which BSGI chooses rows: the sum over rows of what their cells lose, in one of two ways.

``leaves``   weighted NCP with the whole count of leaves, leaves(node)/leaves, 0 for an exact value
``height``   the height of the subtree below the node over that of the tree, after Byun and others

Numbers and dates lose (high − low)/range either way. Text without a hierarchy is a tree of one level: by leaves, a set
of values counts those in it. A suppressed row loses 1 in every column.

References: Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
https://doi.org/10.1007/978-3-540-85654-2_3
Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques. DASFAA 2007.
https://doi.org/10.1007/978-3-540-71703-4_18
Deviation: which metric the first of these means is lost with its references; `leaves` reproduces its example.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sfumato.loss.contract import Floats, Ints, Loss, Weighted
from sfumato.loss.ncp import share_of_domain
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject
from sfumato.table.domain import Domain
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["ClassLoss", "LeavesCovered", "SubtreeHeight"]


@dataclass(frozen=True)
class LeavesCovered(Weighted):
    """leaves(node)/leaves, 0 for an exact value."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        share, tree = share_of_domain(column, low, high, values), column.taxonomy
        if column.positions is not None and tree is None:
            return share
        if tree is not None:
            counts, whole = tree.leaf_counts[tree.cover(low, high)], tree.size
        else:  # one less than the values is what the share counts
            counts, whole = np.rint(share * (column.size - 1)).astype(np.int64) + 1, column.size
        return np.where(counts > 1, counts / whole, 0.0)


@dataclass(frozen=True)
class SubtreeHeight(Weighted):
    """The height of what is below the node over that of the tree."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        tree = column.taxonomy
        if tree is not None:
            return np.asarray(_heights(tree)[tree.cover(low, high)] / max(tree.height, 1), dtype=np.float64)
        if column.positions is not None:
            return share_of_domain(column, low, high, values)
        return (low < high).astype(np.float64)


def _heights(tree: Taxonomy) -> Ints:
    """Per node, levels down to its deepest leaf. A child comes before its parent."""
    found = np.zeros(len(tree.labels), dtype=np.int64)
    for node, above in enumerate(tree.parent[: tree.root].tolist()):
        found[above] = max(found[above], found[node] + 1)
    return found


@dataclass(frozen=True)
class ClassLoss:
    """Sum over rows and quasi-identifiers."""

    by: Literal["leaves", "height"] = "leaves"
    weights: WeightsLike = None
    name: ClassVar[str] = "il"
    about: ClassVar[About] = About(
        title="what BSGI calls information loss",
        formula="sum over rows and quasi-identifiers of leaves of the node/leaves (0 if exact), of numbers"
        " (high - low)/range; by height, of the height below the node/height of the tree",
        range="0 (all is told) to rows times columns (nothing)",
        better="lower",
        reference="Ye et al., DEXA 2008, https://doi.org/10.1007/978-3-540-85654-2_3; Byun et al., DASFAA 2007,"
        " https://doi.org/10.1007/978-3-540-71703-4_18",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        weights = weights_of(subject, self.weights)
        ways: dict[str, Loss] = {"leaves": LeavesCovered(weights), "height": SubtreeHeight(weights)}
        found = recounted(subject, ways[self.by], subject.policy.quasi)
        sums = {name: mean * found.weights[name] * subject.rows for name, mean in found.means.items()}
        return Figure(sum(sums.values()), sums, {"mean of cells": found.value})
