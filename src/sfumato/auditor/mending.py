"""What would mend a group that breaks a promise: how many rows more, or how many less.

Rows more are of the values that the group has least of, so that its counts become as even as they can; or, for a
promise that compares with the whole table, of the values that it lacks most beside that. Rows less are taken from the
values that it has most of, likewise. For promises that ask how even counts are, or how many different values or rows
there are, no fewer rows would do; for others the number is enough. The rule itself says when the promise is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sfumato.auditor.exactly import Flags, Ints
from sfumato.auditor.rules import Case, Rule, Ruling
from sfumato.policy.promise import Promise
from sfumato.release.classes import Classes

__all__ = ["mended"]

_EACH = 64
"""So many numbers of rows are tried one after the other; beyond, by halves."""
_MOST = 1 << 32

Change = Callable[[int], Ints]
"""Counts with so many rows more, or less."""


def mended(promise: Promise, rule: Rule, case: Case) -> tuple[int | None, int | None]:
    """Rows more, and rows less, with which the only class of a case keeps the promise; None: not known to help.

    To leave out all rows of a group always helps.
    """
    if rule.terms:  # rows of which terms is another question: terms can be suppressed
        return None, None
    counts, targets = _counts(rule, case)
    rows = int(counts.sum())

    def kept(changed: Sequence[Ints]) -> Flags:
        ruling = rule.judge(promise, replace(case, classes=_classes(changed)))
        none = np.zeros(len(changed), dtype=np.bool_)
        return np.asarray(ruling.kept, dtype=np.bool_) if isinstance(ruling, Ruling) else none

    more = [
        _least(kept, _filling(counts, target), most) for target in targets for most in (_level(counts, target), _MOST)
    ]
    once = rows - int(np.count_nonzero(counts))  # without these every value is there once
    less = [_least(kept, _capping(counts, target), most) for target in targets for most in (once, rows - 1)]
    return min(filter(None, more), default=None), min(filter(None, less), default=rows)


def _counts(rule: Rule, case: Case) -> tuple[Ints, list[Ints]]:
    """Rows of every value that there is, and what its rows may be made like: even, or like the whole table."""
    classes, secrets = case.classes, case.secrets
    if secrets is None or not rule.values:
        return np.array([int(classes.sizes[0])]), [np.ones(1, dtype=np.int64)]
    counts = np.zeros(max(len(secrets.keys), int(classes.values.max()) + 1), dtype=np.int64)
    counts[classes.values] = classes.counts
    occurring = counts > 0
    for known in (secrets.published, secrets.original):
        if known is not None:
            occurring[: len(known)] |= known > 0
    targets = [occurring.astype(np.int64)]
    if case.original is not None:
        whole = np.zeros_like(counts)
        whole[: len(case.original)] = case.original
        targets.append(whole)
    return counts, targets


def _filling(counts: Ints, target: Ints) -> Change:
    """Rows are added where the counts lie lowest beside the target."""

    def level(height: int) -> Ints:
        return np.maximum(counts, target * height // max(int(target.max()), 1))

    def filled(rows: int) -> Ints:
        low = _highest(lambda height: int(level(height).sum() - counts.sum()) <= rows, rows + int(counts.max()) + 1)
        made = level(low)
        left = rows - int(made.sum() - counts.sum())
        behind = np.argsort(made / np.maximum(target, 1) + np.where(target > 0, 0, np.inf), kind="stable")
        made[behind[:left]] += 1
        return made

    return filled


def _level(counts: Ints, target: Ints) -> int:
    """So many rows more, and the counts are like the target: nothing can be more so; 0 if no number does it."""
    if (counts[target == 0] > 0).any():
        return 0
    there = target > 0
    height = int((-(-counts[there] * int(target.max()) // target[there])).max())
    return min(int((np.maximum(counts, target * height // int(target.max())) - counts).sum()), _MOST)


def _capping(counts: Ints, target: Ints) -> Change:
    """Rows are taken away where the counts lie highest beside the target."""

    def level(height: int) -> Ints:
        return np.minimum(counts, target * height // max(int(target.max()), 1))

    def capped(rows: int) -> Ints:
        stay = int(counts.sum()) - rows
        low = _highest(lambda height: int(level(height).sum()) <= stay, int(counts.sum()) + 1)
        made = level(low)
        room = np.flatnonzero(made < counts)
        made[room[: stay - int(made.sum())]] += 1
        return made

    return capped


def _highest(fits: Callable[[int], bool], beyond: int) -> int:
    """The largest number below `beyond` that fits; 0 does."""
    low, high = 0, beyond
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _least(kept: Callable[[Sequence[Ints]], Flags], change: Change, most: int) -> int | None:
    """The least number of rows that helps; beyond the first ones, if more of them help as well."""
    if most < 1:
        return None
    first = range(1, min(most, _EACH) + 1)
    helps = np.flatnonzero(kept([change(rows) for rows in first]))
    if len(helps):
        return first[int(helps[0])]
    low = first[-1]
    for high in _doubled(low, most):
        if kept([change(high)])[0]:
            return _first(lambda rows: bool(kept([change(rows)])[0]), low + 1, high)
        low = high
    return None


def _doubled(low: int, most: int) -> Iterator[int]:
    while low < most:
        low = min(2 * low, most)
        yield low


def _first(helps: Callable[[int], bool], low: int, end: int) -> int:
    """The first number that helps, of those from `low` to `end`, which does."""
    while low < end:
        middle = (low + end) // 2
        low, end = (low, middle) if helps(middle) else (middle + 1, end)
    return end


def _classes(changed: Sequence[Ints]) -> Classes:
    """One class of every row of counts."""
    runs = [np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)] for counts in changed]
    starts = np.cumsum([0, *map(len, runs)], dtype=np.int64)
    rows = [counts[values] for counts, values in zip(changed, runs, strict=True)]
    return Classes(starts, np.concatenate(runs), np.concatenate(rows), np.ones(len(runs), dtype=np.int64))
