"""Suppressing terms: groups stay as they are, and where they break a promise about terms, some terms go.

Each group that breaks one loses the terms that cost least, proven so or within a gap that is stated (`cheapest`).
Removing a term may create a link, so nothing is taken for granted: what is left is judged again. A group that nothing
helps joins the nearest other group, or is suppressed.

Guarantee: every group that is left keeps every promise about terms, exactly judged. Groups are searched in parallel;
neither their number nor the order of rows changes the result.

Two-phase anonymization: P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values,
CIKM 2010, section 3. Deviation: the search, unless one of the paper's is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.knowledge.belief import LabelPromise
from sfumato.knowledge.judge import judge
from sfumato.knowledge.linking import TermSets, link
from sfumato.models.contract import Groups
from sfumato.partition.contract import Partition, Task
from sfumato.partition.leftover import unseen
from sfumato.partition.steps.terms.gather import GroupBoxes, first_rows
from sfumato.partition.steps.terms.search import Removal, TermSearch
from sfumato.progress import silent
from sfumato.table.domain import SetDomain
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["Asked", "Settling", "settled", "suppress_terms"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


_RULES = "terms: linked rows stay linked, and no other row is linked to a single label; no other suppression was tried"
"""What `cheapest` and `no suppression helped` are said of: see `sfumato.partition.steps.terms.cheapest`."""


@dataclass(frozen=True, eq=False)
class Asked:
    """The promises about the terms of one column, and the set of every row, these one by one."""

    column: SetDomain
    promises: tuple[LabelPromise, ...]
    codes: NDArray[np.int32]

    @cached_property
    def offsets(self) -> Ints:
        """Where the terms of every row begin, if those of row after row stand in one line; and where they end."""
        return self.column.offsets(self.codes)

    def broken(self, groups: Sequence[Ints]) -> Flags:
        """Which groups break a promise as they are."""
        column = self.column
        return ~self._judged(groups, self.codes.astype(np.int64), column.terms, None)

    def holds(self, rows: Ints, keep: Sequence[Flags]) -> bool:
        """Whether a group keeps all promises with the terms that stay."""
        column, codes = self.column, self.codes[rows]
        left = [column.terms[code][stays] for code, stays in zip(codes.tolist(), keep, strict=True)]
        ends = np.concatenate(([0], np.cumsum([len(terms) for terms in left]))).astype(np.int64)
        sets = TermSets(ends, np.concatenate([np.empty(0, np.int32), *left]))
        lengths = None if column.lengths is None else column.lengths[codes]
        return bool(self._judged([np.arange(len(rows))], np.arange(len(rows)), sets, lengths)[0])

    def _judged(self, groups: Sequence[Ints], set_of: Ints, sets: TermSets, lengths: Ints | None) -> Flags:
        column = self.column
        links = column.links if sets is column.terms else link(column.told, sets, column.unknown, lengths)
        ends = np.concatenate(([0], np.cumsum([len(rows) for rows in groups]))).astype(np.int64)
        members = set_of[np.concatenate([np.empty(0, np.int64), *groups])]
        verdicts = [judge(promise, column.told, sets, links, ends, members).holds for promise in self.promises]
        kept: Flags = np.logical_and.reduce(verdicts)
        return kept


@dataclass(eq=False)
class Settling:
    """Groups on their way: rows of each, what is removed from each column, and who was joined or left out.

    The task has the rows of the table one by one. Groups are numbered in the order of what they hold.
    """

    task: Task
    table: Tuples
    asked: Sequence[Asked]
    search: TermSearch
    groups: dict[int, Ints]
    hidden: int | None
    removals: dict[tuple[str, int], Removal]
    merged: int = 0
    joined: int = 0
    withheld: int = 0

    def settle(self) -> None:
        """Until no group is left that nothing helps."""
        fresh = list(self.groups)
        while fresh:
            lost = self._searched(fresh)
            if lost and self.search.otherwise == "fail":
                raise self._none_found()
            fresh = self._join(lost) if lost and self.search.otherwise == "merge" else []
            if self.search.otherwise == "withhold":
                self._withhold(lost)

    def finished(self, found: Partition) -> Partition:
        """The partition that results; `found` is the one that it began with."""
        same = not (self.merged or self.joined or self.withheld)
        labels = found.labels if same else np.full(self.task.table.rows, -1, np.int64)
        if not same:
            for label, each in enumerate(each for each in sorted(self.groups) if each != self.hidden):
                labels[self.groups[each]] = label
        return Partition.of_each(
            self.table,
            labels,
            found.recoding if same else None,
            {name: found.edits_of_each(name) for name in found.edits},
            (*found.notes, *_notes(self)),
            {each.column.name: _stays(each, self) for each in self.asked if _loses(each.column, self)},
        )

    def removal(self, asked: Asked, rows: Ints) -> Removal | None:
        """What to remove of a group, None if it keeps the promise as it is."""
        if not bool(asked.broken([rows])[0]):
            return None
        return self.search.removals(asked, [rows], replace(self.task, progress=silent))[0]

    def _searched(self, fresh: Sequence[int]) -> list[int]:
        """Search some groups; those that nothing helps."""
        lost: dict[int, None] = {}
        for asked in self.asked:
            groups = [self.groups[each] for each in fresh]
            broken = asked.broken(groups)
            wanted = [each for each, breaks in zip(fresh, broken.tolist(), strict=True) if breaks]
            found = self.search.removals(asked, [self.groups[each] for each in wanted], self.task)
            for each, removal in zip(wanted, found, strict=True):
                self.removals[asked.column.name, each] = removal
                if removal.keep is None:
                    lost[each] = None
        if self.hidden in lost:
            raise NoneFound(
                f"{len(self.groups[self.hidden or 0])} suppressed rows are kept as a class (suppression.keep), which no"
                " suppression of terms makes keep the promise; set suppression.keep: false, or promise less"
            )
        return sorted(lost)

    def _join(self, lost: Sequence[int]) -> list[int]:
        """Every group that nothing helps goes to the nearest one; the groups that result."""
        others = [each for each in self.groups if each != self.hidden]
        if len(others) < 2:
            raise self._none_found()
        boxes = GroupBoxes.of(self.task, [self.groups[each] for each in others])
        place = {each: at for at, each in enumerate(others)}
        root = {each: each for each in others}
        for each in lost:
            nearest = others[boxes.nearest(place[each])]
            one, other = _top(root, each), _top(root, nearest)
            if one != other:
                root[max(one, other)] = min(one, other)
        changed: dict[int, list[Ints]] = {}
        for each in others:
            changed.setdefault(_top(root, each), []).append(self.groups[each])
        made = {top: parts for top, parts in changed.items() if len(parts) > 1}
        for each in others:
            if _top(root, each) != each:
                del self.groups[each]
                self.merged += 1
        for top, parts in made.items():
            rows = np.concatenate(parts)
            self.groups[top] = rows[np.argsort(self.task.table.content[rows], kind="stable")]
        gone = [key for key in self.removals if key[1] not in self.groups or key[1] in made]
        for key in gone:
            del self.removals[key]
        return sorted(made)

    def _withhold(self, lost: Sequence[int]) -> None:
        for each in lost:
            self.withheld += len(self.groups.pop(each))
            for asked in self.asked:
                self.removals.pop((asked.column.name, each), None)
        if not [each for each in self.groups if each != self.hidden]:
            raise self._none_found()

    def _none_found(self) -> NoneFound:
        """As one group, which suppresses nothing, the table keeps what comes nearest."""
        model, table = self.task.model, self.task.table
        whole = Groups.whole(table, tuple(columns for columns in model.statistics if columns))
        nearest = None if bool(model.holds(whole)[0]) else model.nearest(whole)
        return NoneFound(
            f"{model.promise}: no suppression of terms makes all {table.rows} rows keep it, nor does joining groups:"
            f" {model.obstacle(whole)}; promise less, or complete the knowledge",
            nearest,
        )


def suppress_terms(task: Task, found: Partition, asked: Sequence[Asked], search: TermSearch) -> Partition:
    """The partition with terms suppressed where its groups break a promise; groups joined or left out where needed."""
    return settled(task, found, asked, search).finished(found)


def settled(task: Task, found: Partition, asked: Sequence[Asked], search: TermSearch) -> Settling:
    """What to suppress in the groups of a partition; none is withheld where what is missing would break a promise."""
    step = _settled(task, found, asked, search)
    if step.withheld and not unseen(step.task, step.finished(found).labels):
        return _settled(task, found, asked, replace(search, otherwise=search.instead))
    return step


def _settled(task: Task, found: Partition, asked: Sequence[Asked], search: TermSearch) -> Settling:
    table, task = task.table, task.each()
    labels = found.labels
    count = int(labels.max(initial=-1)) + 1
    content = task.table.content
    groups = first_rows(labels, count)
    groups.sort(key=lambda rows: content[rows].tolist())
    hidden = None
    if task.keep and found.suppressed:
        hidden = count
        groups.append(np.flatnonzero(labels < 0))
    step = Settling(task, table, asked, search, dict(enumerate(groups)), hidden, {})
    step.settle()
    return step


def _loses(column: SetDomain, step: Settling) -> bool:
    return any(name == column.name and removal.keep is not None for (name, _), removal in step.removals.items())


def _stays(asked: Asked, step: Settling) -> Flags:
    column, offsets = asked.column, asked.offsets
    stays = np.ones(int(offsets[-1]), np.bool_)
    for (name, each), removal in step.removals.items():
        if name == column.name and removal.keep is not None:
            for row, flags in zip(step.groups[each].tolist(), removal.keep, strict=True):
                stays[offsets[row] : offsets[row + 1]] = flags
    return stays


def _top(root: dict[int, int], each: int) -> int:
    while root[each] != each:
        each = root[each]
    return each


def _notes(step: Settling) -> list[str]:
    notes = []
    for asked in step.asked:
        name = asked.column.name
        removals = [removal for (column, _), removal in step.removals.items() if column == name]
        if not removals:
            notes.append(f"terms of {name!r}: {counted(len(step.groups), 'group')}, and nothing had to be suppressed")
            continue
        proven = sum(removal.proven for removal in removals)
        gap = max((removal.gap for removal in removals), default=Fraction(0))
        told = f"suppressed in {len(removals)} of {counted(len(step.groups), 'group')}, proven cheapest in {proven}"
        text = f"terms of {name!r}: {told}"
        notes.append(text if proven == len(removals) else f"{text}, elsewhere at most {float(gap):.4g} too dear")
    if step.removals or step.merged or step.withheld:
        notes.append(_RULES)
    if step.merged:
        notes.append(f"terms: {counted(step.merged, 'group')} joined with the nearest, as no suppression helped")
    if step.withheld:
        notes.append(f"terms: {counted(step.withheld, 'row')} left out, as no suppression helped their groups")
    return notes
