"""t-closeness: the sensitive values of every class within earth mover's distance t of the whole original table.

With class counts n (sum N) and original counts q (sum T):

equal          Σ |n_i·T − q_i·N| / (2NT)
ordered        see `ordered`
hierarchical   see `hierarchical`

The reference is the original table, never what is left of it: suppression would move it.

N. Li, T. Li, S. Venkatasubramanian, "t-closeness", 2007. https://doi.org/10.1109/ICDE.2007.367856
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Exact, Ints, largest_ratio, times, widened
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.auditor.rules.hierarchical import hierarchical
from sfumato.auditor.rules.ordered import ordered
from sfumato.auditor.verdict import Within
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.release.classes import Classes

__all__ = ["T_CLOSENESS", "distances"]

_NO_ORDER = "an order of the column's values: a type integer, number or date, or an order: list that has them all"
_NO_TREE = "a hierarchy of the column that has every one of its values"


def judge_t(promise: promises.TCloseness, case: Case) -> Ruling | Undecidable:
    """The level is the largest distance."""
    found = distances(case, promise.distance)
    if isinstance(found, Undecidable):
        return found
    above, below = found
    kept = times(above, promise.t.denominator) <= times(below, promise.t.numerator)
    level, worst = largest_ratio(above, below)
    return Ruling(kept, level, worst, f"distance at most {as_text(promise.t)}")


def distances(case: Case, distance: str) -> tuple[Exact, Exact] | Undecidable:
    """The distance of every class to the original table, as numerators and denominators."""
    secrets, original = case.secrets, case.original
    if secrets is None or original is None:
        return Undecidable(case.needs, _equal_bounds(case) if distance == "equal" else None)
    if distance == "equal":
        return equal(case.classes, original)
    if distance == "ordered":
        ranks = secrets.ranks
        return Undecidable(_NO_ORDER) if ranks is None else ordered(case.classes, original, ranks)
    leaves = secrets.leaves
    if secrets.taxonomy is None or leaves is None:
        return Undecidable(_NO_TREE)
    return hierarchical(case.classes, original, leaves, secrets.taxonomy)


def equal(classes: Classes, original: Ints) -> tuple[Exact, Exact]:
    """Half the sum of all differences; `original` counts rows per code.

    >>> from sfumato.table.tally import CodedRows
    >>> block = Classes.of(CodedRows({"s": (np.array([2, 0, 1, 1]), 3)}), [], "s", 3)
    >>> equal(block, np.array([3, 4, 5]))  # 16/96 = 1/6
    (array([16]), array([96]))
    """
    total, first = int(original.sum()), classes.starts[:-1]
    bound = 4 * int(classes.sizes.max()) * total
    counts, sizes, expected = widened(bound, classes.counts, classes.sizes, original[classes.values])
    gaps = np.add.reduceat(np.abs(counts * total - expected * sizes[classes.owner]), first)
    # A value that the class lacks adds q_i·N; together: what its own values leave of T.
    return gaps + sizes * (total - np.add.reduceat(expected, first)), sizes * (2 * total)


def _equal_bounds(case: Case) -> Within | None:
    """What a recipient can say, knowing how many rows were left out but not which.

    The published table lies within the share left out of the original one, so the distance to it does.
    """
    if case.secrets is None or case.left_out is None:
        return None
    seen = case.secrets.published
    level, _ = largest_ratio(*equal(case.classes, seen))
    share = Fraction(case.left_out, int(seen.sum()) + case.left_out)
    return Within(low=max(level - share, Fraction(0)), high=min(level + share, Fraction(1)), needs=case.needs)


T_CLOSENESS = Rule(judge_t)
