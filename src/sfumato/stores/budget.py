"""How much memory a run may use, as it is asked for, and what that allows."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import InputError
from sfumato.table.memory import budget

__all__ = ["Budget"]

_LEAST = 500 * 10**6
"""Below this, libraries alone take more than half of it."""
_FIXED = 250 * 10**6
"""What a process takes before it holds a row."""
_ROW = 64
"""Bytes that a published row takes while its part is ordered, turned into cells and written."""
_COPIES = 5
"""Different rows are held so many times at most, as they were read, coded, grouped and shown."""
_SEARCHED = 500
"""Bytes that a row takes while its block is searched."""
_SMALLEST, _LARGEST = 1 << 17, 1 << 20


@dataclass(frozen=True)
class Budget:
    """So many bytes in all."""

    bytes: int

    @classmethod
    def of(cls, given: str | int | Budget) -> Budget:
        """``2GB``, ``1.5 GiB``, ``800MB``, or a number of bytes."""
        if isinstance(given, Budget):
            return given
        size = budget(given)
        if size < _LEAST:
            raise InputError(f"memory of {given} is too little to work in; give at least {_LEAST // 10**6}MB")
        return cls(size)

    @property
    def free(self) -> int:
        """Bytes for rows."""
        return self.bytes - _FIXED

    @property
    def part(self) -> int:
        """Bytes of a file that are read at a time: as cells they take several times as much."""
        return self.free // 24

    def entries(self, columns: int) -> int:
        """Different rows of a table with so many columns that can be held, searched and shown."""
        return self.free // (_COPIES * (4 * columns + 16))

    @property
    def values(self) -> int:
        """Bytes for the different values of all columns, where somebody else counts them."""
        return self.free // 2

    @property
    def rows_in_block(self) -> int:
        """Rows of a block that is searched by itself."""
        return max(self.free // _SEARCHED, _SMALLEST)

    @property
    def rows_in_part(self) -> int:
        """Rows of a part of the release, about."""
        return min(max(self.free // 4 // _ROW, _SMALLEST), _LARGEST)
