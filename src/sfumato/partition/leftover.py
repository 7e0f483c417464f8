"""Rows that find no group: left out if that is allowed, or settled otherwise.

Where what is left out has to keep the promise as a class of its own and does not, or is too much:
- a promise that survives merging is kept by these rows together with enough groups, as one group;
- where the form shows who is missing, some groups more are left out until what is missing keeps what it must.
Groups are drawn by chance, and as few as will do: with one more the promise holds if it does without, so their number
is found by bisection.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Groups, Model
from sfumato.partition.contract import Task
from sfumato.partition.uniform import persons_twice, without_gaps
from sfumato.table.words import counted

__all__ = ["settled", "unseen"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def settled(task: Task, labels: Ints) -> tuple[Ints, str] | None:
    """Labels that the policy and the form allow, and what was done for them; None if there is no way."""
    left = labels < 0
    count = int(left.sum())
    few = count < len(labels) and count <= task.limit * len(labels)
    if not count or (few and unseen(task, labels)):
        return labels, ""
    if task.model.survives_merging and task.table.person is None:
        chosen = _with_groups(task, labels, lambda rows: _hold(task, task.model, rows))
        joined = f"{counted(count, 'row')} that found no group, put together with others"
        return None if chosen is None else (without_gaps(np.where(chosen, labels.max(initial=-1) + 1, labels)), joined)
    missed = task.missed
    if few and missed is not None and not task.keep:
        chosen = _with_groups(task, labels, lambda rows: _hold(task, missed, rows))
        if chosen is not None and chosen.sum() <= task.limit * len(labels) and not chosen.all():
            more = f"{counted(int(chosen.sum()) - count, 'row')} more left out, so that what is missing tells nothing"
            return without_gaps(np.where(chosen, -1, labels)), more
    return None


def unseen(task: Task, labels: Ints) -> bool:
    """Whether the rows without a group keep what they must as a class of their own, if there is anything."""
    left = labels < 0
    return task.alone is None or not left.any() or _hold(task, task.alone, left)


def _hold(task: Task, model: Model, chosen: Flags) -> bool:
    labels = np.where(chosen, 0, -1).astype(np.int64)
    if persons_twice(labels, task.table.person).any():
        return False
    statistics = tuple(columns for columns in model.statistics if columns)
    return bool(model.holds(Groups.of(task.table, labels, statistics))[0])


def _with_groups(task: Task, labels: Ints, hold: Callable[[Flags], bool]) -> Flags | None:
    """The rows without a group and those of as few groups as hold with them."""
    groups = int(labels.max(initial=-1)) + 1
    place = np.append(task.randomness.shuffle(groups, "groups beside leftovers"), -1)[labels]
    low, high = 0, groups
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if hold(place < middle) else (middle + 1, high)
    chosen = place < low
    return chosen if hold(chosen) else None
