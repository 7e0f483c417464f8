"""The taxonomy of a sensitive column, as far as an auditor can know it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import polars as pl

from sfumato.auditor.secrets import Secrets
from sfumato.policy.columns import BalancedHierarchy
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import SeenValues
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["taxonomy_of"]


def taxonomy_of(secrets: Secrets, base: Path) -> Taxonomy | None:
    """The tree that the policy writes down, or the one that it makes from the original values if they are known.

    If they are not and rows show nodes, it is made from the values that others show; None if it then lacks such a node.
    A missing value is one more leaf, the last, under the root.
    """
    name, column = secrets.name, secrets.column
    if column.hierarchy is None or secrets.binned:
        return None
    dtype = {"text": pl.String(), "integer": pl.Int64(), "number": pl.Float64(), "date": pl.Date()}[column.kind]
    tree = build(name, column, pl.Series([], dtype=dtype), base)
    if tree is None and secrets.original is not None:
        values, counts = _originals(secrets)
        tree = build(name, column, pl.Series(values, dtype=dtype), base, SeenValues(counts))
    elif tree is None and secrets.generalized and not isinstance(column.hierarchy, BalancedHierarchy):
        values, _ = _originals(replace(secrets, original=secrets.published))
        tree = build(name, column, pl.Series(values, dtype=dtype), base) if values else None
        tree = None if replace(secrets, taxonomy=tree).unknown else tree
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
