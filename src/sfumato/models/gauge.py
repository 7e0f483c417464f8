"""What a compiled search checks by itself, instead of asking a model about every step.

A gauge is a sufficient condition on the rows of a group and on the counts of one column's values. It may be computed in
floats: whatever a search finds is judged by the model before it is used, and by the auditor before it is published.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Gauge", "Test", "TestKind", "at_least", "joined", "of_entropy"]

Columns = tuple[str, ...]
TestKind = Literal["most", "tops", "entropy", "distance"]
"""What a test asks of the counts of values in a group of so many rows; its numbers are first, second and third.

most       count × second ≤ rows × first, for every value
tops       the highest count × second < first × (rows − the third − 1 highest counts)
entropy    Σ count ln count + rows × first ≤ rows ln rows
distance   Σ max(0, count − rows × share) ≤ rows × first, the shares being those of the whole table
"""

Test = tuple[TestKind, float, float, float]

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Gauge:
    """What a group has to pass.

    columns   whose combinations of values are counted; none if only rows count
    rows      at least
    values    different ones, at least
    tests     of their counts
    whole     per value, its count in the whole table, where a test compares with it
    fewest    different values that every group which keeps the promise has, whether it passes or not
    """

    columns: Columns = ()
    rows: int = 1
    values: int = 1
    tests: tuple[Test, ...] = ()
    whole: NDArray[np.int64] | None = None
    fewest: int = 1

    def shares(self, values: int) -> NDArray[np.float64]:
        """Per value of so many, the share of a group that it can fill at most and pass every test."""
        most = np.ones(values)
        whole = np.zeros(values) if self.whole is None else self.whole / max(int(self.whole.sum()), 1)
        for kind, first, second, _ in self.tests:
            if kind == "most":
                most = np.minimum(most, first / second)
            elif kind == "tops":
                most = np.minimum(most, first / (first + second))
            elif kind == "distance":
                most = np.minimum(most, whole + first)
            else:
                most = np.minimum(most, _most_uneven(first, values))
        return most * (1 + _ROUNDING)


def _most_uneven(entropy: float, values: int) -> float:
    """The largest share of one value in groups of such an entropy, all others being equally frequent."""
    low, high = 1 / values, 1.0
    for _ in range(50):
        share = (low + high) / 2
        others = (1 - share) * log((values - 1) / (1 - share)) if values > 1 and share < 1 else 0.0
        low, high = (share, high) if others - share * log(share) >= entropy else (low, share)
    return high


def at_least(columns: Columns, different: int) -> Gauge:
    """No value fills more than so manieth of the group, which holds where all rows differ and unions of such groups."""
    return Gauge(columns, different, different, (("most", 1.0, float(different), 0.0),))


def of_entropy(columns: Columns, l: float, values: int) -> Gauge:
    return Gauge(columns, values, values, (("entropy", log(l) - _ROUNDING, 0.0, 0.0),))


def joined(gauges: tuple[Gauge | None, ...]) -> Gauge | None:
    """All of them at once; None if one is not known, or if they count different columns."""
    made = Gauge()
    for gauge in gauges:
        if gauge is None or (made.columns and gauge.columns and made.columns != gauge.columns):
            return None
        made = Gauge(
            made.columns or gauge.columns,
            max(made.rows, gauge.rows),
            max(made.values, gauge.values),
            made.tests + gauge.tests,
            gauge.whole if made.whole is None else made.whole,
            max(made.fewest, gauge.fewest),
        )
    return made
