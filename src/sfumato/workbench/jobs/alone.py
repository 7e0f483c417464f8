"""How many people stand alone by some columns, and how many would without each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.workbench.jobs.opened import WorkerTable

__all__ = ["Alone", "alone"]


@dataclass(frozen=True)
class Alone:
    """rows      of the table
    alone     rows that no other equals in these columns
    without   the same without each of them
    """

    rows: int
    alone: int
    without: Mapping[str, int]


def alone(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> Alone:
    """given: source, columns."""
    table, names = bench.table(given["source"]), given["columns"]

    def counted(columns: Sequence[str]) -> int:
        return _alone(table, columns)

    without = {name: counted([other for other in names if other != name]) for name in names} if len(names) > 1 else {}
    return Alone(table.rows, counted(names), without)


def _alone(table: Any, names: Sequence[str]) -> int:
    import polars as pl

    if not names:
        return int(table.rows == 1)
    times = table.times
    codes = [pl.Series(str(place), table.columns[name].codes) for place, name in enumerate(names)]
    rows = pl.len() if times is None else pl.col("rows").sum()
    frame = pl.DataFrame(codes if times is None else [*codes, pl.Series("rows", times)])
    sizes = frame.lazy().group_by([str(place) for place in range(len(names))]).agg(rows.alias("size")).collect()
    return int((sizes["size"] == 1).sum())
