"""How likely every value of a secret is in every class of a release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.spans import CellSpans
from sfumato.table.packing import Packed

__all__ = ["Shares"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shares:
    """Class g may have ``values[starts[g]:starts[g + 1]]``, ascending, each with its share; those of a class sum to 1.

    size   one more than the largest value there may be
    """

    starts: Ints
    values: Ints
    shares: Floats
    size: int

    @classmethod
    def counted(cls, rows: Ints, cells: Ints, classes: int, spans: CellSpans, occurring: NDArray[np.bool_]) -> Shares:
        """By counting rows: the class of each and the cell it shows, which stands for the codes in `spans`.

        A cell that stands for several is each of those that occur, with the same probability.

        >>> spans = CellSpans(*(np.array(each) for each in ([0, 1, 0], [0, 1, 1], [1, 1, 2], [0, 0, 0, 0], [])))
        >>> rows, cells = np.array([0, 0, 0, 1]), np.array([0, 0, 2, 1])
        >>> made = Shares.counted(rows, cells, 2, spans, np.array([True, True]))
        >>> made.starts.tolist(), made.values.tolist(), made.shares.round(3).tolist()
        ([0, 2, 3], [0, 1, 1], [0.833, 0.167, 1.0])
        """
        counted = Packed.of_rows([(cells, len(spans)), (rows, classes)])
        owner, cell = counted.codes(1), counted.codes(0)
        low, high = spans.low[cell], spans.high[cell]
        length = np.maximum(high - low + 1, 0)
        which = np.repeat(np.arange(len(cell)), length)
        value = np.arange(len(which)) - np.repeat(np.cumsum(length) - length, length) + low[which]
        told = spans.has(cell[which], value) & (occurring[value] | (length[which] == 1))
        which, value = which[told], value[told]
        each = np.bincount(which, minlength=len(cell)).astype(np.float64)
        mass = counted.counts[which] / np.maximum(each[which], 1)
        return cls._summed(owner[which], value, mass, classes, len(occurring))

    @classmethod
    def _summed(cls, owner: Ints, value: Ints, mass: Floats, classes: int, size: int) -> Shares:
        """Equal values of a class are one, and those of a class sum to 1."""
        keys, place = np.unique(owner * size + value, return_inverse=True)
        summed = np.bincount(place.reshape(-1), weights=mass, minlength=len(keys))
        owner = keys // size
        whole = np.bincount(owner, weights=summed, minlength=classes)
        starts = np.searchsorted(owner, np.arange(classes + 1))
        return cls(starts.astype(np.int64), keys % size, summed / whole[owner], size)

    @property
    def owner(self) -> Ints:
        """The class of every entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def of(self, classes: Ints) -> Shares:
        """Of some classes, in that order; one may stand there more than once."""
        length = np.diff(self.starts)[classes]
        starts = np.concatenate(([0], np.cumsum(length)))
        place = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.starts[classes], length)
        return Shares(starts, self.values[place], self.shares[place], self.size)

    def kept(self, own: Ints, retention: float) -> Shares:
        """Each class with so much of its own value, and the rest as it was."""
        classes = len(self.starts) - 1
        owner = np.concatenate((self.owner, np.arange(classes)))
        mass = np.concatenate((self.shares * (1 - retention), np.full(classes, retention)))
        return self._summed(owner, np.concatenate((self.values, own)), mass, classes, self.size)

    def top(self) -> Floats:
        """The share of the most likely value of every class."""
        return np.maximum.reduceat(self.shares, self.starts[:-1]) if len(self.shares) else np.zeros(0)
