"""Requirements of other kinds beside a promise: those that imply it, those that it implies, and the weakest by search.

The search is the one by which the paper found its best baselines: the policy's algorithm is run under ever stronger
simple or (c,l) requirements until its groups keep the (tau,l) promise. What it finds holds of this table and this
algorithm alone, and is no theorem: the release is still audited for what it promises.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
sections 3 and 5. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sfumato.errors import NoneFound
from sfumato.measures.protection import excessive_protection
from sfumato.models.contract import Facts, Groups, Model, ShareCaps
from sfumato.models.registry import bind, binding
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import grouping
from sfumato.partition.sound import sound
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise, all_of
from sfumato.progress import silent
from sfumato.table.words import counted

__all__ = ["Equivalent", "Relation", "related", "searched"]


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
    """The neighbours of every part of a promise of which some are known."""
    made = []
    for part in bind(promise, facts).conjuncts:
        found = part.neighbours(_values(part, facts))
        if found is not None:
            weaker = [(each, bool(bind(each, facts).attainable(whole)[0])) for each in found.implied_by]
            made.append(Relation(part.promise, tuple(weaker), found.implies))
    return tuple(made)


def _values(part: Model, facts: Facts) -> int:
    """Different values of the sensitive column that a model counts, of the fewest if of several."""
    columns = [facts.columns[name] for statistic in part.statistics for name in statistic if name in facts.columns]
    return min((int((column.counts > 0).sum()) for column in columns), default=0)


def searched(
    relations: Iterable[Relation], promise: Promise, method: Method, facts: Facts, task: Task
) -> Iterator[Relation]:
    """The same relations, those of a part that others can be tried in place of with what the search found for it."""
    for relation in relations:
        wanted = bind(relation.promise, facts)
        caps, ladders = wanted.caps(), wanted.ladders(_values(wanted, facts))
        if caps is not None and ladders:
            search = _Weakest(wanted, caps, ladders, promise, method, facts, task)
            relation = replace(relation, found=tuple(search.found()))
        yield relation


@dataclass(frozen=True, eq=False)
class _Weakest:
    """Runs of one algorithm under requirements that take the place of a part, kind by kind, the weakest first."""

    wanted: Model
    caps: ShareCaps
    ladders: Sequence[Sequence[Promise]]
    promise: Promise
    method: Method
    facts: Facts
    task: Task

    def found(self) -> Iterator[Equivalent]:
        """The weakest of each kind that will do."""
        total, rows = sum(map(len, self.ladders)), self.task.table.rows
        begin = 0
        for ladder in self.ladders:
            for step, requirement in enumerate(ladder, begin):
                self.task.progress("search", rows * step // total, rows)
                made = self._tried(requirement)
                if made is not None:
                    yield made
                    break
            begin += len(ladder)
        self.task.progress("search", rows, rows)

    def _tried(self, requirement: Promise) -> Equivalent | None:
        """What the algorithm makes under a requirement, if it is within the limits and keeps the part."""
        parts = self.promise.parts
        wish = all_of(*(requirement if each == self.wanted.promise else each for each in parts))
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
        (statistic,) = self.wanted.statistics
        groups = Groups.of_parts(self.task.table, grouped.tuples, grouped.groups, grouped.counts, [statistic])
        if not self.wanted.holds(groups).all():
            return None
        histogram = groups[statistic]
        classes = [histogram.row(group)[1].tolist() for group in range(histogram.groups)]
        spare = excessive_protection(self.caps.most, classes)
        return Equivalent(requirement, len(classes), grouped.suppressed, spare)
