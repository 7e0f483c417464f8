"""Linking, beliefs, promises and removal once more: with sets, fractions and nothing clever."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

__all__ = ["Pairs", "Priced", "beliefs", "cheapest", "cost_t", "keeps_cl", "keeps_t", "linked", "masses", "moved"]

Pairs = Sequence[tuple[str, frozenset[str]]]
Row = frozenset[str]
Priced = Callable[[Sequence[Row], Sequence[Row]], Fraction]


def linked(pairs: Pairs, terms: Row, unknown: str = "drop", length: int = 0) -> frozenset[str]:
    known = frozenset(term for _, held in pairs for term in held)
    if terms and (not terms & known or (unknown == "strict" and not terms <= known)):
        return frozenset()
    return frozenset(label for label, held in pairs if terms & known <= held and len(held) >= length)


def masses(links: Sequence[frozenset[str]]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for labels in links:
        for label in labels:
            found[label] = found.get(label, Fraction(0)) + Fraction(1, len(labels))
    return found


def beliefs(links: Sequence[frozenset[str]]) -> dict[str, Fraction]:
    return {label: mass / len(links) for label, mass in masses(links).items()}


def keeps_cl(mass: Mapping[str, Fraction], c: Fraction, l: int) -> bool:
    falling = sorted(mass.values(), reverse=True)
    return not falling or falling[0] <= c * sum(falling[l - 1 :])


def keeps_t(mass: Mapping[str, Fraction], prior: Mapping[str, Fraction], t: Fraction) -> bool:
    whole = sum(mass.values())
    return not whole or sum((mass.get(label, 0) / whole - prior[label]) ** 2 for label in prior) <= t**2


def moved(mass: Mapping[str, Fraction], prior: Mapping[str, Fraction]) -> Fraction:
    whole = sum(mass.values())
    return sum((abs(mass.get(label, Fraction(0)) / whole - prior[label]) for label in prior), Fraction(0)) / 2


def cost_t(rows: Sequence[Row], kept: Sequence[Row]) -> Fraction:
    """The paper's T."""
    paid = [Fraction(1, x) for row, keep in zip(rows, kept, strict=True) for x in range(len(keep) + 1, len(row) + 1)]
    whole = [Fraction(1, x) for row in rows for x in range(1, len(row) + 1)]
    return sum(paid, Fraction(0)) / sum(whole) if whole else Fraction(0)


def subsets(row: Row) -> Iterator[Row]:
    for size in range(len(row), -1, -1):
        yield from map(frozenset, itertools.combinations(sorted(row), size))


def cheapest(
    rows: Sequence[Row],
    links: Callable[[int, Row], frozenset[str]],
    keeps: Callable[[Sequence[tuple[Row, frozenset[str]]]], bool],
    cost: Priced,
) -> Fraction | None:
    """The least cost of any removal, by trying all of them; None if none keeps the promise."""
    choices = []
    for at, row in enumerate(rows):
        before = links(at, row)
        options = [(keep, links(at, keep)) for keep in subsets(row)]
        choices.append([each for each in options if (each[1] if before else each[0] == row or len(each[1]) > 1)])
    priced = sorted(
        (
            (cost(rows, [keep for keep, _ in combo]), number, combo)
            for number, combo in enumerate(itertools.product(*choices))
        )
    )
    return next((price for price, _, combo in priced if keeps(combo)), None)
