"""Figure 4: CPU time of BSGI and Mondrian against l."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from benchmarks.losses import made
from experiments.contract import Chart, Claim, Experiment, Printed, Row, grid
from experiments.paper002.data import COMPARED, DIVERSITIES, People, people
from experiments.shapes import Line, below, changed, falls, number

__all__ = ["TIMES"]

RUNS = 3
_MONDRIAN = "Mondrian, distinct"
_BSGI, _CUT = Line("seconds", "l", {"method": "BSGI"}), Line("seconds", "l", {"method": _MONDRIAN})
_INCOGNITO = "Incognito, distinct"
_MACHINE = "another machine, and compiled loops over coded rows"


def measure(people: People, settings: Row) -> Sequence[Row]:
    """Seconds from coded rows to groups: the mean of three runs, as in the paper, after one that may compile."""
    how = COMPARED[str(settings["method"])]
    runs = [made(people.coded(how), how.method, how.promise(int(settings["l"] or 0)), seed) for seed in range(RUNS + 1)]
    return [{"seconds": round(fmean(run.ms for run in runs[1:]) / 1000, 4)}]


TIMES = Experiment(
    paper="002",
    name="fig4",
    title="CPU time against l",
    points=grid({"method": ["BSGI", _MONDRIAN, _INCOGNITO], "l": DIVERSITIES}),
    quick=(),
    prepare=people,
    measure=measure,
    charts=(Chart("fig4", "CPU time", "l", "l", "seconds", "seconds of CPU time", "method"),),
    printed=(
        Printed("seconds, Mondrian, l = 2", 90, number("seconds", {"method": _MONDRIAN, "l": 2}), 2, _MACHINE),
        Printed("seconds, Mondrian, l = 7", 75, number("seconds", {"method": _MONDRIAN, "l": 7}), 2, _MACHINE),
        Printed("seconds, Incognito, more than", 1800, number("seconds", {"method": _INCOGNITO, "l": 7}), 2, _MACHINE),
    ),
    claims=(
        Claim("fig4", "Mondrian takes less time the larger l is", falls(_CUT, slack=0.1)),
        Claim("fig4", "BSGI's time hardly grows with l", changed(_BSGI, most=1.5)),
        Claim("fig4", "BSGI is faster than Mondrian", below(_BSGI, _CUT)),
    ),
    timed=True,
)
