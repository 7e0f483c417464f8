"""What a model is: a promise that judges counts, and nothing but counts.

A model declares the additive statistic that it needs: a histogram of one sensitive column, or a joint histogram of
several. It is handed `Groups`, many at a time, and answers for each of them. Counts add up when groups merge, so the
same model serves a Mondrian split, a lattice node, a chunk of a file and a distributed reduction.

Declarations (`survives_merging`, `uniform_l`) steer the search. Soundness never rests on them: the auditor judges. Only
what is said of the least loss there can be rests on `least_rows`, `distinct_l` and the `fewest` of a gauge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Infeasible, Refused
from sfumato.models.gauge import Gauge, at_least
from sfumato.models.groups import Groups, Histogram
from sfumato.policy import promises
from sfumato.policy.promises import Promise, all_of
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.tuples import Columns, Tuples

if TYPE_CHECKING:
    from sfumato.knowledge.belief import LabelPromise

__all__ = [
    "Columns",
    "Facts",
    "Gauge",
    "Groups",
    "Histogram",
    "Model",
    "Neighbours",
    "ShareCaps",
    "TermsAsked",
    "concerned",
    "speaks_of_several",
]


@dataclass(frozen=True, eq=False)
class Facts:
    """What a model may know of the whole original table before any search: its secret columns and their counts.

    A code may have the count 0: a leaf of the taxonomy that no row has, or a value that only rows have which were
    dropped before the search. Groups of such rows are judged too.
    """

    rows: int
    columns: Mapping[str, Domain]
    joint: Mapping[Columns, NDArray[np.int64]] = field(default_factory=dict)
    sets: Mapping[str, SetDomain] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Tuples) -> Facts:
        """The facts of a table; several sensitive columns also get their table of combinations."""
        names = tuple(column.name for column in table.sensitive)
        joint = {names: np.stack(table.count(names).codes, axis=1)} if len(names) > 1 else {}
        return cls(
            table.rows,
            {column.name: column for column in table.sensitive},
            joint,
            {column.name: column for column in table.sets},
        )

    def set_column(self, on: str | None) -> SetDomain:
        """The quasi-sensitive column of that name; None: the only one."""
        names = ", ".join(map(repr, self.sets)) or "none"
        if on is not None:
            if on in self.sets:
                return self.sets[on]
            raise Refused(f"column {on!r} is not a quasi-sensitive column of this table; there are: {names}")
        if len(self.sets) != 1:
            raise Refused(f"which quasi-sensitive column? the table has {len(self.sets)}: {names}; name one with 'on'")
        return next(iter(self.sets.values()))

    def column(self, on: str | None) -> Domain:
        """The sensitive column of that name; None: the only one."""
        names = ", ".join(map(repr, self.columns)) or "none"
        if on is not None:
            if on not in self.columns:
                raise Refused(f"column {on!r} is not a sensitive column of this table; there are: {names}")
            return self.columns[on]
        if len(self.columns) != 1:
            count = len(self.columns)
            raise Refused(f"which sensitive column? the table has {count}: {names}; name one with 'on'")
        return next(iter(self.columns.values()))


@dataclass(frozen=True, eq=False)
class ShareCaps:
    """What the most frequent values of a column may fill of a group, generalized values counted for those below them.

    most       shares: of the most frequent value, of the two most frequent ones, ...; no end beyond
    weights    per code of the column, how much it counts for in a value above it
    """

    column: str
    most: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class TermsAsked:
    """What is asked of the labels that the terms of a column may stand for.

    prior    per label, how likely it is by the whole original table, if it is compared with that
    """

    column: SetDomain
    promise: LabelPromise
    prior: Mapping[str, Fraction] | None = None


@dataclass(frozen=True)
class Neighbours:
    """Promises of other kinds about the same column, as strong and as weak as they can be.

    implied_by    the weakest of each kind that imply a promise
    implies       the strongest of each kind that it implies
    """

    implied_by: tuple[Promise, ...] = ()
    implies: tuple[Promise, ...] = ()


class Model(Protocol):
    """A promise bound to the facts of one table. Subclass it; the defaults suit a model that survives merging.

    survives_merging    the union of two groups that keep it keeps it
    higher_is_better    a group with a higher `level` is safer
    uniform_exactly     one row more than `uniform_l`, all different, does not keep it
    counts_rows         it promises rows that quasi-identifiers do not tell apart, so a form must not show these
    counts_induced      a generalized value counts for those it may stand for, so that generalizing some may keep it
    shape               it asks how even the counts of values are, and neither of which values nor of how many rows: a
                        belief in values, which is nobody's count, may keep it
    prefers_even        of counts of one column, more even ones can keep it if less even ones can, whichever the values
    coarsens            it may be asked of labels of a hierarchy instead of values: where these keep it, values do
    decides             `attainable` is exact, and not merely necessary

    An empty group keeps no promise.
    """

    promise: Any
    survives_merging: bool = True
    higher_is_better: bool = True
    uniform_exactly: bool = False
    counts_rows: bool = False
    counts_induced: bool = False
    shape: bool = False
    prefers_even: bool = False
    coarsens: bool = False
    decides: bool = True

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        """The model of a promise on one table; `Refused` if it cannot be asked of these columns."""
        ...

    @property
    def conjuncts(self) -> tuple[Model, ...]:
        """The models that it joins; itself if it joins none."""
        return (self,)

    @property
    def terms_asked(self) -> TermsAsked | None:
        """For a promise about terms: what is asked of them, so that suppressing some may keep it."""
        return None

    @property
    def knowing(self) -> tuple[Columns, ...]:
        """Sets of quasi-identifiers, for a promise that asks of each alone: what it judges are rows that show the same
        in one of them, whatever their groups. A group that keeps it by itself is enough. None: of all at once."""
        return ()

    @property
    def statistics(self) -> tuple[Columns, ...]:
        """The counts it needs; sizes always come along."""
        ...

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        """Which groups keep the promise. Exact, also at the boundary."""
        ...

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """How far each group goes: the parameter it reaches, `inf` or 0 where none does. A float, for people."""
        ...

    def distinct_l(self) -> int:
        """A number of different values that every group which keeps the promise has at least."""
        return 1

    def least_rows(self) -> int:
        """A number of rows that every group which keeps the promise has at least."""
        return self.distinct_l()

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        """Groups of which no part keeps the promise, however it is cut; some, not need be all of them."""
        return groups.sizes < self.least_rows()

    def uniform_l(self) -> int | None:
        """The least L such that L rows with pairwise different values keep the promise, or None."""
        return None

    def uniform_only(self) -> bool:
        """Whether it can be kept only where all rows can be dealt to groups of `uniform_l` different values."""
        return False

    def uniform_nearest(self, most: int, whole: Groups) -> Promise | None:
        """The promise of the same kind that lets all rows be dealt to groups of up to so many different values."""
        return None

    def caps(self) -> ShareCaps | None:
        """For a promise that is nothing but such caps: which ones; generalizing values by them may keep it."""
        return None

    def gauge(self) -> Gauge | None:
        """A sufficient condition that compiled searches check, for a model that survives merging; None: none is known.

        By default by `uniform_l`: where no value fills more than its share, rows can be grouped so that all differ.
        """
        columns, different = tuple(filter(None, self.statistics)), self.uniform_l()
        if not self.survives_merging or different is None or self.uniform_exactly or len(columns) > 1:
            return None
        return at_least(columns[0], different) if columns else Gauge(rows=different)

    def relaxed(self) -> Promise | None:
        """For a model that does not survive merging: one that does, implied by it, to search with."""
        return None

    def cuttable(self) -> Promise | None:
        """For a model that does not survive merging: what a group must keep so that it can be cut into groups of
        `uniform_l` different values, all of which keep the promise."""
        relaxed, least = self.relaxed(), self.uniform_l()
        if relaxed is None or least is None:
            return None
        columns = dict.fromkeys(name for statistic in self.statistics for name in statistic)
        even = (promises.SimpleL(Fraction(least), on=name) for name in columns)
        return all_of(*dict.fromkeys((*relaxed.parts, *even)))

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        """Which groups, each for itself, can be cut into groups that all keep the promise.

        Where the promise survives merging, those that keep it uncut.
        """
        return self.holds(groups)

    def out_of_reach(self, allowed: int) -> str | None:
        """Why no release keeps it, however values are generalized or terms suppressed; None: not known.

        `allowed` is how many rows may be left out.
        """
        return None

    def nearest(self, whole: Groups) -> Promise | None:
        """The strongest promise of the same kind that is attainable for the first group, the whole table."""
        return None

    def neighbours(self, values: int) -> Neighbours | None:
        """Promises of other kinds beside it, if its column has so many different values; None: nothing is known."""
        return None

    def ladders(self, values: int) -> tuple[tuple[Promise, ...], ...]:
        """For a promise that is caps: others to be tried in its place, kind by kind, the weakest first."""
        return ()

    def obstacle(self, whole: Groups) -> str:
        """What of the whole table stands against the promise: counts, never values."""
        return f"it has {int(whole.sizes[0])} rows"

    def require_feasible(self, whole: Groups) -> None:
        """Raise `Infeasible` if no grouping of all rows, values as they are, keeps the promise.

        `whole` is the table as one group.
        """
        if not bool(self.attainable(whole)[0]):
            reason = f"{self.promise}: no grouping of all {int(whole.sizes[0])} rows keeps it: {self.obstacle(whole)}"
            raise Infeasible(reason, self.nearest(whole))


def concerned(model: Model, which: Callable[[Model], bool], one: str = "", several: str = "") -> str:
    """The names of the promises that a model joins and that are concerned, and a verb for one or several of them.

    All of them where none is by itself.
    """
    mine = [part.promise.title for part in model.conjuncts if which(part)]
    names = list(dict.fromkeys(mine or [part.promise.title for part in model.conjuncts]))
    return f"{' and '.join(names)} {one if len(names) == 1 else several}".rstrip()


def speaks_of_several(model: Model) -> bool:
    """Whether it counts values of several sensitive columns together."""
    return any(len(columns) > 1 for columns in model.statistics)
