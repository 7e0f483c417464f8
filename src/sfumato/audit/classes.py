"""Rows that a recipient cannot tell apart, and how often each value of a column occurs among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from sfumato.audit.exactly import Ints

__all__ = ["Classes", "labels_by", "labels_of"]

_ROW, _KEY = "row", "key"


def labels_by(columns: Sequence[pl.Series], rows: int) -> Ints:
    """A number per row; rows share it exactly if they are equal in all columns. Missing is equal to missing."""
    if not columns or not rows:
        return np.zeros(rows, dtype=np.int64)
    keys = [str(index) for index in range(len(columns))]
    frame = pl.DataFrame([column.alias(key) for column, key in zip(columns, keys, strict=True)])
    members = frame.with_row_index(_ROW).group_by(keys, maintain_order=True).agg(_ROW).get_column(_ROW)
    labels = np.empty(rows, dtype=np.int64)
    labels[members.explode().to_numpy()] = np.repeat(np.arange(len(members)), members.list.len().to_numpy())
    return labels


def labels_of(first: Ints, second: Ints) -> Ints:
    """A number per row; rows share it exactly if they share both labels."""
    return labels_by([pl.Series(first), pl.Series(second)], len(first))


@dataclass(frozen=True, eq=False)
class Classes:
    """Histograms as runs: class g owns ``values[starts[g]:starts[g+1]]``, counts positive and descending."""

    starts: Ints
    values: Ints
    counts: Ints

    @classmethod
    def of(cls, labels: Ints, codes: Ints) -> Classes:
        """Count the codes of rows under every label from 0 up."""
        span = int(codes.max(initial=0)) + 1
        tally = pl.DataFrame({_KEY: labels * span + codes}).group_by(_KEY).len()
        owner, values = np.divmod(tally[_KEY].to_numpy(), span)
        counts = tally["len"].to_numpy().astype(np.int64)
        order = np.lexsort((values, -counts, owner))
        groups = int(labels.max(initial=-1)) + 1
        starts = np.zeros(groups + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner, minlength=groups), out=starts[1:])
        return cls(starts, values[order], counts[order])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def distinct(self) -> Ints:
        """Different values of every class."""
        return np.diff(self.starts)

    @cached_property
    def sizes(self) -> Ints:
        """Rows of every class."""
        return self.tail(0)

    @cached_property
    def top(self) -> Ints:
        """Rows of the most frequent value of every class."""
        return self.counts[self.starts[:-1]]

    @cached_property
    def owner(self) -> Ints:
        """The class that every run entry belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.distinct)

    @cached_property
    def _summed(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.counts)))

    def tail(self, skipped: int) -> Ints:
        """Rows of every class without those of its `skipped` most frequent values."""
        begin = np.minimum(self.starts[:-1] + min(skipped, len(self.counts)), self.starts[1:])
        return np.asarray(self._summed[self.starts[1:]] - self._summed[begin])

    def only(self, entries: np.typing.NDArray[np.bool_]) -> Classes:
        """The same classes with some of the run entries; a class may become empty."""
        kept = np.concatenate(([0], np.cumsum(entries)))
        return Classes(kept[self.starts], self.values[entries], self.counts[entries])

    def shape(self, group: int, limit: int) -> tuple[int, ...]:
        """Counts of one class in descending order, at most `limit` of them."""
        return tuple(self.counts[self.starts[group] : self.starts[group + 1]][:limit].tolist())
