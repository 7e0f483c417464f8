"""Numbers in intervals of growing width: ``[20, 25)`` runs from 20, included, to 25, excluded.

Values may also be intervals themselves, written as text: ``[20-30)``, ``30-39``. Each then lies in one wider interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np

from sfumato.exact import as_text
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.notation import Interval, read_interval
from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["bands", "intervals"]


def intervals(
    values: Sequence[int] | Sequence[float],
    widths: Sequence[Fraction],
    origin: Fraction = Fraction(0),
    source: Source | None = None,
) -> Taxonomy:
    """Leaves are the values given, ascending; above them one level per width, then the root.

    Exact: a float stands for its shortest decimal, and every width must be a multiple of the one before.

    >>> intervals([18, 22, 24], [Fraction(5), Fraction(10)]).path(1)
    ['22', '[20, 25)', '[20, 30)', '*']
    """
    _require_nested(widths, source or Source())
    return _above([text_of(value) for value in values], _bins(values, widths[0], origin), widths, origin)


def bands(
    texts: Sequence[str], widths: Sequence[Fraction], origin: Fraction = Fraction(0), source: Source | None = None
) -> Taxonomy:
    """The same over intervals that are written as text. `HierarchyError` if one is none, or lies across an edge.

    >>> bands(["[10-20)", "[0-10)", "[20-30)"], [Fraction(20), Fraction(40)]).path(1)
    ['[10-20)', '[0, 20)', '[0, 40)', '*']
    """
    place = source or Source()
    _require_nested(widths, place)
    read = [read_interval(text) for text in texts]
    strange = read.count(None)
    if strange:
        raise place.error(
            f"{strange} of {len(texts)} distinct values are no intervals such as 20-29 or [20, 30); say type: integer"
            " or number if they are numbers, or list what stands for a missing value under input: missing_values"
        )
    known = sorted(((each, text) for each, text in zip(read, texts, strict=True) if each is not None), key=_begins)
    finest = [(_low(interval) - origin) // widths[0] for interval, _ in known]
    ends = [origin + (number + 1) * widths[0] for number in finest]
    torn = sum(not _ends_by(interval, end) for (interval, _), end in zip(known, ends, strict=True))
    if torn:
        raise place.error(
            f"{torn} of {len(texts)} intervals do not lie within one of width {as_text(widths[0])}; choose widths and"
            " an origin: whose edges are edges of the values, or write a hierarchy file"
        )
    return _above([text for _, text in known], finest, widths, origin)


def _low(interval: Interval) -> Fraction:
    """Where an interval begins; without a lower bound, where it ends: it lies across an edge anyway."""
    return next((bound for bound in (interval.low, interval.high) if bound is not None), Fraction(0))


def _begins(value: tuple[Interval, str]) -> Fraction:
    return _low(value[0])


def _ends_by(interval: Interval, end: Fraction) -> bool:
    if interval.low is None or interval.high is None:
        return False
    return interval.high < end or (interval.high == end and not interval.high_closed)


def _above(leaves: Sequence[str], finest: Sequence[int], widths: Sequence[Fraction], origin: Fraction) -> Taxonomy:
    """The tree over leaves in order, each with the number of its narrowest interval."""
    levels: list[Level] = []
    for width in widths:
        ratio = int(width / widths[0])
        bins = [each // ratio for each in finest]
        starts = [0, *(index for index, (one, two) in enumerate(pairwise(bins), 1) if one != two)]
        edges = [_edge(bins[start], width, origin) for start in starts]
        nexts = [_edge(bins[start] + 1, width, origin) for start in starts]
        labels = [f"[{low}, {high})" for low, high in zip(edges, nexts, strict=True)]
        levels.append((np.array(starts, dtype=np.int64), labels))
    return Taxonomy.of_levels(leaves, levels)


def _require_nested(widths: Sequence[Fraction], source: Source) -> None:
    for finer, wider in pairwise(widths):
        if wider <= finer or (wider / finer).denominator != 1:
            raise source.error(
                f"interval width {as_text(wider)} must be a multiple of {as_text(finer)}, the one before, and larger"
            )


def _edge(bin: int, width: Fraction, origin: Fraction) -> str:
    if width.denominator == origin.denominator == 1:
        return str(origin.numerator + bin * width.numerator)
    return as_text(origin + bin * width)


def _bins(values: Sequence[int] | Sequence[float], width: Fraction, origin: Fraction) -> list[int]:
    """Number of the interval that each value lies in, in whole-number arithmetic."""
    scale = width.denominator * origin.denominator
    step, shift = width.numerator * origin.denominator, origin.numerator * width.denominator
    bins = []
    for value in values:
        top, bottom = (value, 1) if isinstance(value, int) else Decimal(repr(value)).as_integer_ratio()
        bins.append((top * scale - shift * bottom) // (step * bottom))
    return bins
