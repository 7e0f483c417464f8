"""delta-disclosure: |ln(p_s/q_s)| < delta in every class, for every value s of the whole original table.

A class that lacks one of them fails. e^delta is irrational for a rational delta, so no class lies on the boundary.

J. Brickell, V. Shmatikov, "The cost of privacy", 2008. https://doi.org/10.1145/1401890.1401904
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Exact, Flags, below_exp, largest_ratio, widened
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.exact import as_text
from sfumato.policy import promises

__all__ = ["DELTA_DISCLOSURE", "delta_reached", "judge_delta"]

_BEYOND = Fraction(10**6)
"""More than the logarithm of any quotient of counts."""


def judge_delta(promise: promises.DeltaDisclosure, case: Case) -> Ruling | Undecidable:
    """The level is the least delta with six decimals that holds, None if a class lacks a value."""
    if case.original is None:
        return Undecidable(case.needs)
    required = f"logarithms of share over share below {as_text(promise.delta)}"
    classes, total = case.classes, int(case.original.sum())
    expected = case.original[classes.values]
    complete = np.add.reduceat(expected > 0, classes.starts[:-1], dtype=np.int64) == np.count_nonzero(case.original)
    complete[classes.owner[expected == 0]] = False
    if not complete.any():
        return Ruling(complete, None, 0, required)
    ours = complete[classes.owner]
    bound = int(classes.sizes.max()) * total
    counts, sizes, q = widened(bound, classes.counts[ours], classes.sizes, expected[ours])
    left, right = counts * total, q * sizes[classes.owner[ours]]
    above, below = np.maximum(left, right), np.minimum(left, right)
    kept = complete.copy()
    kept[classes.owner[ours][~_within(above, below, promise.delta)]] = False
    if not complete.all():
        return Ruling(kept, None, int(complete.argmin()), required)
    ratio, entry = largest_ratio(above, below)
    return Ruling(kept, _least_delta(ratio), int(classes.owner[entry]), required)


def delta_reached(case: Case) -> Ruling | Undecidable:
    """The level alone, whichever delta is asked for."""
    return judge_delta(promises.DeltaDisclosure(delta=Fraction(1)), case)


def _within(above: Exact, below: Exact, delta: Fraction) -> Flags:
    """Which quotients are below e^delta: in floats where their error cannot matter, exactly elsewhere."""
    tops, bottoms = (np.log(np.asarray(part, dtype=np.float64)) for part in (above, below))
    wanted = float(min(delta, _BEYOND))
    gap = tops - bottoms - wanted
    error = 2.0**-48 * (tops + bottoms + wanted + 1)
    within = np.asarray(gap < 0)
    known: dict[Fraction, bool] = {}
    for entry in np.flatnonzero(np.abs(gap) <= error).tolist():
        ratio = Fraction(int(above[entry]), int(below[entry]))
        if ratio not in known:
            known[ratio] = below_exp(ratio, delta)
        within[entry] = known[ratio]
    return within


def _least_delta(ratio: Fraction) -> Fraction:
    step = Fraction(1, 10**6)
    rough = math.log(ratio.numerator) - math.log(ratio.denominator)
    delta = Fraction(max(math.floor(rough * 10**6) - 1, 0), 10**6)
    while not below_exp(ratio, delta):
        delta += step
    return delta


DELTA_DISCLOSURE = Rule(judge_delta)
