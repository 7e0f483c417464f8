"""Codes by how they begin: 250.01, 250*, 2*, `*`; for codes of unequal length, which masks cannot compare.

A level keeps so many characters. A code that has fewer stands for itself there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["by_levels", "prefixes"]


def prefixes(values: Sequence[str], lengths: Sequence[int], source: Source | None = None) -> Taxonomy:
    """Leaves are the values given, in text order; above them one level per length, longest first, then the root.

    >>> prefixes(["25", "250.01", "250.83", "401"], [3, 1]).path(1), prefixes(["25", "250.01"], [3, 1]).path(0)
    (['250.01', '250*', '2*', '*'], ['25', '2*', '*'])
    """
    where = source or Source()
    if any(shorter >= longer for longer, shorter in pairwise(lengths)):
        raise where.error("each prefix must be shorter than the one before")
    starred = sum("*" in value for value in values)
    if starred:
        raise where.error(
            f"{starred} distinct value{' contains' if starred == 1 else 's contain'} '*', the sign for what follows a"
            " prefix; correct the data or choose another hierarchy"
        )
    ordered = sorted(values)
    return by_levels(ordered, [[_kept(value, length) for value in ordered] for length in lengths])


def _kept(value: str, length: int) -> str:
    return value if len(value) < length else f"{value[:length]}*"


def by_levels(leaves: Sequence[str], labels: Sequence[Sequence[str]]) -> Taxonomy:
    """Leaves in order below their labels, level by level from the finest; equal neighbours are one node."""
    levels: list[Level] = []
    for names in labels:
        starts = [0, *(index for index, (one, two) in enumerate(pairwise(names), 1) if one != two)]
        levels.append((np.array(starts, dtype=np.int64), [names[start] for start in starts]))
    return Taxonomy.of_levels(leaves, levels)
