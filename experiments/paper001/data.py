"""Adult as the paper uses it, with hierarchies of the heights of its Figure 4; and a table with the shape of Lands End.

Age grows by 5, 10 and 20 years; sex and race are shown or not; marital status, country and work class have one step in
between, education two. Lands End is not public: only its size, domains and heights are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sfumato import datasets

__all__ = ["LANDS_END", "QUASI", "Census", "census", "census_of", "lands_end"]

QUASI = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")

LANDS_END: Mapping[str, tuple[int, int]] = {
    "zip": (31_953, 5),
    "date": (320, 3),
    "gender": (2, 1),
    "style": (1_509, 1),
    "price": (346, 4),
    "quantity": (1, 1),
    "shipment": (2, 1),
}
"""Different values and height of every quasi-identifier, as printed; cost, in 147 buckets, is sensitive."""


@dataclass(frozen=True)
class Census:
    """A table of people and what a policy says of its columns."""

    frame: pl.DataFrame

    def policy(self, quasi: Sequence[str], sensitive: str) -> dict[str, Any]:
        how = _hierarchies()
        columns: dict[str, Any] = {name: {"role": "quasi", **how[name]} for name in quasi}
        columns[sensitive] = {"role": "sensitive"}
        return {"version": 1, "columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]}

    def select(self, quasi: Sequence[str], sensitive: str) -> pl.DataFrame:
        return self.frame.select(*quasi, sensitive)


def census() -> Census:
    """The 45,222 rows in which nothing is missing."""
    return census_of(datasets.adult_complete())


def census_of(frame: pl.DataFrame) -> Census:
    return Census(frame)


def _hierarchies() -> dict[str, dict[str, Any]]:
    """Ours, with levels left out where the paper has fewer."""
    how = datasets.adult_hierarchies()
    spouse, regions = how["marital-status"]["hierarchy"]["tree"], how["native-country"]["hierarchy"]["tree"]
    lower = {label: values for part in spouse.values() for label, values in part.items()}
    places = {part: [value for values in inner.values() for value in values] for part, inner in regions.items()}
    return {
        **how,
        "age": {"type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
        "race": {"hierarchy": "flat"},
        "marital-status": {"hierarchy": {"tree": lower}},
        "native-country": {"hierarchy": {"tree": places}},
    }


def lands_end(rows: int, seed: int = 0) -> pl.DataFrame:
    """So many orders, values drawn with the frequencies of a long tail; 4,591,581 are the paper's."""
    chance = np.random.default_rng(seed)
    made = {name: _long_tail(chance, size, rows) for name, (size, _) in LANDS_END.items()}
    return pl.DataFrame({**made, "cost": _long_tail(chance, 147, rows)})


def _long_tail(chance: np.random.Generator, size: int, rows: int) -> np.ndarray[Any, Any]:
    weights = 1 / np.sqrt(np.arange(1, size + 1))
    return chance.choice(size, rows, p=weights / weights.sum())
