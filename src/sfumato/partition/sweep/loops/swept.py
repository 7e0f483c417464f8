"""The loops of faithful SWEEP: which rows are swept out of classes that break their bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import falling, stable_order
from sfumato.partition.sweep.loops.bundles import members_of, tell
from sfumato.partition.sweep.loops.classes import Filter, Items, Room, Rungs
from sfumato.partition.sweep.loops.judging import Caps, tally, within
from sfumato.partition.sweep.loops.landings import Store, Wish, next_classes, open_at

__all__ = ["Ledger", "RunValues", "sweep_rows"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]


class RunValues(NamedTuple):
    """What codes of runs stand for, per sensitive column.

    nodes    what is shown: [code, column]
    truth    the base value: [code, column]
    shares   of a base value in a row that shows a node, times ``scale[column]``: [column, node, base value]
    scale    per column
    top      bounds of a column: the k+1 most frequent values fill at most ``top[column, k]/bottom[column, k]``
    plain    whether every node is a base value, of one column
    bits     which base values of the first column a code stands for, the last bit for all beyond
    """

    nodes: NDArray[np.int32]
    truth: NDArray[np.int32]
    shares: NDArray[np.int64]
    scale: Ints
    top: Ints
    bottom: Ints
    plain: bool
    bits: Keys


class Ledger(NamedTuple):
    """What a sweep writes down.

    items    their numbers
    places   run r has its rows at ``groups[places[r]]`` on that have no class yet
    groups   class per place; rows of the last class have none
    swept    how many classes had rows swept; of how many of these the rows that were there before break a bound, by
             what is true; how many classes there are
    """

    items: Ints
    places: Ints
    groups: NDArray[np.int32]
    swept: Ints


class Told(NamedTuple):
    """Rows that have got a class, per run."""

    runs: Ints
    rows: Ints


@inner
def _random(state: Keys) -> Any:
    """The next number of a stream (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@inner
def _share(state: Keys) -> Any:
    """The next number of a stream, between 0 and 1."""
    return np.float64(_random(state) >> np.uint64(11)) * 2.0**-53


@inner
def _capped(counts: Ints, height: int, lower: int, top: Ints, bottom: Ints, room: Ints) -> bool:
    """Whether descending counts, cut to a height and the last `lower` of those cut to one less, keep a bound."""
    rows, reach = 0, 0
    while reach < len(counts) and counts[reach] >= height:
        reach += 1
    for k in range(len(counts)):
        room[k] = min(counts[k], height)
        if reach - lower <= k < reach:
            room[k] -= 1
        rows += room[k]
    kept: bool = within(room, len(counts), rows, top, bottom)
    return kept


@inner
def _cut(have: Ints, codes: Ints, secrets: RunValues, chance: Keys, gone: Ints) -> None:
    """Sweep rows of the dominant code until the class keeps the bound: all at once, by cutting what is too high.

    Cutting every highest code by one never breaks the bound, so the height is found by bisection; rows of the last
    step go one after the other, in random order of their codes.
    """
    top, bottom = secrets.top[0], secrets.bottom[0]
    sorted_counts = np.empty(len(codes), np.int64)
    for place in range(len(codes)):
        sorted_counts[place] = have[codes[place]]
    sorted_counts = falling(sorted_counts)
    room = np.empty(len(codes), np.int64)
    low, high = 0, sorted_counts[0]  # the height that keeps the bound, or 0; one that breaks it
    while high - low > 1:
        middle = (low + high) // 2
        if _capped(sorted_counts, middle, 0, top, bottom, room):
            low = middle
        else:
            high = middle
    if low == 0:
        for code in codes:
            gone[code] = have[code]
        return
    reach = 0
    while reach < len(codes) and sorted_counts[reach] >= high:
        reach += 1
    lower = 1
    while lower < reach and not _capped(sorted_counts, high, lower, top, bottom, room):
        lower += 1
    tied, order, found = np.empty(reach, np.int64), np.empty(reach, np.uint64), 0
    for code in codes:
        if have[code] >= high:
            tied[found], order[found] = code, _random(chance)
            gone[code] = have[code] - high
            found += 1
    for place in stable_order(order)[:lower]:
        gone[tied[place]] += 1


@inner
def _broken(sums: Ints, rows: int, top: Ints, bottom: Ints) -> bool:
    return not within(falling(sums), len(sums), rows, top, bottom)


@inner
def _dominant(sums: Ints, rank: Keys) -> int:
    """The base value with the most rows; ties by rank."""
    best = 0
    for value in range(1, len(sums)):
        if sums[value] > sums[best] or (sums[value] == sums[best] and rank[value] < rank[best]):
            best = value
    return best


@inner
def _choice(have: Ints, codes: Ints, fits: NDArray[np.bool_], chance: Keys) -> int:
    """The place in `codes` of a random one of the rows whose code fits; -1: there is none."""
    rows = 0
    for place in range(len(codes)):
        if fits[place]:
            rows += have[codes[place]]
    if rows == 0:
        return -1
    left = np.int64(_random(chance) % np.uint64(rows))
    for place in range(len(codes)):
        if fits[place]:
            left -= have[codes[place]]
            if left < 0:
                return place
    return -1


@inner
def _take(have: Ints, codes: Ints, secrets: RunValues, chance: Keys, gone: Ints) -> None:
    """Sweep rows one by one until all columns keep their bounds.

    One column: a row that says most of the dominant value. Several: a row that says more than the class does of the
    dominant value of every column that breaks its bound, or all rows if there is none.
    """
    columns, width = len(secrets.scale), secrets.shares.shape[2]
    sums, rank = np.zeros((columns, width), np.int64), np.empty((columns, width), np.uint64)
    rows = 0
    for column in range(columns):
        for value in range(width):
            rank[column, value] = _random(chance)
    for code in codes:
        rows += have[code]
        for column in range(columns):
            for value in range(width):
                sums[column, value] += have[code] * secrets.shares[column, secrets.nodes[code, column], value]
    fits, dominant = np.empty(len(codes), np.bool_), np.empty(columns, np.int64)
    while rows:
        broken = False
        for column in range(columns):
            dominant[column] = -1
            if _broken(sums[column], rows * secrets.scale[column], secrets.top[column], secrets.bottom[column]):
                dominant[column] = _dominant(sums[column], rank[column])
                broken = True
        if not broken:
            return
        most = np.int64(0)
        for place in range(len(codes)):
            code = codes[place]
            fits[place] = have[code] > 0
            for column in range(columns):
                if fits[place] and dominant[column] >= 0:
                    share = secrets.shares[column, secrets.nodes[code, column], dominant[column]]
                    if columns == 1:
                        most = max(most, share)
                    else:
                        fits[place] = share * rows > sums[column, dominant[column]]
        if columns == 1:
            for place in range(len(codes)):
                share = secrets.shares[0, secrets.nodes[codes[place], 0], dominant[0]]
                fits[place] = fits[place] and share == most
        chosen = _choice(have, codes, fits, chance)
        if chosen < 0:
            for code in codes:
                gone[code] += have[code]
                have[code] = 0
            return
        goes = codes[chosen]
        gone[goes] += 1
        have[goes] -= 1
        rows -= 1
        for column in range(columns):
            for value in range(width):
                sums[column, value] -= secrets.shares[column, secrets.nodes[goes, column], value]


@inner
def _keeps(have: Ints, codes: Ints, secrets: RunValues, truly: bool) -> bool:
    """Whether a class keeps all bounds, by what its rows show or by what is true."""
    width = secrets.shares.shape[2]
    for column in range(len(secrets.scale)):
        sums, rows = np.zeros(width, np.int64), 0
        for code in codes:
            rows += have[code]
            node = secrets.truth[code, column] if truly else secrets.nodes[code, column]
            for value in range(width):
                sums[value] += have[code] * secrets.shares[column, node, value]
        if _broken(sums, rows * secrets.scale[column], secrets.top[column], secrets.bottom[column]):
            return False
    return True


@inner
def _close(
    items: Items, members: Ints, label: int, have: Ints, gone: Ints, chance: Keys, ledger: Ledger, told: Told, used: int
) -> int:
    """Rows of a class get its label, but for those that go, which are chosen at random among those with their code.

    Answers how much is told by then.
    """
    for item in members:
        for run in range(items.starts[item], items.starts[item + 1]):
            code, rows = items.values[run], items.counts[run]
            if rows == 0:
                continue
            goes = 0
            if gone[code] == have[code]:
                goes = rows
            elif gone[code]:
                for row in range(rows):
                    goes += (have[code] - row) * _share(chance) < gone[code] - goes
            have[code] -= rows
            gone[code] -= goes
            for place in range(ledger.places[run], ledger.places[run] + rows - goes):
                ledger.groups[place] = label
            ledger.places[run] += rows - goes
            if rows > goes:
                told.runs[used], told.rows[used] = run, rows - goes
                used += 1
    return used


@compiled
def sweep_rows(
    store: Store,
    rungs: Rungs,
    vectors: Ints,
    vector: int,
    wanted: Filter,
    secrets: RunValues,
    shelf: Room,
    wish: Wish,
    chance: Keys,
    ledger: Ledger,
    taken: Ints,
) -> tuple[int, int, Ints]:
    """Close classes from a vector on, rows in excess being swept out of them.

    Answers (vector, an item) per class, and up to which vector: there a landing should be made, of another landing;
    or it is the last, which is never looked at.
    """
    most, label = 1024, 0
    closed = np.empty((most, 2), np.int64)
    codes, items, roots = len(secrets.nodes), store.items, len(ledger.items)
    bounds = Caps(secrets.top[0], secrets.bottom[0])
    have, gone, touched = np.zeros(codes, np.int64), np.zeros(codes, np.int64), np.empty(codes, np.int64)
    last = len(vectors) - 1
    while True:
        vector, landing, count = next_classes(
            items, store.open, rungs, vectors, vector, wanted, bounds, False, shelf, wish, last
        )
        if count == 0:
            return vector, landing, closed[:label]
        opens = open_at(store.open, landing)
        _, place, members = members_of(
            items.rows, store.place, store.below, roots, opens, shelf.owner[: len(opens)], count
        )
        used = 0
        for item in members:
            used += items.starts[item + 1] - items.starts[item]
        told, used = Told(np.empty(used, np.int64), np.empty(used, np.int64)), 0
        for group in range(count):
            mine = members[place[group] : place[group + 1]]
            fresh = tally(items, ledger.items, members, place[group], place[group + 1], have, touched)
            if not _keeps_plainly(have, touched[:fresh], secrets):
                truly = secrets.plain or not _keeps(have, touched[:fresh], secrets, True)
                if not _sweep(have, touched[:fresh], secrets, chance, gone):
                    continue
                ledger.swept[0] += 1
                ledger.swept[1] += truly
            if label == most:
                most *= 2
                more = np.empty((most, 2), np.int64)
                for each in range(label):
                    more[each, 0], more[each, 1] = closed[each, 0], closed[each, 1]
                closed = more
            closed[label, 0], closed[label, 1] = vector, mine[0]
            used = _close(items, mine, ledger.swept[2], have, gone, chance, ledger, told, used)
            label += 1
            ledger.swept[2] += 1
        tell(store, vector, wish.until, told.runs[:used], told.rows[:used], secrets.bits, taken)
        vector += 1


@inner
def _sweep(have: Ints, codes: Ints, secrets: RunValues, chance: Keys, gone: Ints) -> bool:
    """Which rows of a class go; False: all of them, and nothing is counted any more."""
    if secrets.plain:
        _cut(have, codes, secrets, chance, gone)
    else:
        before = np.empty(len(codes), np.int64)
        for at in range(len(codes)):
            before[at] = have[codes[at]]
        _take(have, codes, secrets, chance, gone)
        for at in range(len(codes)):
            have[codes[at]] = before[at]
    for code in codes:
        if gone[code] < have[code]:
            return True
    for code in codes:
        have[code] = 0
        gone[code] = 0
    return False


@inner
def _keeps_plainly(have: Ints, codes: Ints, secrets: RunValues) -> bool:
    """Whether a class keeps all bounds, by what its rows show."""
    if not secrets.plain:
        shown: bool = _keeps(have, codes, secrets, False)
        return shown
    counts, rows = np.empty(len(codes), np.int64), 0
    for place in range(len(codes)):
        counts[place] = have[codes[place]]
        rows += counts[place]
    kept: bool = within(falling(counts), len(codes), rows, secrets.top[0], secrets.bottom[0])
    return kept
