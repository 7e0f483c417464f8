"""What removing terms costs.

A row's cost is a function of how many terms it loses, plus a weight for each of them; a group's cost is the sum over
its rows divided by what removing everything would cost (0 if there is nothing to remove).

`InverseCost`, the paper's T: the j-th last term of a row costs 1/j, so the last one costs most.
`CountCost`: every term costs the same. `WeightedCost`: every term its own weight; terms without one weigh 1.
`WeightedInverseCost`: T in which a term that a row of w loses costs its weight times 1/w, and what T adds for every
further one; with all weights 1 it is T, and which terms go first does not matter.
`ShareCost`: a term costs its share of the weight of its row, so that all rows count the same.
`RarityCost`: a term costs its weight over the rows that have it, so that all terms count the same.

The paper leaves weights and other costs open (sections 2.3 and 6). What is chosen here is a sum over terms beside a
function of their number, which is all that the searches need.

P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, Equation 2.

>>> InverseCost().priced([3]).share([1]), InverseCost().priced([3, 2]).share([0, 1])
(Fraction(2, 11), Fraction(3, 20))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

from sfumato.errors import InputError, one_line
from sfumato.exact import as_fraction
from sfumato.table.domain import SetDomain

__all__ = [
    "HARMONIC",
    "Cost",
    "CostKind",
    "CountCost",
    "InverseCost",
    "Pricing",
    "RarityCost",
    "ShareCost",
    "TermPrices",
    "WeightedCost",
    "WeightedInverseCost",
]

CostKind = Literal["harmonic", "count", "share", "rarity"]
_FINE = 10**9
"""Parts of a price that rarity tells apart: rows that have a term may be any number, and have no common multiple."""


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

    def units(self, row: int, lost: Iterable[int]) -> int:
        """What a row costs that loses the terms at these places."""
        gone = list(lost)
        return self.by_count[row][len(gone)] + sum(self.by_term[row][place] for place in gone)

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

    def weighed(self, terms: Sequence[Sequence[int]]) -> list[list[Fraction]]:
        """The weight of every term of every row."""
        one = Fraction(1)
        return [[self.weights.get(int(term), one) for term in row] for row in terms]

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        return _by_terms(self.weighed(terms))


@dataclass(frozen=True)
class WeightedInverseCost(WeightedCost):
    """A term's weight over the terms of its row, and what the harmonic cost of several exceeds that of each by."""

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        rows = self.weighed(terms)
        alone = _by_terms([[weight / len(row) for weight in row] for row in rows])
        scale = math.lcm(alone.scale, *range(1, max(lengths, default=0) + 1))
        more = []
        for length in lengths:
            costs = [0]
            for left in range(length, 0, -1):
                costs.append(costs[-1] + scale // left - scale // length)
            more.append(tuple(costs))
        times = scale // alone.scale
        return TermPrices(tuple(more), tuple(tuple(price * times for price in row) for row in alone.by_term), scale)


@dataclass(frozen=True)
class ShareCost(WeightedCost):
    """A term's share of the weight of its row."""

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        rows = self.weighed(terms)
        return _by_terms([[weight / whole for weight in row] for row in rows for whole in [sum(row) or Fraction(1)]])


@dataclass(frozen=True)
class RarityCost(WeightedCost):
    """A term's weight over the rows of the table that have it, in billionths.

    seen    rows by the code of a term; terms that the knowledge does not have are one
    """

    seen: Mapping[int, int] = field(default_factory=dict)

    def priced(self, lengths: Sequence[int], terms: Sequence[Sequence[int]] = ()) -> TermPrices:
        weighed = zip(terms, self.weighed(terms), strict=True)
        prices = [
            [max(round(_FINE * weight / self.seen.get(int(term), 1)), 1) for term, weight in zip(*row, strict=True)]
            for row in weighed
        ]
        return TermPrices(tuple((0,) * (length + 1) for length in lengths), tuple(map(tuple, prices)), _FINE)


def _by_terms(rows: Sequence[Sequence[Fraction]]) -> TermPrices:
    """Every term its own price, however many a row loses."""
    scale = math.lcm(*(price.denominator for row in rows for price in row))
    by_term = tuple(tuple(int(price * scale) for price in row) for row in rows)
    return TermPrices(tuple((0,) * (len(row) + 1) for row in rows), by_term, scale)


_KINDS: dict[CostKind, type[WeightedCost]] = {
    "harmonic": WeightedInverseCost,
    "count": WeightedCost,
    "share": ShareCost,
}


@dataclass(frozen=True)
class Pricing:
    """What a policy says that terms cost: of which kind, and weights of some terms by column."""

    kind: CostKind = "harmonic"
    weights: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)

    @property
    def by_number(self) -> bool:
        """Whether only the numbers of terms matter, and not which they are."""
        return self.kind in ("harmonic", "count") and not self.weights

    def of(self, column: SetDomain) -> Cost:
        """The cost of terms of a column."""
        code, given = column.told.code, self.weights.get(column.name, {})
        unknown = sum(term not in code for term in given)
        if unknown:
            raise InputError(
                f"suppress-terms.weights.{one_line(column.name)}: the knowledge of the column has no such term for"
                f" {unknown} of {len(given)} weights"
            )
        weights = {code[term]: weight for term, weight in given.items()}
        if self.kind == "rarity":
            return RarityCost(weights, _rows_by_term(column))
        if not weights and self.by_number:
            return InverseCost() if self.kind == "harmonic" else CountCost()
        return _KINDS[self.kind](weights)


HARMONIC = Pricing()
"""The paper's."""


def _rows_by_term(column: SetDomain) -> dict[int, int]:
    seen: dict[int, int] = {}
    for code, rows in enumerate(column.counts.tolist()):
        for term in {*column.terms[code].tolist()}:
            seen[term] = seen.get(term, 0) + rows
    return seen
