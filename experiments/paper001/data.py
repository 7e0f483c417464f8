"""Adult as the paper uses it, with hierarchies of the heights of its Figure 4; and a table with the shape of Lands End.

Age grows by 5, 10 and 20 years, [1-5] first, as in the paper; sex and race are shown or not; marital status, country
and work class have one step in between, education two. Lands End is not public: only its size, domains and heights are
known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sfumato import datasets

__all__ = ["LANDS_END", "QUASI", "VARIANTS", "Census", "census", "census_of", "lands_end", "order_columns", "sampled"]

SHARE, SEED = 0.05, 1
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


_MARRIED = ["Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent"]
_SCHOOL = ["Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th"]
VARIANTS: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "": {},
    "ages from 0": {"age": {"type": "integer", "hierarchy": {"intervals": [5, 10, 20]}}},
    "marital status: married, was married, never was": {
        "marital-status": {
            "hierarchy": {
                "tree": {
                    "married": _MARRIED,
                    "was married": ["Separated", "Divorced", "Widowed"],
                    "never was": ["Never-married"],
                }
            }
        }
    },
    "education: school, college, university": {
        "education": {
            "hierarchy": {
                "tree": {
                    "up to school": {"no diploma": _SCHOOL, "diploma": ["HS-grad"]},
                    "beyond": {
                        "college": ["Some-college", "Assoc-voc", "Assoc-acdm"],
                        "university": ["Bachelors", "Masters", "Prof-school", "Doctorate"],
                    },
                }
            }
        }
    },
}
"""Other choices of which values stand together; the paper does not tell its own."""


@dataclass(frozen=True)
class Census:
    """A table of people and what a policy says of its columns.

    variant   of which columns hierarchies are others, of the same heights
    """

    frame: pl.DataFrame
    variant: str = ""

    def policy(self, quasi: Sequence[str], sensitive: str) -> dict[str, Any]:
        how = {**_hierarchies(), **VARIANTS[self.variant]}
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


def sampled(people: Census) -> Census:
    """A Bernoulli sample of 5 %."""
    drawn = np.random.default_rng(SEED).random(people.frame.height) < SHARE
    return Census(people.frame.filter(pl.Series(drawn)), people.variant)


def _hierarchies() -> dict[str, dict[str, Any]]:
    """Ours, with levels left out where the paper has fewer."""
    how = datasets.adult_hierarchies()
    spouse, regions = how["marital-status"]["hierarchy"]["tree"], how["native-country"]["hierarchy"]["tree"]
    lower = {label: values for part in spouse.values() for label, values in part.items()}
    places = {part: [value for values in inner.values() for value in values] for part, inner in regions.items()}
    return {
        **how,
        "age": {"type": "integer", "hierarchy": {"intervals": [5, 10, 20], "origin": 1}},
        "race": {"hierarchy": "flat"},
        "marital-status": {"hierarchy": {"tree": lower}},
        "native-country": {"hierarchy": {"tree": places}},
    }


def lands_end(rows: int, seed: int = 0) -> pl.DataFrame:
    """So many orders, values drawn with the frequencies of a long tail; 4,591,581 are the paper's."""
    chance = np.random.default_rng(seed)
    made = {name: _long_tail(chance, size, rows) for name, (size, _) in LANDS_END.items()}
    return pl.DataFrame({**made, "cost": _long_tail(chance, 147, rows)})


def order_columns(used: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What a policy says of orders: a column of height 5 grows by digits of its number."""
    columns: dict[str, dict[str, Any]] = {
        name: {"role": "quasi", "type": "integer", "hierarchy": _steps(*LANDS_END[name])} for name in used
    }
    return {**columns, "cost": {"role": "sensitive"}}


def _steps(size: int, height: int) -> object:
    if height == 1:
        return "flat"
    width = max(round(size ** (1 / height)), 2)
    return {"intervals": [width**step for step in range(1, height)]}


def _long_tail(chance: np.random.Generator, size: int, rows: int) -> np.ndarray[Any, Any]:
    weights = 1 / np.sqrt(np.arange(1, size + 1))
    return chance.choice(size, rows, p=weights / weights.sum())
