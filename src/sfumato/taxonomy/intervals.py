"""Numbers in intervals of growing width: ``[20, 25)`` runs from 20, included, to 25, excluded."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np

from sfumato.exact import as_text
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["intervals"]


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
    finest = _bins(values, widths[0], origin)
    levels: list[Level] = []
    for width in widths:
        ratio = int(width / widths[0])
        bins = [each // ratio for each in finest]
        starts = [0, *(index for index, (one, two) in enumerate(pairwise(bins), 1) if one != two)]
        edges = [_edge(bins[start], width, origin) for start in starts]
        nexts = [_edge(bins[start] + 1, width, origin) for start in starts]
        labels = [f"[{low}, {high})" for low, high in zip(edges, nexts, strict=True)]
        levels.append((np.array(starts, dtype=np.int64), labels))
    return Taxonomy.of_levels([text_of(value) for value in values], levels)


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
