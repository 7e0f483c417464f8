"""Adult as the paper uses it: 30,162 rows, four numbers, three categories, occupation sensitive; and who is compared.

The paper says that work class is sensitive, and means occupation: the value that it names as the most frequent,
Prof-specialty, is an occupation. Its hierarchies are not told; those that come with sfumato stand in for them. Numbers
have hierarchies, of intervals, for Incognito alone, which cannot do without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

import sfumato as sf
from benchmarks.losses import Adult
from sfumato import datasets
from sfumato.datasets.catalogue import complete
from sfumato.policy.methods import Method
from sfumato.policy.promises import DistinctL, EntropyL, PairwiseL, Promise, SimpleL

__all__ = ["CATEGORIES", "COMPARED", "DIVERSITIES", "NUMBERS", "SENSITIVE", "Compared", "People", "people", "people_of"]

NUMBERS = ("age", "fnlwgt", "education-num", "hours-per-week")
CATEGORIES = ("marital-status", "race", "sex")
SENSITIVE = "occupation"
DIVERSITIES = (2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class Compared:
    """A method and the promise that it is asked for; `trees`: numbers have hierarchies."""

    method: Method
    promise: Callable[[int], Promise]
    trees: bool = False


COMPARED: dict[str, Compared] = {
    "BSGI": Compared(sf.Bsgi(incorporate="total"), PairwiseL),
    "BSGI, least increase": Compared(sf.Bsgi(), PairwiseL),
    "Mondrian, distinct": Compared(sf.Mondrian(), DistinctL),
    "Mondrian, entropy": Compared(sf.Mondrian(), EntropyL),
    "Mondrian, simple": Compared(sf.Mondrian(), SimpleL),
    "Incognito, distinct": Compared(sf.Incognito(), DistinctL, trees=True),
    "Incognito, simple": Compared(sf.Incognito(), SimpleL, trees=True),
    "ours: bsgi-free, polish": Compared(sf.BsgiFree(polish=True), PairwiseL),
    "ours: Mondrian, polish, simple": Compared(sf.Mondrian(polish=True), SimpleL),
}


@dataclass(frozen=True)
class People:
    """The table coded twice: numbers as they are, and with hierarchies."""

    plain: Adult
    trees: Adult

    def coded(self, how: Compared) -> Adult:
        return self.trees if how.trees else self.plain


def people() -> People:
    """The rows in which nothing is missing."""
    return people_of(complete(datasets.adult_training()))


def people_of(frame: pl.DataFrame) -> People:
    return People(_coded(frame, trees=False), _coded(frame, trees=True))


def _coded(frame: pl.DataFrame, trees: bool) -> Adult:
    how = datasets.adult_hierarchies()
    plain = {"type": "integer"}
    columns = {
        **{name: {"role": "quasi", **(how[name] if trees else plain)} for name in NUMBERS},
        **{name: {"role": "quasi", **how[name]} for name in CATEGORIES},
        SENSITIVE: {"role": "sensitive"},
    }
    policy = {"version": 1, "columns": columns, "privacy": [{"model": "distinct-l", "l": 2}]}
    return Adult.of(sf.read(frame.select(*columns), policy))
