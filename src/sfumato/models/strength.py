"""Which simple, recursive and (tau,l) requirements imply one another, exactly.

For values as they stand in a table: a generalized value is counted by (tau,l) alone. `values` is the number of
different values of the column, which no group exceeds.

The paper shows that simple u, and recursive (c,l) with c at most (m-1)/((u-1)(m-l+1)), imply (tau,u) for every tau;
m is the number of values. These conditions suffice, and are not necessary, though the paper says so: for m = 3, (3,3)
implies (0.9,2) although 3 is above the 2 of the theorem.

Deviation: `weakest_simple` and `weakest_c` are also necessary. A group's shares in descending order are a mixture of
"evenly over i values", i = 1..m, on which all three requirements are linear. So they imply one another iff a linear
programme with one constraint says so, and its extremes lie among a few i.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Theorems 20 and 23, Corollaries 21 and 24. https://doi.org/10.1016/j.datak.2010.09.001

>>> weakest_simple(TauL("0.6", 3)), sufficient_c(4, 5, 5), weakest_c(TauL("0.9", 2), 3, 3)
(Fraction(5, 2), Fraction(4, 3), Fraction(18, 1))
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from sfumato.models.contract import Neighbours
from sfumato.models.psi import psi
from sfumato.policy.promises import Promise, RecursiveCL, SimpleL, TauL

__all__ = [
    "MOST_L",
    "implied_c",
    "ladders_to_tau",
    "neighbours_of_recursive",
    "neighbours_of_simple",
    "neighbours_of_tau",
    "sufficient_c",
    "sufficient_l",
    "tau_of_recursive",
    "tau_of_simple",
    "weakest_c",
    "weakest_simple",
]

MOST_L = 10
"""Larger ones are not looked at."""
_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100, 1000, 10_000)
"""Values of c that are tried."""


def neighbours_of_simple(promise: SimpleL) -> Neighbours:
    """The strongest (tau,u) that it implies."""
    return _implying_tau(promise, tau_of_simple(promise.l))


def neighbours_of_recursive(promise: RecursiveCL, values: int) -> Neighbours:
    """The strongest (tau,l) that it implies."""
    return _implying_tau(promise, tau_of_recursive(promise.c, promise.l, promise.l, values))


def _implying_tau(promise: Promise, tau: TauL | None) -> Neighbours:
    return Neighbours(implies=() if tau is None else (tau.on_column(promise.about),))


def neighbours_of_tau(promise: TauL, values: int) -> Neighbours:
    """Simple and (c,l) requirements on both sides of a (tau,l) promise."""
    implied_by: list[Promise] = [SimpleL(weakest_simple(promise), promise.on)]
    for l in range(2, min(values, MOST_L) + 1):
        c = weakest_c(promise, l, values)
        if c is not None:
            implied_by.append(RecursiveCL(c, l, promise.on))
    implies: list[Promise] = [SimpleL(1 / promise.tau, promise.on)]
    for l in range(2, min(promise.l, MOST_L) + 1):
        c = implied_c(promise, l)
        if c is not None:
            implies.append(RecursiveCL(Fraction(floor(100 * c) + 1, 100), l, promise.on))  # c must be above it
    return Neighbours(tuple(implied_by), tuple(implies))


def ladders_to_tau(promise: TauL, values: int) -> tuple[tuple[Promise, ...], ...]:
    """Ever stronger simple l, then for every l ever smaller c, each up to what implies the (tau,l) promise."""
    enough = weakest_simple(promise)
    simple = tuple(SimpleL(l, promise.on) for l in (*range(2, ceil(enough)), enough))
    return simple, *(_falling_c(promise, l, values) for l in range(2, min(values, MOST_L) + 1))


def _falling_c(promise: TauL, l: int, values: int) -> tuple[Promise, ...]:
    enough = weakest_c(promise, l, values)
    steps = [Fraction(c) for c in reversed(_STEPS) if enough is None or c > enough]
    return tuple(RecursiveCL(c, l, promise.on) for c in (*steps, *([enough] if enough is not None else ())))


def weakest_simple(promise: TauL) -> Fraction:
    """The least l such that simple l-diversity implies the promise; rounded up, it is the paper's u."""
    return max(k / psi(promise, k) for k in range(1, promise.l))


def sufficient_c(u: int, l: int, values: int) -> Fraction:
    """The paper's largest c such that (c,l)-diversity implies (tau,u) for every tau."""
    return Fraction(values - 1, (u - 1) * (values - l + 1))


def sufficient_l(u: int, c: Fraction, values: int) -> int:
    """The paper's least l such that (c,l)-diversity implies (tau,u) for every tau; for c up to (m-1)/(u-1)."""
    return ceil(values + 1 - Fraction(values - 1) / (c * (u - 1)))


def weakest_c(promise: TauL, l: int, values: int) -> Fraction | None:
    """The largest c such that (c,l)-diversity implies the promise; None if only a c that no group can keep does."""
    if not 2 <= l <= values:
        return None
    c = min(_weakest_c(psi(promise, k), k, l, values) for k in range(1, min(promise.l - 1, values) + 1))
    return c if c * (values - l + 1) > 1 else None


def _weakest_c(share: Fraction, k: int, l: int, values: int) -> Fraction:
    """The same for the k most frequent values alone, which may fill a share.

    By duality: the largest c for which some price nu of the constraint keeps every mixture within it. The bound on c
    from "evenly over i values" is linear in nu, and it is enough to look where i is extreme.
    """
    most = 1 / (min(k, l - 1) * (1 - share))
    lines = [
        (Fraction(1, i - l + 1), (share * i - min(k, i)) / (i - l + 1))
        for i in {l, min(max(k, l), values), values}  # value at nu = 0, and rise
    ]
    crossings = [
        (first[0] - other[0]) / (other[1] - first[1]) for first, other in combinations(lines, 2) if first[1] != other[1]
    ]
    prices = [Fraction(0), most, *(price for price in crossings if 0 < price < most)]
    return max(min(at + rise * price for at, rise in lines) for price in prices)


def tau_of_simple(l: Fraction, u: int | None = None) -> TauL | None:
    """The strongest (tau,u) that simple l-diversity implies; u is l rounded up if not given. None: not for this u."""
    u = ceil(l) if u is None else u
    if u < 2 or u - 1 >= l:
        return None
    return TauL(max(Fraction(1, u), Fraction((u - 1) ** 2) / l - (u - 2)), u)


def tau_of_recursive(c: Fraction, l: int, u: int, values: int) -> TauL | None:
    """The strongest (tau,u) that (c,l)-diversity implies; None: not for this u, or no group keeps (c,l)."""
    if not 2 <= u <= values or not 2 <= l <= values or c * (values - l + 1) <= 1:
        return None
    tops = [_top_share(k, c, l, values) for k in range(1, u)]
    tau = max(Fraction(1, u), *((top * (u - 1) - (k - 1)) / (u - k) for k, top in enumerate(tops, 1)))
    return TauL(tau, u) if tau < 1 else None


def _top_share(k: int, c: Fraction, l: int, values: int) -> Fraction:
    """What the k most frequent values of a group fill at most, where it keeps (c,l); never reached, only approached."""
    ends = {1, k, l - 1, values}
    corners = [(Fraction(min(k, i), i), (1 - c * max(0, i - l + 1)) / i) for i in ends]  # share, and excess of r1
    within = [share for share, excess in corners if excess <= 0]
    mixed = [
        (share * -slack + other * excess) / (excess - slack)
        for share, excess in corners
        for other, slack in corners
        if excess > 0 > slack
    ]
    return max(within + mixed)


def implied_c(promise: TauL, l: int) -> Fraction | None:
    """What c must exceed so that the promise implies (c,l)-diversity; None if no c is enough."""
    if not 2 <= l <= promise.l:
        return None
    tau: Fraction = promise.tau
    return tau / (1 - psi(promise, l - 1))  # one value fills at most tau, l - 1 of them at most psi(l - 1)
