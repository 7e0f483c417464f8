"""A release that is safe for spreadsheets, read back: one ``'`` taken off what begins like a formula behind quotes.

What begins like one without any is not safe, and found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import polars as pl

from sfumato.release.documents import ColumnEntry, ReleaseDocument
from sfumato.release.opening import Opened
from sfumato.table.dictionaries import mapped, values_of

__all__ = ["shown_name", "without_quotes", "would_run"]

_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
_BLANK = " \t\n\x0b\x0c\r\xa0\u2007\u202f\u3000\ufeff"
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?", re.ASCII)


def _formula(text: str) -> bool:
    """Whether a spreadsheet would run it, but for quotes in front."""
    bare = text.lstrip("'")
    return (bare[:1] in ("\t", "\n", "\r") if bare else False) or (
        bare.lstrip(_BLANK)[:1] in tuple(_SIGNS) and _NUMBER.fullmatch(bare) is None
    )


def would_run(text: str) -> bool:
    """Whether a spreadsheet would take it for a formula, as it stands there."""
    return _formula(text) and not text.startswith("'")


def shown_name(name: str) -> str:
    """How a column of that name is called in the release."""
    return f"'{name}" if _formula(name) else name


def _read(text: str) -> str:
    return text[1:] if text.startswith("'") and _formula(text) else text


def without_quotes(evidence: Opened) -> Opened:
    """The release as the policy speaks of it, and what is not safe in it."""
    problems = [*evidence.problems]
    tables = {}
    for name, table in evidence.tables.items():
        problems += _unsafe(table, evidence.lists) if evidence.document is not None else []
        tables[name] = pl.DataFrame([_column(column, evidence.lists) for column in table.get_columns()])
    document = None if evidence.document is None else _document(evidence.document)
    lists = frozenset(map(_read, evidence.lists))
    types = {_read(name): kind for name, kind in evidence.types.items()}
    return replace(evidence, tables=tables, document=document, problems=tuple(problems), lists=lists, types=types)


def _unsafe(table: pl.DataFrame, lists: Collection[str]) -> Iterator[str]:
    for column in table.get_columns():
        texts = [] if column.name in lists else values_of(column).to_list()
        cells = sum(map(would_run, texts))
        if cells or would_run(column.name):
            yield f"column {column.name!r}: its name or {cells} of its values would be run by a spreadsheet"


def _column(column: pl.Series, lists: Collection[str]) -> pl.Series:
    named = column.alias(_read(column.name))
    return named if column.name in lists else mapped(named, _read)


def _document(document: ReleaseDocument) -> ReleaseDocument:
    tables = tuple(table.model_copy(update={"columns": tuple(map(_read, table.columns))}) for table in document.tables)
    return document.model_copy(
        update={
            "tables": tables,
            "group_id": None if document.group_id is None else _read(document.group_id),
            "shown": document.shown.renamed(_read),
            "dictionary": {_read(name): _entry(entry) for name, entry in document.dictionary.items()},
            "weights": {_read(name): _keys(weights) for name, weights in document.weights.items()},
            "suppressed_terms": tuple(map(_read, document.suppressed_terms)),
        }
    )


def _entry(entry: ColumnEntry) -> ColumnEntry:
    return entry if entry.values is None else entry.model_copy(update={"values": _keys(entry.values)})


def _keys(given: Mapping[str, str]) -> dict[str, str]:
    return {_read(text): value for text, value in given.items()}
