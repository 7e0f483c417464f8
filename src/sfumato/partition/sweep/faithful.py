"""SWEEP as the paper has it: single rows of the dominant value are swept, single sensitive values generalized.

Kept to reproduce the paper. Who knows the algorithm learns from what is missing in a class, or was generalized. A class
together with the rows swept out of it is the class as it was found: whether that keeps the promise, by true values, is
tested and told.

Sweeping row by row cuts a histogram from the top, so the height is found at once (see `loops.swept`); where values
have been generalized before, or several sensitive columns must be satisfied, it goes row by row. Ties are drawn anew
for every class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task
from sfumato.partition.dealing import dealt
from sfumato.partition.sweep.blur import Blur
from sfumato.partition.sweep.climb import Climb
from sfumato.partition.sweep.information import Levels
from sfumato.partition.sweep.landings import Landings
from sfumato.partition.sweep.whole import Swept, code_bits
from sfumato.randomness import Randomness

if TYPE_CHECKING:
    from sfumato.partition.sweep.loops.swept import RunValues

__all__ = ["sweep_faithfully"]

Ints = NDArray[np.int64]

_COST = 200
"""Of a bundled item, in looks at one: to bundle it and to keep it up to date, as its rows go one by one."""


def sweep_faithfully(task: Task, levels: Sequence[Levels], vectors: Ints, blurs: Mapping[str, Blur]) -> Swept:
    """All columns that are promised something have a `Blur`; rows stand one by one."""
    from sfumato.partition.sweep.loops.classes import Filter
    from sfumato.partition.sweep.loops.swept import Ledger

    table = task.table
    veils = {name: _Veil.of(task, name, blur) for name, blur in blurs.items()}
    nodes = {name: table.codes[name].astype(np.int64) for name in blurs}
    if not _veiled(veils, nodes, np.arange(table.rows)):
        task.require_feasible()
        raise ValueError("the whole table keeps the promise, yet not as one class")
    codes, secrets = _secrets(task, blurs, nodes)
    climb = Climb.of(table, levels, codes, len(secrets.nodes), secrets.bits)
    climb.require_few(len(vectors))
    least = len(next(iter(blurs.values())).bounds) + 1
    wanted = Filter(least if secrets.plain else 1, least, table[next(iter(blurs))].size)
    places = np.cumsum(climb.packed.counts) - climb.packed.counts
    groups = np.full(table.rows, -1, dtype=np.int32)
    chance = task.randomness.numbers(1, "faithful sweep")
    ledger = Ledger(np.arange(len(climb.items.rows)), places, groups, np.zeros(3, dtype=np.int64))
    closed = Landings(climb, vectors, secrets.bits, _COST).sweep(wanted, secrets, chance, ledger)
    swept, broken, _ = ledger.swept.tolist()
    looks = climb.of_tuples(np.arange(len(climb.owner))).astype(np.int32)
    labels = dealt(looks, climb.packed.counts, groups, task.randomness)
    closed = _last(climb, veils, nodes, labels, closed, len(vectors) - 1)
    told = (f"rows were swept out of {swept} classes; together with these, {broken} of them break the promise",)
    return Swept(labels, vectors[closed[:, 0]], climb.a_tuple(closed[:, 1]), nodes, told)


def _last(
    climb: Climb, veils: Mapping[str, _Veil], nodes: dict[str, Ints], labels: Ints, closed: Ints, last: int
) -> Ints:
    """The rest as one class, joined by the classes closed last where generalizing does not help."""
    while len(rest := np.flatnonzero(labels < 0)):
        if _veiled(veils, nodes, rest):
            labels[rest] = len(closed)
            return np.append(closed, [[last, climb.of_tuples(climb.owner)[rest[0]]]], axis=0)
        closed = closed[:-1]
        labels[labels == len(closed)] = -1
    return closed


def _veiled(veils: Mapping[str, _Veil], nodes: dict[str, Ints], rows: Ints) -> bool:
    """Generalize what rows show, column by column, where they do not keep the promise; False if that does not help."""
    made: dict[str, Ints] = {}
    for name, veil in veils.items():
        if not veil.kept(nodes[name][rows]):
            shown = veil.shown(nodes[name][rows])
            if shown is None:
                return False
            made[name] = shown
    for name, shown in made.items():
        nodes[name][rows] = shown
    return True


class _Veil:
    """Generalizes one column row by row, if it may; ties by secret chance."""

    def __init__(self, blur: Blur, rank: list[int], draw: Callable[[int], NDArray[np.uint64]], edits: bool) -> None:
        self._blur, self._rank, self._draw, self._edits = blur, rank, draw, edits

    @classmethod
    def of(cls, task: Task, name: str, blur: Blur) -> _Veil:
        rank = task.randomness.shuffle(len(blur.shares), f"faithful ties of {name}").tolist()
        return cls(blur, rank, _drawing(task.randomness, f"faithful rows of {name}"), task.edits)

    def kept(self, nodes: Ints) -> bool:
        """Whether rows that show these keep the promise."""
        counts = np.bincount(nodes)
        values = np.flatnonzero(counts)
        return self._blur.kept(dict(zip(values.tolist(), counts[values].tolist(), strict=True)))

    def shown(self, nodes: Ints) -> Ints | None:
        """Nodes that keep the promise; None if there are none."""
        return self._blur.row_by_row(nodes, self._rank, self._draw) if self._edits else None


def _drawing(randomness: Randomness, purpose: str) -> Callable[[int], NDArray[np.uint64]]:
    """Random numbers, others every time."""
    times = count()
    return lambda numbers: randomness.numbers(numbers, f"{purpose} {next(times)}")


def _secrets(task: Task, blurs: Mapping[str, Blur], nodes: Mapping[str, Ints]) -> tuple[NDArray[np.int32], RunValues]:
    """A code per row for what it shows and holds, and what such codes stand for."""
    from sfumato.partition.sweep.loops.swept import RunValues

    table, rows = task.table, task.table.rows
    plain = len(blurs) == 1 and all((nodes[name] == table.codes[name]).all() for name in blurs)
    longest = max(len(blur.bounds) for blur in blurs.values())
    top, bottom = (np.ones((len(blurs), longest), dtype=np.int64) for _ in range(2))
    for at, blur in enumerate(blurs.values()):
        top[at, : len(blur.bounds)] = [bound.numerator for bound in blur.bounds]
        bottom[at, : len(blur.bounds)] = [bound.denominator for bound in blur.bounds]
    scale = np.ones(len(blurs), dtype=np.int64)
    if plain:
        column = table[next(iter(blurs))]
        every = np.arange(column.size, dtype=np.int32).reshape(-1, 1)
        none = np.zeros((1, 1, 1), dtype=np.int64)
        bits = code_bits(column.size)
        return table.codes[column.name], RunValues(every, every, none, scale, top, bottom, True, bits)
    shape = len(blurs), max(len(blur.shares) for blur in blurs.values()), max(table[name].size for name in blurs)
    shares = np.zeros(shape, dtype=np.int64)
    for at, (name, blur) in enumerate(blurs.items()):
        shares[at, : len(blur.shares), : table[name].size] = blur.table(rows, table[name].size)
        scale[at] = blur.scale
    stacked = np.stack([*(nodes[name] for name in blurs), *(table.codes[name] for name in blurs)], axis=1)
    found, codes = np.unique(stacked, axis=0, return_inverse=True)
    shown, truth = (np.ascontiguousarray(part, dtype=np.int32) for part in np.split(found, 2, axis=1))
    below = np.where(shares[0] > 0, code_bits(shape[2]), np.uint64(0))
    bits = np.bitwise_or.reduce(below, axis=1)[shown[:, 0]]
    made = RunValues(shown, truth, shares, scale, top, bottom, False, bits)
    return codes.reshape(-1).astype(np.int32), made
