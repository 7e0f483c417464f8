"""What the values of one column allow of every kind of diversity, as the whole table as one group keeps it.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Table 1. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from fractions import Fraction

from sfumato.models.contract import Facts, Groups
from sfumato.models.recursive import RecursiveCLModel
from sfumato.models.registry import bind
from sfumato.models.tau_l import TauLModel
from sfumato.policy import promises

__all__ = ["c_to_exceed", "least_tau", "strongest"]

_BEYOND = 10**12
_ALMOST = Fraction(10**12 - 1, 10**12)


def strongest(column: str, facts: Facts, whole: Groups) -> tuple[promises.Promise, ...]:
    """The strongest distinct, entropy and simple l-diversity, where there is one."""
    kinds = (promises.DistinctL, promises.EntropyL, promises.SimpleL)
    nearest = [bind(kind(_BEYOND, column), facts).nearest(whole) for kind in kinds]
    return tuple(promise for promise in nearest if promise is not None)


def c_to_exceed(l: int, column: str, facts: Facts, whole: Groups) -> float:
    """What c must exceed for recursive (c,l)-diversity."""
    return float(RecursiveCLModel.bind(promises.RecursiveCL(1, l, column), facts).level(whole)[0])


def least_tau(l: int, column: str, facts: Facts, whole: Groups) -> Fraction:
    """The least tau for (tau,l)-diversity: with as many values there is one."""
    nearest = TauLModel.bind(promises.TauL(_ALMOST, l, on=column), facts).nearest(whole)
    tau: Fraction = Fraction(1) if nearest is None else nearest.tau
    return tau
