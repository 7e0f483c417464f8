"""What every form does with groups: which rows it shows, and how their columns become tables of codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.forms.contract import Material
from sfumato.forms.secrets import Shown, shown_secrets
from sfumato.table.dictionaries import column_of

__all__ = ["ShownRows", "free_name"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ShownRows:
    """The rows that are shown, one by one, in an order that follows from what they hold.

    part         the part of the partition that each belongs to
    groups       the group of every part; that of kept suppressed rows is the last, that of others -1
    suppressed   the group of kept suppressed rows, if there are any
    """

    material: Material
    part: NDArray[np.int32]
    groups: Ints
    suppressed: int | None

    @classmethod
    def of(cls, material: Material) -> ShownRows:
        found, keep = material.partition, material.keep_suppressed
        hidden = found.groups < 0
        suppressed = int(found.groups.max()) + 1 if keep and hidden.any() else None
        groups = found.groups if suppressed is None else np.where(hidden, suppressed, found.groups)
        shown = np.flatnonzero(groups >= 0).astype(np.int32)
        return cls(material, np.repeat(shown, found.counts[shown]), groups, suppressed)

    def __len__(self) -> int:
        return len(self.part)

    @cached_property
    def group(self) -> Ints:
        """The group of every row."""
        return self.groups[self.part]

    @cached_property
    def tuples(self) -> Ints:
        """The tuple of every row."""
        return self.material.partition.tuples[self.part]

    @property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.groups.max(initial=-1)) + 1

    @cached_property
    def _secrets(self) -> dict[str, Shown]:
        return shown_secrets(self.material)

    def column(self, name: str, rows: Ints, hidden: NDArray[np.bool_] | None = None) -> pl.Series:
        """A column of some rows as it is published where the form does not change it; `*` where it is hidden."""
        found = self._secrets.get(name)
        if found is None:
            domain = self.material.table[name]
            found = Shown(domain.published, self.material.table.codes[name][self.material.partition.tuples])
        codes, values = found.codes[self.part[rows]], found.values
        if hidden is not None and hidden.any():
            values = pl.concat([values.cast(pl.String), pl.Series(["*"])])
            codes = np.where(hidden, np.int32(len(values) - 1), codes)
        return column_of(name, codes, values)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has."""
    while wanted in taken:
        wanted += "_"
    return wanted
