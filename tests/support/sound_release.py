"""A small table that keeps its promises, to be released and then broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from tests.support.auditing import blocks, policy_of

TABLE = blocks("flu cold flu cold", "flu cold ache", "ache cold flu")
POLICY = policy_of(
    {"model": "k-anonymity", "k": 3},
    {"model": "simple-l", "l": 2},
    {"model": "t-closeness", "t": "0.3"},
    suppression={"limit": "0.1"},
)


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the public document of a release."""
    path = folder / "release.json"
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")


def with_cell(frame: pl.DataFrame, row: int, column: str, value: str | None) -> pl.DataFrame:
    """The same table but for one cell."""
    cells = frame[column].to_list()
    cells[row] = value
    return frame.with_columns(pl.Series(column, cells, dtype=pl.String))
