"""The paper's synthetic knowledge, groups of patients, and Adult with terms; and what is asked of a search.

The knowledge has 3,000 labels of Poisson(20) terms, each term in Poisson(100) of them. Terms of a row are drawn from
one label: nine drawn at large fit no label at all. What labels a reader believes in before is the same of each, where
groups are made by themselves, and that of the linked rows, where they are Adult's.

A search is bounded by work, masses added and values compared, where the paper has 10 seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

from benchmarks.terms import cells_of, labels_of
from experiments.contract import Row
from sfumato import datasets
from sfumato.datasets.catalogue import complete
from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients
from sfumato.knowledge.belief import LabelCL, LabelPromise, LabelT
from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.table import Knowledge

__all__ = [
    "DEFAULTS",
    "QUASI",
    "ROWS",
    "SEARCHES",
    "Patients",
    "group",
    "knowledge",
    "patients",
    "patients_of",
    "promise",
]

SEED = 7
ROWS = 3_000
DEFAULTS: Row = {"terms": 9, "rows": 5, "c": 1.0, "l": 30, "t": 0.4}
QUASI = ("age", "education-num", "workclass", "marital-status", "occupation", "race", "sex", "native-country")
SEARCHES = ("adaptive", "DFS", "optimum")


def knowledge() -> Knowledge:
    return synthetic_knowledge(SEED)


def group(known: Knowledge, settings: Row, dataset: int) -> TermSets:
    """One group of rows with terms, the same for the same dataset."""
    at = {**DEFAULTS, **settings}
    return synthetic_patients(known, int(at["rows"] or 0), int(at["terms"] or 0), dataset)


def promise(known: Knowledge, kind: str, settings: Row) -> LabelPromise:
    """QS (c,l)-diversity, or QS t-closeness to labels that are equally likely."""
    at = {**DEFAULTS, **settings}
    if kind == "cl":
        return LabelCL(str(at["c"]), int(at["l"] or 0))
    return LabelT(str(at["t"]), [Fraction(1, len(known.labels))] * len(known.labels))


@dataclass(frozen=True)
class Patients:
    """Rows of Adult with terms, and what their columns are."""

    frame: pl.DataFrame
    columns: dict[str, Any]

    def policy(self, privacy: list[dict[str, Any]], partition: dict[str, Any]) -> dict[str, Any]:
        return {"version": 1, "columns": self.columns, "privacy": privacy, "partition": partition}


def patients() -> Patients:
    """3,000 rows of Adult in which nothing is missing."""
    return patients_of(complete(datasets.adult_training()).head(ROWS), knowledge(), int(DEFAULTS["terms"] or 0))


def patients_of(frame: pl.DataFrame, known: Knowledge, terms: int) -> Patients:
    how = datasets.adult_hierarchies()
    sets = synthetic_patients(known, frame.height, terms, SEED)
    held = frame.select(*QUASI, pl.Series("terms", cells_of(known, sets)))
    numbers = {name: {"type": "integer"} for name in ("age", "education-num")}
    columns: dict[str, Any] = {name: {"role": "quasi", **numbers.get(name, how[name])} for name in QUASI}
    columns["terms"] = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": labels_of(known)}}
    return Patients(held, columns)
