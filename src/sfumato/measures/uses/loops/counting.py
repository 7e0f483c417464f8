"""The loop behind count queries: how much of every class answers each of many queries, by one strip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["matched"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_BLOCK = 4096
"""Rows that are looked at together: what is left of them stays in the nearest cache."""


@inner
def _of_run(
    first: int, last: int, low: Ints, high: Ints, values: Ints, starts: Ints, members: Ints, least: int, most: int
) -> Floats:
    """Which share of its codes every cell of a column has between two."""
    shares = np.zeros(last - first, np.float64)
    for cell in range(first, last):
        held = 0
        if starts[cell + 1] > starts[cell]:
            for at in range(starts[cell], starts[cell + 1]):
                held += least <= members[at] <= most
        else:
            held = max(min(high[cell], most) - max(low[cell], least) + 1, 0)
        if held > 0:
            shares[cell - first] = held / values[cell]
    return shares


@inner
def _of_terms(first: int, last: int, starts: Ints, members: Ints, picks: Ints, terms: int) -> Floats:
    """Which cells of a column have one of some terms at least."""
    shares, picked = np.zeros(last - first, np.float64), np.zeros(terms, np.bool_)
    for term in picks:
        picked[term] = True
    for cell in range(first, last):
        for at in range(starts[cell], starts[cell + 1]):
            if picked[members[at]]:
                shares[cell - first] = 1.0
                break
    return shares


@compiled
def matched(
    cells: NDArray[np.int32],
    counts: Floats,
    begins: Ints,
    firsts: Ints,
    low: Ints,
    high: Ints,
    values: Ints,
    starts: Ints,
    members: Ints,
    sets: NDArray[np.bool_],
    asked: Ints,
    columns: Ints,
    least: Ints,
    most: Ints,
    picked: Ints,
    until: Ints,
    picks: Ints,
    terms: int,
) -> Floats:
    """A row per query, a column per class: rows of the class, each as much as its cells answer the query.

    cells, counts, begins   the strip; class g has the rows from ``begins[g]`` to ``begins[g + 1]``
    firsts                  the cells of column c are those from ``firsts[c]`` to ``firsts[c + 1]`` of the next five
    low, high, values, starts, members   what cells stand for
    sets                    whether a column holds sets of terms
    asked                   query q has the predicates from ``asked[q]`` to ``asked[q + 1]``, the narrowest first
    columns, least, most    of each: its column, and codes between which it holds
    picked, until, picks    of each on terms: those it lists
    terms                   one more than the largest number of a term
    """
    queries, classes, rows = len(asked) - 1, len(begins) - 1, len(counts)
    found = np.zeros((queries, classes), np.float64)
    place, left = np.empty(_BLOCK, np.int64), np.empty(_BLOCK, np.float64)
    table = np.empty(firsts[-1], np.float64)
    for query in range(queries):
        for each in range(asked[query], asked[query + 1]):
            column = columns[each]
            first, last = firsts[column], firsts[column + 1]
            if sets[column]:
                listed = picks[picked[each] : until[each]]
                table[first:last] = _of_terms(first, last, starts, members, listed, terms)
            else:
                table[first:last] = _of_run(first, last, low, high, values, starts, members, least[each], most[each])
        group = 0
        for begin in range(0, rows, _BLOCK):
            many = min(_BLOCK, rows - begin)
            for at in range(many):
                place[at], left[at] = begin + at, counts[begin + at]
            for each in range(asked[query], asked[query + 1]):
                column = columns[each]
                first, some = firsts[column], 0
                for at in range(many):  # without a branch: what is nothing is written over
                    row = place[at]
                    share = left[at] * table[first + cells[column, row]]
                    place[some], left[some] = row, share
                    some += share > 0.0
                many = some
            for at in range(many):
                while begins[group + 1] <= place[at]:
                    group += 1
                found[query, group] += left[at]
    return found
