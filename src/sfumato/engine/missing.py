"""Rows that are left out where the form shows who is missing: what they must keep, and whether they do.

Who knows how often each value occurs in the whole table knows what the missing hold: the difference. So they must keep
what is promised of values and terms as a class of their own, or what follows from it for classes that look alike.

Rows are left out for two reasons. Those that the missing rule dropped never reach an algorithm; the others found no
group, or no suppression of terms helped theirs. `release.json` counts both, and who knows that something of a person is
not recorded tells the one from the other. So each kind must keep it alone, and both must together. As in a
group, no two of these rows are one person's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.forms.contract import Publisher, shows_missing
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition
from sfumato.policy.promises import Promise, all_of
from sfumato.release.documents import Held, LeftOut
from sfumato.table.domain import Domain
from sfumato.table.encode import encode_secrets
from sfumato.table.table import Table
from sfumato.table.tuples import Columns, Tuples
from sfumato.table.words import counted

__all__ = ["Unseen", "what_missing_keep"]

D = TypeVar("D", bound=Domain)


def what_missing_keep(form: Publisher, promise: Promise, facts: Facts) -> Model | None:
    """None where the form does not show who is missing, or only sizes are promised.

    A promise that does not survive merging is replaced by the one that follows from it, if its model names one.
    """
    if not shows_missing(form):
        return None
    parts = [part for part in (bind(each, facts) for each in all_of(promise).promises) if _counted(part)]
    merged = [part.promise if part.survives_merging else part.relaxed() or part.promise for part in parts]
    return bind(all_of(*merged), facts) if merged else None


@dataclass(frozen=True, eq=False)
class Unseen:
    """The rows of a table that may be left out, and what they have to keep.

    missed    the model of what they keep, bound to these codes
    table     secrets of all rows that were read: first the tuples that are grouped, then rows that were dropped
    grouped   how many are tuples that are grouped
    """

    missed: Model
    table: Tuples
    grouped: int

    @classmethod
    def of(cls, table: Table, coded: Tuples, missed: Model) -> Unseen:
        """`missed` is bound to the codes of the table without its dropped rows, as an algorithm needs it."""
        if not table.dropped:
            return cls(missed, coded, len(coded))
        whole = encode_secrets(table, coded)
        return cls(bind(missed.promise, _facts(whole, len(coded))), whole, len(coded))

    def held(self, names: Sequence[str], table: Tuples, found: Partition, kept: bool) -> LeftOut:
        """What rows hold that are not in the table, for the holder's manifest; `kept`: those without a group are.

        `table` has the names that are published.
        """
        left = self._left(None if kept else found)
        shown = np.zeros(len(self.table), dtype=np.bool_)
        shown[found.tuples[(found.groups >= 0) | kept]] = True
        whole, dropped = self.table.telling(shown, shown), slice(self.grouped, None)
        return LeftOut(
            columns=tuple(names),
            suppressed=_held(table, names, np.arange(self.grouped), left[: self.grouped]),
            dropped=_held(whole, names, np.arange(len(whole))[dropped], whole.counts[dropped]),
            most=int(_by_person(self.table, left).max(initial=0)),
        )

    def _left(self, found: Partition | None) -> NDArray[np.int64]:
        """Rows of every tuple that found no group, and those that were dropped."""
        left = self.table.counts.copy()
        left[: self.grouped] = 0
        if found is not None:
            out = found.groups < 0
            np.add.at(left, found.tuples[out], found.counts[out])
        return left

    def require(self, found: Partition | None = None) -> None:
        """`NoneFound` if the rows without a group, or the dropped ones, break what they must keep.

        Without a partition only the dropped ones are judged: no search could help them.
        """
        left, every = self._left(found), np.arange(len(self.table))
        dropped = every >= self.grouped
        for which, what, remedy in _kinds(int(left[~dropped].sum()), int(left[dropped].sum())):
            mine = np.where(dropped, *reversed(which)) & (left > 0)
            groups = Groups.of_parts(self.table, every, np.where(mine, 0, -1), left, _counted(self.missed))
            if not self.missed.holds(groups)[0]:
                raise _broken(f"{self.missed.promise}: {what}", "they break it", remedy)
            if _by_person(self.table, np.where(mine, left, 0)).max(initial=0) > 1:
                raise _broken(what, "they hold several rows of one person", remedy)


def _by_person(table: Tuples, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many rows everybody has, if so many of each tuple count."""
    if table.person is None:
        return np.minimum(rows, 1)
    counts = np.zeros(int(table.person.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(counts, table.person, rows)
    return counts


def _broken(what: str, how: str, remedy: str) -> NoneFound:
    return NoneFound(
        f"{what}, this form shows who is missing, and as a class of their own {how}. {remedy}, or promise less"
    )


def _kinds(found: int, dropped: int) -> Iterator[tuple[tuple[bool, bool], str, str]]:
    """Which classes are judged, as flags for rows without a group and dropped ones; what they are, and a remedy."""
    ungrouped, gone = f"{counted(found, 'row')} found no group", f"{counted(dropped, 'row')} dropped as missing"
    if dropped:
        yield (False, True), gone, "Set missing: category, publish generalized"
    if found:
        yield (True, False), ungrouped, "Publish generalized"
    if found and dropped:
        yield (True, True), f"{ungrouped} and {gone}", "Publish generalized"


def _counted(model: Model) -> tuple[Columns, ...]:
    """The counts of values or terms that a model needs; none for a promise about sizes."""
    return tuple(columns for columns in model.statistics if columns)


def _facts(whole: Tuples, grouped: int) -> Facts:
    """The facts of the grouped rows, in the codes of all: what a promise is compared with is the table without the
    dropped ones, whose values are values of the column all the same."""
    kept = np.arange(len(whole)) < grouped
    facts = Facts.of(whole)

    def of_kept(domain: D) -> D:
        counts = np.zeros(domain.size, dtype=np.int64)
        np.add.at(counts, whole.codes[domain.name][kept], whole.counts[kept])
        return replace(domain, counts=counts, elsewhere=domain.counts > 0)

    return replace(
        facts,
        rows=int(whole.counts[kept].sum()),
        columns={name: of_kept(domain) for name, domain in facts.columns.items()},
        sets={name: of_kept(domain) for name, domain in facts.sets.items()},
    )


def _held(table: Tuples, names: Sequence[str], tuples: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[Held, ...]:
    """Every combination that so many rows of these tuples hold, in an order of its own, and its rows."""
    texts = {name: table[name].published.cast(pl.String).to_list() for name in names}
    held = Counter[tuple[str | None, ...]]()
    some = np.flatnonzero(rows) if names else rows[:0]
    for each, count in zip(tuples[some].tolist(), rows[some].tolist(), strict=True):
        held[tuple(texts[name][table.codes[name][each]] for name in names)] += count
    ordered = sorted(held.items(), key=lambda pair: [(text is None, text or "") for text in pair[0]])
    return tuple(Held(values=values, rows=count) for values, count in ordered)
