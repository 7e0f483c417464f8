"""A guard for jobs that run by themselves: tonight's table must be like that of an earlier release, by its manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import polars as pl

from sfumato.errors import InputError, TableError
from sfumato.exact import as_fraction, as_text
from sfumato.release.document_bytes import read_manifest
from sfumato.release.documents import Manifest
from sfumato.table.sets import separator_of
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Like", "categories_of"]

MOST = 10_000
"""Columns with more different values have no categories."""


@dataclass(frozen=True)
class Like:
    """What a table is compared with before anything is made of it.

    manifest   the internal manifest of an earlier release: a file, or itself
    fewer      largest share of that table's rows that may be missing now
    new        columns that may have values which they did not have: all others that are text may not
    """

    manifest: Manifest | str | Path
    fewer: Fraction | float | str = Fraction(1, 10)
    new: tuple[str, ...] = ()

    def require(self, table: Table) -> None:
        """`TableError` with every difference, in names and counts."""
        before, allowed = read_manifest(self.manifest), _share(self.fewer)
        if not before.input.columns:
            raise InputError("the manifest does not say which columns its table had; make a release with this version")
        strange = [repr(name) for name in self.new if name not in table.policy.names]
        if strange:
            raise InputError(f"new values are allowed in {', '.join(strange)}, which is no column of the data")
        found = [*_rows(table, before, allowed), *_columns(table, before), *_categories(table, before, set(self.new))]
        if found:
            remedy = "  if it is right: allow it (--fewer, --new; Like(fewer=, new=)), or leave out --like this once"
            raise TableError(
                "\n".join([f"{table.origin.name}: not like the table of the earlier release", *found, remedy])
            )


def categories_of(table: Table) -> dict[str, tuple[str, ...]]:
    """Per quasi-identifier and sensitive column of text, its different values; of a set of terms, the terms."""
    made = {name: _values(table, name) for name in (*table.policy.quasi, *table.policy.secret)}
    return {name: tuple(values) for name, values in made.items() if values is not None and len(values) <= MOST}


def _values(table: Table, name: str) -> list[str] | None:
    values = table.values(name)
    if not isinstance(values.dtype, pl.String):
        return None
    if name in table.policy.sets:
        return (
            values.str.split(separator_of(table.policy.columns[name])).explode().drop_nulls().unique().sort().to_list()
        )
    return values.to_list()


def _share(given: Fraction | float | str) -> Fraction:
    try:
        share = as_fraction(given)
    except ValueError:
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise InputError("the share of rows that may be missing must be a number from 0 to 1")
    return share


def _rows(table: Table, before: Manifest, allowed: Fraction) -> Iterator[str]:
    now, then = table.rows + table.dropped + table.repeated, before.input.rows
    if then - now > allowed * then:
        yield f"  {counted(now, 'row')}, then {then}: more than a share of {as_text(allowed)} is missing"


def _columns(table: Table, before: Manifest) -> Iterator[str]:
    now, then = table.policy.names, before.input.columns
    for names, what in (
        ([name for name in now if name not in then], "new"),
        ([name for name in then if name not in now], "gone"),
    ):
        if names:
            yield f"  {counted(len(names), 'column')} {what}: {', '.join(map(repr, names))}"


def _categories(table: Table, before: Manifest, free: set[str]) -> Iterator[str]:
    for name, known in before.categories.items():
        values = _values(table, name) if name in table.distinct and name not in free else None
        new = set(values or ()) - set(known)
        if new:
            yield f"  column {name!r}: {counted(len(new), 'value')} that it did not have"
