"""Figures 1, 3 and 5: CPU time against l, rows and quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import polars as pl

from experiments.contract import Chart, Claim, Experiment, Found, Row, Value, Verdict, grid
from experiments.paper003.data import people, ran, table_of
from experiments.paper003.losses import DIVERSITIES, SIZES, settled
from experiments.shapes import Judged, Line, all_of, below, changed, rises

__all__ = ["TIMES"]

RUNS = 3
METHODS = ("AT, dealt", "AIP", "ARP", "NG", "AIP, repaired", "ARP, repaired", "NG, repaired")


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """Milliseconds from coded rows to groups or rings: the mean of three runs, after one that may compile."""
    rows, n, l, columns = settled(frame, settings)
    table = table_of(rows, n, columns)
    runs = [ran(table, str(settings["method"]), l, seed) for seed in range(RUNS + 1)]
    return [{"ms": round(fmean(run.ms for run in runs[1:]), 3)}]


def _growing(name: str, lines: Mapping[str, Line]) -> tuple[Claim, ...]:
    """Which times rise along the axis, but for a tenth."""
    if name != "fig5":
        return (Claim(name, "times of all four rise", all_of(*(rises(lines[each], 0.1) for each in METHODS[:4]))),)
    return (
        Claim(name, "AIP's time rises with the quasi-identifiers", rises(lines["AIP"], 0.1)),
        Claim(name, "AT's time does not change", changed(lines[METHODS[0]], 0.8, 1.25)),
        Claim(name, "times of ARP and NG fall at first and then rise", all_of(_dips(lines["ARP"]), _dips(lines["NG"]))),
    )


def _dips(line: Line) -> Judged:
    """The least is neither the first nor the last."""

    def judged(found: Found) -> Verdict:
        made = line.of(found)
        least = min(made, key=made.__getitem__)
        return Verdict(min(made) < least < max(made), f"{line.name}: least, {made[least]:.3g} ms, at {least:g}")

    return judged


def _timed(name: str, over: str, label: str, values: Sequence[Value]) -> Experiment[pl.DataFrame]:
    lines = {each: Line("ms", over, {"method": each}) for each in METHODS}
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
            *_growing(name, lines),
        ),
        timed=True,
    )


TIMES = (
    _timed("fig1", "l", "l", DIVERSITIES),
    _timed("fig3", "n", "rows", SIZES),
    _timed("fig5", "d", "quasi-identifiers", range(1, 8)),
)
