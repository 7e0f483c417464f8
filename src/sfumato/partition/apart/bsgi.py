"""BSGI: bucketize by sensitive value, select the nearest rows of the fullest buckets, incorporate what is left.

A group starts with a random row of the fullest bucket; each of the next fullest gives the row that adds least
information loss. When fewer than l buckets have rows, what is left joins the group that it costs least, of those that
lack its value.

Guarantee: every group has at least l rows, all with different values: pairwise l-diversity, and simple l even where a
recipient cannot tell groups apart. If no value has more than ⌊n/l⌋ rows there are ⌊n/l⌋ groups, and the n mod l rows
left over have different values, so that each finds a group. The best l is ⌊n / rows of the most frequent value⌋.

Deviations from the paper: where a value has more rows, the paper puts the last of them into a group that has it already
and breaks its promise (a a a b at l = 2 gives a 3/4 chance); here they are suppressed as far as the policy allows, and
otherwise the run is refused. Rows left over go where they raise the loss least; by `incorporate: total`, the printed
rule, to the group whose loss is least with them, which favours tight groups wherever the row lies. What is near is
measured by the paper's metric, by heights, or by the policy's own loss (`information: loss`): the paper rests on none.
Several sensitive columns and persons must differ both in selection and in incorporation; a bucket without such a row is
passed over for the next fullest, and what finds no group is suppressed, or put together with whole groups into one that
keeps the promise though values repeat in it (`leftover`), or the run is refused. "Exactly l" leaves out the n mod l
rows.

`bsgi-free` is the better choice: always the fullest buckets is a rule that costs information. A bucket has to give only
when it holds as many rows as groups are still to be made; otherwise the nearest row of any unused bucket is taken. As
many groups, and the same promise.

Complexity: near O(n log n) for few quasi-identifiers, by a tree per bucket; the choices are those of O(n²) search.

Reference: Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
https://doi.org/10.1007/978-3-540-85654-2_3
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
from sfumato.partition.dealing import dealt
from sfumato.partition.prices import prices_of
from sfumato.partition.uniform import fit_uniform
from sfumato.table.domain import Domain
from sfumato.table.packing import Column, Packed

if TYPE_CHECKING:
    from sfumato.kernels.box_prices import Prices
    from sfumato.policy.methods import Bsgi as Faithful
    from sfumato.policy.methods import BsgiFree as Free

__all__ = ["BsgiPartitioner", "Points"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class BsgiPartitioner:
    """The partitioner of `partition: {method: bsgi}` and `partition: {method: bsgi-free}`."""

    options: Faithful | Free

    def fit(self, model: Model) -> Fit:
        return fit_uniform(self._name, model)

    def fit_persons(self, model: Model) -> Fit:
        return fit_uniform(self._name, model, persons=True)

    @property
    def _name(self) -> str:
        return "BSGI" if self.options.method == "bsgi" else "BSGI-free"

    def partition(self, task: Task) -> Partition:
        apart = Apart.of(task)
        task = apart.task
        points = Points.of(apart)
        prices = prices_of(points.columns(apart), task.loss, self.options.information)
        whole = self.options.incorporate == "total"
        members, left, joined = points.grouped(apart, prices, self.options.method == "bsgi-free", whole)
        return apart.finished(points.dealt(members, left, joined, apart))


@dataclass(frozen=True, eq=False)
class Points:
    """The different rows, in an order of their own: by bucket first.

    codes, others    of the quasi-identifiers that vary, and of further columns to differ in
    home             the bucket of each
    shuffled         points in secret random order
    walk             the points of every bucket, once per row, in secret random order: bucket b's from bounds[b] on
    """

    packed: Packed
    numbers: Codes
    codes: Codes
    others: Codes
    home: Codes
    shuffled: Ints
    walk: Codes
    bounds: Ints

    @classmethod
    def of(cls, apart: Apart) -> Points:
        table, chance = apart.task.table, apart.task.randomness
        quasi = cls.columns(apart)
        names = {column.name for column in quasi}
        rest = [column for column in table.sensitive if column.name not in names]
        inner: list[Column] = [(table.codes[column.name][apart.rows], column.size) for column in rest]
        others: list[Column] = [(codes, int(codes.max(initial=0)) + 1) for codes in apart.others.T]
        shown: list[Column] = [(table.codes[column.name][apart.rows], column.size) for column in quasi]
        buckets = int(apart.values.max(initial=0)) + 1
        columns = [*inner, *others, *shown, (apart.values, buckets)]
        packed = Packed.of(columns, np.ones(len(apart.rows), dtype=np.int64), canonical=True)
        if packed.numbers is None:
            raise AssertionError("canonical combinations number every row")
        begin, end = len(inner), len(inner) + len(others)
        home = packed.codes(end + len(shown)).astype(np.int32)
        walk = np.repeat(np.arange(len(home), dtype=np.int32), packed.counts)
        shuffled = walk[np.lexsort((chance.numbers(len(walk), "first rows"), home[walk]))]
        return cls(
            packed,
            packed.numbers,
            _matrix(packed, range(end, end + len(shown))),
            _matrix(packed, range(begin, end)),
            home,
            chance.shuffle(len(home), "points"),
            shuffled,
            np.concatenate(([0], np.cumsum(np.bincount(apart.values, minlength=buckets)))),
        )

    @property
    def buckets(self) -> int:
        return len(self.bounds) - 1

    @staticmethod
    def columns(apart: Apart) -> tuple[Domain, ...]:
        """Quasi-identifiers that vary."""
        return tuple(column for column in apart.task.table.quasi if column.size > 1)

    def grouped(self, apart: Apart, prices: Prices, free: bool, whole: bool = False) -> tuple[Ints, Ints, Ints]:
        """Points of every group, points left over, and the groups that these join (-1: none).

        free     any bucket may give, not the fullest alone
        whole    what is left over joins the group that loses least with it, not the one that it adds least to
        """
        from sfumato.partition.apart.loops.bsgi import incorporate, select
        from sfumato.partition.apart.loops.nearest import grow, start
        from sfumato.partition.apart.loops.shelf import shelved

        size, groups, chance = apart.size, len(apart.rows) // apart.size, apart.task.randomness
        shelf = shelved(np.diff(self.bounds), chance.shuffle(self.buckets, "equally full"))
        trees = np.array([0, len(self.home)]) if free else np.searchsorted(self.home, np.arange(self.buckets + 1))
        order = np.argsort(self.home[self.shuffled], kind="stable") if not free else np.arange(len(self.home))
        order = self.shuffled[order].astype(np.int32)
        forest = grow(self.codes, self.home, order, trees, prices, chance.numbers(1, "equally near")[0])
        codes, others, home, live = (part[order] for part in (self.codes, self.others, self.home, self.packed.counts))
        place = np.empty_like(order)
        place[order] = np.arange(len(order), dtype=np.int32)
        room = start(codes.shape[1], size)
        found = select(
            forest, codes, others, home, live, prices, shelf, place[self.walk], self.bounds, room, groups, free
        )
        members = order.astype(np.int64)[found]
        taken = np.bincount(members.reshape(-1), minlength=len(order))
        left = np.repeat(self.shuffled, (self.packed.counts - taken)[self.shuffled])
        if apart.exactly or not len(left):
            return members, left, np.full(len(left), -1, dtype=np.int64)
        joined = incorporate(self.codes, self.others, prices, self.home, members, left, 2 * size, whole)
        return members, left, joined

    def dealt(self, members: Ints, left: Ints, joined: Ints, apart: Apart) -> Ints:
        """Labels of rows: those of one point take its places by chance."""
        points = np.concatenate((members.reshape(-1), left))
        groups = np.concatenate((np.repeat(np.arange(len(members)), members.shape[1]), joined)).astype(np.int32)
        places = groups[np.lexsort((groups, points))]
        return dealt(self.numbers, self.packed.counts, places, apart.task.randomness)


def _matrix(packed: Packed, columns: range) -> Codes:
    """Codes of some columns, a row per combination."""
    made = np.empty((len(packed.counts), len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        made[:, place] = packed.codes(column)
    return made
