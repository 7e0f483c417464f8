"""Lower and upper columns of a release, read as the one quasi-identifier that they are.

A recipient tells rows apart by both bounds, and by whether the value is missing. So two rows show the same exactly if
all of these are equal, as numbers or days. Findings hold names and counts, never cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation

import polars as pl

from sfumato.policy.columns import Column
from sfumato.policy.document import Policy
from sfumato.policy.forms import Generalized
from sfumato.policy.phrases import BOUNDS, GENERALIZED
from sfumato.policy.sections import BoundsShown
from sfumato.release.codes import together
from sfumato.release.documents import ColumnEntry, ReleaseDocument, TableEntry
from sfumato.release.opening import Opened
from sfumato.table.dictionaries import merged

__all__ = ["folded"]

Cell = Decimal | date | None


def folded(evidence: Opened, policy: Policy) -> Opened:
    """The same evidence with one column for every pair of bounds; what does not fit is a problem, and stays."""
    document = evidence.document
    if document is None or not isinstance(document.shown, BoundsShown) or not document.shown.bounds:
        return evidence
    problems, fitting = [], {}
    for name, columns in document.shown.bounds.items():
        wrong = next(_faults(evidence, document, policy, name, columns), None)
        if wrong is None:
            fitting[name] = columns
        else:
            problems.append(f"column {name!r}: {wrong}")
    tables = {key: _folded(table, fitting, policy) for key, table in evidence.tables.items()}
    entries = tuple(_entry(entry, evidence.tables[entry.name], tables[entry.name]) for entry in document.tables)
    gone = {column for columns in fitting.values() for column in columns}
    words = {name: entry for name, entry in document.dictionary.items() if name not in gone}
    words |= {name: ColumnEntry(role="quasi", technique=GENERALIZED) for name in fitting}
    seen = document.model_copy(update={"tables": entries, "dictionary": words, "shown": BoundsShown()})
    return replace(evidence, tables=tables, document=seen, problems=(*evidence.problems, *problems))


def _faults(
    evidence: Opened, document: ReleaseDocument, policy: Policy, name: str, columns: tuple[str, ...]
) -> Iterator[str]:
    """What is wrong with one pair of bounds."""
    spec, form = policy.columns.get(name), policy.form
    if not isinstance(form, Generalized) or form.numbers != "bounds" or document.form.get("numbers") != "bounds":
        yield "release.json gives it bounds, which the policy's form does not have"
    if spec is None or spec.role != "quasi" or spec.kind == "text":
        yield "release.json gives it bounds; only a number or date that is a quasi-identifier has them"
        return
    shown = next(iter(evidence.tables.values())).columns
    if len(columns) not in (2, 3) or len({*columns, name}) <= len(columns) or not set(columns) <= set(shown):
        yield "its bounds are not two or three columns of the table"
        return
    if set(columns) & set(policy.columns) or name in shown:
        yield "its bounds have names of other columns"
    for column, words in zip(columns, BOUNDS, strict=False):
        entry = document.dictionary.get(column)
        said = ColumnEntry(role="quasi", technique=words.format(name=name), type=entry.type if entry else None)
        if entry is None or entry != said or entry.type not in (None, spec.kind):
            yield "the data dictionary does not say what its bounds are"
    odd = sum(_read(cells, spec) is None for cells in _cells(evidence, columns))
    if odd:
        yield f"{odd} combinations of its bounds are no numbers or days in order"


def _cells(evidence: Opened, columns: tuple[str, ...]) -> list[tuple[str | None, ...]]:
    return together(next(iter(evidence.tables.values())).select(columns).get_columns())[1]


def _read(cells: tuple[str | None, ...], spec: Column) -> tuple[Cell, Cell, bool] | None:
    """Both bounds and whether the value is missing; None if they are no such thing."""
    if len(cells) == 3 and cells[2] not in ("true", "false"):
        return None
    missing = len(cells) == 3 and cells[2] == "true"
    try:
        low, high = (None if cell in (None, "") else _value(cell, spec) for cell in cells[:2])
    except (ValueError, InvalidOperation):
        return None
    if missing and (low is not None or high is not None):
        return None
    return None if low is not None and high is not None and low > high else (low, high, missing)  # type: ignore[operator]  # both are of one kind


def _value(cell: str | None, spec: Column) -> Cell:
    text = str(cell)
    if spec.kind == "date":
        return date.fromisoformat(text)
    number = Decimal(text)
    if not number.is_finite() or (spec.kind == "integer" and number != int(number)):
        raise ValueError
    return number


def _folded(table: pl.DataFrame, pairs: Mapping[str, tuple[str, ...]], policy: Policy) -> pl.DataFrame:
    """The table with a text for every pair: equal if and only if the bounds are."""
    for name, columns in pairs.items():
        spec = policy.columns[name]
        codes, found = together(table.select(columns).get_columns())
        whole = merged(name, codes.rows, [_text(_read(cells, spec)) for cells in found])
        at = table.columns.index(columns[0])
        table = table.drop(columns).insert_column(min(at, table.width - len(columns)), whole)
    return table


def _text(read: tuple[Cell, Cell, bool] | None) -> str | None:
    if read is None or read[2]:
        return None
    low, high = ("" if bound is None else _plain(bound) for bound in read[:2])
    return f"{low}..{high}" if low or high else "*"


def _plain(bound: Decimal | date) -> str:
    return bound.isoformat() if isinstance(bound, date) else str(bound.normalize())


def _entry(entry: TableEntry, before: pl.DataFrame, after: pl.DataFrame) -> TableEntry:
    """With the columns that the table now has, if it named those that it had."""
    return (
        entry.model_copy(update={"columns": tuple(after.columns)}) if list(entry.columns) == before.columns else entry
    )
