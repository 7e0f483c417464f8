"""What boxes of codes cost: looked up where columns are narrow, computed from lines and trees where they are wide."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inlined

__all__ = ["LINE", "TABLE", "TREE", "Prices", "price"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TABLE, LINE, TREE = 0, 1, 2


class Prices(NamedTuple):
    """Prices of intervals, column by column.

    kind       a table of all intervals, positions on a line, or a tree
    offset     where a column's numbers begin: in `numbers`, or its tree in `parent`, `last` and `numbers`
    size       codes of a column
    missing    the code next to which nothing lies, or -1
    weight     the price of an interval that says nothing, on a line
    numbers    tables, positions, prices of nodes
    """

    kind: Ints
    offset: Ints
    size: Ints
    missing: Ints
    weight: Floats
    numbers: Floats
    parent: Ints
    last: Ints


@inlined
def price(prices: Prices, column: int, low: int, high: int) -> Any:
    """The price of the codes from low to high in a column; never less for a wider interval."""
    start = prices.offset[column]
    kind = prices.kind[column]
    if kind == TABLE:
        return prices.numbers[start + low * prices.size[column] + high]
    if kind == LINE:
        if low == high:
            return 0.0
        if high == prices.missing[column]:
            return prices.weight[column]
        return prices.numbers[start + high] - prices.numbers[start + low]
    node = low
    while prices.last[start + node] < high:
        node = prices.parent[start + node]
    return prices.numbers[start + node]
