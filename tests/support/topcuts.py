"""Top cuts of tables made by hand, with rows in chunks, and the groups that come of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task
from sfumato.partition.mondrian.asks import Asks, Tallied, count
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.partition.mondrian.topdown import TopCuts
from sfumato.policy.methods import Mondrian
from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout

Ints = NDArray[np.int64]
Looks = frozenset[tuple[int, ...]]
"""A group as the different tuples that it holds."""


@dataclass(frozen=True)
class Chunked:
    """A store: the rows of a table as words, in chunks, each counted by itself."""

    layout: WordLayout
    chunks: tuple[tuple[Ints, Ints | None], ...]

    @classmethod
    def of(cls, table: Tuples, ends: Sequence[int] = (), weighted: bool = True) -> Chunked:
        layout = WordLayout.of_table(table)
        words, counts = layout.pack(table.codes), table.counts
        parts = np.split(np.arange(len(words)), sorted(ends))
        return cls(layout, tuple((words[part], counts[part] if weighted else None) for part in parts))

    def tally(self, asks: Asks) -> Tallied:
        return Tallied.all_of(asks, (count(asks, [chunk]) for chunk in self.chunks))

    def rows_of(self, top: TopCuts, place: int) -> tuple[Ints, Ints]:
        """Words and counts of one of the nodes."""
        kept = [(words, top.leaves.leaf_of(words) == place, counts) for words, counts in self.chunks]
        ones = [np.ones(len(words), dtype=np.int64) if counts is None else counts for words, _, counts in kept]
        return (
            np.concatenate([words[which] for words, which, _ in kept]),
            np.concatenate([each[which] for each, (_, which, _) in zip(ones, kept, strict=True)]),
        )


def bare(table: Tuples) -> Tuples:
    """What the columns of a table are, without any of its rows."""
    none = np.zeros(0, dtype=np.int32)
    return replace(
        table,
        counts=np.zeros(0, dtype=np.int64),
        codes=dict.fromkeys(table.codes, none),
        content=np.zeros(0, dtype=np.int64),
        row=None,
    )


def cut(task: Task, store: Chunked, small: int, room: int = 1 << 20) -> TopCuts:
    """All top cuts of a task, whose table is used for its columns alone."""
    top = TopCuts.start(replace(task, table=bare(task.table)), task.table.rows, store.layout, small, room)
    while top.open:
        top = top.told(store.tally(top.asks()))
    return top


def finished(task: Task, store: Chunked, top: TopCuts) -> set[Looks]:
    """The groups, nodes finished one by one."""
    groups: set[Looks] = set()
    for place, node in enumerate(top.nodes):
        table = store.layout.tuples(*store.rows_of(top, place), bare(task.table))
        assert table.rows == node.rows
        groups |= (
            grouped(replace(task, table=table)) if place < len(top.work) else {looks(table, np.arange(len(table)))}
        )
    return groups


def grouped(task: Task) -> set[Looks]:
    """The groups of the ordinary partitioner."""
    parts = MondrianPartitioner(Mondrian()).partition(task)
    return {looks(task.table, parts.tuples[parts.groups == group]) for group in range(int(parts.groups.max()) + 1)}


def looks(table: Tuples, which: Ints) -> Looks:
    names = sorted(table.codes)
    return frozenset(zip(*(table.codes[name][which].tolist() for name in names), strict=True))
