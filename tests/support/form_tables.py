"""Small tables for the tests of forms, and what an adversary makes of a release."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any, TypeVar

import polars as pl

import sfumato as sf
from sfumato.engine.release import Release
from sfumato.policy.forms import Form
from sfumato.policy.sections import Section

S = TypeVar("S", bound=Section)

ROWS = [
    ("Ada", 20, "f", "north", "flu", "low", 1),
    ("Ben", 21, "m", "north", "cold", "mid", 2),
    ("Cleo", 22, "f", "north", "ache", "high", 3),
    ("Dov", 33, "m", "south", "flu", "low", 4),
    ("Eve", 34, "f", "south", "flu", "high", 5),
    ("Fay", 35, "f", "south", "cold", "mid", 6),
    ("Gus", 36, "m", "south", "ache", "low", 7),
    ("Hal", 50, "m", "west", "cold", "high", 8),
    ("Ida", 51, "f", "west", "ache", "mid", 9),
    ("Jan", 52, "m", "west", "flu", "low", 10),
]
NAMES = ("name", "age", "sex", "town", "disease", "income", "ward")
FRAME = pl.DataFrame(ROWS, schema=list(NAMES), orient="row")
COLUMNS: dict[str, dict[str, Any]] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "type": "integer"},
    "sex": {"role": "quasi"},
    "town": {"role": "quasi"},
    "disease": {"role": "sensitive"},
    "income": {"role": "sensitive", "order": ["low", "mid", "high"]},
    "ward": {"role": "insensitive"},
}
DISTINCT = {"model": "distinct-l", "l": 2, "on": "disease"}


def policy_for(form: Form, *promises: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The policy of the table above."""
    return {
        "columns": COLUMNS,
        "privacy": list(promises or (DISTINCT,)),
        "partition": {"method": "mondrian"},
        "form": form.model_dump(mode="json"),
        **more,
    }


def released(form: Form, *promises: dict[str, Any], seed: int = 0, **more: Any) -> Release:
    """A release of the table above; that a promise may speak of one sensitive column alone is no news."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no promise speaks of", sf.SfumatoWarning)
        return sf.publish(FRAME, policy=policy_for(form, *promises, **more), seed=seed)


def by_group(table: pl.DataFrame, columns: list[str]) -> Counter[tuple[Any, ...]]:
    """How often each combination stands in each group, by a loop."""
    counted: Counter[tuple[Any, ...]] = Counter()
    for row in table.select("group", *columns).iter_rows():
        counted[row] += 1
    return counted


def said(section: Section, kind: type[S]) -> S:
    """What a form says, by the kind of section that it declares."""
    assert isinstance(section, kind)
    return section
