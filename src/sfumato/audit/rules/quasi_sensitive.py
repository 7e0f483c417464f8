"""QS (c,l)-diversity and QS t-closeness: what the terms of a class make believe of labels.

Every row spreads one unit over the labels that its terms may stand for, equally or as the knowledge says; a row without
any adds nothing, to no label. With sums m(L) over a class of M linked rows:

qs-cl   m_1 <= c (m_l + m_(l+1) + ...), the m in descending order
qs-t    Σ (m(L)/M - prior(L))² <= t², over all labels; earth mover's: Σ max(0, m(L)/M - prior(L)) <= t

A class without linked rows keeps both, and its rows are counted beside. Sums are integers in units of 1/u, u the least
number that makes them so for the class.

P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from sfumato.audit.rules.contract import Case, Ruling, Undecidable
from sfumato.audit.terms import Terms
from sfumato.audit.verdict import Beliefs
from sfumato.exact import as_text
from sfumato.policy.promises import QsCL, QsT

__all__ = ["Sums", "judge_qs_cl", "judge_qs_t", "sums_of"]

_MILLION = 10**6
T = TypeVar("T", int, Fraction)


@dataclass(frozen=True)
class Sums:
    """A class: `parts[L] / unit` believed of label L by `linked` rows together; all labels without an entry: 0."""

    parts: dict[int, int]
    unit: int
    linked: int
    unlinked: int

    def belief(self, label: int) -> Fraction:
        return Fraction(self.parts.get(label, 0), self.unit * self.linked)


def sums_of(terms: Terms, values: list[int], counts: list[int]) -> Sums:
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


def judge_qs_cl(promise: QsCL, case: Case) -> Ruling | Undecidable:
    """The level is the largest l that all classes with linked rows reach under this c."""
    up, down = promise.c.numerator, promise.c.denominator

    def reached(sums: Sums) -> int:
        """Tails fall as l grows, so the largest l is their number."""
        rising = sorted(sums.parts.values())
        tail, found = 0, 0
        for part in rising:
            tail += part
            found += rising[-1] * down <= up * tail
        return found

    levels = _levels(case, reached)
    told = [level for level in levels if level is not None]
    kept = np.array([level is None or level >= promise.l for level in levels])
    worst = _first(case, levels, min(told)) if told else 0
    level = Fraction(min(told)) if told else None
    return Ruling(
        kept, level, worst, f"l at least {promise.l} under c={as_text(promise.c)}", _beliefs(case, worst, None)
    )


def judge_qs_t(promise: QsT, case: Case) -> Ruling | Undecidable:
    """The level is the largest distance, rounded up to six decimals where it is a root."""
    if case.terms is None:
        return Undecidable("the column's terms")
    shares = dict(promise.prior) if promise.prior != "table" else case.prior
    if shares is None:
        return Undecidable(case.needs)
    place = {label: at for at, label in enumerate(case.terms.knowledge.labels)}
    if not shares.keys() <= place.keys() or sum(shares.values()) != 1:
        return Undecidable("a prior that speaks of the labels of the knowledge, and sums to 1")
    prior = {place[label]: share for label, share in shares.items()}
    whole = math.lcm(*(share.denominator for share in prior.values()))
    parts = {label: int(share * whole) for label, share in prior.items()}
    square, emd = sum(part * part for part in parts.values()), promise.distance == "emd"

    def distance(sums: Sums) -> Fraction:
        """Itself, or its square where it is Euclidean."""
        unit = sums.unit * sums.linked
        pairs = [(new * whole, parts.get(label, 0) * unit) for label, new in sums.parts.items()]
        if emd:
            return Fraction(sum(new - old for new, old in pairs if new > old), unit * whole)
        return Fraction(square * unit * unit + sum(new * (new - 2 * old) for new, old in pairs), (unit * whole) ** 2)

    levels = _levels(case, distance)
    bound = promise.t if emd else promise.t**2
    kept = np.array([level is None or level <= bound for level in levels])
    told = [level for level in levels if level is not None]
    worst = _first(case, levels, max(told)) if told else 0
    level = None if not told else max(told) if emd else _root(max(told))
    return Ruling(kept, level, worst, f"distance at most {as_text(promise.t)}", _beliefs(case, worst, prior))


def _levels(case: Case, measure: Callable[[Sums], T]) -> list[T | None]:
    """What every class reaches; None without linked rows."""
    found: list[T | None] = []
    for group in range(len(case.classes)):
        sums = _sums(case, group)
        found.append(measure(sums) if sums.linked else None)
    return found


def _first(case: Case, levels: list[T | None], level: T) -> int:
    """Of the classes that reach that level only, the one with the fewest labels, the fewest rows, the top belief."""
    tied = [(group, _sums(case, group)) for group, each in enumerate(levels) if each == level]
    keys = [(len(sums.parts), sums.linked, -max(sums.parts.values()) / sums.unit, group) for group, sums in tied]
    return min(keys)[-1]


def _sums(case: Case, group: int) -> Sums:
    if case.terms is None:
        raise ValueError("the case has no terms")
    classes = case.classes
    mine = slice(int(classes.starts[group]), int(classes.starts[group + 1]))
    return sums_of(case.terms, classes.values[mine].tolist(), classes.counts[mine].tolist())


def _root(square: Fraction) -> Fraction:
    """The least number with six decimals whose square is not less."""
    scaled = math.ceil(square * _MILLION**2)
    return Fraction(math.isqrt(scaled - 1) + 1 if scaled else 0, _MILLION)


def _beliefs(case: Case, group: int, prior: dict[int, Fraction] | None) -> Beliefs:
    """What the class that decides makes believe of the label whose belief it changes most, or believes most."""
    sums = _sums(case, group)
    bare = sum(int(case.classes.alike[each]) for each in range(len(case.classes)) if not _sums(case, each).linked)
    labels = len(sums.parts)
    facts = {"linked": sums.linked, "unlinked": sums.unlinked, "labels": labels, "unlinked_groups": bare}
    if not sums.linked:
        return Beliefs(**facts)
    if prior is None:
        top = max(sums.parts, key=lambda label: (sums.parts[label], -label))
        return Beliefs(**facts, posterior=sums.belief(top))
    label = max(
        sums.parts.keys() | prior.keys(),
        key=lambda each: (abs(sums.belief(each) - prior.get(each, Fraction(0))), -each),
    )
    before, after = prior.get(label, Fraction(0)), sums.belief(label)
    return Beliefs(**facts, prior=before, posterior=after, change=after - before)
