"""SWEEP as the paper has it: single rows of the dominant value are swept, single sensitive values generalized.

Kept to reproduce the paper. Who knows the algorithm learns from what is missing in a class, or was generalized.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.blur import Blur
from sfumato.partition.contract import Task

if TYPE_CHECKING:
    from sfumato.partition.sweep import Levels

__all__ = ["sweep_faithfully"]

Ints = NDArray[np.int64]
Vector = tuple[int, ...]


def sweep_faithfully(
    task: Task, levels: Sequence[Levels], secret: tuple[str, Blur]
) -> tuple[Ints, list[Vector], dict[str, Ints]]:
    """The class of every row, the level vector of every class, and the sensitive values as published."""
    from sfumato.partition.sweep import level_vectors

    name, blur = secret
    table = task.table
    nodes = table[name].codes.astype(np.int64)
    rank = task.randomness.shuffle(len(blur.shares), "faithful ties of values").tolist()
    place = np.empty(table.rows, dtype=np.int64)
    place[table.canonical] = task.randomness.shuffle(table.rows, "faithful ties of rows")
    order = np.argsort(place).tolist()
    blurred = blur.row_by_row if task.edits else blur.as_they_are
    whole = blurred(nodes, order, rank)
    if whole is None:
        task.require_feasible()
        raise ValueError("the whole table keeps the promise, yet not as one class")
    nodes = whole
    labels, closed = np.full(table.rows, -1, dtype=np.int64), list[Vector]()
    vectors = level_vectors(levels)
    for vector in vectors[:-1]:
        waiting: dict[Vector, list[int]] = {}
        for row in order:
            if labels[row] < 0:
                key = _key(task, levels, vector, row)
                if key is not None:
                    waiting.setdefault(key, []).append(row)
        for rows in waiting.values():
            stay = _swept(blur, rows, nodes, rank)
            if stay:
                labels[stay] = len(closed)
                closed.append(vector)
    while (labels < 0).any():
        rows = [row for row in order if labels[row] < 0]
        shown = blurred(nodes[rows], range(len(rows)), rank)
        if shown is not None:
            nodes[rows] = shown
            labels[rows] = len(closed)
            closed.append(vectors[-1])
            break
        labels[labels == len(closed) - 1] = -1
        closed.pop()
    return labels, closed, {name: nodes}


def _key(task: Task, levels: Sequence[Levels], vector: Vector, row: int) -> Vector | None:
    key = []
    for column, each, at in zip(task.table.quasi, levels, vector, strict=True):
        code = int(column.codes[row])
        if not each.has[at][code]:
            return None
        key.append(int(each.shown[at][code]))
    return tuple(key)


def _swept(blur: Blur, rows: list[int], nodes: Ints, rank: Sequence[int]) -> list[int]:
    """The rows that stay: those that say most about the dominant value go one by one."""
    stay = list(rows)
    counts: dict[int, int] = {}
    for row in stay:
        counts[int(nodes[row])] = counts.get(int(nodes[row]), 0) + 1
    while stay and not blur.kept(counts):
        code = blur.dominant(counts, rank)[0]
        share = {node: dict(blur.shares[node]).get(code, Fraction(0)) for node, count in counts.items() if count}
        goes = max(stay, key=lambda row: share[int(nodes[row])])  # the first of them in the secret order
        stay.remove(goes)
        counts[int(nodes[goes])] -= 1
    return stay
