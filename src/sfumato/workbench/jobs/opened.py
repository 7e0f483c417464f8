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
        self._walked = ""
        self._lattice: sf.LatticeMap | None = None

    def called(self, source: Mapping[str, Any]) -> str:
        """The place of a table; errors call it by its name from now on."""
        self.names = {str(source["path"]): str(source["name"]), f"{self.folder}/": ""}
        return str(source["path"])

    def told(self, text: str) -> str:
        """A message with files by the names that they came with."""
        for place, name in self.names.items():
            text = text.replace(place, name)
        return text

    def lattice(self, source: Mapping[str, Any], document: Mapping[str, Any]) -> sf.LatticeMap:
        """The lattice of a table under a policy; what was counted of the last one is still known."""
        import sfumato as sf

        path, key = self.called(source), json.dumps([source, document], sort_keys=True)
        if self._lattice is None or key != self._walked:
            self._lattice, self._walked = sf.lattice(path, policy=sf.read_policy(document, base=self.folder)), key
        return self._lattice

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
