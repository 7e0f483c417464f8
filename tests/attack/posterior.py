"""What an adversary believes after a randomized release: Bayes' rule over every assignment, nothing clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cache
from math import prod

__all__ = ["by_counts", "by_shares", "feasible"]

Value = Hashable
Belief = dict[Value, Fraction]


def feasible(true: Sequence[Value]) -> bool:
    """Whether all assignments of so many values can be summed up in reasonable time."""
    return prod(count + 1 for count in Counter(true).values()) <= 2000


def _likelihood(retention: Fraction, different: int, same: bool) -> Fraction:
    return (retention if same else 0) + (1 - retention) / different


def by_shares(true: Sequence[Value], shown: Sequence[Value], retention: Fraction) -> list[Belief]:
    """Of every person, if all that is known is how likely each value is in the group."""
    counts = Counter(true)
    made: list[Belief] = []
    for seen in shown:
        odds = {value: n * _likelihood(retention, len(counts), value == seen) for value, n in counts.items()}
        whole = sum(odds.values(), Fraction(0))
        made.append({value: each / whole for value, each in odds.items()})
    return made


def by_counts(true: Sequence[Value], shown: Sequence[Value], retention: Fraction) -> list[Belief]:
    """Of every person, if it is known how often each value occurs in the group: all assignments are equally likely."""
    counts = Counter(true)
    values, people = list(counts), len(shown)

    @cache
    def ways(person: int, left: tuple[int, ...], skipped: int) -> Fraction:
        """The likelihood of all that is shown, summed over assignments of what is left to the people from here on."""
        if person == skipped:
            return ways(person + 1, left, skipped)
        if person == people:
            return Fraction(1)
        total = Fraction(0)
        for place, count in enumerate(left):
            if count:
                rest = (*left[:place], count - 1, *left[place + 1 :])
                same = values[place] == shown[person]
                total += count * _likelihood(retention, len(values), same) * ways(person + 1, rest, skipped)
        return total

    made: list[Belief] = []
    for person in range(people):
        odds: Belief = {}
        for place, value in enumerate(values):
            left = tuple(counts[each] - (at == place) for at, each in enumerate(values))
            same = value == shown[person]
            odds[value] = counts[value] * _likelihood(retention, len(values), same) * ways(0, left, person)
        whole = sum(odds.values(), Fraction(0))
        made.append({value: each / whole for value, each in odds.items()})
    return made
