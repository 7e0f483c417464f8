"""Best-first search for the cheapest removal of terms in one group.

The options of a row fall into classes of equal cost. A node settles the classes of the first rows; its key is what they
cost plus a bound on what the others must cost, so classes are looked at in order of cost and a whole vector of classes
comes up only when no cheaper one is left. Then its options are tried one row after the other, cut off where `margin`
says that nothing can come of it. The first success is the cheapest there is; when the work runs out, the key at hand
is a proven lower bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sfumato.kernels.room import longer
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import CL, Aim, Choices, Desk, desk_for, margin
from sfumato.partition.steps.terms.loops.bounds import FAR, Fronts, OptionClasses, fronts_of, limit_of, rest_of

__all__ = ["FOUND", "NONE", "OVER", "best_first"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FOUND, NONE, OVER = 0, 1, 2
_SMALL = 64


class _Nodes(NamedTuple):
    """Nodes of the search: the one above, the class of the last settled row, how many are settled, cost, key."""

    above: Ints
    klass: Ints
    depths: Ints
    costs: Ints
    keys: Ints
    heap: Ints


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _roomier(nodes: _Nodes) -> _Nodes:
    return _Nodes(
        longer(nodes.above, len(nodes.above)),
        longer(nodes.klass, len(nodes.klass)),
        longer(nodes.depths, len(nodes.depths)),
        longer(nodes.costs, len(nodes.costs)),
        longer(nodes.keys, len(nodes.keys)),
        longer(nodes.heap, len(nodes.heap)),
    )


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _push(heap: Ints, keys: Ints, depths: Ints, size: int, node: int) -> None:
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if not _before(keys, depths, node, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = node


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _before(keys: Ints, depths: Ints, one: int, other: int) -> bool:
    """Cheaper first, then deeper, then older."""
    if keys[one] != keys[other]:
        return bool(keys[one] < keys[other])
    if depths[one] != depths[other]:
        return bool(depths[one] > depths[other])
    return one < other


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _pop(heap: Ints, keys: Ints, depths: Ints, size: int) -> int:
    """Take the first of `size` nodes off the heap."""
    top, last, at = heap[0], heap[size - 1], 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and _before(keys, depths, heap[below + 1], heap[below]):
            below += 1
        if not _before(keys, depths, heap[below], last):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return int(top)


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _path(nodes: _Nodes, node: int, into: Ints) -> int:
    """The classes that a node settles; how many they are."""
    depth, at = nodes.depths[node], node
    for row in range(depth - 1, -1, -1):
        into[row] = nodes.klass[at]
        at = nodes.above[at]
    return int(depth)


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _hopeless(
    aim: Aim,
    choices: Choices,
    classes: OptionClasses,
    best: Floats,
    path: Ints,
    depth: int,
    M: int,
    desk: Desk,
    settled: Ints,
    open_: Floats,
) -> bool:
    """Whether nothing can come of a node, classes of a single option taken as they are."""
    kind, count, others = M - (len(classes.rows) - 1 - classes.loose), 0, 0
    for row in range(depth):
        klass = path[row]
        option = classes.firsts[klass]
        size = choices.begins[option + 1] - choices.begins[option]
        if classes.firsts[klass + 1] == option + 1 and size <= _SMALL:
            settled[count] = option
            count += 1
        else:
            open_[others] = classes.sizes[klass] if aim.kind == CL else classes.worths[kind, klass]
            others += 1
    for row in range(depth, len(classes.rows) - 1):
        open_[others] = best[0 if aim.kind == CL else kind, row]
        others += 1
    return bool(margin(aim, choices, settled, count, open_, others, M, desk) > aim.slack)


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _bests(aim: Aim, classes: OptionClasses) -> Floats:
    """The best case of every row: most labels, or least worth for every M."""
    total = len(classes.rows) - 1
    best = np.empty((len(classes.worths), total))
    for kind in range(len(classes.worths)):
        for row in range(total):
            first, stop = classes.rows[row], classes.rows[row + 1]
            best[kind, row] = (
                classes.sizes[first:stop].max() if aim.kind == CL else classes.worths[kind, first:stop].min()
            )
    return best


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _case_bound(
    aim: Aim, classes: OptionClasses, fronts: Fronts, path: Ints, depth: int, case: int, limit: float
) -> int:
    """The least cost of the open rows in one case."""
    limit += aim.slack
    for row in range(depth):
        limit -= classes.worths[case, path[row]]
    for row in range(depth, classes.loose):
        limit -= classes.worths[case, classes.rows[row] : classes.rows[row + 1]].min()
    return int(rest_of(fronts, case, max(depth, classes.loose), limit))


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _bound(aim: Aim, classes: OptionClasses, fronts: Fronts, best: Floats, path: Ints, depth: int) -> int:
    """The least cost of the rows that are still open."""
    total, found = len(classes.rows) - 1, int(FAR)
    linked, changed, top = 0, 0, 0.0
    for row in range(depth):
        size = classes.sizes[path[row]]
        changed += path[row] != classes.rows[row]
        if size > 0.0:
            top = max(top, 1.0 / size)
            linked += row < classes.loose
    if aim.kind != CL:
        for more in range(max(classes.loose - depth, 0) + 1):
            limit = limit_of(aim, total - classes.loose + linked + more, top)
            found = min(found, _case_bound(aim, classes, fronts, path, depth, linked + more, limit))
        return found
    for row in range(max(depth, classes.loose), total):
        top = max(top, 1.0 / best[0, row])
    last = len(classes.worths) - 1
    for more in range(total - depth + 1):
        case = min(changed + more, last)
        most = top
        if case < last and more < total - max(depth, classes.loose):
            most = max(most, 1.0 / classes.wide[depth])
        rest = _case_bound(aim, classes, fronts, path, depth, case, limit_of(aim, 0, most))
        found = min(found, max(rest, more * classes.change[depth] if more > 0 else 0))
        if case == last:
            break
    return found


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _banned(chosen: Ints, banned: Ints) -> bool:
    hit = False
    for each in range(len(banned)):
        hit = hit or (banned[each] == chosen).all()
    return hit


@njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _try_options(
    aim: Aim,
    choices: Choices,
    classes: OptionClasses,
    path: Ints,
    M: int,
    banned: Ints,
    work: int,
    desk: Desk,
    chosen: Ints,
) -> int:
    """Look for options of the given classes that keep the promise: FOUND (then `chosen` has them), NONE or OVER."""
    total = len(path)
    kind = M - (total - classes.loose)
    counts = np.empty(total, np.int64)
    for row in range(total):
        counts[row] = classes.firsts[path[row] + 1] - classes.firsts[path[row]]
    order = stable_order(counts)
    ranks, settled = np.empty(total, np.int64), np.empty(total, np.int64)
    cases, ends = np.empty(total), np.empty(total, np.int64)
    linked = 0
    for place in range(total - 1, -1, -1):
        klass = path[order[place]]
        ends[place] = linked
        if classes.sizes[klass] > 0.0:
            cases[linked] = classes.sizes[klass] if aim.kind == CL else classes.worths[kind, klass]
            linked += 1
        ranks[order[place]] = place
    level, fresh = 0, True
    while level >= 0:
        row = order[level]
        klass = path[row]
        if fresh:
            settled[level] = classes.firsts[klass]
            # Of two rows alike in the same class, the first takes the earlier option.
            if classes.alike[row] and ranks[row - 1] == level - 1:
                above = path[row - 1]
                if above - classes.rows[row - 1] == klass - classes.rows[row]:
                    settled[level] += settled[level - 1] - classes.firsts[above]
        else:
            settled[level] += 1
        if settled[level] >= classes.firsts[klass + 1]:
            level, fresh = level - 1, False
            continue
        if desk.counters[0] > work:
            return OVER
        fresh = False
        if level + 1 < total and counts[order[level + 1]] == 1:
            level, fresh = level + 1, True
            continue
        if margin(aim, choices, settled, level + 1, cases, ends[level], M, desk) > aim.slack:
            continue
        if level + 1 < total:
            level, fresh = level + 1, True
            continue
        chosen[order] = settled
        if not _banned(chosen, banned):
            return FOUND
    return NONE


@njit(nogil=True, cache=True, no_cfunc_wrapper=True)
def best_first(
    aim: Aim, choices: Choices, classes: OptionClasses, labels: int, upper: int, work: int, banned: Ints
) -> tuple[int, int, Ints, int]:
    """FOUND with the cheapest options, NONE below `upper`, or OVER; a lower bound on the cost; options; work done."""
    total = len(classes.rows) - 1
    fronts, best, desk = fronts_of(classes), _bests(aim, classes), desk_for(labels, total, aim.l)
    path, chosen, settled, open_ = (
        np.empty(total, np.int64),
        np.zeros(total, np.int64),
        np.empty(total, np.int64),
        np.empty(total),
    )
    room = 1024
    nodes = _Nodes(
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
    )
    count, size = 1, 1
    nodes.keys[0] = _bound(aim, classes, fronts, best, path, 0)
    lower = 0
    while size > 0:
        node = _pop(nodes.heap, nodes.keys, nodes.depths, size)
        size -= 1
        if nodes.keys[node] >= upper:
            break
        lower = max(lower, int(nodes.keys[node]))
        desk.counters[0] += total
        if desk.counters[0] > work:
            return OVER, lower, chosen, int(desk.counters[0])
        depth = _path(nodes, node, path)
        M = total - classes.loose
        for row in range(min(depth, classes.loose)):
            M += classes.sizes[path[row]] > 0.0
        if depth == total:
            outcome = _try_options(aim, choices, classes, path, M, banned, work, desk, chosen)
            if outcome != NONE:
                return int(outcome), lower, chosen, int(desk.counters[0])
            continue
        if depth >= classes.loose and _hopeless(aim, choices, classes, best, path, depth, M, desk, settled, open_):
            continue
        first = classes.rows[depth]
        if classes.alike[depth]:
            first += path[depth - 1] - classes.rows[depth - 1]
        for klass in range(first, classes.rows[depth + 1]):
            cost = nodes.costs[node] + classes.costs[klass]
            path[depth] = klass
            rest = _bound(aim, classes, fronts, best, path, depth + 1)
            desk.counters[0] += total
            if cost + rest >= upper:
                continue
            if count == len(nodes.above):
                nodes = _roomier(nodes)
            nodes.above[count], nodes.klass[count], nodes.depths[count] = node, klass, depth + 1
            nodes.costs[count], nodes.keys[count] = cost, max(cost + rest, nodes.keys[node])
            _push(nodes.heap, nodes.keys, nodes.depths, size, count)
            count += 1
            size += 1
    return NONE, upper, chosen, int(desk.counters[0])
