"""What removing terms costs.

A row's cost is a function of how many terms it loses, plus a weight for each of them; a group's cost is the sum over
its rows divided by what removing everything would cost (0 if there is nothing to remove).

`InverseCost`, the paper's T: the j-th last term of a row costs 1/j, so the last one costs most.
`CountCost`: every term costs the same. `WeightedCost`: every term its own weight; terms without one weigh 1.

P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, Equation 2.

>>> InverseCost().priced([3]).share([1]), InverseCost().priced([3, 2]).share([0, 1])
(Fraction(2, 11), Fraction(3, 20))
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from sfumato.errors import InputError
from sfumato.exact import as_fraction

__all__ = ["Cost", "CountCost", "InverseCost", "TermPrices", "WeightedCost"]


@dataclass(frozen=True)
class TermPrices:
    """Costs of the rows of one group, exactly, in units of 1 / `scale`.

    `by_count[i][v]` is the cost of losing v terms in row i, `by_term[i][j]` what losing its j-th term adds.
    """

    by_count: tuple[tuple[int, ...], ...]
    by_term: tuple[tuple[int, ...], ...]
    scale: int

    @property
    def whole(self) -> int:
        """Removing everything."""
        return sum(row[-1] for row in self.by_count) + sum(map(sum, self.by_term))

    def share(self, counts: Sequence[int]) -> Fraction:
        """The cost of losing so many terms per row, where it does not matter which."""
        return self.normal(sum(row[count] for row, count in zip(self.by_count, counts, strict=True)))

    def normal(self, units: int) -> Fraction:
        return Fraction(units, self.whole) if self.whole else Fraction(0)


class Cost(Protocol):
    """How to price the removal of terms."""

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        """Prices for rows of these lengths, with these codes of terms."""


@dataclass(frozen=True)
class InverseCost:
    """1/w for the first term that a row of w terms loses, 1/(w-1) for the next, 1 for the last."""

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        scale = math.lcm(*range(1, max(lengths, default=0) + 1))
        rows = []
        for length in lengths:
            costs = [0]
            for left in range(length, 0, -1):
                costs.append(costs[-1] + scale // left)
            rows.append(tuple(costs))
        return TermPrices(tuple(rows), tuple((0,) * length for length in lengths), scale)


@dataclass(frozen=True)
class CountCost:
    """1 for every term."""

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        rows = tuple(tuple(range(length + 1)) for length in lengths)
        return TermPrices(rows, tuple((0,) * length for length in lengths), 1)


@dataclass(frozen=True)
class WeightedCost:
    """A weight for every term, by its code; 1 where none is given."""

    weights: Mapping[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        made = {term: as_fraction(weight) for term, weight in self.weights.items()}
        if any(weight < 0 for weight in made.values()):
            raise InputError("the weight of a term must not be negative")
        object.__setattr__(self, "weights", made)

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        one = Fraction(1)
        rows = [[self.weights.get(int(term), one) for term in row] for row in terms]
        scale = math.lcm(*(weight.denominator for row in rows for weight in row))
        by_term = tuple(tuple(int(weight * scale) for weight in row) for row in rows)
        return TermPrices(tuple((0,) * (length + 1) for length in lengths), by_term, scale)
