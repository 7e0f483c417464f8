"""What can be promised at all on a table, before any search: from the counts of its sensitive columns alone.

Every promise here that survives merging can be kept exactly if the whole table keeps it as one group, so these ranges
are tight. That a promise is possible does not say at what loss.

Reference for the ranges: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering
70, 2011, Table 1. https://doi.org/10.1016/j.datak.2010.09.001
For the largest ℓ of groups of different values: Ye et al.: BSGI, 2008, Corollary 3, without its lower bound of 2.
https://doi.org/10.1007/978-3-540-85654-2_3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sfumato.engine.equivalents import MOST_L, Relation, related, searched
from sfumato.engine.missing import what_missing_keep
from sfumato.engine.persons import Several
from sfumato.engine.relief import relief
from sfumato.engine.run import prepared
from sfumato.engine.slack import without_slack
from sfumato.engine.suppressed import helped
from sfumato.errors import one_line
from sfumato.exact import as_text
from sfumato.measure.registry import loss_of
from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.partition.contract import Progress, Task, silent
from sfumato.policy.load import PolicyLike
from sfumato.policy.promises import DistinctL, EntropyL, Promise, RecursiveCL, SimpleL, TauL
from sfumato.publish.contract import shows_missing, shows_recoding
from sfumato.publish.registry import publisher
from sfumato.randomness import Randomness
from sfumato.table.coded import CodedColumn, CodedTable

__all__ = ["Advice", "ColumnAdvice", "advise"]

_BEYOND = 10**12
_ALMOST = Fraction(10**12 - 1, 10**12)


@dataclass(frozen=True)
class ColumnAdvice:
    """What can be promised about one sensitive column.

    values       different values
    top          rows of the most frequent one
    best_l       the largest l such that the table can be cut into groups of l different values
    strongest    the strongest distinct, entropy and simple l-diversity
    recursive    per l, what c must exceed for recursive (c,l)-diversity
    tau          per l, the least tau for (tau,l)-diversity
    """

    column: str
    values: int
    top: int
    best_l: int
    strongest: tuple[Promise, ...]
    recursive: dict[int, float]
    tau: dict[int, Fraction]

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "values": self.values,
            "top": self.top,
            "best_l": self.best_l,
            "strongest": [promise.as_dict() for promise in self.strongest],
            "recursive": [{"l": l, "c_exceeds": c} for l, c in self.recursive.items()],
            "tau": [{"l": l, "tau": as_text(tau)} for l, tau in self.tau.items()],
        }

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        groups = f"groups of up to {self.best_l} different values" if self.best_l > 1 else "no groups that all differ"
        yield f"{one_line(self.column)}: {self.values} values, the most frequent in {self.top} rows; {groups}"
        yield from (f"  at most {promise}" for promise in self.strongest)
        yield from (f"  recursive-cl (l={l}): c above {c:.4g}" for l, c in self.recursive.items())
        yield from (f"  tau-l (l={l}): tau from {float(tau):.4g}" for l, tau in self.tau.items())


@dataclass(frozen=True)
class Advice:
    """What can be promised on a table, and whether the policy's promise is among it.

    promise     what the policy promises
    searched    what its groups are searched with: the same, unless `partition.slack` raises every l
    possible    whether some grouping of all rows keeps what is searched with; where somebody has several rows, whether
                nothing speaks against it
    reason      if not, what stands against it: counts, never values
    nearest     if not, a promise that can be kept
    excess      if not, how many rows of too frequent values it would be enough to leave out; None: that does not help,
                or the form shows who is missing
    frequent    if not, how many values these rows are of, the most frequent ones
    allowed     how many rows the policy allows to be suppressed
    relations   requirements of other kinds that imply a part of the promise, or that it implies
    """

    rows: int
    columns: tuple[ColumnAdvice, ...]
    promise: Promise
    searched: Promise
    possible: bool
    reason: str
    nearest: Promise | None
    excess: int | None
    frequent: int | None
    allowed: int
    relations: tuple[Relation, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "columns": [column.as_dict() for column in self.columns],
            "promise": self.promise.as_dict(),
            "searched": self.searched.as_dict(),
            "possible": self.possible,
            "reason": self.reason,
            "nearest": None if self.nearest is None else self.nearest.as_dict(),
            "excess": self.excess,
            "frequent": self.frequent,
            "allowed": self.allowed,
            "relations": [relation.as_dict() for relation in self.relations],
        }

    def summary(self) -> str:
        """The same in a few lines."""
        lines = [f"{self.rows} rows"]
        for each in self.columns:
            lines += each.lines()
        for relation in self.relations:
            lines += relation.lines()
        raised = f" (searched with {self.searched}: partition.slack)" if self.searched != self.promise else ""
        if self.possible:
            return "\n".join([*lines, f"possible: {self.promise}{raised}"])
        lines.append(f"impossible: {self.promise}{raised}: {self.reason}")
        if self.nearest is not None:
            lines.append(f"  nearest that can be kept: {self.nearest}")
        if self.excess is not None:
            lines.append(
                f"  or leave out {self.excess} rows of the {_values(self.frequent)}: that is enough"
                f" (suppression.limit allows {self.allowed})"
            )
        return "\n".join(lines)


def _values(count: int | None) -> str:
    return "most frequent value" if count == 1 else f"{count} most frequent values"


def advise(
    data: object, policy: PolicyLike | None = None, *, search: bool = False, progress: Progress = silent
) -> Advice:
    """What can be promised on a table at all, and why the policy's promise can or cannot.

    data      a `Table` from `sfumato.read`, or a path or frame together with `policy`
    search    also run the policy's algorithm under ever stronger simple and (c,l) requirements until a (tau,l) promise
              is kept: many runs, and true of this table and algorithm alone
    progress  of the search: called with (stage, rows done, rows in all)
    """
    table = prepared(data, policy, None, None, None)
    coded, chosen = table.encode(), table.policy
    facts = Facts.of(coded)
    promise, limit = chosen.promise, chosen.suppression.limit
    wanted = chosen.partition.searched(promise)
    model = bind(wanted, facts)
    if chosen.partition.terms is not None:
        model = helped(model, facts)
    whole = Groups.whole(coded, _statistics(model, bind(promise, facts)))
    possible, several = bool(model.attainable(whole)[0]), Several.of(coded, chosen.individual)
    crowded = several is not None and several.most * model.least_rows() > coded.rows
    reason = "" if possible else model.obstacle(whole)
    if possible and crowded:
        reason = f"{several}, which is more than groups of {model.least_rows()} rows can hold once each"
    form = publisher(chosen.form)
    less = None if possible or shows_missing(form) else relief(model, coded)
    relations = related(promise, facts, whole)
    if search:
        loss = loss_of(chosen.loss.metric, chosen.loss.weights)
        task = Task(coded, model, loss, Randomness.fixed(0), progress, limit, chosen.suppression.keep)
        blank = chosen.suppression.columns if shows_recoding(form) else {}
        task = replace(task, missed=what_missing_keep(form, promise, facts), blank=blank)
        relations = tuple(searched(relations, promise, chosen.partition, facts, task))
    return Advice(
        rows=coded.rows,
        columns=tuple(_column(coded, column, facts) for column in coded.sensitive),
        promise=promise,
        searched=wanted,
        possible=possible and not crowded,
        reason=reason,
        nearest=None if possible else without_slack(model.nearest(whole), chosen.partition.slack),
        excess=None if less is None else less.rows,
        frequent=None if less is None else less.values,
        allowed=int(limit * coded.rows),
        relations=relations,
    )


def _statistics(*models: Model) -> tuple[Columns, ...]:
    return tuple(dict.fromkeys(columns for model in models for columns in model.statistics if columns))


def _column(coded: CodedTable, column: CodedColumn, facts: Facts) -> ColumnAdvice:
    whole = Groups.whole(coded, ((column.name,),))
    counts = column.counts[column.counts > 0]
    wishes = (DistinctL(_BEYOND, column.name), EntropyL(_BEYOND, column.name), SimpleL(_BEYOND, column.name))
    nearest = [bind(wish, facts).nearest(whole) for wish in wishes]
    top = int(counts.max(initial=0))
    every_l = range(2, min(len(counts), MOST_L) + 1)
    return ColumnAdvice(
        column=column.name,
        values=len(counts),
        top=top,
        best_l=coded.rows // max(top, 1),
        strongest=tuple(promise for promise in nearest if promise is not None),
        recursive={l: float(bind(RecursiveCL(1, l, column.name), facts).level(whole)[0]) for l in every_l},
        tau={l: _least_tau(l, column, facts, whole) for l in every_l},
    )


def _least_tau(l: int, column: CodedColumn, facts: Facts, whole: Groups) -> Fraction:
    """The least tau that the table can keep with this l: with as many values there is one."""
    nearest = bind(TauL(_ALMOST, l, on=column.name), facts).nearest(whole)
    return nearest.tau if isinstance(nearest, TauL) else Fraction(1)
