"""What a person should look at before publishing: told in names and counts, never in values. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from sfumato.policy.columns import Type
from sfumato.policy.document import Input
from sfumato.table.distinct import Distinct
from sfumato.table.missing import QUOTED_EMPTY
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["doubts"]

# A column is nearly continuous if more than half of its values, and more than a handful of them, are different.
_MANY_VALUES = 20
_LARGE_SHARE = 0.5
# Longer numbers that are all of one length are codes.
_LONGEST_AGE = 3


def doubts(table: Table) -> Iterator[str]:
    """One sentence per doubt about a quasi-identifier or sensitive column."""
    for name, found in table.distinct.items():
        column = table.policy.columns[name]
        if isinstance(found.values.dtype, pl.String):
            yield from _texts(name, column.role, found)
            given = table.policy.given.columns[name]
            if column.role == "quasi" and given.type is None and given.hierarchy is None and given.order is None:
                yield from _untyped(name, found, table.policy.input)
        if column.role == "sensitive":
            if found.missing:
                yield (
                    f"column {name!r}: missing ({counted(found.missing, 'row')}) counts as one more sensitive value; "
                    "if it is none, set the column's missing: drop or error"
                )
            if name not in table.binned and _nearly_continuous(found):
                yield (
                    f"column {name!r}: {len(found.values)} different numbers in {found.rows} rows; values close "
                    "to each other count as different secrets. Set bins: or difference: (type: integer or number)"
                )


def _texts(name: str, role: str, found: Distinct) -> Iterator[str]:
    empty = int(found.counts[(found.values == "").to_numpy()].sum())
    if empty:
        yield (
            f"column {name!r}: an empty text, which is not missing, in {counted(empty, 'cell')}; "
            f"to make them missing add {QUOTED_EMPTY!r} to input.missing_values"
        )
    if role == "sensitive":
        return  # an error, until the policy says what they are
    plain = found.values.str.normalize("NFC").str.strip_chars()
    alike = int((plain.is_duplicated()).sum())
    if alike:
        yield (
            f"column {name!r}: {alike} different values become {plain.filter(plain.is_duplicated()).n_unique()} "
            "without outer spaces and in Unicode normal form C; they are kept apart. Correct the data if they are one"
        )


def _untyped(name: str, found: Distinct, settings: Input) -> Iterator[str]:
    """Whether a group would list numbers or dates one by one, since nobody said what they are."""
    texts = found.values.str.strip_chars()
    if len(texts) <= _MANY_VALUES:
        return
    kind = _looks_like(texts, settings)
    if kind is not None:
        yield (
            f"column {name!r}: {len(texts)} different values taken for text, which a group lists one by one; if they"
            f" have an order, say type: {kind}, else type: text"
        )


def _looks_like(texts: pl.Series, settings: Input) -> Type | None:
    if texts.str.to_date(settings.date, strict=False).null_count() == 0:
        return "date"
    if texts.str.len_chars().n_unique() == 1 and len(texts[0]) > _LONGEST_AGE:
        return None
    if texts.str.contains(r"^-?(0|[1-9]\d*)$").all():
        return "integer"
    plain = texts.str.replace(settings.decimal, ".", literal=True)
    return "number" if plain.str.contains(r"^-?(0|[1-9]\d*)(\.\d+)?$").all() else None


def _nearly_continuous(found: Distinct) -> bool:
    known = found.rows - found.missing
    if len(found.values) <= _MANY_VALUES or len(found.values) <= _LARGE_SHARE * known:
        return False
    if isinstance(found.values.dtype, pl.String):
        numbers = found.values.str.strip_chars().str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
        return numbers.null_count() == 0
    return not isinstance(found.values.dtype, pl.Date)
