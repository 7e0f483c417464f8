"""Policies for the tests of tables, and what a table holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.policy.document import Policy
from sfumato.policy.load import read_policy
from sfumato.table.table import Table


def policy(columns: Mapping[str, Any], base: Path | None = None, **settings: Any) -> Policy:
    """A policy that promises 2-anonymity, by Mondrian; a column given as a word has that role."""
    described = {name: {"role": given} if isinstance(given, str) else given for name, given in columns.items()}
    promise = [{"model": "k-anonymity", "k": 2}]
    return read_policy(
        {"columns": described, "privacy": promise, "partition": {"method": "mondrian"}, **settings}, base
    )


def frame_of(table: Table) -> pl.DataFrame:
    """The columns of a table as they came, row by row."""
    return pl.DataFrame([found.spread() for found in table.columns.values()])
