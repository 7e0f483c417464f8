"""Groups for each set of quasi-identifiers by itself, where a promise asks no more.

Where every promise names sets of quasi-identifiers (`Model.knowing`), whoever knows the columns of one set must find
enough rows that agree in these, and nobody knows two. So columns need not share their groups: sets that have a column
in common are taken together, each of these parts is grouped by the algorithm as if there were no other columns, and
every row shows what covers its group in each part. Rows that show the same in all of them are a group of what is
returned; it may be small, and its classes in every set are not.

Guarantee: each set is a part of a part, in which groups of the algorithm keep the promise; rows that show the same in a
set are whole groups of it, or several.

It loses less the fewer columns the parts have. An algorithm that counts the rows of sets itself (`counts_sets`) is left
alone; so is one for a table in which somebody has several rows, or that has a column of no set, or of which the groups
would not be shown so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.fit import Fit, fit_apart, fit_in_blocks
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Recoding, Task
from sfumato.table.domain import Domain
from sfumato.table.tuples import Columns

__all__ = ["SetBySet", "parts_of"]

Ints = NDArray[np.int64]
Shown = dict[str, Ints]
Spans = dict[str, tuple[Ints, Ints]]


@dataclass(frozen=True)
class SetBySet:
    """An algorithm with its steps, run for each part of the quasi-identifiers if that is all that is asked."""

    base: Partitioner

    def fit(self, model: Model) -> Fit:
        return self.base.fit(model)

    def fit_persons(self, model: Model) -> Fit:
        return fit_apart(self.base, model)

    def fit_blocks(self) -> Fit:
        return fit_in_blocks(self.base)

    def partition(self, task: Task) -> Partition:
        parts = parts_of(task.model)
        whole = {name for names in parts for name in names} == {column.name for column in task.table.quasi}
        counts_sets = bool(getattr(self.base, "counts_sets", False))
        if len(parts) < 2 or not whole or not task.recodes or task.table.person is not None or counts_sets:
            return self.base.partition(task)
        try:
            found = [self.base.partition(_within(task, names)) for names in parts]
        except NoneFound:
            return self.base.partition(task)
        if any(each.suppressed or each.edits or each.terms for each in found):
            return self.base.partition(task)
        return _together(task, parts, found)


def parts_of(model: Model) -> tuple[Columns, ...]:
    """Sets of quasi-identifiers, those that share a column as one; none if a promise asks of all at once.

    >>> from types import SimpleNamespace
    >>> asked = SimpleNamespace(knowing=(("age", "sex"), ("zip",), ("sex", "job")))
    >>> parts_of(SimpleNamespace(conjuncts=(asked,)))
    (('zip',), ('age', 'sex', 'job'))
    """
    if not all(part.knowing for part in model.conjuncts):
        return ()
    made: list[Columns] = []
    for names in (names for part in model.conjuncts for names in part.knowing):
        shared = [each for each in made if {*each} & {*names}]
        made = [each for each in made if each not in shared]
        made.append(tuple(dict.fromkeys(name for each in (*shared, names) for name in each)))
    return tuple(made)


def _within(task: Task, names: Columns) -> Task:
    """The same task with no other quasi-identifiers; groups keep the promise by themselves."""
    table = task.table
    quasi = tuple(column for column in table.quasi if column.name in names)
    hidden = {column.name for column in table.quasi} - {*names}
    small = replace(
        table,
        quasi=quasi,
        codes={name: codes for name, codes in table.codes.items() if name not in hidden},
        finer={**table.finer, **{name: table.codes[name] for name in sorted(hidden)}},
    )
    blank = {name: share for name, share in task.blank.items() if name in names}
    return replace(task, table=small, limit=Fraction(0), blank=blank, recodes=False)


def _together(task: Task, parts: Sequence[Columns], found: Sequence[Partition]) -> Partition:
    """Rows that are in one group in every part, and what they show."""
    table = task.table.each()
    combined, group = np.unique(np.stack([each.labels for each in found]), axis=1, return_inverse=True)
    shown: Shown = {}
    spans: Spans = {}
    for place, (names, each) in enumerate(zip(parts, found, strict=True)):
        columns = [column for column in table.quasi if column.name in names]
        _add(shown, spans, columns, table.codes, each, combined[place])
    notes = dict.fromkeys(note for each in found for note in each.notes)
    return Partition.of_each(
        task.table, group.reshape(-1).astype(np.int64), Recoding(shown, {}, spans), notes=tuple(notes)
    )


def _add(
    shown: Shown,
    spans: Spans,
    columns: Sequence[Domain],
    codes: Mapping[str, NDArray[np.int32]],
    found: Partition,
    groups: Ints,
) -> None:
    """What some columns show of groups of one part; `groups` says which of them each combined group is in."""
    labels, count = found.labels, int(found.labels.max()) + 1
    for column in columns:
        if found.recoding is not None and column.name in found.recoding.shown:
            shown[column.name] = found.recoding.shown[column.name][groups]
            continue
        if found.recoding is not None:
            low, high = found.recoding.spans[column.name]
        else:
            low, high = np.full(count, column.size, np.int64), np.full(count, -1, np.int64)
            np.minimum.at(low, labels, codes[column.name])
            np.maximum.at(high, labels, codes[column.name])
        if column.taxonomy is not None:
            shown[column.name] = column.taxonomy.cover(low, high)[groups]
        else:
            spans[column.name] = low[groups], high[groups]
