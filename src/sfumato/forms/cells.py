"""What a generalized column shows as a number that means the same in every group, wherever that was made.

A node of the hierarchy is its number; an interval the codes of its ends; a set of values a bit for each. So rows can be
shown by whoever has them, and their texts made where they are written.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.forms.covers import ShownColumn, texts_of_intervals, texts_of_sets
from sfumato.table.domain import Domain

__all__ = ["cells_of", "cells_shown", "cells_size"]

Ints = NDArray[np.int64]

_ANYTHING = "*"
_BITS = 62
"""Values of a set that have a bit each."""


def cells_size(domain: Domain) -> int | None:
    """How many different cells a column may have; None: more than a number tells apart."""
    if domain.taxonomy is not None:
        return len(domain.taxonomy.labels) + 1
    if domain.positions is not None:
        return domain.size**2 + 1
    return 1 << domain.size if domain.size <= _BITS else None


def cells_of(domain: Domain, cover: ShownColumn) -> Ints:
    """The cell that every group shows; that of `*` is the last node, or 0."""
    if domain.taxonomy is not None:
        return cover.shown
    if domain.positions is not None:
        return np.where(cover.blank, 0, 1 + cover.low * domain.size + cover.high)
    if cover.bits is None:
        raise ValueError(f"column {domain.name!r} has more values than a set of them can be told by")
    return np.where(cover.blank, 0, cover.bits)


def cells_shown(domain: Domain) -> Callable[[Ints], pl.Series]:
    """What cells are shown as."""
    tree = domain.taxonomy
    if tree is not None:
        labels: list[str | None] = [*tree.labels, _ANYTHING]
        if domain.missing is not None:
            labels[domain.missing] = None
        return pl.Series(domain.name, labels, dtype=pl.String).gather
    if domain.positions is not None:
        return lambda cells: _starred(domain, cells, texts_of_intervals(domain, *np.divmod(cells - 1, domain.size)))
    return lambda cells: _starred(domain, cells, texts_of_sets(domain, cells))


def _starred(domain: Domain, cells: Ints, texts: pl.Series) -> pl.Series:
    shown = pl.select(pl.when(pl.Series(cells == 0)).then(pl.lit(_ANYTHING)).otherwise(texts)).to_series()
    return shown.alias(domain.name)
