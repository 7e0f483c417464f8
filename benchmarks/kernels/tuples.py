"""Coded rows in no order, counted: the different ones in an order of their own, which every search starts from."""

from __future__ import annotations

from benchmarks.contract import Rows, Workload
from sfumato.table.tuples import Tuples

__all__ = ["prepare", "run"]


def prepare(workload: Workload) -> Rows:
    return workload.rows


def run(rows: Rows) -> Tuples:
    return rows.counted()
