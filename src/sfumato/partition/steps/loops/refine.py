"""The loops of refinement: blocks of rows are cut into groups of different values.

Rows stand block by block, in a block by value (`arrange`). What is left over where the size of a block is no multiple
of a group's goes into a pool, from which neighbouring blocks make more groups (`pool`); the rest of a block is dealt
out in turn (`deal`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import stable_order

__all__ = ["arrange", "deal", "deal_apart", "pool"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]
Flags = NDArray[np.bool_]


@compiled
def arrange(labels: Ints, blocks: int, values: Codes, size: int, keys: Keys) -> tuple[Ints, Ints]:
    """Rows by block, value and key; and where every block begins. Rows labelled -1 are left out."""
    ends, starts, kept = np.zeros(size + 1, np.int64), np.zeros(blocks + 1, np.int64), 0
    for row in range(len(labels)):
        if labels[row] >= 0:
            ends[values[row] + 1] += 1
            starts[labels[row] + 1] += 1
            kept += 1
    for value in range(size):
        ends[value + 1] += ends[value]
    for block in range(blocks):
        starts[block + 1] += starts[block]
    by_value, rows = np.empty(kept, np.int64), np.empty(kept, np.int64)
    for row in range(len(labels)):
        if labels[row] >= 0:
            by_value[ends[values[row]]] = row
            ends[values[row]] += 1
    place = starts.copy()
    for at in range(kept):
        row = by_value[at]
        rows[place[labels[row]]] = row
        place[labels[row]] += 1
    for block in range(blocks):
        begin = starts[block]
        while begin < starts[block + 1]:
            end = begin + 1
            while end < starts[block + 1] and values[rows[end]] == values[rows[begin]]:
                end += 1
            _by_key(rows[begin:end], keys)
            begin = end
    return rows, starts


@inner
def _by_key(rows: Ints, keys: Keys) -> None:
    if len(rows) > 24:
        before, mine = rows.copy(), np.empty(len(rows), np.uint64)
        for at in range(len(rows)):
            mine[at] = keys[rows[at]]
        order = stable_order(mine)
        for at in range(len(rows)):
            rows[at] = before[order[at]]
        return
    for at in range(1, len(rows)):
        row, key, place = rows[at], keys[rows[at]], at
        while place > 0 and keys[rows[place - 1]] > key:
            rows[place] = rows[place - 1]
            place -= 1
        rows[place] = row


@compiled
def pool(rows: Ints, starts: Ints, values: Codes, luck: Keys, least: int, groups: Ints) -> tuple[Flags, Flags, int]:
    """Groups across blocks from what is left over; `groups` gets their numbers from 0 on.

    Returns which blocks cannot be cut (a value fills too much of them), which rows were left in the pool, and the
    number of groups. A block leaves rows of different values over, first of values that the pool has fewest of; a
    group takes one row, the newest, of each of the values that the pool has most of.
    """
    if len(rows) > len(groups) or starts[-1] > len(rows):
        raise ValueError("more rows than groups are wanted for")
    blocks, made, held = len(starts) - 1, 0, 0
    failed, left = np.zeros(blocks, np.bool_), np.zeros(len(groups), np.bool_)
    top, count = np.full(len(luck), -1, np.int64), np.zeros(len(luck), np.int64)
    below = np.full(len(groups), -1, np.int64)
    present = np.empty(2 * least + 1, np.int64)
    ends = np.empty(len(luck), np.int64)
    for block in range(blocks):
        begin, end = starts[block], starts[block + 1]
        share, over = (end - begin) // least, (end - begin) % least
        runs, most, since = 0, 0, begin
        for at in range(begin, end):
            if at + 1 == end or values[rows[at + 1]] != values[rows[at]]:
                ends[runs] = at
                runs, most, since = runs + 1, max(most, at + 1 - since), at + 1
        failed[block] = most > share
        if failed[block]:
            continue
        for step in range(over):
            best = _scarcest(rows, ends, step, runs, values, count, luck)
            ends[step], ends[best] = ends[best], ends[step]
            row = rows[ends[step]]
            value = values[row]
            if count[value] == 0:
                present[held] = value
                held += 1
            below[row], top[value], left[row] = top[value], row, True
            count[value] += 1
        while held >= least:
            for step in range(least):
                best = step
                for other in range(step + 1, held):
                    if count[present[other]] > count[present[best]]:
                        best = other
                present[step], present[best] = present[best], present[step]
                value = present[step]
                row = top[value]
                groups[row], left[row], top[value] = made, False, below[row]
                count[value] -= 1
            made, kept = made + 1, 0
            for step in range(held):
                if count[present[step]] > 0:
                    present[kept] = present[step]
                    kept += 1
            held = kept
    return failed, left, made


@inner
def _scarcest(rows: Ints, ends: Ints, first: int, runs: int, values: Codes, count: Ints, luck: Keys) -> Any:
    best = first
    for run in range(first + 1, runs):
        one, other = values[rows[ends[run]]], values[rows[ends[best]]]
        if count[one] < count[other] or (count[one] == count[other] and luck[one] < luck[other]):
            best = run
    return best


@compiled
def deal(rows: Ints, starts: Ints, failed: Flags, skip: Flags, least: int, groups: Ints, made: int) -> int:
    """Deal the rows of every block that have no group yet to its groups in turn; a failed block stays whole.

    Rows of one value stand together, and there are no more of them than groups: no group gets two.
    """
    for block in range(len(starts) - 1):
        begin, end = starts[block], starts[block + 1]
        share = 1 if failed[block] else (end - begin) // least
        turn = 0
        for at in range(begin, end):
            row = rows[at]
            if groups[row] < 0 and not skip[row]:
                groups[row] = made + turn % share
                turn += 1
        made += share
    return made


@compiled
def deal_apart(rows: Ints, starts: Ints, codes: Codes, least: int, exactly: bool, groups: Ints) -> tuple[Flags, int]:
    """Groups of rows that differ in several columns: a row goes to the next group where it differs from all.

    Returns which blocks stay whole, as one group, because that way ends with a row too many or a group too small.
    """
    blocks, made = len(starts) - 1, 0
    failed = np.zeros(blocks, np.bool_)
    for block in range(blocks):
        begin, end = starts[block], starts[block + 1]
        share = (end - begin) // least
        failed[block] = share == 0 or (exactly and share * least != end - begin)
        filled = np.zeros(max(share, 1), np.int64)
        last, before = np.full(max(share, 1), -1, np.int64), np.full(end - begin, -1, np.int64)
        for round_ in range(2):
            turn = 0
            for at in range(begin, end):
                if failed[block] or groups[rows[at]] >= 0:
                    continue
                found = False
                for step in range(share):
                    group = (turn + step) % share
                    if (filled[group] < least or round_ == 1) and _differs(codes, rows, begin, at, last[group], before):
                        groups[rows[at]] = made + group
                        before[at - begin], last[group] = last[group], at - begin
                        filled[group] += 1
                        found = True
                        break
                turn += 1
                failed[block] |= round_ == 1 and not found
        for group in range(share):
            failed[block] |= filled[group] < least or (exactly and filled[group] > least)
        if failed[block]:
            share = 1
            for at in range(begin, end):
                groups[rows[at]] = made
        made += share
    return failed, made


@inner
def _differs(codes: Codes, rows: Ints, begin: int, at: int, member: int, before: Ints) -> bool:
    """Whether a row differs from all members of a group, in every column."""
    while member >= 0:
        for column in range(codes.shape[1]):
            if codes[rows[begin + member], column] == codes[rows[at], column]:
                return False
        member = before[member]
    return True
