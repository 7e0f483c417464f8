"""What can be shown of a table apart from any method and form: that no release keeps a promise, or that one does.

A release leaves out some rows, within the policy's limit, and every group of the others keeps the promise; rows that
are kept as one class of `*` keep it as well, so that then none is left out. Where a promise survives merging, the rows
that stay would keep it as one group. Hence no release does

- where no row may be left out, if the table as one group breaks it (`attainable`, for a promise that does not survive
  merging: what can be cut into groups that keep it);
- where rows may be, if even the most even choice of them breaks it (`relief`), for promises that ask only how even the
  values of one column are; for those that do not survive merging, by what they imply;
- if somebody has more rows than there can be groups;
- if a part says that it is out of reach, whatever is generalized or suppressed.

A part that breaks is enough. Otherwise nothing is shown of a (tau,l) promise about a column that could be generalized,
nor of promises about terms, which could be suppressed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.advice.relief import at_least, relief
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.policy.document import Policy
from sfumato.policy.promises import Promise, all_of
from sfumato.table.tuples import Tuples

__all__ = ["Feasibility", "whole_table"]


def whole_table(model: Model, table: Tuples) -> Groups:
    """The table as one group, counted for a model."""
    return Groups.whole(table, tuple(columns for columns in model.statistics if columns))


@dataclass(frozen=True, eq=False)
class Feasibility:
    """A table and what a policy promises of it, apart from its method and form.

    allowed    how many rows a release may lack
    coarsened  sensitive columns that may be shown by labels
    """

    table: Tuples
    facts: Facts
    promise: Promise
    allowed: int
    coarsened: frozenset[str] = frozenset()

    @classmethod
    def of(cls, table: Tuples, policy: Policy) -> Feasibility:
        limit = 0 if policy.suppression.keep else int(policy.suppression.limit * table.rows)
        return cls(table, Facts.of(table), policy.promise, min(limit, table.rows - 1), policy.coarsened)

    def impossible(self) -> str | None:
        """Why no release keeps the promise; None: not shown."""
        return next(self._reasons(), None)

    def possible(self) -> bool:
        """Whether it is shown that some grouping keeps the promise, with no row of anybody left out or few enough."""
        model = bind(self.promise, self.facts)
        if self.table.person is not None or not model.decides:
            return False
        if bool(model.attainable(whole_table(model, self.table))[0]):
            return True
        less = relief(model, self.table)
        return less is not None and less.rows <= self.allowed

    def _reasons(self) -> Iterator[str]:
        parts = [bind(part, self.facts) for part in self.promise.parts]
        yield from (f"{part.promise}: {why}" for part in parts if (why := part.out_of_reach(self.allowed)))
        plain = [part for part in parts if not (part.promise.about_terms or self._may_be_generalized(part, parts))]
        yield from self._whole(plain) if not self.allowed else self._without(plain)
        yield from self._crowded(plain)

    def _whole(self, parts: list[Model]) -> Iterator[str]:
        """Where no row may be left out."""
        for part in parts:
            whole = whole_table(part, self.table)
            if not bool(part.attainable(whole)[0]):
                least = at_least(part, self.table)
                enough = 0 < least < self.table.rows
                more = f"; at least {least} would have to be left out (suppression.limit)" if enough else ""
                yield (
                    f"{part.promise}: no grouping of all {self.table.rows} rows keeps it: {part.obstacle(whole)}{more}"
                )

    def _without(self, parts: list[Model]) -> Iterator[str]:
        """Where some may: of each column, all evenness that is asked of it at once."""
        asked_for = [bind(promise, self.facts) for part in parts if (promise := _merging(part)) is not None]
        merging = [part for part in asked_for if part.prefers_even]
        sizes = [part for part in merging if not any(part.statistics)]
        for part in sizes:
            if not bool(part.holds(whole_table(part, self.table))[0]):
                yield f"{part.promise}: the table has {self.table.rows} rows"
        for columns in dict.fromkeys(part.statistics for part in merging if any(part.statistics)):
            mine = [part.promise for part in (*sizes, *merging) if part in sizes or part.statistics == columns]
            asked = bind(all_of(*dict.fromkeys(mine)), self.facts)
            least = at_least(asked, self.table)
            if least > self.allowed:
                why = asked.obstacle(whole_table(asked, self.table))
                words = "no number of rows left out is enough"
                if least < self.table.rows:
                    words = f"at least {least} of {self.table.rows} rows would have to be left out"
                yield f"{asked.promise}: {words}, and suppression.limit allows {self.allowed}: {why}"

    def _crowded(self, parts: list[Model]) -> Iterator[str]:
        """Somebody has more rows than there can be groups: each has so many rows at least, one of them theirs."""
        if self.table.person is None or not parts:
            return
        most, rows = int(np.bincount(self.table.person, weights=self.table.counts).max()), self.table.rows
        least = max(part.least_rows() for part in parts)
        if (most - self.allowed) * least > rows - self.allowed:
            yield (
                f"{self.promise}: somebody has {most} of {rows} rows, which groups of at least {least} rows cannot hold"
                f" once each ({self.allowed} may be left out)"
            )

    def _may_be_generalized(self, part: Model, parts: list[Model]) -> bool:
        """Whether generalized sensitive values could keep it: whatever speaks of a column with a tree counts them."""
        columns = {name for statistic in part.statistics for name in statistic}
        about = [other for other in parts if columns & {name for statistic in other.statistics for name in statistic}]
        trees = any(self.table[name].taxonomy is not None for name in columns)
        return bool(columns & self.coarsened) or (trees and all(other.counts_induced for other in about))


def _merging(part: Model) -> Promise | None:
    """A promise that survives merging and that every release keeps which keeps this one."""
    promise: Promise | None = part.promise if part.survives_merging else part.relaxed()
    return promise
