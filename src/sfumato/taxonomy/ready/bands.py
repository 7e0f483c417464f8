"""Numbers in bands that many statistics use; labels are intervals, ``[25, 30)``, the last one without an end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from sfumato.exact import as_fraction
from sfumato.taxonomy.notation import Interval
from sfumato.taxonomy.ready.contract import Ready

__all__ = ["AGES", "INCOMES", "READY_AGES", "READY_INCOMES", "Edges", "band_labels", "band_meaning", "band_of"]

Edges = Sequence[Sequence[int]]
"""Per level, from the finest, where bands begin; each level's edges are among those of the level before."""

AGES: Edges = (tuple(range(0, 95, 5)), (0, 15, 25, 45, 65), (0, 15, 65))
INCOMES: Edges = (
    (0, 10_000, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000, 150_000, 200_000),
    (0, 25_000, 50_000, 100_000, 200_000),
    (0, 50_000, 100_000),
)


def band_of(edges: Edges, value: object) -> list[str] | None:
    """The bands of a number; None below zero, and for what is no number.

    >>> band_of(AGES, 41), band_of(AGES, 97)[0]
    (['[40, 45)', '[25, 45)', '[15, 65)'], '[90, inf)')
    """
    if not isinstance(value, (int, float)) or value < 0:
        return None
    exact = Decimal(repr(value))
    return [str(_bands(level)[bisect_right(level, exact) - 1]) for level in edges]


def _bands(level: Sequence[int]) -> list[Interval]:
    ends = (*map(as_fraction, level), None)
    return [Interval(low, high) for low, high in pairwise(ends)]


def band_labels(edges: Edges) -> list[str]:
    """All bands, from the coarsest level."""
    return [str(band) for level in reversed(edges) for band in _bands(level)]


def band_meaning(edges: Edges, label: str) -> str | None:
    """What a band covers."""
    for level in edges:
        for low, high in pairwise((*level, None)):
            if label == str(Interval(as_fraction(low or 0), None if high is None else as_fraction(high))):
                return f"{low} or more" if high is None else f"from {low} (included) to {high} (excluded)"
    return None


READY_AGES = Ready(
    "ages",
    ("integer", "number"),
    ("five years", "broad groups", "young, of working age, old"),
    "age groups of the United Nations' Demographic Yearbook, top-coded at 90",
    41,
    lambda value: band_of(AGES, value),
    lambda label: band_meaning(AGES, label),
    lambda: band_labels(AGES),
)
READY_INCOMES = Ready(
    "incomes",
    ("integer", "number"),
    ("ten brackets", "five brackets", "three brackets"),
    "brackets of household income by the U.S. Census Bureau (American Community Survey, S1901)",
    41_000,
    lambda value: band_of(INCOMES, value),
    lambda label: band_meaning(INCOMES, label),
    lambda: band_labels(INCOMES),
)
