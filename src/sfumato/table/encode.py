"""From values to counted tuples: every column by position in its order, and the different rows that there are.

The order is that of the taxonomy's leaves, of the bins, of the policy's `order:`, of numbers or dates, or of plain
text. A missing value is the last code and, in a taxonomy, a child of the root. Only distinct values are looked at one
by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import PolicyError, Problem, TableError
from sfumato.policy.columns import Column
from sfumato.table.bins import Binning
from sfumato.table.distinct import Distinct
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.line import Line
from sfumato.table.sets import separator_of
from sfumato.table.spelling import require_known_terms, require_told_apart
from sfumato.table.table import Table
from sfumato.table.tally import CodedRows
from sfumato.table.tuples import Codes, Tuples
from sfumato.table.words import counted
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import SeenValues
from sfumato.taxonomy.text import key_of, texts_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["MISSING", "encode", "encode_apart", "encode_secrets"]

Ints = NDArray[np.int64]

_LARGE = 1e307
_WHOSE = ""
"""Stands for whose a row is among the columns that are counted: none of them is called so."""

MISSING = "(missing)"
"""Label of the leaf of a missing value, unless a node is called so; never published."""


@dataclass(frozen=True, eq=False)
class _Coded:
    """What a column is, and where its values as they were read have their codes.

    found    different values and rows, as they were read
    places   the code of a missing value, and then of every such value
    """

    domain: Domain
    found: Distinct
    places: Codes

    def codes(self, entries: Ints) -> Codes:
        """The codes of some entries."""
        return self.places[self.found.codes[entries] + 1]

    @property
    def read(self) -> tuple[Codes, int]:
        """The place of every row's value among those that were read, -1 for a missing one; and how many there are."""
        return self.found.codes, len(self.found.values)


def encode(table: Table) -> Tuples:
    """The different rows, coded and counted. `TableError` if a value has no place."""
    policy = table.policy
    require_told_apart(table if table.lost is None else table.secrets)  # what dropped rows hold is judged as well
    quasi = [_coded(table, name) for name in policy.quasi]
    sensitive = [_coded(table, name) for name in policy.sensitive]
    sets = [_sets(table, name) for name in policy.sets]
    beside = [_beside(table, name) for name in policy.with_role("insensitive")]
    person = _person(table)
    every = [*quasi, *sensitive, *sets, *beside]
    raw = {each.domain.name: each.read for each in every}
    if person is not None:
        raw[_WHOSE] = person.codes, len(person.values)
    counted = CodedRows(raw, least=-1, times=table.times).count(list(raw), first=True)
    return Tuples.of(
        {each.domain.name: each.places[codes] for each, codes in zip(every, counted.codes, strict=False)},
        [each.domain for each in quasi],
        [each.domain for each in sensitive],
        counts=counted.counts,
        sets=[each.domain for each in sets if isinstance(each.domain, SetDomain)],
        beside=[each.domain for each in beside],
        person=None if person is None else counted.codes[-1].astype(np.int32) - np.int32(1),
        finer={
            each.domain.name: codes.astype(np.int32)
            for each, codes in zip(every, counted.codes, strict=False)
            if each.domain.naming is not None
        },
        row=counted.row,
    )


def encode_apart(table: Table) -> tuple[Tuples, dict[str, Codes]]:
    """What the columns are of a table whose columns are known apart from one another, and the code of every entry of
    each. `TableError` if a value has no place."""
    policy = table.policy
    require_told_apart(table)
    quasi = [_coded(table, name) for name in policy.quasi]
    sensitive = [_coded(table, name) for name in policy.sensitive]
    beside = [_beside(table, name) for name in policy.with_role("insensitive")]
    every = [*quasi, *sensitive, *beside]
    codes = {each.domain.name: each.codes(np.arange(len(each.found.codes))) for each in every}
    none = {each.domain.name: np.zeros(0, np.int32) for each in every}
    domains = [[each.domain for each in columns] for columns in (quasi, sensitive, beside)]
    counts = np.zeros(0, dtype=np.int64)
    return Tuples(counts, none, tuple(domains[0]), tuple(domains[1]), beside=tuple(domains[2])), codes


def encode_secrets(table: Table, tuples: Tuples) -> Tuples:
    """Sensitive and quasi-sensitive columns of the table's tuples, and of the rows that were dropped, one by one.

    Codes may be others than those of `encode`: the dropped rows may hold values that no other row has. Whose a row is
    may be unknown: such a row is a person's of its own.
    """
    whole, policy = table.secrets, table.policy
    sensitive = [_coded(whole, name) for name in policy.sensitive]
    sets = [_sets(whole, name) for name in policy.sets]
    if tuples.row is None:
        raise ValueError("these tuples are not those of a table that was read")
    dropped = np.arange(table.entries, whole.entries)
    which = np.concatenate((tuples.row, dropped))
    person = _person(whole)
    return Tuples(
        np.concatenate((tuples.counts, np.ones_like(dropped) if whole.times is None else whole.times[dropped])),
        {each.domain.name: each.codes(which) for each in (*sensitive, *sets)},
        (),
        tuple(each.domain for each in sensitive),
        tuple(each.domain for each in sets if isinstance(each.domain, SetDomain)),
        person=None if person is None else person.codes[which],
        finer={
            each.domain.name: each.found.codes[which] + np.int32(1)
            for each in sensitive
            if each.domain.naming is not None
        },
    )


def _sets(table: Table, name: str) -> _Coded:
    """Codes of different sets, that of no terms last."""
    from sfumato.knowledge.named import knowledge_of, tree_of_labels  # for tables that have such a column

    column = table.policy.columns[name]
    coded = _finished(name, table.distinct[name])
    separator = separator_of(column)
    parts = coded.domain.values.str.split(separator).to_list()
    knowledge = knowledge_of(name, column, table.policy.base, separator)
    require_known_terms(name, column, {term for terms in parts for term in terms or ()}, knowledge)
    domain = SetDomain(
        name,
        coded.domain.values,
        coded.domain.counts,
        missing=coded.domain.missing,
        sets=tuple(() if terms is None else tuple(terms) for terms in parts),
        knowledge=knowledge,
        unknown=column.unknown,
        known=column.lengths == "known",
        tree=tree_of_labels(name, column, knowledge, table.policy.base),
    )
    return replace(coded, domain=domain)


def _beside(table: Table, name: str) -> _Coded:
    """A column that is published as it is, and that nothing else looks at."""
    return _finished(name, table.published_as(name))


def _person(table: Table) -> Distinct | None:
    """Whose each row is, in the order of names; None if everybody has one row."""
    name = table.policy.individual
    if name is None or len(table.distinct[name].values) == table.rows:
        return None
    found = table.distinct[name]
    unknown = np.flatnonzero(found.codes < 0)
    if not len(unknown):
        return found
    codes, names = found.codes.copy(), found.values.cast(pl.String)
    codes[unknown] = len(names) + np.arange(len(unknown))
    return Distinct(names.extend_constant(None, len(unknown)), codes, found.entries)


def _coded(table: Table, name: str) -> _Coded:
    made = _ordered(table, name)
    line = Line.of(table.policy.columns[name], name in table.binned)
    return replace(made, domain=replace(made.domain, shown=_shown(table.published_as(name), made), line=line))


def _shown(found: Distinct, made: _Coded) -> pl.Series | None:
    """How every code is published, null where no row is; None if that is its base value.

    Where several published values are one base value, as the two midnights of a night in which clocks are put back,
    the least stands for all.
    """
    domain = made.domain
    there = np.flatnonzero(found.counts)[::-1]
    places = np.full(domain.size, -1, np.int32)
    places[made.codes(found.first_entries[there])] = there  # of several the last that is written
    shown, used = Distinct(found.values, places).spread(), domain.counts > 0
    same = shown.dtype == domain.values.dtype and shown.filter(used).equals(domain.values.filter(used), null_equal=True)
    return None if same else shown.alias(domain.name)


def _ordered(table: Table, name: str) -> _Coded:
    column, found = table.policy.columns[name], table.distinct[name]
    if name in table.binned:
        return _binned(table, table.binned[name], found)
    if column.hierarchy is not None:
        first_rows = (found.first_rows + 1).tolist() if not (table.dropped or table.repeated) else None
        seen = SeenValues(found.counts.tolist(), first_rows)
        taxonomy = build(name, column, found.values, table.policy.base, seen)
        if taxonomy is not None:
            return _by_tree(name, column, found, taxonomy)
    if column.order is not None:
        return _by_order(name, column.order, found)
    positions = None
    if column.kind != "text":
        positions = _on_a_line(found.values.to_physical().cast(pl.Float64).to_numpy())
    return _finished(name, found, positions=positions, ordered=column.kind != "text")


def _on_a_line(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positions count in proportion to each other only: made smaller where a difference could overflow."""
    return numbers / 16 if np.abs(numbers).max(initial=0.0) > _LARGE else numbers


def _by_tree(name: str, column: Column, found: Distinct, taxonomy: Taxonomy) -> _Coded:
    places = [taxonomy.code_of[text] for text in texts_of(found.values)]
    if taxonomy.size == len(found.values):
        # All leaves occur: put the values themselves in leaf order.
        values = found.values.gather(np.argsort(places)) if places else found.values
    else:
        values = pl.Series(name, [key_of(leaf, column.kind) for leaf in taxonomy.leaves], dtype=found.values.dtype)
    # A tree may tear numbers apart; then the order of codes says nothing.
    ordered = column.kind != "text" and values.is_sorted()
    return _finished(name, found, np.array(places, dtype=np.int64), values, taxonomy=taxonomy, ordered=ordered)


def _by_order(name: str, order: tuple[str, ...], found: Distinct) -> _Coded:
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
    ranks = np.empty(len(places), dtype=np.int64)
    ranks[by_place] = np.arange(len(places))
    return _finished(name, found, ranks, found.values.gather(by_place), ordered=True)


def _finished(
    name: str,
    found: Distinct,
    places: Ints | None = None,
    values: pl.Series | None = None,
    *,
    taxonomy: Taxonomy | None = None,
    positions: NDArray[np.float64] | None = None,
    ordered: bool = False,
) -> _Coded:
    """The column, with a last code for missing values if there are any.

    places    the code of every value that was found; None: their own order
    values    the value of every code
    """
    places = np.arange(len(found.values)) if places is None else places
    values, missing = found.values if values is None else values, None
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, places, found.counts)
    if found.missing:
        missing = len(values)
        counts = np.append(counts, found.missing)
        values = values.extend_constant(None, 1)
        positions = np.append(positions, np.nan) if positions is not None else None
        taxonomy = taxonomy.with_leaf(_free_label(taxonomy)) if taxonomy is not None else None
    made = Domain(name, values.alias(name), counts, None, taxonomy, positions, missing, ordered)
    return _Coded(made, found, np.append(-1 if missing is None else missing, places).astype(np.int32))


def _binned(table: Table, bins: Binning, found: Distinct) -> _Coded:
    """A column by its bins; where the data makes these, by its values, which name them."""
    name = bins.labels.name
    if not bins.linked:
        return _finished(name, Distinct(bins.labels, bins.codes, found.entries), ordered=True)
    places = bins.codes[found.first_entries].astype(np.int64)
    made = _finished(name, found, places, bins.labels, ordered=True)
    missing, known = made.domain.missing, table.promised_texts

    def named(told: NDArray[np.bool_]) -> pl.Series:
        labels = bins.named(found, told[1:], known)
        return labels if missing is None else labels.extend_constant(None, 1)

    return replace(made, domain=replace(made.domain, naming=named))


def _free_label(taxonomy: Taxonomy) -> str:
    label = MISSING
    while label in taxonomy.labels:
        label = f"({label})"
    return label
