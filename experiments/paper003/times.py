"""Figures 1, 3 and 5: CPU time against l, rows and quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import polars as pl

from experiments.contract import Chart, Claim, Experiment, Row, Value, grid
from experiments.paper003.data import LINES, people, ran, table_of
from experiments.paper003.losses import DIVERSITIES, SIZES, settled
from experiments.shapes import Line, all_of, below

__all__ = ["TIMES"]

RUNS = 3
METHODS = ("AT, dealt", "AIP", "ARP", "NG", "AIP, repaired", "ARP, repaired", "NG, repaired")


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """Milliseconds from coded rows to groups or rings: the mean of three runs, after one that may compile."""
    rows, n, l, columns = settled(frame, settings)
    table = table_of(rows, n, columns)
    runs = [ran(table, str(settings["method"]), l, seed) for seed in range(RUNS + 1)]
    return [{"ms": round(fmean(run.ms for run in runs[1:]), 3)}]


def _timed(name: str, over: str, label: str, values: Sequence[Value]) -> Experiment[pl.DataFrame]:
    lines = {each: Line("ms", over, {"method": each}) for each in LINES}
    return Experiment(
        paper="003",
        name=name,
        title=f"CPU time against {label}",
        points=grid({"method": METHODS, over: values}),
        quick=(),
        prepare=people,
        measure=measure,
        charts=(Chart(name, f"CPU time, varying {over}", over, label, "ms", "milliseconds of CPU time", "method"),),
        claims=(
            Claim(
                name,
                "NG takes longest, then ARP, then AIP",
                all_of(below(lines["AIP"], lines["ARP"]), below(lines["ARP"], lines["NG"])),
            ),
        ),
        timed=True,
    )


TIMES = (
    _timed("fig1", "l", "l", DIVERSITIES),
    _timed("fig3", "n", "rows", SIZES),
    _timed("fig5", "d", "quasi-identifiers", range(1, 8)),
)
