"""What stops a release though the promise is kept: cells that would be misread, and too much left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import polars as pl

from sfumato.errors import NoneFound, Refused, TableError
from sfumato.exact import as_text
from sfumato.forms.contract import Published
from sfumato.loss.contract import Loss, all_columns
from sfumato.partition.contract import Partition
from sfumato.policy.document import Policy
from sfumato.release.unlooked import Unlooked, too_unique
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = [
    "require_column_limits",
    "require_harmless",
    "require_harmless_shown",
    "require_plain_secrets",
    "require_suppression",
    "require_weighed",
]


def require_plain_secrets(coded: Tuples) -> None:
    """A reader would take '*' for suppressed and an empty text for missing."""
    for column in coded.sensitive:
        for text, meaning in (("*", "suppressed"), ("", "missing")):
            rows = int(column.counts[(column.values.cast(pl.String) == text).fill_null(False).to_numpy()].sum())
            if rows:
                raise TableError(
                    f"column {column.name!r}: {text!r} in {counted(rows, 'row')}, which a reader would take for"
                    f" {meaning}; rename it, or list it under input.missing_values"
                )


def require_harmless(policy: Policy, coded: Tuples, rows: int) -> None:
    """No insensitive column that is nearly unique in so many rows, if the form publishes such columns: before a
    search."""
    if getattr(policy.form, "insensitive", True):
        _refuse_unique({each.name: (int((each.counts == 1).sum()), rows) for each in coded.beside}, policy)


def require_harmless_shown(policy: Policy, found: Iterable[Unlooked]) -> None:
    """The same of what is published: values that two rows had may be left to one."""
    for each in found:
        _refuse_unique({name: (column.alone, each.rows) for name, column in each.columns.items()}, policy)


def _refuse_unique(columns: Mapping[str, tuple[int, int]], policy: Policy) -> None:
    lines = too_unique(columns, policy)
    if lines:
        head = "insensitive columns that nearly name a row would be published as they are"
        remedy = (
            "  make each quasi if others may know it, identifier if it names a row, or drop it; if nobody can look it"
            " up, say so: unique: accepted"
        )
        raise TableError("\n".join([head, *lines, remedy]))


def require_weighed(policy: Policy, loss: Loss) -> None:
    """No weight that would count for nothing."""
    idle = [name for name in policy.loss.weights if name in policy.sensitive]
    if idle and not all_columns(loss):
        raise Refused(
            f"loss.weights: column {idle[0]!r} is sensitive, and {policy.loss.metric} counts quasi-identifiers alone;"
            " leave its weight out, or take a metric that counts all columns, such as information-utility"
        )


def require_suppression(policy: Policy, grouped: Partition) -> None:
    """Not more rows without a group than the policy allows, nor all."""
    rows, suppressed = int(grouped.counts.sum()), grouped.suppressed
    if Fraction(suppressed, rows) > policy.suppression.limit:
        raise NoneFound(
            f"{suppressed} of {counted(rows, 'row')} would have to be suppressed; the policy allows a share of"
            f" {as_text(policy.suppression.limit)}. Raise suppression.limit, or promise less"
        )
    if suppressed == rows:
        raise NoneFound("every row would have to be suppressed; promise less")


def require_column_limits(policy: Policy, published: Published) -> None:
    """Not more cells that say nothing than the policy allows in a column."""
    rows = published.rows
    over = [
        f"column {name!r} says nothing in {published.blank[name]} of {counted(rows, 'row')} (limit {as_text(limit)})"
        for name, limit in policy.suppression.columns.items()
        if Fraction(published.blank[name], rows) > limit
    ]
    if over:
        raise NoneFound("; ".join(over) + ". Raise the limit or the column's loss weight, or promise less")
