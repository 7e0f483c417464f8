"""SWEEP: close classes from the most informative levels on; what is left climbs, and at last its sensitive values too.

A level per quasi-identifier is worth the mean of 1/leaves over the nodes at that level. Level vectors are taken from
the most informative down to `*` everywhere. At each, rows that are still open and look alike form a class; a class that
keeps the promise is closed. The last class, if it breaks a (tau,l) promise, has its sensitive values generalized.

Guarantee: every class keeps the promise, for any model that survives merging; no row is suppressed. It always ends:
where generalizing does not help, or other promises speak of the column, closed classes join the last one.

Deviations from the paper, which `faithful: true` undoes: a class is closed whole or not at all. The paper sweeps single
rows of the dominant value out of a class, and generalizes single sensitive values, so who knows the algorithm can tell
from what is missing, or from what was generalized, which value was too frequent. Here whole subtrees of sensitive
values climb together, and only in the last class, the whole table not being generalized first. Both variants: if no
grouping helps, the weights are tested at the root before anything is generalized.

Faithful takes time quadratic in the size of a class and serves (tau,l) promises about one column alone.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011.
https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.fit import NATIVE, Fit, adapted, refused
from sfumato.models.contract import Columns, Groups, Histogram, Model, table_codes
from sfumato.partition.blur import Blur
from sfumato.partition.contract import Partition, Recoding, Task
from sfumato.policy.promises import MultiAttribute, TauL, all_of
from sfumato.table.coded import CodedColumn, CodedTable

if TYPE_CHECKING:
    from sfumato.policy.methods import Sweep as Options

__all__ = ["Sweep", "level_vectors"]

Ints = NDArray[np.int64]

_MOST = 200_000
_FAITHFUL = (
    "faithful SWEEP sweeps and generalizes single rows of too frequent values; who knows the algorithm can infer them."
    " Leave out `faithful` for what is published"
)


@dataclass(frozen=True)
class Sweep:
    """The partitioner of `partition: {method: sweep}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if not model.survives_merging:
            return refused(f"SWEEP climbs levels, which merges groups; {model.promise.title} does not survive merging")
        if self.options.faithful and not _only_tau(model):
            return refused("faithful SWEEP serves tau-l promises about one column, and no other")
        return (
            NATIVE if _general(model) or not any(model.statistics) else adapted("without generalizing sensitive values")
        )

    def partition(self, task: Task) -> Partition:
        run = _Run.of(task)
        if self.options.faithful:
            from sfumato.partition.faithful import sweep_faithfully

            return run.finished(*sweep_faithfully(task, run.levels, next(iter(run.blurs.items()))), (_FAITHFUL,))
        return run.finished(*run.swept(), ())


def _general(model: Model) -> dict[str | None, list[TauL]]:
    """Columns whose values may be generalized: only (tau,l) speaks of them. None stands for the only column."""
    parts = all_of(model.promise).promises
    if any(isinstance(part, MultiAttribute) for part in parts):
        return {}
    about: dict[str | None, list[TauL]] = {}
    for part in parts:
        if isinstance(part, TauL):
            about.setdefault(part.on, []).append(part)
    others = {getattr(part, "on", None) for part in parts if part.about_values and not isinstance(part, TauL)}
    return {on: found for on, found in about.items() if on not in others and (None not in others)}


def _only_tau(model: Model) -> bool:
    parts = all_of(model.promise).promises
    return all(isinstance(part, TauL) for part in parts) and len({getattr(part, "on", None) for part in parts}) == 1


@dataclass(frozen=True, eq=False)
class Levels:
    """Of one column: per level from the root (0) down, what every code shows, and whether it has that level."""

    shown: tuple[Ints, ...]
    has: tuple[NDArray[np.bool_], ...]
    worth: tuple[Fraction, ...]

    @classmethod
    def of(cls, column: CodedColumn) -> Levels:
        tree, codes = column.taxonomy, np.arange(column.size, dtype=np.int64)
        if tree is None:
            every = np.ones(column.size, dtype=np.bool_)
            if column.size < 2:
                return cls((codes,), (every,), (Fraction(1),))
            return cls(
                (np.full(column.size, -1, dtype=np.int64), codes),
                (every, every),
                (Fraction(1, column.size), Fraction(1)),
            )
        shown = tuple(reversed(tree.levels))
        has = tuple(tree.depth[: tree.size] >= level for level in range(len(shown)))
        at = (np.unique(nodes) for nodes in shown)
        worth = tuple(
            sum((Fraction(1, int(tree.leaf_counts[node])) for node in nodes), Fraction(0)) / len(nodes) for nodes in at
        )
        return cls(shown, has, worth)


def level_vectors(levels: Sequence[Levels]) -> list[tuple[int, ...]]:
    """All of them, the most informative first, ties by the levels themselves; `*` everywhere is always last."""
    vectors = list(product(*(range(len(each.shown)) for each in levels)))
    worth = {
        vector: sum((each.worth[at] for each, at in zip(levels, vector, strict=True)), Fraction(0))
        for vector in vectors
    }
    last = (0,) * len(levels)
    return sorted(vectors, key=lambda vector: (vector != last, worth[vector], vector), reverse=True)


@dataclass(frozen=True, eq=False)
class _Run:
    """One run: the levels of the quasi-identifiers and the sensitive columns that may be generalized."""

    task: Task
    levels: tuple[Levels, ...]
    blurs: dict[str, Blur]

    @classmethod
    def of(cls, task: Task) -> _Run:
        table = task.table
        levels = tuple(map(Levels.of, table.quasi))
        combinations = prod(len(each.shown) for each in levels)
        if combinations > _MOST:
            raise Refused(
                f"SWEEP looks at every combination of levels, {combinations} of them here; {_MOST} are the most. Use"
                " hierarchies with fewer levels, or fewer quasi-identifiers"
            )
        general = {on or table.sensitive[0].name: found for on, found in _general(task.model).items()}
        blurs = {name: Blur.of(table[name], found) for name, found in general.items()}
        return cls(task, levels, blurs)

    def swept(self) -> tuple[Ints, list[tuple[int, ...]], dict[str, Ints]]:
        """The class of every row, the level vector of every class, and edited sensitive values."""
        table = self.task.table
        labels, closed = np.full(table.rows, -1, dtype=np.int64), list[tuple[int, ...]]()
        vectors = level_vectors(self.levels)
        for vector in vectors[:-1]:
            open_rows = np.flatnonzero(labels < 0)
            if not len(open_rows):
                break
            rows, mine = self._classes(open_rows, vector)
            groups = counted(table, self.task.model, rows, mine, {})
            holds = np.asarray(self.task.model.holds(groups))
            number = np.where(holds, len(closed) + np.cumsum(holds) - 1, -1)
            labels[rows] = number[mine]
            closed += [vector] * int(holds.sum())
        return self._last(labels, closed, vectors[-1])

    def _classes(self, rows: Ints, vector: tuple[int, ...]) -> tuple[Ints, Ints]:
        """Rows that have these levels, and a class number for each."""
        codes = [column.codes[rows] for column in self.task.table.quasi]
        able = np.ones(len(rows), dtype=np.bool_)
        for each, at, code in zip(self.levels, vector, codes, strict=True):
            able &= each.has[at][code]
        numbers = np.zeros(int(able.sum()), dtype=np.int64)
        for each, at, code in zip(self.levels, vector, codes, strict=True):
            _, numbers = np.unique(
                numbers * (len(each.shown[at]) * 2 + 2) + each.shown[at][code[able]], return_inverse=True
            )
        return rows[able], numbers.astype(np.int64)

    def _last(
        self, labels: Ints, closed: list[tuple[int, ...]], top: tuple[int, ...]
    ) -> tuple[Ints, list[tuple[int, ...]], dict[str, Ints]]:
        """The rest as one class, generalized where that helps, joined by closed ones where it does not."""
        while (labels < 0).any() or not len(labels):
            rows = np.flatnonzero(labels < 0)
            one = np.zeros(len(rows), dtype=np.int64)
            for edits in ({}, self._edits(rows)):
                if bool(self.task.model.holds(counted(self.task.table, self.task.model, rows, one, edits))[0]):
                    labels[rows] = len(closed)
                    return labels, [*closed, top], edits
            if not closed:
                self.task.require_feasible()
                raise ValueError("the whole table keeps the promise, yet not as one class")
            labels[labels == len(closed) - 1] = -1
            closed.pop()
        return labels, closed, {}

    def _edits(self, rows: Ints) -> dict[str, Ints]:
        """Nodes for every row of the table, generalized in some of them."""
        made: dict[str, Ints] = {}
        for name, blur in self.blurs.items() if self.task.edits else ():
            codes = self.task.table[name].codes.astype(np.int64)
            rank = self.task.randomness.shuffle(len(blur.shares), f"ties of {name}").tolist()
            shown = blur.by_subtrees(codes[rows], rank)
            if shown is not None:
                codes[rows] = shown
                made[name] = codes
        return made

    def finished(
        self, labels: Ints, vectors: list[tuple[int, ...]], edits: dict[str, Ints], notes: tuple[str, ...]
    ) -> Partition:
        """With what every class shows."""
        first = np.full(len(vectors), -1, dtype=np.int64)
        first[labels[::-1]] = np.arange(len(labels))[::-1]
        shown = {
            column.name: np.array(
                [
                    each.shown[vector[axis]][column.codes[row]]
                    for vector, row in zip(vectors, first.tolist(), strict=True)
                ],
                dtype=np.int64,
            )
            for axis, (column, each) in enumerate(zip(self.task.table.quasi, self.levels, strict=True))
        }
        changed = {name: nodes for name, nodes in edits.items() if (nodes != self.task.table[name].codes).any()}
        rows = sum(int((nodes != self.task.table[name].codes).sum()) for name, nodes in changed.items())
        told = (f"{rows} sensitive values were generalized",) if rows else ()
        return Partition(labels, Recoding(shown, {}), changed, (*notes, *told))


def counted(table: CodedTable, model: Model, rows: Ints, labels: Ints, edits: dict[str, Ints]) -> Groups:
    """Some rows by class, with edited sensitive values."""
    count = int(labels.max(initial=0)) + 1

    def codes(columns: Columns) -> NDArray[np.int32]:
        edited = edits.get(columns[0]) if len(columns) == 1 else None
        return table_codes(table, columns)[rows] if edited is None else edited[rows].astype(np.int32)

    sizes = np.bincount(labels, minlength=count).astype(np.int64)
    wanted = {columns: Histogram.of_rows(labels, codes(columns), count) for columns in model.statistics if columns}
    return Groups(sizes, wanted)
