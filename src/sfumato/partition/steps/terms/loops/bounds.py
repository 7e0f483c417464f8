"""What the rows that are still open must cost at least, whatever becomes of them.

The promise is relaxed to one sum over rows (see `worths` and `counted_worths`): per row only the Pareto pairs of cost
and worth matter, and these are added up from the last row to the first, thinned out by taking the better of two
neighbours in both respects, which keeps it a bound. There is one such sum for every case: how many rows are linked in
the end, or for QS (c,l) how many rows change; the least over the cases is the bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import CL, EQUAL, EUCLID, Aim, Choices

__all__ = ["FAR", "Fronts", "OptionClasses", "bound", "counted_worths", "fronts_of", "worths"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_FRONT = 256
_CASES = 6
FAR = np.int64(1) << 62


class OptionClasses(NamedTuple):
    """Classes of options of equal cost: row i has `rows[i]..rows[i + 1] - 1`, class k the options
    `firsts[k]..firsts[k + 1] - 1`, best first; a row's first class is to keep everything, or what costs nothing.
    `worths[case, k]` is the least any of them adds to the relaxed promise, `sizes[k]` the most labels; `least[case, i]`
    and `most[i]` are the same for all classes of a row. The first `loose` rows are unlinked; `alike` says that a row is
    like the one before. Of the rows from i on, changing one costs `change[i]` at least, and unchanged linked ones have
    `wide[i]` labels at most."""

    rows: Ints
    firsts: Ints
    costs: Ints
    sizes: Floats
    worths: Floats
    most: Floats
    least: Floats
    loose: int
    alike: Bools
    change: Ints
    wide: Floats


class Fronts(NamedTuple):
    """For every M and row, the front of the rows from it on: where it ends, and costs and worths, cheap ones first."""

    ends: Ints
    costs: Ints
    worths: Floats


def worths(aim: Aim, choices: Choices, least: int, most: int) -> Floats:
    """What every option adds, at least, to a sum over rows that must not exceed a limit.

    Equal and Euclidean distance: the q of `margin`, limit t M or M^2 (t^2 - |prior|^2), for every M. QS (c,l): fewer
    labels are worse, and no more is needed here.
    """
    if aim.kind == CL:
        sizes = np.diff(choices.begins)
        return np.tile(np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0), (most - least + 1, 1))
    found: Floats = distances(aim, choices, least, most)
    return found


@compiled
def distances(aim: Aim, choices: Choices, least: int, most: int) -> Floats:
    """The same for the distances."""
    table = np.zeros((most - least + 1, len(choices.costs)))
    for linked in range(least, most + 1):
        for option in range(len(choices.costs)):
            total = 0.0
            for at in range(choices.begins[option], choices.begins[option + 1]):
                each, prior = choices.chances[at], aim.prior[choices.labels[at]]
                if aim.kind == EUCLID:
                    total += each * (each - 2.0 * linked * prior)
                else:
                    total += max(0.0, each - linked * prior)
            table[linked - least, option] = total
    return table


def counted_worths(aim: Aim, rows: Ints, sizes: Floats) -> Floats:
    """The same for QS (c,l), by classes, for every number r of changed rows; the last case is any number.

    Give row i a part k_i of the l - 1 largest entries: as long as these sum to l - 1 at most, top_(l-1) is at least the
    sum of min(1, k_i / s_i). So a linked row adds c min(1, k_i / s_i) - c, and the limit is minus the largest mass.
    If r rows change, the others get as many parts as they have labels, and the r share what is left; else all alike.
    """
    total = len(rows) - 1
    cases = np.arange(min(total, _CASES) + 1)
    falling = np.concatenate([[0.0], np.cumsum(-np.sort(-sizes[rows[:-1]]))])
    left = aim.l - 1 - falling[total - cases]
    alike = (cases == cases[-1]) | (left < 0)
    share = np.where(alike, (aim.l - 1) / total, left / np.maximum(cases, 1))
    changed = np.ones(len(sizes), np.bool_)
    changed[rows[:-1]] = False
    counts = (sizes > 0) & (alike[:, None] | changed)
    worth = aim.c * (np.minimum(1.0, share[:, None] / np.maximum(sizes, 1.0)) - 1.0)
    table = np.where(counts, worth, 0.0)
    table[0, changed] = np.inf
    return table


@inner
def _front(costs: Ints, worth: Floats) -> tuple[Ints, Floats]:
    """Pairs of which none is worse than another in both respects, by cost; not more than there is room for."""
    order = stable_order(costs)
    kept_costs, kept_worth, count = np.empty(len(costs), np.int64), np.empty(len(costs)), 0
    for place in order:
        if count > 0 and worth[place] >= kept_worth[count - 1]:
            continue
        if count > 0 and costs[place] == kept_costs[count - 1]:
            count -= 1
        kept_costs[count], kept_worth[count] = costs[place], worth[place]
        count += 1
    while count > _FRONT:
        half = (count + 1) // 2
        for pair in range(half):
            kept_costs[pair] = kept_costs[2 * pair]
            kept_worth[pair] = kept_worth[min(2 * pair + 1, count - 1)]
        count = half
    return kept_costs[:count], kept_worth[:count]


@inner
def fronts_of(classes: OptionClasses) -> Fronts:
    """Add the rows up."""
    rows, costs, worths, loose = classes.rows, classes.costs, classes.worths, classes.loose
    total, kinds = len(rows) - 1, len(worths)
    ends = np.zeros(kinds * (total + 1) + 1, np.int64)
    all_costs, all_worths = np.empty(kinds * (total + 1) * _FRONT, np.int64), np.empty(kinds * (total + 1) * _FRONT)
    used = 0
    for kind in range(kinds):
        rest_costs, rest_worth = np.zeros(1, np.int64), np.zeros(1)
        for row in range(total, -1, -1):
            if loose <= row < total:
                first, stop = rows[row], rows[row + 1]
                own_costs, own_worth = _front(costs[first:stop], worths[kind, first:stop])
                size = len(rest_costs)
                sum_costs, sum_worth = np.empty(len(own_costs) * size, np.int64), np.empty(len(own_costs) * size)
                for own in range(len(own_costs)):
                    for rest in range(size):
                        sum_costs[own * size + rest] = own_costs[own] + rest_costs[rest]
                        sum_worth[own * size + rest] = own_worth[own] + rest_worth[rest]
                rest_costs, rest_worth = _front(sum_costs, sum_worth)
            if row >= loose:
                for at in range(len(rest_costs)):
                    all_costs[used + at], all_worths[used + at] = rest_costs[at], rest_worth[at]
                used += len(rest_costs)
            ends[kind * (total + 1) + total - row + 1] = used
    return Fronts(ends, all_costs, all_worths)


@inner
def _rest(aim: Aim, classes: OptionClasses, fronts: Fronts, path: Ints, depth: int, case: int, limit: float) -> Any:
    """The least cost of the open rows in one case, in which all worths may sum to the limit at most."""
    total, begin = len(classes.rows) - 1, max(depth, classes.loose)
    limit += aim.slack
    for row in range(begin):
        limit -= classes.worths[case, path[row]] if row < depth else classes.least[case, row]
    place = case * (total + 1) + total - begin
    low, stop = fronts.ends[place], fronts.ends[place + 1]
    high = stop
    while low < high:
        middle = (low + high) >> 1
        if fronts.worths[middle] <= limit:
            high = middle
        else:
            low = middle + 1
    return fronts.costs[low] if low < stop else FAR


@inner
def bound(aim: Aim, classes: OptionClasses, fronts: Fronts, path: Ints, depth: int) -> Any:
    """The least cost of the rows that are still open when the first ones have the classes of a path."""
    rows, sizes = classes.rows, classes.sizes
    counted, total, last = aim.kind == CL, len(rows) - 1, len(classes.worths) - 1
    begin = max(depth, classes.loose)
    found, linked, changed, top = FAR, 0, 0, 0.0
    for row in range(depth):
        size = sizes[path[row]]
        changed += path[row] != rows[row]
        if size > 0.0:
            top = max(top, 1.0 / size)
            linked += row < classes.loose
    if counted:
        for row in range(begin, total):
            top = max(top, 1.0 / classes.most[row])
    for more in range((total if counted else begin) - depth + 1):
        least = np.int64(0)
        if counted:
            case, limit = min(changed + more, last), -top
            if case < last and more < total - begin:
                limit = min(limit, -1.0 / classes.wide[depth])
            if more > 0:
                least = more * classes.change[depth]
        else:
            case = linked + more
            M = total - classes.loose + case
            limit = aim.t * M if aim.kind == EQUAL else M * M * (aim.t * aim.t - aim.square)
        found = min(found, max(least, _rest(aim, classes, fronts, path, depth, case, limit)))
        if counted and case == last:
            break
    return found
