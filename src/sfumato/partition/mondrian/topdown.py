"""Mondrian's top cuts from counts alone, of rows that somebody else holds: a file read in chunks, other machines.

    top = TopCuts.start(task, rows, layout, small=1_000_000)
    while top.open:
        top = top.told(store.tally(top.asks()))      # count(asks, chunks), added up

At the end `top.work` has the nodes of no more than `small` rows, to be finished one by one by the ordinary partitioner
(`WordLayout.tuples` makes the tuples of each), and `top.final` those that cannot be cut, which are groups.
`top.leaves` says which of `top.nodes` a row belongs to.

Guarantee: the cuts are those of strict Mondrian on the whole table, so that the groups are the same. Columns are tried
in the same order, by the same costs, cut at the same codes, and the promise judges the same counts.

Complexity: a pass over all rows per level of large nodes, one more where a first cut fails or a column is so wide that
it is counted by blocks. A pass takes `room` cells, however many rows there are, or what one node asks for; nodes that
find no room wait for the next pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Columns, Groups, Histogram, Model, concerned
from sfumato.partition.contract import Task
from sfumato.partition.mondrian.asks import Answer, Asks, CutLine, CutTree, Question, Tallied, span_of
from sfumato.partition.mondrian.halving import Halving
from sfumato.partition.mondrian.rules import BoxCosts, rules_of
from sfumato.partition.mondrian.topnodes import Halves, Searched, Sizes, TopNode
from sfumato.table.word_layout import WordLayout

if TYPE_CHECKING:
    from sfumato.partition.mondrian.loops.segments import CutRules

__all__ = ["TopCuts", "fit_top"]

Ints = NDArray[np.int64]

_ROOM = 1 << 20
_BLOCKS = 64
"""Blocks that a column is counted by, at least."""


def fit_top(model: Model) -> Fit:
    """Whether a promise can be judged by fields of words: each of its statistics counts one column."""
    if any(len(columns) > 1 for columns in model.statistics):
        who = concerned(model, lambda part: any(len(columns) > 1 for columns in part.statistics), "asks", "ask")
        return refused(f"words have a field per column, and no combination of several is counted; {who} for one")
    if not model.survives_merging:
        who = concerned(model, lambda part: not part.survives_merging, "does", "do")
        return refused(f"Mondrian relies on promises that survive merging; {who} not")
    return NATIVE


@dataclass(frozen=True, eq=False)
class _Judge:
    """What decides on cuts: rules, costs, and the promise, by statistics in one line."""

    task: Task
    rules: CutRules
    costs: BoxCosts
    statistics: tuple[tuple[Columns, int], ...]

    @classmethod
    def of(cls, task: Task) -> _Judge:
        columns, model = task.table.quasi, task.model
        statistics = tuple((names, task.table.size_of(names)) for names in model.statistics if names)
        return cls(task, rules_of(columns, model), BoxCosts.of(columns, task.loss), statistics)

    def counted(self, layout: WordLayout) -> Ints:
        """Where words have what is counted, and its places in a line."""
        sizes = np.array([size for _, size in self.statistics], dtype=np.int64)
        fields = layout.where([names[0] for names, _ in self.statistics])
        return np.column_stack((fields, np.cumsum(sizes) - sizes, sizes)).astype(np.int64)

    def searched(self, counted: Sequence[tuple[TopNode, Answer]]) -> list[Searched]:
        """Nodes whose rows were counted: in which order their columns are tried, and where each would be cut."""
        from sfumato.partition.mondrian.loops.choice import column_orders

        nodes = [node.told(answer) for node, answer in counted]
        shape = len(nodes), len(self.task.table.quasi)
        low = np.array([node.low for node in nodes], dtype=np.int64).reshape(shape)
        high = np.array([node.high for node in nodes], dtype=np.int64).reshape(shape)
        orders = column_orders(self.costs.of_boxes(low, high), low, high).tolist()
        made = []
        for node, (_, answer), order in zip(nodes, counted, orders, strict=True):
            if node.number == 0:
                self.task.model.require_feasible(self.groups([node.rows], [node.statistics]))
            halvings = {
                window.column: self._halving(node, window.column).told(window, cells)
                for window, cells, least, most in answer.windows
                if least < most
            }
            made.append(Searched(node, tuple(column for column in order if column >= 0), halvings))
        return made

    def _halving(self, node: TopNode, column: int) -> Halving:
        from sfumato.partition.mondrian.loops.choice import cut_edges

        low, high, trees = int(node.low[column]), int(node.high[column]), self.rules.trees
        edges = cut_edges(trees, column, low, high) if trees.leaves[column] >= 0 else None
        return Halving.start(column, node.rows, low, high, edges)

    def groups(self, rows: Sequence[int], lines: Sequence[Ints]) -> Groups:
        """Groups of so many rows, with these statistics."""
        flat = np.array(lines, dtype=np.int64).reshape(len(rows), -1)
        histograms, used = {}, 0
        for names, size in self.statistics:
            part = flat[:, used : used + size]
            group, values = np.nonzero(part)
            starts = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=len(rows)))))
            histograms[names] = Histogram(starts, values, part[group, values])
            used += size
        return Groups(np.array(rows, dtype=np.int64), histograms)

    def kept(self, cuts: Sequence[tuple[TopNode, int, Ints]]) -> list[bool]:
        """Whether both sides keep the promise: of nodes, so many rows to the left, with these statistics."""
        if not cuts:
            return []
        rows = [size for node, left, _ in cuts for size in (left, node.rows - left)]
        lines = [line for node, _, left in cuts for line in (left, node.statistics - left)]
        groups = self.groups(rows, lines)
        holds = self.task.model.holds(groups)
        if self.rules.wanted > 1:
            different = [np.diff(each.starts) >= self.rules.wanted for each in groups.histograms.values()]
            holds = holds & np.any([np.repeat(each[0::2] & each[1::2], 2) for each in different], axis=0)
        both: list[bool] = (holds[0::2] & holds[1::2]).tolist()
        return both


@dataclass(frozen=True, eq=False)
class _Plan:
    """A pass: which of the open nodes are asked, with which cuts tried, and the questions by node of the tree."""

    asked: tuple[TopNode | Searched, ...]
    waiting: tuple[TopNode | Searched, ...]
    tree: CutTree
    tried: tuple[Halves | None, ...]
    questions: dict[int, Question]


@dataclass(frozen=True, eq=False)
class TopCuts:
    """Where the search for top cuts stands. It is a value: `told` answers the next one.

    open      nodes that may be cut and are too large to be finished in one piece
    work      nodes of no more than `small` rows
    final     larger nodes that cannot be cut: groups
    passes    how many there were
    """

    judge: _Judge
    counted: Ints
    sizes: Sizes
    room: int
    tree: CutTree
    open: tuple[TopNode | Searched, ...] = ()
    work: tuple[TopNode, ...] = ()
    final: tuple[TopNode, ...] = ()
    passes: int = 0

    @classmethod
    def start(cls, task: Task, rows: int, layout: WordLayout, small: int, room: int = _ROOM) -> TopCuts:
        """The whole table as one node.

        task      its table says what columns are, with counts of the whole table, and needs no tuples
        rows      of the whole table
        layout    a field for every quasi-identifier and every column that the promise counts
        small     rows that are finished in one piece
        room      cells of an answer
        """
        fit = fit_top(task.model)
        if fit.status == "refused":
            raise ValueError(fit.why)
        judge, quasi = _Judge.of(task), task.table.quasi
        tree = CutTree.start(layout.where([column.name for column in quasi]))
        high = np.array([column.size - 1 for column in quasi], dtype=np.int64)
        top = cls(judge, judge.counted(layout), Sizes(small, judge.rules.least), room, tree)
        root = TopNode(0, rows, np.zeros_like(high), high, None)
        return replace(top, work=(root,)) if rows <= small else replace(top, open=(root,))

    @property
    def nodes(self) -> tuple[TopNode, ...]:
        """All nodes that are not cut, those to be finished first."""
        return (*self.work, *self.final)

    @property
    def leaves(self) -> CutTree:
        """Says of every row which of `nodes` it belongs to (`leaf_of`); to be pickled and sent."""
        return self.tree.numbered(node.number for node in self.nodes)

    def asks(self) -> Asks:
        """What is to be counted of all rows now."""
        return self._asks

    @cached_property
    def _asks(self) -> Asks:
        return Asks.of(self._plan.tree, self.counted, self._plan.questions)

    @cached_property
    def _plan(self) -> _Plan:
        """As many open nodes as there is room for, one at least; what is left of it makes blocks finer."""
        span, used, sides, windows, fitting = span_of(self.counted), 0, 0, 0, 0
        for entry in self.open:
            questions = self._questions(entry, self._tried(entry, 0), _BLOCKS).values()
            more = sum(len(question.sides) for question in questions) * span
            sizes = [window.size for question in questions for window in question.windows]
            if fitting and used + more + sum(sizes) > self.room:
                break
            used, sides, windows, fitting = used + more + sum(sizes), sides + more, windows + len(sizes), fitting + 1
        return self._planned(fitting, max(_BLOCKS, (self.room - sides) // max(windows, 1)))

    def _planned(self, count: int, blocks: int) -> _Plan:
        """A pass for the first of the open nodes."""
        cuts: list[CutLine] = []
        halves: list[Halves | None] = []
        questions: dict[int, Question] = {}
        for entry in self.open[:count]:
            tried = self._tried(entry, len(cuts))
            questions |= self._questions(entry, tried, blocks)
            halves.append(tried)
            if tried is not None and isinstance(entry, Searched):
                cuts.append(entry.line)
        return _Plan(self.open[:count], self.open[count:], self.tree.cut(cuts), tuple(halves), questions)

    def _tried(self, entry: TopNode | Searched, place: int) -> Halves | None:
        """The halves of a cut that is tried as if it were made."""
        if isinstance(entry, TopNode) or not entry.proposed(self.sizes):
            return None
        return entry.halves(self.tree.halves(place))

    def _questions(self, entry: TopNode | Searched, tried: Halves | None, blocks: int) -> dict[int, Question]:
        """What is asked for a node, by nodes of the tree. The statistics of one half are enough."""
        if isinstance(entry, TopNode):
            return {entry.number: entry.question(blocks, entry.whole is None)}
        if tried is None:
            return {entry.node.number: entry.question(blocks)}
        left, right = tried
        asked = {left.number: left.question(blocks, True) if self.sizes.large(left.rows) else Question(sides=(None,))}
        return asked | ({right.number: right.question(blocks, False)} if self.sizes.large(right.rows) else {})

    def told(self, told: Tallied) -> TopCuts:
        """The next cuts, by what was counted of all rows."""
        plan = self._plan
        answers = dict(zip(plan.questions, self._asks.answers(tuple(plan.questions.values()), told), strict=True))
        counted = [(entry, answers[entry.number]) for entry in plan.asked if isinstance(entry, TopNode)]
        cuts: list[CutLine] = []
        left, work, final = list(plan.waiting), list(self.work), list(self.final)
        for entry, tried in self._judged(plan, answers):
            if not entry.order:
                final.append(entry.node)
            elif not entry.decided:
                left.append(entry)
            else:
                halves = entry.halves(self.tree.halves(len(cuts)))
                cuts.append(entry.line)
                for half, asked in zip(halves, tried or (None, None), strict=True):
                    if not self.sizes.large(half.rows):
                        (work if half.rows <= self.sizes.small else final).append(half)
                    elif asked is None:
                        left.append(half)
                    else:
                        counted.append((half, answers[asked.number]))
        for entry in self.judge.searched(counted):
            settled = entry.settled(self.sizes.least)
            if settled.order:
                left.append(settled)
            else:
                final.append(settled.node)
        return replace(
            self,
            tree=self.tree.cut(cuts),
            open=tuple(left),
            work=tuple(work),
            final=tuple(final),
            passes=self.passes + 1,
        )

    def _judged(self, plan: _Plan, answers: Mapping[int, Answer]) -> list[tuple[Searched, Halves | None]]:
        """Nodes that were searched, with what was told of their cuts; and which cut was tried as if it were made."""
        entries: list[tuple[Searched, Halves | None]] = []
        trials: list[tuple[int, int, int, Ints]] = []
        for entry, tried in zip(plan.asked, plan.tried, strict=True):
            if isinstance(entry, TopNode):
                continue
            answer = answers[entry.node.number if tried is None else tried[0].number]
            for (column, (_, rows)), line in zip(entry.trials, answer.sides, strict=True):
                trials.append((len(entries), column, rows, line))
            entries.append((entry.told(answer) if tried is None else entry, tried))
        kept = self.judge.kept([(entries[place][0].node, rows, line) for place, _, rows, line in trials])
        for (place, column, _, line), both in zip(trials, kept, strict=True):
            entry, tried = entries[place]
            entries[place] = replace(entry, judged={**entry.judged, column: line if both else None}), tried
        return [(entry.settled(self.sizes.least), tried) for entry, tried in entries]
