"""Learners of scikit-learn, by features that keep what a general value says: the extra `learn`.

A value of a column with an order is its place on the line, a cell that stands for several the middle of the least and
the largest. A column without an order has a feature per value, which is the chance that a cell stands for it: 1 and 0
of a value, a third each of a cell that stands for three. Where that would be more than 50 features, it is one: the
place in the column's order, which follows its hierarchy.

Reference: Pedregosa et al.: Scikit-learn: machine learning in Python. JMLR 12, 2011.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.examples import Examples
from sfumato.randomness import Randomness
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Lacking
from sfumato.table.domain import Domain

__all__ = ["Natural", "Scikit", "features_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Scikit = Literal["tree", "logistic"]

_WIDE = 50
_BLOCK = 100_000
"""Rows that are judged at a time."""


@dataclass(frozen=True, eq=False)
class Natural:
    """What was learnt: one value for all, if there was no other to learn."""

    model: Any
    constant: int

    @classmethod
    def learnt(cls, learner: Scikit, rows: Examples, randomness: Randomness) -> Natural:
        made = _maker(learner)(int(randomness.numbers(1, "scikit-learn")[0] % np.uint64(2**31)))
        constant = int(rows.targets[0]) if len(rows) else 0
        if (rows.targets == constant).all():
            return cls(None, constant)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged: what it learnt by then is judged
            return cls(made.fit(_table(rows, slice(None)), rows.targets), constant)

    def says(self, rows: Examples) -> Ints:
        """What it says of rows."""
        if self.model is None:
            return np.full(len(rows), self.constant, dtype=np.int64)
        blocks = [slice(begin, begin + _BLOCK) for begin in range(0, len(rows), _BLOCK)]
        return np.concatenate([self.model.predict(_table(rows, block)) for block in blocks]).astype(np.int64)


def _maker(learner: Scikit) -> Callable[[int], Any]:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise Lacking("scikit-learn, which comes with the extra `learn`: pip install 'sfumato[learn]'") from None
    if learner == "tree":
        return lambda seed: DecisionTreeClassifier(random_state=seed)
    return lambda seed: make_pipeline(StandardScaler(), LogisticRegression(tol=1e-3, random_state=seed))


def _table(rows: Examples, block: slice) -> Floats:
    """Features of some rows, side by side."""
    parts = [features_of(domain, rows.spans[domain.name])[rows.cells[domain.name][block]] for domain in rows.features]
    return np.hstack(parts) if parts else np.zeros((len(rows.targets[block]), 1))


def features_of(domain: Domain, spans: CellSpans) -> Floats:
    """A row per cell.

    >>> import polars as pl
    >>> spans = CellSpans(*(np.array(each) for each in ([0, 0], [0, 1], [1, 2], [0, 0, 0], [])))
    >>> features_of(Domain("sex", pl.Series(["f", "m", "x"]), np.array([1, 1, 1])), spans).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    places = _places(domain)
    if places is None and domain.size <= _WIDE:
        return _chances(domain.size, spans)
    places = np.arange(domain.size, dtype=np.float64) if places is None else places
    low, high = np.where(spans.values > 0, spans.low, 0), np.where(spans.values > 0, spans.high, domain.size - 1)
    return np.asarray((places[low] + places[high]) / 2)[:, None]


def _chances(size: int, spans: CellSpans) -> Floats:
    """Per cell and value the chance that it stands for it."""
    made = np.zeros((len(spans), size), dtype=np.float64)
    for cell in range(len(spans)):
        begin, end = spans.starts[cell], spans.starts[cell + 1]
        held = spans.members[begin:end] if end > begin else slice(spans.low[cell], spans.high[cell] + 1)
        made[cell, held] = 1 / max(int(spans.values[cell]), 1)
    return made


def _places(domain: Domain) -> Floats | None:
    """Where values lie on the line, missing ones in the middle; None if they have no order."""
    if domain.line is None:
        return None
    line = domain.line
    ends = [(np.nan, np.nan) if value is None else tuple(map(float, line.bounds(value))) for value in domain.values]
    places = np.array(ends, dtype=np.float64).reshape(-1, 2).mean(axis=1)
    return np.where(np.isnan(places), np.nanmean(places) if not np.isnan(places).all() else 0.0, places)
