"""Promises about the largest share r1/n of one value.

========= ===========================
simple-l  r1/n ≤ 1/l, any real l ≥ 1
alpha-k   n ≥ k and r1/n ≤ alpha
========= ===========================

R. C.-W. Wong et al., "(α, k)-anonymity", 2006. https://doi.org/10.1145/1150402.1150499
"""

from __future__ import annotations

from sfumato.auditor.exactly import largest_ratio, smallest_ratio, times
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.table.words import counted

__all__ = ["ALPHA_K", "SIMPLE_L"]


def judge_simple(promise: promises.SimpleL, case: Case) -> Ruling:
    """r1·l ≤ n; the level is the least n/r1."""
    classes = case.classes
    kept = times(classes.top, promise.l.numerator) <= times(classes.sizes, promise.l.denominator)
    level, worst = smallest_ratio(classes.sizes, classes.top)
    return Ruling(kept, level, worst, f"no value in more than 1/{as_text(promise.l)} of a group")


def judge_alpha_k(promise: promises.AlphaK, case: Case) -> Ruling:
    """n ≥ k and r1 ≤ alpha·n."""
    classes = case.classes
    large = classes.sizes >= promise.k
    spread = times(classes.top, promise.alpha.denominator) <= times(classes.sizes, promise.alpha.numerator)
    share, worst = largest_ratio(classes.top, classes.sizes)
    smallest = int(classes.sizes.argmin())
    if spread.all() and not large.all():
        worst = smallest
    level = f"alpha={as_text(share)}, k={classes.sizes[smallest]}"
    required = f"at least {counted(promise.k, 'row')}, no value in more than {as_text(promise.alpha)} of them"
    return Ruling(large & spread, level, worst, required)


SIMPLE_L = Rule(judge_simple, coarse=True, shape=True)
ALPHA_K = Rule(judge_alpha_k, rows=True, coarse=True)
