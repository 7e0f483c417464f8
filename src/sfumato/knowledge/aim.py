"""A promise about labels in rounded numbers, as compiled loops take it."""

from __future__ import annotations

import numpy as np

from sfumato.errors import InputError
from sfumato.knowledge.belief import LabelCL, LabelPromise, LabelT
from sfumato.knowledge.loops.margin import CL, EQUAL, EUCLID, Aim, Choices
from sfumato.knowledge.table import Knowledge

__all__ = ["aim_at", "spread"]


def aim_at(promise: LabelPromise, knowledge: Knowledge, rows: int) -> Aim:
    """The promise in rounded numbers, and how much rounding may hide in a group of so many rows.

    In units in the last place, a chance is off by `labels` + 130 at most (its sum, and two roundings for each of up to
    62 terms), by twice the nodes of a tree more if there is one, a label's mass by `rows` more, and a sum of n parts by
    n more, n being `labels` or `l` at most. The slack is more than that times the sum of the absolute values of all
    that is added up.
    """
    labels = len(knowledge.labels)
    l = min(promise.l, labels + 1) if isinstance(promise, LabelCL) else 1  # beyond the labels all l are the same
    units = 2.0**-52 * 4 * (labels + min(l, labels * (rows + 1)) + 66 * (rows + 1))
    if isinstance(promise, LabelCL):
        c = float(promise.c)
        return Aim(CL, c, l, 0.0, np.zeros(labels), 0.0, units * rows * (2 + 2 * c))
    if len(promise.prior) != labels:
        raise InputError(f"the prior has {len(promise.prior)} numbers, the knowledge table {labels} labels")
    if promise.tree is not None:  # a node adds up labels, and there are more of them
        units *= 1 + 2 * promise.tree.size / labels
    t, kind = float(promise.t), EUCLID if promise.distance == "euclidean" else EQUAL
    return Aim(kind, 0.0, 1, t, promise.rounded, promise.square, units * 4 * rows * rows * (1 + t * t))


def spread(promise: LabelPromise, choices: Choices) -> Choices:
    """Choices as the search takes them: by labels, or by nodes of the promise's tree."""
    tree = promise.tree if isinstance(promise, LabelT) else None
    if tree is None:
        return choices
    return Choices(choices.rows, choices.costs, *tree.spread(choices.begins, choices.labels, choices.chances))
