"""Where SWEEP rests on its way up: level vectors at which open items are bundled (see `loops.landings`).

Looking at a vector costs as much as there are items. Most vectors close nothing, so what looks alike at one of them is
bundled once, and later vectors above it look at bundles. A landing is made where it pays, judged by how many bundles
there would be and how many vectors are above. It changes how long it takes and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.sweep.climb import Climb

if TYPE_CHECKING:
    from sfumato.partition.sweep.loops.classes import Filter, Room, Rungs
    from sfumato.partition.sweep.loops.judging import Caps
    from sfumato.partition.sweep.loops.landings import Store, Wish
    from sfumato.partition.sweep.loops.swept import Ledger, RunValues

__all__ = ["Landings"]

Ints = NDArray[np.int64]

_ROOM = 12
"""Bundles there may be, per item."""
_FIXED = 40_000
"""What a landing costs beside its items, in looks at one."""
_LEAST = 1_000_000
"""Bundles there may always be."""


class _Grown:
    """An array that grows at its end."""

    def __init__(self, made: NDArray[Any]) -> None:
        self._room, self._used = made, len(made)

    def add(self, more: NDArray[Any]) -> None:
        need = self._used + len(more)
        if need > len(self._room):
            wide = np.empty((max(need, 2 * len(self._room)), *self._room.shape[1:]), dtype=self._room.dtype)
            wide[: self._used] = self._room[: self._used]
            self._room = wide
        self._room[self._used : need] = more
        self._used = need

    @property
    def all(self) -> NDArray[Any]:
        return self._room[: self._used]


@dataclass(eq=False)
class Landings:
    """A walk through level vectors.

    bits    what a code of a run stands for
    cost    of bundling an item and keeping it up to date, in looks at one
    """

    climb: Climb
    vectors: Ints
    bits: NDArray[np.uint64]
    cost: int
    store: Store = field(init=False)
    _parts: dict[str, _Grown] = field(init=False)
    _wish: Wish = field(init=False)
    _shelf: Room = field(init=False)
    _taken: Ints = field(init=False)
    _padded: Rungs = field(init=False)

    def __post_init__(self) -> None:
        from sfumato.partition.sweep.loops.landings import Wish

        items, rungs = self.climb.items, self.climb.rungs
        roots, runs = len(items.rows), len(items.values)
        zero = np.zeros(1, dtype=np.int64)
        first = {
            **items._asdict(),
            "counts": items.counts.copy(),
            "rows": items.rows.copy(),
            "seen": items.seen.copy(),
            "owner": self.climb.owner.astype(np.int32),
            "place": zero,
            "below": np.zeros(0, dtype=np.int32),
            "links": np.zeros(0, dtype=np.int32),
            "opens": np.arange(roots),
            "open_at": zero,
            "size": np.array([roots]),
            "dead": zero.copy(),
            "parent": zero,
            "run_at": np.array([0, runs]),
            "link_at": zero,
            "taken": np.zeros(runs, dtype=np.int64),
        }
        self._parts = {name: _Grown(part) for name, part in first.items()}
        at, work = np.zeros(len(self.vectors), dtype=np.int64), np.array([0, 0, -1])
        self._wish = Wish(at, work, np.zeros(1, dtype=np.int64), _ROOM * roots + _LEAST, self.cost, _FIXED)
        self._shelf = self.climb.shelf()
        has = np.uint64((1 << 63) - 1)
        self._padded = rungs._replace(
            fields=rungs.fields & has, base=np.full_like(rungs.base, -1), now=np.full_like(rungs.now, -1)
        )
        self._stored()

    def _stored(self) -> None:
        from sfumato.partition.sweep.loops.classes import Items
        from sfumato.partition.sweep.loops.landings import Open, Store

        parts = {name: part.all for name, part in self._parts.items()}
        items = Items(**{name: parts.pop(name) for name in Items._fields})
        self._taken = parts.pop("taken")
        opens = Open(parts.pop("opens"), parts.pop("open_at"), parts.pop("size"), parts.pop("dead"))
        self.store = Store(items, opens, **parts)

    @property
    def roots(self) -> int:
        return len(self.climb.items.rows)

    def next(self, vector: int, wanted: Filter, bounds: Caps | None, until: int) -> tuple[int, Ints, Ints, int]:
        """From a vector on, the next with classes that have what they need and keep the bounds, if there are any.

        Answers it, what is open there, to which class that belongs (-1: none), and how many classes there are; or
        `until`, which is not looked at, and none.
        """
        from sfumato.partition.sweep.loops.judging import Caps
        from sfumato.partition.sweep.loops.landings import judged, next_classes

        judge = bounds is not None
        if bounds is None:
            bounds = Caps(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        while vector or self._hopeful(wanted):
            vector, landing, count = next_classes(
                self.store.items,
                self.store.open,
                self.climb.rungs,
                self.vectors,
                vector,
                wanted,
                bounds,
                judge,
                self._shelf,
                self._wish,
                until,
            )
            opens = self._opens(landing)
            if count < 0:
                count = judged(self.store.items, opens, self._shelf, -count, bounds, wanted.codes)
                if not count:
                    vector += 1
                    continue
            if count or vector >= until:
                return vector, opens, self._shelf.owner[: len(opens)], count
            self.rest(vector, landing)
        none = np.zeros(0, dtype=np.int64)
        return until, none, none, 0

    def sweep(self, wanted: Filter, secrets: RunValues, chance: NDArray[np.uint64], ledger: Ledger) -> Ints:
        """The faithful variant; answers (vector, an item) per class."""
        from sfumato.partition.sweep.loops.swept import sweep_rows

        closed, vector, last = [np.zeros((0, 2), dtype=np.int64)], 0, len(self.vectors) - 1
        while vector < last and (vector or self._hopeful(wanted)):
            vector, landing, more = sweep_rows(
                self.store,
                self.climb.rungs,
                self.vectors,
                vector,
                wanted,
                secrets,
                self._shelf,
                self._wish,
                chance,
                ledger,
                self._taken,
            )
            closed.append(more)
            if vector < last:
                self.rest(vector, landing)
        return np.concatenate(closed)

    def _hopeful(self, wanted: Filter) -> bool:
        """Whether all that is open would be enough for a class."""
        rows, seen = self.store.items.rows[: self.roots], self.store.items.seen[: self.roots]
        codes = int(np.bitwise_or.reduce(seen)) if len(seen) else 0
        distinct = codes.bit_count() + (max(wanted.codes - 64, 0) if codes >> 63 else 0)
        enough = wanted.distinct <= 1 or distinct >= wanted.distinct
        return bool(len(rows)) and int(rows.sum()) >= wanted.rows and enough

    def _opens(self, landing: int) -> Ints:
        opens = self.store.open
        return opens.items[opens.at[landing] :][: opens.size[landing]]

    def _compact(self, landing: int) -> Ints:
        """Forget what is not open any more; answers what is."""
        opens = self._opens(landing)
        left = opens[self.store.items.rows[opens] > 0]
        opens[: len(left)] = left
        self.store.open.size[landing], self.store.open.dead[landing] = len(left), 0
        return opens[: len(left)]

    def rest(self, vector: int, landing: int) -> None:
        """Make a landing at a vector, of what is open at another."""
        from sfumato.partition.sweep.loops.bundles import bundle
        from sfumato.partition.sweep.loops.classes import classes_at

        store, add = self.store, self._parts
        opens = self._compact(landing)
        owner = np.empty(len(opens), dtype=np.int64)
        found = classes_at(store.items, self._padded, self.vectors[vector], opens, 1024, owner)
        if 4 * found > 3 * len(opens):
            return  # some lack a level, and are not bundled
        made, mine, place, below, links = bundle(store, opens, owner, found, landing, self.bits)
        items, runs, new = len(store.items.rows), len(store.items.values), len(store.open.size)
        add["starts"].add(made.starts[1:] + runs)
        for name in ("codes", "values", "counts", "seen", "rows"):
            add[name].add(getattr(made, name))
        add["owner"].add(mine + np.int32(items))
        add["place"].add(place[1:] + len(store.below))
        add["below"].add(below)
        links[links >= 0] += np.int32(runs)
        for name, value in {
            "open_at": len(store.open.items),
            "size": found,
            "dead": 0,
            "parent": landing,
            "run_at": runs + len(mine),
            "link_at": len(store.links),
        }.items():
            add[name].add(np.array([value], dtype=np.int64))
        add["links"].add(links)
        add["taken"].add(np.zeros(len(mine), dtype=np.int64))
        add["opens"].add(np.arange(items, items + found))
        self._stored()
        at, later = self._wish.at, slice(vector, None)
        above = (self.vectors[later] <= self.vectors[vector]).all(axis=1)
        at[later][above & (self.store.open.size[at[later]] > found)] = new
        until = np.zeros(new + 1, dtype=np.int64)
        until[at[later]] = np.arange(vector, len(at))  # the last one stays
        for each in range(new, 0, -1):
            until[self.store.parent[each]] = max(until[self.store.parent[each]], until[each])
        self._wish = self._wish._replace(until=until)

    def members(self, opens: Ints, owner: Ints, groups: int) -> tuple[Ints, Ints, Ints]:
        """Open items of classes, in ascending order: which class comes where, where its items begin, and these."""
        from sfumato.partition.sweep.loops.bundles import members_of

        store = self.store
        order, place, members = members_of(store.items.rows, store.place, store.below, self.roots, opens, owner, groups)
        return order, place, members

    def a_member(self, opens: Ints, owner: Ints, groups: int) -> Ints:
        """An item of every class."""
        found, mine = np.zeros(groups, dtype=np.int64), owner >= 0
        found[owner[mine]] = opens[mine]
        while (bundles := np.flatnonzero(found >= self.roots)).size:
            found[bundles] = self.store.below[self.store.place[found[bundles] - self.roots]]
        return found

    def close(self, vector: int, members: Ints) -> None:
        """Whole items have a class now, since a vector."""
        from sfumato.partition.sweep.loops.bundles import tell

        items = self.climb.items
        lengths = items.starts[members + 1] - items.starts[members]
        ends = np.cumsum(lengths)
        runs = np.arange(int(lengths.sum())) + np.repeat(items.starts[members] - ends + lengths, lengths)
        tell(self.store, vector, self._wish.until, runs, items.counts[runs], self.bits[:0], self._taken)
