"""Excessive protection: how far classes stay below what a (tau,l) promise allows, or any that caps shares.

Of a class it is Σ over k of psi(k) − F(k), F(k) being the share that its k most frequent induced values fill; of
several classes the least. 0 means that the promise is kept with nothing to spare. `sfumato advise` tells it of the
partitions that equivalent requirements lead to; a release does not come with it.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Definition 35. https://doi.org/10.1016/j.datak.2010.09.001
Deviation: a class that breaks the promise raises. The definition takes absolute values, so a violation would count as
protection, and the least over all classes would hide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["excess_of_class", "excessive_protection"]


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
