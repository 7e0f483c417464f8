"""What a missing value is: a category of its own, an error, or the end of its row; always counted.

The rule holds for quasi-identifiers, sensitive columns and the column that says whose a row is, where a missing value
is never a category; other columns may miss what they like.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.policy.document import Input, Policy
from sfumato.table.distinct import Distinct, Distincts, entries_of, rows_of
from sfumato.table.origin import Origin
from sfumato.table.words import counted

__all__ = ["QUOTED_EMPTY", "Kept", "apply_missing_rules", "counted_as_category", "mark_missing"]

QUOTED_EMPTY = '""'
"""In `input.missing_values`: a quoted empty field, or an empty text of a frame, is missing as well."""


def mark_missing(columns: Distincts, settings: Input) -> dict[str, Distinct]:
    """The columns with their texts that stand for a missing value made missing, quoted or not.

    The empty field of a CSV file is already missing; an empty text is missing only if ``""`` is listed.
    """
    markers = [text for text in settings.missing_values if text not in ("", QUOTED_EMPTY)]
    if QUOTED_EMPTY in settings.missing_values:
        markers.append("")
    return {name: _marked(found, markers) for name, found in columns.items()}


def _marked(found: Distinct, markers: list[str]) -> Distinct:
    if not (markers and isinstance(found.values.dtype, pl.String)):
        return found
    marks = found.values.is_in(markers)
    return found.mapped(found.values.set(marks, None)) if marks.any() else found


@dataclass(frozen=True, eq=False)
class Kept:
    """Which entries stay (None: all), how many rows do not, and what to tell about that."""

    rows: NDArray[np.bool_] | None
    dropped: int
    notes: tuple[str, ...]


def apply_missing_rules(base: Distincts, policy: Policy, origin: Origin) -> Kept:
    """Judge the missing values of the columns in `base`."""
    missing = [name for name, found in base.items() if found.missing]
    refused = [name for name in missing if policy.missing_rule(name) == "error"]
    _refuse(refused, base, origin, policy.individual)
    notes = []
    dropping = [name for name in missing if policy.missing_rule(name) == "drop"]
    rows, dropped = None, 0
    if dropping:
        total = rows_of(base)
        rows = np.ones(entries_of(base), np.bool_)
        for name in dropping:
            rows &= base[name].codes >= 0
        dropped = base[dropping[0]].rows_where(~rows)
        causes = ", ".join(f"{name!r} ({base[name].missing})" for name in dropping)
        if dropped == total:
            raise TableError(f"{origin.name}: every row misses a value in {causes}; set missing: category or error")
        notes.append(f"{counted(dropped, 'row')} of {total} dropped for a missing value in {causes}")
    return Kept(rows, dropped, tuple(notes))


def counted_as_category(base: Distincts, policy: Policy) -> Iterator[str]:
    """What is missing in the rows that stay, a sentence for each column that misses any."""
    for name, found in base.items():
        left = found.missing
        if left and name in policy.sets:
            yield f"column {name!r}: {counted(left, 'row')} without terms"
        elif left and name not in policy.sensitive:  # of these a person is warned
            yield f"column {name!r}: {counted(left, 'missing value')} counted as a category"


def _refuse(names: list[str], base: Distincts, origin: Origin, individual: str | None) -> None:
    if not names:
        return
    first = {name: origin.place(base[name].row_of(int((base[name].codes < 0).argmax()))) for name in names}
    lines = [f"  column {name!r}: {base[name].missing} missing, the first in {first[name]}" for name in names]
    remedy = "  fill them in, or set the column's missing: category or drop"
    if individual in names:
        remedy += f"; {individual!r} says whose a row is: an unknown person can only be dropped"
    raise TableError("\n".join([f"{origin.name}: missing values are an error by the policy", *lines, remedy]))
