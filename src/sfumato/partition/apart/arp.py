"""ARP: rows that agree in what goes with the sensitive column stay together, and each block is refined.

The quasi-identifiers are ordered by φ², their mean square contingency with the sensitive column. A block is split by
the values of the first; parts in which a value fills more than 1/L are merged with neighbours until none does; every
part is split by the next column. L is the number of different values that keeps the promise. The blocks are then cut
into groups of different values (`refine`), or stay as they are (`initial_only`, the paper's AIP).

Guarantee: that of refinement; with `initial_only`, no value fills more than 1/L of a group. Where one fills more than
1/L of the whole table and the promise survives merging, the table is one group if that keeps it.

Deviations from the paper: merging goes on until every part meets the demand (one pass, as printed, outputs parts that
do not). A merged part may be split by the next column (`split_merged: false` for the paper's rule, by which Adult is
one block from l = 4 on: its first attribute has two values, and one of them fails). Columns of more than 100 values are
split at equal frequencies. φ² is taken in descending order, as the paper's section on ordering says; elsewhere it says
ascending.

Complexity: O(rows × quasi-identifiers + blocks × parts × sensitive values).

Reference: Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility.

>>> strength(np.array([[2, 0], [0, 2]]))
1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.fit import Fit, refused
from sfumato.models.contract import Groups, Model, concerned
from sfumato.partition.contract import Partition, Task
from sfumato.partition.steps.refine import fit_refined, refined
from sfumato.partition.uniform import Uniform, without_gaps
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

if TYPE_CHECKING:
    from sfumato.policy.methods import Arp as Options

__all__ = ["ArpPartitioner", "strength"]

_BINS = 100
"""Most parts that a block is split into at once."""


@dataclass(frozen=True)
class ArpPartitioner:
    """The partitioner of `partition: {method: arp}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if self.options.initial_only and not model.survives_merging:
            who = concerned(model, lambda part: not part.survives_merging, "excludes", "exclude")
            return refused(f"blocks that are not refined have equal values, which {who}")
        return fit_refined("ARP", model)

    def fit_persons(self, model: Model) -> Fit:
        if self.options.initial_only:
            return refused("blocks that are not refined may hold two rows of one person (initial_only: false)")
        return self.fit(model)

    def partition(self, task: Task) -> Partition:
        from sfumato.partition.apart.loops.arp import initial

        table, uniform = task.table, Uniform.of(task)
        counts = np.bincount(uniform.values, weights=table.counts, minlength=1)
        if int(counts.max()) * uniform.size > table.rows or not table.rows:
            return _whole(task, uniform.size)
        secret = task.randomness.numbers(1, "arp")[0]
        bins = self._bins(table, uniform.values, len(counts))
        labels = initial(
            bins, uniform.values, table.counts, len(counts), uniform.size, self.options.split_merged, secret
        )
        if self.options.initial_only:
            return Partition.of(table, _held(task, labels))
        return refined(task, Partition.of(table, labels), ordered=True, own=self.options.residuals == "own")

    def _bins(self, table: Tuples, values: NDArray[np.int32], domain: int) -> NDArray[np.uint8]:
        """The bins of every tuple, column by column in the order in which they split."""
        from sfumato.partition.apart.loops.arp import cross, gather

        columns = table.quasi
        bins = [_binned(column) for column in columns]
        strengths = []
        for column, each in zip(columns, bins, strict=True):
            found = np.zeros((int(each.max(initial=0)) + 1, domain), dtype=np.int64)
            cross(table.codes[column.name], each, values, table.counts, found)
            strengths.append(strength(found))
        sign = 1 if self.options.order == "ascending" else -1
        made = np.empty((len(values), len(columns)), dtype=np.uint8)
        for place, column in enumerate(np.argsort(sign * np.array(strengths), kind="stable").tolist()):
            gather(table.codes[columns[column].name], bins[column], made, place)
        return made


def _whole(task: Task, size: int) -> Partition:
    """The table as one group, if that keeps the promise."""
    task.require_feasible()
    reason = f"one value fills more than 1/{size} of the table, so that it cannot be split"
    if not task.model.survives_merging or task.table.person is not None:
        raise NoneFound(f"{task.model.promise}: {reason}")
    return Partition.of(task.table, np.zeros(len(task.table), dtype=np.int64), notes=(reason,))


def _held(task: Task, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Neighbouring blocks merged until all keep the promise: where it speaks of several columns, they may not yet."""
    statistics = tuple(columns for columns in task.model.statistics if columns)
    while True:
        broken = ~task.model.holds(Groups.of(task.table, labels, statistics))
        if not broken.any():
            return labels
        if len(broken) == 1:
            task.require_feasible()
            raise ValueError("the whole table keeps the promise, yet not as one block")
        partner = np.arange(len(broken)) ^ 1
        partner[-1] = len(broken) - 2
        block = np.arange(len(broken))
        np.minimum.at(block, partner[broken], block[broken])
        block[broken] = np.minimum(block[broken], partner[broken])
        labels = without_gaps(block[block][labels])


def strength(table: NDArray[np.int64]) -> float:
    """φ² of a table of counts: 0 if the columns are independent, 1 if one determines the other."""
    shares = table / max(table.sum(), 1)
    rows, columns = shares.sum(axis=1, keepdims=True), shares.sum(axis=0, keepdims=True)
    least = min(int((rows > 0).sum()), int((columns > 0).sum()))
    if least < 2:
        return 0.0
    expected = rows * columns
    square = np.divide((shares - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    return float(square.sum()) / (least - 1)


def _binned(column: Domain) -> NDArray[np.uint8]:
    """A bin for every code: itself, or if there are many, bins of about as many rows each."""
    if column.size <= _BINS:
        return np.arange(column.size, dtype=np.uint8)
    before = np.cumsum(column.counts) - column.counts
    return (before * _BINS // max(int(column.counts.sum()), 1)).clip(0, _BINS - 1).astype(np.uint8)
