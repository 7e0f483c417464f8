"""What must hold of a group whose rows' terms betray labels, judged exactly.

Every linked row spreads one unit of mass over the labels of K(t); m(L) is the mass of a label in the group and M the
number of linked rows. An unlinked row adds to no label, and nothing here counts it as diversity; a group of unlinked
rows only keeps every promise, and is marked.

QS (c,l)-diversity: p_1 <= c (p_l + p_(l+1) + ...), the p being the labels' masses from the largest on. Then no label
is believed with more than c/(c+1): "less than" in the paper is wrong, as 1/2, 1/2 under c = 1 and l = 2 shows.

QS t-closeness: the distance between m/M and the prior is at most t. Euclidean as in the paper, or `equal`, the earth
mover's distance when all labels are equally far apart, or `hierarchical`, the same in a tree of labels. Deviation:
beliefs are taken over the linked rows, as the prior is, where the paper would divide by all rows; so unlinked rows
cannot hide a label, and a group like the whole table has distance 0.

P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010,
Definitions 3 and 4.

>>> from fractions import Fraction
>>> half = Mass.of([([0, 1], None)], rows=1)
>>> LabelCL(1, 2).holds(half), LabelCL(1, 3).holds(half), LabelCL(1, 2).reached(half)
(True, False, 2)
>>> LabelT("0.4", (Fraction(9, 10), Fraction(1, 10))).distance2(half)
Fraction(8, 25)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.knowledge.labeltree import LabelTree

__all__ = ["Distance", "LabelCL", "LabelPromise", "LabelT", "Mass"]

Distance = Literal["euclidean", "equal", "hierarchical"]
_SAFE = 1 << 62


@dataclass(frozen=True, eq=False)
class Mass:
    """The labels of a group with their masses `parts / scale`, exactly; and how many rows are linked or not."""

    labels: NDArray[np.int64]
    parts: NDArray[Any]
    scale: int
    linked: int
    unlinked: int

    @classmethod
    def of(
        cls, links: Iterable[tuple[Sequence[int] | NDArray[np.int32], Sequence[Fraction] | None]], rows: int
    ) -> Mass:
        """From the labels of every linked row, each with its chances (None: equally likely); `rows` counts all rows."""
        found = [(np.asarray(labels, np.int64), chances) for labels, chances in links if len(labels)]
        scale = 1
        for labels, chances in found:
            scale = math.lcm(scale, *([len(labels)] if chances is None else [each.denominator for each in chances]))
        kind: type[Any] = np.int64 if scale * max(len(found), 1) < _SAFE else object
        size = int(max((labels.max() for labels, _ in found), default=-1)) + 1
        parts = np.zeros(size, kind)
        for labels, chances in found:
            if chances is None:
                parts[labels] += scale // len(labels)
            else:
                parts[labels] += np.array([int(each * scale) for each in chances], kind)
        held = np.flatnonzero(parts)
        return cls(held, parts[held], scale, len(found), rows - len(found))

    @property
    def unlinked_only(self) -> bool:
        return self.linked == 0

    def beliefs(self) -> dict[int, Fraction]:
        """What an adversary believes of a person in the group, over all its rows: label to chance."""
        whole = self.scale * (self.linked + self.unlinked)
        return {int(label): Fraction(int(part), whole) for label, part in zip(self.labels, self.parts, strict=True)}


@dataclass(frozen=True)
class LabelCL:
    """p_1 <= c (p_l + ... + p_m)."""

    c: Fraction
    l: int

    def __init__(self, c: object, l: int) -> None:
        object.__setattr__(self, "c", as_fraction(c))
        object.__setattr__(self, "l", l)
        if self.c <= 0 or l < 1:
            raise InputError(f"QS (c,l)-diversity needs c above 0 and l of at least 1 (got c = {self.c}, l = {l})")

    def holds(self, mass: Mass) -> bool:
        if mass.unlinked_only:
            return True
        falling = -np.sort(-mass.parts)
        return int(falling[0]) * self.c.denominator <= self.c.numerator * int(falling[self.l - 1 :].sum())

    def reached(self, mass: Mass) -> int:
        """The largest l that holds, 0 if none; a group of unlinked rows only reaches 0 labels."""
        if mass.unlinked_only:
            return 0
        falling = -np.sort(-mass.parts)
        tails = falling[::-1].cumsum()
        least = -(-int(falling[0]) * self.c.denominator // self.c.numerator)
        return int((tails >= least).sum())

    def full_removal_holds(self, labels: int) -> bool:
        """Whether rows without any terms keep it: all labels are equally likely then."""
        return labels >= self.l - 1 + 1 / self.c


@dataclass(frozen=True)
class LabelT:
    """The distance between the beliefs over linked rows and the prior is at most t."""

    t: Fraction
    prior: tuple[Fraction, ...] = field(repr=False)
    distance: Distance = "euclidean"
    tree: LabelTree | None = field(default=None, repr=False)

    def __init__(
        self, t: object, prior: Iterable[object], distance: Distance = "euclidean", tree: LabelTree | None = None
    ) -> None:
        object.__setattr__(self, "t", as_fraction(t))
        object.__setattr__(self, "prior", tuple(as_fraction(each) for each in prior))
        object.__setattr__(self, "distance", distance)
        object.__setattr__(self, "tree", tree)
        if self.t < 0:
            raise InputError(f"QS t-closeness needs t of at least 0 (got {self.t})")
        if sum(self.prior) != 1 or min(self.prior) < 0:
            raise InputError("the prior of QS t-closeness must have no negative number and sum to 1")
        if distance not in ("euclidean", "equal", "hierarchical"):
            allowed = "'euclidean', 'equal' or 'hierarchical'"
            raise InputError(f"the distance of QS t-closeness must be {allowed} (got {distance!r})")
        if (distance == "hierarchical") is not (tree is not None):
            raise InputError("the hierarchical distance of QS t-closeness, and no other, needs a tree of labels")

    @cached_property
    def _whole(self) -> int:
        return math.lcm(*(each.denominator for each in self.prior))

    @cached_property
    def _parts(self) -> NDArray[Any]:
        return np.array([int(each * self._whole) for each in self.prior], object)

    @cached_property
    def _square(self) -> int:
        return int((self._parts**2).sum())

    @cached_property
    def rounded(self) -> NDArray[np.float64]:
        """The prior in floating point; in a tree, that of every node times its weight."""
        if self.tree is None:
            return np.array([float(each) for each in self.prior])
        whole = self._whole * self.tree.height
        return np.array([part / whole for part in self._nodes])

    @cached_property
    def _nodes(self) -> NDArray[Any]:
        """The prior of every node of the tree."""
        return self._weighted(np.arange(len(self.prior)), self._parts)

    def _weighted(self, labels: NDArray[np.int64], parts: NDArray[Any]) -> NDArray[Any]:
        """Parts of labels as parts of nodes, times weights."""
        if self.tree is None:
            return parts
        owner, node, weight = self.tree.steps(labels).T
        sums = np.zeros(self.tree.size, object)
        np.add.at(sums, node, parts[owner].astype(object) * weight)
        return sums

    @cached_property
    def square(self) -> float:
        """The sum of the squares of the prior, rounded."""
        return self._square / self._whole**2

    def holds(self, mass: Mass) -> bool:
        if mass.unlinked_only:
            return True
        if self.distance == "euclidean":
            return self.distance2(mass) <= self.t**2
        return self.moved(mass) <= self.t

    def distance2(self, mass: Mass) -> Fraction:
        """The square of the Euclidean distance."""
        parts, prior = mass.parts.astype(object), self._parts[mass.labels]
        unit = mass.scale * mass.linked
        top = (
            int((parts**2).sum()) * self._whole**2
            - 2 * unit * self._whole * int((parts * prior).sum())
            + unit**2 * self._square
        )
        return Fraction(top, (unit * self._whole) ** 2)

    def moved(self, mass: Mass) -> Fraction:
        """The mass that has to move to another label times how far: the earth mover's distance."""
        unit = mass.scale * mass.linked
        if self.tree is not None:
            here = self._weighted(mass.labels, mass.parts) * self._whole - self._nodes * unit
            return Fraction(int(here[here > 0].sum()), unit * self._whole * self.tree.height)
        over = mass.parts.astype(object) * self._whole - self._parts[mass.labels] * unit
        return Fraction(int(over[over > 0].sum()), unit * self._whole)

    def full_removal_holds(self, labels: int) -> bool:
        """Whether rows without any terms keep it: all labels are equally likely then."""
        return self.holds(Mass.of([(range(labels), None)], 1))


LabelPromise = LabelCL | LabelT
