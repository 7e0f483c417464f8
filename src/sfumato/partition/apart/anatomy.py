"""Anatomy: rows with different sensitive values, dealt out without a look at the quasi-identifiers.

Rows are sorted by sensitive value, values and rows of one value in secret random order, and dealt in turn to ⌊n/l⌋
groups. No value has more rows than there are groups, so no group gets two rows of one value.

Guarantee: every group has at least l rows, all with different values; at most n mod l groups have more, as long as
there are that many. Rows in excess of ⌊n/l⌋ of a value are suppressed as far as the policy allows.

Deviations from the paper: dealing replaces its buckets and heap, with the same groups as far as their sizes and promise
go. Several sensitive columns, or persons, go to the next group that differs in all of them; rows that find none in a
bounded search are suppressed, or put together with whole groups into one that keeps the promise though values repeat in
it (`leftover`), or the run is refused.

Complexity: a sort of the rows.

Reference: Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
https://dl.acm.org/doi/10.5555/1182635.1164141
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import Fit
from sfumato.models.contract import Model
from sfumato.partition.apart.apart import Apart
from sfumato.partition.contract import Partition, Task
from sfumato.partition.uniform import fit_uniform, without_gaps

if TYPE_CHECKING:
    from sfumato.policy.methods import Anatomy as Options

__all__ = ["AnatomyPartitioner", "dealt_to_others"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class AnatomyPartitioner:
    """The partitioner of `partition: {method: anatomy}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        return fit_uniform("Anatomy", model)

    def fit_persons(self, model: Model) -> Fit:
        return fit_uniform("Anatomy", model, persons=True)

    def partition(self, task: Task) -> Partition:
        return dealt_to_others(task)


def dealt_to_others(task: Task) -> Partition:
    """Rows dealt to groups of rows that differ from them."""
    from sfumato.partition.apart.loops.dealt import deal_apart, dealt

    apart = Apart.of(task)
    groups = len(apart.rows) // apart.size
    if apart.others.shape[1]:
        order = _sorted(apart, apart.values, apart.chance())
        labels = deal_apart(order, groups, apart.size, apart.exactly, apart.values, apart.others)
        return apart.finished(without_gaps(labels))
    begins, counts, chance = _alike(apart)
    order = _sorted(apart, apart.values[begins], chance)
    places = groups * apart.size if apart.exactly else len(apart.rows)
    return apart.finished(dealt(len(apart.rows), order, begins, counts, groups, places))


def _alike(apart: Apart) -> tuple[Ints, Ints, NDArray[np.uint64]]:
    """Runs of rows that are alike: where each begins, how many there are, and their secret number."""
    if len(apart.rows) < apart.task.table.rows:
        return np.arange(len(apart.rows)), np.ones(len(apart.rows), dtype=np.int64), apart.chance()
    counts = apart.counted.counts
    return np.cumsum(counts) - counts, counts, apart.chance_of_counted()


def _sorted(apart: Apart, values: NDArray[np.int32], chance: NDArray[np.uint64]) -> NDArray[np.int32]:
    """By value and chance, the values in secret order."""
    from sfumato.kernels.chance import by_chance

    counts = np.bincount(values)
    shuffled = apart.task.randomness.shuffle(len(counts), "order of values")
    bounds = np.empty(len(counts), dtype=np.int64)
    bounds[shuffled] = np.cumsum(counts[shuffled]) - counts[shuffled]
    found: NDArray[np.int32] = by_chance(values, bounds, chance)
    return found
