"""What a missing value is: a category of its own, an error, or the end of its row; always counted.

The rule holds for quasi-identifiers, sensitive columns and the column that says whose a row is, where a missing value
is never a category; other columns may miss what they like.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.document import Input, Policy
from sfumato.table.origin import Origin
from sfumato.table.words import counted

__all__ = ["QUOTED_EMPTY", "Kept", "apply_missing_rules", "counted_as_category", "mark_missing"]

QUOTED_EMPTY = '""'
"""In `input.missing_values`: a quoted empty field, or an empty text of a frame, is missing as well."""


def mark_missing(frame: pl.DataFrame, settings: Input) -> pl.DataFrame:
    """The frame with its texts that stand for a missing value made missing, quoted or not.

    The empty field of a CSV file is already missing; an empty text is missing only if ``""`` is listed.
    """
    markers = [text for text in settings.missing_values if text not in ("", QUOTED_EMPTY)]
    if QUOTED_EMPTY in settings.missing_values:
        markers.append("")
    if not markers:
        return frame
    texts = [name for name, dtype in frame.schema.items() if isinstance(dtype, (pl.String, pl.Categorical, pl.Enum))]
    marked = [
        pl.select(pl.when(~column.cast(pl.String).is_in(markers)).then(column)).to_series().alias(name)
        for column, name in ((frame[name].alias(""), name) for name in texts)
    ]
    return frame.with_columns(marked)


@dataclass(frozen=True, eq=False)
class Kept:
    """Which rows stay, how many do not, and what to tell about that."""

    rows: pl.Series | None
    dropped: int
    notes: tuple[str, ...]


def apply_missing_rules(base: pl.DataFrame, policy: Policy, origin: Origin) -> Kept:
    """Judge the missing values of the columns in `base`."""
    counts = {name: base[name].null_count() for name in base.columns}
    missing = [name for name in base.columns if counts[name]]
    refused = [name for name in missing if policy.missing_rule(name) == "error"]
    _refuse(refused, base, counts, origin, policy.individual)
    notes = []
    dropping = [name for name in missing if policy.missing_rule(name) == "drop"]
    rows, dropped = None, 0
    if dropping:
        rows = pl.select(pl.all_horizontal([base[name].is_not_null().alias("") for name in dropping])).to_series()
        dropped = base.height - int(rows.sum())
        causes = ", ".join(f"{name!r} ({counts[name]})" for name in dropping)
        if dropped == base.height:
            raise TableError(f"{origin.name}: every row misses a value in {causes}; set missing: category or error")
        notes.append(f"{counted(dropped, 'row')} of {base.height} dropped for a missing value in {causes}")
    return Kept(rows, dropped, tuple(notes))


def counted_as_category(base: pl.DataFrame, policy: Policy) -> Iterator[str]:
    """What is missing in the rows that stay, a sentence for each column that misses any."""
    for name in base.columns:
        left = base[name].null_count()
        if left and name in policy.sets:
            yield f"column {name!r}: {counted(left, 'row')} without terms"
        elif left and name not in policy.sensitive:  # of these a person is warned
            yield f"column {name!r}: {counted(left, 'missing value')} counted as a category"


def _refuse(
    names: list[str], base: pl.DataFrame, counts: dict[str, int], origin: Origin, individual: str | None
) -> None:
    if not names:
        return
    first = {name: origin.place(int(base[name].is_null().arg_max() or 0)) for name in names}
    lines = [f"  column {name!r}: {counts[name]} missing, the first in {first[name]}" for name in names]
    remedy = "  fill them in, or set the column's missing: category or drop"
    if individual in names:
        remedy += f"; {individual!r} says whose a row is: an unknown person can only be dropped"
    raise TableError("\n".join([f"{origin.name}: missing values are an error by the policy", *lines, remedy]))
