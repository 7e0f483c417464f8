"""From counted combinations to the histograms of classes: rows that are equal in all columns but the counted one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sfumato.release.classes import Ints
from sfumato.table import few
from sfumato.table.tally import Counted

__all__ = ["histograms", "put_together"]

Runs = tuple[Ints, Ints, Ints, Ints]

_WIDE = 2**32
"""More than there are rows: a class and a code below it always fit a key."""


def histograms(found: Counted, size: int) -> Runs:
    """What `Classes` are made of: starts, values, counts, and how many classes are alike.

    The last column is the counted one, of so many codes.
    """
    if size > _WIDE:
        raise ValueError(f"a column of {size} codes cannot be counted; number them first")
    if not len(found.counts):
        nothing = np.zeros(0, dtype=np.int64)
        return np.zeros(1, dtype=np.int64), nothing, nothing, nothing
    owner = np.cumsum(found.fresh(len(found.codes) - 1)) - 1
    if len(owner) <= few.FEW:
        return _of_few(owner, found.codes[-1], found.counts)
    from sfumato.release.loops import histograms as loops

    classes = int(owner[-1]) + 1
    keys = (owner * size + found.codes[-1]).astype(np.uint64)
    counts = found.counts.astype(np.uint64)
    table = np.zeros(2 ** (2 * classes).bit_length(), dtype=np.uint32)
    starts, alike = np.empty(classes + 1, dtype=np.int64), np.empty(classes, dtype=np.int64)
    kinds = loops.distinct_histograms(keys, counts, size, table, starts, alike)
    starts = starts[: kinds + 1].copy()
    entries = int(starts[-1])
    return starts, keys[:entries].astype(np.int64), counts[:entries].astype(np.int64), alike[:kinds].copy()


def _of_few(owner: Ints, values: Ints, counts: Ints) -> Runs:
    """The same by numpy: the most frequent value of every class first, ties by value; classes as they appear."""
    order = np.lexsort((values, -counts, owner))
    bounds = np.append(np.flatnonzero(np.diff(owner, prepend=-1)), len(owner))
    return put_together([(bounds, values[order], counts[order], np.ones(len(bounds) - 1, np.int64))], several=True)


def put_together(parts: Sequence[Runs], several: bool = False) -> Runs:
    """What was counted in parts, in their order; histograms that are the same become one, where they come first.

    `several`: some may be the same within a part, too.
    """
    if len(parts) == 1 and not several:
        return parts[0]
    alike: dict[tuple[bytes, bytes], int] = {}
    for starts, values, counts, same in parts:
        for (begin, end), rows in zip(pairwise(starts.tolist()), same.tolist(), strict=True):
            kind = values[begin:end].tobytes(), counts[begin:end].tobytes()
            alike[kind] = alike.get(kind, 0) + rows
    if not alike:
        nothing = np.zeros(0, dtype=np.int64)
        return np.zeros(1, dtype=np.int64), nothing, nothing, nothing
    lengths = [len(held) // 8 for held, _ in alike]
    held, often = (np.frombuffer(b"".join(each), dtype=np.int64).copy() for each in zip(*alike, strict=True))
    return np.cumsum([0, *lengths]), held, often, np.array([*alike.values()])
