"""Polish: a bounded local search that lowers the loss of any partition and keeps its promise.

Groups are split where both parts keep the promise, rows move to near groups where both groups then keep it (suppressed
ones too), and a few near groups at a time are dissolved and dealt anew, nearest rows first, if that costs no more. Rows
are near in orders by the columns in turn, another one each time.

Guarantee: every group keeps the promise, as the model itself judges; the loss is never higher than before, by the
policy's own measure; no row is suppressed that was not. Groups are dealt anew unjudged only where no model can tell:
either all rows differ in what is promised about, before and after, and are as many as the model says is enough; or
every group holds the same values as before. No group gets two rows of one person. Groups with generalized sensitive
values stay as they are, and so do groups of many rows, but for moves and splits. What groups show is chosen anew.

The work is counted (rows compared with groups), not timed, so the same task gives the same result everywhere, and more
work never a higher loss as long as the loss is a sum over cells. Other losses are searched with the price of their
cells and measured after each round.

Complexity: near linear for a round; as many rounds as the work allows, or until some have gained nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Groups, Histogram, Model
from sfumato.partition.chance import content_keys
from sfumato.partition.contract import Partition, Task
from sfumato.partition.partition_loss import measured
from sfumato.partition.prices import prices_of
from sfumato.partition.uniform import without_gaps

if TYPE_CHECKING:
    from sfumato.kernels.box_prices import Prices
    from sfumato.partition.steps.loops.crowds import Crowds
    from sfumato.partition.steps.loops.rebuild import Sharing

__all__ = ["polished"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_STEP = 2.0**-30
"""Prices are whole multiples of this share of the dearest row, so that sums are exact in any order."""
_PATIENCE = 12
"""Rounds without gain before it ends."""
_SELDOM = 4
"""Rounds from one look at splits, and at the loss, to the next."""
_STEPS = 256
"""Pools that a round tries, at least."""
_TURNS = 4
"""Times in a round that groups which are not apart are dealt anew."""
_CHUNK = 4096
"""Rows whose moves are judged at once."""
_JUDGED = 1 << 19
"""Rows of groups that are judged at once, about."""
_WINDOW = 6
"""Neighbours to either side whose groups a row may move to."""


def polished(task: Task, found: Partition, work: int) -> Partition:
    """The partition, improved by so much work; without any, as it is."""
    if not work or not (found.groups >= 0).any():
        return found
    given, task = task, task.each()
    found = _one_by_one(given, found)
    plain = replace(found, recoding=None)
    best, least = found, measured(given, found)
    if found.recoding is not None:
        loss = measured(given, plain)
        if (loss <= least).all():
            best, least = plain, loss
    search = _Polishing.of(task, found, work)
    for labels in search.rounds():
        made = replace(plain, groups=labels)
        loss = measured(given, made)
        if (loss <= least).all() and search.sound(labels):
            best, least = made, loss
    return best


def _one_by_one(task: Task, found: Partition) -> Partition:
    """The same partition with a part per row."""
    edits = {name: found.edits_of_each(name) for name in found.edits}
    kept = {domain.name: found.terms_of_each(domain, task.table) for domain in task.table.sets}
    terms = {name: stays for name, stays in kept.items() if stays is not None}
    return Partition.of_each(task.table, found.labels, found.recoding, edits, found.notes, terms)


def _arranged(task: Task, found: Partition) -> tuple[Ints, Ints]:
    """Rows in the order of what they hold, and a label for each, groups being numbered by what they hold, whatever
    numbers they came with. Rows that hold the same are interchangeable and share labels by chance."""
    from sfumato.kernels.chance import absorb

    table, chance, labels = task.table, task.randomness, found.labels
    keys = content_keys(table, chance, "polish rows")
    content = np.empty(len(labels), dtype=np.int64)
    content[:] = _runs(keys)
    further = [found.edits[name].astype(np.int32) for name in sorted(found.edits)]
    further += [] if table.person is None else [table.person]
    secrets = chance.numbers(len(further) + len(table.beside), "polish columns")
    for codes, secret in zip(further, secrets, strict=False):
        absorb(keys, codes, secret)
    sorting: list[NDArray[Any]] = [*further, content]
    order = np.lexsort(sorting)
    content[order] = _runs(keys[order])
    count, kept = int(labels.max()) + 1, np.flatnonzero(labels >= 0)
    first, mixed = np.full(count, len(labels)), np.zeros(count, dtype=np.uint64)
    np.minimum.at(first, labels[kept], content[kept])
    np.add.at(mixed, labels[kept], keys[kept])
    place = np.full(count + 1, -1, dtype=np.int64)
    place[np.lexsort((mixed, first))] = np.arange(count)
    named = place[labels]
    for column, secret in zip(table.beside, secrets[len(further) :], strict=True):
        absorb(keys, table.codes[column.name], secret)
    return np.lexsort((keys, content)), named[np.lexsort((named, content))]


def _runs(keys: NDArray[np.uint64]) -> Ints:
    """Equal neighbours as one number."""
    return np.cumsum(np.concatenate(([0], (keys[1:] != keys[:-1]).astype(np.int64))))


@dataclass(eq=False)
class _Polishing:
    """Groups that change. Rows are numbered in the order of what they hold; `order` says which they are.

    whole     the price of a suppressed row, 0 if these stay
    left      of the work
    """

    task: Task
    order: Ints
    crowds: Crowds
    rules: Sharing
    prices: Prices
    whole: float
    left: int

    @classmethod
    def of(cls, task: Task, found: Partition, work: int) -> _Polishing:
        from sfumato.partition.steps.loops.crowds import gather
        from sfumato.partition.steps.loops.rebuild import Sharing

        order, labels = _arranged(task, found)
        columns = [column for column in task.table.quasi if column.size > 1]
        prices, whole = _whole_numbers(prices_of(columns, task.loss, "loss"))
        codes = np.empty((len(order), len(columns)), dtype=np.int32)
        for place, column in enumerate(columns):
            codes[:, place] = task.table.codes[column.name][order]
        count = int(labels.max()) + 1
        room = count + len(labels) // max(task.model.least_rows(), 1)
        values, keys, persons = _keys(task, order)
        fixed = np.zeros(room, dtype=np.bool_)
        for name, shown in found.edits.items():
            edited = shown[order] != task.table.codes[name][order]
            fixed[labels[edited & (labels >= 0)]] = True
        rules = Sharing(values, keys, persons, np.zeros(room, dtype=np.bool_), fixed)
        return cls(task, order, gather(codes, labels, room, prices), rules, prices, whole, work)

    def rounds(self) -> Iterator[Ints]:
        """Labels after each round; the loss by prices only falls."""
        cost, seen, idle, number, work = self._cost(), self._cost(), 0, 0, self.left
        while self.left > 0 and idle < _PATIENCE:
            near = self._near(number)
            if number % _SELDOM == 0:
                self._split()
            self._move(near, number)
            self._find_apart()
            self._regroup(near, number)
            self._rebuild(near, number)
            number, before, cost = number + 1, cost, self._cost()
            idle = 0 if cost < before else idle + 1
            ended = self.left <= 0 or idle == _PATIENCE
            self.task.progress("polish", work - max(self.left, 0), work)
            if cost < seen and (number % _SELDOM == 0 or ended):
                seen = cost
                yield self._labels()

    def sound(self, labels: Ints) -> bool:
        """Whether every group keeps the promise, and kept suppressed rows do. It is so; this makes sure."""
        kept = labels >= 0
        holds = self._holds(self.task.model, np.flatnonzero(kept), labels[kept], int(labels.max()) + 1)
        fixed = np.zeros(len(holds), dtype=np.bool_)
        fixed[labels[self.order][self.rules.fixed[self.crowds.group] & (self.crowds.group >= 0)]] = True
        left = np.flatnonzero(~kept)
        return bool((holds | fixed).all()) and self._kept_apart(left)

    def _kept_apart(self, rows: Ints) -> bool:
        """Whether suppressed rows keep what they must as a class of their own; none do."""
        alone = self.task.alone
        return alone is None or not len(rows) or bool(self._holds(alone, rows, np.zeros_like(rows), 1)[0])

    def _holds(self, model: Model, rows: Ints, labels: Ints, groups: int) -> Flags:
        """Which groups keep the promise; rows may be in several."""
        table = self.task.table
        statistics = {
            columns: Histogram.of(labels, table.counted_by(columns)[rows], table.counts[rows], groups)
            for columns in model.statistics
            if columns
        }
        return model.holds(Groups(np.bincount(labels, minlength=groups).astype(np.int64), statistics))

    def _labels(self) -> Ints:
        labels = np.empty(len(self.order), dtype=np.int64)
        labels[self.order] = self.crowds.group
        return without_gaps(labels)

    def _cost(self) -> float:
        hidden = int((self.crowds.group < 0).sum())
        return float(self.crowds.size @ self.crowds.cost) + hidden * self.whole

    def _near(self, number: int) -> Ints:
        """Rows by all columns, in an order of the columns that is new every time."""
        turns = self.task.randomness.shuffle(self.crowds.codes.shape[1], f"polish columns {number}")
        ties = self.task.randomness.numbers(len(self.order), f"polish order {number}")
        keys: list[NDArray[Any]] = [ties, *(self.crowds.codes[:, column] for column in turns)]
        return np.lexsort(keys)

    def _find_apart(self) -> None:
        """Which groups are of rows that all differ, and enough of them."""
        from sfumato.partition.steps.loops.crowds import differ

        size = self.task.model.uniform_l()
        if size is None or not self.rules.persons:
            return
        exactly = self.task.model.uniform_exactly
        many = self.crowds.size == size if exactly else self.crowds.size >= size
        self.rules.apart[:] = many & differ(self.crowds, self.rules.keys)

    def _rebuild(self, near: Ints, number: int) -> None:
        from sfumato.partition.steps.loops.rebuild import rebuild

        state = self.task.randomness.numbers(1, f"polish pools {number}")
        steps = max(len(near), _STEPS)
        self.left -= rebuild(self.crowds, self.rules, self.prices, near, state, steps, self.left)

    def _regroup(self, near: Ints, number: int) -> None:
        """Deal near groups anew, where the promise then holds: for groups whose rows do not all differ."""
        from sfumato.partition.steps.loops.rebuild import pools, regroup

        chance = self.task.randomness.numbers(_TURNS, f"polish groups {number}")
        if (self.rules.apart | (self.crowds.size == 0)).all():
            return
        steps = max(len(near) // _TURNS, _STEPS)
        for turn in range(_TURNS):
            if self.left <= 0:
                return
            rows, labels, groups, work = pools(
                self.crowds, self.rules, self.prices, near, chance[turn : turn + 1].copy(), steps
            )
            self.left -= work + len(rows)
            if len(groups):
                holds = self._holds(self.task.model, self.order[rows], labels, len(groups))
                holds |= np.bincount(labels, minlength=len(groups)) == 0  # dissolved
                first = np.flatnonzero(np.diff(groups[:, 1], prepend=-1))
                fine = np.logical_and.reduceat(holds, first)
                regroup(self.crowds, self.prices, rows, labels, groups, fine)
        self._find_apart()

    def _split(self) -> None:
        """Split groups, until none can be."""
        from sfumato.partition.steps.loops.changes import apply_splits, splits

        least = max(self.task.model.least_rows(), 1)
        begin, again = 0, False
        while begin < len(self.crowds.size) and self.left > 0:
            rows, labels, owners, gains, begin, work = splits(
                self.crowds, self.rules, self.prices, begin, len(self.crowds.size), least, _JUDGED
            )
            self.left -= work + len(rows)
            if len(owners):
                holds = (
                    self._holds(self.task.model, self.order[rows], labels, 2 * len(owners)).reshape(-1, 2).all(axis=1)
                )
                chosen = _firsts(owners, np.where(holds, gains, 0.0))
                free = self._free(int(chosen.sum()))
                apply_splits(self.crowds, self.prices, rows, labels, chosen, owners, free)
                again = again or bool(chosen.any())
            if begin == len(self.crowds.size) and again:  # parts may be split once more
                begin, again = 0, False

    def _free(self, wanted: int) -> Ints:
        """At least so many numbers that no group has: those of dissolved groups, and new ones if these are too few."""
        from sfumato.partition.steps.loops.crowds import gather

        free = np.flatnonzero(self.crowds.size == 0)
        if len(free) < wanted:
            more = np.zeros(wanted, dtype=np.bool_)
            apart, fixed = (np.concatenate((flags, more)) for flags in (self.rules.apart, self.rules.fixed))
            self.rules = self.rules._replace(apart=apart, fixed=fixed)
            self.crowds = gather(self.crowds.codes, self.crowds.group, len(fixed), self.prices)
            free = np.flatnonzero(self.crowds.size == 0)
        self.rules.apart[free] = False
        return free

    def _move(self, near: Ints, number: int) -> None:
        """Rows move to near groups, suppressed ones as well; these stay if those left would not keep the promise."""
        hidden = self.crowds.group < 0
        before = self.crowds.group.copy() if self.task.alone is not None and self.whole and hidden.any() else None
        self._move_rows(near, number)
        if before is not None and not self._kept_apart(self.order[self.crowds.group < 0]):
            from sfumato.partition.steps.loops.crowds import gather

            self.crowds = gather(self.crowds.codes, before, len(self.crowds.size), self.prices)
            self.whole = 0.0

    def _move_rows(self, near: Ints, number: int) -> None:
        from sfumato.partition.steps.loops.changes import apply_moves, moved, moves

        model, place = self.task.model, np.empty_like(near)
        place[near] = np.arange(len(near))
        rows = self.task.randomness.shuffle(len(near), f"polish rows {number}")
        hidden = self.crowds.group[rows] < 0
        rows = rows[hidden] if model.uniform_exactly else rows[~hidden | (self.whole > 0)]
        least = max(model.least_rows(), 1)
        for begin in range(0, len(rows), _CHUNK):
            if self.left <= 0:
                return
            chunk = rows[begin : begin + _CHUNK]
            seen = np.full(len(self.crowds.size), -1, dtype=np.int64)
            found, targets, gains, count, work = moves(
                self.crowds, self.rules, self.prices, chunk, near, place, _WINDOW, least, self.whole, seen
            )
            found, targets, gains = found[:count], targets[:count], gains[:count]
            self.left -= work
            ranked = np.argsort(-gains, kind="stable")
            sizes = self.crowds.size[targets] + self.crowds.size[self.crowds.group[found]]
            ranked = ranked[: np.searchsorted(np.cumsum(sizes[ranked]), _JUDGED) + 1]
            found, targets = found[ranked], targets[ranked]
            members, labels = moved(self.crowds, found, targets)
            self.left -= len(members)
            holds = self._holds(self.task.model, self.order[members], labels, 2 * len(found)).reshape(-1, 2)
            holds[:, 0] |= self.crowds.group[found] < 0
            fine = holds.all(axis=1)
            apply_moves(self.crowds, self.prices, found[fine], targets[fine])


def _firsts(owners: Ints, gains: NDArray[np.float64]) -> Flags:
    """The largest gain of every owner, if it gains."""
    ranked = np.lexsort((-gains, owners))
    first = np.concatenate(([True], owners[ranked][1:] != owners[ranked][:-1]))
    chosen = np.zeros(len(owners), dtype=np.bool_)
    chosen[ranked[first]] = True
    return chosen & (gains > 0)


def _keys(task: Task, order: Ints) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    """What the promise speaks of as one number per row; the same column by column, with the person as the last; and how
    many columns are not the person."""
    table = task.table
    names = tuple(dict.fromkeys(name for statistic in task.model.statistics for name in statistic))
    columns = [table.codes[name] for name in names]
    values = table.counted_by(names) if names else np.zeros(table.rows, dtype=np.int32)
    if table.person is not None:
        columns.append(table.person)
    keys = np.stack(columns, axis=1) if columns else np.empty((table.rows, 0), dtype=np.int32)
    return values[order], np.ascontiguousarray(keys[order], dtype=np.int32), len(names)


def _whole_numbers(prices: Prices) -> tuple[Prices, float]:
    """Prices as whole numbers from 0 on, and that of a row which shows nothing."""
    from sfumato.kernels.box_prices import LINE, TABLE

    numbers, total = prices.numbers.copy(), 0.0
    ends = np.append(prices.offset, len(numbers))[1:]
    for kind, offset, end, size, weight in zip(*prices[:2], ends, prices.size, prices.weight, strict=True):
        least = 0.0
        if kind != LINE:  # a single value may cost more or less than nothing
            mine = numbers[offset:end]
            least = float((mine[:: size + 1] if kind == TABLE else mine[:size]).min())
            mine -= least
        total += float(weight) - least
    scale = 1 / (_STEP * total) if total > 0 else 1.0
    made = prices._replace(numbers=np.rint(numbers * scale), weight=np.rint(prices.weight * scale))
    return made, float(np.rint(total * scale)) or 1.0
