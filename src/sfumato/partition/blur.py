"""Generalizing the sensitive values of one class until it keeps its (tau,l) promises.

By whole subtrees: when the dominant value climbs, every value below its new node does, so that what is published does
not tell which of them was too frequent. Or row by row, as the paper has it, which does tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.policy.promises import TauL
from sfumato.table.coded import CodedColumn
from sfumato.table.weights import resolved_weights

__all__ = ["Blur"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Blur:
    """A sensitive column, the promises about it, and what every node induces.

    shares    per node, the share of every base value in a row that shows it
    parent    of every node, -1 for the root
    """

    promises: tuple[TauL, ...]
    shares: tuple[tuple[tuple[int, Fraction], ...], ...]
    parent: tuple[int, ...]
    depth: tuple[int, ...]

    @classmethod
    def of(cls, column: CodedColumn, promises: Sequence[TauL]) -> Blur:
        tree, weights = column.taxonomy, resolved_weights(promises[0], column)
        own = [((code, Fraction(1)),) for code in range(column.size)]
        if tree is None:
            return cls(tuple(promises), tuple(own), (-1,) * column.size, (0,) * column.size)
        above = []
        for node in range(tree.size, len(tree.labels)):
            codes = range(int(tree.first[node]), int(tree.last[node]) + 1)
            total = sum((weights[code] for code in codes), Fraction(0))
            above.append(tuple((code, weights[code] / total) for code in codes if weights[code]) if total else ())
        return cls(tuple(promises), (*own, *above), tuple(tree.parent.tolist()), tuple(tree.depth.tolist()))

    def induced(self, counts: dict[int, int]) -> dict[int, Fraction]:
        """Rows per base value, of rows per node."""
        sums: dict[int, Fraction] = {}
        for node, count in counts.items():
            for code, share in self.shares[node]:
                sums[code] = sums.get(code, Fraction(0)) + count * share
        return sums

    def kept(self, counts: dict[int, int]) -> bool:
        """Whether rows with that many of every node keep all promises."""
        ranked, rows = sorted(self.induced(counts).values(), reverse=True), sum(counts.values())
        for promise in self.promises:
            filled = Fraction(0)
            for k in range(1, min(promise.l - 1, len(ranked)) + 1):
                filled += ranked[k - 1]
                if filled > promise.bound(k) * rows:
                    return False
        return rows > 0

    def dominant(self, counts: dict[int, int], rank: Sequence[int]) -> list[int]:
        """Base values from the most frequent on; ties by a secret rank."""
        sums = self.induced(counts)
        return sorted(sums, key=lambda code: (-sums[code], rank[code]))

    def above(self, ancestor: int, node: int) -> bool:
        """Whether a node is another's ancestor or itself."""
        while node >= 0 and node != ancestor:
            node = self.parent[node]
        return node == ancestor

    def by_subtrees(self, nodes: Ints, rank: Sequence[int]) -> Ints | None:
        """The least general nodes for rows that keep the promises; None if not even the root does."""
        values, place, rows = np.unique(nodes, return_inverse=True, return_counts=True)
        cut = {node: node for node in values.tolist()}
        while True:
            counts: dict[int, int] = {}
            for base, count in zip(values.tolist(), rows.tolist(), strict=True):
                counts[cut[base]] = counts.get(cut[base], 0) + count
            if self.kept(counts):
                return np.array([cut[base] for base in values.tolist()], dtype=np.int64)[place.reshape(-1)]
            for code in self.dominant(counts, rank):
                mine = next(node for node in counts if any(each == code for each, _ in self.shares[node]))
                if self.parent[mine] >= 0:
                    top = self.parent[mine]
                    cut = {base: top if self.above(top, node) else node for base, node in cut.items()}
                    break
            else:
                return None

    def as_they_are(self, nodes: Ints, order: Sequence[int], rank: Sequence[int]) -> Ints | None:
        """The rows as they are, if they keep the promises."""
        values, counts = np.unique(nodes, return_counts=True)
        return nodes if self.kept(dict(zip(values.tolist(), counts.tolist(), strict=True))) else None

    def row_by_row(self, nodes: Ints, order: Sequence[int], rank: Sequence[int]) -> Ints | None:
        """As the paper: one row of the dominant value climbs one step, one of the least general first."""
        shown = nodes.tolist()
        counts = {node: shown.count(node) for node in set(shown)}
        while not self.kept(counts):
            row = self._next(shown, self.dominant(counts, rank), order)
            if row is None:
                return None
            counts[shown[row]] -= 1
            shown[row] = self.parent[shown[row]]
            counts[shown[row]] = counts.get(shown[row], 0) + 1
        return np.array(shown, dtype=np.int64)

    def _next(self, shown: list[int], dominant: list[int], order: Sequence[int]) -> int | None:
        for code in dominant:
            rows = [row for row in order if self.parent[shown[row]] >= 0 and self.above(shown[row], code)]
            if rows:
                return max(rows, key=lambda row: self.depth[shown[row]])  # the first of them in the secret order
        return None
