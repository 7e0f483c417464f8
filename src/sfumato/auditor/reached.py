"""Every level that all groups reach on one column, whether anybody asked or not."""

from __future__ import annotations

from sfumato.auditor.exactly import largest_ratio, smallest_ratio
from sfumato.auditor.rules.closeness import distances
from sfumato.auditor.rules.contract import Case, Undecidable
from sfumato.auditor.rules.delta import delta_reached
from sfumato.auditor.rules.entropy import entropy_level
from sfumato.auditor.rules.recursive import c_to_exceed
from sfumato.auditor.verdict import ColumnReached, Within

__all__ = ["column_reached"]

_LONGEST = 10


def column_reached(case: Case) -> ColumnReached:
    """Levels of the classes of a case, which must have rows."""
    classes = case.classes
    distinct = int(classes.distinct.min())
    simple, _ = smallest_ratio(classes.sizes, classes.top)
    return ColumnReached(
        distinct_l=distinct,
        entropy_l=entropy_level(classes)[0],
        simple_l=simple,
        recursive_c={l: c_to_exceed(classes, l)[0] for l in range(2, max(4, min(distinct, _LONGEST)) + 1)},
        alpha=1 / simple,
        t_equal=_distance(case, "equal"),
        t_ordered=_distance(case, "ordered"),
        t_hierarchical=_distance(case, "hierarchical"),
        delta=_delta(case),
    )


def _distance(case: Case, distance: str) -> Within:
    found = distances(case, distance)
    if isinstance(found, Undecidable):
        return found.bounds or Within(needs=found.needs)
    level, _ = largest_ratio(*found)
    return Within(level=level, low=level, high=level)


def _delta(case: Case) -> Within:
    ruling = delta_reached(case)
    if isinstance(ruling, Undecidable):
        return Within(needs=ruling.needs)
    return Within(level=ruling.level, low=ruling.level, high=ruling.level)
