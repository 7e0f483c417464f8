"""k-anonymity: at least k rows in every group, or that agree in each of several sets of quasi-identifiers.

Guarantee: nobody is singled out by the quasi-identifiers among fewer than k rows. Says nothing of sensitive values: a
group whose rows all share one discloses it.

With `of`, every row shares what it shows in each set with k - 1 others at least (001, Definition 2.2: "for every set"),
which nobody undoes who knows columns of one set alone; who knows columns of two may tell rows apart. A group of k rows
keeps it for every set, so that it is judged group by group like any other. Who chooses what groups show counts the rows
of all groups that show the same in a set (`Model.knowing`), and loses less: the lattice, and `partition.sets`, by which
any algorithm groups sets by themselves.

L. Sweeney, k-anonymity: a model for protecting privacy, 2002, doi:10.1142/S0218488502001648;
A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, doi:10.1109/ICDE.2006.1

>>> model = KAnonymityModel(promises.KAnonymity(4))
>>> model.holds(Groups(np.array([4, 3])))
array([ True, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.policy import promises

__all__ = ["KAnonymityModel"]


@dataclass(frozen=True)
class KAnonymityModel(Model):
    """n >= k."""

    promise: promises.KAnonymity
    counts_rows = True
    prefers_even = True
    coarsens = True

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        return cls(promise)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        return ()

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return groups.sizes >= self.promise.k

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return groups.sizes.astype(np.float64)

    @property
    def knowing(self) -> tuple[Columns, ...]:
        return self.promise.of

    def least_rows(self) -> int:
        return self.promise.k

    def uniform_l(self) -> int:
        return self.promise.k

    def nearest(self, whole: Groups) -> promises.KAnonymity | None:
        rows = int(whole.sizes[0])
        return replace(self.promise, k=rows) if rows else None
