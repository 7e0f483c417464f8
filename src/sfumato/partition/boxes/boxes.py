"""Boxes: the local recoding of least loss, as far as the work allows.

Every row may be shown as any box above it: a node of each column's hierarchy. A box that is used must keep the promise
with the rows that are shown as it, all of them pay what it costs, and equal boxes are one class. That is facility
location with lower bounds (Karger, Minkoff 2000; Guha, Meyerson, Munagala 2000).

First all boxes are listed that could keep the promise and are not much dearer than the cheapest one of some row in
them, or than the cheapest in which there is room for its value. Then the rows' prices are raised together until boxes
stop them, which says how dear each row must be, and which boxes go together. By prices a first solution is built, the
dearest rows first; and steps make it better: a cheaper box is opened for a row with those that gain most from it, or a
few near classes are dissolved; and what has no box then is given one anew, with what others can spare.

Guarantee: every group keeps the promise, as the model itself judges. For models that survive merging and say how a
compiled search can check them (`Model.gauge`).

Rows that find no place are left out within the limit, or put together with others. It is weakest where groups are
compared with the whole table (t-closeness): prices know of rows and different values alone.

The work is counted, not timed, so the same task gives the same result everywhere.

Columns without a hierarchy are cut into runs of values for the search, at the price of as many values as a class must
have. They show the interval or set that a class really needs, and a second stage deals near classes anew by that.

References: Karger, Minkoff: Building Steiner trees with incomplete global knowledge. FOCS 2000.
https://doi.org/10.1109/SFCS.2000.892329
Guha, Meyerson, Munagala: Hierarchical placement and network design problems. FOCS 2000.
https://doi.org/10.1109/SFCS.2000.892328
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Groups, Model, concerned
from sfumato.partition.boxes.items import BoxItems
from sfumato.partition.boxes.search import Search
from sfumato.partition.boxes.shown import showing_less, shows_less
from sfumato.partition.contract import Partition, Task
from sfumato.partition.dealing import dealt
from sfumato.partition.leftover import settled
from sfumato.partition.uniform import without_gaps

if TYPE_CHECKING:
    from sfumato.policy.methods import Boxes as Options

__all__ = ["WORK", "BoxesPartitioner"]

Ints = NDArray[np.int64]
WORK = 5_000
"""For each different row, unless a policy says how much."""
_FIRST = 4
"""The part of the work that is done before the second stage, if there is one."""


@dataclass(frozen=True)
class BoxesPartitioner:
    """The partitioner of `partition: {method: boxes}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if model.gauge() is not None:
            return NATIVE
        if not model.survives_merging:
            reason = "boxes of the same look are one class, which needs promises that survive merging"
            return refused(f"{reason}; {concerned(model, lambda part: not part.survives_merging, 'does', 'do')} not")
        who = concerned(model, lambda part: part.gauge() is None, "is", "are")
        return refused(f"boxes checks counts of one column at every step, and {who} not checked so; take mondrian")

    def partition(self, task: Task) -> Partition:
        task.require_feasible()
        gauge = task.model.gauge()
        if gauge is None or not any(column.size > 1 for column in task.table.quasi):
            return _one_group(task)
        items = BoxItems.of(task, gauge)
        search = Search.of(task, items, gauge)
        work = WORK * len(items) if self.options.work is None else self.options.work
        first = work // _FIRST if shows_less(items) else work
        search.improve(task, first, work)
        boxes = search.labels()
        if shows_less(items):
            boxes = showing_less(task, items, gauge, boxes, first, work)
        looks = np.repeat(items.packed.of_each(np.arange(len(items), dtype=np.int32)), task.table.counts)
        labels = dealt(looks, items.rows, boxes.astype(np.int32), task.randomness)
        return _judged(task, without_gaps(labels))


def _one_group(task: Task) -> Partition:
    return Partition.of(task.table, np.zeros(len(task.table), dtype=np.int64))


def _judged(task: Task, labels: Ints) -> Partition:
    """Groups that the model does not confirm are dissolved, and what has no group then is settled."""
    each = task.each()
    statistics = tuple(columns for columns in task.model.statistics if columns)
    holds = np.append(task.model.holds(Groups.of(each.table, labels, statistics)), False)
    kept = without_gaps(np.where(holds[labels], labels, -1))
    made = settled(each, kept)
    if made is None:
        raise NoneFound("boxes found no place for all rows")
    found, note = made
    return Partition.of_each(task.table, found, notes=(note,) if note else ())
