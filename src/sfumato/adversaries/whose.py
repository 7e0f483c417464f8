"""Which combination of values every row of a table has: whose row it is, as far as these are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.release.subject import Lacking
from sfumato.table.distinct import combined
from sfumato.table.table import Table

__all__ = ["numbered_rows"]

Ints = NDArray[np.int64]


def numbered_rows(table: Table, names: Sequence[str]) -> Ints:
    """Per row the number of its combination of these columns, as `Tuples.count` has them in order."""
    tuples = table.encode()
    if not names:
        return np.zeros(table.rows, dtype=np.int64)
    if tuples.row is None:
        raise Lacking("the rows of the original table")
    values, _ = combined([table.distinct[name] for name in names])
    number = np.full(int(values.max(initial=-1)) + 1, -1, dtype=np.int64)
    number[values[tuples.row]] = tuples.joint(names)[0]
    found = number[values]
    if (found < 0).any():
        raise Lacking("rows that are told apart by what is published")
    return np.asarray(found if table.times is None else np.repeat(found, table.times))
