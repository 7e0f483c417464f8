"""Classification rules: conjunctions of values that lead to a value of another column.

A rule covers the rows that have all its values, and is right of those that have its target as well. Rules are sought
among all conjunctions of up to so many columns, level by level. Of a rule and a longer one with the same target that
both hold, the longer one says nothing new: the shortest are those of which no part holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.progress import Progress, silent
from sfumato.table.tuples import Tuples

__all__ = ["Mined", "mined"]

Ints = NDArray[np.int64]

_WORK = 150_000_000
"""Rows that are counted, sets of columns times different rows."""
_LARGE = 1 << 62


@dataclass(frozen=True, eq=False)
class Mined:
    """Rules, a row each, those that cover most first.

    names        columns that conditions may be on
    values       per column the code that a rule asks for, or -1
    targets      the code that it leads to
    covered, right   rows that it covers, and those of them with its target
    conditions   how many columns of a rule were looked at, at most
    """

    names: tuple[str, ...]
    values: Ints
    targets: Ints
    covered: Ints
    right: Ints
    conditions: int

    def __len__(self) -> int:
        return len(self.targets)

    def some(self, many: int) -> Mined:
        """The first ones."""
        first = slice(many)
        right = self.right[first]
        return Mined(self.names, self.values[first], self.targets[first], self.covered[first], right, self.conditions)


@dataclass(frozen=True, eq=False)
class _Conjunctions:
    """What frequent conjunctions of some columns lead to: codes, target, rows; and whether they or a part are rules."""

    codes: Ints
    targets: Ints
    covered: Ints
    right: Ints
    rules: NDArray[np.bool_]
    known: NDArray[np.bool_]


def mined(
    table: Tuples,
    names: Sequence[str],
    target: str,
    support: int,
    confidence: float,
    conditions: int,
    shortest: bool = True,
    progress: Progress = silent,
) -> Mined:
    """The rules of a table that cover `support` rows at least, and are right of the share `confidence` of them.

    shortest   only those of which no part is one with the same target
    """
    reach = _reach(len(names), min(conditions, len(names)), len(table))
    sizes = [table[name].size for name in (*names, target)]
    held: dict[tuple[int, ...], NDArray[Any]] = {}
    parts: list[tuple[tuple[int, ...], _Conjunctions]] = []
    every = [chosen for length in range(1, reach + 1) for chosen in combinations(range(len(names)), length)]
    for number, chosen in enumerate(every):
        progress("rules", number, len(every))
        found = _found(table, [*(names[place] for place in chosen), target], support, confidence)
        known = _known(found, chosen, sizes, held)
        held[chosen] = _keys(found.codes, found.targets, chosen, sizes)[found.rules | known]
        parts.append((chosen, replace(found, known=known)))
    progress("rules", len(every), len(every))
    return _gathered(parts, tuple(names), reach, shortest)


def _reach(columns: int, conditions: int, rows: int) -> int:
    """So many columns of a rule can be looked at without too much work; one at least."""
    sets, reach = 0, 0
    for length in range(1, conditions + 1):
        sets += comb(columns, length)
        if length > 1 and sets * rows > _WORK:
            break
        reach = length
    return reach


def _found(table: Tuples, names: Sequence[str], support: int, confidence: float) -> _Conjunctions:
    """Count conjunctions of some columns, of which the last is the target."""
    counted = table.count(names)
    fresh = counted.fresh(len(names) - 1)
    which = np.cumsum(fresh) - 1
    covered = np.bincount(which, weights=counted.counts).astype(np.int64)[which]
    many = covered >= support
    codes = np.stack([each[many] for each in counted.codes], axis=1).astype(np.int64)
    covered, right = covered[many], counted.counts[many]
    rules = right >= confidence * covered - 1e-9
    return _Conjunctions(codes[:, :-1], codes[:, -1], covered, right, rules, np.zeros(len(rules), dtype=np.bool_))


def _known(
    found: _Conjunctions, chosen: Sequence[int], sizes: Sequence[int], held: Mapping[tuple[int, ...], NDArray[Any]]
) -> NDArray[np.bool_]:
    """Of which a part, one column shorter, is a rule or has one in it."""
    known = np.zeros(len(found.targets), dtype=np.bool_)
    for left in range(len(chosen) if len(chosen) > 1 else 0):
        kept = [place for place in range(len(chosen)) if place != left]
        part = tuple(chosen[place] for place in kept)
        known |= np.isin(_keys(found.codes[:, kept], found.targets, part, sizes), held[part])
    return known


def _keys(codes: Ints, targets: Ints, chosen: Sequence[int], sizes: Sequence[int]) -> NDArray[Any]:
    """One number per conjunction of some columns and target; as large as it takes, where the usual ones are too short.

    sizes   of all columns, and of the target
    """
    large = prod(sizes[at] for at in chosen) * sizes[-1] >= _LARGE
    keys = targets.astype(object) if large else targets.copy()
    factor = sizes[-1]
    for place, at in enumerate(chosen):
        keys = keys + codes[:, place] * factor
        factor *= sizes[at]
    return np.asarray(keys)


def _gathered(
    parts: Sequence[tuple[tuple[int, ...], _Conjunctions]], names: tuple[str, ...], reach: int, shortest: bool
) -> Mined:
    """All rules, those first that cover most, the shorter ones of those that cover as many."""
    values, rest = [np.zeros((0, len(names)), np.int64)], [np.zeros((0, 3), np.int64)]
    for chosen, found in parts:
        kept = found.rules & ~found.known if shortest else found.rules
        mine = np.full((int(kept.sum()), len(names)), -1, dtype=np.int64)
        mine[:, list(chosen)] = found.codes[kept]
        values.append(mine)
        rest.append(np.stack([found.targets[kept], found.covered[kept], found.right[kept]], axis=1))
    every, told = np.concatenate(values), np.concatenate(rest)
    order = np.argsort(-told[:, 1], kind="stable")
    return Mined(names, every[order], told[order, 0], told[order, 1], told[order, 2], reach)
