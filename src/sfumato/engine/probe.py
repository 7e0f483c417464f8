"""A tiny table on which any promise can be asked for, without data."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.knowledge.table import Knowledge
from sfumato.policy.promise import Promise
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.line import Line
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy

__all__ = ["SAMPLE_VALUES", "probe"]

SAMPLE_VALUES = ("a", "b", "c", "d")
_LINE = Line("place", {value: place for place, value in enumerate(SAMPLE_VALUES)})
_EACH = np.full(4, 4, dtype=np.int64)
_TREE = Node("*", (Node("ab", (Node("a"), Node("b"))), Node("cd", (Node("c"), Node("d")))))


def probe(promise: Promise) -> Tuples:
    """Sixteen rows: every combination of two columns, the second sensitive only where a promise speaks of several.

    Where one speaks of terms, every sample value is the only term of a label of its own.
    """
    first, second = (codes.reshape(-1).astype(np.int32) for codes in np.indices((4, 4)))
    several = any(part.of_each is not None for part in promise.parts)
    sensitive = (_column("s"), *([_column("u")] if several else []))
    codes = {"q": second, "s": first, "u": second, "t": first}
    sets = (_terms("t"),) if any(part.about_terms for part in promise.parts) else ()
    used = {domain.name: codes[domain.name] for domain in (_column("q"), *sensitive, *sets)}
    return Tuples(np.ones(16, dtype=np.int64), used, (_column("q"),), sensitive, sets)


def _terms(name: str) -> SetDomain:
    knowledge = Knowledge.of([(value.upper(), [value]) for value in SAMPLE_VALUES])
    sets = tuple((value,) for value in SAMPLE_VALUES)
    return SetDomain(name, pl.Series(name, SAMPLE_VALUES), _EACH, sets=sets, knowledge=knowledge)


def _column(name: str) -> Domain:
    return Domain(name, pl.Series(name, SAMPLE_VALUES), _EACH, taxonomy=Taxonomy.of(_TREE), ordered=True, line=_LINE)
