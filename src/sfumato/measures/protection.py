"""Excessive protection: how far classes stay below what a (tau,l) promise allows, or any that caps shares.

Of a class it is Σ over k of psi(k) − F(k), F(k) being the share that its k most frequent induced values fill; of
several classes the least. 0 means that the promise is kept with nothing to spare. `sfumato advise` tells it of the
partitions that equivalent requirements lead to; a release under such a promise comes with it.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Definition 35. https://doi.org/10.1016/j.datak.2010.09.001
Deviation: a class that breaks the promise raises. The definition takes absolute values, so a violation would count as
protection, and the least over all classes would hide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["excess_of_class", "excesses", "excessive_protection"]

Exact = NDArray[Any]
"""Whole numbers, of Python where they are large."""
_WIDE = 2**62


def excess_of_class(caps: Sequence[Fraction], counts: Sequence[int | Fraction]) -> Fraction:
    """Of one class, by the induced counts of its base values. `ValueError` if it breaks the promise.

    `caps` is what its 1, 2, … most frequent values may fill, up to all of it; here psi of (1/2, 3):

    >>> excess_of_class([Fraction(1, 2), Fraction(3, 4)], [2, 1, 1, 1])
    Fraction(9, 20)
    """
    ranked, total = sorted(map(Fraction, counts), reverse=True), sum(map(Fraction, counts))
    if not total:
        raise ValueError("a class without rows has no protection")
    excess = filled = Fraction(0)
    for k in range(1, max(len(ranked), len(caps) + 1) + 1):
        filled += ranked[k - 1] if k <= len(ranked) else 0
        most = caps[k - 1] if k <= len(caps) else Fraction(1)
        spare = most - filled / total
        if spare < 0:
            raise ValueError(
                f"the {k} most frequent values of a class fill {filled / total} of it, and {most} is allowed"
            )
        excess += spare
    return excess


def excessive_protection(caps: Sequence[Fraction], classes: Sequence[Sequence[int | Fraction]]) -> Fraction:
    """Of several classes: the least. `ValueError` if one breaks the promise."""
    return min(excess_of_class(caps, counts) for counts in classes)


def excesses(
    caps: Sequence[Fraction], owner: NDArray[np.int64], counts: Exact, sizes: Exact
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Of many classes at once, and which of them break the promise; what that is of one that does means nothing.

    owner, counts   per value of a class, the class and how often it has it
    sizes           of the classes

    >>> owner, counts, sizes = (np.array(each) for each in ([0, 0, 0, 0, 1], [1, 2, 1, 1, 5], [5, 5]))
    >>> found, broken = excesses([Fraction(1, 2), Fraction(3, 4)], owner, counts, sizes)
    >>> float(found[0].round(2)), broken.tolist()
    (0.45, [False, True])
    """
    order = np.argsort(-counts, kind="stable")
    order = order[np.argsort(owner[order], kind="stable")]
    ranked, mine = counts[order], owner[order]
    starts = np.searchsorted(mine, np.arange(len(sizes) + 1))
    upto = np.concatenate((np.zeros(1, dtype=ranked.dtype), np.cumsum(ranked)))
    many = np.diff(starts)
    filled = (upto[1:] - upto[starts[mine]]) / sizes[mine]
    summed = np.bincount(mine, weights=filled.astype(np.float64), minlength=len(sizes))
    broken = np.zeros(len(sizes), dtype=np.bool_)
    for k, most in enumerate(caps, 1):
        top = upto[np.minimum(starts[:-1] + k, starts[1:])] - upto[starts[:-1]]
        kind: Any = np.int64 if int(sizes.max(initial=0)) * most.denominator < _WIDE else object
        allowed = sizes.astype(kind) * most.numerator
        broken |= np.asarray(top.astype(kind) * most.denominator > allowed, dtype=np.bool_)
    return float(sum(caps)) - len(caps) + many - summed, broken
