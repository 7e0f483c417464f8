"""The loops behind ID3: a tree over codes, split by information gain, and what it says of rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["Branches", "grown", "said"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

_EQUAL = 1e-9
"""Gains that differ by less, per row, are equal: sums of logarithms come in any order."""


class Branches(NamedTuple):
    """A tree, its root first.

    column   by which each node is split; -1: a leaf
    answer   the most frequent target of each; of several the least
    first    its children are nodes ``first[n]`` to ``first[n] + many[n]``, in ascending order of `value`
    many     how many children it has
    value    the code that leads to each
    """

    column: Ints
    answer: Ints
    first: Ints
    many: Ints
    value: Ints


class _Desk(NamedTuple):
    """Room to count in. All of `room` and `tally` is zero between two uses.

    room, place, seen   per value: its rows, and where they go; values that occur
    tally               per target how often it occurs
    held, spare         per row: its target by value, and the row itself
    xlogx               n · log2 n
    """

    room: Ints
    place: Ints
    seen: Ints
    tally: Ints
    held: Codes
    spare: Ints
    xlogx: Floats


class _Nodes(NamedTuple):
    """A tree while it grows: `Branches`; and of every node its rows, from `begins` to `ends`, and columns `used`."""

    column: Ints
    answer: Ints
    first: Ints
    many: Ints
    value: Ints
    begins: Ints
    ends: Ints
    used: Ints


@inner
def _valued(desk: _Desk, codes: Codes, rows: Ints) -> int:
    """Count the rows of every value; how many values there are."""
    found = 0
    for row in rows:
        value = codes[row]
        if desk.room[value] == 0:
            desk.seen[found] = value
            found += 1
        desk.room[value] += 1
    return found


@inner
def _cost(desk: _Desk, codes: Codes, targets: Codes, rows: Ints) -> tuple[float, int]:
    """Of a split: the sum over values of rows times entropy, and how many values there are."""
    found, end, cost = _valued(desk, codes, rows), 0, 0.0
    for at in range(found):
        desk.place[desk.seen[at]] = end
        end += desk.room[desk.seen[at]]
    for row in rows:
        value = codes[row]
        desk.held[desk.place[value]] = targets[row]
        desk.place[value] += 1
    for at in range(found):
        value = desk.seen[at]
        last = desk.place[value]
        first = last - desk.room[value]
        cost += desk.xlogx[desk.room[value]]
        for spot in range(first, last):
            target = desk.held[spot]
            cost -= desk.xlogx[desk.tally[target] + 1] - desk.xlogx[desk.tally[target]]
            desk.tally[target] += 1
        for spot in range(first, last):
            desk.tally[desk.held[spot]] = 0
        desk.room[value] = 0
    return cost, found


@inner
def _commonest(desk: _Desk, targets: Codes, rows: Ints) -> tuple[Any, bool]:
    """The most frequent target of some rows, the least of several, and whether there is no other."""
    best, many = np.int64(targets[rows[0]]), 0
    for row in rows:
        desk.tally[targets[row]] += 1
    for row in rows:
        target = targets[row]
        if desk.tally[target] > many or (desk.tally[target] == many and target < best):
            best, many = np.int64(target), desk.tally[target]
    for row in rows:
        desk.tally[targets[row]] = 0
    return best, many == len(rows)


@inner
def _chosen(desk: _Desk, codes: Codes, targets: Codes, rows: Ints, used: int) -> int:
    """The column of the largest gain, of several the first; -1 if none tells rows apart."""
    best, column = np.inf, -1
    for each in range(len(codes)):
        if used >> each & 1 == 0:
            cost, found = _cost(desk, codes[each], targets, rows)
            if found > 1 and cost < best - _EQUAL * len(rows):
                best, column = cost, each
    return column


@inner
def _longer(numbers: Ints) -> Ints:
    made = np.zeros(2 * len(numbers), np.int64)
    made[: len(numbers)] = numbers
    return made


@inner
def _split(desk: _Desk, nodes: _Nodes, node: int, codes: Codes, rows: Ints, made: int) -> None:
    """Put the rows of a node in the order of their values, and make a child of each, from the node `made` on."""
    found = _valued(desk, codes, rows)
    values, end = np.sort(desk.seen[:found]), np.int64(0)
    nodes.first[node], nodes.many[node] = made, found
    for at in range(found):
        child, value = made + at, values[at]
        nodes.value[child], nodes.used[child] = value, nodes.used[node] | (1 << nodes.column[node])
        desk.place[value], nodes.begins[child] = end, nodes.begins[node] + end
        end += desk.room[value]
        nodes.ends[child] = nodes.begins[node] + end
        desk.room[value] = 0
    for row in rows:
        value = codes[row]
        desk.spare[desk.place[value]] = row
        desk.place[value] += 1
    rows[:] = desk.spare[: len(rows)]


@compiled
def grown(codes: Codes, sizes: Ints, targets: Codes, answers: int) -> Branches:
    """The tree of some rows, of which there is one at least.

    codes     a row per column; below `sizes` of it
    targets   per row what is to be said of it; below `answers`
    """
    count, most = len(targets), np.int64(1)
    for size in sizes:
        most = max(most, size)
    xlogx = np.zeros(count + 2, np.float64)
    for number in range(2, count + 2):
        xlogx[number] = number * np.log2(number)
    room, place, seen = np.zeros(most, np.int64), np.zeros(most, np.int64), np.empty(most, np.int64)
    desk = _Desk(
        room, place, seen, np.zeros(answers, np.int64), np.empty(count, np.int32), np.empty(count, np.int64), xlogx
    )
    space = np.zeros((8, 1024), np.int64)
    nodes = _Nodes(space[0], space[1], space[2], space[3], space[4], space[5], space[6], space[7])
    rows, made, node = np.arange(count), 1, 0
    nodes.ends[0] = count
    while node < made:  # nodes are made level by level, so that children stand together
        mine = rows[nodes.begins[node] : nodes.ends[node]]
        nodes.answer[node], pure = _commonest(desk, targets, mine)
        nodes.column[node] = -1 if pure else _chosen(desk, codes, targets, mine, nodes.used[node])
        if nodes.column[node] >= 0:
            while len(nodes.column) < made + len(mine):
                nodes = _Nodes(
                    _longer(nodes.column),
                    _longer(nodes.answer),
                    _longer(nodes.first),
                    _longer(nodes.many),
                    _longer(nodes.value),
                    _longer(nodes.begins),
                    _longer(nodes.ends),
                    _longer(nodes.used),
                )
            _split(desk, nodes, node, codes[nodes.column[node]], mine, made)
            made += nodes.many[node]
        node += 1
    return Branches(nodes.column[:made], nodes.answer[:made], nodes.first[:made], nodes.many[:made], nodes.value[:made])


@compiled
def said(tree: Branches, codes: Codes) -> Ints:
    """What the tree says of some rows; where it has not met a value, what is most frequent so far."""
    answers = np.zeros(codes.shape[1], np.int64)
    for row in range(codes.shape[1]):
        node = 0
        while tree.column[node] >= 0:
            wanted = codes[tree.column[node], row]
            low, high = tree.first[node], tree.first[node] + tree.many[node]
            end = high
            while low < high:
                middle = (low + high) // 2
                if tree.value[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low == end or tree.value[low] != wanted:
                break
            node = low
        answers[row] = tree.answer[node]
    return answers
