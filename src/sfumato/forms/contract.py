"""What a publisher is: it decides how groups are shown, and nothing about which rows share one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.fit import Fit
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition
from sfumato.policy.document import Policy
from sfumato.policy.sections import NOTHING, Section
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = [
    "CountedColumn",
    "CountedTable",
    "CountingPublisher",
    "Material",
    "Published",
    "Publisher",
    "Spans",
    "shows_missing",
    "shows_recoding",
]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Material:
    """What a publisher works on: the tuples of a table, their groups, and what to do with suppressed rows.

    digest       of the input
    randomness   bound to the input and its policy
    model        the promise that the groups keep, for a form that depends on it
    """

    policy: Policy
    digest: str
    table: Tuples
    partition: Partition
    keep_suppressed: bool
    randomness: Randomness
    model: Model | None = None

    def bound(self, *settings: str) -> Randomness:
        """Randomness for what is shown: who shares a group, and how the form shows it."""
        found = self.partition
        hashed = hashlib.sha256(json.dumps([self.digest, *settings, self.keep_suppressed]).encode())
        for part in (found.tuples, found.groups, found.counts, *found.edits.values(), *found.terms.values()):
            hashed.update(part.tobytes())
        return self.randomness.bound_to(hashed.digest())


@dataclass(frozen=True, eq=False)
class Spans:
    """What rows show of their quasi-identifiers: per column the first and the last code, and the number of values.

    rows     how many rows show each; suppressed ones left out
    """

    of: Mapping[str, tuple[Ints, Ints, Ints]]
    rows: Ints


@dataclass(frozen=True, eq=False)
class Published:
    """The tables of a release, by name, and what a reader needs to understand them.

    spans     what rows show of quasi-identifiers
    sizes     of the classes that a recipient can tell apart, that of suppressed rows left out
    blank     per quasi-identifier, how many published cells say nothing
    recoded   whether groups show what the algorithm chose for them, if it chose
    aligned   whether all quasi-identifiers of a row are those of one person
    people    for every row of the first table, the tuple that it shows, or one of its group where columns are shown
              apart; None: not said
    public    what the form says beside its tables: the section that its settings declare as `shown`
    sealed    what it says to the holder alone: the section that they declare as `sealed`
    notes     what the holder should know of this form
    truth     where sensitive values are drawn within groups: with which probability one is the person's own
    rings     where a person may be some neighbours of a ring: tuples in the order of rings, where each begins, and how
              many neighbours, from the person on, it shows; suppressed rows left out

    height    how many rows the first table has, where it is written part by part and never held: the tables have none
              then, and no `people`

    The first table has a row per published person.
    """

    tables: Mapping[str, pl.DataFrame]
    group_id: str | None
    dictionary: Mapping[str, Mapping[str, Any]]
    notation: Mapping[str, str]
    spans: Spans
    sizes: NDArray[np.int64]
    blank: Mapping[str, int]
    public: Section = NOTHING
    sealed: Section = NOTHING
    recoded: bool = True
    aligned: bool = True
    people: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = ()
    truth: Fraction | None = None
    rings: tuple[Ints, Ints, Ints] | None = None
    height: int | None = None

    @property
    def rows(self) -> int:
        """Published rows of people."""
        return self.first.height if self.height is None else self.height

    @property
    def first(self) -> pl.DataFrame:
        """The table with a row per published person."""
        return next(iter(self.tables.values()))


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A published column of counted rows.

    codes    per entry a number below `size`
    shown    what each of some numbers is shown as
    """

    name: str
    codes: Ints
    size: int
    shown: Callable[[Ints], pl.Series]


@dataclass(frozen=True, eq=False)
class CountedTable:
    """What a form shows, as different rows and how often each comes, in an order that follows from what they hold.

    columns     in the order of the table
    times       rows that each entry stands for
    drawn       names of columns that get a random name in every row, each with its place among the columns
    published   all that is said beside; its tables have no rows
    """

    columns: tuple[CountedColumn, ...]
    times: Ints
    published: Published
    drawn: Mapping[str, int] = field(default_factory=dict)

    def without_rows(self) -> CountedTable:
        """What its columns are shown as."""
        none = np.zeros(0, dtype=np.int64)
        return replace(self, columns=tuple(replace(each, codes=none) for each in self.columns), times=none)


@runtime_checkable
class CountingPublisher(Protocol):
    """A form that can say what it shows as counted rows: its table can be made part by part."""

    def counted(self, material: Material) -> CountedTable:
        """The rows of its one table, counted, and not yet in the order in which they are published."""
        ...

    def fit_blocks(self, quasi: Sequence[Domain]) -> Fit:
        """Whether what it shows of such columns means the same in every block, where rows are shown block by block."""
        ...


def shows_missing(publisher: Publisher) -> bool:
    """Whether whoever knows a person's quasi-identifiers sees that their row was left out.

    True of forms that show quasi-identifiers as they are: they say so with a class attribute `shows_missing`.
    """
    return bool(getattr(publisher, "shows_missing", False))


def shows_recoding(publisher: Publisher) -> bool:
    """Whether it shows groups as the algorithm chose, if it chose: then limits on blank cells bind the search.

    Such a form says so with a class attribute `shows_recoding`.
    """
    return bool(getattr(publisher, "shows_recoding", False))


class Publisher(Protocol):
    """A form of publication with its options."""

    def fit(self, model: Model) -> Fit:
        """Whether this form can carry the promise."""
        ...

    def publish(self, material: Material) -> Published:
        """The tables, rows in a secret random order, groups renumbered."""
        ...
