"""Days in calendar units: 2024-03-05, 2024-03, 2024-Q1, 2024, `*`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

import numpy as np

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["UNITS", "dates"]

UNITS: dict[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04d}",
}
"""Calendar units from the finest, and how each is written."""


def dates(values: Sequence[date], units: Sequence[str], source: Source | None = None) -> Taxonomy:
    """Leaves are the days given, ascending; above them one level per unit, then the root.

    >>> dates([date(2024, 3, 5), date(2024, 4, 1)], ["month", "quarter", "year"]).path(0)
    ['2024-03-05', '2024-03', '2024-Q1', '2024', '*']
    """
    order = list(UNITS)
    for finer, coarser in pairwise(units):
        if order.index(coarser) <= order.index(finer):
            raise (source or Source()).error(
                f"unit {coarser!r} must be coarser than {finer!r}, the one before; the order is {', '.join(order)}"
            )
    levels: list[Level] = []
    for unit in units:
        names = [UNITS[unit](day) for day in values]
        starts = [0, *(index for index, (one, two) in enumerate(pairwise(names), 1) if one != two)]
        levels.append((np.array(starts, dtype=np.int64), [names[start] for start in starts]))
    return Taxonomy.of_levels([day.isoformat() for day in values], levels)
