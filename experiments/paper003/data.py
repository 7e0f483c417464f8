"""Adult as the paper uses it, its quasi-identifiers by φ², and the methods that it compares.

The 30,718 rows of the training part whose occupation and work class are known. Table 1 has Relationship where the text
has Country; its cardinalities are those of Relationship.

AIP is the initial partition, ARP its refinement, NG the rings of its blocks, AT Anatomy as its authors draw rows. By
the paper's rule a block that was merged is final; `repaired` ones may be split by the next attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.comparison import QUASI, SENSITIVE, Compared, coded, one
from sfumato import datasets
from sfumato.measures.association import phi2
from sfumato.measures.correspondence import alike, glp, nlp_of_groups
from sfumato.policy.methods import Anatomy, Arp, Method
from sfumato.table.tuples import Tuples

__all__ = ["LINES", "PAPERS", "REPAIRED", "ROWS", "drawn_groups", "people", "ran", "strengths", "table_of"]

Ints = NDArray[np.int64]
ROWS = 20_000
_INITIAL, _WHOLE = Arp(initial_only=True, split_merged=False), Arp(split_merged=False)


@dataclass(frozen=True)
class Way:
    """A method, and whether its groups are put into rings; None: rows are drawn as the authors of Anatomy do."""

    method: Method | None
    rings: bool = False


LINES: dict[str, Way] = {
    "AT": Way(None),
    "AIP": Way(_INITIAL),
    "ARP": Way(_WHOLE),
    "NG": Way(_INITIAL, rings=True),
    "AIP, repaired": Way(Arp(initial_only=True)),
    "ARP, repaired": Way(Arp()),
    "NG, repaired": Way(Arp(initial_only=True), rings=True),
    "AT, dealt": Way(Anatomy()),
}
PAPERS = ("AT", "AIP", "ARP", "NG")
REPAIRED = ("AT", "AIP, repaired", "ARP, repaired", "NG, repaired")


def people() -> pl.DataFrame:
    """The rows that the paper has, in an order that says nothing."""
    known = pl.col(SENSITIVE) != "?", pl.col("workclass") != "?"
    return datasets.adult_training().filter(*known)


def table_of(frame: pl.DataFrame, rows: int, columns: Sequence[str] = QUASI) -> Tuples:
    """So many of the rows, with some of the quasi-identifiers."""
    return coded(frame.head(rows), columns)


def strengths(frame: pl.DataFrame) -> dict[str, float]:
    """φ² of every quasi-identifier with the occupation, weakest first."""
    found = {name: phi2(_crossed(frame, name)) for name in QUASI}
    return dict(sorted(found.items(), key=lambda each: each[1]))


def _crossed(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    """How often values of a column go with each occupation."""
    codes = [
        frame[each].cast(pl.String).cast(pl.Categorical).to_physical().rank("dense").to_numpy() - 1
        for each in (name, SENSITIVE)
    ]
    counts = np.zeros((int(codes[0].max()) + 1, int(codes[1].max()) + 1))
    np.add.at(counts, (codes[0].astype(np.int64), codes[1].astype(np.int64)), 1)
    return counts


def ran(table: Tuples, name: str, l: int, seed: int) -> Compared:
    """One method on a table; milliseconds are of CPU time."""
    way = LINES[name]
    if way.method is not None:
        return one(table, name, way.method, l, seed, rings=way.rings)
    each = table.each()
    values = each.codes[SENSITIVE].astype(np.int64)
    labels = drawn_groups(values, l, seed)
    return Compared(name, int(labels.max()) + 1, float(glp(nlp_of_groups(alike(each), values, labels))), 0.0)


def drawn_groups(values: Ints, l: int, seed: int) -> Ints:
    """Anatomy as in its paper: a random row of each of the l largest buckets, again and again; then the rows left over.

    Each of these joins a random group that lacks its value.

    >>> drawn_groups(np.array([0, 0, 1, 1, 2]), 2, 0).tolist().count(-1)
    0
    """
    chance = np.random.default_rng(seed)
    order = chance.permutation(len(values))
    buckets = [order[values[order] == value].tolist() for value in range(int(values.max()) + 1)]
    left = np.array([len(bucket) for bucket in buckets])
    labels, held = np.full(len(values), -1, np.int64), list[NDArray[np.bool_]]()
    while (left > 0).sum() >= l:
        largest = np.lexsort((chance.random(len(left)), -left))[:l]
        for value in largest.tolist():
            labels[buckets[value].pop()] = len(held)
        left[largest] -= 1
        held.append(np.isin(np.arange(len(left)), largest))
    has = np.array(held)
    for value, bucket in enumerate(buckets):
        for row in bucket:
            group = int(chance.choice(np.flatnonzero(~has[:, value])))
            labels[row], has[group, value] = group, True
    return labels
