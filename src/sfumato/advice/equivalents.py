"""Requirements of other kinds beside a promise: those that imply it, those that it implies, and the weakest by search.

The search is the one by which the paper found its best baselines: the policy's algorithm is run under ever stronger
simple or (c,l) requirements until its groups keep the (tau,l) promise. What it finds holds of this table and this
algorithm alone, and is no theorem: the release is still audited for what it promises.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
sections 3 and 5. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from sfumato.advice.strength import implied_c, tau_of_recursive, tau_of_simple, weakest_c, weakest_simple
from sfumato.errors import NoneFound
from sfumato.measures.protection import excessive_protection
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind, binding
from sfumato.partition.contract import Partition, Task, silent
from sfumato.partition.registry import grouping
from sfumato.partition.sound import sound
from sfumato.policy.methods import Method
from sfumato.policy.promises import AllOf, Promise, RecursiveCL, SimpleL, TauL, all_of
from sfumato.table.words import counted

__all__ = ["MOST_L", "Equivalent", "Relation", "related", "searched"]

MOST_L = 10
_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100, 1000, 10_000)
"""Values of c that are tried."""


@dataclass(frozen=True)
class Equivalent:
    """A requirement under which the policy's algorithm kept a (tau,l) promise on this table.

    classes       groups that it made
    suppressed    rows that it left out
    protection    excessive protection of the groups under the (tau,l) promise
    """

    promise: Promise
    classes: int
    suppressed: int
    protection: Fraction

    def as_dict(self) -> dict[str, Any]:
        return {
            "promise": self.promise.as_dict(),
            "classes": self.classes,
            "suppressed": self.suppressed,
            "protection": float(self.protection),
        }


@dataclass(frozen=True)
class Relation:
    """A part of the policy's promise and its neighbours of other kinds, for values as they stand in the table.

    implied_by    the weakest of each kind that imply it, each with whether the table can keep it
    implies       the strongest of each kind that it implies
    found         by search, the weakest of each kind with which the policy's algorithm kept it; None: not searched
    """

    promise: Promise
    implied_by: tuple[tuple[Promise, bool], ...]
    implies: tuple[Promise, ...]
    found: tuple[Equivalent, ...] | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "promise": self.promise.as_dict(),
            "implied_by": [{"promise": each.as_dict(), "possible": possible} for each, possible in self.implied_by],
            "implies": [each.as_dict() for each in self.implies],
            "found": None if self.found is None else [each.as_dict() for each in self.found],
        }

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        if self.implied_by:
            yield f"{self.promise} is implied by"
        for each, possible in self.implied_by:
            yield f"  {each}{'' if possible else ' (impossible here)'}"
        if self.implies:
            yield f"{self.promise} implies"
        yield from (f"  {each}" for each in self.implies)
        if self.found is not None:
            nothing = "" if self.found else ": nothing found"
            yield f"{self.promise} was kept here when the algorithm was asked for{nothing}"
        for found in self.found or ():
            left = f", {counted(found.suppressed, 'row')} suppressed" if found.suppressed else ""
            protection = f"excessive protection {float(found.protection):.4g}"
            yield f"  {found.promise}: {counted(found.classes, 'group')}{left}, {protection}"


def related(promise: Promise, facts: Facts, whole: Groups) -> tuple[Relation, ...]:
    """The neighbours of every simple, recursive or (tau,l) part of a promise."""
    parts = promise.promises if isinstance(promise, AllOf) else (promise,)
    made = []
    for part in parts:
        if isinstance(part, (SimpleL, RecursiveCL, TauL)):
            values = int((facts.column(part.on).counts > 0).sum())
            weaker = [(each, bool(bind(each, facts).attainable(whole)[0])) for each in _implying(part, values)]
            made.append(Relation(part, tuple(weaker), tuple(_implied(part, values))))
    return tuple(made)


def _implying(part: Promise, values: int) -> Iterator[Promise]:
    if isinstance(part, TauL):
        yield SimpleL(weakest_simple(part), part.on)
        for l in range(2, min(values, MOST_L) + 1):
            c = weakest_c(part, l, values)
            if c is not None:
                yield RecursiveCL(c, l, part.on)


def _implied(part: Promise, values: int) -> Iterator[Promise]:
    if isinstance(part, TauL):
        yield SimpleL(1 / part.tau, part.on)
        for l in range(2, min(part.l, MOST_L) + 1):
            c = implied_c(part, l)
            if c is not None:
                yield RecursiveCL(Fraction(floor(100 * c) + 1, 100), l, part.on)  # c must be above it
        return
    tau, on = None, None
    if isinstance(part, SimpleL):
        tau, on = tau_of_simple(part.l), part.on
    elif isinstance(part, RecursiveCL):
        tau, on = tau_of_recursive(part.c, part.l, part.l, values), part.on
    if tau is not None:
        yield replace(tau, on=on)


def searched(
    relations: Iterable[Relation], promise: Promise, method: Method, facts: Facts, task: Task
) -> Iterator[Relation]:
    """The same relations, those of a (tau,l) part with what the search found for it."""
    for relation in relations:
        if isinstance(relation.promise, TauL):
            search = _Weakest(relation.promise, promise, method, facts, task)
            relation = replace(relation, found=tuple(search.found()))
        yield relation


@dataclass(frozen=True, eq=False)
class _Weakest:
    """Runs of one algorithm under requirements that take the place of a (tau,l) part."""

    part: TauL
    promise: Promise
    method: Method
    facts: Facts
    task: Task

    def found(self) -> Iterator[Equivalent]:
        """The weakest simple l that will do, and for every l the largest c."""
        ladders = [self._simple(), *map(self._recursive, range(2, min(self._values, MOST_L) + 1))]
        total, rows = sum(map(len, ladders)), self.task.table.rows
        begin = 0
        for ladder in ladders:
            for step, requirement in enumerate(ladder, begin):
                self.task.progress("search", rows * step // total, rows)
                made = self._tried(requirement)
                if made is not None:
                    yield made
                    break
            begin += len(ladder)
        self.task.progress("search", rows, rows)

    @property
    def _values(self) -> int:
        return int((self.facts.column(self.part.on).counts > 0).sum())

    def _simple(self) -> list[Promise]:
        enough = weakest_simple(self.part)
        return [SimpleL(l, self.part.on) for l in (*range(2, ceil(enough)), enough)]

    def _recursive(self, l: int) -> list[Promise]:
        enough = weakest_c(self.part, l, self._values)
        steps = [Fraction(c) for c in reversed(_STEPS) if enough is None or c > enough]
        return [RecursiveCL(c, l, self.part.on) for c in (*steps, *([enough] if enough is not None else ()))]

    def _tried(self, requirement: Promise) -> Equivalent | None:
        """What the algorithm makes under a requirement, if it is within the limits and keeps the (tau,l) part."""
        parts = self.promise.promises if isinstance(self.promise, AllOf) else (self.promise,)
        wish = all_of(*(requirement if each == self.part else each for each in parts))
        model = bind(self.method.searched(wish), self.facts)
        algorithm = grouping(self.method, binding(self.facts))
        if algorithm.fit(model).status == "refused":
            return None
        task = self.task
        try:
            grouped = algorithm.partition(replace(task, model=model, edits=False, progress=silent))
        except NoneFound:
            return None
        within = grouped.suppressed <= task.limit * task.table.rows and grouped.suppressed < task.table.rows
        return self._judged(requirement, sound(grouped, task.table, self.method.method)) if within else None

    def _judged(self, requirement: Promise, grouped: Partition) -> Equivalent | None:
        wanted: Model = bind(self.part, self.facts)
        (statistic,) = wanted.statistics
        groups = Groups.of_parts(self.task.table, grouped.tuples, grouped.groups, grouped.counts, [statistic])
        if not wanted.holds(groups).all():
            return None
        histogram = groups[statistic]
        classes = [histogram.row(group)[1].tolist() for group in range(histogram.groups)]
        return Equivalent(requirement, len(classes), grouped.suppressed, excessive_protection(self.part, classes))
