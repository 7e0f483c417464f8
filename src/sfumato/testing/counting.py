"""Groups of a random table, counted for a model: any choice of rows, and all parts of a few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Columns, Facts, Groups, Histogram, Model
from sfumato.models.registry import bind
from sfumato.policy.promise import Promise
from sfumato.table.tuples import Tuples

__all__ = ["BoundPromise", "Parts"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BoundPromise:
    """A promise bound to a table, and the codes of its rows, one by one, that its model wants counted."""

    model: Model
    table: Tuples
    codes: Mapping[Columns, NDArray[Any]]

    @classmethod
    def of(cls, promise: Promise, table: Tuples) -> BoundPromise:
        model = bind(promise, Facts.of(table))
        rows = table.each()
        return cls(model, table, {columns: rows.counted_by(columns) for columns in model.statistics if columns})

    @property
    def whole(self) -> Groups:
        """All rows as one group."""
        return Groups.whole(self.table, tuple(self.codes))

    @property
    def attainable(self) -> bool:
        """Whether all rows can be cut into groups that keep the promise."""
        return bool(self.model.attainable(self.whole)[0])

    @property
    def decides(self) -> bool:
        """Whether `attainable` is exact."""
        return self.model.decides

    def groups(self, rows: Ints, labels: Ints, count: int) -> Groups:
        """Chosen rows by label; a label that no row has is an empty group."""
        sizes = np.bincount(labels, minlength=count).astype(np.int64)
        ones = np.ones(len(rows), dtype=np.int64)
        counted = {columns: Histogram.of(labels, codes[rows], ones, count) for columns, codes in self.codes.items()}
        return Groups(sizes, counted)

    def parts(self, rows: Ints) -> Parts:
        """Every part of a few rows."""
        bits = np.arange(1 << len(rows))[:, None] >> np.arange(len(rows)) & 1
        mask, place = np.nonzero(bits)
        return Parts(self.groups(rows[place], mask, len(bits)), self.model, rows)


@dataclass(frozen=True, eq=False)
class Parts:
    """All parts of a few rows as groups, by bit mask; the first is empty."""

    groups: Groups
    model: Model
    rows: Ints

    @cached_property
    def holds(self) -> Flags:
        return self.model.holds(self.groups)

    @cached_property
    def have_a_part_that_holds(self) -> Flags:
        """Whether a part, or a part of it, keeps the promise."""
        found = self.holds.copy()
        masks = np.arange(len(found))
        for bit in range(len(self.rows)):
            with_bit = masks[masks >> bit & 1 == 1]
            found[with_bit] |= found[with_bit ^ (1 << bit)]
        return found

    @cached_property
    def can_be_cut(self) -> Flags:
        """Whether each can be cut into parts that all keep the promise."""
        able = [False] * len(self.holds)
        holds = self.holds.tolist()
        for mask in range(1, len(able)):
            first, part = mask & -mask, mask
            while part and not able[mask]:
                if part & first and holds[part]:
                    able[mask] = part == mask or able[mask ^ part]
                part = (part - 1) & mask
        return np.array(able)

    def broken_unions(self) -> tuple[Ints, Ints]:
        """Pairs of parts without a common row that keep the promise while their union does not."""
        good = np.flatnonzero(self.holds)
        one, other = np.meshgrid(good, good, indexing="ij")
        broken = (one & other == 0) & ~self.holds[one | other]
        return one[broken], other[broken]
