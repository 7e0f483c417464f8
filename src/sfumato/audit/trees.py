"""The taxonomy of a sensitive column, as far as an auditor can know it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path

import polars as pl

from sfumato.audit.secrets import Key, Secrets
from sfumato.policy.columns import BalancedHierarchy
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import Seen
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["taxonomy_of"]


def taxonomy_of(secrets: Secrets, base: Path, named: Iterable[Key] = ()) -> Taxonomy | None:
    """The tree that the policy writes down, or the one that it makes from the original values if they are known.

    named    the original values, if their counts are not known

    A missing value is one more leaf, the last, under the root.
    """
    name, column = secrets.name, secrets.column
    if column.hierarchy is None or secrets.binned:
        return None
    dtype = {"text": pl.String(), "integer": pl.Int64(), "number": pl.Float64(), "date": pl.Date()}[column.kind]
    tree = build(name, column, pl.Series([], dtype=dtype), base)
    if tree is None and secrets.original is not None:
        values, counts = _originals(secrets)
        tree = build(name, column, pl.Series(values, dtype=dtype), base, Seen(counts))
    elif tree is None and not isinstance(column.hierarchy, BalancedHierarchy):
        values = sorted(_plain(secrets, key) for key in named if not isinstance(key, tuple | None))
        tree = build(name, column, pl.Series(values, dtype=dtype), base) if values else None
    return tree.with_leaf("") if tree is not None and None in secrets.keys else tree


def _originals(secrets: Secrets) -> tuple[list[str | int | float | date], list[int]]:
    """Base values of the original table, ascending, and how often each occurred."""
    counts = [] if secrets.original is None else secrets.original.tolist()
    pairs = [
        (_plain(secrets, key), count)
        for key, count in zip(secrets.keys, counts, strict=True)
        if not isinstance(key, tuple | None) and count and not secrets.is_general(key)
    ]
    pairs.sort()
    return [value for value, _ in pairs], [count for _, count in pairs]


def _plain(secrets: Secrets, key: Decimal | date | str) -> str | int | float | date:
    number = int if secrets.column.kind == "integer" else float
    return number(key) if isinstance(key, Decimal) else key
