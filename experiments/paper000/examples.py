"""Numbers of the worked examples, Figures 1, 3 and 7: twelve patients, put together again from what the text says.

The figures are lost. Twelve rows follow from the examples, but for last digits, the name of one disease and which of
two rows has flu; none of these changes a number here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

import sfumato as sf
from experiments.contract import Claim, Experiment, Found, Printed, Row, Verdict
from experiments.paper000.compared import published
from experiments.paper000.data import People
from experiments.shapes import number

__all__ = ["EXAMPLES"]

SEEDS = 40
_AGES = (20, 21, 22, 23, 24, 30, 31, 32, 33, 34, 25, 26)
_ZIPS = ("10001", "10002", "10003", "10004", "10005", "10006", "10007", "10008", "10009", "10000", "10011", "10012")
_ILL = ("hepatitis",) * 4 + ("tuberculosis", "hepatitis") + ("tuberculosis",) * 3 + ("flu", "hepatitis", "other hemal")
_BY_DECADE, _BY_ZIP, _SWEPT = "Figure 1b, by decade of age", "Figure 1c, by four digits", "Figure 3, swept"


def patients() -> People:
    decades = {f"[{ten},{ten + 9}]": [str(ten + one) for one in range(10)] for ten in (20, 30)}
    codes = {f"100{ten}*": [f"100{ten}{one}" for one in range(10)] for ten in (0, 1)}
    diseases = {"hemal disease": ["hepatitis", "other hemal"], "other disease": ["tuberculosis", "flu"]}
    frame = pl.DataFrame({"age": [str(age) for age in _AGES], "zip": _ZIPS, "disease": _ILL})
    columns: dict[str, Any] = {
        "age": {"role": "quasi", "type": "text", "hierarchy": {"tree": decades}},
        "zip": {"role": "quasi", "type": "text", "hierarchy": {"tree": codes}},
        "disease": {"role": "sensitive", "hierarchy": {"tree": diseases}},
    }
    return People(frame, columns, "disease", 2)


def measure(people: People, settings: Row) -> Sequence[Row]:
    """In Bob's class, the first row's, the share of the most frequent disease and of two; or information over seeds."""
    if settings["table"] == _SWEPT:
        return _swept(people)
    shown = pl.col("age").str.head(1) if settings["table"] == _BY_DECADE else pl.col("zip").str.head(4)
    counts = people.frame.filter(shown == shown.first())["disease"].value_counts(sort=True)["count"].to_list()
    return [{name: round(sum(counts[:most]) / sum(counts), 6) for most, name in enumerate(("one", "two"), 1)}]


def _swept(people: People) -> list[Row]:
    kept, cells = [], people.frame.height * len(people.columns)
    for seed in range(SEEDS):
        release = published(people, sf.TauL("0.5", 3), sf.Sweep(faithful=True), seed)
        figure = sf.measure(release, only=["information-utility"]).measurements[0].figure
        kept.append(0.0 if figure is None else round(figure.value, 6))
    printed = round(13 / 36, 6)
    same = kept.count(printed)
    return [{"cells": cells, "utility": printed if same else max(kept), "same": same, "most": max(kept)}]


def _times_cells(found: Found) -> float:
    return found.at("utility", {"table": _SWEPT}) * found.at("cells", {"table": _SWEPT})


def _among(found: Found) -> Verdict:
    (row,) = found.where({"table": _SWEPT}).rows
    told = f"{row['same']} of {SEEDS} seeds give it; the most that one keeps is {float(row['most'] or 0):.3f}"
    return Verdict(float(row["same"] or 0) > 0, told)


def _at(figure: str, table: str) -> Callable[[Found], float]:
    return number(figure, {"table": table})


EXAMPLES = Experiment(
    paper="000",
    name="examples",
    title="the worked examples, twelve patients",
    points=tuple({"table": name} for name in (_BY_DECADE, _BY_ZIP, _SWEPT)),
    quick=({"table": _BY_DECADE},),
    prepare=patients,
    measure=measure,
    printed=(
        Printed("Example 4: Bob has hepatitis or tuberculosis, table (c)", 0.9, _at("two", _BY_ZIP), 1),
        Printed("Example 4: Bob has hepatitis, table (b)", 0.714, _at("one", _BY_DECADE), 3),
        Printed("Example 15: information of the original", 36, _at("cells", _SWEPT)),
        Printed("Example 15: information of Figure 3", 13, _times_cells),
        Printed("Example 15: utility", 0.36, _at("utility", _SWEPT), 2),
    ),
    claims=(Claim("fig3", "Figure 3 is what SWEEP makes for (0.5, 3)", _among),),
)
