"""Best-first search for the cheapest removal of terms in one group.

The options of a row fall into classes of equal cost. A node settles the classes of the first rows; its key is what they
cost plus a bound on what the others must cost, so classes are looked at in order of cost and a whole vector of classes
comes up only when no cheaper one is left. Then its options are tried one row after the other, cut off where `margin`
says that nothing can come of it. The first success is the cheapest there is; when the work runs out, the key at hand
is a proven lower bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner, spliced
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import CL, Aim, Choices, Desk, desk_for, margin
from sfumato.partition.steps.terms.loops.bounds import FAR, Fronts, OptionClasses, fronts_of, limit_of, rest_of

__all__ = ["FOUND", "NONE", "OVER", "best_first"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FOUND, NONE, OVER = 0, 1, 2
_SMALL = 64


_ABOVE, _CLASS, _DEPTH, _COST, _KEY, _HEAP = range(6)
"""Of a node of the search: the one above, the class of the last settled row, how many are settled, cost, key. The last
is not a node's own: there the heap has its numbers of nodes."""


@spliced
def _roomier(nodes: Ints) -> Ints:
    """The same nodes with room for as many again."""
    more = np.zeros((2 * len(nodes), nodes.shape[1]), np.int64)
    for node in range(len(nodes)):
        for field in range(nodes.shape[1]):
            more[node, field] = nodes[node, field]
    return more


@spliced
def _push(nodes: Ints, size: int, node: int) -> None:
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if not _before(nodes, node, nodes[above, _HEAP]):
            break
        nodes[at, _HEAP] = nodes[above, _HEAP]
        at = above
    nodes[at, _HEAP] = node


@inner
def _before(nodes: Ints, one: int, other: int) -> bool:
    """Cheaper first, then deeper, then older."""
    if nodes[one, _KEY] != nodes[other, _KEY]:
        return bool(nodes[one, _KEY] < nodes[other, _KEY])
    if nodes[one, _DEPTH] != nodes[other, _DEPTH]:
        return bool(nodes[one, _DEPTH] > nodes[other, _DEPTH])
    return one < other


@spliced
def _pop(nodes: Ints, size: int) -> int:
    """Take the first of `size` nodes off the heap."""
    top, last, at = nodes[0, _HEAP], nodes[size - 1, _HEAP], 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and _before(nodes, nodes[below + 1, _HEAP], nodes[below, _HEAP]):
            below += 1
        if not _before(nodes, nodes[below, _HEAP], last):
            break
        nodes[at, _HEAP] = nodes[below, _HEAP]
        at = below
    nodes[at, _HEAP] = last
    return int(top)


@spliced
def _path(nodes: Ints, node: int, into: Ints) -> int:
    """The classes that a node settles; how many they are."""
    depth, at = nodes[node, _DEPTH], node
    for row in range(depth - 1, -1, -1):
        into[row] = nodes[at, _CLASS]
        at = nodes[at, _ABOVE]
    return int(depth)


@spliced
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
    kind, count, others = M - (len(classes.rows) - 1 - classes.loose), np.int64(0), np.int64(0)
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


@spliced
def _bests(aim: Aim, classes: OptionClasses) -> Floats:
    """The best case of every row: most labels, or least worth for every M."""
    total = len(classes.rows) - 1
    best = np.empty((len(classes.worths), total))
    for kind in range(len(classes.worths)):
        for row in range(total):
            most, least = 0.0, np.inf
            for klass in range(classes.rows[row], classes.rows[row + 1]):
                most, least = max(most, classes.sizes[klass]), min(least, classes.worths[kind, klass])
            best[kind, row] = most if aim.kind == CL else least
    return best


@inner
def _case_bound(
    aim: Aim, classes: OptionClasses, fronts: Fronts, path: Ints, depth: int, case: int, limit: float
) -> int:
    """The least cost of the open rows in one case."""
    limit += aim.slack
    for row in range(depth):
        limit -= classes.worths[case, path[row]]
    for row in range(depth, classes.loose):
        least = np.inf
        for klass in range(classes.rows[row], classes.rows[row + 1]):
            least = min(least, classes.worths[case, klass])
        limit -= least
    return int(rest_of(fronts, case, max(depth, classes.loose), limit))


@inner
def _bound(aim: Aim, classes: OptionClasses, fronts: Fronts, best: Floats, path: Ints, depth: int) -> int:
    """The least cost of the rows that are still open."""
    total, found = len(classes.rows) - 1, int(FAR)
    linked: Any = np.int64(0)
    changed, top, nobody = linked, 0.0, linked
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
        rest = _case_bound(aim, classes, fronts, path, depth, case, limit_of(aim, nobody, most))
        found = min(found, max(rest, more * classes.change[depth] if more > 0 else 0))
        if case == last:
            break
    return found


@spliced
def _banned(chosen: Ints, banned: Ints) -> bool:
    for each in range(len(banned)):
        same = True
        for row in range(len(chosen)):
            same = same and banned[each, row] == chosen[row]
        if same:
            return True
    return False


@spliced
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
        for place in range(total):
            chosen[order[place]] = settled[place]
        if not _banned(chosen, banned):
            return FOUND
    return NONE


@compiled
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
    nodes = np.zeros((1024, 6), np.int64)
    lower: Any = np.int64(0)
    count, size = lower + 1, lower + 1
    nodes[0, _KEY] = _bound(aim, classes, fronts, best, path, lower)
    while size > 0:
        node = _pop(nodes, size)
        size -= 1
        if nodes[node, _KEY] >= upper:
            break
        lower = max(lower, nodes[node, _KEY])
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
            cost = nodes[node, _COST] + classes.costs[klass]
            path[depth] = klass
            rest = _bound(aim, classes, fronts, best, path, depth + 1)
            desk.counters[0] += total
            if cost + rest >= upper:
                continue
            if count == len(nodes):
                nodes = _roomier(nodes)
            nodes[count, _ABOVE], nodes[count, _CLASS], nodes[count, _DEPTH] = node, klass, depth + 1
            nodes[count, _COST], nodes[count, _KEY] = cost, max(cost + rest, nodes[node, _KEY])
            _push(nodes, size, count)
            count += 1
            size += 1
    return NONE, upper, chosen, int(desk.counters[0])
