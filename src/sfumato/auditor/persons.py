"""Rows per person: whether the rows that every promise counts are persons.

Promises count rows. If a group holds two rows of one person, it has fewer people than rows, and its values may all be
theirs. Whose rows are, a release does not say: only the holder's manifest does, by numbers and not by names. Groups are
those that a recipient tells apart: by group id where one is published, otherwise by equal published values.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl

from sfumato.auditor.exactly import Ints
from sfumato.auditor.ruling import SHAPE
from sfumato.auditor.verdict import Criterion, JudgedGroup, WorstGroup
from sfumato.policy.document import Policy
from sfumato.release.codes import Codes
from sfumato.release.documents import Persons
from sfumato.release.opening import Opened

__all__ = ["NAME", "judge_persons"]

NAME = "rows-per-person"


def judge_persons(evidence: Opened, policy: Policy, once: bool = False, listed: int = 0) -> Criterion | None:
    """At most one row of a person in every group; None if the policy has no column that says whose a row is.

    once     the original table is known, and has one row of everybody
    listed   how many of the worst groups to list
    """
    column = policy.individual
    if column is None:
        return None
    blank = Criterion(model=NAME, parameters={}, on=column, verdict="undecidable", required="at most 1")
    if once:
        return blank.model_copy(update={"verdict": "holds", "level": Fraction(1), "violating_groups": 0})
    document, manifest = evidence.document, evidence.manifest
    people = next(iter(evidence.tables.values()))
    if document is None:
        return blank.model_copy(update={"needs": "release.json: without it, rows may stand in another order"})
    if manifest is None or manifest.persons is None:
        return blank.model_copy(update={"needs": "to know whose rows are: the internal manifest"})
    if not people.height:
        return blank.model_copy(update={"needs": "at least one row"})
    by_id = document.group_id is not None and document.group_id in people.columns
    quasi = [name for name in policy.quasi if name in people.columns]
    told = people.select([document.group_id] if by_id else quasi)
    return _judged(blank, _numbered(told, people.height), manifest.persons, by_id, listed)


def _numbered(told: pl.DataFrame, rows: int) -> Ints:
    """The group of every row, from 0 on."""
    group = np.zeros(rows, dtype=np.int64)
    for column in told.get_columns():
        codes = Codes.alone(column)
        group = np.unique(group * codes.size + codes.rows, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return group


def _judged(blank: Criterion, group: Ints, persons: Persons, by_id: bool, listed: int) -> Criterion:
    sets = [each for each in persons.rows if len(each) > 1]
    row = np.array([row for each in sets for row in each], dtype=np.int64)
    if len(row) and int(row.max()) >= len(group):
        return blank.model_copy(update={"needs": "a manifest that names rows of this release"})
    owner = np.repeat(np.arange(len(sets)), [len(each) for each in sets])
    groups = int(group.max()) + 1
    pairs, counts = np.unique(owner * groups + group[row], return_counts=True)
    sizes, most = np.bincount(group, minlength=groups), np.ones(groups, dtype=np.int64)
    np.maximum.at(most, pairs % groups, counts)
    worst_first = np.lexsort((sizes, -most))
    broken = most > 1

    def rows_of(at: int) -> tuple[int, ...]:
        """Rows per person of a group."""
        mine = np.sort(counts[pairs % groups == at])[::-1]
        return (*mine.tolist(), *([1] * int(sizes[at] - mine.sum())))

    def told(at: int) -> JudgedGroup:
        rows = rows_of(at)
        return JudgedGroup(
            groups=1,
            kept=not broken[at],
            level=Fraction(int(most[at])),
            size=int(sizes[at]),
            values=len(rows),
            counts=rows[:SHAPE],
            row=int((group == at).argmax()) + 1,
            leave=int(sizes[at]) - len(rows) if broken[at] else None,
        )

    worst = rows_of(int(worst_first[0]))
    return blank.model_copy(
        update={
            "verdict": "fails" if broken.any() else "holds",
            "level": Fraction(int(most.max())),
            "violating_groups": int(broken.sum()),
            "violating_rows": int(sizes[broken].sum()),
            "worst": WorstGroup(size=sum(worst), counts=worst[:SHAPE], values=len(worst)),
            "view": "group id" if by_id else "published values",
            "groups": tuple(told(int(at)) for at in worst_first[:listed]),
        }
    )
