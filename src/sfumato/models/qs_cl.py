"""QS (c,l)-diversity: of the labels that the terms of a group may stand for, the likeliest is believed at most c times
as much as those from the l-th on together.

With K(t) the labels whose terms include all of t, a linked row believes each of them equally, or as the knowledge says;
a group believes a label as its linked rows do on average. p_1 <= c (p_l + ... + p_m), the p in descending order.

Guarantee: no label is believed with more than c/(c+1), for l of at least 2, by who knows the group and the knowledge
table. The comparison is not strict: with beliefs 1/2, 1/2 both (1,2) and the bound 1/2 are met exactly.

Deviations: rows that are linked to no label are left out of the beliefs, and reported; see `terms`.

P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, Definition 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.belief import LabelCL as Asked
from sfumato.knowledge.judge import group_mass
from sfumato.models.contract import Groups
from sfumato.models.terms import OfTerms
from sfumato.policy import promises
from sfumato.table.domain import SetDomain

__all__ = ["QsCLModel"]


@dataclass(frozen=True, eq=False)
class QsCLModel(OfTerms):
    """p_1 <= c (p_l + ... + p_m)."""

    promise: promises.QsCL
    asked: Asked

    @staticmethod
    def asking(promise: Any, column: SetDomain) -> Asked:
        return Asked(promise.c, promise.l)

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The largest l that holds under c; `inf` where no row is linked."""
        found = self.judged(groups)
        levels = np.where(found.unlinked_only, np.inf, found.levels)
        return np.where(groups.sizes > 0, levels, 0.0)

    def out_of_reach(self, allowed: int) -> str | None:
        """Fewer labels than l: a row that is linked to some stays so, whichever of its terms go."""
        column = self.column
        labels = len(column.told.labels)
        if labels >= self.promise.l:
            return None
        linked = group_mass(column.told, column.terms, column.links, _rows(column)).linked
        if linked <= allowed:
            return None
        return f"{linked} rows are linked by column {column.name!r}, whose knowledge has {labels} labels"

    def nearest(self, whole: Groups) -> promises.QsCL | None:
        """The largest l for this c; where none holds, the least c for l = 1, in hundredths."""
        if not whole.sizes[0]:
            return None
        mass = self.mass(whole)
        reached = self.asked.reached(mass)
        if reached:
            return replace(self.promise, l=min(reached, self.promise.l))
        share = Fraction(int(mass.parts.max()), int(mass.parts.sum()))
        return replace(self.promise, c=Fraction(ceil(100 * share), 100), l=1)


def _rows(column: SetDomain) -> list[int]:
    """The set of every row of the table."""
    every: list[int] = np.repeat(np.arange(column.size), column.counts).tolist()
    return every
