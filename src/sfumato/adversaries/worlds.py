"""Worlds: all that people may have, as far as a release shows it.

Rows of a release are of kinds: those of a kind are in one class and show the same of a secret. People are of kinds as
well: those with the same quasi-identifiers, who may be any row that covers these. Whoever matches people with rows, and
chooses a secret for every cell that stands for several, has a table that the release may have been made from: a world.

Worlds in which only people of one kind change places are one, and count as often as there are ways to do so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement, product
from math import factorial, log, prod

from numpy.random import Generator

__all__ = ["Puzzle", "World", "ways"]

Held = tuple[tuple[Hashable, int], ...]
"""Secrets and how many people have each."""

World = tuple[Held, ...]
"""What people of every kind have."""

_STEPS = 200
"""So many steps are taken for a world that is looked for, before they count as too many."""


@dataclass(frozen=True)
class Puzzle:
    """Which rows people may be, and what these may stand for.

    people   how many people there are of every kind
    owner    whose each of the entries is that are to be matched: a kind of people
    wanted   how many rows each entry takes
    may      the kinds of rows that it may take them from
    rows     how many rows there are of every kind; all of them are taken
    means    the secrets that a row of every kind may stand for

    Two people who may be either row of a class with ``a`` and ``b``: two worlds, and one if they are alike.

    >>> [*Puzzle((1, 1), (0, 1), (1, 1), ((0, 1), (0, 1)), (1, 1), (("a",), ("b",))).worlds(9)]
    [((('a', 1),), (('b', 1),)), ((('b', 1),), (('a', 1),))]
    >>> [*Puzzle((2,), (0,), (2,), ((0, 1),), (1, 1), (("a",), ("b",))).worlds(9)]
    [((('a', 1), ('b', 1)),)]
    """

    people: tuple[int, ...]
    owner: tuple[int, ...]
    wanted: tuple[int, ...]
    may: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    means: tuple[tuple[Hashable, ...], ...]

    @property
    def order(self) -> list[int]:
        """Entries with the least choice first."""
        return sorted(range(len(self.wanted)), key=lambda entry: sum(self.rows[kind] for kind in self.may[entry]))

    def worlds(self, most: int) -> list[World] | None:
        """All of them, each once, in an order of their own; None if there are more, or too many ways to look at."""
        found: set[World] = set()
        for steps, held in enumerate(self._matched()):
            found.add(tuple(tuple(sorted(each.items(), key=repr)) for each in held))
            if len(found) > most or steps > _STEPS * most:
                return None
        return sorted(found, key=repr)

    def _matched(self) -> Iterator[list[Counter[Hashable]]]:
        """Every way to match entries with kinds of rows and to choose secrets."""
        order = self.order
        last = {kind: place for place, entry in enumerate(order) for kind in self.may[entry]}
        if any(kind not in last and rows for kind, rows in enumerate(self.rows)):
            return
        held: list[Counter[Hashable]] = [Counter() for _ in self.people]
        left = [*self.rows]

        def match(place: int) -> Iterator[list[Counter[Hashable]]]:
            if place == len(order):
                yield held
                return
            entry = order[place]
            kinds, mine = self.may[entry], held[self.owner[entry]]
            must = [last[kind] == place for kind in kinds]
            for taken in _taken(self.wanted[entry], [left[kind] for kind in kinds], must):
                for kind, count in zip(kinds, taken, strict=True):
                    left[kind] -= count
                for chosen in self._chosen(kinds, taken):
                    mine.update(chosen)
                    yield from match(place + 1)
                    mine.subtract(chosen)
                    for secret in {*chosen}:
                        if not mine[secret]:
                            del mine[secret]
                for kind, count in zip(kinds, taken, strict=True):
                    left[kind] += count

        yield from match(0)

    def _chosen(self, kinds: Sequence[int], taken: Sequence[int]) -> Iterator[list[Hashable]]:
        """What so many rows of each kind may stand for together."""
        counted = zip(kinds, taken, strict=True)
        each = [combinations_with_replacement(self.means[kind], count) for kind, count in counted]
        return ([secret for part in parts for secret in part] for parts in product(*each))

    def drawn(self, chance: Generator) -> tuple[World, float] | None:
        """A world by chance, and the logarithm of how much it counts so that all matchings are alike; None: dead end.

        Every matching of people with rows is as likely as any other, and so is what a cell stands for. Where everybody
        fits one class, and secrets are shown as they are, all worlds are then equally likely.
        """
        left, weight = [*self.rows], 0.0
        held: list[Counter[Hashable]] = [Counter() for _ in self.people]
        for entry in self.order:
            kinds = self.may[entry]
            for _ in range(self.wanted[entry]):
                rows = [left[kind] for kind in kinds]
                if not sum(rows):
                    return None
                weight += log(sum(rows))
                kind = kinds[bisect_right([*accumulate(rows)], int(chance.integers(sum(rows))))]
                left[kind] -= 1
                held[self.owner[entry]][self.means[kind][int(chance.integers(len(self.means[kind])))]] += 1
        return tuple(tuple(sorted(each.items(), key=repr)) for each in held), weight


def ways(world: World) -> int:
    """In how many ways the people of every kind may have what they have together.

    >>> ways(((("a", 2), ("b", 1)), (("c", 2),)))
    3
    """
    return prod(
        factorial(sum(count for _, count in held)) // prod(factorial(count) for _, count in held) for held in world
    )


def _taken(wanted: int, left: Sequence[int], must: Sequence[bool]) -> Iterator[tuple[int, ...]]:
    """How many rows of each kind to take, so that it is as many as wanted; all that are left where nobody else may."""
    if not left:
        if not wanted:
            yield ()
        return
    least = left[0] if must[0] else max(0, wanted - sum(left[1:]))
    for count in range(least, min(wanted, left[0]) + 1):
        for rest in _taken(wanted - count, left[1:], must[1:]):
            yield (count, *rest)
