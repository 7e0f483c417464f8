"""pd-recursive (c,l)-diversity: recursive (c,l), except for values that may be disclosed.

Let s be the most frequent value of a group outside the disclosable set Y. Its count must be less than c times what is
left of all other counts, those in Y included, once the l - 2 largest are ruled out. A group with values of Y only
keeps the promise, even with a single row: combine with k-anonymity if that is not meant.

The paper prints two cases, by the rank of s; this one rule equals both and does not depend on how ties are ranked.
As for recursive diversity the comparison is strict and l = 1 always holds.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, Definition 4.3, doi:10.1109/ICDE.2006.1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Facts, Groups
from sfumato.models.runs import descending, largest, reduced
from sfumato.models.tails import nearest_cl, needed_c, uniform_cl
from sfumato.models.values import which_codes
from sfumato.policy import promises

__all__ = ["PdRecursiveModel"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PdRecursiveModel(OfColumn):
    """No value outside Y, or r_y < c * tail.

    disclosable    a flag per code: in Y
    """

    promise: promises.PdRecursive
    disclosable: NDArray[np.bool_]
    higher_is_better = False

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        return cls(promise, column.name, which_codes(column, promise.disclosable, "disclosable"))

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        if self.promise.l == 1:
            return groups.sizes > 0
        first = self._first(groups)
        nothing: NDArray[np.bool_] = first == 0
        return (groups.sizes > 0) & (nothing | (compare(first, self.promise.c, self._tail(groups)) < 0))

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The number that c must exceed: 0 where only disclosable values occur, `inf` where no c will do."""
        if self.promise.l == 1:
            return np.where(groups.sizes > 0, 0.0, np.inf)
        return np.where(groups.sizes > 0, needed_c(self._first(groups), self._tail(groups)), np.inf)

    def uniform_l(self) -> int:
        """As for recursive diversity: the L values may lie outside Y."""
        return uniform_cl(self.promise.c, self.promise.l)

    def nearest(self, whole: Groups) -> promises.PdRecursive | None:
        if not whole.sizes[0]:
            return None
        first = int(self._first(whole)[0])
        if not first:
            return self.promise
        counts = descending(self.histogram(whole))
        others = np.delete(counts, np.flatnonzero(counts == first)[0])
        c, l = nearest_cl(first, others, self.promise.c, self.promise.l)
        return replace(self.promise, c=c, l=l)

    def obstacle(self, whole: Groups) -> str:
        first, tail, rows = int(self._first(whole)[0]), int(self._tail(whole)[0]), int(whole.sizes[0])
        return (
            f"in column {self.column!r} the most frequent value that may not be disclosed fills {first} of {rows} "
            f"rows, what is left of the others {tail}"
        )

    def _first(self, groups: Groups) -> Ints:
        """The count of the most frequent value outside Y; 0 if there is none."""
        histogram = self.histogram(groups)
        return reduced(np.maximum, histogram, np.where(self.disclosable[histogram.values], 0, histogram.counts))

    def _tail(self, groups: Groups) -> Ints:
        """The other counts without their l - 2 largest. These, with the first, are the l - 1 largest of all, or the
        l - 2 largest and the first: whichever is less."""
        histogram, l = self.histogram(groups), self.promise.l
        ranked = descending(histogram)
        beyond = largest(histogram, ranked, l - 2) + self._first(groups)
        ruled_out: Ints = np.minimum(largest(histogram, ranked, l - 1), beyond)
        return groups.sizes - ruled_out
