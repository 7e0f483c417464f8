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

from sfumato.compiled import compiled, inner
from sfumato.kernels.room import longer
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import CL, Aim, Choices, Desk, margin
from sfumato.partition.steps.terms.loops.bounds import OptionClasses, bound, fronts_of

__all__ = ["FOUND", "NONE", "OVER", "best_first"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FOUND, NONE, OVER = 0, 1, 2
_SMALL = 64


_ABOVE, _CLASS, _DEPTH, _COST, _KEY, _FIELDS = range(6)
"""A node of the search is the place where its fields begin: the one above, the class of the last settled row, how many
are settled, cost, key."""


@inner
def _before(nodes: Ints, one: int, other: int) -> bool:
    """Cheaper first, then deeper, then older."""
    if nodes[one + _KEY] != nodes[other + _KEY]:
        return bool(nodes[one + _KEY] < nodes[other + _KEY])
    if nodes[one + _DEPTH] != nodes[other + _DEPTH]:
        return bool(nodes[one + _DEPTH] > nodes[other + _DEPTH])
    return one < other


@inner
def _push(nodes: Ints, heap: Ints, size: int, node: int) -> None:
    """Put a node on a heap that has `size`."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if not _before(nodes, node, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = node


@inner
def _pop(nodes: Ints, heap: Ints, size: int) -> Any:
    """Take the first of `size` nodes off the heap."""
    top, last, at = heap[0], heap[size - 1], 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and _before(nodes, heap[below + 1], heap[below]):
            below += 1
        if not _before(nodes, heap[below], last):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return top


@inner
def _hopeless(
    aim: Aim, choices: Choices, classes: OptionClasses, path: Ints, depth: int, M: int, desk: Desk, open_: Floats
) -> bool:
    """Whether nothing can come of a node, classes of a single option taken as they are."""
    firsts, sizes, worths, begins = classes.firsts, classes.sizes, classes.worths, choices.begins
    total = len(classes.rows) - 1
    settled, count, others = np.empty(total, np.int64), np.int64(0), np.int64(0)
    kind = 0 if aim.kind == CL else M - (total - classes.loose)
    for row in range(total):
        klass = path[row]
        if row >= depth:
            open_[others] = classes.most[row] if aim.kind == CL else classes.least[kind, row]
            others += 1
            continue
        option = firsts[klass]
        if firsts[klass + 1] == option + 1 and begins[option + 1] - begins[option] <= _SMALL:
            settled[count] = option
            count += 1
        else:
            open_[others] = sizes[klass] if aim.kind == CL else worths[kind, klass]
            others += 1
    return bool(margin(aim, choices, settled, count, open_, others, M, desk) > aim.slack)


@inner
def _banned(chosen: Ints, banned: Ints) -> bool:
    for each in range(len(banned)):
        same = 0
        for row in range(len(chosen)):
            same += banned[each, row] == chosen[row]
        if same == len(chosen):
            return True
    return False


@inner
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
    rows, firsts, sizes, worths = classes.rows, classes.firsts, classes.sizes, classes.worths
    total = len(path)
    kind = M - (total - classes.loose)
    counts = np.empty(total, np.int64)
    for row in range(total):
        counts[row] = firsts[path[row] + 1] - firsts[path[row]]
    order = stable_order(counts)
    ranks, settled = np.empty(total, np.int64), np.empty(total, np.int64)
    cases, ends = np.empty(total), np.empty(total, np.int64)
    linked = 0
    for place in range(total - 1, -1, -1):
        klass = path[order[place]]
        ends[place] = linked
        if sizes[klass] > 0.0:
            cases[linked] = sizes[klass] if aim.kind == CL else worths[kind, klass]
            linked += 1
        ranks[order[place]] = place
    level, fresh = 0, True
    while level >= 0:
        row = order[level]
        klass = path[row]
        if fresh:
            settled[level] = firsts[klass]
            # Of two rows alike in the same class, the first takes the earlier option.
            if classes.alike[row] and ranks[row - 1] == level - 1:
                above = path[row - 1]
                if above - rows[row - 1] == klass - rows[row]:
                    settled[level] += settled[level - 1] - firsts[above]
        else:
            settled[level] += 1
        fresh = False
        if settled[level] >= firsts[klass + 1]:
            level -= 1
            continue
        if desk.counters[0] > work:
            return OVER
        last = level + 1 == total
        forced = not last and counts[order[level + 1]] == 1
        if not forced and margin(aim, choices, settled, level + 1, cases, ends[level], M, desk) > aim.slack:
            continue
        if not last:
            level, fresh = level + 1, True
            continue
        for place in range(total):
            chosen[order[place]] = settled[place]
        if not _banned(chosen, banned):
            return FOUND
    return NONE


@compiled
def best_first(
    aim: Aim, choices: Choices, classes: OptionClasses, desk: Desk, upper: int, work: int, banned: Ints
) -> tuple[int, int, Ints]:
    """FOUND with the cheapest options, NONE below `upper`, or OVER; a lower bound on the cost; options."""
    rows, sizes, loose, counters = classes.rows, classes.sizes, classes.loose, desk.counters
    total, fronts = len(rows) - 1, fronts_of(classes)
    path, chosen, open_ = np.zeros(total, np.int64), np.zeros(total, np.int64), np.empty(total)
    nodes, heap = np.zeros(1024 * _FIELDS, np.int64), np.zeros(1024, np.int64)
    lower: Any = np.int64(0)
    used, size = lower + _FIELDS, lower + 1
    nodes[_KEY] = bound(aim, classes, fronts, path, lower)
    while size > 0:
        node = _pop(nodes, heap, size)
        size -= 1
        if nodes[node + _KEY] >= upper:
            break
        lower = max(lower, nodes[node + _KEY])
        counters[0] += total
        if counters[0] > work:
            return OVER, lower, chosen
        depth, M, at = nodes[node + _DEPTH], total - loose, node
        for row in range(depth - 1, -1, -1):
            path[row] = nodes[at + _CLASS]
            M += row < loose and sizes[path[row]] > 0.0
            at = nodes[at + _ABOVE]
        if depth == total:
            outcome = _try_options(aim, choices, classes, path, M, banned, work, desk, chosen)
            if outcome != NONE:
                return outcome, lower, chosen
            continue
        if depth >= loose and _hopeless(aim, choices, classes, path, depth, M, desk, open_):
            continue
        first = rows[depth]
        if classes.alike[depth]:
            first += path[depth - 1] - rows[depth - 1]
        for klass in range(first, rows[depth + 1]):
            path[depth] = klass
            cost = nodes[node + _COST] + classes.costs[klass]
            key = cost + bound(aim, classes, fronts, path, depth + 1)
            counters[0] += total
            if key >= upper:
                continue
            nodes, heap = longer(nodes, used + _FIELDS), longer(heap, size + 1)
            nodes[used + _ABOVE], nodes[used + _CLASS], nodes[used + _DEPTH] = node, klass, depth + 1
            nodes[used + _COST], nodes[used + _KEY] = cost, max(key, nodes[node + _KEY])
            _push(nodes, heap, size, used)
            used += _FIELDS
            size += 1
    return NONE, upper, chosen
