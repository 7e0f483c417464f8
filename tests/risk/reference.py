"""Risk by its definitions, slowly: every person against every row, in fractions. It shares no code with the product but
what a cell means (`covers`)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import polars as pl

import sfumato as sf
from sfumato.release.cells import covers
from sfumato.release.subject import Subject
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["POLICY", "QUASI", "fits", "guess", "people", "released", "rows_for", "summary", "texts_of"]

QUASI = ("age", "zip", "sex")
POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "simple-l", "l": 2}],
    "partition": {"method": "mondrian"},
}

Texts = dict[str, str]


def people(seed: int, rows: int) -> pl.DataFrame:
    """Rows of a small hospital, of which no disease fills more than half; some are alike."""
    draw = random.Random(seed)
    diseases = [f"d{place % 5}" for place in range(rows)]
    draw.shuffle(diseases)
    ages = draw.choice([5, 40])
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 20 + ages) for _ in range(rows)],
            "zip": [f"{draw.randrange(3)}{draw.randrange(3)}" for _ in range(rows)],
            "sex": [draw.choice(["female", "male"]) for _ in range(rows)],
            "disease": diseases,
        }
    )


def released(frame: pl.DataFrame, form: str, **changes: Any) -> sf.Release:
    return sf.publish(frame, policy={**POLICY, "form": {"publish": form}, **changes}, seed=1)


def texts_of(frame: pl.DataFrame, names: Sequence[str] = QUASI) -> list[Texts]:
    return frame.select(pl.col(*names).cast(pl.String)).to_dicts()


def fits(subject: Subject, row: Texts, person: Texts) -> bool:
    """Whether a published row may be a person's, by what both have."""
    columns = subject.policy.columns
    return all(covers(row[name], person[name], columns[name], _tree(subject, name, person)) for name in person)


def _tree(subject: Subject, name: str, person: Texts) -> Taxonomy | None:
    """The tree of a column, if it has the person's value; a mask may stand for values that the table lacks."""
    tree = subject.domain(name).taxonomy
    return tree if tree is None or person[name] in tree.leaves else None


def rows_for(subject: Subject, person: Texts) -> list[Texts]:
    """The published rows that may be a person's."""
    shown = subject.seen.table.cast(pl.String).to_dicts()
    return [row for row in shown if fits(subject, row, person)]


def summary(risks: Sequence[Fraction], thresholds: Sequence[Fraction]) -> tuple[float, float, list[int]]:
    """The largest, the mean, and how many are not below each threshold."""
    mean = sum(risks, Fraction(0)) / max(len(risks), 1)
    return float(max(risks, default=Fraction(0))), float(mean), [sum(risk >= t for risk in risks) for t in thresholds]


def guess(values: Sequence[Any]) -> Fraction:
    """The share of the commonest."""
    return Fraction(max(Counter(values).values()), len(values))
