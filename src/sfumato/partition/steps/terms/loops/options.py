"""The loop that lists what a row may become: its kept sets of terms, each with the labels that it is linked to.

Bit j of a kept set says that the row's j-th term stays. A kept set is closed if no further term can stay without
losing a label. Removing costs, and links depend on kept sets only through their labels, so of all kept sets with the
same labels the closed one is the cheapest: the others need not be looked at. Closed sets are listed by Close-by-One
(S. O. Kuznetsov, 1993) on the masks that rows of the knowledge table leave on the row's terms. If chances of terms are
given, links depend on the terms themselves, and every subset is listed, of rows with few terms.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.room import longer

__all__ = ["LONGEST", "OptionTable", "options_of"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Bools = NDArray[np.bool_]

LONGEST = 62
"""A row with more terms keeps all of them or none."""
_ALL_SUBSETS = 12


class OptionTable(NamedTuple):
    """A knowledge table: the rows that hold each term, and every row's label and number of terms."""

    begins: Ints
    holders: Codes
    labels: Codes
    lengths: Ints


@inner
def _mark(table: OptionTable, codes: Codes, first: int, stop: int, least: int, strict: bool, masks: Ints) -> Any:
    """Mark which terms of a row every row of the table holds; the terms that it knows.

    Of a row with more terms than bits there is one mark, for all terms at once.
    """
    begins, holders, lengths = table.begins, table.holders, table.lengths
    long, known, number = stop - first > LONGEST, np.int64(0), 0
    for at in range(first, stop):
        term = codes[at]
        if term < 0:
            continue
        number += 1
        mark = np.int64(1) << (0 if long else at - first)
        known |= mark
        for place in range(begins[term], begins[term + 1]):
            row = holders[place]
            if lengths[row] >= least:
                masks[row] = masks[row] + mark if long else masks[row] | mark
    if long:
        every = number if number == stop - first or not strict else -1
        for row in range(len(masks)):
            masks[row] = number > 0 and masks[row] == every
    return known


@inner
def _list(masks: Ints, rows: Codes, base: int, width: int, closed: bool, limit: int, room: int, sets: Ints) -> Codes:
    """Write the kept sets of a row, with the rows of the knowledge table that hold them into `rows`, made longer.

    `rows` begins with `base` rows, which hold nothing in particular. `sets` has a line for what is kept, where its rows
    begin and end, and the first bit to add to it; in the last place how many there are, and whether these are all.
    """
    found, common = base, np.int64(-1)
    for at in range(base):
        common &= masks[rows[at]]
        if masks[rows[at]] != 0:
            rows[found] = rows[at]
            found += 1
    held = found - base
    sets[0, 0], sets[0, 1], sets[0, 2], sets[0, 3] = common if closed else 0, base, found, 0
    count, at, whole = 1, 0, True
    while at < count and whole:
        for bit in range(sets[at, 3], width):
            if sets[at, 0] >> bit & 1:
                continue
            begin = sets[count - 1, 2]
            end, meet = begin, np.int64(-1)
            rows = longer(rows, begin + base)
            for place in range(sets[at, 1], sets[at, 2]):
                row = rows[place]
                if masks[row] >> bit & 1:
                    rows[end] = row
                    end += 1
                    meet &= masks[row]
            below = (np.int64(1) << bit) - 1
            if end == begin or (closed and (meet & below) != (sets[at, 0] & below)):
                continue
            if closed and (count == limit or end - held > room):
                whole = False
                break
            sets[count, 0] = meet if closed else sets[at, 0] | (below + 1)
            sets[count, 1], sets[count, 2], sets[count, 3] = begin, end, bit + 1
            count += 1
        at += 1
    sets[0, 1], sets[0, 2] = 0, base
    sets[-1, 0], sets[-1, 1] = count, whole
    return rows


@compiled
def options_of(
    table: OptionTable, offsets: Ints, codes: Codes, least: Ints, strict: bool, subsets: bool, limit: int, room: int
) -> tuple[Ints, Ints, Ints, Codes, Bools]:
    """Every option of every row that is worth a look; `subsets` asks for all, not for the closed ones.

    Row i has the options `first[i]..first[i + 1] - 1`, of which the first is to keep everything; option o keeps the
    terms `kept[o]` and has the labels `labels[begins[o]:begins[o + 1]]`; `complete[i]` says that no cheaper or other
    option was left out. `kept`, `begins` and `labels` have room to spare.

    A linked row stays linked: it never keeps unknown terms only. An unlinked one stays as it is, or ends with at
    least two labels.
    """
    total, size, row_labels = len(offsets) - 1, len(table.labels), table.labels
    first, complete = np.zeros(total + 1, np.int64), np.empty(total, np.bool_)
    kept, begins, labels = np.empty(256, np.int64), np.zeros(257, np.int64), np.empty(4096, np.int32)
    masks, rows = np.zeros(size, np.int64), np.empty(2 * size + 1024, np.int32)
    base: Any = np.int64(0)
    sets = np.empty((max(limit, 1 << _ALL_SUBSETS) + 2, 4), np.int64)
    count = 0
    for row in range(total):
        if row == 0 or least[row] != least[row - 1]:
            base = 0
            for each in range(size):
                if table.lengths[each] >= least[row]:
                    rows[base] = each
                    base += 1
        width = offsets[row + 1] - offsets[row]
        long = width > LONGEST
        known = _mark(table, codes, offsets[row], offsets[row + 1], least[row], strict, masks)
        closed = not (long or (subsets and width <= _ALL_SUBSETS))
        rows = _list(masks, rows, base, 1 if long else width, closed, limit, room, sets)
        number = sets[-1, 0] if base > 0 else 0
        complete[row] = not long and (base == 0 or (sets[-1, 1] != 0 and (not closed or not subsets)))
        for each in range(size):
            masks[each] = 0
        full, linked = np.int64(-1) if long else (np.int64(1) << width) - 1, -1
        kept, begins = longer(kept, count + number + 1), longer(begins, count + number + 2)
        labels = longer(labels, begins[count] + sets[number - 1, 2] if number > 0 else 0)
        for each in range(number):
            if long:
                sets[each, 0] = -sets[each, 0]
            elif not strict and sets[each, 0] != 0:
                sets[each, 0] |= full & ~known
            if sets[each, 0] == full:
                linked = each
        for each in range(-1, number):
            which, stop, last = linked if each < 0 else each, begins[count], -1
            if which == linked and each >= 0:
                continue
            for place in range(sets[which, 1], sets[which, 2] if which >= 0 else 0):
                label = row_labels[rows[place]]
                if label != last:
                    last = label
                    labels[stop] = label
                    stop += 1
            if each < 0 or linked >= 0 or stop > begins[count] + 1:
                kept[count], begins[count + 1] = full if each < 0 else sets[each, 0], stop
                count += 1
        first[row + 1] = count
    return first, kept, begins, labels, complete
