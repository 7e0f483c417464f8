"""The search for terms to remove, group by group: which one, how long, at what cost."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.knowledge.belief import LabelPromise
from sfumato.knowledge.linking import TermSets
from sfumato.partition.contract import Task
from sfumato.partition.steps.terms.costs import HARMONIC, Pricing
from sfumato.partition.steps.terms.threads import side_by_side
from sfumato.table.domain import SetDomain

if TYPE_CHECKING:
    from sfumato.partition.steps.terms.cheapest import Cheapest
    from sfumato.partition.steps.terms.suppression import Asked

__all__ = ["Removal", "TermSearch"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Removal:
    """What stays of every row of a group; None if nothing was found.

    cost, gap    as shares of removing everything: what it costs, and at most how much less would do
    """

    keep: tuple[Flags, ...] | None
    cost: Fraction = Fraction(0)
    gap: Fraction = Fraction(0)

    @property
    def proven(self) -> bool:
        return self.gap == 0


@dataclass(frozen=True)
class TermSearch:
    """How terms are searched for, and what becomes of a group that no suppression helps: settings of the policy.

    instead    of withholding, where that would tell of the rows that are missing
    """

    kind: Literal["optimal", "adaptive", "dfs"] = "optimal"
    work: int = 20_000_000
    cost: Pricing = HARMONIC
    otherwise: Literal["merge", "withhold", "fail"] = "merge"
    instead: Literal["merge", "fail"] = "fail"

    def removals(self, asked: Asked, groups: Sequence[Ints], task: Task) -> list[Removal]:
        """The cheapest removal for every group, in parallel; told in order."""
        if not groups:
            return []
        done, proven, total = 0, 0, sum(map(len, groups))
        found = []
        with side_by_side(min(os.cpu_count() or 1, 8)) as pool:
            for rows, removal in zip(groups, pool.map(self._one(asked), groups), strict=True):
                found.append(removal)
                done, proven = done + len(rows), proven + (removal.keep is not None and removal.proven)
                task.progress(f"terms: {proven} of {len(groups)} groups proven", done, total)
        return found

    def _one(self, asked: Asked) -> Callable[[Ints], Removal]:
        return lambda rows: self._removal(asked, rows)

    def _removal(self, asked: Asked, rows: Ints) -> Removal:
        """For one promise what its search finds; for several, the cheapest finding that keeps all, or everything.

        Each alone is searched first; where the cheapest of these breaks another, both are searched together.
        """
        codes = asked.codes[rows]
        sets = asked.column.terms.take(codes.astype(np.int64))
        found = [self._searched(asked.column, sets, codes, promise) for promise in asked.promises]
        lower = max(result.lower for result in found)
        made = [result for result in found if result.cost is not None]
        if len(found) == 1 and made:
            return _removal(made[0], lower)
        if any(result.outcome == "infeasible" for result in found):
            return Removal(None)
        good = [result for result in made if asked.holds(rows, result.keep)]
        if self.kind == "optimal" and len(found) > 1 and all(result.cost != lower for result in good):
            strictest = max(range(len(found)), key=lambda each: found[each].lower)
            first, *others = sorted(asked.promises, key=lambda each: each is not asked.promises[strictest])
            both = self._searched(asked.column, sets, codes, first, others)
            if both.outcome == "infeasible":
                return Removal(None)
            lower = max(lower, both.lower)
            good += [both] if both.cost is not None else []
        if good:
            return _removal(min(good, key=lambda result: result.cost or Fraction(0)), lower)
        bare = tuple(np.zeros(len(sets[row]), np.bool_) for row in range(len(sets)))
        return Removal(bare, Fraction(1), 1 - lower) if asked.holds(rows, bare) else Removal(None)

    def _searched(
        self,
        column: SetDomain,
        sets: TermSets,
        codes: NDArray[np.int32],
        promise: LabelPromise,
        besides: Sequence[LabelPromise] = (),
    ) -> Cheapest:
        from sfumato.partition.steps.terms.cheapest import suppress  # which load the compiled loops
        from sfumato.partition.steps.terms.tree import LONGEST_ROW, suppress_as_in_the_paper

        lengths = None if column.lengths is None else column.lengths[codes]
        if self.kind == "optimal":
            return suppress(
                column.told,
                sets,
                promise,
                self.cost.of(column),
                unknown=column.unknown,
                lengths=lengths,
                work=self.work,
                besides=besides,
            )
        longest = int(sets.lengths.max(initial=0))
        if longest > LONGEST_ROW:
            raise Refused(
                f"column {column.name!r} has rows of {longest} terms, and search: {self.kind} takes {LONGEST_ROW} at"
                " most; set search: optimal (partition, step suppress-terms)"
            )
        return suppress_as_in_the_paper(
            column.told,
            sets,
            promise,
            self.cost.of(column),
            adaptive=self.kind == "adaptive",
            unknown=column.unknown,
            lengths=lengths,
            work=self.work,
        )


def _removal(found: Cheapest, lower: Fraction) -> Removal:
    cost = found.cost or Fraction(0)
    return Removal(found.keep, cost, max(cost - lower, Fraction(0)))
