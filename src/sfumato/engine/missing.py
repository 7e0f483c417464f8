"""Rows that are left out where the form shows who is missing.

Who knows how often each value occurs in the whole table knows what the missing hold: the difference. So they must keep
the promise as a class of their own, or what follows from it for classes that look alike.
"""

from __future__ import annotations

import numpy as np

from sfumato.errors import Infeasible
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition
from sfumato.policy.promises import Promise, all_of
from sfumato.table.coded import CodedTable

__all__ = ["require_unseen"]


def require_unseen(grouped: Partition, table: CodedTable, facts: Facts, promise: Promise) -> None:
    """`Infeasible` if the rows without a group break what is promised of sensitive values."""
    left = grouped.labels < 0
    if not left.any():
        return
    parts = [part for part in all_of(promise).promises if part.about_values]
    wanted = [each for each in (_merged(bind(part, facts)) for part in parts) if each is not None]
    labels = np.where(left, 0, -1).astype(np.int64)
    for each in wanted:
        model = bind(each, facts)
        statistics = tuple(columns for columns in model.statistics if columns)
        if not model.holds(Groups.of_rows(table, labels, statistics))[0]:
            raise Infeasible(
                f"{promise}: {int(left.sum())} rows find no group, and this form shows who is missing; as a class of"
                f" their own they break {each}. Publish generalized, or promise less"
            )


def _merged(model: Model) -> Promise | None:
    """What a promise says of groups that look alike."""
    return model.promise if model.survives_merging else model.relaxed()
