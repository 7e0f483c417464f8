"""From values to codes: every quasi-identifier and sensitive column by position in its order.

The order is that of the taxonomy's leaves, of the bins, of the policy's `order:`, of numbers or dates, or of plain
text. A missing value is the last code and, in a taxonomy, a child of the root. Only distinct values are looked at one
by one.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import PolicyError, Problem, TableError
from sfumato.knowledge.named import knowledge_of, tree_of_labels
from sfumato.policy.columns import Column
from sfumato.table.coded import CodedColumn, CodedTable, SetColumn
from sfumato.table.distinct import Distinct, recoded
from sfumato.table.sets import separator_of
from sfumato.table.spelling import require_known_terms, require_told_apart
from sfumato.table.table import Table
from sfumato.table.words import counted
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import Seen
from sfumato.taxonomy.text import key_of, texts_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["MISSING", "encode", "encode_secrets", "shown_values"]

_LARGE = 1e307

MISSING = "(missing)"
"""Label of the leaf of a missing value, unless a node is called so; never published."""

Codes = NDArray[np.int32]


def encode(table: Table) -> CodedTable:
    """Quasi-identifiers, sensitive and quasi-sensitive columns, coded. `TableError` if a value has no place."""
    policy = table.policy
    require_told_apart(table if table.lost is None else table.secrets)  # what dropped rows hold is judged as well
    return CodedTable(
        rows=table.rows,
        quasi=tuple(_coded(table, name) for name in policy.quasi),
        sensitive=tuple(_coded(table, name) for name in policy.sensitive),
        person=_person(table),
        sets=tuple(_sets(table, name) for name in policy.sets),
        beside=tuple(_ranked(table.published_as(name)) for name in policy.with_role("insensitive")),
    )


def encode_secrets(table: Table) -> CodedTable:
    """Sensitive and quasi-sensitive columns of all rows that were read, those that were dropped last.

    Codes may be others than those of `encode`: the dropped rows may hold values that no other row has. Whose a row is
    may be unknown: such a row is a person's of its own.
    """
    whole, policy = table.secrets, table.policy
    return CodedTable(
        rows=whole.rows,
        quasi=(),
        sensitive=tuple(_coded(whole, name) for name in policy.sensitive),
        person=_person(whole),
        sets=tuple(_sets(whole, name) for name in policy.sets),
    )


def _sets(table: Table, name: str) -> SetColumn:
    """Codes of different sets, that of no terms last."""
    column, found = table.policy.columns[name], table.distinct[name]
    coded = _finished(name, found.codes, found.values)
    separator = separator_of(column)
    parts = coded.values.str.split(separator).to_list()
    knowledge = knowledge_of(name, column, table.policy.base, separator)
    require_known_terms(name, column, {term for terms in parts for term in terms or ()}, knowledge)
    return SetColumn(
        name,
        coded.codes,
        coded.values,
        missing=coded.missing,
        sets=tuple(() if terms is None else tuple(terms) for terms in parts),
        knowledge=knowledge,
        unknown=column.unknown,
        known=column.lengths == "known",
        tree=tree_of_labels(name, column, knowledge, table.policy.base),
    )


def _person(table: Table) -> Codes | None:
    """Whose each row is, in the order of names; None if everybody has one row."""
    name = table.policy.individual
    if name is None or len(table.distinct[name].values) == table.rows:
        return None
    codes = table.distinct[name].codes
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        codes = codes.copy()
        codes[unknown] = len(table.distinct[name].values) + np.arange(len(unknown))
    return codes


def _ranked(found: Distinct) -> Codes:
    """A code per row that follows from its value as text alone; 0 for a missing one."""
    ranks = found.values.cast(pl.String).rank("dense").cast(pl.Int32).to_numpy()
    return recoded(ranks - 1, found.codes) + np.int32(1)


def shown_values(table: Table, name: str, coded: CodedColumn) -> pl.Series:
    """The published value of every code of a coded column, of its own type; null for missing, and where no row is.

    Where several published values are one base value, as the two midnights of a night in which clocks are put back,
    the least stands for all.
    """
    shown = table.published_as(name)
    there = np.flatnonzero(shown.counts)[::-1]
    places = np.full(coded.size, -1, np.int32)
    places[coded.codes[shown.first_rows[there]]] = there  # of several the last that is written
    return Distinct(shown.values, places).spread().alias(name)


def _coded(table: Table, name: str) -> CodedColumn:
    column, found = table.policy.columns[name], table.distinct[name]
    if name in table.binned:
        bins = table.binned[name]
        return _finished(name, bins.codes, bins.labels, ordered=True)
    if column.hierarchy is not None:
        first_rows = (found.first_rows + 1).tolist() if not (table.dropped or table.repeated) else None
        seen = Seen(found.counts.tolist(), first_rows)
        taxonomy = build(name, column, found.values, table.policy.base, seen)
        if taxonomy is not None:
            return _by_tree(name, column, found, taxonomy)
    if column.order is not None:
        return _by_order(name, column.order, found)
    positions = None
    if column.kind != "text":
        positions = _on_a_line(found.values.to_physical().cast(pl.Float64).to_numpy())
    return _finished(name, found.codes, found.values, positions=positions, ordered=column.kind != "text")


def _on_a_line(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positions count in proportion to each other only: made smaller where a difference could overflow."""
    return numbers / 16 if np.abs(numbers).max(initial=0.0) > _LARGE else numbers


def _by_tree(name: str, column: Column, found: Distinct, taxonomy: Taxonomy) -> CodedColumn:
    places = [taxonomy.code_of[text] for text in texts_of(found.values)]
    codes = recoded(np.array(places), found.codes)
    if taxonomy.size == len(found.values):
        # All leaves occur: put the values themselves in leaf order.
        values = found.values.gather(np.argsort(places)) if places else found.values
    else:
        values = pl.Series(name, [key_of(leaf, column.kind) for leaf in taxonomy.leaves], dtype=found.values.dtype)
    # A tree may tear numbers apart; then the order of codes says nothing.
    return _finished(name, codes, values, taxonomy=taxonomy, ordered=column.kind != "text" and values.is_sorted())


def _by_order(name: str, order: tuple[str, ...], found: Distinct) -> CodedColumn:
    """Codes by the policy's order, for the values that occur."""
    place_of = {text: place for place, text in enumerate(order)}
    if len(place_of) < len(order):
        raise PolicyError([Problem(f"columns.{name}.order", "", "every value must stand there once")])
    places = np.array([place_of.get(text, -1) for text in found.values.to_list()], dtype=np.int64)
    unknown = places < 0
    if unknown.any():
        raise TableError(
            f"column {name!r}: {counted(int(unknown.sum()), 'value')} not in its order: list, in "
            f"{counted(int(found.counts[unknown].sum()), 'row')}; add to the list, or correct the data"
        )
    by_place = np.argsort(places)
    ranks = np.empty(len(places) + 1, dtype=np.int32)
    ranks[by_place], ranks[-1] = np.arange(len(places)), -1
    return _finished(name, ranks[found.codes], found.values.gather(by_place), ordered=True)


def _finished(
    name: str,
    codes: Codes,
    values: pl.Series,
    *,
    taxonomy: Taxonomy | None = None,
    positions: NDArray[np.float64] | None = None,
    ordered: bool = False,
) -> CodedColumn:
    """The column, with a last code for missing values (-1) if there are any."""
    missing = None
    if (codes < 0).any():
        missing = len(values)
        codes = np.where(codes < 0, np.int32(missing), codes)
        values = values.extend_constant(None, 1)
        positions = np.append(positions, np.nan) if positions is not None else None
        taxonomy = taxonomy.with_leaf(_free_label(taxonomy)) if taxonomy is not None else None
    return CodedColumn(name, codes, values.alias(name), taxonomy, positions, missing, ordered)


def _free_label(taxonomy: Taxonomy) -> str:
    label = MISSING
    while label in taxonomy.labels:
        label = f"({label})"
    return label
