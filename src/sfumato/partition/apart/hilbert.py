"""Hilbert: rows in the order of a space-filling curve, grouped with the next ones of different sensitive value.

Every row is a point, a hierarchy's leaves in their order, each column spread over the same length; the Hilbert curve
puts points in a line so that neighbours on it are neighbours in space. Rows of one sensitive value wait in a bucket, in
that order. A group takes the first rows of the l buckets whose first rows come earliest.

Guarantee: every group has at least l rows, all with different values; ⌊n/l⌋ groups, the n mod l rows left over joined
to the nearest that lack their values. Rows in excess of ⌊n/l⌋ of a value are suppressed as far as the policy allows.

Deviations from the review of the method: greedy choice alone gets stuck (values b c a a at l = 2: b with c leaves a
and a), so a bucket that holds as many rows as groups are still to be made gives one to each of them. Sides of the cube
have as many bits as the widest column needs, but no more than 63 in all, or 6 each; wider columns are cut into cells.
Several sensitive columns and persons differ as well; rows that find no group are suppressed, or put together with whole
groups into one that keeps the promise though values repeat in it (`leftover`), or the run is refused.

`order: idistance` lines rows up by reference points instead of the curve (see `idistance`); groups are taken as before.

Complexity: O(n log m) for m sensitive values, after a sort.

Reference: Ghinita, Karras, Kalnis, Mamoulis: Fast data anonymization with low information loss. VLDB 2007.
https://dl.acm.org/doi/10.5555/1325851.1325938
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import Fit
from sfumato.models.contract import Model
from sfumato.partition.apart.apart import Apart
from sfumato.partition.apart.idistance import by_distance
from sfumato.partition.contract import Partition, Task
from sfumato.partition.uniform import fit_uniform
from sfumato.table.few import loops_for
from sfumato.table.packing import Packed

if TYPE_CHECKING:
    from sfumato.policy.methods import Hilbert as Options

__all__ = ["HilbertPartitioner", "ranks_on_curve"]

Points = NDArray[np.float64]
_WORD, _LEAST = 63, 6
_ORDERS: Mapping[str, Callable[[Points], NDArray[np.int64]] | None] = {"hilbert": None, "idistance": by_distance}
"""Other orders of points than that of the curve, by name."""


@dataclass(frozen=True)
class HilbertPartitioner:
    """The partitioner of `partition: {method: hilbert}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        return fit_uniform("Hilbert", model)

    def fit_persons(self, model: Model) -> Fit:
        return fit_uniform("Hilbert", model, persons=True)

    def partition(self, task: Task) -> Partition:
        from sfumato.partition.apart.loops.hilbert import follow
        from sfumato.partition.apart.loops.shelf import shelved

        apart = Apart.of(task)
        table = apart.task.table
        names, values = _secretly(apart)
        ranks = ranks_on_curve(apart, _ORDERS[self.options.order])
        bits = int(ranks.max(initial=0)).bit_length()
        rows = loops_for(len(ranks)).order(((values.astype(np.int64) << bits) | ranks).reshape(-1, 1))
        counts = np.bincount(values, minlength=len(names))
        starts, shelf = np.concatenate(([0], np.cumsum(counts))), shelved(counts, np.arange(len(names)))
        if len(table.sensitive) > 1 or not table.alike:
            # Rows alike on the curve may differ elsewhere: chance decides between them.
            rows = rows[np.lexsort((apart.chance()[rows], ranks[rows], values[rows]))]
        labels = np.empty(len(rows), dtype=np.int64)
        values = np.repeat(np.arange(len(names), dtype=np.int32), counts)
        labels[rows] = follow(starts, ranks[rows], values, apart.others[rows], shelf, apart.size, apart.exactly)
        return apart.finished(labels)


def _secretly(apart: Apart) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Values under secret numbers, so that chance decides between buckets that are equal otherwise."""
    names = apart.task.randomness.shuffle(int(apart.values.max(initial=0)) + 1, "order of values")
    return names, names.astype(np.int32)[apart.values]


def ranks_on_curve(apart: Apart, instead: Callable[[Points], NDArray[np.int64]] | None = None) -> NDArray[np.int32]:
    """Where each row comes on the curve, as small numbers; equal rows are equal.

    instead    another order of the points that occur, which it gets in that of the curve, sides from 0 to 1
    """
    from sfumato.partition.apart.loops.hilbert import curve

    table = apart.task.table
    counted = table if table.counted is None else table.counted
    quasi = [column for column in counted.quasi if column.size > 1]
    if not quasi:
        return np.zeros(len(apart.rows), dtype=np.int32)
    which = counted.of_each[apart.rows] if len(apart.rows) < table.rows else counted.of_each
    taking = np.bincount(which, minlength=len(counted))
    columns = [(counted.codes[column.name], column.size) for column in quasi]
    if not taking.all():
        columns = [(codes[taking > 0], size) for codes, size in columns]
        which = (np.cumsum(taking > 0) - 1)[which]
    packed = Packed.of(columns, taking[taking > 0], canonical=False)
    widest = max(column.size - 1 for column in quasi).bit_length()
    bits = min(widest, max(_WORD // len(quasi), _LEAST))
    sizes = np.array([column.size for column in quasi], dtype=np.int64)
    index = curve(packed.words, packed.fields, sizes, bits)
    if bits < widest:  # points of one cell in an order of their own
        index = np.concatenate((packed.words, index), axis=1)
    loops = loops_for(len(index))
    numbers, _ = loops.number_ordered(index, loops.order(index))
    if instead is not None:
        points = np.empty((int(numbers.max()) + 1, len(quasi)))
        for side, column in enumerate(quasi):
            points[numbers, side] = packed.codes(side) / (column.size - 1)
        numbers = instead(points)[numbers].astype(np.int32)
    found: NDArray[np.int32] = packed.of_each(numbers)[which]
    return found
