"""Rows that are left out where the form shows who is missing: what they must keep, and whether they do.

Who knows how often each value occurs in the whole table knows what the missing hold: the difference. So they must keep
what is promised of values and terms as a class of their own, or what follows from it for classes that look alike.

Rows are left out for two reasons. Those that the missing rule dropped never reach an algorithm; the others found no
group, or no suppression of terms helped theirs. `release.json` counts both, and who knows that something of a person is
not recorded tells the one from the other. So each kind must keep it alone, and both must together. As in a
group, no two of these rows are one person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.partition.uniform import persons_twice
from sfumato.policy.promises import Promise, all_of
from sfumato.publish.contract import Publisher, shows_missing
from sfumato.release import Held, LeftOut
from sfumato.table.coded import CodedTable
from sfumato.table.distinct import Distinct, combined
from sfumato.table.encode import encode_secrets
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Unseen", "what_missing_keep"]


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
    table     secrets of all rows that were read: first those that are grouped, then those that were dropped
    rows      how many of them are grouped
    """

    missed: Model
    table: CodedTable
    rows: int

    @classmethod
    def of(cls, table: Table, coded: CodedTable, missed: Model) -> Unseen:
        """`missed` is bound to the codes of the table without its dropped rows, as an algorithm needs it."""
        if not table.dropped:
            return cls(missed, coded, coded.rows)
        whole = encode_secrets(table)
        return cls(bind(missed.promise, _facts(whole, coded.rows)), whole, coded.rows)

    def held(self, source: Table, labels: NDArray[np.int64], kept: bool) -> LeftOut:
        """What rows hold that are not in the table, for the holder's manifest; `kept`: those without a group are."""
        names, left = source.policy.secret, np.flatnonzero((labels < 0) & (not kept))
        missing = np.concatenate((left, np.arange(self.rows, self.table.rows)))
        person = np.arange(self.table.rows) if self.table.person is None else self.table.person
        return LeftOut(
            columns=names,
            suppressed=_held(source, names, left),
            dropped=() if source.lost is None else _held(source.secrets, names, np.arange(self.rows, self.table.rows)),
            most=int(np.bincount(person[missing]).max(initial=0)),
        )

    def require(self, labels: NDArray[np.int64] | None = None) -> None:
        """`NoneFound` if the rows without a group, or the dropped ones, break what they must keep.

        Without labels only the dropped ones are judged: no search could help them.
        """
        every = np.full(self.table.rows, 1, dtype=np.int64)
        every[: self.rows] = -1 if labels is None else np.where(labels < 0, 0, -1)
        if (every < 0).all():
            return
        groups = Groups.of_rows(self.table, every, _counted(self.missed))
        found, dropped = (int((every == kind).sum()) for kind in (0, 1))
        for which, what, remedy in _kinds(found, dropped):
            mine = np.array(which[: len(groups.sizes)])
            if not self.missed.holds(groups.merged(mine))[0]:
                raise _broken(f"{self.missed.promise}: {what}", "they break it", remedy)
            if persons_twice(np.where(np.array([*which, False])[every], 0, -1), self.table.person).any():
                raise _broken(what, "they hold several rows of one person", remedy)


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


def _facts(whole: CodedTable, rows: int) -> Facts:
    """The facts of the grouped rows, in the codes of all: what a promise is compared with is the table without the
    dropped ones, whose values are values of the column all the same."""
    kept = np.arange(rows)
    names = tuple(column.name for column in whole.sensitive)
    return Facts(
        rows,
        {column.name: replace(column.take(kept), beside=column.counts > 0) for column in whole.sensitive},
        {names: whole.joint(names)[1]} if len(names) > 1 else {},
        {column.name: column.take(kept) for column in whole.sets},
    )


def _held(source: Table, names: Sequence[str], rows: NDArray[np.int64]) -> tuple[Held, ...]:
    """Every combination that these rows show, in an order of its own, and how many of them do."""
    shown = [source.published_as(name) for name in names]
    if not shown:
        return ()
    codes, places = combined([Distinct(each.values.cast(pl.String), each.codes[rows]) for each in shown])
    texts = [Distinct(each.values.cast(pl.String), places[:, at]).spread() for at, each in enumerate(shown)]
    held = zip(zip(*texts, strict=True), np.bincount(codes, minlength=len(places)).tolist(), strict=True)
    ordered = sorted(held, key=lambda pair: [(text is None, text or "") for text in pair[0]])
    return tuple(Held(values=values, rows=count) for values, count in ordered)
