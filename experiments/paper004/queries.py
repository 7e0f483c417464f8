"""Figure 12: how wrong count queries are answered, against k, for queries on 1, 3 and 5 quasi-identifiers.

Two phases under QS t-closeness (t = .4), and generalization only; 10,000 queries of expected selectivity .5.
"""

from __future__ import annotations

from collections.abc import Sequence

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Row, grid
from experiments.paper004.data import DEFAULTS, Patients, patients
from experiments.paper004.privacy import GENERALIZED, published
from experiments.shapes import Judged, Line, below, rises

__all__ = ["QUERIES"]

ASKED = (1, 3, 5)
SIZES = (2, 5, 10)
QUERIES_DRAWN = 10_000
_TWO = "two phases"


def measure(people: Patients, settings: Row) -> Sequence[Row]:
    """Mean and median error, a row per number of quasi-identifiers that queries ask of."""
    way = GENERALIZED if settings["method"] == GENERALIZED else f"k = {settings['k']}"
    release = published(people, way, {"model": "qs-t", "t": str(DEFAULTS["t"])})
    rows: list[Row] = []
    for asked in ASKED:
        drawn = {"measure": "count-queries", "style": "ranges", "dimensions": asked + 1, "queries": QUERIES_DRAWN}
        figure = sf.measure(release, only=[drawn]).measurements[0].figure
        if figure is None:
            raise LookupError("count queries need terms")
        rows.append({"qd": asked, "error": round(figure.value, 6), "median": round(figure.details["median"], 6)})
    return rows


def _line(asked: int, method: str) -> Line:
    return Line("error", "k", {"method": method, "qd": asked})


def _wins(asked: int, better: str, worse: str) -> Judged:
    return below(_line(asked, better), _line(asked, worse))


QUERIES = Experiment(
    paper="004",
    name="fig12",
    title="error of count queries against k, QS t-closeness, t = .4",
    points=grid({"method": [_TWO, GENERALIZED], "k": SIZES}),
    quick=(),
    prepare=patients,
    measure=measure,
    also=("fig12a", "fig12b", "fig12c"),
    charts=tuple(
        Chart(
            f"fig12{part}",
            f"Error of count queries, {asked} quasi-identifiers",
            "k",
            "k",
            "error",
            "mean relative error",
            "method",
            {"qd": asked},
        )
        for part, asked in zip("abc", ASKED, strict=True)
    ),
    claims=(
        Claim("fig12", "qd = 5: a smaller k answers better", rises(_line(5, _TWO))),
        Claim("fig12", "qd = 5: two phases answer better than generalization only", _wins(5, _TWO, GENERALIZED)),
        Claim("fig12", "qd = 1: generalization only answers best", _wins(1, GENERALIZED, _TWO)),
    ),
)
