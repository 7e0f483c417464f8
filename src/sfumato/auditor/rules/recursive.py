"""Recursive (c,l)-diversity: r1 < c·(r_l + … + r_m), counts in descending order. Strict; l = 1 always holds.

Fewer than l values leave an empty sum, which no c makes positive.

A. Machanavajjhala et al., "l-diversity", Definition 4.2, 2007. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Ints, largest_ratio, times
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.release.classes import Classes

__all__ = ["RECURSIVE_CL", "c_to_exceed", "worst_quotient"]


def judge_recursive(promise: promises.RecursiveCL, case: Case) -> Ruling:
    """The level is the number that c has to exceed."""
    classes, c = case.classes, promise.c
    required = f"c={as_text(c)} above the level"
    if promise.l == 1:
        return Ruling(np.ones(len(classes), dtype=np.bool_), Fraction(0), 0, required)
    kept = times(classes.top, c.denominator) < times(classes.tail(promise.l - 1), c.numerator)
    level, worst = c_to_exceed(classes, promise.l)
    return Ruling(kept, level, worst, required)


def c_to_exceed(classes: Classes, l: int) -> tuple[Fraction | None, int]:
    """The largest r1/(r_l + … + r_m), None if a class has fewer than l values; and the class."""
    return worst_quotient(classes.top, classes.tail(l - 1))


def worst_quotient(first: Ints, rest: Ints) -> tuple[Fraction | None, int]:
    """The largest ``first/rest`` and where; nothing is large enough once a rest is 0 under a positive first."""
    hopeless = (rest == 0) & (first > 0)
    if hopeless.any():
        return None, int(hopeless.argmax())
    return largest_ratio(first, np.maximum(rest, 1))


RECURSIVE_CL = Rule(judge_recursive, coarse=True, shape=True)
