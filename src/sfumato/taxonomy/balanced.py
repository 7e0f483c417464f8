"""A tree made from the data: values in their order, cut again and again into parts of about equal frequency.

Numbers and dates are cut at quantiles, categories between neighbours in text order. A part is labelled by where it
was cut: ``[30, 45)``, ``[2024-03-01, 2024-06-01)``, ``[B, Me)``, with ``inf`` at the ends, so that neither the
smallest nor the largest value is told. A cut is the roundest point that separates its neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise

from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.tree import Node, Taxonomy

__all__ = ["balanced", "cut_between"]

Value = str | int | float | date


def balanced(values: Sequence[Value], counts: Sequence[int] | None = None, fanout: int = 2) -> Taxonomy:
    """Leaves are the values given, ascending; `counts` says how many rows have each.

    Every node has at most `fanout` children and splits its rows among them as evenly as whole values allow.

    >>> balanced([18, 22, 31, 64]).as_node().children[0].label
    '(-inf, 30)'
    """
    weights = list(counts) if counts is not None else [1] * len(values)
    mass = [0, *accumulate(weights)]
    bounds: dict[int, str] = {0: "-inf", len(values): "inf"}

    def bound(index: int) -> str:
        if index not in bounds:
            bounds[index] = cut_between(values[index - 1], values[index])
        return bounds[index]

    def grow(start: int, stop: int) -> Node:
        if stop - start == 1:
            return Node(text_of(values[start]))
        edges = _edges(mass, start, stop, fanout)
        children = tuple(grow(low, high) for low, high in pairwise(edges))
        return Node(f"{'[' if start else '('}{bound(start)}, {bound(stop)})", children)

    whole = grow(0, len(values))
    return Taxonomy.of(Node("*", whole.children or (whole,)))


def _edges(mass: Sequence[int], start: int, stop: int, fanout: int) -> list[int]:
    """Cut ``start..stop`` into at most `fanout` non-empty parts, each cut where the mass is nearest to its share."""
    parts = min(fanout, stop - start)
    edges = [start]
    for part in range(1, parts):
        wanted = mass[start] * (parts - part) + mass[stop] * part
        lowest, highest = edges[-1] + 1, stop - (parts - part)
        after = bisect_left(mass, -(-wanted // parts), lowest, highest)
        before = max(after - 1, lowest)
        edges.append(before if wanted - mass[before] * parts <= mass[after] * parts - wanted else after)
    return [*edges, stop]


def cut_between(low: Value, high: Value) -> str:
    """The roundest point above `low` and not above `high`: fewest digits, earliest unit, shortest prefix.

    >>> cut_between(34.72, 36.1), cut_between(18, 22), cut_between("flu", "fracture")
    ('36', '20', 'fr')
    >>> cut_between(date(2024, 2, 11), date(2024, 5, 3))
    '2024-05-01'
    """
    if isinstance(low, str) and isinstance(high, str):
        return next(high[:size] for size in range(1, len(high) + 1) if high[:size] > low)
    if isinstance(low, date) and isinstance(high, date):
        rounder = (high.replace(month=1, day=1), high.replace(day=1))
        return next((day for day in rounder if day > low), high).isoformat()
    return _round_between(Decimal(text_of(low)), Decimal(text_of(high)))


def _round_between(low: Decimal, high: Decimal) -> str:
    exponent = min(int(low.as_tuple().exponent), int(high.as_tuple().exponent))
    bottom, top = (int(each.scaleb(-exponent)) for each in (low, high))
    step = 10 ** len(str(max(abs(bottom), abs(top))))
    while (cut := top // step * step) <= bottom:
        step //= 10
    text = format(Decimal(cut).scaleb(exponent), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
