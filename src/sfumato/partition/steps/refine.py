"""Refinement: every group of a partition is cut into groups of rows with pairwise different values.

A group in which no value fills more than 1/L is cut into as many groups of L different values as it has room for. What
is left over makes further groups with what neighbouring ones leave over (`residuals: own`: it does not, and what blocks
tell of correlations stays true). The rest, fewer than L rows of the whole table, goes back into groups of its own block
that lack its value as they then are. Where exactly L rows are wanted, it is suppressed within the limit.

Guarantee: all groups have at least L rows that differ in every sensitive column, L the number of them that keeps the
promise (`uniform_l`). A group in which a value fills too much, or that cannot be cut so that several columns differ,
stays whole if the promise survives merging; otherwise it is suppressed within the limit, or the task is infeasible.
Where rows must differ in several columns, or somebody has several of them, `several` does it.

Deviations from the paper: left-over rows are tested against what a group holds by then, and in their own block only
(the paper's rule can put two equal ones together). Blocks leave over the values that are scarcest among left-over
rows, and a block that leaves any has more than L values, so that fewer than L stay (ties could leave n/3 of them).
Rows are dealt in turn instead of taken from the L largest buckets, which gives as many groups. Groups across blocks
mix their quasi-identifiers: the paper's claim that the correlation with its first attribute is kept does not hold for
them.

Complexity: O(rows × log), and O(rows × groups of a block) at worst where several columns must differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound, Refused
from sfumato.fit import Fit, refused
from sfumato.models.contract import Groups, Model, concerned
from sfumato.partition.chance import content_keys
from sfumato.partition.contract import Partition, Task
from sfumato.partition.steps.several import refined_apart
from sfumato.partition.uniform import Uniform, fit_uniform
from sfumato.policy.promise import Promise
from sfumato.table.words import counted

__all__ = ["demand", "fit_refined", "refined"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]


def fit_refined(algorithm: str, model: Model, persons: bool = False) -> Fit:
    """Whether groups of different values are a way to keep the promise wherever it can be kept."""
    fit = fit_uniform(algorithm, model, persons)
    if fit.status == "refused" or model.survives_merging:
        return fit
    if _bounded(model):
        return fit
    who = concerned(model, lambda part: not part.survives_merging and not _bounded(part), "stands", "stand")
    return refused(f"{algorithm} makes groups of different values, and {who} also where there are none")


def _bounded(model: Model) -> bool:
    """Whether it can be kept only where groups of different values can be made."""
    return any(part.uniform_only() for part in model.conjuncts)


def demand(model: Model) -> Promise:
    """What blocks must keep so that they can be cut, for a promise that does not survive merging."""
    wanted = model.cuttable()
    if wanted is None:
        raise ValueError(f"{model.promise.title} cannot be refined")
    return wanted


def refined(task: Task, found: Partition, ordered: bool = False, own: bool = False) -> Partition:
    """The partition with its groups cut; what they show is chosen anew.

    ordered    neighbouring labels are neighbouring groups, whatever the order of the rows
    own        what a block leaves over stays in it, instead of making groups with what neighbours leave
    """
    if found.edits:
        raise Refused("refine looks at sensitive values as they are, and this method generalizes them unasked")
    table, task = task.table, task.each()
    labels = found.labels if ordered else _in_order(task, found.labels)
    if task.table.person is not None or Uniform.of(task).others.shape[1]:
        keys = content_keys(task.table, task.randomness, "refine rows")
        return refined_apart(task, table, labels, found.notes, keys)
    cut = _BlockCut.of(task, labels)
    groups = cut.dealt(own)
    notes = found.notes
    if cut.whole:
        notes += (f"{counted(cut.whole, 'group')} left whole, which cannot be cut into groups of different values",)
    return Partition.of_each(table, _numbered(groups), notes=notes)


def _in_order(task: Task, labels: Ints) -> Ints:
    """Labels in the order of what groups hold, whatever numbers they came with."""
    count = int(labels.max(initial=-1)) + 1
    order = np.flatnonzero(labels >= 0)
    first = np.full(count, len(labels))
    np.minimum.at(first, labels[order], np.arange(len(order)))
    mixed = np.zeros(count, dtype=np.uint64)
    keys = content_keys(task.table, task.randomness, "refine groups")
    np.add.at(mixed, labels[order], keys[order])
    # Groups may begin with equal rows; those count as one, so that only what they hold decides.
    content = keys[order]
    same = np.cumsum(np.concatenate(([False], content[1:] != content[:-1]))) if len(order) else first[:0]
    place = np.empty(count, dtype=np.int64)
    place[np.lexsort((mixed, same[first]))] = np.arange(count)
    return np.where(labels < 0, -1, place[labels])


@dataclass(eq=False)
class _BlockCut:
    """Blocks being cut: rows by block, value and chance, and the group of every row."""

    task: Task
    uniform: Uniform
    values: NDArray[np.int32]
    rows: Ints
    starts: Ints
    groups: Ints
    whole: int = 0

    @classmethod
    def of(cls, task: Task, labels: Ints) -> _BlockCut:
        from sfumato.partition.steps.loops.refine import arrange

        uniform, blocks = Uniform.of(task), int(labels.max(initial=-1)) + 1
        keys = content_keys(task.table, task.randomness, "refine rows")
        size = int(uniform.values.max(initial=-1)) + 1
        rows, starts = arrange(labels, blocks, uniform.values, size, keys)
        return cls(task, uniform, uniform.values, rows, starts, np.full(len(labels), -1, dtype=np.int64))

    def dealt(self, own: bool) -> Ints:
        """Groups that differ in one column."""
        from sfumato.partition.steps.loops.refine import deal, pool

        least, exactly = self.uniform.size, self.uniform.exactly
        luck = self.task.randomness.numbers(int(self.values.max(initial=-1)) + 1, "refine values")
        failed, left, made = pool(self.rows, self.starts, self.values, luck, least, self.groups)
        if own:
            left, made = left | (self.groups >= 0), 0
            self.groups[:] = -1
        failed = self._settled(failed)
        deal(self.rows, self.starts, failed, left if exactly else np.zeros_like(left), least, self.groups, made)
        if exactly:
            self._suppress(np.flatnonzero(left))
        return self.groups

    def _settled(self, failed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """What cannot be cut stays whole if the promise allows that, else it is left out if the policy allows that."""
        if self.task.model.survives_merging:
            self.whole = int(failed.sum())
            return failed
        lost = np.repeat(failed, np.diff(self.starts))
        self._suppress(self.rows[lost])
        self.starts = np.concatenate(([0], np.cumsum(np.diff(self.starts)[~failed])))
        self.rows = self.rows[~lost]
        return np.zeros(len(self.starts) - 1, dtype=np.bool_)

    def _suppress(self, rows: Ints) -> None:
        """Leave rows out, together with those that already are."""
        if not len(rows):
            return
        self.groups[rows] = -1
        out = len(rows) + len(self.groups) - len(self.rows)
        alone = self.task.alone
        if out > self.task.limit * len(self.groups) or (alone is not None and not self._kept_apart(alone, rows)):
            raise self._none_found(len(rows))

    def _kept_apart(self, model: Model, rows: Ints) -> bool:
        """Whether suppressed rows keep what they must as a class of their own."""
        labels = np.full(len(self.groups), 0)
        labels[np.setdiff1d(self.rows, rows)] = -1
        statistics = [columns for columns in model.statistics if columns]
        return bool(model.holds(Groups.of(self.task.table, labels, statistics))[0])

    def _none_found(self, rows: int) -> NoneFound:
        exactly = "exactly" if self.uniform.exactly else "at least"
        return NoneFound(
            f"{self.task.model.promise}: {rows} rows cannot be put into groups of {exactly} {self.uniform.size} rows"
            " that all differ, and they are more than may be suppressed (suppression.limit), or do not keep the promise"
            f" as a class of their own; {self.task.unless_alone}, or promise less"
        )


def _numbered(groups: Ints) -> Ints:
    """Labels from 0 on without gaps."""
    count = int(groups.max(initial=-1)) + 1
    used = np.zeros(count, dtype=np.int64)
    used[groups[groups >= 0]] = 1
    place = np.cumsum(used) - 1
    return np.where(groups < 0, -1, place[groups]) if count else groups
