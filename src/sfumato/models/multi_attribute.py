"""Multi-attribute diversity: each of several sensitive columns keeps a promise even for who knows all the others.

For every sensitive column S, the rows of a group that agree in all other sensitive columns must keep the base promise
on S. That each column keeps it by itself is not enough: in (s1,v1) (s1,v2) (s2,v3) (s3,v3) both columns have three
values, yet "not s1" leaves v3 alone.

It is costly: a base that asks for l different values makes each group have l^m rows for m columns, because each value
of the first column comes with l of the second, and so on.

Survives merging if the base does: merging groups merges their parts or leaves them. Attainability is exact then, and
necessary only otherwise.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, Definition 4.5, doi:10.1109/ICDE.2006.1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.models.contract import Columns, Facts, Groups, Histogram, Model
from sfumato.models.runs import owners
from sfumato.policy import promises

__all__ = ["MultiAttributeModel"]

Ints = NDArray[np.int64]

_SEARCH_STEPS = 200


@dataclass(frozen=True, eq=False)
class MultiAttributeModel(Model):
    """The base holds for every column within every group and combination of the other columns.

    names     the sensitive columns
    own       per column, its code by joint code
    others    per column, a code of the combination of all others by joint code
    parts     the base promise bound to each column
    """

    promise: promises.MultiAttribute
    facts: Facts
    names: Columns
    own: tuple[Ints, ...]
    others: tuple[Ints, ...]
    parts: tuple[Model, ...]
    survives_merging: bool
    higher_is_better: bool
    counts_rows: bool
    counts_induced: bool
    coarsens: bool
    decides: bool

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        names = tuple(facts.columns)
        if len(names) < 2:
            raise Refused(f"multi-attribute needs at least two sensitive columns; the table has {len(names)}")
        parts = _bind_base(promise.of, facts)
        joint = facts.joint[names]
        rest = [np.delete(joint, index, axis=1) for index in range(len(names))]
        others = tuple(np.unique(each, axis=0, return_inverse=True)[1].reshape(-1) for each in rest)
        own = tuple(joint[:, index] for index in range(len(names)))
        base = parts[0]
        declared = base.survives_merging, base.higher_is_better, base.counts_rows, base.counts_induced, _coarsens(base)
        return cls(promise, facts, names, own, others, parts, *declared, decides=base.survives_merging)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        return (self.names,)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        out = groups.sizes > 0
        for part, blocks, owner in self._blocks(groups):
            out[owner[~part.holds(blocks)]] = False
        return out

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The base's, of the worst combination for the worst column."""
        best, worse = (np.inf, np.minimum) if self.higher_is_better else (-np.inf, np.maximum)
        out = np.where(groups.sizes > 0, best, 0.0 if self.higher_is_better else np.inf)
        for part, blocks, owner in self._blocks(groups):
            worse.at(out, owner, part.level(blocks))
        return out

    def distinct_l(self) -> int:
        return max(part.distinct_l() for part in self.parts)

    def least_rows(self) -> int:
        return max(prod(part.distinct_l() for part in self.parts), *(part.least_rows() for part in self.parts))

    def relaxed(self) -> promises.MultiAttribute | None:
        base = self.parts[0].relaxed()
        return None if self.survives_merging or base is None else promises.MultiAttribute(_on(base, None))

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        out = groups.sizes > 0
        for part, blocks, owner in self._blocks(groups):
            out[owner[~part.attainable(blocks)]] = False
        return out

    def nearest(self, whole: Groups) -> promises.MultiAttribute | None:
        """The base weakened for the worst combination, again and again, until all can keep it."""
        near: promises.Promise | None = self.promise.of
        for _ in range(_SEARCH_STEPS):
            if near is None or not whole.sizes[0]:
                return None
            model = replace(self, parts=_bind_base(near, self.facts))
            found = model._worst(whole)
            if found is None:
                return promises.MultiAttribute(near)
            part, block = found
            weaker = part.nearest(block)
            near = None if weaker is None else _on(weaker, None)
        return None

    def obstacle(self, whole: Groups) -> str:
        reasons = []
        least = prod(part.distinct_l() for part in self.parts)
        if least > 1:
            reasons.append(f"each group needs at least {least} rows")
        for part, blocks, _ in self._blocks(whole):
            failing = int((~part.attainable(blocks)).sum())
            if failing:
                total = len(blocks.sizes)
                reasons.append(
                    f"{failing} of {total} combinations of the other columns fail: {self._why(part, blocks)}"
                )
        return "; ".join(reasons)

    @staticmethod
    def _why(part: Model, blocks: Groups) -> str:
        return "for example, " + part.obstacle(blocks.only(int(np.argmin(part.attainable(blocks)))))

    def _worst(self, whole: Groups) -> tuple[Model, Groups] | None:
        """The combination that is furthest from keeping its part, if any does not."""
        for part, blocks, _ in self._blocks(whole):
            failing = np.flatnonzero(~part.attainable(blocks))
            if len(failing):
                level = part.level(blocks)[failing]
                worst = np.argmin(level) if self.higher_is_better else np.argmax(level)
                return part, blocks.only(int(failing[worst]))
        return None

    def _blocks(self, groups: Groups) -> Iterator[tuple[Model, Groups, Ints]]:
        """Per column: its part, the blocks of equal group and other values, and the group of each block."""
        joint = groups[self.names]
        group = owners(joint)
        for name, own, others, part in zip(self.names, self.own, self.others, self.parts, strict=True):
            other, value = others[joint.values], own[joint.values]
            order = np.lexsort((value, other, group))
            place = group[order], other[order]
            first = np.flatnonzero(np.append(True, (np.diff(place[0]) != 0) | (np.diff(place[1]) != 0)))
            first = first[: len(order)]  # no runs, no blocks
            counts = joint.counts[order]
            histogram = Histogram(np.append(first, len(order)), value[order], counts)
            sizes = np.add.reduceat(counts, first) if len(first) else counts
            yield part, Groups(sizes, {(name,): histogram}), place[0][first]


def _coarsens(base: Model) -> bool:
    return all(part.coarsens for part in base.conjuncts)


def _bind_base(base: promises.Promise, facts: Facts) -> tuple[Model, ...]:
    """The base promise bound to every sensitive column."""
    from sfumato.models.registry import bind  # the registry lists this model too

    return tuple(bind(_on(base, name), facts) for name in facts.columns)


def _on(base: promises.Promise, column: str | None) -> promises.Promise:
    """The same promise about that column; None: about whichever it is bound to."""
    for part in base.parts:
        if part.of_each is not None:
            raise Refused("multi-attribute cannot be nested")
        if column is not None and part.about not in (None, column):
            raise Refused(f"multi-attribute speaks of every sensitive column; leave 'on' out of its {part.name}")
    return base.on_column(column)
