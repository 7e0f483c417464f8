"""A tree made from the data: values in their order, cut again and again into parts of about equal frequency.

Numbers and dates are cut at quantiles, categories between neighbours in text order. A part of numbers or dates is
called by where it was cut: ``[30, 45)``, ``[2024-03-01, 2024-06-01)``, with ``inf`` at the ends, so that neither the
smallest nor the largest value is told; a cut is the roundest point that separates its neighbours. A part of texts is
called by how its first and its last text begin: ``A–F`` is from those that begin with A to those that begin with F,
``25*`` is all that begin with 25, and in ``A–"L"`` the last is L itself.

Names are made from the values that are told and no others (`Taxonomy.telling`): what only a suppressed row has leaves
no trace in them. What covers all values told is `*`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.tree import Node, Taxonomy

__all__ = ["DASH", "balanced", "cut_between", "part_between"]

Value = str | int | float | date

DASH = "\u2013"
"""Between the first and the last of a part of texts; no value may hold it, nor a star."""


def balanced(
    values: Sequence[Value], counts: Sequence[int] | None = None, fanout: int = 2, source: Source | None = None
) -> Taxonomy:
    """Leaves are the values given, ascending; `counts` says how many rows have each.

    Every node has at most `fanout` children and splits its rows among them as evenly as whole values allow.

    >>> balanced([18, 22, 31, 64]).as_node().children[0].label
    '(-inf, 30)'
    >>> balanced(["Adams", "Fox", "Garcia", "Moore"]).as_node().children[0].label
    'A–F'
    """
    _require_plain(values, source or Source())
    weights = list(counts) if counts is not None else [1] * len(values)
    mass = [0, *accumulate(weights)]

    def grow(start: int, stop: int) -> Node:
        if stop - start == 1:
            return Node(text_of(values[start]))
        return Node("*", tuple(grow(low, high) for low, high in pairwise(_edges(mass, start, stop, fanout))))

    whole = grow(0, len(values))
    made = replace(Taxonomy.of(Node("*", whole.children or (whole,))), naming=_Parts(tuple(values)))
    return made.telling(np.ones(made.size, dtype=np.bool_))


def _require_plain(values: Sequence[Value], source: Source) -> None:
    signs = sum(isinstance(value, str) and (DASH in value or "*" in value) for value in values)
    if signs:
        raise source.error(
            f"{signs} distinct value{' contains' if signs == 1 else 's contain'} '*' or '{DASH}' (U+2013), the signs of"
            " a balanced hierarchy's own labels; write '-' in the data, or choose another hierarchy"
        )


@dataclass(frozen=True)
class _Parts:
    """What the nodes over some values are called."""

    values: tuple[Value, ...]

    def __call__(self, tree: Taxonomy, told: NDArray[np.bool_]) -> list[str]:
        known = [self.values[place] for place in np.flatnonzero(told[: len(self.values)]).tolist()]
        before = np.concatenate(([0], np.cumsum(told[: len(self.values)])))
        stops = np.minimum(tree.last + 1, len(self.values))
        spans = zip(before[tree.first[tree.size :]].tolist(), before[stops[tree.size :]].tolist(), strict=True)
        return [_name(known, start, stop) for start, stop in spans]


def _name(known: Sequence[Value], start: int, stop: int) -> str:
    """Of the part ``known[start:stop]`` of all values told."""
    if stop <= start or stop - start == len(known):
        return "*"
    before = known[start - 1] if start else None
    after = known[stop] if stop < len(known) else None
    if isinstance(known[start], str):
        ends = (before, known[start], known[stop - 1], after)
        return part_between(*cast("tuple[str | None, str, str, str | None]", ends))
    low = "(-inf" if before is None else f"[{cut_between(before, known[start])}"
    return f"{low}, {'inf' if after is None else cut_between(known[stop - 1], after)})"


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


def part_between(before: str | None, first: str, last: str, after: str | None) -> str:
    """The texts from `first` to `last` by as few of their characters as tell them from their neighbours.

    A beginning ends in a letter or digit, if the text has one there, and is about as long as the other.

    >>> part_between("Evans", "Fox", "Moore", "Nash"), part_between("249", "250.1", "258.2", "26")
    ('F–M', '25*')
    >>> part_between("249", "250.1", "401", "402")
    '250–401'
    >>> part_between(None, "Adams", "L", "La")
    'A–"L"'
    """
    above = (size for size in range(1, len(first) + 1) if before is None or first[:size] > before)
    below = (size for size in range(1, len(last) + 1) if after is None or not after.startswith(last[:size]))
    least, size = next(above, len(first)), next(below, None)
    if size is None:
        return f'{_beginning(first, least)}{DASH}"{last}"'
    low, high = _beginning(first, max(least, size)), _beginning(last, max(least, size))
    return f"{low}*" if low == high else f"{low}{DASH}{high}"


def _beginning(text: str, least: int) -> str:
    ends = (size for size in range(least, len(text) + 1) if text[size - 1].isalnum())
    return text[: next(ends, len(text))] if least <= len(text) else text


def cut_between(low: Value, high: Value) -> str:
    """The roundest number or day above `low` and not above `high`: fewest digits, earliest unit.

    >>> cut_between(34.72, 36.1), cut_between(18, 22), cut_between(date(2024, 2, 11), date(2024, 5, 3))
    ('36', '20', '2024-05-01')
    """
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
