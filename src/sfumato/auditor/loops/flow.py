"""The loop behind truth: how many published rows can have an original row of their own, each by an arc that fits.

Dinic's algorithm on a bipartite graph with counts: after a greedy start, shortest augmenting paths, all of one length
in one sweep. E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power estimation",
1970.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["unmatched"]

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]


@inner
def _given(
    starts: Ints,
    points: Numbers,
    room: Ints,
    degree: Ints,
    order: Ints,
    alone: bool,
    left: Ints,
    there: Ints,
    flow: Ints,
) -> None:
    """Give every box what its points still have: only from those that fit no other box, or from all."""
    for box in order:
        for arc in range(starts[box], starts[box + 1]):
            point = points[arc]
            if left[box] == 0:
                break
            if alone and degree[point] > 1:
                continue
            amount = min(left[box], min(there[point], room[arc] - flow[arc]))
            left[box] -= amount
            there[point] -= amount
            flow[arc] += amount


@inner
def _layers(
    starts: Ints, points: Numbers, room: Ints, begins: Ints, arcs: Ints, owner: Numbers, left: Ints, there: Ints,
    flow: Ints, boxes: Numbers, spots: Numbers, queue: Numbers,
) -> int:  # fmt: skip
    """How far every box and point is from a box that lacks something; -1: out of reach. The work, negative if no point
    that has something left can be reached."""
    boxes[:], spots[:] = -1, -1
    last, work, reached = 0, 0, False
    for box in range(len(boxes)):
        if left[box] > 0:
            boxes[box], queue[last] = 0, box
            last += 1
    at = 0
    while at < last:
        box = queue[at]
        at += 1
        for arc in range(starts[box], starts[box + 1]):
            work += 1
            point = points[arc]
            if spots[point] >= 0 or flow[arc] >= room[arc]:
                continue
            spots[point] = boxes[box] + 1
            if there[point] > 0:
                reached = True
                continue  # a shortest path ends here
            for place in range(begins[point], begins[point + 1]):
                work += 1
                other = owner[arcs[place]]
                if flow[arcs[place]] > 0 and boxes[other] < 0:
                    boxes[other], queue[last] = spots[point] + 1, other
                    last += 1
    return work if reached else -work - 1


@inner
def _augmented(
    root: int, starts: Ints, points: Numbers, room: Ints, begins: Ints, arcs: Ints, owner: Numbers, left: Ints,
    there: Ints, flow: Ints, boxes: Numbers, spots: Numbers, next_arc: Ints, next_place: Ints, path: Ints,
) -> int:  # fmt: skip
    """Send along paths from one box whatever can be sent; the work."""
    box, depth, work = root, 0, 0
    while True:
        moved = False
        while next_arc[box] < starts[box + 1]:
            work += 1
            arc = next_arc[box]
            point = points[arc]
            if flow[arc] < room[arc] and spots[point] == boxes[box] + 1:
                if there[point] > 0:
                    path[2 * depth] = arc
                    amount = min(left[root], there[point])
                    for at in range(depth + 1):
                        amount = min(amount, room[path[2 * at]] - flow[path[2 * at]])
                        if at < depth:
                            amount = min(amount, flow[path[2 * at + 1]])
                    for at in range(depth + 1):
                        flow[path[2 * at]] += amount
                        if at < depth:
                            flow[path[2 * at + 1]] -= amount
                    left[root] -= amount
                    there[point] -= amount
                    if left[root] == 0:
                        return work
                    box, depth, moved = root, 0, True
                    break
                while next_place[point] < begins[point + 1]:
                    work += 1
                    back = arcs[next_place[point]]
                    if flow[back] > 0 and boxes[owner[back]] == spots[point] + 1:
                        break
                    next_place[point] += 1
                if next_place[point] < begins[point + 1]:
                    path[2 * depth], path[2 * depth + 1] = arc, arcs[next_place[point]]
                    box, depth, moved = owner[arcs[next_place[point]]], depth + 1, True
                    break
            next_arc[box] += 1
        if moved:
            continue
        if depth == 0:
            return work
        depth -= 1  # nothing leads on from this box
        next_place[points[path[2 * depth]]] += 1
        box = owner[path[2 * depth]]


@compiled
def unmatched(starts: Ints, points: Numbers, room: Ints, wanted: Ints, supply: Ints, most: int) -> tuple[Ints, bool]:
    """Per box how many rows are left without a point, in an assignment that leaves as few as possible.

    starts, points   box b may have ``points[starts[b]:starts[b + 1]]``
    room             how many of a box each of these may take
    wanted, supply   rows of boxes, and of points
    most             steps after which it is given up; the second answer says whether it was not
    """
    count, spotted = len(wanted), len(supply)
    degree = np.zeros(spotted + 1, np.int64)
    owner = np.empty(len(points), np.int32)
    for box in range(count):
        for arc in range(starts[box], starts[box + 1]):
            owner[arc] = box
            degree[points[arc]] += 1
    begins = np.zeros(spotted + 1, np.int64)
    for point in range(spotted):
        begins[point + 1] = begins[point] + degree[point]
    filled, arcs = begins.copy(), np.empty(len(points), np.int64)
    for arc in range(len(points)):
        arcs[filled[points[arc]]] = arc
        filled[points[arc]] += 1
    left, there, flow = wanted.copy(), supply.copy(), np.zeros(len(points), np.int64)
    order = np.argsort(starts[1:] - starts[:-1])
    _given(starts, points, room, degree, order, True, left, there, flow)
    _given(starts, points, room, degree, order, False, left, there, flow)
    boxes, spots = np.empty(count, np.int32), np.empty(spotted, np.int32)
    queue, path = np.empty(count, np.int32), np.empty(2 * count + 2, np.int64)
    work = 0
    while work <= most:
        steps = _layers(starts, points, room, begins, arcs, owner, left, there, flow, boxes, spots, queue)
        if steps < 0:
            return left, True
        work += steps
        next_arc, next_place = starts[:-1].copy(), begins[:-1].copy()
        for box in range(count):
            if left[box] > 0 and work <= most:
                work += _augmented(
                    box, starts, points, room, begins, arcs, owner, left, there, flow, boxes, spots, next_arc,
                    next_place, path,
                )  # fmt: skip
    return left, False
