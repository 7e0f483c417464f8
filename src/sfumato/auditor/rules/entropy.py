"""Entropy l-diversity: −Σ p·ln p ≥ ln l in every class, for any real l ≥ 1.

For l = a/b and counts n_i with sum N it says (bN)^N ≥ a^N·Π n_i^n_i. Floats decide it wherever their proven error
cannot matter; a class of equal counts is decided by m ≥ l, any other exactly, after division by the counts' gcd. So
uniform classes are accepted at every l, and a class of a million rows costs no more than one of ten.

A. Machanavajjhala et al., "l-diversity", Definition 4.1, 2007. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.auditor.exactly import Flags, Ints, log_sum_sign, times
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.release.classes import Classes

__all__ = ["ENTROPY_L", "entropy_level", "reaches"]

_EPSILON = 2.0**-52


def judge_entropy(promise: promises.EntropyL, case: Case) -> Ruling:
    """The level is rounded down to six decimals: all classes provably reach it."""
    level, worst = entropy_level(case.classes)
    return Ruling(
        reaches(case.classes, promise.l), level, worst, f"entropy at least that of {as_text(promise.l)} values"
    )


def reaches(classes: Classes, l: Fraction) -> Flags:
    """Which classes have entropy l. No class may be empty."""
    sizes, terms, sums = classes.sizes, classes.distinct, _sum_n_log_n(classes)
    whole = sizes * np.log(sizes)
    log_l = math.log(l.numerator) - math.log(l.denominator)
    gap = whole - sums - sizes * log_l
    # Each logarithm and product errs by less than 8 units in the last place, adding m terms by m more.
    logs = math.log(l.numerator) + math.log(l.denominator) + 1
    error = _EPSILON * ((terms + 8) * sums + 8 * whole + 8 * sizes * logs)
    kept = gap > 0
    close = np.abs(gap) <= error
    uniform = close & (classes.top * terms == sizes)
    kept[uniform] = times(terms[uniform], l.denominator) >= l.numerator
    known: dict[tuple[int, ...], bool] = {}
    for group in np.flatnonzero(close & ~uniform).tolist():
        shape = _reduced(classes.counts[classes.starts[group] : classes.starts[group + 1]])
        if shape not in known:
            known[shape] = _exactly(shape, l)
        kept[group] = known[shape]
    return kept


def entropy_level(classes: Classes) -> tuple[Fraction, int]:
    """The largest l with six decimals that every class reaches, and a class with the least entropy."""
    entropy = np.log(classes.sizes) - _sum_n_log_n(classes) / classes.sizes
    worst = int(entropy.argmin())
    step = Fraction(1, 10**6)
    level = max(Fraction(round(math.exp(entropy[worst]) * 10**6), 10**6), Fraction(1))
    while level > 1 and not reaches(classes, level).all():
        level, step = max(level - step, Fraction(1)), 2 * step
    return level, worst


def _sum_n_log_n(classes: Classes) -> NDArray[np.float64]:
    return np.add.reduceat(classes.counts * np.log(classes.counts), classes.starts[:-1])


def _reduced(counts: Ints) -> tuple[int, ...]:
    return tuple((counts // np.gcd.reduce(counts)).tolist())


def _exactly(counts: tuple[int, ...], l: Fraction) -> bool:
    rows = sum(counts)
    powers: Counter[int] = Counter()
    for count in counts:
        powers[count] -= count
    powers[rows] += rows
    powers[l.denominator] += rows
    powers[l.numerator] -= rows
    return log_sum_sign(powers) >= 0


ENTROPY_L = Rule(judge_entropy, coarse=True, shape=True)
