"""Generalizing the sensitive values of one class until it keeps what (tau,l) promises, or others that cap shares.

By whole subtrees: when the dominant value climbs, every value below its new node does, so that what is published does
not tell which of them was too frequent. Or row by row, as the paper has it, which does tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.models.contract import ShareCaps
from sfumato.table.domain import Domain

__all__ = ["Blur", "least_bounds"]

Ints = NDArray[np.int64]

_WIDE = 2**62
_SHARES = 1 << 24


def least_bounds(asked: Sequence[ShareCaps]) -> tuple[Fraction, ...]:
    """What the 1, 2, … most frequent values may fill under all caps; without an end beyond."""
    longest = max(len(caps.most) for caps in asked)
    return tuple(min(caps.most[k] for caps in asked if k < len(caps.most)) for k in range(longest))


@dataclass(frozen=True, eq=False)
class Blur:
    """A sensitive column, the caps that are promised of it, and what every node induces.

    bounds    what the 1, 2, … most frequent values may fill
    shares    per node, the share of every base value in a row that shows it, times `scale`
    parent    of every node, -1 for the root
    """

    bounds: tuple[Fraction, ...]
    shares: tuple[tuple[tuple[int, int], ...], ...]
    scale: int
    parent: tuple[int, ...]

    @classmethod
    def of(cls, column: Domain, asked: Sequence[ShareCaps]) -> Blur:
        """Of caps with the same weights."""
        tree, weights = column.taxonomy, asked[0].weights
        shares: list[tuple[tuple[int, Fraction], ...]] = [((code, Fraction(1)),) for code in range(column.size)]
        parent = (-1,) * column.size
        if tree is not None:
            for node in range(tree.size, len(tree.labels)):
                codes = range(int(tree.first[node]), int(tree.last[node]) + 1)
                total = sum((weights[code] for code in codes), Fraction(0))
                shares.append(tuple((code, weights[code] / total) for code in codes if weights[code]) if total else ())
            parent = tuple(tree.parent.tolist())
        scale = lcm(*(share.denominator for each in shares for _, share in each))
        whole = tuple(tuple((code, int(share * scale)) for code, share in each) for each in shares)
        return cls(least_bounds(asked), whole, scale, parent)

    def induced(self, counts: Mapping[int, int]) -> dict[int, int]:
        """Rows per base value, times `scale`, of rows per node."""
        sums: dict[int, int] = {}
        for node, count in counts.items():
            if count:
                for code, share in self.shares[node]:
                    sums[code] = sums.get(code, 0) + count * share
        return sums

    def kept(self, counts: Mapping[int, int]) -> bool:
        """Whether rows with that many of every node keep all promises."""
        ranked, rows = sorted(self.induced(counts).values(), reverse=True), sum(counts.values()) * self.scale
        filled = 0
        for bound, amount in zip(self.bounds, ranked, strict=False):
            filled += amount
            if filled * bound.denominator > bound.numerator * rows:
                return False
        return rows > 0

    def dominant(self, counts: Mapping[int, int], rank: Sequence[int]) -> list[int]:
        """Base values from the most frequent on; ties by a secret rank."""
        sums = self.induced(counts)
        return sorted(sums, key=lambda code: (-sums[code], rank[code]))

    def above(self, ancestor: int, node: int) -> bool:
        """Whether a node is another's ancestor or itself."""
        while node >= 0 and node != ancestor:
            node = self.parent[node]
        return node == ancestor

    def by_subtrees(self, rows: Mapping[int, int], rank: Sequence[int]) -> dict[int, int] | None:
        """The node for every base value that rows have, such that they keep the promises; None if there is none.

        The subtree of the dominant value goes first. Where even the root breaks the promises, it ends there.
        """
        cut = {base: base for base in rows}
        while True:
            counts: dict[int, int] = {}
            for base, count in rows.items():
                counts[cut[base]] = counts.get(cut[base], 0) + count
            if self.kept(counts):
                return cut
            for code in self.dominant(counts, rank):
                mine = next(node for node in counts if any(each == code for each, _ in self.shares[node]))
                if self.parent[mine] >= 0:
                    top = self.parent[mine]
                    cut = {base: top if self.above(top, node) else node for base, node in cut.items()}
                    break
            else:
                return None

    def fits(self, rows: int, codes: int) -> bool:
        """Whether as many rows can be counted exactly in 64 bits, by a table of shares that is not too large."""
        largest = rows * self.scale * max((bound.denominator for bound in self.bounds), default=1)
        return largest < _WIDE and len(self.shares) * codes <= _SHARES

    def rounded(self, codes: int) -> NDArray[np.float64]:
        """Shares as a table of decimals, node by base value."""
        made = np.zeros((len(self.shares), codes))
        for node, each in enumerate(self.shares):
            for code, share in each:
                made[node, code] = share / self.scale
        return made

    def table(self, rows: int, codes: int) -> Ints:
        """Shares as a table, node by base value; refused where it does not fit."""
        if not self.fits(rows, codes):
            raise Refused(
                "SWEEP: a sensitive column has too many values, or weights or bounds of too many digits, to generalize"
                " within classes; round them, or leave out `faithful`"
            )
        made = np.zeros((len(self.shares), codes), dtype=np.int64)
        for node, each in enumerate(self.shares):
            for code, share in each:
                made[node, code] = share
        return made

    def row_by_row(self, nodes: Ints, rank: Sequence[int], draw: Callable[[int], NDArray[np.uint64]]) -> Ints | None:
        """As the paper: a random row of the dominant value climbs one step, one of the least general; None: no end.

        How many rows leave a node for its parent is found first, then which, at random among all that came there.
        `draw` answers so many random numbers.
        """
        counts = np.bincount(nodes, minlength=len(self.shares)).astype(np.int64)
        left = self._leaving(counts, rank)
        if left is None:
            return None
        shown, moved = nodes.copy(), np.flatnonzero(left)
        for node in moved.tolist():  # children come before their parents
            here = np.flatnonzero(shown == node)
            shown[here[np.argsort(draw(len(here)), kind="stable")[: left[node]]]] = self.parent[node]
        return shown

    def _leaving(self, counts: Ints, rank: Sequence[int]) -> Ints | None:
        """How many rows leave every node, from how many are there; None if that does not help."""
        codes = max(code for each in self.shares for code, _ in each) + 1
        if self.fits(int(counts.sum()), codes):
            from sfumato.partition.sweep.loops.judging import Caps, climb_one_by_one

            top, bottom = ([getattr(bound, part) for bound in self.bounds] for part in ("numerator", "denominator"))
            bounds = Caps(np.array(top, dtype=np.int64), np.array(bottom, dtype=np.int64))
            table, parent = self.table(int(counts.sum()), codes), np.array(self.parent, dtype=np.int64)
            found, helps = climb_one_by_one(counts, table, self.scale, parent, np.array(rank, dtype=np.int64), bounds)
            return np.asarray(found) if helps else None
        left, rows = np.zeros_like(counts), dict(enumerate(counts.tolist()))
        while not self.kept(rows):
            node = self._next(rows, rank)
            if node is None:
                return None
            left[node] += 1
            rows[node] -= 1
            rows[self.parent[node]] += 1
        return left

    def _next(self, counts: Mapping[int, int], rank: Sequence[int]) -> int | None:
        """The deepest node above the dominant value that has rows and a parent; of the next value if there is none."""
        for code in self.dominant(counts, rank):
            node = code
            while node >= 0 and not counts.get(node):
                node = self.parent[node]
            if node >= 0 and self.parent[node] >= 0:
                return node
        return None
