"""A ready hierarchy over the values of a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sfumato.taxonomy.check import SeenValues, Source
from sfumato.taxonomy.prefixes import by_levels
from sfumato.taxonomy.ready import OTHER, READY
from sfumato.taxonomy.ready.contract import Value
from sfumato.taxonomy.text import Kind, text_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["readymade"]


def readymade(
    values: Sequence[Value],
    name: str,
    kind: Kind,
    unknown: Literal["error", "other"] = "error",
    source: Source | None = None,
    seen: SeenValues | None = None,
) -> Taxonomy:
    """Leaves are the values given, ascending; above them what the ready hierarchy says, then the root.

    A value that it does not know is an error, or with `other` one of a group of its own.

    >>> readymade(["E11.9", "I10"], "icd10", "text").path(0)
    ['E11.9', 'E11*', 'E10–E14', 'E00–E90', '*']
    """
    ready, where = READY[name], source or Source()
    if kind not in ready.types:
        raise where.error(f"the ready hierarchy {name!r} needs the column's type: {' or '.join(ready.types)}")
    places = [ready.place(value) for value in values]
    strange = [index for index, place in enumerate(places) if place is None]
    if strange and unknown == "error":
        rows = "" if seen is None else f" ({sum(seen.counts[index] for index in strange)} rows)"
        raise where.error(
            f"{len(strange)} of {len(values)} distinct values{rows} are not known to the ready hierarchy {name!r};"
            " correct the data, or set unknown: other to make them one group"
        )
    paths = [tuple(place) if place is not None else (OTHER,) * len(ready.levels) for place in places]
    order = list(range(len(values)))
    if kind == "text":
        order.sort(key=lambda index: (places[index] is None, paths[index][::-1], values[index]))
    levels = [[paths[index][level] for index in order] for level in range(len(ready.levels))]
    return by_levels([text_of(values[index]) for index in order], levels)
