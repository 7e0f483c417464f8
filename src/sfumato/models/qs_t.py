"""QS t-closeness: what a group's terms make believe of labels lies within distance t of what is believed beforehand.

Beliefs are those of `qs_cl`, over the linked rows. The distance is Euclidean, as in the paper, or the earth mover's
where all labels are equally far apart, or as far as they are in a tree (`knowledge.labeltree`). What is believed
beforehand (the prior) is given, or estimated as the mean over the linked rows of the original table; it never moves
with what is suppressed.

Guarantee: the group moves the belief in every single label by at most t; in a tree of height H, by at most t H.

Deviation: the paper divides by all rows; here unlinked ones are left out, so that they cannot hide a label, and the
whole table has distance 0 from the estimated prior.

P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, Definition 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, Refused
from sfumato.knowledge.belief import Distance
from sfumato.knowledge.belief import LabelT as Asked
from sfumato.knowledge.judge import estimated_prior
from sfumato.knowledge.labeltree import LabelTree
from sfumato.models.contract import Groups
from sfumato.models.terms import OfTerms
from sfumato.policy import promises
from sfumato.table.domain import SetDomain

__all__ = ["QsTModel"]

_DISTANCES: dict[str, Distance] = {"euclidean": "euclidean", "emd": "equal", "hierarchical": "hierarchical"}


@dataclass(frozen=True, eq=False)
class QsTModel(OfTerms):
    """The distance between belief and prior is at most t."""

    promise: promises.QsT
    asked: Asked
    higher_is_better = False

    @staticmethod
    def asking(promise: Any, column: SetDomain) -> Asked:
        tree = _tree(column) if promise.distance == "hierarchical" else None
        return Asked(promise.t, _prior(promise, column), _DISTANCES[promise.distance], tree)

    def estimated(self) -> tuple[Fraction, ...] | None:
        return self.asked.prior if self.promise.prior == "table" else None

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The distance; 0 where no row is linked."""
        return np.where(groups.sizes > 0, self.judged(groups).levels, np.inf)

    def nearest(self, whole: Groups) -> promises.QsT | None:
        """The least t, in hundredths."""
        if not whole.sizes[0]:
            return None
        mass = self.mass(whole)
        if mass.unlinked_only:
            return self.promise
        if self.promise.distance != "euclidean":
            return replace(self.promise, t=Fraction(ceil(100 * self.asked.moved(mass)), 100))
        square = ceil(10_000 * self.asked.distance2(mass))
        return replace(self.promise, t=Fraction(isqrt(square - 1) + 1 if square else 0, 100))

    def obstacle(self, whole: Groups) -> str:
        return f"{super().obstacle(whole)}, at distance {float(self.level(whole)[0]):.4g} from the prior"


def _tree(column: SetDomain) -> LabelTree:
    if column.tree is None:
        raise Refused(f"column {column.name!r} has no hierarchy of its labels, which the hierarchical distance needs")
    return LabelTree.of(column.tree, column.told.labels)


def _prior(promise: promises.QsT, column: SetDomain) -> tuple[Fraction, ...]:
    """The prior of every label: as given, that of the knowledge, or estimated from the column's original counts."""
    if promise.prior == "table":
        try:
            return estimated_prior(column.told, column.terms, column.links, column.counts)
        except InputError as error:
            raise Refused(f"column {column.name!r}: {error}") from None
    if promise.prior == "knowledge":
        if column.told.priors is None:
            raise Refused(
                f"column {column.name!r}: its knowledge has no priors of labels, which qs-t is to compare with"
            )
        return column.told.priors
    given = dict(promise.prior)
    strange = len(given.keys() - set(column.told.labels))
    if strange:
        raise Refused(
            f"column {column.name!r}: the prior of qs-t names {strange} labels that its knowledge does not have"
        )
    return tuple(given.get(label, Fraction(0)) for label in column.told.labels)
