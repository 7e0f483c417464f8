"""What a class believes of labels, and how far that is from what is believed beforehand, in integers.

Every row spreads one unit over the labels that its terms may stand for, equally or as the knowledge says; a row without
any adds nothing, to no label. Sums of a class are in units of 1/u, u the least number that makes them whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sfumato.auditor.rules.labels import carried
from sfumato.auditor.terms import TermColumn
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Change", "Prior", "Sums", "sums_of"]


@dataclass(frozen=True)
class Sums:
    """A class: `parts[L] / unit` believed of label L by `linked` rows together; all labels without an entry: 0."""

    parts: dict[int, int]
    unit: int
    linked: int
    unlinked: int

    def belief(self, label: int) -> Fraction:
        return Fraction(self.parts.get(label, 0), self.unit * self.linked)


def sums_of(terms: TermColumn, values: list[int], counts: list[int]) -> Sums:
    """The sums of one class, from how often it has each cell."""
    meant, chances = terms.meant, terms.chances
    linked = [(code, rows) for code, rows in zip(values, counts, strict=True) if meant[code]]
    unit = 1
    for code, _ in linked:
        unit = math.lcm(
            unit, *([len(meant[code])] if chances is None else [each.denominator for each in chances[code]])
        )
    parts: dict[int, int] = {}
    for code, rows in linked:
        labels = meant[code]
        even = rows * unit // len(labels)
        for place, label in enumerate(labels):
            share = even if chances is None else rows * int(chances[code][place] * unit)
            parts[label] = parts.get(label, 0) + share
    told = sum(rows for _, rows in linked)
    return Sums(parts, unit, told, sum(counts) - told)


@dataclass(frozen=True)
class Change:
    """What a class makes believe of one label."""

    label: int
    before: Fraction | None
    after: Fraction

    @property
    def size(self) -> Fraction:
        return abs(self.after - (self.before or 0))


@dataclass(frozen=True)
class Prior:
    """What is believed beforehand: `parts[L] / whole` of label L."""

    parts: dict[int, int]
    whole: int
    falling: tuple[int, ...]

    @classmethod
    def of(cls, shares: Mapping[int, Fraction]) -> Prior:
        whole = math.lcm(*(share.denominator for share in shares.values()))
        parts = {label: int(share * whole) for label, share in shares.items()}
        return cls(parts, whole, tuple(sorted(parts, key=lambda label: (-parts[label], label))))

    def _pairs(self, sums: Sums) -> list[tuple[int, int, int]]:
        """Per label of the class: itself, belief and prior, in units of 1 / (class unit, linked rows, whole)."""
        unit = sums.unit * sums.linked
        return [(label, new * self.whole, self.parts.get(label, 0) * unit) for label, new in sums.parts.items()]

    def moved(self, sums: Sums) -> Fraction:
        over = sum(new - old for _, new, old in self._pairs(sums) if new > old)
        return Fraction(over, sums.unit * sums.linked * self.whole)

    def carried(self, tree: Taxonomy, labels: Sequence[str], sums: Sums) -> Fraction:
        unit = sums.unit * sums.linked
        extra = {labels[label]: -part * unit for label, part in self.parts.items()}
        for label, new, old in self._pairs(sums):
            extra[labels[label]] = new - old
        return Fraction(carried(tree, extra), unit * self.whole * max(tree.height, 1))

    def square(self, sums: Sums) -> Fraction:
        unit = sums.unit * sums.linked
        every = self._own * unit * unit + sum(new * (new - 2 * old) for _, new, old in self._pairs(sums))
        return Fraction(every, (unit * self.whole) ** 2)

    @cached_property
    def _own(self) -> int:
        return sum(part * part for part in self.parts.values())

    def changed(self, sums: Sums) -> Change:
        """The label whose belief changes most; of those that the class does not have, the likeliest beforehand."""
        gaps = [(abs(new - old), -label) for label, new, old in self._pairs(sums)]
        lost = next((label for label in self.falling if label not in sums.parts), None)
        if lost is not None:
            gaps.append((self.parts[lost] * sums.unit * sums.linked, -lost))
        label = -max(gaps)[1]
        return Change(label, Fraction(self.parts.get(label, 0), self.whole), sums.belief(label))
