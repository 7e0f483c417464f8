"""Figures 2, 4 and 6: correspondence loss (GLP) against l, rows and quasi-identifiers; what is drawn, three times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import polars as pl

from benchmarks.comparison import QUASI
from experiments.contract import Chart, Claim, Experiment, Found, Row, Verdict, grid
from experiments.paper003.data import LINES, PAPERS, REPAIRED, ROWS, people, ran, strengths, table_of
from experiments.shapes import Judged, Line, alike, all_of, below, falls, rises

__all__ = ["BY_COLUMNS", "BY_L", "BY_ROWS", "DIVERSITIES", "SIZES", "settled"]

DIVERSITIES = (2, 3, 4, 5, 6, 7)
SIZES = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000)
RUNS = 3
_L = 5
_SLACK = 0.0005
"""Of means over three runs."""
_COLLAPSE = (
    "Sex goes first, by φ²; Adm-clerical is too frequent among women from l = 4 on, the two blocks are merged, and a"
    " merged block is final: the initial partition is the whole table"
)
_WIDE = (
    "a block of AIP holds up to 14 values where a group of AT holds l: a person may be more of them, which outweighs"
    " that rows alike stay together"
)
_CONTRADICTED = {
    ("fig2", "", "AIP"): f"{_COLLAPSE}; {_WIDE}",
    ("fig4", "", "AIP"): f"{_COLLAPSE}; {_WIDE}",
    ("fig6", "", "AIP"): f"{_COLLAPSE} at d = 7; {_WIDE}",
    ("fig2", "", "refined"): f"{_COLLAPSE}, and ARP and NG are what AT is",
    ("fig4", "", "refined"): f"{_COLLAPSE}, and ARP and NG are what AT is",
    ("fig6", "", "refined"): f"{_COLLAPSE}, once Sex is among them, and ARP and NG are what AT is",
    ("fig2", ", repaired", "AIP"): _WIDE,
    ("fig4", ", repaired", "AIP"): _WIDE,
    ("fig6", ", repaired", "AIP"): _WIDE,
    ("fig2", ", repaired", "refined"): "at l = 7 no split leaves 1/7 of the most frequent value: one block again",
}
"""By figure, whose rule, and who is compared with AT."""


def settled(frame: pl.DataFrame, settings: Row) -> tuple[pl.DataFrame, int, int, Sequence[str]]:
    """Rows, how many, l, and quasi-identifiers of a point; those are taken weakest first by φ², or strongest."""
    names = list(strengths(frame))
    names = names if settings.get("order", "ascending") == "ascending" else names[::-1]
    used = set(names[: int(settings.get("d") or len(QUASI))])
    return frame, int(settings.get("n") or ROWS), int(settings.get("l") or _L), [name for name in QUASI if name in used]


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """Mean GLP and groups of three runs that draw differently."""
    rows, n, l, columns = settled(frame, settings)
    table = table_of(rows, n, columns)
    runs = [ran(table, str(settings["method"]), l, seed) for seed in range(RUNS)]
    return [{"groups": round(fmean(run.groups for run in runs), 3), "glp": round(fmean(run.glp for run in runs), 6)}]


def _lines(over: str, names: Sequence[str]) -> list[Line]:
    return [Line("glp", over, {"method": name}) for name in names]


def _below_all(lower: Sequence[Line], upper: Line) -> Judged:
    return all_of(*(below(each, upper, slack=_SLACK) for each in lower))


def _claims(figure: str, over: str, shape: Callable[[Line, float], Judged]) -> tuple[Claim, ...]:
    """What the paper says of each of the three figures, for its methods and for the repaired ones."""
    made = []
    for names, who in ((PAPERS, ""), (REPAIRED, ", repaired")):
        drawn, initial, *refined = _lines(over, names)
        whys = [_CONTRADICTED.get((figure, who, whom), "") for whom in ("AIP", "refined")]
        way = "rises" if shape is rises else "falls"
        made += [
            Claim(figure, f"GLP {way} with {over}{who}", all_of(*(shape(line, 0.005) for line in _lines(over, names)))),
            Claim(figure, f"AT loses more than AIP{who}", _below_all([initial], drawn), whys[0]),
            Claim(figure, f"AT loses more than ARP and NG{who}", _below_all(refined, drawn), whys[1]),
            Claim(figure, f"ARP and NG lose less than AIP{who}", _below_all(refined, initial)),
            Claim(figure, f"ARP and NG are almost the same{who}", alike(refined[0], refined[1], 0.05, _SLACK)),
        ]
    return tuple(made)


def _nothing(found: Found) -> Verdict:
    values = {name: found.at("glp", {"method": name, "d": 1}) for name in ("AIP", "ARP", "NG")}
    told = ", ".join(f"{name} {value:.5f}" for name, value in values.items())
    return Verdict(max(values.values()) < 0.0001, f"{told}: a row left over joins a group of another block in ARP")


def _chart(name: str, over: str, label: str) -> Chart:
    return Chart(name, f"Correspondence loss, varying {over}", over, label, "glp", "GLP", "method")


BY_L = Experiment(
    paper="003",
    name="fig2",
    title="correspondence loss against l, 20,000 rows",
    points=grid({"method": list(LINES), "l": DIVERSITIES}),
    quick=grid({"method": ["AT", "ARP", "NG, repaired"], "l": [5]}),
    prepare=people,
    measure=measure,
    charts=(_chart("fig2", "l", "l"),),
    claims=_claims("fig2", "l", rises),
)

BY_ROWS = Experiment(
    paper="003",
    name="fig4",
    title="correspondence loss against rows, l = 5",
    points=grid({"method": list(LINES), "n": SIZES}),
    quick=grid({"method": ["AIP", "ARP, repaired"], "n": [10_000]}),
    prepare=people,
    measure=measure,
    charts=(_chart("fig4", "n", "rows"),),
    claims=_claims("fig4", "n", falls),
)

BY_COLUMNS = Experiment(
    paper="003",
    name="fig6",
    title="correspondence loss against quasi-identifiers, 20,000 rows, l = 5",
    points=grid({"method": list(LINES), "d": range(1, 8)}),
    quick=grid({"method": ["ARP", "AIP, repaired"], "d": [1, 3]}),
    prepare=people,
    measure=measure,
    charts=(_chart("fig6", "d", "quasi-identifiers, weakest first by φ²"),),
    claims=(
        *_claims("fig6", "d", rises),
        Claim("fig6", "with one attribute AIP, ARP and NG lose nothing", _nothing),
    ),
)
