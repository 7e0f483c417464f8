"""Whether a release is true: every published row stands for a different row of the original, in every cell.

A generalized cell is true if it covers the original's value, a cell that was not changed if it is that value. One
original row accounts for one published row: a table in which somebody stands twice, or somebody who does not exist, is
not true although every cell of it may be. Values that were changed at random are not compared. Where a form shows parts
of people in orders of their own, the parts of a group must be those of the same people (`ingroups`).

Findings hold names of columns and counts, never a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from sfumato.auditor.exactly import Flags, Ints
from sfumato.auditor.ingroups import PartOfPeople, strangers
from sfumato.auditor.matching import Kinds, Matching, OriginalRows, match
from sfumato.auditor.original import Original
from sfumato.auditor.truecells import TrueCells, read_cells
from sfumato.auditor.truthful import Truthfulness
from sfumato.release.codes import Codes
from sfumato.release.received import Received
from sfumato.release.writing import Blank, Writing
from sfumato.table.packing import Packed
from sfumato.table.tuples import Codes as Codes32

__all__ = ["truth_of"]

_COMPARED = ("quasi", "sensitive", "quasi-sensitive", "insensitive")


@dataclass(frozen=True, eq=False)
class _Side:
    """What stands side by side in a release: its different rows, beside the original's."""

    names: tuple[str, ...]
    cells: tuple[TrueCells, ...]
    kinds: Kinds
    numbers: Ints
    found: Matching


def truth_of(received: Received, original: Original, blank: Blank = "auto") -> Truthfulness:
    """Compare a release with the original table."""
    frames = received.seen.parts if received.seen.exact else (received.seen.table,)
    writing = Writing.of(received.policy.input, blank) if received.evidence.document is None else None
    made = [(frame, _side(frame, received, original, writing)) for frame in frames]
    sides = [side for _, side in made if side is not None]
    untrue = [side.found.nowhere + side.found.over for side in sides]
    exact = all(side.found.exact for side in sides)
    apart = _apart(received, [(frame, side) for frame, side in made if side is not None], original)
    for one, other in combinations(apart, 2):
        lacking, decided = strangers(one, other, original.tuples.counts)
        untrue.append(lacking)
        exact = exact and decided and len(apart) == 2
    rows, published = original.every.rows, received.seen.table.height
    bare = received.evidence.document is None
    every = [cells for side in sides for cells in side.cells]
    return Truthfulness(
        original=rows,
        left_out=max(original.rows - published, 0),
        starred=_starred(sides, received.policy.quasi) if bare else 0,
        more=max(published - rows, 0),
        untrue=max(untrue, default=0),
        cells={cells.name: cells.empty for cells in every if cells.empty},
        unread={cells.name: cells.unread for cells in every if cells.unread},
        hidden={cells.name: cells.hidden for cells in every if cells.hidden},
        exact=exact,
        checked=_checked([side.found for side in sides], exact),
    )


def _starred(sides: Sequence[_Side], quasi: Sequence[str]) -> int:
    """Rows of which every quasi-identifier says nothing."""
    told = [(side, [cells for cells in side.cells if cells.name in quasi]) for side in sides]
    return sum(int(np.all([each.nothing[each.codes] for each in cells], axis=0).sum()) for _, cells in told if cells)


def _checked(found: Sequence[Matching], exact: bool) -> str:
    """What was looked at, in words."""
    if exact:
        return "whether every published row can have an original row of its own, all at once"
    if all(each.exact for each in found):
        return "whether parts of groups can be those of the same people, by group and by value, but not all at once"
    share = max((each.looked or 0 for each in found if not each.exact), default=1)
    if not all(each.looked for each in found):
        return "whether every cell fits a value; for rows there are too many pairs to look at"
    which = "of every different row" if share == 1 else f"of one in {share} different rows"
    return f"whether there are as many original rows {which} as published ones, not all at once: too many pairs"


def _side(frame: pl.DataFrame, received: Received, original: Original, writing: Writing | None) -> _Side | None:
    policy, document = received.policy, received.evidence.document
    roles = {name: policy.columns[name].role for name in frame.columns if name in policy.columns}
    names = tuple(name for name, role in roles.items() if role in _COMPARED and name in original.tuples.codes)
    if not names or not frame.height:
        return None
    fewer = document is None or {*document.suppressed_terms}
    cells = tuple(
        read_cells(frame[name], original, writing, fewer is True or name in fewer, received.evidence.lists)
        for name in names
    )
    packed = Packed.of_rows([(each.codes, len(each.spans)) for each in cells])
    codes = tuple(packed.codes(place) for place in range(len(cells)))
    kinds = Kinds(codes, tuple(each.spans for each in cells), packed.counts)
    numbers = np.arange(frame.height) if packed.numbers is None else packed.numbers.astype(np.int64)
    return _Side(names, cells, kinds, numbers, match(kinds, _points(names, original)))


def _points(names: Sequence[str], original: Original) -> OriginalRows:
    number, codes = original.tuples.joint(names)
    counts = np.bincount(number, weights=original.tuples.counts, minlength=len(codes)).astype(np.int64)
    return OriginalRows(np.ascontiguousarray(codes, dtype=np.int32), counts)


def _apart(received: Received, made: Sequence[tuple[pl.DataFrame, _Side]], original: Original) -> list[PartOfPeople]:
    """The parts of a form that has several: the group of each row, and what original rows look like in it."""
    group_id, place = received.evidence.group_id, dict[str | None, int]()
    if len(made) < 2:
        return []
    return [
        PartOfPeople(_groups(frame, group_id, place), side.numbers, *_looks(side, original.tuples.joint(side.names)[0]))
        for frame, side in made
    ]


def _looks(side: _Side, number: Codes32) -> tuple[Ints, Flags]:
    """Per original tuple the kind that it looks like, and which kinds say too little."""
    count, starts, points = len(side.kinds.counts), side.found.starts, side.found.points
    if starts is None or points is None:
        return np.full(len(number), -1), np.ones(count, dtype=np.bool_)
    owner = np.repeat(np.arange(count), np.diff(starts))
    degree = np.bincount(points, minlength=int(number.max(initial=-1)) + 1)
    loose = np.bincount(owner, weights=degree[points] > 1, minlength=count) > 0
    seen = np.full(len(degree), -1, dtype=np.int64)
    told = ~loose[owner]
    seen[points[told]] = owner[told]
    return seen[number], loose


def _groups(frame: pl.DataFrame, group_id: str | None, place: dict[str | None, int]) -> Ints:
    """Group ids as numbers, the same in every part; without any, all rows are one group."""
    if group_id is None or group_id not in frame.columns:
        return np.zeros(frame.height, dtype=np.int64)
    codes, texts = Codes.of(frame[group_id])
    numbers: Ints = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.int64)[codes.rows]
    return numbers
