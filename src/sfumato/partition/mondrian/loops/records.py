"""What Mondrian's loops read of a record: its codes and its rows, and how many of these go left of a cut."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner
from sfumato.partition.mondrian.loops.segments import BEGIN, CHANCE, CODE, END, QUOTA, TIES

__all__ = ["Cut", "Field", "Records", "code_of", "cut_of", "field_of", "goes_left", "rows_of"]

Ints = NDArray[np.int64]
Records = NDArray[np.int64]
Field = tuple[int, int, int]


class Cut(NamedTuple):
    """A cut, as far as it says where records go."""

    code: int
    ties: int
    quota: int
    begin: int
    end: int
    chance: int


@inner
def cut_of(cuts: Ints, at: int) -> Cut:
    return Cut(cuts[at, CODE], cuts[at, TIES], cuts[at, QUOTA], cuts[at, BEGIN], cuts[at, END], cuts[at, CHANCE])


@inner
def field_of(fields: Ints, column: int) -> Field:
    return fields[column, 0], fields[column, 1], fields[column, 2]


@inner
def code_of(records: Records, row: int, field: Field) -> Any:
    word, shift, mask = field
    return (records[row, word] >> shift) & mask


@inner
def rows_of(records: Records, row: int) -> Any:
    return records[row, records.shape[1] - 1] >> 32


@inner
def goes_left(cut: Cut, row: int, code: int, rows: int, carry: int) -> tuple[Any, Any]:
    """How many rows of a record go left, and what is carried over to the next one that is shared out.

    Shares are in proportion; what is lost in rounding adds up in `carry` to a row, so that all shares make the quota.
    """
    if cut.ties == 0 or code != cut.code:
        return (rows if code <= cut.code else 0), carry
    if row < cut.begin or row >= cut.end:
        return (rows if row < cut.begin else 0), carry
    carry += rows * cut.quota
    if carry < cut.ties:
        return 0, carry
    share = np.int64(np.uint64(carry) // np.uint64(cut.ties)) if rows > 1 else np.int64(1)
    return share, carry - share * cut.ties
