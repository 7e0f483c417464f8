"""SWEEP for what is published: a class is closed whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.models.contract import Groups, Histogram
from sfumato.partition.contract import Task
from sfumato.partition.sweep.blur import Blur
from sfumato.partition.sweep.climb import Climb
from sfumato.partition.sweep.dissolve import Closed, dissolved
from sfumato.partition.sweep.information import Levels
from sfumato.partition.sweep.landings import Landings
from sfumato.partition.sweep.steps_up import StepsUp
from sfumato.table.tuples import Columns

if TYPE_CHECKING:
    from sfumato.partition.sweep.loops.classes import Filter
    from sfumato.partition.sweep.loops.judging import Caps, Tree

__all__ = ["Swept", "Whole", "bounds_of", "code_bits"]

Ints = NDArray[np.int64]
Cut = Mapping[str, Mapping[int, int]]
"""Per column, the node that every base value is shown as."""

_WIDE = 2**62
_ROUNDED = 1e-9
STEPS = 3
"""Steps up that a class takes before it is closed, about: the way loses so many times what the next one does."""
_CELLS = 1 << 22
"""Most counts, of classes by codes, to be kept side by side."""
_COST = 64
"""Of a bundled item, in looks at one: to bundle it and to keep it up to date."""


@dataclass(frozen=True, eq=False)
class Swept:
    """What a sweep found: the class of every tuple, per class its level vector and one of its tuples, sensitive values
    as published, and notes."""

    labels: Ints
    vectors: Ints
    first: Ints
    edits: Mapping[str, Ints] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def bounds_of(bounds: Sequence[Fraction], rows: int) -> Caps | None:
    """As whole numbers; None if these are too large to be multiplied with as many rows."""
    from sfumato.partition.sweep.loops.judging import Caps

    if rows * max((bound.denominator for bound in bounds), default=1) >= _WIDE:
        return None
    top, bottom = [bound.numerator for bound in bounds], [bound.denominator for bound in bounds]
    return Caps(np.array(top, dtype=np.int64), np.array(bottom, dtype=np.int64))


def code_bits(codes: int) -> NDArray[np.uint64]:
    """A bit per code, the last for all beyond."""
    return np.uint64(1) << np.minimum(np.arange(codes), 63).astype(np.uint64)


def _only(kept: NDArray[np.bool_], owner: Ints) -> int:
    """Owners know only classes that are kept, by new numbers; how many these are."""
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    owner[:] = np.where(owner < 0, -1, number[owner])
    return int(kept.sum())


@dataclass(eq=False)
class Whole:
    """A run: items are labelled class by class.

    secret     a code per tuple for all sensitive columns together that are counted
    parts      per statistic, what it counts of every such code
    balance    how dear a generalized sensitive value is; None: in the last class alone, if at all
    closed     the level vector of every class
    first      an item of every class
    blurred    of every class the place of its cut among those of all, or -1
    """

    task: Task
    levels: Sequence[Levels]
    vectors: Ints
    blurs: Mapping[str, Blur]
    bounds: Sequence[Fraction]
    balance: Fraction | None
    parts: dict[Columns, Ints] = field(init=False)
    climb: Climb = field(init=False)
    labels: Ints = field(init=False)
    closed: list[int] = field(init=False, default_factory=list)
    first: list[int] = field(init=False, default_factory=list)
    blurred: list[int] = field(init=False, default_factory=list)
    made: list[Ints] = field(init=False, default_factory=list)
    cuts: dict[int, Cut] = field(init=False, default_factory=dict)
    ranks: dict[str, list[int]] = field(init=False)
    _known: dict[tuple[tuple[int, int], ...], Cut | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        table, statistics = self.task.table, [each for each in self.task.model.statistics if each]
        names = tuple(dict.fromkeys(name for each in statistics for name in each))
        secret = table.counted_by(names) if names else np.zeros(len(table), dtype=np.int32)
        codes = table.size_of(names) if names else 1
        self.parts = {}
        for each in statistics:
            self.parts[each] = np.arange(codes, dtype=np.int64)
            if each != names:
                self.parts[each][secret] = table.counted_by(each)
        self.climb = Climb.of(table, self.levels, secret, codes, code_bits(codes))
        self.labels = np.full(len(self.climb.items.rows), -1, dtype=np.int64)
        shuffle = self.task.randomness.shuffle
        self.ranks = {name: shuffle(len(blur.shares), f"ties of {name}").tolist() for name, blur in self.blurs.items()}

    def swept(self) -> Swept:
        """Close classes from vector to vector, then the rest."""
        codes, bounds, last = self._codes, self._bounds, len(self.vectors) - 1
        if self.balance is not None and bounds is None:
            raise Refused("SWEEP's balance: tau or psi has too many digits to be counted exactly; round it")
        if not (self.blurs and self.task.edits):
            self.task.require_feasible()
        self.climb.require_few(len(self.vectors))
        walk, vector, left = Landings(self.climb, self.vectors, code_bits(codes), _COST), 0, self.task.table.rows
        looks = self._looks
        while vector < last:
            at = int(looks[np.searchsorted(looks, vector)])
            look = vector == at < last
            wanted, judge = (self._hoped(vector), None) if look else (self._wanted(), bounds)
            vector, opens, owner, count = walk.next(vector, wanted, judge, vector + 1 if look else at)
            if not count:
                continue
            cuts: Ints | None = None
            if look:
                count, cuts = self._weighed(walk, vector, opens, owner, count)
            elif judge is None:
                kept = np.asarray(self.task.model.holds(self._groups(self._runs(walk, opens, owner, count))))
                count = _only(kept, owner)
            if count:
                order, place, members = walk.members(opens, owner, count)
                self._closed(vector, place, members, None if cuts is None else cuts[order])
                walk.close(vector, members)
                left -= int(self.climb.items.rows[members].sum())
                self._progress(left)
            vector += 1
        self._last()
        return self._finished()

    def _closed(self, vector: int, place: Ints, members: Ints, cuts: Ints | None) -> None:
        """Items become classes, with sensitive values as a cut shows them if it begins with a node."""
        begin = len(self.closed)
        self.labels[members] = begin + np.repeat(np.arange(len(place) - 1), np.diff(place))
        self.closed += [vector] * (len(place) - 1)
        self.first += members[place[:-1]].tolist()
        changed = np.zeros(len(place) - 1, dtype=np.bool_) if cuts is None else cuts[:, 0] >= 0
        self.blurred += np.where(changed, sum(map(len, self.made)) + np.cumsum(changed) - 1, -1).tolist()
        if cuts is not None:
            self.made.append(cuts[changed])

    def _progress(self, left: int) -> None:
        self.task.progress("partition", self.task.table.rows - left, self.task.table.rows)

    @property
    def _codes(self) -> int:
        return max((len(part) for part in self.parts.values()), default=1)

    def _wanted(self) -> Filter:
        """What every class that keeps the promise has; different values only of one column."""
        from sfumato.partition.sweep.loops.classes import Filter

        model = self.task.model
        alone = len(self.parts) == 1
        return Filter(max(model.least_rows(), 1), model.distinct_l() if alone else 1, self._codes)

    def _hoped(self, vector: int) -> Filter:
        """What a class has that may be closed at a vector with generalized sensitive values, or as it is.

        Its most frequent value has at least its share of the rows, and half of these are lost where it is generalized:
        with too few different values that is more than the way up from here loses of any row.
        """
        from sfumato.partition.sweep.loops.classes import Filter

        spent = 2 * float(self._steps.most[vector]) * self._ahead(vector) / float(self.balance or 1)
        distinct = ceil((1 - _ROUNDED) / spent) if spent > 0 else self._codes + 1
        return Filter(1, min(distinct, self._wanted().distinct), self._codes)

    def _ahead(self, vector: int) -> int:
        """Steps up that are reckoned with, from a vector."""
        return min(STEPS, int(self.vectors[vector].sum()))

    def _groups(self, runs: Histogram, cut: Cut | None = None) -> Groups:
        """Classes to be judged, with sensitive values as a cut shows them."""
        mine = np.repeat(np.arange(runs.groups), np.diff(runs.starts))
        sizes = np.zeros(runs.groups, dtype=np.int64)
        np.add.at(sizes, mine, runs.counts)
        made: dict[Columns, Histogram] = {}
        for name, part in self.parts.items():
            shown = part[runs.values]
            if cut is not None and len(name) == 1 and name[0] in cut:
                shown = np.array([cut[name[0]][base] for base in shown.tolist()], dtype=np.int64)
            elif len(self.parts) == 1:
                made[name] = runs
                continue
            span = int(shown.max(initial=0)) + 1
            keys, place = np.unique(mine * span + shown, return_inverse=True)
            counts = np.zeros(len(keys), dtype=np.int64)
            np.add.at(counts, place.reshape(-1), runs.counts)
            starts = np.searchsorted(keys, np.arange(runs.groups + 1) * span)
            made[name] = Histogram(starts.astype(np.int64), keys % span, counts)
        return Groups(sizes, made)

    def _cut(self, runs: Histogram) -> Cut | None:
        """One class with sensitive values generalized by whole subtrees; None if that does not help."""
        key = tuple(zip(runs.values.tolist(), runs.counts.tolist(), strict=True))
        if key not in self._known:
            found: dict[str, Mapping[int, int]] = {}
            for name, blur in self.blurs.items():
                nodes = blur.by_subtrees(self._of_column(runs, name), self.ranks[name])
                if nodes is not None:
                    found[name] = nodes
            holds = bool(found) and bool(self.task.model.holds(self._groups(runs, found))[0])
            self._known[key] = found if holds else None
        return self._known[key]

    def _of_column(self, runs: Histogram, name: str) -> dict[int, int]:
        counts: dict[int, int] = {}
        for base, count in zip(self.parts[(name,)][runs.values].tolist(), runs.counts.tolist(), strict=True):
            counts[base] = counts.get(base, 0) + count
        return counts

    def _runs(self, walk: Landings, opens: Ints, owner: Ints, count: int) -> Histogram:
        """What classes hold."""
        from sfumato.partition.sweep.loops.judging import count_classes

        starts, values, counts = count_classes(walk.store.items, opens, owner, count, self._codes)
        return Histogram(starts, values[: starts[-1]], counts[: starts[-1]])

    def _weighed(self, walk: Landings, vector: int, opens: Ints, owner: Ints, count: int) -> tuple[int, Ints]:
        """Classes that keep the bounds, or lose less by generalized sensitive values than by the way up, as the next
        levels above them let expect: how many; their cuts. `owner` knows only them then."""
        from sfumato.partition.sweep.loops.judging import blur_classes, keeping
        from sfumato.partition.sweep.loops.looks import Way, weigh_classes

        dear, ahead, bounds = float(self.balance or 1), self._ahead(vector), self._bounds
        if count * self._codes <= _CELLS:
            codes, lost = self._steps.next_of(vector, self.climb.codes)
            way, store = Way(codes, lost, float(self._steps.most[vector]), ahead, dear), walk.store
            kept, cuts = weigh_classes(
                store.items,
                store.place,
                store.below,
                walk.roots,
                opens,
                owner,
                count,
                self._codes,
                way,
                self._tree,
                bounds,
            )
            return int(kept), np.asarray(cuts)
        runs = self._runs(walk, opens, owner, count)
        holds = np.asarray(keeping(runs.starts, runs.counts, bounds))
        spent = self._steps.spent(vector, self.climb.codes, walk.a_member(opens, owner, count))
        most = np.add.reduceat(runs.counts, runs.starts[:-1]) * spent * ahead / dear
        cuts = np.asarray(blur_classes(runs.starts, runs.values, runs.counts, holds, most, self._tree, bounds))
        return _only(holds, owner), cuts[holds]

    @cached_property
    def _steps(self) -> StepsUp:
        return StepsUp.of(self.levels, self.vectors)

    @property
    def _looks(self) -> Ints:
        """The vectors at which classes may be closed with their sensitive values generalized, and the last."""
        dear = None if self.balance is None else float(self.balance) / STEPS
        mine = np.zeros(0, dtype=np.int64) if dear is None else self._steps.worth_a_look(self.bounds, dear)
        return np.unique(np.append(mine, len(self.vectors) - 1))

    @cached_property
    def _bounds(self) -> Caps | None:
        return bounds_of(self.bounds, self.task.table.rows) if self.bounds else None

    @cached_property
    def _tree(self) -> Tree:
        """Of the only column that may be generalized."""
        from sfumato.partition.sweep.loops.judging import Tree

        (name,) = self.blurs
        blur, column = self.blurs[name], self.task.table[name]
        tree, codes = column.taxonomy, np.arange(column.size, dtype=np.int64)
        shares: NDArray[Any]
        shares, scale = blur.rounded(column.size), 1 - _ROUNDED
        if blur.fits(self.task.table.rows, column.size):
            shares, scale = blur.table(self.task.table.rows, column.size), blur.scale
        first, last = (codes, codes) if tree is None else (tree.first, tree.last)
        rank = np.array(self.ranks[name], dtype=np.int64)
        return Tree(shares, scale, np.array(blur.parent, dtype=np.int64), first, last, rank)

    def _last(self) -> None:
        """The rest as one class, generalized where that helps, joined by the classes closed last where it does not."""
        items, owner = self.climb.items, self.climb.owner
        order = np.argsort(self.labels, kind="stable")
        begins = np.searchsorted(self.labels[order], np.arange(len(self.closed) + 1)).tolist()
        counts = np.zeros(self._codes, dtype=np.int64)
        rest = self.labels[owner] < 0
        np.add.at(counts, items.values[rest], items.counts[rest])
        while counts.any() or not self.closed:
            values = np.flatnonzero(counts)
            runs = Histogram(np.array([0, len(values)]), values, counts[values])
            cut: Cut | None = None
            kept = bool(self.task.model.holds(self._groups(runs))[0])
            if not kept and self.task.edits:
                cut = self._cut(runs)
            if kept or cut is not None:
                mine = np.flatnonzero(self.labels < 0)
                self.labels[mine] = len(self.closed)
                if cut is not None:
                    self.cuts[len(self.closed)] = cut
                self.closed.append(len(self.vectors) - 1)
                self.first.append(int(mine[0]))
                self.blurred.append(-1)
                return
            if not self.closed:
                self.task.require_feasible()
                raise ValueError("the whole table keeps the promise, yet not as one class")
            self.closed.pop()
            self.first.pop()
            self.blurred.pop()
            joined = order[begins[len(self.closed)] : begins[len(self.closed) + 1]]
            self.labels[joined] = -1
            for item in joined.tolist():
                runs_of = slice(items.starts[item], items.starts[item + 1])
                np.add.at(counts, items.values[runs_of], items.counts[runs_of])

    def _finished(self) -> Swept:
        climb, edits = self.climb, {}
        closed, first = (np.array(each, dtype=np.int64) for each in (self.closed, self.first))
        labels = self.labels
        for name in self.blurs:
            values = self.parts[(name,)][climb.items.values]
            nodes = self._shown(name, values)
            if self.balance is not None and self._bounds is not None:
                found = Closed(labels, closed, first, nodes)
                labels, closed, first, nodes = dissolved(
                    found, climb, self.levels, self.vectors, values, self._tree, self._bounds, self.balance
                )
            if (nodes != values).any():
                edits[name] = climb.of_tuples(nodes)
        return Swept(climb.of_tuples(labels[climb.owner]), self.vectors[closed], climb.a_tuple(first), edits)

    def _shown(self, name: str, values: Ints) -> Ints:
        """What every run shows of a column."""
        runs, nodes = self.labels[self.climb.owner], values.copy()
        if any(map(len, self.made)):
            which = np.array(self.blurred, dtype=np.int64)[runs]
            nodes = np.where(which >= 0, np.concatenate(self.made)[which, values], values)
        for group, cut in self.cuts.items():
            shown = np.arange(self.task.table[name].size)
            for base, node in cut.get(name, {}).items():
                shown[base] = node
            nodes = np.where(runs == group, shown[values], nodes)
        return nodes
