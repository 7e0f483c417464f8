"""How much a column tells at its levels, and the order in which level vectors are tried.

A value that stands for n base values tells 1/n. A level tells the mean of that over its values, each counting alike, by
its base values, by those of them that occur in the table, or by a weight that the policy gives it (the paper's p'); a
level vector, one level per column, the sum over its columns. Ties go to the vector with the lower level in the more
important column. `*` everywhere comes last.

Levels count from the root (0) down. In an unbalanced tree a base value has the levels down to its own depth, and a
level is made of the nodes at that depth, so a deeper level may tell less than the one above it: such a row visits a
more general class first, which costs information, never privacy.

A number, a date or an ordered text without a hierarchy has levels of its own: runs of 1, f, f², … neighbouring values,
f being the least number that makes them six levels at most. They follow from the values in the table, not from how
often they occur. Other text shows its value or `*`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, one_line
from sfumato.table.domain import Domain
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Levels", "level_vectors"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Worth = Literal["uniform", "leaves", "occurring"]

_LEVELS = 6
"""Of a column without a hierarchy, at most."""


@dataclass(frozen=True, eq=False)
class Levels:
    """Of one column: per level from the root (0) down, what every code shows.

    nodes    the node of the taxonomy; empty if there is none
    first    the first code that looks the same
    last     the last one
    has      whether the code has that level
    worth    what the level tells
    """

    nodes: tuple[Ints, ...]
    first: tuple[Ints, ...]
    last: tuple[Ints, ...]
    has: tuple[Bools, ...]
    worth: tuple[Fraction, ...]

    @classmethod
    def of(cls, column: Domain, worth: Worth = "uniform", given: Mapping[str, Fraction] | None = None) -> Levels:
        """The levels of a column; `given` are weights of some of its values and labels, which need a hierarchy."""
        tree = column.taxonomy
        share = _Shares.of(column, worth, given or {})
        if tree is not None:
            nodes = tuple(reversed(tree.levels))
            has = tuple(tree.depth[: tree.size] >= level for level in range(len(nodes)))
            told = tuple(share.mean(tree.first[at], tree.last[at], at) for at in _by_depth(tree, len(nodes)))
            return cls(nodes, tuple(tree.first[at] for at in nodes), tuple(tree.last[at] for at in nodes), has, told)
        runs = list(_runs(column))
        every = np.ones(column.size, dtype=np.bool_)
        told = tuple(share.mean(first[np.unique(first)], last[np.unique(first)]) for first, last in runs)
        return cls((), tuple(first for first, _ in runs), tuple(last for _, last in runs), (every,) * len(runs), told)

    def __len__(self) -> int:
        return len(self.first)

    def tells(self, level: int, codes: Ints) -> NDArray[np.float64]:
        """What rows with these codes tell at a level."""
        return np.asarray(1 / (self.last[level][codes] - self.first[level][codes] + 1))


def _by_depth(tree: Taxonomy, levels: int) -> Iterator[Ints]:
    for level in range(levels):
        yield np.flatnonzero(tree.depth == level)


@dataclass(frozen=True, eq=False)
class _Shares:
    """How much values count in the mean of a level.

    occurring    of the codes before each, how many occur in the table
    given        weights of nodes that the policy names
    """

    worth: Worth
    occurring: Ints
    given: Mapping[int, Fraction]

    @classmethod
    def of(cls, column: Domain, worth: Worth, given: Mapping[str, Fraction]) -> _Shares:
        occurring = np.concatenate(([0], np.cumsum(column.occurring)))
        labels = [] if column.taxonomy is None else list(column.taxonomy.labels)
        unknown = len(given.keys() - {*labels})
        if unknown:
            what = "its hierarchy has no such value or label" if labels else "it has no hierarchy, so all count alike"
            raise InputError(f"partition.value_weights.{one_line(column.name)}: of {unknown} given, {what}")
        return cls(worth, occurring, {node: given[label] for node, label in enumerate(labels) if label in given})

    def mean(self, first: Ints, last: Ints, nodes: Ints | None = None) -> Fraction:
        """The weighted mean of 1/leaves over values that stand for the codes from first to last."""
        leaves = 1 + last - first
        weights: Ints = np.ones_like(leaves)
        if self.worth == "leaves":
            weights = leaves
        elif self.worth == "occurring":
            weights = self.occurring[last + 1] - self.occurring[first]
        own = [] if nodes is None else [place for place, node in enumerate(nodes.tolist()) if node in self.given]
        plain = np.delete(np.stack((leaves, weights)), own, axis=1)
        pairs, times = np.unique(plain, axis=1, return_counts=True)
        parts = [
            (Fraction(int(count) * weight), number)
            for (number, weight), count in zip(pairs.T.tolist(), times.tolist(), strict=True)
        ]
        parts += [(self.given[int(nodes[place])], int(leaves[place])) for place in own] if nodes is not None else []
        whole = sum((weight for weight, _ in parts), Fraction(0))
        return sum((weight / number for weight, number in parts), Fraction(0)) / whole if whole else Fraction(0)


def _runs(column: Domain) -> Iterator[tuple[Ints, Ints]]:
    """First and last code of every code's run, from all codes down to one. A missing value stands alone."""
    codes = np.arange(column.size, dtype=np.int64)
    if column.size < 2:
        yield codes, codes
        return
    yield np.zeros_like(codes), np.full_like(codes, column.size - 1)
    known = column.size if column.missing is None else column.missing
    if column.positions is not None or column.ordered:
        factor = 2
        while factor ** (_LEVELS - 1) < known:
            factor += 1
        widths = [factor**power for power in range(1, _LEVELS - 1) if factor**power < known]
        for width in reversed(widths):
            first = codes // width * width
            last = np.minimum(first + width, known) - 1
            alone = codes >= known
            yield np.where(alone, codes, first), np.where(alone, codes, last)
    yield codes, codes


def level_vectors(levels: Sequence[Levels], importance: Sequence[int] = ()) -> Ints:
    """All of them, the most informative first; columns that are not important follow in their own order."""
    shape = [len(each) for each in levels]
    vectors = np.indices(shape).reshape(len(shape), -1).T
    scale = lcm(*(told.denominator for each in levels for told in each.worth))
    total: NDArray[Any] = np.zeros(len(vectors), dtype=object)
    for axis, each in enumerate(levels):
        total += np.array([int(told * scale) for told in each.worth], dtype=object)[vectors[:, axis]]
    place = {worth: place for place, worth in enumerate(sorted(set(total.tolist())))}
    rank = np.array([place[worth] for worth in total.tolist()], dtype=np.int64)
    order = [*importance, *(axis for axis in range(len(shape)) if axis not in importance)]
    keys = [*(vectors[:, axis] for axis in reversed(order)), rank, vectors.any(axis=1)]
    return np.ascontiguousarray(vectors[np.lexsort(keys)[::-1]], dtype=np.int64)
