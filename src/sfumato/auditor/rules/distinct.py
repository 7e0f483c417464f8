"""Promises about the number m of different values in a class of n rows.

======================== ==================
distinct-l               m ≥ l
pairwise-l               n = m ≥ l
unique-distinct-l        n = m = l
unique-distinct-literal  m = l
======================== ==================

The last three do not survive merging, so they are judged by published group ids only. The literal one bounds nothing:
``a a a a b`` keeps it at l = 2.

A. Machanavajjhala et al., "l-diversity", 2007. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Flags, Ints
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.policy import promises
from sfumato.table.words import counted

__all__ = ["DISTINCT_L", "PAIRWISE_L", "UNIQUE_DISTINCT_L", "UNIQUE_DISTINCT_LITERAL"]


def judge_distinct(promise: promises.DistinctL, case: Case) -> Ruling:
    """m ≥ l."""
    distinct = case.classes.distinct
    worst = int(distinct.argmin())
    return Ruling(
        distinct >= promise.l, Fraction(int(distinct[worst])), worst, f"at least {counted(promise.l, 'value')}"
    )


def judge_pairwise(promise: promises.PairwiseL, case: Case) -> Ruling:
    """n = m ≥ l; the level is the least m, 0 where a value repeats."""
    classes = case.classes
    level = np.where(classes.sizes == classes.distinct, classes.distinct, 0)
    worst = int(level.argmin())
    required = f"all values different, at least {promise.l}"
    return Ruling(level >= promise.l, Fraction(int(level[worst])), worst, required)


def judge_unique(promise: promises.UniqueDistinctL, case: Case) -> Ruling:
    """n = m = l."""
    classes = case.classes
    kept = (classes.sizes == promise.l) & (classes.distinct == promise.l)
    level = np.where(classes.sizes == classes.distinct, classes.distinct, 0)
    return _exactly(kept, level, promise.l, f"exactly {counted(promise.l, 'row')} with different values")


def judge_literal(promise: promises.UniqueDistinctLiteral, case: Case) -> Ruling:
    """m = l."""
    distinct = case.classes.distinct
    return _exactly(distinct == promise.l, distinct, promise.l, f"exactly {counted(promise.l, 'value')}")


def at_most_one_in_l(promise: promises.PairwiseL | promises.UniqueDistinctL) -> promises.SimpleL:
    """What follows from n = m ≥ l for classes that look alike: no value fills more than 1/l."""
    return promises.SimpleL(Fraction(promise.l), promise.on)


def at_least_l(promise: promises.UniqueDistinctLiteral) -> promises.DistinctL:
    """What follows from m = l for classes that look alike."""
    return promises.DistinctL(promise.l, promise.on)


def _exactly(kept: Flags, level: Ints, l: int, required: str) -> Ruling:
    """The class furthest from l decides."""
    worst = int(np.abs(level - min(l, 2**62)).argmax())
    if not kept.all() and kept[worst]:
        worst = int(kept.argmin())
    return Ruling(kept, Fraction(int(level[worst])), worst, required)


DISTINCT_L = Rule(judge_distinct, coarse=True, shape=True, often=False)
PAIRWISE_L = Rule(judge_pairwise, by_id=True, merged=at_most_one_in_l)
UNIQUE_DISTINCT_L = Rule(judge_unique, by_id=True, merged=at_most_one_in_l)
UNIQUE_DISTINCT_LITERAL = Rule(judge_literal, by_id=True, often=False, merged=at_least_l)
