"""The step `generalize-sensitive`: sensitive columns shown by a level of their hierarchies, the same in every row.

A promise about several sensitive columns asks much: for every value of one, enough of the others (001, Definition 4.5).
Fewer, vaguer values of one column make fewer and larger parts, in which the others are diverse enough with less
generalization of quasi-identifiers. The paper names this as a way out and leaves it open.

Every vector of levels, one per column and `*` never, is tried from the one that loses least: its labels are the values
of the columns, the algorithm groups rows by the same promise about these, and the vector is kept of which the loss of
quasi-identifiers and `balance` times the mean loss of sensitive cells make the least sum. Vectors whose sensitive loss
alone exceeds the best sum are left out; where there are more than 256, those that lose least are tried.

Guarantee: labels of one level do not overlap, so that rows with different ones have different values. Every group keeps
the promise about labels; for promises that say so (`Model.coarsens`) it then keeps it about the values as well. Who
knows somebody's value in another column knows its label, and no more of the row.

Reference: Machanavajjhala et al.: ℓ-Diversity: Privacy Beyond k-Anonymity. ICDE 2006, sections 4.3.
https://doi.org/10.1109/ICDE.2006.1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.fit import Fit, adapted, fit_apart, refused
from sfumato.models.contract import Facts, Model, concerned
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.partition_loss import measured
from sfumato.partition.steps.contract import Bind
from sfumato.policy.steps import GeneralizeSensitive
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["Coarsened"]

Ints = NDArray[np.int64]
Levels = tuple[int, ...]
_MOST = 256


@dataclass(frozen=True)
class Coarsened:
    """It serves what the algorithm serves, of promises that may be asked of labels."""

    base: Partitioner
    options: GeneralizeSensitive
    bind: Bind

    def fit(self, model: Model) -> Fit:
        return self._fit(model, self.base.fit(model))

    def fit_persons(self, model: Model) -> Fit:
        return self._fit(model, fit_apart(self.base, model))

    def _fit(self, model: Model, fit: Fit) -> Fit:
        if not all(part.coarsens for part in model.conjuncts):
            who = concerned(model, lambda part: not part.coarsens, "speaks", "speak")
            return refused(f"{who} of values, and what their labels in a hierarchy keep says nothing of it")
        return fit if fit.status == "refused" else adapted("by labels of sensitive values where that loses less")

    def partition(self, task: Task) -> Partition:
        columns = self._columns(task.table)
        best: tuple[float, Levels, Partition] | None = None
        failure: NoneFound | None = None
        for cost, levels in _vectors(task, columns, float(self.options.balance)):
            if best is not None and cost >= best[0]:
                break
            coarse = _coarser(task, columns, levels)
            try:
                found = self.base.partition(coarse)
            except NoneFound as error:
                failure = failure or error
                continue
            total = cost + float(measured(coarse, found)[0])
            if best is None or total < best[0]:
                best = total, levels, found
        if best is None:
            raise failure or NoneFound(f"{task.model.promise}: no grouping was found")
        return _shown(task.table, columns, best[1], best[2])

    def _columns(self, table: Tuples) -> list[Domain]:
        """Columns that may be generalized."""
        named = self.options.columns
        treed = [column for column in table.sensitive if column.taxonomy is not None and column.size > 1]
        return [column for column in treed if not named or column.name in named]


def _vectors(task: Task, columns: Sequence[Domain], balance: float) -> list[tuple[float, Levels]]:
    """Levels of the columns with what they cost of sensitive values, the cheapest first."""
    share = balance / max(len(task.table.sensitive), 1)
    costs = [[share * _cost(task, column, level) for level in range(_height(column))] for column in columns]
    made = [
        (sum(costs[place][level] for place, level in enumerate(levels)), levels)
        for levels in product(*(range(len(each)) for each in costs))
    ]
    return sorted(made)[:_MOST]


def _height(column: Domain) -> int:
    """Levels below `*`."""
    return 1 if column.taxonomy is None else max(len(column.taxonomy.levels) - 1, 1)


def _cost(task: Task, column: Domain, level: int) -> float:
    """What a cell loses at a level, in the mean over rows."""
    tree = column.taxonomy
    if tree is None:
        return 0.0
    nodes = tree.levels[level]
    cost = task.loss.cost(column, tree.first[nodes], tree.last[nodes], tree.leaf_counts[nodes])
    return float(cost @ column.counts) / max(task.table.rows, 1)


def _coarser(task: Task, columns: Sequence[Domain], levels: Levels) -> Task:
    """The same task with labels for values, and promises bound to these."""
    table = task.table
    made = {column.name: _labelled(column, level) for column, level in zip(columns, levels, strict=True) if level}
    codes = {name: label[table.codes[name]] for name, (_, label) in made.items()}
    coarse = replace(
        table,
        codes={**table.codes, **codes},
        sensitive=tuple(made[column.name][0] if column.name in made else column for column in table.sensitive),
        finer={**table.finer, **{name: table.codes[name] for name in made}},
    )
    facts = Facts.of(coarse)
    model, missed = task.model, task.missed
    return replace(
        task,
        table=coarse,
        model=type(model).bind(model.promise, facts),
        missed=None if missed is None else type(missed).bind(missed.promise, facts),
        edits=False,
    )


def _labelled(column: Domain, level: int) -> tuple[Domain, NDArray[np.int32]]:
    """The column with its labels at a level for values, in their order, and the label of every code."""
    tree = column.taxonomy
    if tree is None:
        raise ValueError(f"column {column.name!r} has no hierarchy")
    nodes = tree.levels[level]
    first = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1]))  # codes below a node stand together
    label = (np.cumsum(np.isin(np.arange(len(nodes)), first)) - 1).astype(np.int32)
    counts = np.bincount(label, weights=column.counts, minlength=len(first)).astype(np.int64)
    values = pl.Series(column.name, [tree.labels[node] for node in nodes[first].tolist()], dtype=pl.String)
    return Domain(column.name, values, counts), label


def _shown(table: Tuples, columns: Sequence[Domain], levels: Levels, found: Partition) -> Partition:
    """What was found, with the node that every part shows of the columns that were generalized."""
    edits: dict[str, Ints] = {}
    told = []
    for column, level in zip(columns, levels, strict=True):
        if level and column.taxonomy is not None:
            edits[column.name] = column.taxonomy.levels[level][table.codes[column.name][found.tuples]].astype(np.int64)
            told.append(f"{column.name!r} at level {level} of {len(column.taxonomy.levels) - 1}")
    notes = (f"sensitive values were generalized in every row: {', '.join(told)}",) if told else ()
    return replace(found, edits=edits, notes=(*found.notes, *notes))
