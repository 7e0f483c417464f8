"""Table 1: rows and different values of each attribute; and φ² with the occupation, by which attributes are ordered."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from benchmarks.comparison import QUASI, SENSITIVE
from experiments.contract import Experiment, Printed, Row
from experiments.paper003.data import people, strengths
from experiments.shapes import number

__all__ = ["FACTS"]

_PRINTED = {
    "age": 72,
    "sex": 2,
    "education": 16,
    "marital-status": 7,
    "race": 5,
    "workclass": 7,
    "relationship": 6,
    SENSITIVE: 14,
}


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """Rows of the table, values of the column, its φ² with the occupation."""
    name = str(settings["column"])
    return [{"rows": frame.height, "values": frame[name].n_unique(), "phi2": round(strengths(frame).get(name, 1.0), 6)}]


_POINTS = tuple({"column": name} for name in (*QUASI, SENSITIVE))

FACTS = Experiment(
    paper="003",
    name="table1",
    title="rows and different values of each attribute, and φ² with the occupation",
    points=_POINTS,
    quick=_POINTS,
    prepare=people,
    measure=measure,
    printed=(
        Printed("valid rows", 30718, number("rows", {"column": SENSITIVE})),
        *(
            Printed(f"different values of {name}", count, number("values", {"column": name}))
            for name, count in _PRINTED.items()
        ),
    ),
)
