"""What the worker holds between two asks: the table that was opened last, as it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    import sfumato as sf

__all__ = ["WorkerTable"]


class WorkerTable:
    """The worker's own: its folder, what files are called by whoever opened them, and the table, read once."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.names: dict[str, str] = {}
        self._key = ""
        self._table: sf.Table | None = None

    def called(self, source: Mapping[str, Any]) -> str:
        """The place of a table; errors call it by its name from now on."""
        self.names = {str(source["path"]): str(source["name"]), f"{self.folder}/": ""}
        return str(source["path"])

    def table(self, source: Mapping[str, Any]) -> sf.Table:
        """The table as it came: every column with its different values and a code per row, whatever its role is."""
        import sfumato as sf

        path, key = self.called(source), json.dumps(source, sort_keys=True)
        if self._table is None or key != self._key:
            first = next(iter(source["columns"]))
            policy = {
                "columns": {first: {"role": "quasi", "type": "text"}},
                "others": {"role": "insensitive", "type": "text"},
                "privacy": [{"model": "k-anonymity", "k": 1}],
                "input": source["input"],
            }
            self._table, self._key = sf.read(path, policy), key
        return self._table

    def values(self, source: Mapping[str, Any], column: str, counted: bool = False) -> pl.DataFrame:
        """The different values of a column, as a table of its own; `counted`: in all rows that have them."""
        import polars as pl

        found = self.table(source).columns[column]
        return pl.DataFrame([(found.spread() if counted else found.values).alias(column)])
