"""Where one column halves a group, found from counts by blocks of codes, a few at a time.

Definition: of all codes after which the column may be cut (any; with a tree, its edges), those around the median are
`under`, the last with less than one half of the rows up to it, and `over`, the next one. The cut is the nearer to one
half. Guarantee: the cut that the loops find in records, whatever the blocks; each further pass takes the block that
holds the median apart, so that c codes take log c / log blocks passes, and a tree one more for rows left of its edges.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["CodeWindow", "Halving"]

Ints = NDArray[np.int64]


class CodeWindow(NamedTuple):
    """Rows of a column by blocks: 2^shift codes each, from `base` on, so many blocks."""

    column: int
    base: int
    shift: int
    size: int

    @classmethod
    def over(cls, column: int, low: int, high: int, blocks: int) -> CodeWindow:
        """These codes in no more than so many blocks, at least two."""
        shift = 0
        while (high - low) >> shift >= max(blocks, 2):
            shift += 1
        return cls(column, low, shift, ((high - low) >> shift) + 1)

    @classmethod
    def upto(cls, column: int, code: int) -> CodeWindow:
        """All codes up to this one in one block."""
        shift = (code + 1).bit_length()
        return cls(column, code + 1 - (1 << shift), shift, 1)

    @property
    def ends(self) -> Ints:
        """The last code of every block."""
        return np.asarray(self.base - 1 + (np.arange(1, self.size + 1) << self.shift))


@dataclass(frozen=True, eq=False)
class Halving:
    """What is known of a column in a group: rows up to some codes.

    rows         of the group, their codes from `low` to `high`
    edges        codes after which the column may be cut; None: after any
    codes, upto  ascending codes, and how many rows have no higher one
    """

    column: int
    rows: int
    low: int
    high: int
    edges: Ints | None
    codes: Ints
    upto: Ints

    @classmethod
    def start(cls, column: int, rows: int, low: int, high: int, edges: Ints | None) -> Halving:
        """Nothing is known but the ends."""
        return cls(column, rows, low, high, edges, np.array([low - 1, high]), np.array([0, rows]))

    def told(self, window: CodeWindow, cells: Ints) -> Halving:
        """The same with the rows of a window's blocks."""
        before = self._upto(window.base - 1)
        if before is None:
            raise ValueError("a window begins where nothing is known")
        ends, upto = window.ends, before + np.cumsum(cells)
        inside = (ends >= self.low) & (ends < self.high)
        codes, first = np.unique(np.concatenate((self.codes, ends[inside])), return_index=True)
        return replace(self, codes=codes, upto=np.concatenate((self.upto, upto[inside]))[first])._kept()

    def _kept(self) -> Halving:
        """The same with no more known codes than what is still to be found needs: those around the median and around
        the cuts on either side of it."""
        sought = [self.low - 1, *self._median, *self._around, self.high]
        above = np.searchsorted(self.codes, sought)
        which = np.unique(np.clip(np.concatenate((above - 1, above)), 0, len(self.codes) - 1))
        return replace(self, codes=self.codes[which], upto=self.upto[which])

    @cached_property
    def cut(self) -> tuple[int, int] | None:
        """After which code to cut, and rows left of it (0 or all: there is no such cut); None: not known yet."""
        from sfumato.partition.mondrian.loops.choice import nearer_half

        if self._open:
            return None
        under, over = self._around
        left_under, left_over = self._upto(under), self._upto(over)
        if left_under is None or left_over is None:
            return None
        code, left = nearer_half(self.rows, under, left_under, over, left_over)
        return int(code), int(left)

    def windows(self, blocks: int) -> list[CodeWindow]:
        """What has to be counted next."""
        if self.cut is not None:
            return []
        if self._open:
            below, above = self._median
            return [CodeWindow.over(self.column, below + 1, above, blocks)]
        return [CodeWindow.upto(self.column, code) for code in self._around if self._upto(code) is None]

    @cached_property
    def _median(self) -> tuple[int, int]:
        """Two known codes, one half of the rows passed between them."""
        place = int(np.searchsorted(2 * self.upto, self.rows))
        return int(self.codes[place - 1]), int(self.codes[place])

    @property
    def _open(self) -> bool:
        """Whether a cut is possible between these two."""
        below, above = self._median
        if self.edges is None:
            return above - below > 1
        return bool(np.searchsorted(self.edges, below, side="right") < np.searchsorted(self.edges, above))

    @property
    def _around(self) -> tuple[int, int]:
        """The possible cuts around these two; before the first and behind the last code if there is none."""
        below, above = self._median
        if self.edges is None:
            return below, above
        under = int(np.searchsorted(self.edges, below, side="right")) - 1
        over = int(np.searchsorted(self.edges, above))
        return (
            int(self.edges[under]) if under >= 0 else -1,
            int(self.edges[over]) if over < len(self.edges) else self.high,
        )

    def _upto(self, code: int) -> int | None:
        """Rows with no higher code, if that is known."""
        if code < self.low or code >= self.high:
            return 0 if code < self.low else self.rows
        place = int(np.searchsorted(self.codes, code, side="right"))
        known, following = int(self.upto[place - 1]), int(self.upto[place])
        return known if self.codes[place - 1] == code or known == following else None
