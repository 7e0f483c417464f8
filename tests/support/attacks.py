"""Small releases to attack, and what each person may be by looking at every row: slow, and without the product's code
for it."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import polars as pl

import sfumato as sf
from sfumato.release.cells import covers

__all__ = ["POLICY", "distributions", "hospital", "released"]

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


def hospital(seed: int, rows: int, diseases: int = 5) -> pl.DataFrame:
    """A few people, of whom no disease fills more than half."""
    draw = random.Random(seed)
    held = [f"d{place % diseases}" for place in range(rows)]
    draw.shuffle(held)
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 60) for _ in range(rows)],
            "zip": [f"{draw.randrange(4)}{draw.randrange(10)}" for _ in range(rows)],
            "sex": [draw.choice(["female", "male", "other"]) for _ in range(rows)],
            "disease": held,
        }
    )


def released(frame: pl.DataFrame, form: str = "generalized", **changes: Any) -> sf.Release:
    return sf.publish(frame, policy={**POLICY, "form": {"publish": form}, **changes}, seed=1)


def distributions(frame: pl.DataFrame, release: sf.Release) -> list[tuple[str, dict[str, Fraction]]]:
    """Per row of the original: its disease, and how likely each is by the generalized rows that cover it."""
    columns = sf.read_policy(POLICY).columns
    shown = release.table.cast(pl.String).to_dicts()
    made = []
    for row in frame.cast(pl.String).to_dicts():
        mine = [
            other["disease"]
            for other in shown
            if all(covers(other[name], row[name], columns[name]) for name in ("age", "zip", "sex"))
        ]
        made.append((row["disease"], {value: Fraction(n, len(mine)) for value, n in Counter(mine).items()}))
    return made
