"""The rules by which Mondrian chooses, whoever counts: the order of columns, where each may be cut, which cut halves.

The loops that cut records use them, and so does who decides by counts of rows that are elsewhere (`TopCuts`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.mondrian.loops.segments import Trees

__all__ = ["column_orders", "cut_edges", "edges_of", "nearer", "nearer_half", "next_column"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@inner
def next_column(cost: Floats, low: Ints, high: Ints, last: int) -> int:
    """The most costly column after the one tried last, ties by position; -1 if no other can be cut."""
    best = -1
    for column in range(len(cost)):
        if low[column] == high[column] or column == last:
            continue
        if last >= 0 and (cost[column] > cost[last] or (cost[column] == cost[last] and column < last)):
            continue
        if best < 0 or cost[column] > cost[best]:
            best = column
    return best


@inner
def edges_of(trees: Trees, column: int, low: int, high: int) -> Ints:
    """Codes after which a column with a tree may be cut: between children of the lowest node that covers both ends."""
    node = trees.leaves[column] + low
    while trees.last[node] < high:
        node = trees.parent[node]
    return trees.edges[trees.edge_from[node] : trees.edge_from[node + 1]]


@inner
def nearer(rows: int, under: int, left_under: int, over: int, left_over: int) -> tuple[int, int]:
    """Of two cuts with one half of the rows between them, the nearer to it, the lower of equal ones: its code, and rows
    left of it."""
    return (under, left_under) if rows <= left_under + left_over else (over, left_over)


@compiled
def column_orders(cost: Floats, low: Ints, high: Ints) -> Ints:
    """Per box the columns that can be cut, in the order in which they are tried; -1 behind the last."""
    orders = np.full(cost.shape, -1)
    for box in range(len(cost)):
        column = next_column(cost[box], low[box], high[box], -1)
        place = 0
        while column >= 0:
            orders[box, place] = column
            column = next_column(cost[box], low[box], high[box], column)
            place += 1
    return orders


@compiled
def cut_edges(trees: Trees, column: int, low: int, high: int) -> Ints:
    """`edges_of`, for Python."""
    found: Ints = edges_of(trees, column, low, high)
    return found


@compiled
def nearer_half(rows: int, under: int, left_under: int, over: int, left_over: int) -> tuple[int, int]:
    """`nearer`, for Python."""
    code, left = nearer(rows, under, left_under, over, left_over)
    return code, left
