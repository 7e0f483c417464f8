"""Figure 22: CPU time of the three algorithms, the search for the best parameters of the others included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from time import process_time

import sfumato as sf
from benchmarks.losses import made
from experiments.contract import Chart, Claim, Experiment, Printed, Row
from experiments.paper000.compared import ASKED, METHODS, Tables, tables
from experiments.paper000.data import SEED, caps_of
from experiments.shapes import Line, below, share

__all__ = ["TIMES"]


def measure(data: Tables, settings: Row) -> Sequence[Row]:
    """Seconds from coded rows to groups, after a run that may compile; nothing where there is no output."""
    people, method = data[str(settings["data"])], str(settings["method"])
    tau, l = Fraction(str(settings["tau"])), int(settings["l"] or 0)
    seconds, found = 0.0, True
    for _ in range(2):
        fresh = replace(people)  # nothing tried yet
        coded = fresh.coded
        began = process_time()
        if method == "SWEEP":
            made(coded, sf.Sweep(faithful=True), sf.TauL(tau, l), SEED)
        else:
            found = fresh.best(method, caps_of(tau, l)) is not None
        seconds = process_time() - began
    return [{"seconds": round(seconds, 4) if found else None}]


def _line(method: str) -> Line:
    return Line("seconds", "l", {"data": "Adult", "method": method})


def _at(method: str) -> Row:
    return {"data": "Adult", "method": method, "l": 3}


_OURS = "another machine and other loops; the parameters that are tried for 1DLD are all that the table allows"

TIMES = Experiment(
    paper="000",
    name="fig22",
    title="CPU time, all parameters of the others tried",
    points=tuple(
        {"data": data, "method": method, "tau": tau, "l": l}
        for data, asked in ASKED.items()
        for method in METHODS[:3]
        for tau, l in asked
    ),
    quick=(),
    prepare=tables,
    measure=measure,
    charts=tuple(
        Chart(f"fig22{part}", f"CPU time, {data}", "l", "l", "seconds", "seconds of CPU time", "method", {"data": data})
        for part, data in zip("ab", ASKED, strict=True)
    ),
    printed=(
        Printed("time of 1DLD over SWEEP's, Adult, (0.5, 3)", 3, share("seconds", _at("1DLD"), _at("SWEEP")), 1, _OURS),
    ),
    claims=(
        Claim("fig22", "SWEEP takes less time than 1DLD", below(_line("SWEEP"), _line("1DLD"))),
        Claim("fig22", "SWEEP takes less time than CLD", below(_line("SWEEP"), _line("CLD"))),
    ),
    timed=True,
)
