"""Recursive diversity where some values may be disclosed (Y) and some must not be ruled out (W).

pd-recursive (c,l): let y be the most frequent value outside Y, with r_y rows. No such value: it holds. Otherwise
r_y < c·tail, where tail is the sum of the *other* counts without their l−2 largest. l = 1 always holds.

npd-recursive (c1,c2,l): pd-recursive (c1,l), and every value of W in at least c2 percent of the class.

A missing value is never disclosable.

A. Machanavajjhala et al., "l-diversity", Definitions 4.3 and 4.4, 2007. https://doi.org/10.1145/1217299.1217302
Deviation: the two printed cases of Definition 4.3 are one formula here; they agree, whatever the ties.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Flags, Ints, smallest_ratio, times
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.auditor.rules.recursive import worst_quotient
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.release.classes import Classes

__all__ = ["NPD_RECURSIVE", "PD_RECURSIVE"]


def judge_pd(promise: promises.PdRecursive, case: Case) -> Ruling:
    """The level is the number that c has to exceed."""
    kept, level, worst = _pd(case, promise.c, promise.l, promise.disclosable)
    return Ruling(kept, level, worst, f"c={as_text(promise.c)} above the level")


def judge_npd(promise: promises.NpdRecursive, case: Case) -> Ruling:
    """Both halves; the level names both."""
    classes = case.classes
    kept, level, worst = _pd(case, promise.c1, promise.l, promise.disclosable)
    percent = Fraction(100)
    for code in sorted(_codes(case, promise.protected)):
        rows = _rows_of(classes, code)
        enough = times(rows, 100 * promise.c2.denominator) >= times(classes.sizes, promise.c2.numerator)
        share, scarce = smallest_ratio(100 * rows, classes.sizes)
        if kept.all() and not enough.all():
            worst = scarce
        percent, kept = min(percent, share), kept & enough
    c1 = "none" if level is None else as_text(level)
    required = f"c1={as_text(promise.c1)} above the level, protected values in {as_text(promise.c2)} percent"
    return Ruling(kept, f"c1={c1}, c2={as_text(percent)}", worst, required)


def _pd(case: Case, c: Fraction, l: int, disclosable: Iterable[str]) -> tuple[Flags, Fraction | None, int]:
    classes = case.classes
    if l == 1:
        return np.ones(len(classes), dtype=np.bool_), Fraction(0), 0
    entries = np.flatnonzero(_outside(case, disclosable)[classes.values])
    entries = entries[np.diff(classes.owner[entries], prepend=-1) > 0]  # counts descend: the first is y
    having = classes.owner[entries]
    r_y, larger = np.zeros((2, len(classes)), dtype=np.int64)
    r_y[having], larger[having] = classes.counts[entries], entries - classes.starts[having]
    # The l−2 largest others: the first l−1 values if y is one of these, else the first l−2.
    tail = np.where(larger < l - 2, classes.tail(l - 1), classes.tail(l - 2) - r_y)
    kept = (r_y == 0) | (times(r_y, c.denominator) < times(tail, c.numerator))
    return kept, *worst_quotient(r_y, tail)


def _outside(case: Case, texts: Iterable[str]) -> Flags:
    """For every code whether it stands for none of these values."""
    outside = np.ones(int(case.classes.values.max(initial=0)) + 2, dtype=np.bool_)
    named = np.array(sorted(_codes(case, texts)), dtype=np.int64)
    outside[named[named < len(outside)]] = False  # the last place is for -1
    return outside


def _rows_of(classes: Classes, code: int) -> Ints:
    rows = np.zeros(len(classes), dtype=np.int64)
    found = classes.values == code
    rows[classes.owner[found]] = classes.counts[found]
    return rows


def _codes(case: Case, texts: Iterable[str]) -> set[int]:
    """Codes of values named in the policy; -1 stands for one that does not occur."""
    return {case.secrets.code_of(text) for text in texts} if case.secrets is not None else set()


PD_RECURSIVE = Rule(judge_pd)
NPD_RECURSIVE = Rule(judge_npd)
