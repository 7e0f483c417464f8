"""The loops behind count queries: how much of a strip answers each of many queries, in all or class by class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["Predicates", "Rows", "Said", "by_class", "in_all", "listed"]

Ints = NDArray[np.int64]
Places = NDArray[np.uint32]
"""Without a sign: no place counts from the end, and none is looked at for that."""
Floats = NDArray[np.float64]

_BLOCK = 1024
"""Rows that are looked at together: they stay in the nearest cache while predicate after predicate is."""
_FEW = 0.3
"""A predicate that leaves a smaller share of the rows leads to them by an index; others look at all."""


class Rows(NamedTuple):
    """A strip.

    cells, counts, classes   a row per column; how often each row is there, and its class
    order, ends              per cell (`Said`) the rows that have it: ``order[column, ends[cell] : ends[cell + 1]]``
    """

    cells: Places
    counts: Floats
    classes: Places
    order: Places
    ends: Ints


class Said(NamedTuple):
    """What cells stand for, those of column c from ``firsts[c]`` to ``firsts[c + 1]``; `sets`: whether it has terms."""

    firsts: Ints
    low: Ints
    high: Ints
    values: Ints
    starts: Ints
    members: Ints
    sets: NDArray[np.bool_]


class Predicates(NamedTuple):
    """Queries: q has the predicates from ``begins[q]`` to ``begins[q + 1]``.

    columns, least, most   of each: its column, and codes between which it holds
    picked, until, picks   of each on terms: those it lists; `terms` is one more than the largest there is
    """

    begins: Ints
    columns: Ints
    least: Ints
    most: Ints
    picked: Ints
    until: Ints
    picks: Ints
    terms: int


@compiled
def listed(cells: Places, firsts: Ints) -> tuple[Places, Ints]:
    """Per cell the rows that have it, as `order` and `ends` of `Rows`."""
    width, rows = cells.shape
    order, ends = np.empty((width, rows), np.uint32), np.zeros(firsts[-1] + 1, np.int64)
    for column in range(width):
        first, last = firsts[column], firsts[column + 1]
        place = np.zeros(last - first + 1, np.int64)
        for row in range(rows):
            place[cells[column, row] + 1] += 1
        for cell in range(last - first):
            ends[first + cell] = column * rows + place[cell]
            place[cell + 1] += place[cell]
        for row in range(rows):
            cell = cells[column, row]
            order[column, place[cell]] = row
            place[cell] += 1
    ends[firsts[-1]] = width * rows
    return order, ends


@inner
def _of_run(table: Floats, first: int, last: int, said: Said, least: int, most: int) -> None:
    """Which share of its codes every cell of a column has between two."""
    for cell in range(first, last):
        held = 0
        if said.starts[cell + 1] > said.starts[cell]:
            for at in range(said.starts[cell], said.starts[cell + 1]):
                held += least <= said.members[at] <= most
        else:
            held = max(min(said.high[cell], most) - max(said.low[cell], least) + 1, 0)
        table[cell] = held / said.values[cell] if held > 0 else 0.0


@inner
def _of_terms(table: Floats, first: int, last: int, said: Said, picks: Ints, terms: int) -> None:
    """Which cells of a column have one of some terms at least."""
    picked = np.zeros(terms, np.bool_)
    for term in picks:
        picked[term] = True
    for cell in range(first, last):
        table[cell] = 0.0
        for at in range(said.starts[cell], said.starts[cell + 1]):
            if picked[said.members[at]]:
                table[cell] = 1.0
                break


@inner
def _told(table: Floats, rows: Rows, said: Said, asked: Predicates, query: int) -> tuple[Any, Any]:
    """Fill the table with how far each cell answers; the predicate that leaves the fewest rows, and how many."""
    narrow, fewest = asked.begins[query], np.int64(len(rows.counts)) + 1
    for each in range(asked.begins[query], asked.begins[query + 1]):
        column = asked.columns[each]
        first, last = said.firsts[column], said.firsts[column + 1]
        if said.sets[column]:
            _of_terms(table, first, last, said, asked.picks[asked.picked[each] : asked.until[each]], asked.terms)
        else:
            _of_run(table, first, last, said, asked.least[each], asked.most[each])
        many = np.int64(0)
        for cell in range(first, last):
            if table[cell] > 0.0:
                many += rows.ends[cell + 1] - rows.ends[cell]
        if many < fewest:
            narrow, fewest = each, many
    return narrow, fewest


@inner
def _listed(
    table: Floats, rows: Rows, said: Said, asked: Predicates, query: int, narrow: int, found: Floats, weights: Floats
) -> float:
    """By the rows that the index of one predicate leads to."""
    total, own = 0.0, asked.columns[narrow]
    shift = own * rows.cells.shape[1]
    for cell in range(said.firsts[own], said.firsts[own + 1]):
        if table[cell] > 0.0:
            for at in range(rows.ends[cell] - shift, rows.ends[cell + 1] - shift):
                row = rows.order[own, at]
                left = rows.counts[row] * table[cell]
                for each in range(asked.begins[query], asked.begins[query + 1]):
                    if each != narrow:
                        column = asked.columns[each]
                        left *= table[said.firsts[column] + rows.cells[column, row]]
                        if left == 0.0:
                            break
                if left > 0.0:
                    group = rows.classes[row]
                    total += left * weights[group]
                    if len(found):
                        found[group] += left
    return total


@inner
def _summed(numbers: Floats) -> float:
    """Their sum, by four of them that do not wait for each other."""
    a = b = c = d = 0.0
    whole = len(numbers) // 4 * 4
    for at in range(0, whole, 4):
        a += numbers[at]
        b += numbers[at + 1]
        c += numbers[at + 2]
        d += numbers[at + 3]
    for at in range(whole, len(numbers)):
        a += numbers[at]
    return a + b + c + d


@inner
def _all(
    table: Floats, rows: Rows, said: Said, asked: Predicates, query: int, left: Floats, found: Floats, weights: Floats
) -> float:
    """By all rows, block by block; without branches, so that several are looked at at once."""
    total = 0.0
    for begin in range(0, len(rows.counts), _BLOCK):
        many = min(_BLOCK, len(rows.counts) - begin)
        left[:many] = rows.counts[begin : begin + many]
        each, last = asked.begins[query], asked.begins[query + 1]
        while each < last:  # two at a time: half as many visits to what is left
            one, other = asked.columns[each], asked.columns[min(each + 1, last - 1)]
            mine = table[said.firsts[one] : said.firsts[one + 1]]
            cells = rows.cells[one, begin : begin + many]
            if each + 1 < last:
                others = table[said.firsts[other] : said.firsts[other + 1]]
                beside = rows.cells[other, begin : begin + many]
                for at in range(many):
                    left[at] *= mine[cells[at]] * others[beside[at]]
            else:
                for at in range(many):
                    left[at] *= mine[cells[at]]
            each += 2
        if len(weights) == 1:
            total += _summed(left[:many]) * weights[0]
        else:
            for at in range(many):
                total += left[at] * weights[rows.classes[begin + at]]
        if len(found):
            for at in range(many):
                found[rows.classes[begin + at]] += left[at]
    return total


@compiled
def by_class(rows: Rows, said: Said, asked: Predicates, sizes: Floats, weights: Floats) -> None:
    """Multiply weights, a row per query and a column per class, by the share of the class that answers the query."""
    queries = len(asked.begins) - 1
    found, ones = np.zeros(len(sizes), np.float64), np.ones(len(sizes), np.float64)
    table, left = np.empty(said.firsts[-1], np.float64), np.empty(_BLOCK, np.float64)
    for query in range(queries):
        if asked.begins[query] == asked.begins[query + 1]:
            continue
        found[:] = 0.0
        narrow, fewest = _told(table, rows, said, asked, query)
        if fewest < _FEW * len(rows.counts):
            _listed(table, rows, said, asked, query, narrow, found, ones)
        else:
            _all(table, rows, said, asked, query, left, found, ones)
        for group in range(len(sizes)):
            weights[query, group] *= found[group] / sizes[group]


@compiled
def in_all(rows: Rows, said: Said, asked: Predicates, weights: Floats) -> Floats:
    """Per query, rows of all classes, times the weight of their class (a row of weights per query)."""
    queries = len(asked.begins) - 1
    totals, nothing = np.zeros(queries, np.float64), np.zeros(0, np.float64)
    table, left = np.empty(said.firsts[-1], np.float64), np.empty(_BLOCK, np.float64)
    for query in range(queries):
        narrow, fewest = _told(table, rows, said, asked, query)
        if fewest < _FEW * len(rows.counts):
            totals[query] = _listed(table, rows, said, asked, query, narrow, nothing, weights[query])
        else:
            totals[query] = _all(table, rows, said, asked, query, left, nothing, weights[query])
    return totals
