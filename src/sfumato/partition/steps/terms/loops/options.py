"""The loops that list what a row may become: its kept sets of terms, each with the labels that it is linked to.

Bit j of a kept set says that the row's j-th term stays. A kept set is closed if no further term can stay without
losing a label. Removing costs, and links depend on kept sets only through their labels, so of all kept sets with the
same labels the closed one is the cheapest: the others need not be looked at. Closed sets are listed by Close-by-One
(S. O. Kuznetsov, 1993) on the masks that rows of the knowledge table leave on the row's terms. If chances of terms are
given, links depend on the terms themselves, and every subset is listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner, spliced
from sfumato.kernels.room import longer
from sfumato.kernels.sorting import ascending
from sfumato.knowledge.loops.links import weigh

__all__ = ["LONGEST", "Listed", "OptionTable", "options_of"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LONGEST = 62
_ALL_SUBSETS = 12


class OptionTable(NamedTuple):
    """A knowledge table: the rows that hold each term, and every row's label and number of terms."""

    begins: Ints
    holders: Codes
    labels: Codes
    lengths: Ints
    priors: Floats
    likelihood: Floats


class Listed(NamedTuple):
    """Options of all rows, one after the other: what is kept, the labels linked, how likely each is.

    Row i has the options `rows[i]..rows[i + 1] - 1`, option o the labels `labels[begins[o]:begins[o + 1]]`. The first
    option of a row is to keep everything. `complete[i]` says that no cheaper or other option was left out.
    """

    rows: Ints
    kept: Ints
    begins: Ints
    labels: Codes
    chances: Floats
    complete: Bools


@spliced
def _closed(
    masks: Ints, touched: Codes, base: Codes, common: int, width: int, limit: int, room: int
) -> tuple[Ints, Ints, Codes, bool]:
    """Closed sets with the rows of the knowledge table that hold them; False if there are too many to list."""
    intents, starts = np.empty(64, np.int64), np.empty(64, np.int64)
    begins, rows = np.empty(65, np.int64), np.empty(max(1024, 2 * len(base)), np.int32)
    intents[0], starts[0], begins[0], begins[1] = common, 0, 0, len(base)
    for at in range(len(base)):
        rows[at] = base[at]
    count, at, whole = 1, 0, True
    while at < count and whole:
        for bit in range(starts[at], width):
            if intents[at] >> bit & 1:
                continue
            used = begins[count]
            rows = longer(rows, used + len(base))
            meet, size = np.int64(-1), 0
            if at == 0:
                for row in touched:
                    if masks[row] >> bit & 1:
                        rows[used + size] = row
                        size += 1
                        meet &= masks[row]
            else:
                for place in range(begins[at], begins[at + 1]):
                    row = rows[place]
                    if masks[row] >> bit & 1:
                        rows[used + size] = row
                        size += 1
                        meet &= masks[row]
            below = (np.int64(1) << bit) - 1
            if size == 0 or (meet & below) != (intents[at] & below):
                continue
            if count == limit or used + size > room:
                whole = False
                break
            intents, starts = longer(intents, count + 1), longer(starts, count + 1)
            begins = longer(begins, count + 2)
            intents[count], starts[count], begins[count + 1] = meet, bit + 1, used + size
            count += 1
        at += 1
    return intents[:count], begins[: count + 1], rows, whole


@spliced
def _subsets(masks: Ints, touched: Codes, base: Codes, known: int, width: int) -> tuple[Ints, Ints, Codes, bool]:
    """All subsets of the known terms that some row holds."""
    kept, begins = np.empty(1 << width, np.int64), np.empty((1 << width) + 1, np.int64)
    rows = np.empty(max(1024, 2 * len(base)), np.int32)
    kept[0], begins[0], begins[1] = 0, 0, len(base)
    for at in range(len(base)):
        rows[at] = base[at]
    count = 1
    for subset in range(1, 1 << width):
        if subset & ~known:
            continue
        used = begins[count]
        rows = longer(rows, used + len(touched))
        size = 0
        for row in touched:
            if masks[row] & subset == subset:
                rows[used + size] = row
                size += 1
        if size > 0:
            kept[count], begins[count + 1] = subset, used + size
            count += 1
    return kept[:count], begins[: count + 1], rows, True


@spliced
def _masks(table: OptionTable, terms: Codes, least: int, masks: Ints, touched: Codes) -> tuple[int, int, int]:
    """Mark which terms every row of the table holds: how many rows hold some, the known terms, what all rows hold."""
    count, known = 0, np.int64(0)
    for bit in range(len(terms)):
        if terms[bit] < 0:
            continue
        known |= np.int64(1) << bit
        for place in range(table.begins[terms[bit]], table.begins[terms[bit] + 1]):
            row = table.holders[place]
            if table.lengths[row] >= least:
                if masks[row] == 0:
                    touched[count] = row
                    count += 1
                masks[row] |= np.int64(1) << bit
    ascending(touched[:count])
    common = known
    for place in range(count):
        common &= masks[touched[place]]
    return count, int(known), int(common)


@spliced
def _all_or_nothing(
    table: OptionTable, terms: Codes, every: Codes, least: int, strict: bool, counts: Ints
) -> tuple[int, Ints, Ints, Codes, bool]:
    """For a row with more terms than bits: nothing kept, and everything (-1) if some row holds it."""
    known = 0
    for term in terms:
        if term >= 0:
            known += 1
            for place in range(table.begins[term], table.begins[term + 1]):
                counts[table.holders[place]] += 1
    rows, stop = np.empty(2 * len(every), np.int32), len(every)
    for at in range(stop):
        rows[at] = every[at]
    if known == len(terms) or (known > 0 and not strict):
        for row in every:
            if counts[row] == known:
                rows[stop] = row
                stop += 1
    for row in range(len(counts)):
        counts[row] = 0
    sets = 1 + (stop > len(every))
    kept, ends = np.zeros(2, np.int64), np.zeros(3, np.int64)
    kept[1], ends[1], ends[2] = -1, len(every), stop
    return -1, kept[:sets], ends[: sets + 1], rows, False


@spliced
def _kept_sets(
    table: OptionTable, terms: Codes, least: int, strict: bool, limit: int, room: int, masks: Ints, touched: Codes
) -> tuple[int, Ints, Ints, Codes, bool]:
    """The known terms of a row, its kept sets of known terms, the rows that hold each, and whether these are all."""
    every, long = np.empty(len(table.lengths), np.int32), 0
    for row in range(len(table.lengths)):
        if table.lengths[row] >= least:
            every[long] = row
            long += 1
    every = every[:long]
    if len(terms) > LONGEST:
        most: tuple[int, Ints, Ints, Codes, bool] = _all_or_nothing(table, terms, every, least, strict, masks)
        return most
    width = len(terms)
    found, known, common = _masks(table, terms[:width], least, masks, touched)
    if found < len(every):
        common = np.int64(0)
    if len(every) == 0:
        sets, ends, rows, whole = np.empty(0, np.int64), np.zeros(1, np.int64), every, True
    elif len(table.likelihood) > 0 and width <= _ALL_SUBSETS:
        sets, ends, rows, whole = _subsets(masks, touched[:found], every, known, width)
    else:
        sets, ends, rows, whole = _closed(masks, touched[:found], every, common, width, limit, room)
        whole = whole and len(table.likelihood) == 0
    for place in range(found):
        masks[touched[place]] = 0
    return known, sets, ends, rows, whole


@inner
def _add(table: OptionTable, rows: Codes, kept: int, terms: Codes, labels: Codes, chances: Floats, at: int) -> int:
    """Write the labels of some rows, each once, with their chances; tell where they end."""
    stop, last = at, -1
    for row in rows:
        if table.labels[row] != last:
            last = table.labels[row]
            labels[stop] = last
            stop += 1
    stay = np.empty(len(terms), np.int32)
    for bit in range(len(terms)):
        stay[bit] = terms[bit] if kept >> min(bit, LONGEST) & 1 else -1
    weigh(labels[at:stop], stay, table.priors, table.likelihood, chances[at:stop])
    return stop


@compiled
def options_of(
    table: OptionTable, offsets: Ints, codes: Codes, least: Ints, strict: bool, limit: int, room: int
) -> Listed:
    """Every option of every row that is worth a look.

    A linked row stays linked: it never keeps unknown terms only. An unlinked one stays as it is, or ends with at
    least two labels.
    """
    total = len(offsets) - 1
    first, complete = np.zeros(total + 1, np.int64), np.ones(total, np.bool_)
    kept, begins = np.empty(256, np.int64), np.zeros(257, np.int64)
    labels, chances = np.empty(4096, np.int32), np.empty(4096)
    masks, touched = np.zeros(len(table.labels), np.int64), np.empty(len(table.labels), np.int32)
    count = 0
    for row in range(total):
        terms = codes[offsets[row] : offsets[row + 1]]
        known, sets, ends, rows, complete[row] = _kept_sets(
            table, terms, least[row], strict, limit, room, masks, touched
        )
        full = (np.int64(1) << len(terms)) - 1 if len(terms) <= LONGEST else np.int64(-1)
        kept, begins = longer(kept, count + len(sets) + 1), longer(begins, count + len(sets) + 2)
        labels, chances = longer(labels, begins[count] + len(rows)), longer(chances, begins[count] + len(rows))
        linked = -1
        for each in range(len(sets)):
            if not strict and sets[each] != 0:
                sets[each] |= full & ~known
            if sets[each] == full:
                linked = each
        kept[count], begins[count + 1] = full, begins[count]
        if linked >= 0:
            rest = rows[ends[linked] : ends[linked + 1]]
            begins[count + 1] = _add(table, rest, full, terms, labels, chances, begins[count])
        count += 1
        for each in range(len(sets)):
            if each != linked:
                rest = rows[ends[each] : ends[each + 1]]
                stop = _add(table, rest, sets[each], terms, labels, chances, begins[count])
                if linked >= 0 or stop > begins[count] + 1:
                    kept[count], begins[count + 1] = sets[each], stop
                    count += 1
        first[row + 1] = count
    return Listed(first, kept[:count], begins[: count + 1], labels[: begins[count]], chances[: begins[count]], complete)
