"""From values to counted tuples: every column by position in its order, and the different rows that there are.

The order is that of the taxonomy's leaves, of the bins, of the policy's `order:`, of numbers or dates, or of plain
text. A missing value is the last code and, in a taxonomy, a child of the root. Only distinct values are looked at one
by one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import PolicyError, Problem, TableError
from sfumato.knowledge.named import knowledge_of, tree_of_labels
from sfumato.policy.columns import Column
from sfumato.table.bins import Binning
from sfumato.table.distinct import Distinct, recoded
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.sets import separator_of
from sfumato.table.spelling import require_known_terms, require_told_apart
from sfumato.table.table import Table
from sfumato.table.tuples import Codes, Tuples
from sfumato.table.words import counted
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import Seen
from sfumato.taxonomy.text import key_of, texts_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["MISSING", "encode", "encode_secrets"]

_LARGE = 1e307

MISSING = "(missing)"
"""Label of the leaf of a missing value, unless a node is called so; never published."""

Coded = tuple[Domain, Codes]
"""What a column is, and the code of every row."""


def encode(table: Table) -> Tuples:
    """The different rows, coded and counted. `TableError` if a value has no place."""
    policy = table.policy
    require_told_apart(table if table.lost is None else table.secrets)  # what dropped rows hold is judged as well
    quasi = [_coded(table, name) for name in policy.quasi]
    sensitive = [_coded(table, name) for name in policy.sensitive]
    sets = [_sets(table, name) for name in policy.sets]
    beside = [_beside(table, name) for name in policy.with_role("insensitive")]
    return Tuples.of_rows(
        {domain.name: codes for domain, codes in (*quasi, *sensitive, *sets, *beside)},
        [domain for domain, _ in quasi],
        [domain for domain, _ in sensitive],
        sets=[domain for domain, _ in sets],
        beside=[domain for domain, _ in beside],
        person=_person(table),
        finer=_finer(table),
    )


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
    which = np.concatenate((tuples.row, np.arange(table.rows, whole.rows)))
    person = _person(whole)
    return Tuples(
        np.concatenate((tuples.counts, np.ones(len(which) - len(tuples), dtype=np.int64))),
        {domain.name: codes[which] for domain, codes in (*sensitive, *sets)},
        (),
        tuple(domain for domain, _ in sensitive),
        tuple(domain for domain, _ in sets),
        person=None if person is None else person[which],
        finer={name: codes[which] for name, codes in _finer(whole).items()},
    )


def _finer(table: Table) -> dict[str, Codes]:
    """Values themselves, of columns shown by bins that the data makes; 0: missing."""
    return {name: table.distinct[name].codes + np.int32(1) for name, bins in table.binned.items() if bins.linked}


def _sets(table: Table, name: str) -> tuple[SetDomain, Codes]:
    """Codes of different sets, that of no terms last."""
    column, found = table.policy.columns[name], table.distinct[name]
    coded, codes = _finished(name, found.codes, found.values)
    separator = separator_of(column)
    parts = coded.values.str.split(separator).to_list()
    knowledge = knowledge_of(name, column, table.policy.base, separator)
    require_known_terms(name, column, {term for terms in parts for term in terms or ()}, knowledge)
    domain = SetDomain(
        name,
        coded.values,
        coded.counts,
        missing=coded.missing,
        sets=tuple(() if terms is None else tuple(terms) for terms in parts),
        knowledge=knowledge,
        unknown=column.unknown,
        known=column.lengths == "known",
        tree=tree_of_labels(name, column, knowledge, table.policy.base),
    )
    return domain, codes


def _beside(table: Table, name: str) -> Coded:
    """A column that is published as it is, and that nothing else looks at."""
    found = table.published_as(name)
    return _finished(name, found.codes, found.values)


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


def _coded(table: Table, name: str) -> Coded:
    domain, codes = _ordered(table, name)
    return replace(domain, shown=_shown(table.published_as(name), domain, codes)), codes


def _shown(found: Distinct, domain: Domain, codes: Codes) -> pl.Series | None:
    """How every code is published, null where no row is; None if that is its base value.

    Where several published values are one base value, as the two midnights of a night in which clocks are put back,
    the least stands for all.
    """
    there = np.flatnonzero(found.counts)[::-1]
    places = np.full(domain.size, -1, np.int32)
    places[codes[found.first_rows[there]]] = there  # of several the last that is written
    shown, used = Distinct(found.values, places).spread(), domain.counts > 0
    same = shown.dtype == domain.values.dtype and shown.filter(used).equals(domain.values.filter(used), null_equal=True)
    return None if same else shown.alias(domain.name)


def _ordered(table: Table, name: str) -> Coded:
    column, found = table.policy.columns[name], table.distinct[name]
    if name in table.binned:
        bins = table.binned[name]
        return _binned(bins, found, table.promised_texts, *_finished(name, bins.codes, bins.labels, ordered=True))
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


def _by_tree(name: str, column: Column, found: Distinct, taxonomy: Taxonomy) -> Coded:
    places = [taxonomy.code_of[text] for text in texts_of(found.values)]
    codes = recoded(np.array(places), found.codes)
    if taxonomy.size == len(found.values):
        # All leaves occur: put the values themselves in leaf order.
        values = found.values.gather(np.argsort(places)) if places else found.values
    else:
        values = pl.Series(name, [key_of(leaf, column.kind) for leaf in taxonomy.leaves], dtype=found.values.dtype)
    # A tree may tear numbers apart; then the order of codes says nothing.
    return _finished(name, codes, values, taxonomy=taxonomy, ordered=column.kind != "text" and values.is_sorted())


def _by_order(name: str, order: tuple[str, ...], found: Distinct) -> Coded:
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
) -> Coded:
    """The column, with a last code for missing values (-1) if there are any."""
    missing = None
    if (codes < 0).any():
        missing = len(values)
        codes = np.where(codes < 0, np.int32(missing), codes)
        values = values.extend_constant(None, 1)
        positions = np.append(positions, np.nan) if positions is not None else None
        taxonomy = taxonomy.with_leaf(_free_label(taxonomy)) if taxonomy is not None else None
    counts = np.bincount(codes, minlength=len(values)).astype(np.int64, copy=False)
    made = Domain(name, values.alias(name), counts, None, taxonomy, positions, missing, ordered)
    return made, codes


def _binned(bins: Binning, found: Distinct, known: frozenset[str], domain: Domain, codes: Codes) -> Coded:
    """With the names that bins which the data makes have if only some values may be told."""
    if not bins.linked:
        return domain, codes

    def named(told: NDArray[np.bool_]) -> pl.Series:
        labels = bins.named(found, told[1:], known)
        return labels if domain.missing is None else labels.extend_constant(None, 1)

    return replace(domain, naming=named), codes


def _free_label(taxonomy: Taxonomy) -> str:
    label = MISSING
    while label in taxonomy.labels:
        label = f"({label})"
    return label
