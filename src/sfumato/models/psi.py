"""psi of (tau,l)-diversity: the share of a group that its k most frequent values may fill.

It rises evenly from tau at k = 1 to 1 at k = l, or is as the promise lists it. The auditor has its own.

>>> [str(psi(promises.TauL("1/2", 3), k)) for k in (1, 2, 3, 4)]
['1/2', '3/4', '1', '1']
"""

from __future__ import annotations

from fractions import Fraction

from sfumato.policy import promises

__all__ = ["psi"]


def psi(promise: promises.TauL, k: int) -> Fraction:
    """What the k most frequent values may fill."""
    if k >= promise.l:
        return Fraction(1)
    tau: Fraction = promise.psi[k - 1] if promise.psi else promise.tau
    return tau if promise.psi else tau + (1 - tau) * Fraction(k - 1, promise.l - 1)
