"""Buckets of rows by how many they still hold, fullest first; one row less keeps the order in constant time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled

__all__ = ["Shelf", "less", "shelved"]

Ints = NDArray[np.int64]


class Shelf(NamedTuple):
    """Buckets in order.

    order    buckets, fullest first
    place    where each bucket stands
    held     rows that each holds
    upto     upto[c]: how many buckets hold at least c rows
    """

    order: Ints
    place: Ints
    held: Ints
    upto: Ints


def shelved(counts: Ints, shuffled: Ints) -> Shelf:
    """Buckets of so many rows; those with equally many in the order of the shuffle."""
    order = shuffled[np.argsort(-counts[shuffled], kind="stable")]
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    top = int(counts.max(initial=0))
    upto = len(counts) - np.concatenate(([0], np.cumsum(np.bincount(counts, minlength=top + 1))[:-1]))
    return Shelf(order, place, counts.astype(np.int64), upto.astype(np.int64))


@compiled
def less(shelf: Shelf, bucket: int) -> None:
    """A bucket gives away one row."""
    count = shelf.held[bucket]
    last = shelf.upto[count] - 1
    here, other = shelf.place[bucket], shelf.order[last]
    shelf.order[here], shelf.order[last] = other, bucket
    shelf.place[other], shelf.place[bucket] = here, last
    shelf.upto[count] = last
    shelf.held[bucket] = count - 1
