"""The definitions once more, slowly: one group at a time, fractions only. A group is a list of values, None missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from math import prod
from typing import Any

Group = Sequence[str | None]
Tree = dict[str, Any] | list[str]
ONE_DIGIT = Context(prec=80)


def counts_of(group: Group) -> list[int]:
    return sorted(Counter(group).values(), reverse=True)


def entropy_holds(group: Group, l: Fraction) -> bool:
    counts, rows = counts_of(group), len(group)
    return bool((l.denominator * rows) ** rows >= l.numerator**rows * prod(count**count for count in counts))


def recursive_holds(group: Group, c: Fraction, l: int) -> bool:
    counts = counts_of(group)
    return l == 1 or counts[0] < c * sum(counts[l - 1 :])


def pd_holds(group: Group, c: Fraction, l: int, disclosable: Sequence[str]) -> bool:
    """The two printed cases of the definition, with y counted from 1."""
    ranked = Counter(group).most_common()
    y = next((rank for rank, (value, _) in enumerate(ranked, 1) if value not in disclosable), None)
    if l == 1 or y is None:
        return True
    r = [0, *(count for _, count in ranked)]
    if y <= l - 1:
        return r[y] < c * sum(r[l:])
    return r[y] < c * (sum(r[l - 1 : y]) + sum(r[y + 1 :]))


def npd_holds(
    group: Group, c1: Fraction, c2: Fraction, l: int, disclosable: Sequence[str], protected: Sequence[str]
) -> bool:
    enough = all(Fraction(list(group).count(value) * 100, len(group)) >= c2 for value in protected)
    return pd_holds(group, c1, l, disclosable) and enough


def shares(group: Group) -> dict[str | None, Fraction]:
    return {value: Fraction(count, len(group)) for value, count in Counter(group).items()}


def t_equal(group: Group, whole: Group) -> Fraction:
    p, q = shares(group), shares(whole)
    return sum((abs(p.get(value, Fraction(0)) - q[value]) for value in q), Fraction(0)) / 2


def t_ordered(group: Group, whole: Group, order: Sequence[str | None]) -> Fraction:
    p, q = shares(group), shares(whole)
    values = [value for value in order if value in q]
    if len(values) == 1:
        return Fraction(0)
    total, gap = Fraction(0), Fraction(0)
    for value in values:
        gap += p.get(value, Fraction(0)) - q[value]
        total += abs(gap)
    return total / (len(values) - 1)


def t_hierarchical(group: Group, whole: Group, tree: Tree) -> Fraction:
    p, q = shares(group), shares(whole)
    height = tree_height(tree)
    cost = Fraction(0)

    def extra(node: Tree | str, depth: int) -> Fraction:
        nonlocal cost
        if isinstance(node, str):
            return p.get(node, Fraction(0)) - q.get(node, Fraction(0))
        below = list(node.values()) if isinstance(node, dict) else list(node)
        extras = [extra(child, depth + 1) for child in below]
        surplus = sum((each for each in extras if each > 0), Fraction(0))
        deficit = -sum((each for each in extras if each < 0), Fraction(0))
        cost += Fraction(height - depth, height) * min(surplus, deficit)
        return surplus - deficit

    extra(tree, 0)
    return cost


def tree_height(tree: Tree | str) -> int:
    if isinstance(tree, str):
        return 0
    return 1 + max(tree_height(child) for child in (tree.values() if isinstance(tree, dict) else tree))


def delta_holds(group: Group, whole: Group, delta: Fraction) -> bool:
    p, q = shares(group), shares(whole)
    if set(p) != set(q):
        return False
    largest = max(max(p[value] / q[value], q[value] / p[value]) for value in q)
    power = ONE_DIGIT.exp(ONE_DIGIT.divide(Decimal(delta.numerator), Decimal(delta.denominator)))
    return ONE_DIGIT.divide(Decimal(largest.numerator), Decimal(largest.denominator)) < power
