"""Groups of rows that all differ: what BSGI, Hilbert, Anatomy, ARP and refinement make.

A model names the number of rows with pairwise different sensitive values that keep its promise (`uniform_l`). Rows of a
group differ in every sensitive column that the promise speaks of, and never belong to one person: to the algorithms a
person is one more column to differ in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, adapted, refused
from sfumato.models.contract import Model, concerned
from sfumato.partition.contract import Task

__all__ = ["Uniform", "fit_uniform", "persons_twice", "without_gaps"]


@dataclass(frozen=True, eq=False)
class Uniform:
    """What a group of rows must be.

    size       rows in a group, at least
    exactly    not one more
    values     a code per tuple: the first column in which the rows of a group differ
    others     further columns in which they differ, one matrix column each: sensitive ones, then the person
    """

    size: int
    exactly: bool
    values: NDArray[np.int32]
    others: NDArray[np.int32]

    @classmethod
    def of(cls, task: Task) -> Uniform:
        """For a model that `fit_uniform` accepts."""
        table, size = task.table, task.model.uniform_l()
        if size is None:
            raise ValueError(f"{task.model.promise.title} has no uniform size")
        columns = [table.codes[name] for name in _columns(task.model)]
        if table.person is not None:
            columns.append(table.person)
        others = np.stack(columns[1:], axis=1) if len(columns) > 1 else np.empty((len(table), 0), dtype=np.int32)
        return cls(size, task.model.uniform_exactly, columns[0], others.astype(np.int32))

    @property
    def columns(self) -> NDArray[np.int32]:
        """All columns in which the rows of a group differ."""
        return np.column_stack((self.values, self.others))


def _columns(model: Model) -> tuple[str, ...]:
    """The sensitive columns that a promise speaks of."""
    return tuple(dict.fromkeys(name for statistic in model.statistics for name in statistic))


def fit_uniform(algorithm: str, model: Model, persons: bool = False) -> Fit:
    """An algorithm that makes groups of different values can serve what such groups keep.

    persons    somebody has several rows: groups differ in whose rows they hold, whatever else
    """
    if model.uniform_l() is None:
        return refused(
            f"{algorithm} makes groups of different values, and there is no number of them that keeps"
            f" {concerned(model, lambda part: part.uniform_l() is None)}"
        )
    if not _columns(model) and not persons:
        who = concerned(model, lambda part: True, "speaks", "speak")
        return refused(
            f"{algorithm} makes groups of different sensitive values, and {who} of no sensitive"
            " column; add one that does, such as distinct-l"
        )
    only = len(model.conjuncts) == 1 and model.conjuncts[0].uniform_only()
    return NATIVE if only else adapted("by groups of different values, which is more than it asks")


def without_gaps(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same groups, numbered without gaps; -1 stays."""
    used = np.bincount(labels[labels >= 0]) > 0
    numbers = np.append(np.cumsum(used) - 1, -1)
    return numbers[labels]


def persons_twice(labels: NDArray[np.int64], person: NDArray[np.int32] | None) -> NDArray[np.bool_]:
    """Which groups hold two rows of one person."""
    groups = int(labels.max(initial=-1)) + 1
    found = np.zeros(groups, dtype=np.bool_)
    if person is None or not groups:
        return found
    chosen = labels >= 0
    keys = np.sort(labels[chosen] * (int(person.max(initial=0)) + 1) + person[chosen])
    again = keys[1:][keys[1:] == keys[:-1]]
    found[again // (int(person.max(initial=0)) + 1)] = True
    return found
