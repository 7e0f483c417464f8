"""Mondrian: split the table in two again and again, as long as both halves keep the promise.

Every group is cut by the column whose generalization costs it most (loss and weights of the policy); if no cut of that
column keeps the promise on both sides, by the next one. Numbers, dates and text without a hierarchy are cut at the
median, columns with a taxonomy between two children of the node that covers the group, nearest to the median.

Guarantee: every group keeps the promise, for any model that survives merging. No row is suppressed.

Deviations from the paper: a taxonomy node is cut in two, not into all its children, so fewer cuts fail; many groups are
cut together, so a model judges many at once. `relaxed` makes halves equal, and does not apply to taxonomies: rows equal
to the median go by their other quasi-identifiers, narrow columns first, and those alike in all of them are shared out
in proportion to what is sensitive, in a secret random way; where no such cut keeps the promise, all rows equal to the
median are shared out like that.

Complexity: O(t × quasi-identifiers × depth) for t different rows, and a pass over the rows.

Reference: LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
https://doi.org/10.1109/ICDE.2006.101
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import IN_BLOCKS, NATIVE, Fit, refused
from sfumato.models.contract import Groups, Histogram, Model, concerned
from sfumato.partition.contract import Partition, Task
from sfumato.partition.dealing import dealt
from sfumato.partition.mondrian.rules import BoxCosts, rules_of
from sfumato.table.packing import Column, Packed
from sfumato.table.tuples import Codes, Columns, Tuples

if TYPE_CHECKING:
    from sfumato.partition.mondrian.loops.segments import CutRules, Fields, Scratch, Segments
    from sfumato.policy.methods import Mondrian as Options

__all__ = ["MondrianPartitioner"]

Ints = NDArray[np.int64]

_BATCH = 1 << 16
"""Records that are worked on together: as many as a cache has room for."""
_BUCKETS = 4096


@dataclass(frozen=True)
class MondrianPartitioner:
    """The partitioner of `partition: {method: mondrian}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if model.survives_merging:
            return NATIVE
        reason = "Mondrian starts from one group and relies on promises that survive merging"
        who = concerned(model, lambda part: not part.survives_merging, "does", "do")
        return refused(f"{reason}; {who} not")

    def fit_blocks(self) -> Fit:
        return IN_BLOCKS if self.options.relaxed else NATIVE

    def partition(self, task: Task) -> Partition:
        if not task.table.rows:
            task.require_feasible()
        return _Run.start(task, self.options.relaxed).partition()


@dataclass(frozen=True, eq=False)
class _Run:
    """One run: tuples packed into records that are cut into groups, and what cuts must obey."""

    task: Task
    packed: Packed
    statistics: tuple[tuple[Columns, int], ...]
    layout: Fields
    rules: CutRules
    costs: BoxCosts
    scratch: Scratch

    @classmethod
    def start(cls, task: Task, relaxed: bool) -> _Run:
        from sfumato.partition.mondrian.loops.segments import Fields, Scratch

        table, model = task.table, task.model
        statistics = tuple((name, table.size_of(name)) for name in model.statistics if name)
        # What is sensitive comes first, so that it counts least in the order of records; narrow columns count most.
        secret: list[Column] = [(table.counted_by(name), size) for name, size in statistics]
        if relaxed:  # equal rows may be parted, so that whatever else tells tuples apart counts
            secret += _others(table, {name for name, _ in statistics})
        wide_first = sorted(range(len(table.quasi)), key=lambda index: -table.quasi[index].size)
        shown: list[Column] = [
            (table.codes[column.name], column.size) for column in map(table.quasi.__getitem__, wide_first)
        ]
        packed = Packed.of(secret + shown, table.counts, canonical=relaxed)
        quasi = np.empty((len(shown), 3), dtype=np.int64)
        quasi[wide_first] = packed.fields[len(secret) :]
        layout = Fields(quasi, packed.fields[: len(statistics)], _bits(quasi, packed.words.shape[1]))
        rules = rules_of(table.quasi, model, relaxed)
        largest = max((size for _, size in statistics), default=0)
        room = np.zeros((largest + 1, 2), dtype=np.int64), np.zeros((largest, 2), dtype=np.int64)
        scratch = Scratch(np.empty(_BUCKETS, dtype=np.int64), *room)
        return cls(task, packed, statistics, layout, rules, BoxCosts.of(table.quasi, task.loss), scratch)

    def partition(self) -> Partition:
        """Groups of which each keeps the promise."""
        from sfumato.partition.mondrian.loops.halves import divide
        from sfumato.partition.mondrian.loops.segments import ROWS

        self.task.model.require_feasible(self._whole())
        rows, relaxed = self.task.table.rows, self.rules.relaxed
        counts = self.packed.counts
        places = np.cumsum(counts) - counts if relaxed else np.zeros(0, dtype=np.int64)
        groups = np.empty(rows if relaxed else len(counts), dtype=np.int32)
        waiting, done, group, step = [self._root()], 0, 0, 0
        while waiting:
            segments = waiting.pop()
            cuts = self._cuts(segments, step)
            room, records, born, group = divide(
                segments, self.layout.quasi, cuts, self.rules.least, group, places, groups
            )
            halves = room.used(records, born)
            waiting.extend(reversed(list(_batches(halves))))
            done, step = done + int(segments.spans[:, ROWS].sum() - halves.spans[:, ROWS].sum()), step + 1
            self.task.progress("partition", done, rows)
        if relaxed:
            table = self.task.table
            looks = self.packed.of_each(np.arange(len(counts), dtype=np.int32))[table.of_each]
            return Partition.of_each(table, dealt(looks, counts, groups, self.task.randomness))
        return Partition.of(self.task.table, self.packed.of_each(groups.astype(np.int64)))

    def _root(self) -> Segments:
        from sfumato.partition.mondrian.loops.halves import shrink
        from sfumato.partition.mondrian.loops.segments import Segments

        records, width = self.packed.records(), len(self.layout.quasi)
        low = np.zeros((1, width), dtype=np.int64)
        high = np.array([[column.size - 1 for column in self.task.table.quasi]], dtype=np.int64).reshape(1, width)
        shrink(records, self.layout.quasi, 0, len(records), low[0], high[0])
        return Segments(records, np.array([[0, len(records), self.task.table.rows]]), low, high)

    def _whole(self) -> Groups:
        """The table as one group."""
        histograms = {}
        for index, (name, _) in enumerate(self.statistics):
            counts = np.bincount(self.packed.codes(index), weights=self.packed.counts).astype(np.int64)
            values = np.flatnonzero(counts)
            histograms[name] = Histogram(np.array([0, len(values)]), values, counts[values])
        return Groups(np.array([self.task.table.rows]), histograms)

    def _cuts(self, segments: Segments, step: int) -> Ints:
        """For every segment the first cut whose sides keep the promise, in order of falling cost."""
        from sfumato.partition.mondrian.loops.cuts import propose
        from sfumato.partition.mondrian.loops.segments import CHANCE, no_cuts

        count = len(segments.spans)
        cuts = no_cuts(count)
        if self.rules.relaxed:
            cuts[:, CHANCE] = self.task.randomness.numbers(count, f"mondrian ties {step}") >> np.uint64(1)
        cost = self.costs.of_boxes(segments.low, segments.high)
        waiting = np.arange(count)
        while len(waiting):
            proposed = propose(segments, self.layout, self.rules, cost, self.scratch, waiting, cuts)
            waiting = proposed[~self._kept(segments, proposed, cuts)]
        return cuts

    def _kept(self, segments: Segments, which: Ints, cuts: Ints) -> NDArray[np.bool_]:
        """Whether both sides keep the promise."""
        from sfumato.partition.mondrian.loops.cuts import tally
        from sfumato.partition.mondrian.loops.segments import LEFT, ROWS

        left = cuts[which, LEFT]
        sizes = np.stack([left, segments.spans[which, ROWS] - left], axis=1).reshape(-1)
        histograms = {}
        for index, (name, domain) in enumerate(self.statistics):
            runs, values, counts = tally(segments, self.layout, index, domain, self.scratch, which, cuts)
            histograms[name] = Histogram(runs, values[: runs[-1]], counts[: runs[-1]])
        sides = self.task.model.holds(Groups(sizes, histograms))
        both: NDArray[np.bool_] = sides[0::2] & sides[1::2]
        return both


def _others(table: Tuples, known: set[Columns]) -> list[Column]:
    """What tells tuples apart beside quasi-identifiers and these statistics."""
    shown = {column.name for column in table.quasi} | {
        name for columns in known if len(columns) == 1 for name in columns
    }
    rest: list[Codes] = [*table.finer.values(), *(codes for name, codes in table.codes.items() if name not in shown)]
    rest += [] if table.person is None else [table.person]
    return [(codes, int(codes.max(initial=0)) + 1) for codes in rest]


def _bits(fields: Ints, words: int) -> Ints:
    """Per word, the bits that belong to these fields."""
    bits = np.zeros(words, dtype=np.int64)
    for word, shift, mask in fields.tolist():
        bits[word] |= mask << shift
    return bits


def _batches(segments: Segments) -> Iterator[Segments]:
    """The segments in few parts, each of as many records as are worked on together, or one segment."""
    from sfumato.partition.mondrian.loops.segments import FIRST, STOP

    share = np.cumsum(segments.spans[:, STOP] - segments.spans[:, FIRST]) // _BATCH
    ends = [*(np.flatnonzero(np.diff(share)) + 1).tolist(), len(share)]
    start = 0
    for end in ends if len(share) else ():
        yield segments._replace(
            spans=segments.spans[start:end],
            low=segments.low[start:end],
            high=segments.high[start:end],
        )
        start = end
