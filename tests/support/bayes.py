"""001's Theorem 3.1 by enumeration: every way in which the people of a block may have its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import prod

__all__ = ["after", "before"]

Masses = Mapping[tuple[str, str], int]
"""People of the population by quasi-identifier and secret."""


def before(population: Masses, q: str) -> dict[str, Fraction]:
    """f(s | q)."""
    return among(population, {q})


def among(population: Masses, block: set[str]) -> dict[str, Fraction]:
    held: Counter[str] = Counter()
    for (q, s), count in population.items():
        held[s] += count * (q in block)
    return {s: Fraction(count, held.total()) for s, count in held.items()}


def after(population: Masses, q: str, block: set[str], values: Iterable[str]) -> dict[str, Fraction] | None:
    """What is believed of somebody with q in a block that holds these values; None if that cannot be.

    The others of the block are drawn from the people whom it covers, and nothing is known of them. A value that none of
    these has is somebody's of whom the population knows nothing, and is set aside.
    """
    mine, theirs = before(population, q), among(population, block)
    values = sorted(value for value in values if theirs.get(value))
    if not values:
        return None
    sums: dict[str, Fraction] = {}
    for world in product({*values}, repeat=len(values)):
        if sorted(world) == values:
            own, *others = world
            chance = mine.get(own, Fraction(0)) * prod((theirs.get(each, Fraction(0)) for each in others), start=1)
            sums[own] = sums.get(own, Fraction(0)) + chance
    whole = sum(sums.values())
    return {s: part / whole for s, part in sums.items()} if whole else None
