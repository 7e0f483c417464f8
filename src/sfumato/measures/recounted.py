"""A loss that searches make small, counted again from what was published.

A search knows what groups show, here it is read from the cells: what each stands for, as codes of the original's
domain, and what that costs. So a release of any tool has the loss, and one of ours has the loss that it came with. A
suppressed row costs 1 in every column, whether it was left out or stays as `*`; so does a cell that stands for no value
of its column, and a column that the release does not have. Without a document that says how many rows are suppressed,
those are that show `*` in all quasi-identifiers.

Where names of a hierarchy's nodes are made from the data (`balanced`) and rows were suppressed, a node is called by the
values that are left below it: what is read is what its name says, which may be less than the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.loss.contract import Loss
from sfumato.release.subject import Subject

__all__ = ["Recounted", "WeightsLike", "hidden_classes", "hidden_rows", "recounted", "weights_of"]

Floats = NDArray[np.float64]

WeightsLike = Mapping[str, Any] | None
"""Importance of columns; those that are not named have 1. None: what the policy says."""


@dataclass(frozen=True)
class Recounted:
    """The mean cost of every column's cells, how much each column weighs, and the loss of all."""

    means: Mapping[str, float]
    weights: Mapping[str, float]
    value: float

    @property
    def weight(self) -> float:
        """Of all columns."""
        return sum(self.weights.values())


def weights_of(subject: Subject, given: WeightsLike) -> dict[str, Fraction]:
    """The weights that are given, else those of the policy. `InputError` if one is no number, or negative."""
    if given is None:
        return dict(subject.policy.loss.weights)
    try:
        made = {name: as_fraction(weight) for name, weight in given.items()}
    except (AttributeError, ValueError):
        raise InputError("weights must be numbers by the names of columns") from None
    if any(weight < 0 for weight in made.values()):
        raise InputError("the weight of a column must not be negative")
    unknown = [name for name in made if name not in subject.policy.columns]
    if unknown:
        raise InputError(f"weights: there is no column {', '.join(map(repr, unknown))}")
    return made


def recounted(subject: Subject, loss: Loss, names: Sequence[str]) -> Recounted:
    """The loss of some columns of a release. `Lacking` without the original table."""
    means = {name: column_mean(subject, loss, name) for name in names}
    weights = {name: loss.weight(subject.domain(name)) for name in names}
    told = np.array([subject.published - hidden_rows(subject)], dtype=np.int64)
    costs, weighed = (np.array([*each.values()], dtype=np.float64) for each in (means, weights))
    return Recounted(means, weights, loss.value(costs, weighed, told, subject.rows))


def column_mean(subject: Subject, loss: Loss, name: str) -> float:
    """The mean cost of a column's cells, over all rows of the original."""
    shown = {column for frame in (*subject.people, subject.seen.table) for column in frame.columns}
    if name not in shown:
        return 1.0
    cells, hidden = subject.cells(name), hidden_rows(subject)
    spans, empty = cells.spans, cells.spans.values == 0
    costs = np.ones(len(spans))
    costs[~empty] = loss.cost(cells.domain, spans.low[~empty], spans.high[~empty], spans.values[~empty])
    counts = cells.counts.astype(np.float64)
    if hidden:
        counts -= _hidden_cells(subject, name) * hidden
    return (float(costs @ counts) + hidden + subject.suppressed) / max(subject.rows, 1)


def hidden_rows(subject: Subject) -> int:
    """Suppressed rows that the release shows."""
    document = subject.received.evidence.document
    if document is not None:
        return document.rows.suppressed - document.rows.left_out
    return int(subject.classes[2][hidden_classes(subject)].sum())


def hidden_classes(subject: Subject) -> NDArray[np.bool_]:
    """Per class of a release, whether its rows show `*` in all quasi-identifiers."""
    people, _, sizes = subject.classes
    told = np.zeros(len(people), dtype=np.bool_)
    for name in subject.quasi:
        cells = subject.cells(name)
        told |= np.array([text != "*" for text in cells.texts])[cells.codes]
    shown = np.bincount(people[told], minlength=len(sizes))
    return np.asarray((sizes > 0) & (shown == 0) & bool(subject.quasi))


def _hidden_cells(subject: Subject, name: str) -> Floats:
    """The share of rows with each cell among those that show nothing of their quasi-identifiers."""
    people, secrets, _ = subject.classes
    cells = subject.cells(name)
    rows = hidden_classes(subject)[people if name in subject.quasi else secrets]
    found = np.bincount(cells.codes[rows], minlength=len(cells.texts))
    return np.asarray(found / max(found.sum(), 1))
