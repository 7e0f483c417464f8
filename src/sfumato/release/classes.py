"""Rows that a recipient cannot tell apart, and how often each value of a column occurs among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.table.tally import Shardable

__all__ = ["Classes", "Ints"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Classes:
    """Histograms as runs: class g owns ``values[starts[g]:starts[g+1]]``, counts positive and descending.

    Classes with the same histogram keep or break a promise together, so they stand here as one: `alike` says how
    many classes of the release it is.
    """

    starts: Ints
    values: Ints
    counts: Ints
    alike: Ints

    @classmethod
    def of(cls, tally: Shardable, columns: Sequence[str], counted: str, size: int) -> Classes:
        """Count the codes of one column, of which there are so many, over the rows that are equal in all the others.

        >>> from sfumato.table.tally import CodedRows
        >>> ward, disease = np.array([0, 1, 0, 0, 2, 2, 2]), np.array([1, 0, 0, 1, 1, 0, 1])
        >>> rows = CodedRows({"ward": (ward, 3), "disease": (disease, 2)})
        >>> Classes.of(rows, ["ward"], "disease", 2)  # wards 0 and 2 look alike
        Classes(starts=array([0, 2, 3]), values=array([1, 0, 0]), counts=array([2, 1, 1]), alike=array([2, 1]))
        """
        from sfumato.release.counting import histograms, put_together

        parts = [histograms(shard.count([*columns, counted]), size) for shard in tally.shards(columns)]
        return cls(*put_together(parts))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def groups(self) -> int:
        """Classes of the release."""
        return int(self.alike.sum())

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

    def ordered_by(self, places: Ints) -> Ints:
        """All entries, class by class, those of a class by the place of their value."""
        # A stable sort takes little more than one look at what is already in order, class by class.
        return np.argsort(self.owner * (int(places.max()) + 1) + places[self.values], kind="stable")

    def just_rows(self) -> Classes:
        """The same classes, counted by nothing: one value for all rows."""
        sizes, kind = np.unique(self.sizes, return_inverse=True)
        alike = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(alike, kind, self.alike)
        return Classes(np.arange(len(sizes) + 1), np.zeros(len(sizes), dtype=np.int64), sizes, alike)

    def only(self, chosen: Ints) -> Classes:
        """Some of the classes, in that order."""
        lengths = self.distinct[chosen]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        entries = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        return Classes(starts, self.values[entries], self.counts[entries], self.alike[chosen])

    def shape(self, group: int, limit: int) -> tuple[int, ...]:
        """Counts of one class in descending order, at most `limit` of them."""
        return tuple(self.counts[self.starts[group] : self.starts[group + 1]][:limit].tolist())
