"""What can be promised at all on a table, before any search: from the counts of its sensitive columns alone.

Every promise here that survives merging can be kept exactly if the whole table keeps it as one group, so these ranges
are tight. That a promise is possible does not say at what loss.

Reference for the ranges: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering
70, 2011, Table 1. https://doi.org/10.1016/j.datak.2010.09.001
For the largest ℓ of groups of different values: Ye et al.: BSGI, 2008, Corollary 3, without its lower bound of 2.
https://doi.org/10.1007/978-3-540-85654-2_3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engine.persons import Several
from sfumato.engine.run import prepared
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.policy.load import PolicyLike
from sfumato.policy.promises import DistinctL, EntropyL, Promise, RecursiveCL, SimpleL
from sfumato.table.coded import CodedColumn, CodedTable

__all__ = ["Advice", "ColumnAdvice", "advise"]

_BEYOND = 10**12
_MOST_L = 10


@dataclass(frozen=True)
class ColumnAdvice:
    """What can be promised about one sensitive column.

    values       different values
    top          rows of the most frequent one
    best_l       the largest l such that the table can be cut into groups of l different values
    strongest    the strongest distinct, entropy and simple l-diversity
    recursive    per l, what c must exceed for recursive (c,l)-diversity
    """

    column: str
    values: int
    top: int
    best_l: int
    strongest: tuple[Promise, ...]
    recursive: dict[int, float]

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "values": self.values,
            "top": self.top,
            "best_l": self.best_l,
            "strongest": [promise.as_dict() for promise in self.strongest],
            "recursive": [{"l": l, "c_exceeds": c} for l, c in self.recursive.items()],
        }


@dataclass(frozen=True)
class Advice:
    """What can be promised on a table, and whether the policy's promise is among it.

    possible    whether some grouping of all rows keeps the policy's promise; where somebody has several rows, whether
                nothing speaks against it
    reason      if not, what stands against it: counts, never values
    nearest     if not, one that can be kept
    excess      if not, how many rows of too frequent values it would be enough to leave out; None: that does not help
    """

    rows: int
    columns: tuple[ColumnAdvice, ...]
    promise: Promise
    possible: bool
    reason: str
    nearest: Promise | None
    excess: int | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "columns": [column.as_dict() for column in self.columns],
            "promise": self.promise.as_dict(),
            "possible": self.possible,
            "reason": self.reason,
            "nearest": None if self.nearest is None else self.nearest.as_dict(),
            "excess": self.excess,
        }

    def summary(self) -> str:
        """The same in a few lines."""
        lines = [f"{self.rows} rows"]
        for each in self.columns:
            lines.append(
                f"{each.column}: {each.values} values, the most frequent in {each.top} rows;"
                f" groups of up to {each.best_l} different values"
            )
            lines += [f"  at most {promise}" for promise in each.strongest]
            lines += [f"  recursive-cl (l={l}): c above {c:.4g}" for l, c in each.recursive.items()]
        if self.possible:
            return "\n".join([*lines, f"possible: {self.promise}"])
        lines.append(f"impossible: {self.promise}: {self.reason}")
        if self.nearest is not None:
            lines.append(f"  nearest that can be kept: {self.nearest}")
        if self.excess is not None:
            lines.append(f"  or leave out {self.excess} rows of the values that are too frequent: that is enough")
        return "\n".join(lines)


def advise(data: object, policy: PolicyLike | None = None) -> Advice:
    """What can be promised on a table at all, and why the policy's promise can or cannot.

    data    a `Table` from `sfumato.read`, or a path or frame together with `policy`
    """
    table = prepared(data, policy, None, None, None)
    coded = table.encode()
    facts = Facts.of(coded)
    promise = table.policy.promise
    model = bind(promise, facts)
    whole = Groups.whole(coded, tuple(columns for columns in model.statistics if columns))
    possible, several = bool(model.attainable(whole)[0]), Several.of(coded, table.policy.individual)
    crowded = several is not None and several.most * model.least_rows() > coded.rows
    if possible and crowded:
        reason = f"{several}, which is more than groups of {model.least_rows()} rows can hold once each"
        columns = tuple(_column(coded, column, facts) for column in coded.sensitive)
        return Advice(coded.rows, columns, promise, False, reason, None, None)
    return Advice(
        rows=coded.rows,
        columns=tuple(_column(coded, column, facts) for column in coded.sensitive),
        promise=promise,
        possible=possible,
        reason="" if possible else model.obstacle(whole),
        nearest=None if possible else model.nearest(whole),
        excess=None if possible else _excess_of(model, coded),
    )


def _column(coded: CodedTable, column: CodedColumn, facts: Facts) -> ColumnAdvice:
    whole = Groups.whole(coded, ((column.name,),))
    counts = column.counts[column.counts > 0]
    wishes = (DistinctL(_BEYOND, column.name), EntropyL(_BEYOND, column.name), SimpleL(_BEYOND, column.name))
    nearest = [bind(wish, facts).nearest(whole) for wish in wishes]
    recursive = {}
    for l in range(2, min(len(counts), _MOST_L) + 1):
        recursive[l] = float(bind(RecursiveCL(1, l, column.name), facts).level(whole)[0])
    top = int(counts.max(initial=0))
    return ColumnAdvice(
        column=column.name,
        values=len(counts),
        top=top,
        best_l=coded.rows // max(top, 1),
        strongest=tuple(promise for promise in nearest if promise is not None),
        recursive=recursive,
    )


def _excess_of(model: Model, coded: CodedTable) -> int | None:
    """The fewest rows without which groups of different values are possible; None where no number is enough."""
    size = model.uniform_l()
    columns = {name for statistic in model.statistics for name in statistic}
    if size is None or len(columns) != 1:
        return None
    kept = most_kept(coded[columns.pop()].counts, size)
    return coded.rows - kept if kept else None


def most_kept(counts: NDArray[np.int64], size: int) -> int:
    """The most rows that can be kept so that no value fills more than one in `size` of them; 0 if there are none.

    Keeping at most h of every value leaves Σ min(count, h), which must be at least h·size: the largest such h is best.
    """
    ordered = np.sort(counts[counts > 0])
    below = np.concatenate([[0], np.cumsum(ordered)])
    low, high = 0, int(ordered[-1]) if len(ordered) else 0
    while low < high:  # what can be left at a height is concave in it, so heights that do are an interval from 0
        middle = (low + high + 1) // 2
        smaller = int(np.searchsorted(ordered, middle))
        if int(below[smaller]) + middle * (len(ordered) - smaller) >= middle * size:
            low = middle
        else:
            high = middle - 1
    smaller = int(np.searchsorted(ordered, low))
    return int(below[smaller]) + low * (len(ordered) - smaller) if low else 0
